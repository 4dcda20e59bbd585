"""A real Mosquitto with the settings that `viewmat broker` writes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import pytest

from firmware.bus.broker import Table, write_broker
from firmware.bus.encryption import make_encryption
from firmware.bus.link import Broker
from firmware.settings_bus import BrokerPart

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
needs_mosquitto = pytest.mark.skipif(MOSQUITTO is None, reason="needs Mosquitto; on Debian: apt install mosquitto")
STARTS_S = 10.0


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class Mosquitto:
    """The broker as a process that can be killed and started again at the same port."""

    def __init__(self, folder: Path, tables: Sequence[Table], encrypted: bool = False) -> None:
        self.folder = folder
        self.port = free_port()
        encryption = make_encryption(folder, "127.0.0.1", datetime.now(UTC)) if encrypted else None
        write_broker(folder, tables, self.port, "127.0.0.1", "127.0.0.1", encryption)
        self._configuration = folder / "test.conf"
        text = (folder / "mosquitto.conf").read_text()
        # As root it would become another user, who may not read the passwords.
        self._configuration.write_text(text + ("user root\n" if os.getuid() == 0 else ""))
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        assert MOSQUITTO is not None
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._configuration)], stderr=subprocess.DEVNULL)
        until = monotonic() + STARTS_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1.0).close()
                return
            except OSError:
                assert monotonic() < until and self._process.poll() is None, "Mosquitto does not start"

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def login(self, name: str, port: int | None = None) -> Broker:
        """As whom the file `name` (without its ending) logs in, perhaps through another port."""
        part = tomllib.loads((self.folder / f"{name}.toml").read_text())["broker"]
        return replace(BrokerPart(**part).broker(), port=part["port"] if port is None else port)
