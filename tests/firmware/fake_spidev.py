"""Stands in for spidev, with its quirks, for which see its own source (spidev_module.c of 3.8)."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

FASTEST_HZ = 125_000_000
"""What the driver of a Pi begins with."""
LARGEST = 4096


class FakeSpidev(ModuleType):
    """The module; `devices` are there, and those of them in `locked` belong to others."""

    def __init__(self, devices: Sequence[tuple[int, int]] = ((0, 0),), locked: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__("spidev")
        self.devices, self.locked = tuple(devices), tuple(locked)
        self.transfers: list[tuple[int, int, bytes]] = []
        """Mode, speed and bytes of every transfer."""
        self.open: list[tuple[int, int]] = []
        self.SpiDev = lambda: FakeDevice(self)


class FakeDevice:
    def __init__(self, module: FakeSpidev) -> None:
        self._module = module
        self._at: tuple[int, int] | None = None
        self._mode, self._speed = 0, 0

    def open(self, bus: int, device: int) -> None:
        if (bus, device) not in self._module.devices:
            raise FileNotFoundError(2, "No such file or directory")
        if (bus, device) in self._module.locked:
            raise PermissionError(13, "Permission denied")
        self._at, self._speed = (bus, device), FASTEST_HZ
        self._module.open.append(self._at)

    @property
    def mode(self) -> int:
        return self._mode

    @mode.setter
    def mode(self, mode: int) -> None:
        self._opened()
        if not isinstance(mode, int):
            raise TypeError("The mode attribute must be an integer")
        self._mode = mode

    @property
    def max_speed_hz(self) -> int:
        return self._speed

    @max_speed_hz.setter
    def max_speed_hz(self, speed: int) -> None:
        self._opened()
        if not isinstance(speed, int):
            raise TypeError("The max_speed_hz attribute must be an integer")
        self._speed = speed

    def writebytes(self, data: Sequence[int]) -> None:
        """One transfer, or none."""
        self._opened()
        if not data:
            raise TypeError("Empty argument list.")
        if len(data) > LARGEST:
            raise OverflowError(f"Argument list size exceeds {LARGEST} bytes.")
        self._module.transfers.append((self._mode, self._speed, bytes(data)))

    def writebytes2(self, data: bytes) -> None:
        """As many transfers as it takes."""
        for start in range(0, len(data), LARGEST):
            self.writebytes(data[start : start + LARGEST])

    def close(self) -> None:
        if self._at is not None:
            self._module.open.remove(self._at)
        self._at = None

    def _opened(self) -> None:
        if self._at is None:
            raise OSError(9, "Bad file descriptor")
