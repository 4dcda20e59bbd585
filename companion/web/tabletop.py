"""What lies on a virtual table, as the person who moves its cards sees it from above; and what he may have done with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.tutorial import Tutorial

JOKER = "joker"


@dataclass(frozen=True, slots=True)
class Lying:
    """One card."""

    token: int
    """Names this piece of card until the cards are shuffled; it says nothing of its face.  On the pile it names none."""
    face: str | None
    """Card text or `JOKER`; None where the person sees its back."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One place on the table, or somebody's hand."""

    name: str
    """``slot-SEAT-NUMBER``, ``row-NUMBER``, ``pile``, ``away`` or ``hand-SEAT``."""
    cards: tuple[Lying, ...] = ()
    """Lowest first; of pile and heap the highest alone."""
    count: int = 0
    covered: bool = False
    """A hand is over it."""


@dataclass(frozen=True, slots=True)
class TableTop:
    """The whole table at one moment."""

    number: int
    """Grows with every change."""
    seats: tuple[tuple[Spot, ...], ...]
    row: tuple[Spot, ...]
    pile: Spot
    away: Spot
    hands: tuple[Spot, ...]
    mine: tuple[int, ...]
    """The seats that the person moves."""
    dealt: bool
    """Every slot has its card, or once had since all cards were gathered last."""
    busy: bool = False
    """The person's hands are doing something."""
    said: str = ""
    """Why the last deed was not done: a kind of refusal."""
    tutorial: Tutorial | None = None
    cameras: tuple[tuple[str, int], ...] = ()
    """The cameras, and how many pictures each has taken."""

    @property
    def holds(self) -> bool:
        """The person has more cards in the hand than his free slots take: the others wait for one to be laid down."""
        return any(len(self.hands[seat].cards) > sum(not spot.cards for spot in self.seats[seat]) for seat in self.mine)


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that hands are to do."""

    name: str
    """One of `DEEDS`."""
    what: tuple[str, ...] = ()
    """The cards: ``slot-SEAT-NUMBER``, ``row-NUMBER``, ``pile``, ``away``, ``held-TOKEN``, or ``other`` and ``joker``, which come
    from another deck."""
    to: str = ""
    """A spot, or ``row`` for the row's next place."""
    seat: int = 0
    """Whose hands, mat or button."""
    up: bool | None = None
    """Whether a card is laid face up; None: as it belongs there."""
    on_top: bool = False
    """Leave what lies there under it, where otherwise it would come into the hand."""


DEEDS = ("move", "lift", "back", "turn", "look", "deal", "deal_all", "bump", "rest", "press", "show", "restore", "gather")


class Puppet(Protocol):
    """What moves the cards of a virtual table by hand; every method may be called from any thread."""

    @property
    def playing(self) -> bool:
        """Whether the game on the table is one that the person plays; else it is a show."""
        ...

    def top(self, cheating: bool, /) -> TableTop | None:
        """The table now; faces of hidden cards only where the person holds them, or is `cheating`.  None without a game."""
        ...

    def wait(self, number: int, seconds: float, /) -> int:
        """The number of the table as soon as it is another than `number`, or after `seconds`."""
        ...

    def do(self, deed: Deed, /) -> None:
        """Have it done as soon as nobody else holds cards there; raises `DeclarationError` where that makes no sense."""
        ...

    def sit(self, seats: tuple[int, ...], tutorial: bool = False, /) -> None:
        """From the next game on, which begins at once, move the cards of these seats; of none: have all played as a show."""
        ...

    def leave_tutorial(self) -> None: ...

    def frame(self, camera: str, cheating: bool, /) -> bytes | None:
        """What a camera sees, as a JPEG; None for one that there is not, or that sees others' cards."""
        ...
