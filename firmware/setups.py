"""What was stored of a table's cameras when they were set up, as the running table uses it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace

from firmware.calibrations import load_calibration
from firmware.camera import CameraPlan
from firmware.gauges import Gauges
from vision.calibration.camera import Calibration, recheck
from vision.calibration.lens import MeasuredLens
from vision.errors import CalibrationError
from vision.frame import Frame, Light

LOG = logging.getLogger(__name__)
LOOKS = 20
"""So many pictures are tried at the start; by then whatever covered markers for a moment is gone."""


class Setups:
    """The calibrations of a table's cameras.

    One that cannot be read is told in the log, and the camera is as if it never was set up.
    """

    def __init__(self, cameras: Iterable[str]) -> None:
        self._known: dict[str, Calibration] = {}
        self._left: dict[str, int] = {}
        for camera in cameras:
            try:
                found = load_calibration(camera)
            except CalibrationError as error:
                LOG.warning("%s", error)
                continue
            if found is not None:
                self._known[camera], self._left[camera] = found, LOOKS

    def locked(self, plan: CameraPlan) -> CameraPlan:
        """The plan with the light and focus that were locked, where the settings file says nothing of them."""
        known = self._known.get(plan.name)
        if known is None:
            return plan
        was, locks = known.controls, plan.locks
        if locks.exposure_us is None and locks.gain is None:
            locks = replace(locks, exposure_us=was.exposure_us, gain=was.gain)
        if locks.red_blue is None and locks.white_k is None:
            locks = replace(locks, red_blue=was.colour_gains)
        return replace(plan, locks=replace(locks, lens=was.lens_position if locks.lens is None else locks.lens))

    def lenses(self) -> Mapping[str, MeasuredLens]:
        """The lenses that were measured, by the name of the camera."""
        return {name: known.lens for name, known in self._known.items() if isinstance(known.lens, MeasuredLens)}

    def check(self, frame: Frame, gauges: Gauges) -> None:
        """See by a camera's first pictures whether it still is where it was set up."""
        if not self._left.get(frame.camera) or frame.light is Light.ROOM:
            return
        drift = recheck(self._known[frame.camera], frame.image)
        self._left[frame.camera] -= 1
        if drift.shift_mm is not None:
            self._left[frame.camera] = 0
            gauges.moved(frame.camera, drift.shift_mm)
        elif drift.problem in ("size", "mirrored"):
            self._left[frame.camera] = 0
        if drift.problem and not self._left[frame.camera]:
            LOG.warning("%s is not as it was set up: %s", frame.camera, _WHY[drift.problem])


def with_locks(plans: Iterable[CameraPlan]) -> tuple[CameraPlan, ...]:
    """The plans, each with what was locked when its camera was set up."""
    plans = tuple(plans)
    setups = Setups(plan.name for plan in plans)
    return tuple(setups.locked(plan) for plan in plans)


_WHY = {
    "size": "its pictures have another size",
    "mirrored": "its pictures are mirrored",
    "lost": "its markers cannot be seen",
    "moved": "its markers lie elsewhere",
}
