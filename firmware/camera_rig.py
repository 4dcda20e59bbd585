"""The rig with real cameras: a thread for each of them, and the newest frames for the thread of the table."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from time import monotonic
from typing import cast

from firmware.camera import CameraPlan, find_back_end
from firmware.camera_process import CameraProcess
from firmware.capture import CaptureSchedule, Deed, tell
from vision.frame import Frame, FrameSource, Light
from vision.observe import Observer

LOG = logging.getLogger(__name__)
PENDING = 6
"""So many frames of one camera may wait for the table; older ones are worth nothing by then."""
ASKED_S = 2.0
"""So long a thread waits in one question to its camera."""
DUE_S = 0.02
"""So often a camera's thread asks what the schedule wants."""
KEPT_BACK_S = 0.2
"""After a question without an answer."""
Lamp = Callable[[bool], None]
"""Switches the lamps of the mats."""
OpenSource = Callable[[CameraPlan, "Turn"], FrameSource]


class Turn:
    """Whose turn it is among cameras that must not be open at the same time; the one that waits longest comes first."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._waiting: deque[object] = deque()
        self._closed = False

    def acquire(self, timeout: float) -> bool:
        """Wait for one's turn; False when it did not come within `timeout` seconds."""
        ticket = object()
        with self._lock:
            self._waiting.append(ticket)
            if self._lock.wait_for(lambda: self._closed or self._waiting[0] is ticket, timeout):
                return not self._closed
            self._waiting.remove(ticket)
            self._lock.notify_all()
            return False

    def release(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft()
            self._lock.notify_all()

    def close(self) -> None:
        """Nobody waits any longer."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """Why a camera sends nothing."""

    kind: str
    """``starting``, or the kind of a `CameraError`."""
    said: str


def open_source(plan: CameraPlan, turn: Turn) -> FrameSource:
    """The frames of one camera: from a process of its own, or, where its kind says so, from here."""
    back_end = find_back_end(plan.kind)
    if back_end.own_process:
        return CameraProcess(plan, turn=turn if plan.turns else None)
    return cast(FrameSource, getattr(import_module(back_end.module), back_end.function)(plan))


class CameraRig:
    """Every camera of a table, from `start` to `close`.  Safe from any thread."""

    def __init__(
        self, plans: Iterable[CameraPlan], open_one: OpenSource = open_source, clock: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        self.plans = tuple(plans)
        self._schedule = CaptureSchedule(plan.name for plan in self.plans if plan.pulsed)
        self._lamp: Lamp | None = None
        self._burning = threading.Lock()
        self._burns = 0
        """How often the lamp was switched on."""
        self._clock = clock
        self._turn = Turn()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._pending: dict[str, deque[Frame]] = {plan.name: deque(maxlen=PENDING) for plan in self.plans}
        self._newest: dict[str, Frame] = {}
        self._sources = [open_one(plan, self._turn) for plan in self.plans]
        self._threads = [
            threading.Thread(target=self._watch, args=(plan, source), name=f"camera {plan.name}")
            for plan, source in zip(self.plans, self._sources, strict=True)
        ]

    @property
    def pulsed(self) -> bool:
        """Whether there is a mat whose lamp is switched."""
        return any(plan.pulsed for plan in self.plans)

    def start(self, lamp: Lamp | None = None) -> None:
        """Begin to look; `lamp` switches the light under the cards, which is off until then."""
        self._lamp = lamp
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Look no more, and let go of every camera."""
        self._stop.set()
        self._turn.close()
        for source in self._sources:
            source.close()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def take(self, now: float) -> list[Frame]:
        """The frames since the last time, in the order in which they were taken, timed by the clock that shows `now`."""
        with self._lock:
            frames = [frame for pending in self._pending.values() for frame in pending]
            for pending in self._pending.values():
                pending.clear()
        ahead = now - self._clock()
        # No frame comes from the future, however clocks were mapped.
        mapped = [replace(frame, time=min(frame.time + ahead, now)) for frame in frames]
        return sorted(mapped, key=lambda frame: (frame.time, frame.camera, frame.number))

    def tell(self, observer: Observer, frame: Frame) -> None:
        """The table has read a frame: what it shows says when the lamp is needed next."""
        if frame.light is not Light.STEADY:
            with self._lock:
                tell(self._schedule, observer, frame)

    def newest(self, camera: str) -> Frame | None:
        """The last frame of a camera; None before its first one."""
        with self._lock:
            return self._newest.get(camera)

    def faults(self) -> Mapping[str, DeviceFault]:
        """The cameras that send nothing, by name."""
        found = {}
        for source in self._sources:
            said = source.fault
            if said is not None:
                found[source.name] = DeviceFault(getattr(source, "fault_kind", None) or "failed", said)
        return found

    def _watch(self, plan: CameraPlan, source: FrameSource) -> None:
        while not self._stop.is_set():
            began, got = self._clock(), 0
            try:
                got = self._switch(plan, source) if plan.pulsed else self._look(source)
            except Exception as error:
                # The outermost loop of a camera: whatever it is, the other cameras and the game go on.
                LOG.error("%s: its thread failed with %s; it goes on", plan.name, type(error).__name__)
            usual = DUE_S if plan.pulsed else plan.period - (self._clock() - began)
            self._stop.wait(max(0.0, usual if got else KEPT_BACK_S))

    def _look(self, source: FrameSource) -> int:
        if isinstance(source, CameraProcess):
            frames = source.look(ASKED_S)
        else:
            frame = source.next(ASKED_S)
            frames = () if frame is None else (frame,)
        self._deliver(*frames)
        return len(frames)

    def _switch(self, plan: CameraPlan, source: FrameSource) -> int:
        """What the schedule wants of this camera now."""
        with self._lock:
            deed = self._schedule.due(plan.name, self._clock())
            if deed is Deed.PULSE:
                self._schedule.pulsing(plan.name, self._clock())
            elif deed is Deed.WATCH:
                self._schedule.watching(plan.name, self._clock())
        if deed is None:
            return 1
        before = self._burns
        frame = self._pulse(source) if deed is Deed.PULSE else source.next(ASKED_S)
        if frame is None:
            with self._lock:
                self._schedule.failed(plan.name, self._clock())
            return 0
        if deed is Deed.PULSE:
            self._deliver(frame)
        elif not self._burning.locked() and self._burns == before:
            # Where one lamp lights several mats, a pulse for another one would look like a change here.
            self._deliver(replace(frame, light=Light.ROOM))
        return 1

    def _pulse(self, source: FrameSource) -> Frame | None:
        """One picture with the lamp and, right after, one without."""
        with self._burning:
            try:
                self._burn(True)
                lit = source.next(ASKED_S)
            finally:
                self._burn(False)
            dark = None if lit is None else source.next(ASKED_S)
        if lit is None or dark is None or dark.image.shape != lit.image.shape:
            return None
        return replace(lit, light=Light.PULSED, dark=dark.image)

    def _burn(self, on: bool) -> None:
        self._burns += on
        if self._lamp is not None:
            self._lamp(on)

    def _deliver(self, *frames: Frame) -> None:
        with self._lock:
            for frame in frames:
                self._pending[frame.camera].append(frame)
                if frame.light is not Light.ROOM:
                    self._newest[frame.camera] = frame
