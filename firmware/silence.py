"""What every camera of a table is in trouble with: what its observer finds in frames, and the frames that do not come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.observation import Trouble, TroubleKind
from companion.table import Area
from firmware.rig import Station, looks_down
from vision.layout import MARKERS_PER_BOARD, Layout
from vision.observe import Observer

SILENT_S = 1.5
"""A camera that sends nothing for so long is silent; that has to be said within two seconds."""
MISSED = 3.5
"""A slow camera may let as many of its usual pauses go by: one lost frame, even two, is no fault."""
ROUNDS = 2
"""Where cameras are opened in turns one round may be missed; pauses within a burst of pictures say nothing of that."""
SWAY = 0.2
"""How quickly the usual pause follows the last ones."""
OF_THE_CAMERA = (TroubleKind.SILENT, TroubleKind.FROZEN, TroubleKind.DARK, TroubleKind.BRIGHT)
"""What is wrong with a camera itself; all else is said of a board, and whoever leans over a mat hides it from above."""


class _Pulse:
    """When one camera was last heard of, and how often it is."""

    def __init__(self, time: float) -> None:
        self.last = time
        self._pause = 0.0

    def beat(self, time: float) -> None:
        # The first pauses say little; and a long silence is no habit.
        pause = min(time - self.last, MISSED * self._pause) if self._pause else time - self.last
        self._pause = pause if not self._pause else (1 - SWAY) * self._pause + SWAY * pause
        self.last = max(self.last, time)

    def silent(self, time: float, period: float) -> bool:
        return time - self.last >= max(SILENT_S, MISSED * self._pause, ROUNDS * period + SILENT_S if period >= SILENT_S else 0.0)


class CameraWatch:
    """Hears of every frame, and by the clock of those that are missing."""

    def __init__(self, cameras: Sequence[Station], observers: Mapping[str, Observer], period: float = 0.0) -> None:
        """`period`: how many seconds lie between two looks of one camera, where that is known."""
        self._period = period
        self._seats = {station.camera: _seat_of(station) for station in cameras}
        self._from_above = frozenset(station.camera for station in cameras if looks_down(station))
        self._boards = {_board_of(station.layout): _seat_of(station) for station in cameras}
        self._observers = observers
        self._pulses: dict[str, _Pulse] = {}

    def hear(self, camera: str, time: float) -> None:
        """A frame was taken at `time`, seconds of the table's clock."""
        self._pulse(camera, time).beat(time)

    def troubles(self, time: float) -> tuple[Trouble, ...]:
        """Every camera that does not see at `time`."""
        found = (self._trouble(camera, time) for camera in self._seats)
        return tuple(trouble for trouble in found if trouble is not None)

    def _trouble(self, camera: str, time: float) -> Trouble | None:
        seat, pulse, observer = self._seats[camera], self._pulse(camera, time), self._observers[camera]
        if pulse.silent(time, self._period):
            return Trouble(TroubleKind.SILENT, seat, pulse.last)
        if observer.trouble_kind is None or (camera in self._from_above and observer.trouble_kind not in OF_THE_CAMERA):
            return None
        other = None if observer.other_board is None else self._boards.get(observer.other_board)
        return Trouble(observer.trouble_kind, seat, observer.trouble_since, other)

    def _pulse(self, camera: str, time: float) -> _Pulse:
        # A camera that never sends anything is silent from the first moment on.
        return self._pulses.setdefault(camera, _Pulse(time))


def _board_of(layout: Layout) -> int:
    return layout.markers[0].id // MARKERS_PER_BOARD


def _seat_of(station: Station) -> int | None:
    """The seat whose mat a camera looks at; None for the tray."""
    return station.places[0].seat if station.places[0].area is Area.SLOT else None
