"""When to look at mats whose lamps are switched: seldom and in the room's light, and with the lamp only for what has changed.

Pure: times come in, and what has to be done next comes out.  Nobody at the table may see a lamp flash more often than three
times a second, for the sake of people with photosensitive epilepsy, and none burns under a mat on which nothing lies.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from vision.frame import Frame, Light
from vision.observe import Observer

MOST_PULSES = 3
PULSES_S = 1.0
"""In any stretch of so many seconds there are at most so many pulses, of all lamps together."""
WATCH_S = 0.2
SETTLE_S = 0.4
"""Nothing may have moved for so long before the lamp is worth while."""
RESTLESS_S = 3.0
"""Where something moves without an end (a shadow, a lamp that flickers), the lamp is used so often nevertheless."""
CHECK_S = 30.0
"""So often a mat with cards is looked at with the lamp although nothing stirs, for the markers of its board."""


class Deed(Enum):
    """What is to be done with a camera."""

    WATCH = "watch"
    """One picture without the lamp."""
    PULSE = "pulse"
    """One with it and, right after, one without."""


@dataclass(slots=True)
class _Mat:
    watched: float = float("-inf")
    pulsed: float = float("-inf")
    stirred: float | None = None
    """When what lies there was last seen to change; None while all is as at the last pulse."""
    since: float | None = None
    """When it began to."""
    empty: bool | None = None
    """Nothing lies there; None: not known."""
    dead: bool = False
    """Nothing came from its camera when it was asked last."""


class CaptureSchedule:
    """One for the whole table.  Used by one thread."""

    def __init__(self, cameras: Iterable[str], watch_s: float = WATCH_S, settle_s: float = SETTLE_S) -> None:
        """`cameras`: those of mats with a lamp.  Where several mats hang on one lamp an empty one among them is lit with the
        others; that is a matter of the wiring, which nothing here can help."""
        self._mats = {camera: _Mat() for camera in cameras}
        self._watch_s, self._settle_s = watch_s, settle_s
        self._pulses: deque[float] = deque(maxlen=MOST_PULSES)

    @property
    def cameras(self) -> tuple[str, ...]:
        """All that it was made for."""
        return tuple(self._mats)

    def due(self, camera: str, time: float) -> Deed | None:
        """What to do with this camera now; None: nothing yet."""
        if self._may_pulse(time) and self._pulse_due(camera, time):
            waiting = [other for other in self._mats if self._pulse_due(other, time)]
            # Who has waited longest for it comes first; those that were never looked at before all others.
            if min(waiting, key=lambda other: self._mats[other].pulsed) == camera:
                return Deed.PULSE
        return Deed.WATCH if time - self._mats[camera].watched >= self._watch_s - 1e-9 else None

    def watching(self, camera: str, time: float) -> None:
        """A picture without the lamp is taken now."""
        self._mats[camera].watched = time

    def pulsing(self, camera: str, time: float) -> None:
        """The lamp is switched on now.  Say so before it is done: a pulse that fails has been seen all the same."""
        self._pulses.append(time)
        mat = self._mats[camera]
        mat.pulsed = mat.watched = time
        mat.stirred = mat.since = None

    def pulsed(self, camera: str, empty: bool | None) -> None:
        """Both pictures were read; `empty`: nothing lies there; None where the board was not even found."""
        mat = self._mats[camera]
        mat.empty, mat.dead = empty, False

    def watched(self, camera: str, time: float, stirred: bool, moving: bool = True, empty: bool | None = None) -> None:
        """A picture without the lamp was read.

        `stirred`: something is not as at the last pulse; `moving`: nor as a moment ago.  `empty`: the room's light shows that
        nothing lies there (False: that something does); None where it does not tell.
        """
        mat = self._mats[camera]
        if mat.dead:
            # It sends again; what lies there by now the lamp has to show.
            mat.dead, mat.pulsed = False, float("-inf")
        if not stirred:
            mat.stirred = mat.since = None
            return
        mat.since = time if mat.since is None else mat.since
        if moving or mat.stirred is None:
            mat.stirred = time
        mat.empty = empty

    def failed(self, camera: str, time: float) -> None:
        """No picture came: no lamp burns for this camera before one does."""
        mat = self._mats[camera]
        mat.watched, mat.dead, mat.empty = time, True, None

    def _may_pulse(self, time: float) -> bool:
        return len(self._pulses) < MOST_PULSES or time - self._pulses[0] >= PULSES_S + 1e-9

    def _pulse_due(self, camera: str, time: float) -> bool:
        mat = self._mats[camera]
        if mat.empty or mat.dead:
            return False
        if mat.pulsed == float("-inf"):
            return True
        if mat.stirred is not None and mat.since is not None:
            still = time - mat.stirred >= self._settle_s - 1e-9
            return still or time - max(mat.since, mat.pulsed) >= RESTLESS_S
        # A board that was not found is looked for a little more often.
        return time - mat.pulsed >= (RESTLESS_S if mat.empty is None else CHECK_S)


def tell(schedule: CaptureSchedule, observer: Observer, frame: Frame) -> None:
    """Let the schedule know what came of a frame that the observer has just read."""
    if frame.light is Light.PULSED:
        schedule.pulsed(frame.camera, None if observer.trouble is not None else observer.bare)
    elif frame.light is Light.ROOM:
        room = observer.room
        if room is None:
            # Before the first pulse nothing tells still from stirred; that pulse is due anyway.
            schedule.watched(frame.camera, frame.time, stirred=False)
            return
        empty = None if not room.bare else True
        schedule.watched(frame.camera, frame.time, not bool(room.same.all()), bool(room.moving.any()), empty)
