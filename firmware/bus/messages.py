"""What hub and nodes say to each other, as bytes.  Whatever comes from the bus is checked here before anybody believes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from companion.cues import Cue, Meaning
from companion.observation import TroubleKind
from companion.table import SLOTS
from firmware.errors import BusError

LARGEST = 1_000_000
"""Bytes of a message; a whole picture takes about a tenth of it."""
LARGEST_SIDE = 10_000
LARGEST_AREA = 5_000_000
"""Pixels of a node's picture: more than a Camera Module 3 has in its mode for films, and few enough for a hub's memory."""
LARGEST_NUMBER = 1e300
MOST_CROPS = 16
TOLD_TROUBLES = (TroubleKind.FROZEN, TroubleKind.DARK, TroubleKind.BRIGHT)
"""What a node finds out about its camera by itself; the rest is found by the hub."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle of a picture, in whole pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class CropOf:
    """A part of a picture as JPEG; it may have been made smaller than its box."""

    box: Box
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Shown:
    """What a node's camera saw at one moment, as far as it is new."""

    boot: str
    """Of the node's program: made anew at every start."""
    number: int
    """Of the message since then, from 1."""
    time: float
    """Seconds of the node's clock at the capture."""
    frame: int
    size: tuple[int, int]
    """Width and height of the whole picture."""
    crops: tuple[CropOf, ...] = ()
    plate: bool = False
    """`crops` is one whole picture."""
    trouble: TroubleKind | None = None


@dataclass(frozen=True, slots=True)
class Hello:
    """A node, or the hub, says that it is there; its last will says that it is gone."""

    protocol: int
    boot: str
    here: bool
    version: str = ""
    lamps: bool = False
    """Lamps and a button are connected."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether the hub takes the node, and if not, why."""

    boot: str
    """Of the node that is answered."""
    accepted: bool
    why: str = ""
    """``protocol`` or ``unknown`` (nobody has given it a place)."""
    protocol: int = 0
    """What the hub speaks."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which parts of its pictures a node shows."""

    windows: tuple[Box, ...] = ()
    marks: tuple[Box, ...] = ()
    """Where markers are: when most of these look otherwise the board was moved."""
    plate: str = ""
    """The hub's wish for a whole picture; every other text is another wish."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """The button of the node's place."""

    boot: str
    number: int
    time: float
    """Seconds of the node's clock."""
    context: str
    """What the lamps were about, as the cues had it."""


@dataclass(frozen=True, slots=True)
class Lit:
    """What the lamps and the buzzer of a place say."""

    context: str
    """A press that arrives late counts only if it is still about the same."""
    cues: tuple[Cue, ...]
    """With the seat of the place; those of the table have none."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A program says that it is the hub of this table."""

    since: float
    """When it was started, in seconds since 1970 by its own clock."""
    boot: str

    def before(self, other: Claim) -> bool:
        """Whether the other one came later, and is the hub.  Two hubs always agree about this, however wrong their clocks are."""
        return (self.since, self.boot) < (other.since, other.boot)


@dataclass(frozen=True, slots=True)
class Ping:
    """The hub asks for the time of a node: its own, in seconds."""

    asked: float


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer: the hub's question and the node's clock."""

    boot: str
    asked: float
    node: float


# ---- to bytes ------------------------------------------------------------------------------------------------------------


def _packed(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode()


def _box(box: Box) -> list[int]:
    return [box.x, box.y, box.width, box.height]


def shown_bytes(shown: Shown) -> bytes:
    """The fields as one line of JSON, then the pictures."""
    fields: dict[str, Any] = {"b": shown.boot, "n": shown.number, "t": round(shown.time, 4), "f": shown.frame, "s": shown.size}
    if shown.crops:
        fields["c"] = [[*_box(crop.box), len(crop.jpeg)] for crop in shown.crops]
    if shown.plate:
        fields["p"] = True
    if shown.trouble is not None:
        fields["w"] = shown.trouble.value
    return _packed(fields) + b"\n" + b"".join(crop.jpeg for crop in shown.crops)


def hello_bytes(hello: Hello) -> bytes:
    return _packed({"protocol": hello.protocol, "boot": hello.boot, "here": hello.here, "version": hello.version,
                    "lamps": hello.lamps})  # fmt: skip


def answer_bytes(answer: Answer) -> bytes:
    return _packed({"boot": answer.boot, "accepted": answer.accepted, "why": answer.why, "protocol": answer.protocol})


def wanted_bytes(wanted: Wanted) -> bytes:
    return _packed({"windows": [_box(box) for box in wanted.windows], "marks": [_box(box) for box in wanted.marks],
                    "plate": wanted.plate})  # fmt: skip


def pressed_bytes(pressed: Pressed) -> bytes:
    return _packed({"b": pressed.boot, "n": pressed.number, "t": pressed.time, "context": pressed.context})


def lit_bytes(lit: Lit) -> bytes:
    cues = [[cue.meaning.value, cue.slot, cue.seat is not None] for cue in lit.cues]
    return _packed({"context": lit.context, "cues": cues})


def claim_bytes(claim: Claim) -> bytes:
    return _packed({"since": claim.since, "boot": claim.boot})


def ping_bytes(ping: Ping) -> bytes:
    return _packed({"asked": ping.asked})


def pong_bytes(pong: Pong) -> bytes:
    return _packed({"b": pong.boot, "asked": pong.asked, "node": pong.node})


# ---- from bytes ----------------------------------------------------------------------------------------------------------


class _Fields:
    """The fields of a message; every getter raises `BusError` for what it cannot take."""

    def __init__(self, what: str, payload: bytes) -> None:
        self._what = what
        if len(payload) > LARGEST:
            raise BusError(f"{what}: at most {LARGEST} bytes are expected, found {len(payload)}")
        try:
            found = json.loads(payload)
        except (ValueError, RecursionError):
            raise BusError(f"{what}: JSON is expected, found {payload[:20]!r}") from None
        if not isinstance(found, dict):
            raise BusError(f"{what}: a JSON object is expected, found {type(found).__name__}")
        self._found = found

    def text(self, key: str, default: str | None = None) -> str:
        value = self._found.get(key, default)
        if not isinstance(value, str) or len(value) > 200:
            raise self.wrong(key, "a short text", value)
        return value

    def whole(self, key: str, least: int = 0) -> int:
        value = self._found.get(key)
        if not _is_whole(value) or value < least:
            raise self.wrong(key, f"a whole number from {least}", value)
        return value

    def real(self, key: str) -> float:
        value = self._found.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= LARGEST_NUMBER:
            raise self.wrong(key, "a number", value)
        return float(value)

    def truth(self, key: str, default: bool | None = None) -> bool:
        value = self._found.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false", value)
        return value

    def rows(self, key: str) -> list[list[Any]]:
        value = self._found.get(key, [])
        if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
            raise self.wrong(key, "a list of lists", value)
        return value

    def numbers(self, key: str, count: int) -> list[list[int]]:
        """Rows of so many whole numbers each."""
        rows = self.rows(key)
        if len(rows) > MOST_CROPS or not all(len(row) == count and all(_is_whole(one) for one in row) for row in rows):
            raise self.wrong(key, f"at most {MOST_CROPS} rows of {count} whole numbers", rows)
        return rows

    def has(self, key: str) -> bool:
        return key in self._found

    def wrong(self, key: str, expected: str, found: object) -> BusError:
        return BusError(f"{self._what}, {key}: {expected} is expected, found {str(found)[:40]}")


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def shown_from(payload: bytes) -> Shown:
    """Raise `BusError` for anything that is no such message."""
    line, _, pictures = payload.partition(b"\n")
    fields = _Fields("pictures", line)
    if len(payload) > LARGEST:
        raise BusError(f"pictures: at most {LARGEST} bytes are expected, found {len(payload)}")
    size = _size(fields)
    crops, at = [], 0
    for *sides, length in fields.numbers("c", 5):
        box = _checked_box(fields, "c", sides, size)
        if length <= 0 or at + length > len(pictures):
            raise BusError(f"pictures, c: {length} bytes of a picture are expected, found {len(pictures) - at}")
        crops.append(CropOf(box, pictures[at : at + length]))
        at += length
    if at != len(pictures):
        raise BusError(f"pictures: {at} bytes of pictures are expected, found {len(pictures)}")
    return Shown(
        fields.text("b"), fields.whole("n", 1), fields.real("t"), fields.whole("f"), size, tuple(crops),
        fields.truth("p", False), _trouble(fields),
    )  # fmt: skip


def _size(fields: _Fields) -> tuple[int, int]:
    rows = fields._found.get("s")
    if not isinstance(rows, list) or len(rows) != 2 or not all(_is_whole(one) and 0 < one <= LARGEST_SIDE for one in rows):
        raise fields.wrong("s", f"width and height up to {LARGEST_SIDE}", rows)
    if rows[0] * rows[1] > LARGEST_AREA:
        raise fields.wrong("s", f"at most {LARGEST_AREA} pixels", rows)
    return rows[0], rows[1]


def _checked_box(fields: _Fields, key: str, sides: Iterable[int], size: tuple[int, int]) -> Box:
    box = Box(*sides)
    inside = box.x >= 0 and box.y >= 0 and box.x + box.width <= size[0] and box.y + box.height <= size[1]
    if not inside or box.width <= 0 or box.height <= 0:
        raise fields.wrong(key, f"a rectangle within {size[0]} x {size[1]}", _box(box))
    return box


def _trouble(fields: _Fields) -> TroubleKind | None:
    if not fields.has("w"):
        return None
    kinds = {kind.value: kind for kind in TOLD_TROUBLES}
    told = fields.text("w")
    if told not in kinds:
        raise fields.wrong("w", f"one of {', '.join(kinds)}", told)
    return kinds[told]


def hello_from(payload: bytes) -> Hello:
    """Raise `BusError` for anything that is no such message.  Of another protocol only what all of them have is read."""
    fields = _Fields("hello", payload)
    return Hello(
        fields.whole("protocol", 1), fields.text("boot"), fields.truth("here"), fields.text("version", ""),
        fields.truth("lamps", False),
    )  # fmt: skip


def answer_from(payload: bytes) -> Answer:
    """Raise `BusError` for anything that is no such message."""
    fields = _Fields("answer", payload)
    return Answer(fields.text("boot"), fields.truth("accepted"), fields.text("why", ""), fields.whole("protocol"))


def wanted_from(payload: bytes) -> Wanted:
    """Raise `BusError` for anything that is no such message."""
    fields, most = _Fields("windows", payload), (LARGEST_SIDE, LARGEST_SIDE)
    windows = tuple(_checked_box(fields, "windows", row, most) for row in fields.numbers("windows", 4))
    marks = tuple(_checked_box(fields, "marks", row, most) for row in fields.numbers("marks", 4))
    return Wanted(windows, marks, fields.text("plate"))


def pressed_from(payload: bytes) -> Pressed:
    """Raise `BusError` for anything that is no such message."""
    fields = _Fields("press", payload)
    return Pressed(fields.text("b"), fields.whole("n", 1), fields.real("t"), fields.text("context"))


def lit_from(payload: bytes, seat: int = 0) -> Lit:
    """With cues for the node's own seat, which it calls `seat`; raise `BusError` for anything that is no such message."""
    fields = _Fields("cues", payload)
    meanings = {meaning.value: meaning for meaning in Meaning}
    cues = []
    for row in fields.rows("cues"):
        if len(row) != 3 or row[0] not in meanings or row[1] not in (None, *SLOTS) or not isinstance(row[2], bool):
            raise fields.wrong("cues", "meaning, slot and whether it is of the seat", row)
        cues.append(Cue(meanings[row[0]], seat if row[2] else None, row[1]))
    return Lit(fields.text("context"), tuple(cues))


def claim_from(payload: bytes) -> Claim:
    """Raise `BusError` for anything that is no such message."""
    fields = _Fields("claim", payload)
    return Claim(fields.real("since"), fields.text("boot"))


def ping_from(payload: bytes) -> Ping:
    """Raise `BusError` for anything that is no such message."""
    return Ping(_Fields("ping", payload).real("asked"))


def pong_from(payload: bytes) -> Pong:
    """Raise `BusError` for anything that is no such message."""
    fields = _Fields("pong", payload)
    return Pong(fields.text("b"), fields.real("asked"), fields.real("node"))
