from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cues import Cue, Meaning
from companion.observation import TroubleKind
from firmware.bus.messages import (
    LARGEST,
    Answer,
    Box,
    CropOf,
    Hello,
    Lit,
    Ping,
    Pong,
    Pressed,
    Shown,
    Wanted,
    answer_bytes,
    answer_from,
    hello_bytes,
    hello_from,
    lit_bytes,
    lit_from,
    ping_bytes,
    ping_from,
    pong_bytes,
    pong_from,
    pressed_bytes,
    pressed_from,
    shown_bytes,
    shown_from,
    wanted_bytes,
    wanted_from,
)
from firmware.errors import BusError

CROPS = (CropOf(Box(3, 4, 20, 40), b"one\nJPEG"), CropOf(Box(30, 4, 20, 40), b"\x00\xff"))
FULL = Shown("b00t", 7, 12.3456, 99, (1536, 288), CROPS)
PAIRS: tuple[tuple[Callable[[Any], bytes], Callable[[bytes], Any], Any], ...] = (
    (shown_bytes, shown_from, FULL),
    (shown_bytes, shown_from, Shown("b00t", 1, 0.5, 1, (10, 20), (CropOf(Box(0, 0, 10, 20), b"x"),), True)),
    (shown_bytes, shown_from, Shown("b00t", 8, 1.0, 2, (10, 20), trouble=TroubleKind.DARK)),
    (hello_bytes, hello_from, Hello(1, "b00t", True, "0.1.0", True)),
    (answer_bytes, answer_from, Answer("b00t", False, "protocol", 2)),
    (wanted_bytes, wanted_from, Wanted((Box(0, 0, 5, 6),), (Box(7, 8, 9, 10),), "hub-3")),
    (pressed_bytes, pressed_from, Pressed("b00t", 4, 1000.25, "3/1/0//play")),
    (lit_bytes, lit_from, Lit("3/1/0//play", (Cue(Meaning.QUESTION), Cue(Meaning.ASKED, 0), Cue(Meaning.PUT_BACK, 0, 5)))),
    (ping_bytes, ping_from, Ping(12.5)),
    (pong_bytes, pong_from, Pong("b00t", 12.5, 99.75)),
)


@pytest.mark.parametrize(("pack", "unpack", "message"), PAIRS)
def test_a_message_is_what_it_was(pack: Callable[[Any], bytes], unpack: Callable[[bytes], Any], message: Any) -> None:
    assert unpack(pack(message)) == message


def shown(**changed: Any) -> bytes:
    fields = {"b": "x", "n": 1, "t": 1.0, "f": 1, "s": [100, 50], "c": [[0, 0, 10, 10, 4]], **changed}
    return json.dumps(fields).encode() + b"\n" + b"JPEG"


LONG = shown_bytes(FULL) + b"x" * LARGEST


@pytest.mark.parametrize(("payload", "said"), [
    (b"\xff\xfe", "pictures: JSON is expected, found b'\\xff\\xfe'"),
    (b"[]", "pictures: a JSON object is expected, found list"),
    (b"[" * 100_000, "pictures: JSON is expected, found b'[[[[[[[[[[[[[[[[[[[['"),
    (shown(c=[]), "pictures: 0 bytes of pictures are expected, found 4"),
    (shown(c=[[0, 0, 10, 10, 5]]), "pictures, c: 5 bytes of a picture are expected, found 4"),
    (shown(c=[[0, 0, 101, 10, 4]]), "pictures, c: a rectangle within 100 x 50 is expected, found [0, 0, 101, 10]"),
    (shown(c=[[-1, 0, 10, 10, 4]]), "pictures, c: a rectangle within 100 x 50 is expected, found [-1, 0, 10, 10]"),
    (shown(c=[[0, 0, 10, 4]]), "pictures, c: at most 16 rows of 5 whole numbers is expected, found [[0, 0, 10, 4]]"),
    (shown(n=0), "pictures, n: a whole number from 1 is expected, found 0"),
    (shown(n=True), "pictures, n: a whole number from 1 is expected, found True"),
    (shown(t="now"), "pictures, t: a number is expected, found now"),
    (shown(s=[10**9, 5]), "pictures, s: width and height up to 10000 is expected, found [1000000000, 5]"),
    (shown(s=[10_000, 10_000]), "pictures, s: at most 5000000 pixels is expected, found [10000, 10000]"),
    (shown(t=10**400), f"pictures, t: a number is expected, found {str(10**400)[:40]}"),
    (shown(w="moved"), "pictures, w: one of frozen, dark, bright is expected, found moved"),
    (LONG, f"pictures: at most {LARGEST} bytes are expected, found {len(LONG)}"),
])  # fmt: skip
def test_what_is_no_message_is_named(payload: bytes, said: str) -> None:
    with pytest.raises(BusError) as caught:
        shown_from(payload)
    assert str(caught.value) == said


def test_no_number_is_infinite() -> None:
    with pytest.raises(BusError, match="ping, asked: a number is expected, found inf"):
        ping_from(b'{"asked": 1e999}')


@given(st.sampled_from([unpack for _, unpack, _ in PAIRS]), st.binary(max_size=60) | st.text(max_size=40).map(str.encode))
def test_whatever_comes_is_taken_or_refused(unpack: Callable[[bytes], Any], payload: bytes) -> None:
    with suppress(BusError):
        unpack(payload)


@given(st.sampled_from(PAIRS), st.integers(0, 200), st.integers(0, 255))
def test_one_wrong_byte_is_taken_or_refused(pair: Any, at: int, byte: int) -> None:
    pack, unpack, message = pair
    payload = bytearray(pack(message))
    payload[at % len(payload)] = byte
    with suppress(BusError):
        unpack(bytes(payload))
