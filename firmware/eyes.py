"""A real table's cameras for the games of one evening: opened once, read by the table of each game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import cv2

from companion.choices import places_of
from companion.games.base import Game
from companion.health import CameraFigures
from companion.limits import Rig
from companion.picture import RowSight
from firmware.board import LitBoard
from firmware.camera_rig import CameraRig, Lamp
from firmware.gauges import Gauges
from firmware.keeping import Kept, evidence_of
from firmware.patience import patient
from firmware.placement import Placement, SetUp, load_setup
from firmware.preview import draw_windows
from firmware.profiles import open_classifier
from firmware.rig import stations
from firmware.settings import Settings
from firmware.settings_camera import camera_plans
from firmware.table import ReadingTable, open_table
from vision.calibrate import Registration
from vision.classifier import Classifier


@contextmanager
def looking(eyes: Eyes | None, board: LitBoard) -> Iterator[None]:
    """The cameras, if there are any, look as long as the block runs; `board` lights the cards, and tells that a camera is on."""
    if eyes is None:
        yield
        return
    try:
        with closing(eyes):
            # Before the first camera is opened, so that none ever looks in the dark.
            board.watch(eyes.own_cameras)
            if eyes.pulsed:
                board.light_mats(False)
            eyes.start(board.light_mats)
            yield
    finally:
        board.watch(False)


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a game is opened with, beside the settings."""

    game: Game[Any]
    options: Mapping[str, Any]
    kept: Kept | None
    clock: Callable[[], float]


class Eyes:
    """The cameras of a table.  `look` is called by the table's thread, the rest from any."""

    def __init__(
        self, settings: Settings, rig: CameraRig | None = None, classifier: Classifier | None = None, setup: SetUp | None = None
    ) -> None:
        """Raise `ModelError` where the model that reads cards cannot be used.  `setup`: that of this machine without one."""
        self._rig = CameraRig(camera_plans(settings.camera, settings.tray)) if rig is None else rig
        self._setup = load_setup(plan.name for plan in self._rig.plans) if setup is None else setup
        self._placement = Placement(self._setup)
        self._classifier = classifier if classifier is not None else open_classifier(None)
        self._lock = threading.Lock()
        self._table: ReadingTable | None = None
        self.gauges = Gauges(
            faults=lambda: {name: fault.kind for name, fault in self._rig.faults().items()}, drifts=self._placement.drifts
        )
        self._period = max((plan.period for plan in self._rig.plans), default=0.0)

    @property
    def places(self) -> tuple[int, ...]:
        """The places, from 0, whose mat has a camera."""
        return tuple(sorted(int(plan.name.removeprefix("mat")) for plan in self._rig.plans if plan.name != "tray"))

    def rig(self, tray: str) -> Rig:
        """What the cameras are, as far as it bears on what they can see."""
        return Rig(self._period, tray)

    def open(self, settings: Settings, dealt: Dealt) -> ReadingTable:
        """The table of another game, which `look` feeds from now on."""
        sources = [seat.source for seat in settings.seat]
        places = places_of([None if seat.place is None else seat.place - 1 for seat in settings.seat])
        sight, windows = RowSight(settings.tray), {part.name: part.window for part in settings.camera}
        table = open_table(
            dealt.game, settings.seats(), self._classifier, dealt.options, sight,
            cameras=stations(sources, sight, places, windows=windows),
            timing=patient(settings.timings(), self._period), steadiness=settings.steady(), clock=dealt.clock,
            phone_peek=settings.access.phone_peek, chronicle=None if dealt.kept is None else dealt.kept.chronicle,
            keep=evidence_of(dealt.kept), gauges=self.gauges, period=self._period, lenses=self._setup.lenses,
            decides="referee" if settings.access.preset == "club" else "table",
        )  # fmt: skip
        with self._lock:
            self._table = table
        return table

    @property
    def own_cameras(self) -> bool:
        """Whether a camera hangs on this computer; a node tells of its own."""
        return any(plan.kind not in ("mqtt", "replay") for plan in self._rig.plans)

    @property
    def pulsed(self) -> bool:
        """Whether the lamps of mats are switched for single pictures."""
        return self._rig.pulsed

    def start(self, lamp: Lamp | None = None) -> None:
        """Begin to look; `lamp` switches the light under the cards."""
        self._rig.start(lamp if self.pulsed else None)

    def look(self, now: float) -> None:
        """Let the table read what came since the last time, and judge; `now` is on its clock."""
        with self._lock:
            table = self._table
        if table is None:
            return
        for frame in self._rig.take(now):
            # Other places may have a mat, too, at which nobody sits today.
            if frame.camera in table.observers:
                table.look(frame)
                self._placement.look(frame)
                self._rig.tell(table.observers[frame.camera], frame)
        table.work(now)

    def found(self) -> Mapping[str, Registration | None]:
        """Where the boards lie in the pictures, by the name of the camera; None where they cannot be found now."""
        with self._lock:
            table = self._table
        return {} if table is None else {name: observer.registration for name, observer in table.observers.items()}

    def preview(self, place: int) -> bytes | None:
        """The newest picture of a mat with its windows drawn in, as a PNG; None unless the reader sees every window empty."""
        camera = f"mat{place}"
        with self._lock:
            table = self._table
        frame = self._rig.newest(camera)
        if table is None or frame is None or not table.bare(camera):
            return None
        picture, registration = frame.image.copy(), table.observers[camera].registration
        if registration is not None:
            draw_windows(picture, registration)
        done, data = cv2.imencode(".png", picture)
        return data.tobytes() if done else None

    def figures(self, place: int) -> CameraFigures | None:
        """How the camera of a mat does; None where there is none that sees."""
        found = next((figures for figures in self.gauges.cameras(False) if figures.name == f"mat{place}"), None)
        return None if found is None or found.marker_mm is None else replace(found, seat=None)

    def close(self) -> None:
        """Let go of every camera."""
        self._rig.close()
