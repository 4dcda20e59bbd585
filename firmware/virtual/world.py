"""Physical truth: card objects, where each one lies, and whose hand is over which place.

Nothing here knows a rule or what the table companion believes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from companion.cards import Card, Mark, Seen
from companion.table import PILE, REMOVED, SLOTS, Area, Place, above, row, slot

TRAYS = ("overhead", "mat", "none")
"""How the row of discards is watched: a camera above it, a sixth mat below it, not at all."""
TRAY_WINDOWS = {"overhead": 9, "mat": 5, "none": 9}
"""How many cards of the row have an outline of their own; further ones take the places of the oldest."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of card stock."""

    number: int
    """Tells apart two cards with one face."""
    face: Card | None
    """None: a joker."""
    deck: int = 0
    """0 is the deck of this table; other numbers are cards that do not belong to it."""


@dataclass(frozen=True, slots=True)
class Pose:
    """How a card lies against the rail of its place."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    angle_deg: float = 0.0
    turned: bool = False
    """Laid the other way round (its other index corner at the window)."""


@dataclass(frozen=True, slots=True)
class Laid:
    piece: Piece
    face_down: bool
    pose: Pose


@dataclass(frozen=True, slots=True)
class HandOf:
    """A player's hand, off the table."""

    seat: int


Spot = Place | HandOf


def row_place(tray: str, number: int) -> Place:
    """Where the row's card `number` (1..) is laid: its own outline, or, where all windows are taken, the window of the
    oldest card that still lies on one; that card is pushed aside first."""
    windows = TRAY_WINDOWS[tray]
    return row((number - 1) % windows + 1)


def pushed_aside(place: Place) -> Place:
    """Where the card of a tray window goes that has to make room: on the tray, seen by no window."""
    return row(100 + place.number)


def on_table(place: Place) -> Place:
    """Where what is seen at a place lies: a slot for a view of it from above, else the place itself."""
    return slot(place.seat, place.number) if place.area is Area.ABOVE else place


@dataclass(frozen=True, slots=True)
class Board:
    """What one camera looks at."""

    name: str
    places: tuple[Place, ...]
    from_below: bool


class World:
    """The cards on and off the table.  Every change raises the version of the boards that show it."""

    def __init__(
        self, seats: int, deck: Iterable[Card], tray: str = "overhead", watched: tuple[bool, ...] | None = None,
        pose: Callable[[], Pose] = Pose, clock: Callable[[], float] = lambda: 0.0, upcards: bool = False,
    ) -> None:
        """`deck` has its top card first; it lies as the pile.  `watched` says which seats have a camera mat; with `upcards` a
        camera above looks at these mats, too."""
        self.seats = seats
        self.tray = tray
        self.watched = watched if watched is not None else (True,) * seats
        self._pose = pose
        self._clock = clock
        self._moved_at: dict[Place, float] = {}
        self.changes = 0
        """Grows whenever a card or a hand moves, anywhere."""
        self.homes: dict[Piece, Place] = {}
        """The slot from which each card was lifted last."""
        self.pieces = [Piece(number, face) for number, face in enumerate(deck)]
        self._spots: dict[Spot, list[Laid]] = {PILE: [Laid(piece, True, Pose()) for piece in reversed(self.pieces)]}
        self._where: dict[Piece, Spot] = dict.fromkeys(self.pieces, PILE)
        self._covers: Counter[Place] = Counter()
        self._upcards = upcards
        self.boards = self._make_boards()
        self._boards_of: dict[Place, list[int]] = {}
        for index, board in enumerate(self.boards):
            for place in board.places:
                self._boards_of.setdefault(on_table(place), []).append(index)
        self.versions = [0] * len(self.boards)

    def _make_boards(self) -> tuple[Board, ...]:
        mats = [
            Board(f"mat{seat}", tuple(slot(seat, k) for k in SLOTS), True)
            for seat in range(self.seats) if self.watched[seat]
        ]
        if self.tray != "none":
            places = tuple(row(number) for number in range(1, TRAY_WINDOWS[self.tray] + 1))
            mats.append(Board("tray", places, self.tray == "mat"))
        if self._upcards:
            mats += [
                Board(f"above{seat}", tuple(above(seat, k) for k in SLOTS), False)
                for seat in range(self.seats) if self.watched[seat]
            ]
        return tuple(mats)

    def lying(self, spot: Spot) -> tuple[Laid, ...]:
        """The cards at a spot, lowest first."""
        return tuple(self._spots.get(spot, ()))

    def top(self, spot: Spot) -> Piece:
        """The highest card at a spot; raise LookupError where none lies."""
        stack = self._spots.get(spot)
        if not stack:
            raise LookupError(f"no card lies at {spot}")
        return stack[-1].piece

    def where(self, piece: Piece) -> Spot:
        return self._where[piece]

    def bring(self, face: Card | None) -> Piece:
        """A card from another deck (None: a joker), not on the table yet."""
        piece = Piece(len(self.pieces), face, deck=1)
        self.pieces.append(piece)
        self._where[piece] = REMOVED
        self._spots.setdefault(REMOVED, []).append(Laid(piece, True, Pose()))
        return piece

    def piece(self, face: Card) -> Piece:
        """This table's own card of that face."""
        return next(piece for piece in self.pieces if piece.face == face and piece.deck == 0)

    def move(self, piece: Piece, spot: Spot, face_down: bool = True, under: bool = False) -> None:
        """Take the card from where it lies to `spot`, on top of what lies there or under it."""
        origin = self._where[piece]
        stack = self._spots[origin]
        stack.remove(next(laid for laid in stack if laid.piece == piece))
        target = self._spots.setdefault(spot, [])
        target.insert(0 if under else len(target), Laid(piece, face_down, self._pose()))
        self._where[piece] = spot
        if isinstance(origin, Place) and origin.area is Area.SLOT:
            self.homes[piece] = origin
        self._touch(origin)
        self._touch(spot)

    def cover(self, place: Place) -> None:
        """A hand comes over the place."""
        self._covers[place] += 1
        self._touch(place)

    def uncover(self, place: Place) -> None:
        self._covers[place] -= 1
        self._touch(place)

    def is_covered(self, place: Place) -> bool:
        return self._covers[on_table(place)] > 0

    def bump(self, place: Place) -> None:
        """What lies there slides a little."""
        self._spots[place] = [Laid(laid.piece, laid.face_down, self._pose()) for laid in self._spots.get(place, ())]
        self._touch(place)

    @property
    def covered(self) -> frozenset[Place]:
        """The places that a hand is over now."""
        return frozenset(place for place, hands in self._covers.items() if hands > 0)

    def _touch(self, spot: Spot) -> None:
        self.changes += 1
        if isinstance(spot, Place) and spot in self._boards_of:
            for index in self._boards_of[spot]:
                self.versions[index] += 1
            self._moved_at[spot] = self._clock()

    def moved_at(self, place: Place) -> float:
        """When a card or a hand last moved there; 0 before anything did."""
        return self._moved_at.get(on_table(place), 0.0)

    def looks(self, place: Place) -> Laid | None:
        """The card that the camera of this place faces: the lowest from below, the highest from above."""
        stack = self._spots.get(on_table(place))
        if not stack:
            return None
        return stack[0] if self._from_below(place) else stack[-1]

    def _from_below(self, place: Place) -> bool:
        return place.area is Area.SLOT or (place.area is Area.ROW and self.tray == "mat")

    def ideal(self, place: Place) -> Seen:
        """What a perfect reader would claim of the place at this moment."""
        if self.is_covered(place):
            return Mark.COVERED
        laid = self.looks(place)
        if laid is None:
            return Mark.EMPTY
        if laid.face_down is not self._from_below(place):
            return Mark.BACK
        return laid.piece.face if laid.piece.face is not None else Mark.FOREIGN
