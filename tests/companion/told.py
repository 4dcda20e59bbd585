"""A table, of three where nothing else is said, with perfect cameras, for tests of the sitting."""

from __future__ import annotations

from companion.cards import DECK, Card, Mark, Seen
from companion.crops import Crop
from companion.games import find_game
from companion.observation import CameraReport, Declaration, EvidenceRef, Observation, Sighting, Tick, Trouble, TroubleKind
from companion.sitting import RowSight, Seat, Sitting
from companion.table import Place, row, slot
from companion.watch import station_of


class Told:
    """A table whose cameras are perfect: `lie` says what they see, `wait` lets time pass."""

    def __init__(
        self, sources=("mat", "mat", "mat"), sight=RowSight.OVERHEAD, deal=True, chronicle=None, evidence=None, deck=DECK,
        **options,
    ) -> None:  # fmt: skip
        """`evidence` makes what keeps pictures, out of an album and the chronicle; every card is then painted in its colour."""
        self.time = 0.0
        seats = [Seat(name, source) for name, source in zip(("Ann", "Ben", "Cat", "Dan", "Eve"), sources, strict=False)]
        self.painted: dict[EvidenceRef, Seen] | None = {} if evidence is not None else None
        self._open = lambda kept: Sitting(
            find_game("steal"), seats, options, sight, clock=lambda: self.time, chronicle=kept,
            evidence=None if evidence is None else evidence(self, kept),
        )  # fmt: skip
        self.sitting = self._open(chronicle)
        self.shown: dict[Place, Seen] = {}
        self.still: set[Place] = set()
        """Where something hidden was read from a picture, because it does not move."""
        self.blind: set[int | None] = set()
        """Seats, or None for the tray, whose camera shows nothing."""
        self.likely: dict[Place, tuple[tuple[Card, float], ...]] = {}
        """What the reader takes a card for, where a test wants to know."""
        self.pile = list(deck)
        for seat, source in enumerate(sources):
            if source == "mat":
                self.shown.update({slot(seat, k): self.pile.pop(0) if deal else Mark.EMPTY for k in range(1, 6)})
        if sight is RowSight.OVERHEAD:
            self.shown.update({row(n): Mark.EMPTY for n in range(1, 10)})
        if deal:
            self.wait(3.0)

    def restart(self, chronicle) -> Told:
        """The program ends and begins again; the cards lie as they lay."""
        self.sitting = self._open(chronicle)
        return self

    def wait(self, seconds: float) -> Told:
        for _ in range(round(seconds * 10)):
            self.time = round(self.time + 0.1, 3)
            sightings = tuple(
                Sighting(
                    place, seen, 0.99, self._evidence(place, seen), self.likely.get(place, ())
                )
                for place, seen in self.shown.items()
                if station_of(place) not in self.blind
            )
            if sightings:
                self.sitting.post(Observation(self.time, tuple(each.place for each in sightings), sightings))
            self.sitting.post(Tick(self.time))
            self.sitting.work()
        return self

    def _evidence(self, place: Place, seen: Seen) -> EvidenceRef | None:
        if self.painted is None or seen is Mark.COVERED:
            return EvidenceRef("test", 1, 1) if place in self.still else None
        ref = EvidenceRef("painted", DECK.index(seen) if isinstance(seen, Card) else 52, 1)
        self.painted[ref] = seen
        return ref

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        """Five looks of one colour: who sees them knows the card."""
        return None if self.painted is None or ref not in self.painted else Crop(4, 8, 5, 4, bytes([ref.frame + 1]) * 480)

    def lie(self, changes: dict[Place, Seen], seconds: float = 1.5) -> Told:
        """A hand comes over the places, and then they show this."""
        self.shown.update(dict.fromkeys(changes, Mark.COVERED))
        self.wait(0.4)
        self.shown.update(changes)
        return self.wait(seconds)

    def fail(self, *stations: int | None, kind: TroubleKind = TroubleKind.SILENT, seconds: float = 0.0, ago: float = 0.0) -> Told:
        """The cameras of these seats (None: of the tray) see nothing from now on, and have not for a while already."""
        self.blind |= set(stations)
        return self.report(kind, ago).wait(seconds)

    def heal(self, seconds: float = 4.0) -> Told:
        """All cameras see again."""
        self.blind.clear()
        return self.report(TroubleKind.SILENT).wait(seconds)

    def report(self, kind: TroubleKind, ago: float = 0.0) -> Told:
        blind = sorted(self.blind, key=lambda station: (station is None, station))
        self.sitting.post(CameraReport(self.time, tuple(Trouble(kind, station, self.time - ago) for station in blind)))
        return self

    def say(self, seat: int, what, seconds: float = 1.5) -> Told:
        self.sitting.post(Declaration(self.time, seat, what))
        return self.wait(seconds)

    def draw(self, seat: int, number: int, seconds: float = 1.5) -> Card:
        """The pile's top card comes into a slot, the old one onto the row; return the new card."""
        new, old = self.pile.pop(0), self.shown[slot(seat, number)]
        place = row(1 + sum(1 for p, s in self.shown.items() if p.area == row(1).area and s is not Mark.EMPTY))
        self.lie({slot(seat, number): new, place: old}, seconds)
        return new

    def discard(self, position: int, seconds: float = 1.5) -> Card:
        card = self.pile.pop(0)
        self.lie({row(position): card}, seconds)
        return card

    def exchange(self, a: Place, b: Place, seconds: float = 1.5) -> Told:
        return self.lie({a: self.shown[b], b: self.shown[a]}, seconds)

    @property
    def view(self):
        return self.sitting.view()

    @property
    def actions(self):
        return [entry.action for entry in self.sitting.log() if entry.kind == "action"]

    @property
    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.sitting.log()]
