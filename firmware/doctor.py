"""What `viewmat doctor` thinks of a machine: one line for each thing, ok, warn or bad, and what to do.

It judges what was found (`Found`) and measures nothing itself, so every machine can be told of in a test.  What a table does not
need is no fault where it is missing: what only a Raspberry Pi has is bad on other machines where the settings want it, and well
where they do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.health import MARKER_MM, Fact, Grade, MachineFigures, judge_machine
from companion.words.health import advice_words, fact_label, value_words
from firmware.errors import PinError
from firmware.gpio import HEADER_LABEL, check_header, header_of
from firmware.pins import PinMap

OK, WARN, BAD = "ok", "warn", "bad"
MADE_FOR = ("Raspberry Pi 5", "Raspberry Pi 4", "Raspberry Pi Zero 2")
SYSTEM = "trixie"
PYTHON = (3, 11)


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at."""

    name: str
    grade: str
    """`OK`, `WARN` or `BAD`."""
    found: str
    todo: str = ""
    """What to do about it; nothing where it is well."""
    public: str = ""
    """Of what was found, that which may stand in a report: no name, address or serial number of anybody."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the settings want of the machine."""

    pins: PinMap | None = None
    cameras: bool = False
    spidev: bool = False
    """Pixels need it beside the bus itself."""

    @property
    def spi(self) -> bool:
        return self.pins is not None and (self.pins.chain or self.pins.pixels)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found; None is what could not be told."""

    figures: MachineFigures
    codename: str = ""
    """Of the operating system."""
    machine: str = ""
    """Of the processor, such as ``aarch64``."""
    bits: int = 64
    """Of this Python."""
    python: tuple[int, ...] = PYTHON
    revision: int | None = None
    """Code of the board; Raspberry Pis have one."""
    modules: tuple[tuple[str, str], ...] | None = None
    """Camera modules on ribbons: model and libcamera's Id; None without picamera2."""
    usb_cameras: tuple[str, ...] = ()
    """Paths of cameras on USB."""
    chips: tuple[tuple[int, str], ...] | None = None
    """gpiochips with their labels; None without lgpio."""
    chip_trouble: str = ""
    spi: bool = False
    spidev: bool = False
    groups: frozenset[str] = frozenset()
    """Those that the user is in; `known_groups` are those of the system."""
    known_groups: frozenset[str] = frozenset()
    root: bool = False
    settings: tuple[str, ...] | None = ()
    """What is wrong with the settings file; None where there is none."""
    model: str = ""
    model_trouble: str = ""
    read_ms: float | None = None
    """How long the model took to read five windows; None where it does not run."""
    marks: Mapping[str, float | None] = field(default_factory=dict)
    """Of each camera that was calibrated, how far its marks were off, in millimetres; None where its file is damaged."""
    ports: tuple[tuple[int, str], ...] = ()
    """Ports of the page, and why each cannot be had; nothing where it can."""
    broker: str | None = None
    """Why the broker cannot be reached, nothing where it can; None where the table has none."""

    @property
    def board(self) -> str:
        return self.figures.board or ""

    @property
    def pi(self) -> bool:
        return "Raspberry Pi" in self.board


def examine(found: Found, wanted: Wanted) -> tuple[Line, ...]:
    """Every line, in the order in which they are shown."""
    return (
        _board(found, wanted), _system(found), _bits(found), _python(found), *_figures(found), _cameras(found, wanted),
        _chip(found, wanted), *_pins(found, wanted), *_spi(found, wanted), _groups(found, wanted), _model(found),
        *_marks(found), *_ports(found), *_broker(found), _settings(found),
    )  # fmt: skip


def _board(found: Found, wanted: Wanted) -> Line:
    if not found.pi:
        needed = wanted.pins is not None
        todo = "The settings want lamps and buttons, which need one: set pins = \"none\" in [gpio]." if needed else ""
        public = found.board or "no Raspberry Pi"
        said = f"no Raspberry Pi ({found.board or found.machine or 'not known'})"
        return Line("board", BAD if needed else OK, said, todo, public)
    if found.board.startswith(MADE_FOR):
        return Line("board", OK, found.board, public=found.board)
    known = ", ".join(MADE_FOR)
    return Line("board", WARN, found.board, f"This is made for {known}; tell us how it does.", found.board)


def _system(found: Found) -> Line:
    name = found.figures.system or "not known here"
    if not found.pi or found.codename == SYSTEM:
        return Line("system", OK, name, public=name)
    if found.codename == "bookworm":
        todo = "It may work; this is made for Trixie. Never let pip install numpy or OpenCV over apt's (docs/decisions/0007)."
        return Line("system", WARN, name, todo, name)
    return Line("system", WARN, name, "Take Raspberry Pi OS (64-bit) of Debian 13, Trixie.", name)


def _bits(found: Found) -> Line:
    said = f"{found.bits}-bit Python on {found.machine or 'a processor that is not known'}"
    if found.bits >= 64:
        return Line("64-bit", OK, said, public=said)
    todo = "Install the 64-bit system: the reader of cards (onnxruntime) is not to be had for 32 bits."
    return Line("64-bit", BAD, said, todo, said)


def _python(found: Found) -> Line:
    said = ".".join(map(str, found.python))
    if found.python[:2] >= PYTHON:
        return Line("python", OK, said, public=said)
    return Line("python", BAD, said, f"Python {'.'.join(map(str, PYTHON))} or newer is needed.", said)


GRADES: Mapping[Grade, str] = {Grade.PLAIN: OK, Grade.OK: OK, Grade.UNKNOWN: OK, Grade.WARN: WARN, Grade.BAD: BAD}
SHOWN = ("heat", "throttled_now", "throttled_since", "memory", "disk", "clock")
"""Of the health page's facts; the other ones say nothing of whether a machine will do."""
PUBLIC = ("heat", "throttled_now", "throttled_since")


def _figures(found: Found) -> Iterator[Line]:
    for fact in judge_machine(found.figures):
        if fact.kind in SHOWN:
            yield _figure(fact, found)


def _figure(fact: Fact, found: Found) -> Line:
    name, said = fact_label(fact).lower(), value_words(fact)
    if fact.kind.startswith("throttled") and fact.grade is Grade.UNKNOWN and found.pi:
        todo = "vcgencmd does not answer: apt install raspi-utils, and let the program's user be in the group video."
        return Line(name, WARN, said, todo, said)
    public = said if fact.kind in PUBLIC else GRADES[fact.grade]
    return Line(name, GRADES[fact.grade], said, advice_words(fact), public)


def _cameras(found: Found, wanted: Wanted) -> Line:
    # What `id` and `path` of a [[camera]] want.
    all_of_them = [*(found.modules or ()), *(("USB camera", path) for path in found.usb_cameras)]
    public = ", ".join(kind for kind, _ in all_of_them) or "none"
    if all_of_them or not wanted.cameras:
        said = ", ".join(f"{kind} at {place}" for kind, place in all_of_them) or "none; none is needed"
        return Line("cameras", OK, said, public=public)
    if found.modules is None and found.pi:
        said = "none; picamera2 is not there"
        todo = "apt install python3-picamera2, and make the environment with --system-site-packages."
        return Line("cameras", BAD, said, todo, said)
    todo = "The settings want cameras here: look at the cables; a camera module's ribbon fits in one direction only."
    return Line("cameras", BAD, public, todo, public)


def _chip(found: Found, wanted: Wanted) -> Line:
    needed = wanted.pins is not None
    grade = BAD if needed else OK
    unneeded = "" if needed else "; none is needed"
    if found.chip_trouble:
        todo = "Let the program's user be in the group gpio." if needed else ""
        return Line("gpio chip", grade, f"cannot be opened: {found.chip_trouble}{unneeded}", todo, "cannot be opened")
    if found.chips is None:
        todo = "apt install python3-lgpio." if needed else ""
        return Line("gpio chip", grade, f"lgpio is not there{unneeded}", todo, "no lgpio")
    for number, label in found.chips:
        if label.startswith(HEADER_LABEL):
            said = f"{number} ({label})"
            return Line("gpio chip", OK, said, public=said)
    said = ", ".join(f"{number} ({label})" for number, label in found.chips) or "none"
    todo = f"None is labelled {HEADER_LABEL}...: if one of them drives the header, name it by chip in [gpio]." if needed else ""
    return Line("gpio chip", grade, said + unneeded, todo, said)


def _pins(found: Found, wanted: Wanted) -> Iterator[Line]:
    """Whether the board has the pins that the map takes."""
    if wanted.pins is None:
        return
    name = f"map {wanted.pins.name}, {len(wanted.pins.uses())} pins"
    board: Any = None if found.revision is None else header_of(found.revision)
    if board is None:
        yield Line("pins", WARN if found.pi else BAD, name, "The board's header is not known here.", name)
        return
    try:
        check_header(wanted.pins, board)
    except PinError as error:
        yield Line("pins", BAD, str(error), "Take another pin map.", f"{name}: too few on this board")
        return
    yield Line("pins", OK, name, public=name)


def _spi(found: Found, wanted: Wanted) -> Iterator[Line]:
    if not wanted.spi:
        return
    if not found.spi:
        said = "/dev/spidev0.0 is not there"
        yield Line("spi", BAD, said, "Switch SPI on: raspi-config, Interface Options, SPI; then start the machine again.", said)
    elif wanted.spidev and not found.spidev:
        yield Line("spi", BAD, "spidev is not there", "apt install python3-spidev.", "no spidev")
    else:
        yield Line("spi", OK, "/dev/spidev0.0", public="there")


def _groups(found: Found, wanted: Wanted) -> Line:
    needed = {"gpio": wanted.pins is not None, "video": wanted.cameras, "spi": wanted.spi}
    missing = [name for name in needed if name in found.known_groups and name not in found.groups]
    if found.root or not missing:
        said = "root" if found.root else ", ".join(name for name in needed if name in found.groups) or "none is needed"
        return Line("groups", OK, said, public="ok")
    listed = ", ".join(missing)
    todo = f"sudo usermod -aG {','.join(missing)} THE_USER, then sign in again."
    grade = BAD if any(needed[name] for name in missing) else WARN
    return Line("groups", grade, f"not in {listed}", todo, f"not in {listed}")


def _model(found: Found) -> Line:
    if found.model_trouble:
        todo = "Install the program anew: its model is not the one that it was made with."
        return Line("reader", BAD, found.model_trouble, todo, "another model")
    if found.read_ms is None:
        said = f"{found.model}, but it does not run"
        todo = "Try another version of onnxruntime; some end on a Pi 4 with an illegal instruction."
        return Line("reader", BAD, said, todo, said)
    said = f"{found.model}, five windows in {found.read_ms:.1f} ms"
    return Line("reader", OK, said, public=said)


def _marks(found: Found) -> Iterator[Line]:
    """How far the marks of each calibrated mat are off."""
    for camera, error_mm in sorted(found.marks.items()):
        if error_mm is None:
            yield Line(f"marks of {camera}", BAD, "its calibration cannot be read", "Set the camera up again.", "not readable")
            continue
        said = f"off by {error_mm:.2f} mm"
        grade = BAD if error_mm >= MARKER_MM[1] else WARN if error_mm >= MARKER_MM[0] else OK
        todo = "" if grade == OK else "Set the camera up again: it has been moved, or its lens turned."
        yield Line(f"marks of {camera}", grade, said, todo, said)


def _ports(found: Found) -> Iterator[Line]:
    for port, trouble in found.ports:
        if not trouble:
            yield Line(f"port {port}", OK, "free", public="free")
            continue
        todo = "If the table itself runs, all is well; otherwise take another one in [page]."
        yield Line(f"port {port}", WARN, f"cannot be had: {trouble}", todo, "taken")


def _broker(found: Found) -> Iterator[Line]:
    if found.broker is None:
        return
    if not found.broker:
        yield Line("broker", OK, "answers", public="answers")
        return
    todo = "Start it, or mend its host and port."
    yield Line("broker", BAD, f"does not answer: {found.broker}", todo, "does not answer")


def _settings(found: Found) -> Line:
    if found.settings is None:
        return Line("settings", OK, "no file yet: the page of viewmat run asks for everything", public="none yet")
    if not found.settings:
        return Line("settings", OK, "all is well", public="ok")
    count = len(found.settings)
    said = found.settings[0] if count == 1 else f"{found.settings[0]}; and {count - 1} more"
    return Line("settings", BAD, said, "viewmat settings check says everything; viewmat run has a page to mend it.", "not right")
