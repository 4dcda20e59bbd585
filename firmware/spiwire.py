"""The data line of SPI 0 by spidev: the only module that knows it."""

from __future__ import annotations

from importlib import import_module

from firmware.errors import RigError

BUS, DEVICE = 0, 0


class SpiWire:
    """Sends bytes, and hears nothing."""

    def __init__(self, speed_hz: int) -> None:
        """Raise `RigError` where spidev or the bus is not there, or may not be used."""
        try:
            spidev = import_module("spidev")
        except ImportError as error:
            raise RigError(f"a string of pixels needs spidev: {error} (on a Pi: apt install python3-spidev)") from error
        self._spi = spidev.SpiDev()
        try:
            self._spi.open(BUS, DEVICE)
            # What the driver begins with is the fastest that the bus can do.
            self._spi.mode = 0
            self._spi.max_speed_hz = speed_hz
        except OSError as error:
            self._spi.close()
            raise RigError(
                f"SPI cannot be had (/dev/spidev{BUS}.{DEVICE}): {error.strerror or error};"
                " switch it on with raspi-config, and let the program's user be in the group spi"
            ) from error

    def send(self, data: bytes) -> None:
        """Send `data` in one piece."""
        # Not `writebytes2`, which cuts what is too long into pieces, with pauses between them.
        self._spi.writebytes(list(data))

    def close(self) -> None:
        """Let go of the bus."""
        self._spi.close()
