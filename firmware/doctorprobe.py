"""Finds out what `viewmat doctor` tells of this machine.  Everything that it asks can be another machine's, for tests."""

from __future__ import annotations

import grp
import json
import os
import platform
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

from firmware.calibrations import calibrations_folder, load_stored
from firmware.camera_uvc import found_cameras
from firmware.doctor import Found, Wanted
from firmware.gpio import chips, pin_faults
from firmware.machine import Machine, Run, run_command
from firmware.settings import Settings
from vision.errors import CalibrationError, ModelError
from vision.onnx_classifier import checked_model

SLOW_S = 60.0
"""So long may a Zero 2 W take to load picamera2, or the model."""
CHECKSUM = 12
BROKER_S = 3.0
SPIDEV = "dev/spidev0.0"
BY_PATH = "dev/v4l/by-path"

# In programs of their own: a library that was built for another processor, or a camera that hangs, must not end this one.
LIST_CAMERAS = """\
import json
from picamera2 import Picamera2
print(json.dumps([[camera["Model"], camera["Id"]] for camera in Picamera2.global_camera_info()]))
"""
READ_WINDOWS = """\
from time import perf_counter
import numpy as np
from vision.onnx_classifier import OnnxClassifier
reader, windows = OnnxClassifier.load(), np.zeros((5, 96, 48, 3), np.uint8)
reader.classify(windows)
start = perf_counter()
reader.classify(windows)
print(1000 * (perf_counter() - start))
"""

Modules = Callable[[str], ModuleType]


def stored_marks() -> dict[str, float | None]:
    """How far the marks of each camera were off when it was calibrated; None where its file is none."""
    found: dict[str, float | None] = {}
    for path in sorted(calibrations_folder().glob("*.json")):
        if "." in path.stem:
            continue  # One that was kept aside.
        try:
            stored = load_stored(path.stem)
        except CalibrationError:
            found[path.stem] = None
            continue
        if stored is not None:
            found[path.stem] = stored.calibration.error_mm
    return found


def patient(arguments: Sequence[str]) -> str | None:
    """Run a command that may take its time."""
    return run_command(arguments, SLOW_S)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The machine and its libraries, or what stands in for them."""

    root: Path = Path("/")
    run: Run = patient
    module: Modules = import_module
    user_groups: Callable[[], tuple[frozenset[str], frozenset[str], bool]] = lambda: own_groups()
    """Groups of the user, groups of the system, and whether he is root."""
    bind: Callable[[str, int], None] = lambda host, port: bind(host, port)
    """Takes a port for a moment; raises `OSError`."""
    reach: Callable[[str, int], None] = lambda host, port: reach(host, port)
    """Opens a connection for a moment; raises `OSError`."""
    marks: Callable[[], Mapping[str, float | None]] = stored_marks
    python: tuple[int, ...] = tuple(sys.version_info[:3])
    bits: int = 64 if sys.maxsize > 2**32 else 32
    processor: str = platform.machine()


def find(
    machine: Machine, settings: Settings, problems: Sequence[str] | None, broker: tuple[str, int] | None, at: Surroundings
) -> Found:
    """Look at everything; `problems` are those of the settings file, None where there is none.

    `broker` is asked instead of that of the settings.
    """
    chips_found, chip_trouble = _chips(at)
    # One that was named outright comes before the table's own.
    asked = broker if broker is not None else None if settings.bus is None else (settings.broker.host, settings.broker.port)
    groups, known, root = at.user_groups()
    model, model_trouble = _model()
    return Found(
        machine.read()[0], _codename(at.root), at.processor, at.bits, at.python, _revision(at.root), _modules(at),
        tuple(found_cameras(at.root / BY_PATH)), chips_found, chip_trouble,
        (at.root / SPIDEV).exists(), _has(at, "spidev"), groups, known, root,
        None if problems is None else tuple(problems), model, model_trouble, _read_ms(at), at.marks(),
        tuple((port, _trouble(partial(at.bind, settings.page.host, port))) for port in _ports(settings)),
        None if asked is None else _trouble(partial(at.reach, *asked)),
    )  # fmt: skip


def wanted_by(settings: Settings) -> Wanted:
    """What a table with these settings needs; raises `PinError` for a pin map that cannot be."""
    pins = settings.gpio.pin_map()
    cameras = settings.rig != "taps" or settings.tray != "none" or any(seat.source == "mat" for seat in settings.seat)
    return Wanted(pins, cameras, pins is not None and pins.pixels)


def _ports(settings: Settings) -> tuple[int, ...]:
    return tuple(port for port in (settings.page.port, settings.page.https_port) if port)


def _trouble(ask: Callable[[], None]) -> str:
    try:
        ask()
    except OSError as error:
        return error.strerror or str(error) or type(error).__name__
    return ""


def _codename(root: Path) -> str:
    for line in _text(root / "etc/os-release").splitlines():
        name, _, value = line.partition("=")
        if name == "VERSION_CODENAME":
            return value.strip().strip("\"'")
    return ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _revision(root: Path) -> int | None:
    """Four bytes of the device tree, the highest first."""
    try:
        data = (root / "proc/device-tree/system/linux,revision").read_bytes()
    except OSError:
        return None
    return int.from_bytes(data, "big") if len(data) == 4 else None


def _modules(at: Surroundings) -> tuple[tuple[str, str], ...] | None:
    told = at.run((sys.executable, "-c", LIST_CAMERAS))
    try:
        return tuple((str(model), str(id_)) for model, id_ in json.loads((told or "").strip().rpartition("\n")[2]))
    except (ValueError, TypeError):
        return None


def _chips(at: Surroundings) -> tuple[tuple[tuple[int, str], ...] | None, str]:
    try:
        lgpio = at.module("lgpio")
    except ImportError:
        return None, ""
    try:
        return chips(lgpio, at.root / "dev"), ""
    except (*pin_faults(), lgpio.error) as error:
        return None, str(error)


def _has(at: Surroundings, name: str) -> bool:
    try:
        at.module(name)
    except ImportError:
        return False
    return True


def _model() -> tuple[str, str]:
    try:
        facts, _ = checked_model()
    except ModelError as error:
        return "", str(error)
    return f"{facts.file} {facts.sha256[:CHECKSUM]}", ""


def _read_ms(at: Surroundings) -> float | None:
    told = at.run((sys.executable, "-c", READ_WINDOWS))
    try:
        return float((told or "").strip().rpartition("\n")[2])
    except ValueError:
        return None


def own_groups() -> tuple[frozenset[str], frozenset[str], bool]:
    """The groups of this process, all that there are, and whether it is root's."""
    every = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    own = {*os.getgroups(), os.getegid()}
    return frozenset(every[number] for number in own if number in every), frozenset(every.values()), os.geteuid() == 0


def bind(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    socket.create_server((host, port), family=family).close()


def reach(host: str, port: int) -> None:
    socket.create_connection((host, port), BROKER_S).close()
