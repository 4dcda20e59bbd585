"""What is kept of cameras that were set up with `viewmat calibrate`, used by a table: their lenses, their locks, their place."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from firmware.calibrations import load_calibration
from firmware.camera import CameraPlan
from vision.calibration.camera import Calibration, Drift, recheck
from vision.calibration.lens import MeasuredLens
from vision.errors import CalibrationError
from vision.frame import Frame, Light

LOG = logging.getLogger(__name__)
EVERY_S = 30.0
"""So often a camera's place is looked at again; it costs a search for all markers."""
RETRY_S = 2.0
"""The same while too few markers can be seen: a hand may be in the way of the light."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """The cameras that were set up, by name."""

    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    damaged: frozenset[str] = frozenset()
    """Those whose file cannot be used."""

    @property
    def lenses(self) -> Mapping[str, MeasuredLens]:
        """What was measured; a lens that was only guessed from the markers is guessed anew."""
        found = {name: calibration.lens for name, calibration in self.calibrations.items()}
        return {name: lens for name, lens in found.items() if isinstance(lens, MeasuredLens)}

    def locked(self, plan: CameraPlan) -> CameraPlan:
        """The plan with what was found for its camera, wherever the settings say nothing of their own.

        Only for cameras on the Pi's own connector: the values are in their units.
        """
        calibration = self.calibrations.get(plan.name)
        if calibration is None or plan.kind != "picamera2":
            return plan
        found, own = calibration.controls, plan.locks
        together = own.exposure_us is None and own.gain is None
        return replace(plan, locks=replace(
            own, exposure_us=found.exposure_us if together else own.exposure_us, gain=found.gain if together else own.gain,
            red_blue=found.colour_gains if own.red_blue is None else own.red_blue,
            lens=found.lens_position if own.lens is None else own.lens,
        ))  # fmt: skip


def load_setup(cameras: Iterable[str]) -> SetUp:
    """What is kept of these cameras; a damaged file is told in the log, and the table plays on without it."""
    calibrations, damaged = {}, set()
    for camera in cameras:
        try:
            calibration = load_calibration(camera)
        except CalibrationError as error:
            LOG.warning("%s: %s", camera, error)
            damaged.add(camera)
            continue
        if calibration is not None:
            calibrations[camera] = calibration
    return SetUp(calibrations, frozenset(damaged))


class Placement:
    """Whether cameras still are where they were set up.  `look` is called by the table's thread, `drifts` by any."""

    def __init__(self, setup: SetUp) -> None:
        self._setup = setup
        self._lock = threading.Lock()
        self._drifts = {camera: Drift(None, 0, "damaged") for camera in setup.damaged}
        self._due: dict[str, float] = {}

    def look(self, frame: Frame) -> None:
        """Look where the markers are, if it is time to; pictures in the room's light alone may be too dark for them."""
        calibration = self._setup.calibrations.get(frame.camera)
        if calibration is None or frame.light is Light.ROOM or frame.time < self._due.get(frame.camera, float("-inf")):
            return
        drift = recheck(calibration, frame.image)
        lost = drift.problem == "lost"
        self._due[frame.camera] = frame.time + (RETRY_S if lost else EVERY_S)
        if lost:
            return  # What was known of its place is still the best that is known; the referee hears of lost markers anyway.
        with self._lock:
            before = self._drifts.get(frame.camera)
            self._drifts[frame.camera] = drift
        if drift.problem and (before is None or before.problem != drift.problem):
            LOG.warning("%s is not as it was set up: %s", frame.camera, SAID[drift.problem])

    def drifts(self) -> Mapping[str, Drift]:
        """The newest finding for each camera that was set up; nothing for one that has not been looked for yet."""
        with self._lock:
            return dict(self._drifts)


SAID = {
    "size": "its pictures have another size",
    "mirrored": "its pictures are mirrored",
    "moved": "its markers have moved by more than a millimetre",
}
