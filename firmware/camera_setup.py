"""A camera of the table, opened to be set up."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np

from firmware.camera import Camera, CameraPlan, Locks, open_camera, upright
from vision.calibration.controls import Controls, Ranges
from vision.frame import Frame


@runtime_checkable
class Relockable(Protocol):
    """A camera whose locked values can be changed while it is open."""

    def relock(self, locks: Locks) -> None:
        """Lock other values; the next picture is one that was taken with them."""
        ...

    def ranges(self) -> Ranges: ...


class SettableCamera:
    """Gives pictures as the sensor sees them, cut and turned as the table's are, but with the mirror's flip still in them."""

    def __init__(self, plan: CameraPlan, camera: Camera | None = None) -> None:
        """Raise `CameraError` where it cannot be opened."""
        # Whatever the settings lock would stand in the way of the search.
        self._plan = replace(plan, locks=Locks())
        self.name = plan.name
        self._camera = open_camera(self._plan) if camera is None else camera
        self._number = 0

    def ranges(self) -> Ranges:
        """What can be set; nothing at all on a camera whose values stand only when it is opened."""
        return self._camera.ranges() if isinstance(self._camera, Relockable) else Ranges()

    def lock(self, controls: Controls, timeout: float) -> Frame:
        """The first picture with these values; raise `CameraError` where the camera does not follow."""
        if isinstance(self._camera, Relockable):
            was = Locks(controls.exposure_us, controls.gain, controls.colour_gains, None, controls.lens_position)
            self._camera.relock(was)
        shot = self._camera.grab(timeout)
        self._number += 1
        image = upright(shot.image, self._plan)
        raw = np.ascontiguousarray(image[:, ::-1]) if self._plan.mirror else image
        return Frame(self.name, shot.time, self._number, raw)

    def close(self) -> None:
        """Let go of the device."""
        self._camera.close()
