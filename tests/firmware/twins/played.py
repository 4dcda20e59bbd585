"""What a twin is played with: cards on a table under perfect cameras, and stand-ins for what is kept."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from companion.announcements import Translator
from companion.cards import DECK, Card, Mark, Seen
from companion.changes import Publication
from companion.chronicle import Noted
from companion.crops import Crop
from companion.games.rulebook import Rulebook
from companion.health import MachineFigures, Room
from companion.inbox import Inbox, Receipt
from companion.journal import Draft, Entry, Journal
from companion.observation import Declaration, EvidenceRef, Observation, Sighting, Tick
from companion.picturefile import PicturesInMemory, PictureStore
from companion.retelling import Retelling
from companion.seal import KEY, ROOM, About, Seal
from companion.sitting import Offer, RowSight, Sitting
from companion.table import Place
from companion.views import Role, View
from companion.watch import station_of
from companion.web.bench import TaskView
from companion.web.gate import Preset
from tests.firmware.twins.pairs import Token

STEP = 0.1


@dataclass(frozen=True)
class Setting:
    """What kind of table is played at."""

    sources: tuple[str, ...] = ("mat", "mat", "mat")
    sight: RowSight = RowSight.OVERHEAD
    preset: Preset = Preset.HOME
    phone_peek: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    game: str = "steal"

    @property
    def seats(self) -> int:
        return len(self.sources)


class Idle:
    """A task of the workbench, and the ends of the puppeteer's strings: nothing is done with either."""

    def view(self, say: Translator, /) -> TaskView:
        return TaskView(words="Nothing is done.")

    def start(self, name: str, /) -> None:
        return

    def confirm(self) -> None:
        return

    def stop(self) -> None:
        return

    def pull(self, name: str, seat: int, slot: int, /) -> None:
        return


class StillMachine:
    """A machine whose figures stay as they are, but for its clock."""

    def __init__(self, wall: Callable[[], datetime]) -> None:
        self._wall = wall

    def read(self) -> tuple[MachineFigures, float]:
        return MachineFigures(self._wall(), "a machine", heat_c=50.0, disk=Room(10**10, 2 * 10**10), clock_set=True), 0.5


class Window:
    """What the page looks at: the game itself, or for a while one that is only tried out."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.offset = 0
        self.posted: list[Declaration] | None = None
        """Where declarations are kept instead of being handed in; None: they are handed in."""
        self.tried: Callable[[], Sitting] = lambda: self.sitting
        """Makes the copy of the game that answers declarations which are kept."""

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        view = self.sitting.view(role, seat)
        return replace(view, version=view.version + self.offset)

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        # Nothing happens while somebody waits: the one thread that there is asks.
        return self.view(role, seat)

    @property
    def rulebook(self) -> Rulebook:
        return self.sitting.rulebook

    def now(self) -> float:
        return self.sitting.now()

    def post(self, event: Declaration, /) -> Receipt:
        if self.posted is None:
            return self.sitting.post(event)
        self.posted.append(event)
        trial = self.tried()
        receipt = trial.post(event)
        trial.work()
        return receipt

    def offers(self, seat: int, /) -> tuple[Offer, ...]:
        return self.sitting.offers(seat)

    def claim(self, seat: int, offer: int, amount: int | None = None, /) -> Receipt:
        before = self.sitting.post
        self.sitting.post = self.post  # type: ignore[method-assign,assignment]
        try:
            return self.sitting.claim(seat, offer, amount)
        finally:
            self.sitting.post = before  # type: ignore[method-assign]

    def timeline(self) -> Any:
        return self.sitting.timeline()

    def dispute(self, number: int, place: Place | None = None, /) -> Any:
        return self.sitting.dispute(number, place)

    def noted(self) -> Noted:
        """What changes with every commitment is compared as these are: not at all."""
        noted = self.sitting.noted()
        assert noted is not None
        return replace(noted, head="0" * 64)

    def next_game(self) -> Receipt:
        receipt = Receipt()
        receipt.settle()
        return receipt

    def likely(self, place: Place, /) -> tuple[Card, ...]:
        return self.sitting.likely(place)

    def proofs(self, number: int, /) -> Any:
        return self.sitting.proofs(number)

    def retelling(self, day: str = "", /) -> Retelling:
        return self.sitting.retelling(day)

    def picture(self, number: int, /) -> bytes | None:
        return self.sitting.picture(number)


class Scales(Seal):
    """A seal that notes how long everything is that it hides."""

    def __init__(self) -> None:
        super().__init__(bytes(range(KEY)))
        self.weighed: list[tuple[int, str, int, int]] = []

    def encrypt(self, data: bytes, about: About, room: int = ROOM) -> bytes:
        self.weighed.append((about.number, about.kind, len(data), room))
        return super().encrypt(data, about, room)


class Notebook:
    """A journal that is not kept: it goes on from where the real one is."""

    def __init__(self, journal: Journal | Notebook) -> None:
        self.game, self.head, self.path = journal.game, journal.head, journal.path
        self.next_number = journal.next_number
        self._journal = journal
        self.drafts: list[Draft] = []

    def append(self, drafts: Any) -> tuple[Entry, ...]:
        added = tuple(drafts)
        self.drafts += added
        self.next_number += len(added)
        return ()

    def entries(self) -> tuple[Entry, ...]:
        return self._journal.entries()

    @property
    def newest(self) -> Entry:
        return self._journal.newest


class Sketchbook:
    """Pictures that are not kept: what is new lies in front of what is there."""

    def __init__(self, store: PictureStore) -> None:
        self._store, self._fresh = store, PicturesInMemory()

    def put(self, number: int, sealed: bytes, /) -> None:
        self._fresh.put(number, sealed)

    def get(self, number: int, /) -> bytes | None:
        return self._fresh.get(number) or self._store.get(number)

    def drop(self, number: int, /) -> None:
        self._fresh.drop(number)


class Painter:
    """The cameras' pictures: of one colour for each card, so that whoever sees one knows the card."""

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        return Crop(4, 8, 5, 5, bytes([ref.frame]) * 480)


class Played:
    """Cards that lie on a table, cameras that look at them, and the sitting that is told."""

    def __init__(self, setting: Setting, faces: tuple[Card, ...]) -> None:
        self.setting, self.faces = setting, faces
        self.time = 0.0
        self.lies: dict[Place, Token | Mark] = {}
        self.unread: set[Token] = set()
        """Cards whose face the cameras cannot read."""
        self.blind: set[int | None] = set()
        self.sitting: Sitting

    def seen(self, place: Place) -> Seen:
        lies = self.lies[place]
        if isinstance(lies, Mark):
            return lies
        return Mark.UNREADABLE if lies in self.unread else self.faces[lies]

    def _sighting(self, place: Place) -> Sighting:
        seen, likely = self.seen(place), ()
        if isinstance(seen, Card):
            # What else the reader takes a card for follows from the card's picture, and is as hidden as the card.
            likely = ((seen, 0.7), (DECK[(DECK.index(seen) + 17) % len(DECK)], 0.2))
        return Sighting(place, seen, 0.99, EvidenceRef("test", DECK.index(seen) if isinstance(seen, Card) else 99, 1), likely)

    def look(self) -> None:
        """One moment more."""
        self.time = round(self.time + STEP, 3)
        sightings = tuple(self._sighting(place) for place in self.lies if station_of(place) not in self.blind)
        if sightings:
            self.sitting.post(Observation(self.time, tuple(each.place for each in sightings), sightings))
        self.sitting.post(Tick(self.time))
        self.sitting.work()
        self.looked()

    def looked(self) -> None:
        """Called after every moment."""

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.look()

    def say(self, seat: int, what: Any, seconds: float = 1.5) -> None:
        self.sitting.post(Declaration(self.time, seat, what))
        self.wait(seconds)


class Trial(Played):
    """A game that goes on from a moment of another one, and leaves that one as it was."""

    def __init__(self, of: Played) -> None:
        super().__init__(of.setting, of.faces)
        self.time, self.lies, self.unread, self.blind = of.time, dict(of.lies), set(of.unread), set(of.blind)
        self.sitting = sitting = copy.copy(of.sitting)
        sitting._inbox, sitting.now = Inbox(), lambda: self.time
        sitting._told = Publication({audience: held[-1][1] for audience, held in sitting._told._held.items()}, sitting.now)
        # Nor is what is handed to the trial kept back for the page, which may hold the other one's door just now.
        vars(sitting).pop("post", None)
        sitting._ledger = ledger = copy.copy(of.sitting._ledger)
        assert ledger._chronicle is not None
        assert ledger._evidence is not None
        ledger._chronicle = chronicle = copy.copy(ledger._chronicle)
        self.notes = Notebook(chronicle._journal)
        chronicle._journal, chronicle._seal = self.notes, Scales()  # type: ignore[assignment]
        ledger._evidence = evidence = copy.copy(ledger._evidence)
        evidence._recent = copy.deepcopy(evidence._recent)
        evidence._store, evidence._seal = Sketchbook(evidence._store), Scales()
