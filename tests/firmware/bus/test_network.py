"""Hub and nodes over a real broker and a bad network: what is ruled is what would have been ruled over a good one."""

from __future__ import annotations

import random
from pathlib import Path

from firmware.bus.broker import Table
from firmware.virtual.measure import LoggedAction
from firmware.virtual.play import Settings
from firmware.virtual.run import run_games
from tests.firmware.bus.brokers import Mosquitto, needs_mosquitto
from tests.firmware.bus.lockstep import TABLE, EnoughError, Network
from tests.firmware.bus.proxy import Proxy


def played(folder: Path, settings: Settings, disturb, until: float, mix=None):
    folder.mkdir()
    mosquitto = Mosquitto(folder / "broker", [Table(TABLE, tuple(f"mat{seat}" for seat in range(settings.seats)))])
    proxy = Proxy(mosquitto.port)
    network = Network(folder, mosquitto, proxy.port, lambda network, time: disturb(network, time, mosquitto, proxy), until, mix)
    try:
        try:
            run_games(settings, 1, open_link=lambda: network)
        except EnoughError:
            pass
        return network.actions(), network, proxy.passed
    finally:
        network.close()
        proxy.close()
        mosquitto.kill()


@needs_mosquitto
def test_short(tmp_path: Path) -> None:
    import time
    settings = Settings(seats=3, seed=5)
    t = time.time()
    calm, network, passed = played(tmp_path / "a", settings, lambda *a: None, 40.0)
    print(calm, passed, time.time() - t, network.time)
    assert 0
