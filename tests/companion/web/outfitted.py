"""A table that can be set up, and remembers what was asked of it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from companion.choices import PRESETS, Chair, Choices, Equipment
from companion.health import CameraFigures
from companion.inbox import Receipt

ANNA, BEN, CLEO = Chair("Anna", "mat"), Chair("Ben", "tap"), Chair("Cleo", "bot")
SEATED = Choices("en", "home", (ANNA, BEN, CLEO), tuple(PRESETS["home"].items()))
VIRTUAL = Equipment(("mat", "tap", "bot"), 5, True, ("blue-bikes",))
TAPS = Equipment(("tap", "bot"), kept_in="table.toml")


def picture(width: int = 16, height: int = 3) -> bytes:
    """A small grey PNG."""
    rows = b"".join(b"\0" + b"\x60" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@dataclass
class FakeOutfit:
    """What a test says that the table has."""

    kit: Equipment = VIRTUAL
    now: Choices = SEATED
    new: bool = False
    people: tuple[str, ...] = ("Dan", "Anna", "Eve")
    refuses: str = ""
    unsaved: bool = False
    """Where a mat lies cannot be kept."""
    seen: CameraFigures | None = field(default_factory=lambda: CameraFigures("mat0", None, blur_px=0.8, marker_mm=0.1))
    begun: list[Choices] = field(default_factory=list)
    lit: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    pressed: list[int] = field(default_factory=list)
    looked: list[int] = field(default_factory=list)
    on_begin: Callable[[Choices], None] = lambda choices: None

    def equipment(self) -> Equipment:
        return self.kit

    def present(self) -> Choices:
        return self.now

    def fresh(self) -> bool:
        return self.new

    def roster(self) -> tuple[str, ...]:
        return self.people

    def light(self, burning: Collection[int], blinking: Collection[int], /) -> None:
        asked = tuple(sorted(burning)), tuple(sorted(blinking))
        if self.lit[-1:] != [asked]:
            self.lit.append(asked)

    def presses(self, heard: int | None, /) -> tuple[int, tuple[int, ...]]:
        return len(self.pressed), tuple(self.pressed[heard:]) if heard is not None else ()

    def press(self, place: int, /) -> None:
        self.pressed.append(place)

    def preview(self, place: int, /) -> bytes | None:
        self.looked.append(place)
        return picture()

    def figures(self, place: int, /) -> CameraFigures | None:
        return None if self.seen is None else replace(self.seen, name=f"mat{place}")

    def lay(self, node: str, place: int | None, /) -> bool:
        others = tuple(replace(one, place=None) if one.place == place else one for one in self.kit.nodes or ())
        laid = tuple(replace(one, place=place) if one.name == node else one for one in others)
        self.kit = replace(self.kit, nodes=laid)
        return not self.unsaved

    def begin(self, choices: Choices, /) -> Receipt:
        receipt = Receipt()
        receipt.settle(self.refuses)
        if not self.refuses:
            self.begun.append(choices)
            self.now, self.new = choices, False
            self.on_begin(choices)
        return receipt
