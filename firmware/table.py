"""The table as every rig uses it: observers that read frames, and the sitting that makes a game of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from companion.cards import Mark
from companion.chronicle import Chronicle
from companion.crops import Album, Crop
from companion.evidence import Evidence
from companion.games.base import Game
from companion.inbox import Receipt
from companion.observation import CameraReport, Declaration, EvidenceRef, Observation, Sighting, Tick, Trouble
from companion.sitting import RowSight, Seat, Sitting, Steadiness, Timing
from companion.table import Place
from companion.views import View
from firmware.gauges import Gauges
from firmware.rig import Station, looks_down, stations
from firmware.silence import CameraWatch
from vision.belief import TableBelief
from vision.calibration.lens import MeasuredLens
from vision.classifier import Classifier
from vision.deckwatch import DeckWatch
from vision.frame import Frame
from vision.observe import Observer
from vision.taught import TaughtClassifier

KeepEvidence = Callable[[Album], Evidence]
"""Makes the keeper of the pictures that are in an album."""


class Cameras:
    """The pictures that the cameras of a table have read last, by the name of the camera."""

    def __init__(self, observers: Mapping[str, Observer]) -> None:
        self._observers = observers

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        observer = self._observers.get(ref.camera)
        return None if observer is None else observer.crop(ref)


class ReadingTable:
    """Frames, presses and taps in; views out.  Used by one thread."""

    def __init__(
        self, sitting: Sitting, cameras: Sequence[Station], observers: Mapping[str, Observer], classifier: Classifier,
        gauges: Gauges | None = None, period: float = 0.0,
    ) -> None:  # fmt: skip
        """`observers` by the name of their camera, one for each of `cameras`, all of which read with `classifier`.

        `gauges` measure how the cameras do, each of which looks every `period` seconds; 0: not known.
        """
        self.sitting = sitting
        self.observers = dict(observers)
        self._classifier = classifier
        self._watch = DeckWatch()
        self._cameras = CameraWatch(cameras, self.observers, period)
        self._from_above = frozenset(station.camera for station in cameras if looks_down(station))
        self._reported: tuple[Trouble, ...] = ()
        self._bare: dict[str, bool] = {}
        self._gauges = gauges
        if gauges is not None:
            gauges.begin(cameras, period)

    def look(self, frame: Frame) -> None:
        """Read one frame; raise KeyError for a camera that is not part of this table."""
        observer = self.observers[frame.camera]
        observation = observer.observe(frame)
        if frame.camera in self._from_above and not observation.covered:
            observation = hidden_now(observer.places, frame.time)
        if self._gauges is not None:
            self._gauges.look(frame, observer, observation, self.sitting.now() - frame.time)
        seen = [sighting.seen for sighting in observation.sightings]
        self._bare[frame.camera] = bool(seen) and all(one is Mark.EMPTY for one in seen)
        self._watch.hear(observation)
        self._cameras.hear(frame.camera, frame.time)
        self.sitting.post(observation)

    def bare(self, camera: str) -> bool:
        """Whether nothing lay on the camera's board when it last looked; False where that is not known."""
        return self._bare.get(camera, False)

    def hear(self, declaration: Declaration) -> Receipt:
        """Take in what somebody declared; the receipt tells what becomes of it."""
        return self.sitting.post(declaration)

    def work(self, time: float) -> View:
        """Judge all that came in up to `time`, seconds of the table's clock."""
        self.sitting.post(Tick(time))
        troubles = self._cameras.troubles(time)
        if troubles != self._reported:
            self._reported = troubles
            self.sitting.post(CameraReport(time, troubles))
        self.sitting.report_deck(self._deck())
        self.sitting.work()
        return self.sitting.view()

    def _deck(self) -> str:
        # Only a taught deck has something to be at odds with.
        if isinstance(self._classifier, TaughtClassifier) and self._classifier.trouble is not None:
            return "other"
        return "weak" if self._watch.weak else ""


def hidden_now(places: Sequence[Place], time: float) -> Observation:
    """Nothing can be said of these places: a mat that cannot be found from above has somebody leaning over it, as a rule."""
    return Observation(time, tuple(places), tuple(Sighting(place, Mark.COVERED, 1.0) for place in places))


def open_table(
    game: Game[Any],
    seats: Sequence[Seat],
    classifier: Classifier,
    options: Mapping[str, Any] | None = None,
    row_sight: RowSight = RowSight.OVERHEAD,
    *,
    cameras: Sequence[Station] | None = None,
    timing: Timing | None = None,
    steadiness: Steadiness | None = None,
    seed: int = 0,
    clock: Callable[[], float] = monotonic,
    phone_peek: bool = False,
    chronicle: Chronicle | None = None,
    keep: KeepEvidence | None = None,
    gauges: Gauges | None = None,
    decides: str = "table",
    period: float = 0.0,
    lenses: Mapping[str, MeasuredLens] | None = None,
) -> ReadingTable:
    """A table for one game.  `cameras` None: one for every seat with a mat, and one for the tray if `row_sight` says so.

    `chronicle` records the game, `keep` makes what keeps the pictures that its cameras have read, and
    `gauges` measure how those do.  `period`: so many seconds lie between two looks of one camera; 0: not known.
    `lenses`: what was measured of cameras, by name.
    """
    belief = TableBelief()
    plan = cameras if cameras is not None else stations([seat.source for seat in seats], row_sight)
    upcards = any(looks_down(station) for station in plan)
    known = {} if lenses is None else lenses
    observers = {
        station.camera: Observer(station.layout, station.places, classifier, belief, lens=known.get(station.camera))
        for station in plan
    }
    sitting = Sitting(
        game, seats, options, row_sight, timing, steadiness, seed, clock, phone_peek=phone_peek, chronicle=chronicle,
        decides=decides, evidence=None if keep is None else keep(Cameras(observers)), upcards=upcards,
    )  # fmt: skip
    return ReadingTable(sitting, plan, observers, classifier, gauges, period)
