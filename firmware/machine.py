"""What the machine tells of itself: heat, power, memory, disk, clock.  What it does not tell is None, on any machine."""

from __future__ import annotations

import logging
import math
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from time import monotonic

from companion.health import LIVE_FLAGS, MachineFigures, Room, Throttling

LOG = logging.getLogger(__name__)
FRESH_S = 3.0
"""So long one reading is used for everybody who asks."""
COMMAND_S = 2.0
"""A command that takes longer says nothing."""
SINCE_BIT = 16
ZONES = ("cpu-thermal", "cpu_thermal", "soc-thermal", "soc_thermal", "x86_pkg_temp", "k10temp", "acpitz")
"""Thermal zones that are the processor's, the best first; others are those of batteries and radios."""
PLAUSIBLE_C = (-40.0, 150.0)
LARGEST_FILE = 65536

Run = Callable[[Sequence[str]], str | None]
"""Runs a command; its output, or None where it is not there, fails, or takes too long."""


def run_command(arguments: Sequence[str], patience_s: float = COMMAND_S) -> str | None:
    """Run a command without a shell, for at most so many seconds."""
    try:
        ended = subprocess.run(
            arguments, capture_output=True, timeout=patience_s, check=True, stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return ended.stdout.decode("utf-8", "replace")


class Machine:
    """Reads this machine, at most every `FRESH_S` seconds.  Safe from any thread."""

    def __init__(
        self, folder: Path, root: Path = Path("/"), run: Run = run_command, cores: int | None = None,
        clock: Callable[[], float] = monotonic, wall: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:  # fmt: skip
        """`folder` is where records are kept, there or not yet; `root` is where the system's own files begin."""
        self._folder, self._root, self._run, self._clock, self._wall = folder, root, run, clock, wall
        self._cores = cores or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._read: MachineFigures | None = None
        self._at = 0.0

    def read(self) -> tuple[MachineFigures, float]:
        """The figures, and how many seconds old they are."""
        with self._lock:
            now = self._clock()
            if self._read is None or now - self._at >= FRESH_S:
                self._read, self._at = self._fresh(), now
            return self._read, now - self._at

    def _fresh(self) -> MachineFigures:
        disk, read_only = self._disk()
        return MachineFigures(
            wall=self._wall(),
            board=self._text("proc/device-tree/model") or None,
            system=self._system(),
            heat_c=self._heat(),
            throttling=self._throttling(),
            memory=self._memory(),
            disk=disk,
            read_only=read_only,
            load=self._load(),
            uptime_s=_first_number(self._text("proc/uptime")),
            clock_set=self._clock_set(),
        )

    def _text(self, name: str) -> str:
        """What stands in a file of the system; nothing where it cannot be read.

        Sensors that are asleep, and radios that are off, answer with an error instead of a number.
        """
        try:
            with (self._root / name).open("rb") as file:
                return file.read(LARGEST_FILE).decode("utf-8", "replace").strip("\0 \n\t")
        except OSError:
            return ""

    def _system(self) -> str | None:
        for line in self._text("etc/os-release").splitlines():
            name, _, value = line.partition("=")
            if name == "PRETTY_NAME":
                return value.strip().strip("\"'") or None
        return None

    def _heat(self) -> float | None:
        found = dict(self._zones())
        return next((found[kind] for kind in ZONES if kind in found), None)

    def _zones(self) -> Iterator[tuple[str, float]]:
        for zone in sorted((self._root / "sys/class/thermal").glob("thermal_zone*"), reverse=True):
            place = zone.relative_to(self._root)
            thousandths = _first_number(self._text(f"{place}/temp"))
            if thousandths is not None and PLAUSIBLE_C[0] < thousandths / 1000 < PLAUSIBLE_C[1]:
                yield self._text(f"{place}/type"), thousandths / 1000

    def _throttling(self) -> Throttling | None:
        """From the firmware of a Raspberry Pi.  Not from the kernel's own file of it: reading that forgets what was before."""
        told = self._run(("vcgencmd", "get_throttled"))
        return None if told is None else throttling_of(told)

    def _memory(self) -> Room | None:
        sizes = {}
        for line in self._text("proc/meminfo").splitlines():
            name, _, size = line.partition(":")
            number = _first_number(size)
            if number is not None:
                sizes[name] = int(number) * 1024
        if "MemTotal" not in sizes or not {"MemAvailable", "MemFree"} & sizes.keys():
            return None
        # Free memory alone would alarm people: most of what is not free is a cache that is given up when it is needed.
        rough = sizes.get("MemFree", 0) + sizes.get("Buffers", 0) + sizes.get("Cached", 0)
        return Room(sizes.get("MemAvailable", rough), sizes["MemTotal"])

    def _disk(self) -> tuple[Room | None, bool | None]:
        place = next((folder for folder in (self._folder, *self._folder.parents) if folder.exists()), None)
        try:
            told = os.statvfs(place or "/")
        except OSError:
            return None, None
        return Room(told.f_bavail * told.f_frsize, told.f_blocks * told.f_frsize), bool(told.f_flag & os.ST_RDONLY)

    def _load(self) -> float | None:
        load = _first_number(self._text("proc/loadavg"))
        return None if load is None else load / self._cores

    def _clock_set(self) -> bool | None:
        told = (self._run(("timedatectl", "show", "--property=NTPSynchronized", "--value")) or "").strip()
        # An older one does not know `--value`.
        answer = {"yes": True, "no": False}.get(told.rpartition("=")[2])
        if answer is None and (self._root / "run/systemd/timesync/synchronized").exists():
            return True
        return answer


def throttling_of(told: str) -> Throttling | None:
    """What `vcgencmd get_throttled` says, such as ``throttled=0x50005``; None where it says something else."""
    name, _, number = told.strip().partition("=")
    try:
        bits = int(number, 16)
    except ValueError:
        return None
    if name != "throttled" or bits < 0:
        return None
    now = tuple(flag for bit, flag in enumerate(LIVE_FLAGS) if bits >> bit & 1)
    since = tuple(flag for bit, flag in enumerate(LIVE_FLAGS) if bits >> bit & 1 or bits >> (SINCE_BIT + bit) & 1)
    return Throttling(now, since)


def _first_number(text: str) -> float | None:
    try:
        number = float(text.split()[0])
    except (IndexError, ValueError):
        return None
    return number if math.isfinite(number) else None


def switch_off(run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run) -> bool:
    """Have the system switch the machine off; whether it began to.  Programs are told to end before, so records are closed."""
    try:
        ended = run(("systemctl", "poweroff"), capture_output=True, text=True, timeout=20, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        LOG.error("the machine could not be switched off: %s", error)
        return False
    if ended.returncode:
        LOG.error("the machine could not be switched off: %s", ended.stderr.strip() or f"exit status {ended.returncode}")
    return ended.returncode == 0
