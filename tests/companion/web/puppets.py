"""A virtual table that stands still: what its page shows can be set, and what is asked for is only noted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.errors import DeclarationError
from companion.table import SLOTS
from companion.tutorial import Lesson, Tutorial
from companion.web.tabletop import Deed, Lying, Spot, TableTop


def laid_out(seats: int = 4, faces: Sequence[str] = (), **changes: object) -> TableTop:
    """Five cards each, hidden where no `faces` are given, one open card on the row, nothing in anybody's hand."""
    tokens = iter(range(1, 60))
    shown = iter(faces)
    slots = tuple(
        tuple(Spot(f"slot-{seat}-{number}", (Lying(next(tokens), next(shown, None)),), 1) for number in SLOTS)
        for seat in range(seats)
    )
    row = (Spot("row-1", (Lying(next(tokens), "Td"),), 1), *(Spot(f"row-{number}") for number in range(2, 10)))
    hands = tuple(Spot(f"hand-{seat}") for seat in range(seats))
    given = {"number": 7, "mine": (0,), "dealt": True, "cameras": (("mat0", 3), ("tray", 1)), **changes}
    pile = Spot("pile", (Lying(next(tokens), None),), 52 - 5 * seats - 1)
    return TableTop(seats=slots, row=row, pile=pile, away=Spot("away"), hands=hands, **given)  # type: ignore[arg-type]


def under_hands() -> TableTop:
    """The middle of a tutorial: four open cards, a theft half done, the old card in the person's hand."""
    table = laid_out(tutorial=Tutorial(0, Lesson.STEAL))
    row = tuple(
        replace(spot, cards=(Lying(80 + number, face),), count=1)
        for number, (spot, face) in enumerate(zip(table.row, ("Td", "4c", "As", "7h"), strict=False))
    )
    robbed = (*table.seats[2][:2], replace(table.seats[2][2], cards=(), count=0), *table.seats[2][3:])
    hand = Spot("hand-0", (Lying(91, "9d"),), 1)
    seats = (*table.seats[:2], robbed, *table.seats[3:])
    return replace(table, seats=seats, row=(*row, *table.row[4:]), hands=(hand, *table.hands[1:]))


@dataclass
class StillPuppet:
    """Hands to which nothing is tied."""

    playing: bool = True
    table: TableTop | None = field(default_factory=laid_out)
    declines: str = ""
    picture: bytes = b"jpeg"
    done: list[object] = field(default_factory=list)
    waited: list[tuple[int, float]] = field(default_factory=list)

    def top(self, cheating: bool, /) -> TableTop | None:
        return self.table

    def wait(self, number: int, seconds: float, /) -> int:
        self.waited.append((number, seconds))
        return 7

    def do(self, deed: Deed, /) -> None:
        if self.declines:
            raise DeclarationError("not now", self.declines)
        self.done.append(deed)

    def sit(self, seats: tuple[int, ...], tutorial: bool = False, /) -> None:
        self.done.append((seats, tutorial))

    def leave_tutorial(self) -> None:
        self.done.append("leave")

    def frame(self, camera: str, cheating: bool, /) -> bytes | None:
        return self.picture if camera == "tray" or (camera == "mat1" and cheating) else None


def at_lesson(lesson: Tutorial) -> StillPuppet:
    """A table whose page shows this step of the tutorial."""
    return StillPuppet(table=laid_out(tutorial=lesson))
