"""``[[camera]]`` in the settings file: what looks at the mats and at the tray."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from firmware.camera import CameraPlan, Locks, Rotation
from firmware.settingspart import Part, Problem, broken, key_words, not_among, wrong

ADDRESSES: Mapping[str, tuple[str, bool]] = {
    "picamera2": ("id", True), "uvc": ("path", True), "url": ("url", True), "replay": ("path", True), "virtual": ("path", False),
    "feed": ("path", True),
}  # fmt: skip
"""By kind: the key that says where such a camera is, and whether it has to."""
BEHIND_A_MIRROR = ("picamera2", "uvc", "virtual")
"""Kinds of cameras that sit in a mat, whose light comes over its mirror, unless the file says something else."""
TURN_S = 0.9
"""So long opening, looking and closing takes where cameras are open one at a time; an estimate, see docs/cameras.md."""

Gain = Annotated[float, Field(gt=0, le=64, allow_inf_nan=False)]
Pixels = Annotated[int, Field(ge=0, le=16384)]


class CameraPart(Part):
    """One camera."""

    place: Annotated[int, Field(ge=1, le=6)] | None = None
    """Number of the mat that it looks at; exactly one of `place` and `tray` is given."""
    tray: bool = False
    kind: str
    id: str | None = None
    """Of a camera on the Pi's own connector: its libcamera Id."""
    path: str | None = None
    """Of a camera on USB: its path below ``/dev/v4l/by-path``.  Of a recording: its folder or file."""
    url: str | None = None
    """Of a camera on the network: its address, with user and password if it wants them.  It is shown nowhere."""
    size: Annotated[list[Pixels], Field(min_length=2, max_length=2)] | None = None
    """Width and height that the sensor is asked for."""
    crop: Annotated[list[Pixels], Field(min_length=4, max_length=4)] | None = None
    """Left, top, width and height of what is kept of the upright picture."""
    mirror: bool | None = None
    """Whether the picture comes over a mirror; without it a camera in a mat's does."""
    rotation: Rotation = 0
    period: Annotated[float, Field(ge=0.02, le=60, allow_inf_nan=False)] | None = None
    """Seconds between two looks; without it 0.1, or as long as a round takes where cameras are open in turns."""
    timeout: Annotated[float, Field(gt=0, le=60, allow_inf_nan=False)] = 3.0
    turns: bool = False
    """It is open only while it is looked through, one camera after another: for a bus that has no room for all."""
    exposure_us: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    gain: Gain | None = None
    red_blue: Annotated[list[Gain], Field(min_length=2, max_length=2)] | None = None
    """Gains of red and blue: the white balance of a camera on the Pi's own connector."""
    white_k: Annotated[int, Field(ge=1000, le=20000)] | None = None
    """The white balance of a camera on USB, in kelvin."""
    lens: Annotated[float, Field(ge=0, le=10000, allow_inf_nan=False)] | None = None
    """Where the lens stands: dioptres on the Pi's own connector, the camera's own units on USB."""
    light: Literal["steady", "pulsed"] = "steady"
    """``pulsed``: the mat's lamp burns for single pictures only; its pin is that of the board."""

    window: Literal["standard", "large"] = "standard"
    """Size of the mat's windows."""

    @property
    def name(self) -> str:
        """That of its station."""
        return "tray" if self.tray or self.place is None else f"mat{self.place - 1}"


def camera_plans(parts: Sequence[CameraPart], tray: str = "overhead") -> tuple[CameraPlan, ...]:
    """The cameras as they are opened; `tray` is what sees the row, as the settings have it."""
    round_s = TURN_S * sum(part.turns for part in parts)
    return tuple(_plan(part, round_s, tray) for part in parts)


def _plan(part: CameraPart, round_s: float, tray: str) -> CameraPlan:
    # A tray that is a sixth mat has a mirror as all mats have.
    mirrored = part.kind in BEHIND_A_MIRROR and (not part.tray or tray == "mat")
    mirror = mirrored if part.mirror is None else part.mirror
    usual = max(0.1, round_s) if part.turns else 0.1
    white = None if part.red_blue is None else (part.red_blue[0], part.red_blue[1])
    locks = Locks(part.exposure_us, part.gain, white, part.white_k, part.lens)
    return CameraPlan(
        part.name, part.kind, getattr(part, ADDRESSES[part.kind][0]) or "",
        None if part.size is None else (part.size[0], part.size[1]),
        None if part.crop is None else (part.crop[0], part.crop[1], part.crop[2], part.crop[3]),
        mirror, part.rotation, usual if part.period is None else part.period, locks, part.timeout, part.turns,
        part.light == "pulsed", part.window,
    )  # fmt: skip


def camera_problems(parts: Sequence[CameraPart]) -> Iterator[Problem]:
    """What the keys of one camera, or several cameras, have wrong together."""
    for number, part in enumerate(parts):
        if (part.place is None) is not part.tray:
            found = "neither" if part.place is None else "both"
            yield broken(("camera", number), f"one of place and tray = true is expected, found {found}")
        if part.kind not in ADDRESSES:
            yield not_among(("camera", number, "kind"), part.kind, "kind of camera", tuple(ADDRESSES))
            continue
        if part.light == "pulsed" and (part.tray or part.turns):
            yield wrong(("camera", number, "light"), part.light, "only a camera of a mat, and without turns; allowed: steady")
        for key, sides in (("size", part.size), ("crop", part.crop and part.crop[2:])):
            if sides is not None and 0 in sides:
                yield wrong(("camera", number, key), getattr(part, key), "width and height of at least 1 are expected")
        yield from _address_problems(number, part)
    names = [part.name for part in parts]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        what = "tray = true" if name == "tray" else f"place = {int(name.removeprefix('mat')) + 1}"
        yield broken(("camera",), f"{what}: {names.count(name)} cameras have it")


def _address_problems(number: int, part: CameraPart) -> Iterator[Problem]:
    if part.kind not in ADDRESSES:
        return
    key, needed = ADDRESSES[part.kind]
    if needed and not getattr(part, key):
        why = f"is missing: it says where a camera of kind {part.kind} is"
        yield Problem(("camera", number), f"{key_words(('camera', number, key))} {why}", "other", {"why": f"{key} {why}"})
    # The value may be a password, so it is not repeated.
    for other in ("id", "path", "url"):
        if other != key and getattr(part, other) is not None:
            yield broken(("camera", number, other), f"a camera of kind {part.kind} has none; allowed: {key}")
