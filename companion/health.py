"""How well machine and cameras do: figures, and what is to be thought of them.  No figure tells of a hidden card.

The figures come from whoever can measure them; any of them may be unknown on another machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from companion.limits import Rig

BLUR_PX, MARKER_MM, MARKERS_MISSING = (1.4, 1.9), (0.3, 0.5), (1, 3)
"""From the first value on a camera is weak, from the second on it is bad.  `viewmat check` has the same limits."""
HOT_C = (75.0, 82.0)
"""A Raspberry Pi slows itself down from 80 degrees on, and harder from 85."""
MEMORY_LEFT, DISK_LEFT = (0.10, 0.04), (0.10, 0.02)
"""Shares that are left."""
DISK_BYTES = (10**9, 2 * 10**8)
"""Of a disk that has at least as many left, its share does not matter."""
BUSY = (1.5, 3.0)
"""Work that waits, for each core of the processor, on the average of the last minute."""
SLOW_HZ = 1.0
LATE_S, MISSED = 1.5, 3.5
"""A camera is late after so many seconds, or as many of its usual pauses: the same as makes it silent for the referee."""
OLDEST_YEAR = 2026
"""A clock that shows an earlier year has never been set: this program did not exist then."""
FEWEST_CARDS = 20
"""From so many cards on that came to rest, their share that could not be read says something."""
UNREAD_STEPS = (0.0, 0.02, 0.05, 0.15)
"""Upper ends of the coarse steps in which that share is told (docs/decisions/0022)."""
LIVE_FLAGS = ("undervoltage", "capped", "throttled", "soft_limit")
"""What the firmware of a Raspberry Pi tells of its power and heat, from bit 0 on; the same since the start from bit 16 on."""


class Grade(IntEnum):
    """How a figure is to be taken; the higher, the worse."""

    PLAIN = 0
    """A fact that is neither well nor ill."""
    OK = 1
    UNKNOWN = 2
    """Not known on this machine, or not yet: nothing to worry about."""
    WARN = 3
    BAD = 4


@dataclass(frozen=True, slots=True)
class Room:
    """How much there is of something, and how much of it is left; bytes."""

    free: int
    total: int


@dataclass(frozen=True, slots=True)
class Throttling:
    """What slowed the processor down, by the names in `LIVE_FLAGS`."""

    now: tuple[str, ...]
    since: tuple[str, ...]
    """Since the machine was switched on, now included."""


@dataclass(frozen=True, slots=True)
class MachineFigures:
    """The machine that the program runs on; None is what is not known there."""

    wall: datetime
    """What its clock shows, with its zone."""
    board: str | None = None
    system: str | None = None
    """The operating system."""
    heat_c: float | None = None
    throttling: Throttling | None = None
    memory: Room | None = None
    disk: Room | None = None
    """Where records are kept."""
    read_only: bool | None = None
    """Nothing can be written there."""
    load: float | None = None
    """Average of the last minute, for each core."""
    uptime_s: float | None = None
    clock_set: bool | None = None
    """Another clock in the network has set it."""


@dataclass(frozen=True, slots=True)
class ProgramFigures:
    """What runs."""

    version: str
    python: str
    reader: str | None = None
    """The model that reads cards: its file and the beginning of its checksum."""


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """One camera."""

    name: str
    seat: int | None
    """Whose mat it looks at; None: the tray."""
    rate_hz: float | None = None
    """Frames a second, lately; None before the second one."""
    age_s: float | None = None
    """Seconds since its last frame was taken; None before the first one."""
    blur_px: float | None = None
    """Width of its markers' edges.  Markers are printed on the board, so no card bears on it."""
    marker_mm: float | None = None
    """How far the markers miss where the board's plan has them."""
    markers_missing: int = 0
    unread: str | None = None
    """The coarse step of the share of cards that could not be read, see `unread_step`; None while too few came to rest."""
    trouble: str | None = None
    """A value of `TroubleKind`."""
    period_s: float = 0.0
    """Seconds between two of its looks, as it is set up; 0 where that is not known."""
    drift_mm: float | None = None
    """How far its markers have moved since it was set up; None for a camera that never was."""
    drift: str = ""
    """Why it has to be set up anew: ``moved``, ``size``, ``mirrored`` or ``damaged``; empty where all is well."""
    device: str = ""
    """Why the device sends nothing: ``starting``, ``stalled``, ``gone``, ``refused`` or ``failed``; empty while it sends."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything at one moment."""

    machine: MachineFigures
    program: ProgramFigures
    cameras: tuple[CameraFigures, ...] = ()
    playing: bool = False
    """A game is on, so cameras should send pictures."""
    age_s: float = 0.0
    """How old the machine's figures are."""
    messages: tuple[str, ...] = ()
    """The last lines of the log."""
    rig: Rig | None = None
    """What the cameras are; None at a table without any."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure and its grade.  `problem` names the advice where it is not well."""

    kind: str
    grade: Grade
    value: float | str | Room | Throttling | tuple[str, ...] | datetime | None = None
    problem: str = ""


def unread_step(unread: int, cards: int) -> str | None:
    """The step of a share: ``none``, ``up_to_2``, ``up_to_5``, ``up_to_15`` or ``more``, in percent; None for too few cards."""
    if cards < FEWEST_CARDS:
        return None
    share = unread / cards
    names = ("none", *(f"up_to_{limit * 100:.0f}" for limit in UNREAD_STEPS[1:]), "more")
    return names[sum(share > limit for limit in UNREAD_STEPS)]


def worst(facts: Iterable[Fact]) -> Grade:
    """The worst grade; OK where there is nothing."""
    return max((fact.grade for fact in facts), default=Grade.OK)


# ---- the machine -----------------------------------------------------------------------------------------------------


def judge_machine(machine: MachineFigures) -> tuple[Fact, ...]:
    """The facts of a machine, in the order in which they are shown."""
    return tuple(_machine(machine))


def _machine(machine: MachineFigures) -> Iterator[Fact]:
    yield _rising("heat", machine.heat_c, HOT_C, "hot")
    yield from _throttling(machine.throttling)
    yield _memory(machine.memory)
    yield _disk(machine)
    yield _rising("load", machine.load, BUSY, "busy")
    yield _clock(machine)
    yield _told("uptime", machine.uptime_s)
    yield _told("board", machine.board)
    yield _told("system", machine.system)


def _throttling(throttling: Throttling | None) -> Iterator[Fact]:
    if throttling is None:
        yield Fact("throttled_now", Grade.UNKNOWN)
        yield Fact("throttled_since", Grade.UNKNOWN)
        return
    yield Fact("throttled_now", Grade.BAD if throttling.now else Grade.OK, throttling.now, _why(throttling.now))
    # What is so now has its advice already.
    before = tuple(flag for flag in throttling.since if flag not in throttling.now)
    grade = Grade.WARN if throttling.since else Grade.OK
    yield Fact("throttled_since", grade, throttling.since, _why(before))


def _why(flags: tuple[str, ...]) -> str:
    if not flags:
        return ""
    return "undervoltage" if "undervoltage" in flags else "slowed"


def _memory(memory: Room | None) -> Fact:
    if memory is None or not memory.total:
        return Fact("memory", Grade.UNKNOWN)
    grade = _falling(memory.free / memory.total, MEMORY_LEFT)
    return Fact("memory", grade, memory, "memory" if grade > Grade.UNKNOWN else "")


def _disk(machine: MachineFigures) -> Fact:
    disk = machine.disk
    if machine.read_only:
        return Fact("disk", Grade.BAD, disk, "read_only")
    if disk is None or not disk.total:
        return Fact("disk", Grade.UNKNOWN)
    share, left = _falling(disk.free / disk.total, DISK_LEFT), _falling(disk.free, DISK_BYTES)
    grade = min(share, left)
    return Fact("disk", grade, disk, "disk" if grade > Grade.UNKNOWN else "")


def _clock(machine: MachineFigures) -> Fact:
    if machine.wall.year < OLDEST_YEAR:
        return Fact("clock", Grade.BAD, machine.wall, "clock_lost")
    if machine.clock_set is None:
        return Fact("clock", Grade.UNKNOWN, machine.wall)
    return Fact("clock", Grade.OK if machine.clock_set else Grade.WARN, machine.wall, "" if machine.clock_set else "clock_alone")


# ---- cameras -----------------------------------------------------------------------------------------------------------


def judge_camera(camera: CameraFigures, playing: bool) -> tuple[Fact, ...]:
    """The facts of a camera.  One that sends nothing while no game is on only rests."""
    return tuple(_camera(camera, playing))


def _camera(camera: CameraFigures, playing: bool) -> Iterator[Fact]:
    if camera.device:
        grade = Grade.UNKNOWN if camera.device == "starting" else Grade.BAD
        yield Fact("device", grade, camera.device, f"device_{camera.device}" if grade > Grade.UNKNOWN else "")
    yield _age(camera, playing)
    slow = camera.rate_hz is not None and camera.rate_hz < SLOW_HZ and camera.period_s < LATE_S
    grade = Grade.UNKNOWN if camera.rate_hz is None else Grade.WARN if slow else Grade.OK
    yield Fact("rate", grade, camera.rate_hz, "slow" if slow else "")
    yield _rising("sharpness", camera.blur_px, BLUR_PX, "blurred")
    yield _rising("markers", camera.marker_mm, MARKER_MM, "markers")
    if camera.markers_missing:
        yield _rising("missing", float(camera.markers_missing), MARKERS_MISSING, "missing")
    if camera.drift or camera.drift_mm is not None:
        grade = Grade.BAD if camera.drift else Grade.OK
        yield Fact("drift", grade, camera.drift_mm, f"drift_{camera.drift}" if camera.drift else "")
    yield _unread(camera.unread)


def _age(camera: CameraFigures, playing: bool) -> Fact:
    age = camera.age_s
    pause = 1 / camera.rate_hz if camera.rate_hz else 0.0
    # Where cameras are opened in turns they give some pictures at once, and then none for a while.
    seldom = 2 * camera.period_s + LATE_S if camera.period_s >= LATE_S else 0.0
    late = age is not None and age >= max(LATE_S, MISSED * pause, seldom)
    if not playing and (age is None or late):
        return Fact("age", Grade.OK, age, "resting")
    if age is None:
        return Fact("age", Grade.UNKNOWN)
    if late:
        return Fact("age", Grade.BAD, age, "silent")
    return Fact("age", Grade.BAD if camera.trouble else Grade.OK, age, camera.trouble or "")


def _unread(step: str | None) -> Fact:
    if step is None:
        return Fact("unread", Grade.UNKNOWN)
    grade = {"none": Grade.OK, "up_to_2": Grade.OK, "more": Grade.BAD}.get(step, Grade.WARN)
    return Fact("unread", grade, step, "unread" if grade > Grade.UNKNOWN else "")


# ---- the program -------------------------------------------------------------------------------------------------------


def judge_program(program: ProgramFigures) -> tuple[Fact, ...]:
    """What runs; nothing of it is well or ill."""
    return (_told("version", program.version), _told("reader", program.reader), _told("python", program.python))


# ---- grades ------------------------------------------------------------------------------------------------------------


def _told(kind: str, value: float | str | None) -> Fact:
    return Fact(kind, Grade.UNKNOWN if value is None else Grade.PLAIN, value)


def _rising(kind: str, value: float | None, limits: tuple[float, float], problem: str) -> Fact:
    """Of something of which less is better."""
    if value is None:
        return Fact(kind, Grade.UNKNOWN)
    grade = Grade.BAD if value >= limits[1] else Grade.WARN if value >= limits[0] else Grade.OK
    return Fact(kind, grade, value, problem if grade > Grade.UNKNOWN else "")


def _falling(value: float, limits: tuple[float, float]) -> Grade:
    """Of something of which more is better."""
    return Grade.BAD if value < limits[1] else Grade.WARN if value < limits[0] else Grade.OK
