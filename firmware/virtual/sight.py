"""The virtual table as a person sees it who stands beside it: from above, and through its cameras."""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2

from companion.table import PILE, REMOVED, SLOTS, Place, slot
from companion.tutorial import Tutorial
from companion.web.tabletop import JOKER, Lying, Spot, TableTop
from firmware.virtual.layouts import row_places
from firmware.virtual.world import HandOf, Laid, World
from firmware.virtual.world import Spot as Where
from vision.frame import Image

PICTURE_WIDTH = 480
"""Pixels of a camera's picture on the page."""
QUALITY = 72
MOST_CARDS = 199
"""Names for cards: those of the deck, and as many as anybody will bring from others."""
ON_PILE = 0
"""What the highest card of the pile is called, whichever it is."""


class Names:
    """What the page calls the pieces of card: it says nothing of their faces, and nothing of what it was before a shuffle."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.tokens: tuple[int, ...] = tuple(range(1, MOST_CARDS + 1))
        """By the number of a piece."""
        self.draw_lots()

    def draw_lots(self) -> None:
        """The cards have been shuffled: nobody can tell any more which is which."""
        tokens = list(self.tokens)
        self._rng.shuffle(tokens)
        self.tokens = tuple(tokens)


@dataclass(frozen=True, slots=True)
class Sight:
    """What lies where at one moment; it does not change when the table does."""

    mine: tuple[int, ...]
    names: Names
    tokens: tuple[int, ...] = ()
    """By the number of a piece: what it is called on the page at this moment."""
    seats: int = 0
    lying: Mapping[Where, tuple[Laid, ...]] | None = None
    covered: frozenset[Place] = frozenset()
    changes: int = -1
    dealt: bool = False

    @classmethod
    def of(cls, world: World, mine: tuple[int, ...], names: Names) -> Sight:
        return cls(mine, names).now(world)

    def now(self, world: World) -> Sight:
        """The same table at this moment."""
        slots = [slot(seat, number) for seat in range(world.seats) for number in SLOTS]
        spots: list[Where] = [*slots, *row_places(world), PILE, REMOVED]
        spots += [HandOf(seat) for seat in range(world.seats)]
        lying = {spot: world.lying(spot) for spot in spots}
        gathered = not any(cards for spot, cards in lying.items() if spot not in (PILE, REMOVED))
        dealt = not gathered and (self.dealt or all(lying[place] for place in slots))
        return replace(
            self, tokens=self.names.tokens, seats=world.seats, lying=lying, covered=world.covered, changes=world.changes,
            dealt=dealt,
        )  # fmt: skip


def seen_from_above(
    sight: Sight, number: int, cheating: bool, busy: bool, said: str, tutorial: Tutorial | None,
    cameras: tuple[tuple[str, int], ...],
) -> TableTop:  # fmt: skip
    """The table as the person may see it: faces that lie up or are in his own hands, and all where he is `cheating`."""
    assert sight.lying is not None, "a sight is made of a world"

    def card(laid: Laid, open_to_him: bool, spot: Where) -> Lying:
        shown = cheating or open_to_him or not laid.face_down
        face = JOKER if laid.piece.face is None else str(laid.piece.face)
        # The pile has one name for every card: else it would tell which one is drawn next.
        token = ON_PILE if spot == PILE else sight.tokens[laid.piece.number]
        return Lying(token, face if shown else None)

    def at(spot: Where, name: str, top: bool = False) -> Spot:
        assert sight.lying is not None
        lies = sight.lying[spot]
        own = isinstance(spot, HandOf) and spot.seat in sight.mine
        # A card in somebody else's hand turns its back to everybody but him.
        hidden = isinstance(spot, HandOf) and not own
        seen = lies[-1:] if top else lies
        cards = tuple(card(replace(laid, face_down=laid.face_down or hidden), own, spot) for laid in seen)
        return Spot(name, cards, len(lies), isinstance(spot, Place) and spot in sight.covered)

    rows = sorted(spot for spot in sight.lying if isinstance(spot, Place) and spot.area.name == "ROW")
    seats = range(sight.seats)
    return TableTop(
        number,
        tuple(tuple(at(slot(seat, k), f"slot-{seat}-{k}") for k in SLOTS) for seat in seats),
        tuple(at(place, f"row-{place.number}") for place in rows),
        at(PILE, "pile", top=True),
        at(REMOVED, "away", top=True),
        tuple(at(HandOf(seat), f"hand-{seat}") for seat in seats),
        sight.mine, sight.dealt, busy, said, tutorial, cameras,
    )  # fmt: skip


class Frames:
    """The newest picture of every camera.  Made small when somebody asks, one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawing = threading.Lock()
        self._newest: dict[str, tuple[int, Image]] = {}
        self._drawn: dict[str, tuple[int, bytes]] = {}

    def take(self, camera: str, image: Image) -> None:
        """A camera has taken a picture; the same array again is no news."""
        with self._lock:
            before = self._newest.get(camera)
            if before is None or before[1] is not image:
                self._newest[camera] = (0 if before is None else before[0]) + 1, image

    def clear(self) -> None:
        """Another table."""
        with self._lock:
            self._newest.clear()

    def counts(self, mine: Sequence[int], cheating: bool) -> tuple[tuple[str, int], ...]:
        """The cameras that the person may look through, with the number of their newest picture."""
        with self._lock:
            return tuple((name, taken[0]) for name, taken in sorted(self._newest.items()) if cheating or _open(name, mine))

    def picture(self, camera: str, mine: Sequence[int], cheating: bool) -> bytes | None:
        """Its newest picture as a small JPEG."""
        if not (cheating or _open(camera, mine)):
            return None
        with self._drawing:
            with self._lock:
                found = self._newest.get(camera)
            if found is None:
                return None
            if self._drawn.get(camera, (0,))[0] != found[0]:
                self._drawn[camera] = found[0], _small(found[1])
            return self._drawn[camera][1]


def _open(camera: str, mine: Sequence[int]) -> bool:
    return camera == "tray" or camera in {f"mat{seat}" for seat in mine}


def _small(image: Image) -> bytes:
    height = max(1, round(image.shape[0] * PICTURE_WIDTH / image.shape[1]))
    small = cv2.resize(image, (PICTURE_WIDTH, height), interpolation=cv2.INTER_AREA)
    made, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert made, "a picture in memory can be coded"
    return bytes(coded)
