"""Hub and nodes over a real broker and a bad network: what is ruled is what would have been ruled over a good one."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.views import SlotShows, View
from firmware.bus.broker import Table
from firmware.bus.link import Link
from firmware.virtual.measure import LoggedAction
from firmware.virtual.play import Settings
from firmware.virtual.run import run_games
from tests.firmware.bus.brokers import Mosquitto, needs_mosquitto
from tests.firmware.bus.lockstep import TABLE, EnoughError, Network
from tests.firmware.bus.proxy import Proxy

pytestmark = needs_mosquitto


@dataclass
class Run:
    """What one game was played on."""

    mosquitto: Mosquitto
    proxy: Proxy
    network: Network
    done: list[str] = field(default_factory=list)
    """What was disturbed so far."""


Disturb = Callable[[Run, float], None]


@contextmanager
def running(folder: Path, settings: Settings, disturb: Disturb, until: float, mix: random.Random | None) -> Iterator[Run]:
    folder.mkdir()
    mats = tuple(f"mat{seat}" for seat, source in enumerate(settings.all_sources) if source == "mat")
    mosquitto = Mosquitto(folder / "broker", [Table(TABLE, mats)])
    with closing(Proxy(mosquitto.port)) as proxy:
        network = Network(folder, mosquitto, proxy.port, lambda network, time: disturb(run, time), until, mix)
        run = Run(mosquitto, proxy, network)
        try:
            yield run
        finally:
            network.close()
            mosquitto.kill()


def played(
    folder: Path, settings: Settings, disturb: Disturb = lambda run, time: None, until: float = float("inf"),
    mix: int | None = None,
) -> tuple[tuple[LoggedAction, ...], Run]:  # fmt: skip
    """The log of a game, up to a moment of its own time."""
    with running(folder, settings, disturb, until, None if mix is None else random.Random(mix)) as run:
        with suppress(EnoughError):
            run_games(settings, 1, open_link=lambda: run.network)
        return run.network.actions(), run


def once(run: Run, name: str, due: bool) -> bool:
    """Whether this is to happen now, for the first time."""
    if not due or name in run.done:
        return False
    run.done.append(name)
    return True


STEAL = (("action", {"type": "steal", "seat": 0, "from": 2, "slot": 5, "give": 1}),)
"""What the same game comes to when its frames are handed to the table directly."""


class Spy:
    """Somebody who wants to hear everything, as far as the broker lets him."""

    def __init__(self, run: Run, login: str) -> None:
        self.heard: dict[str, bytes] = {}
        self._link = Link(run.mosquitto.login(login, run.proxy.port), f"spy-{login}", ("#",), self._hear)
        assert self._link.wait(10.0)

    def _hear(self, topic: str, payload: bytes) -> None:
        self.heard[topic] = payload

    def topics(self) -> set[str]:
        self._link.close()
        return set(self.heard)


def test_what_is_delayed_doubled_swapped_cut_and_killed_changes_no_ruling_and_tells_nobody_a_card(tmp_path: Path) -> None:
    settings = Settings(seats=3, seed=2, sources=("mat", "mat", "bot"), tray="none", period=0.2)
    spies: dict[str, Spy] = {}

    def disturb(run: Run, time: float) -> None:
        if once(run, "delay", time > 4):
            run.proxy.longest_delay = 0.005
            spies.update({login: Spy(run, login) for login in ("display", f"node-{TABLE}-mat1")})
        if once(run, "cut", time > 8):
            run.proxy.cut()
        if once(run, "node killed in a steal", time > 21):
            run.network.nodes["mat0"].kill()
        if once(run, "node back", time > 22):
            run.network.restart("mat0")
        if once(run, "spies leave", time > 25.5):
            heard.update({login: spy.topics() for login, spy in spies.items()})

    heard: dict[str, set[str]] = {}
    log, run = played(tmp_path / "bad", settings, disturb, until=25.8, mix=1)
    mixed = run.network.mixed
    assert mixed is not None
    assert run.done == ["delay", "cut", "node killed in a steal", "node back", "spies leave"]
    assert mixed.doubled > 5
    assert mixed.swapped > 5
    assert log == STEAL
    root = f"viewmat/{TABLE}"
    # An alert that is over is an empty message, which only those hear who are connected at that moment.
    assert heard["display"] | {f"{root}/public/alert"} == {f"{root}/hub", f"{root}/public/view", f"{root}/public/alert"}
    assert heard[f"node-{TABLE}-mat1"] == {
        f"{root}/hub", *(f"{root}/to/mat1/{kind}" for kind in ("answer", "cues", "ping", "windows")),
    }  # fmt: skip
    view = json.loads(spies["display"].heard[f"{root}/public/view"])
    assert [slot["card"] for seat in view["seats"] for slot in seat["slots"]] == [None] * 15


# ---- a whole game at five mats -------------------------------------------------------------------------------------------


def in_the_middle_of_a_steal(view: View) -> bool:
    """Somebody else's card is in the hands of whose turn it is."""
    if view.phase != "play" or view.current is None:
        return False
    return any(
        slot.shows in (SlotShows.OUT, SlotShows.BUSY) for seat in view.seats if seat.seat != view.current for slot in seat.slots
    )


class Storm:
    """Everything that can happen to a network, at moments of the game's own time."""

    def __init__(self) -> None:
        self.back: tuple[str, float] | None = None
        """Which node comes back, and when."""

    def __call__(self, run: Run, time: float) -> None:
        proxy, network = run.proxy, run.network
        if self.back is not None and time >= self.back[1]:
            network.restart(self.back[0])
            self.back = None
        if once(run, "delay", time > 10):
            proxy.longest_delay = 0.02
        for number in range(1, 6):
            if once(run, f"cut {number}", time > 40 * number):
                proxy.cut()
        if once(run, "broker killed", time > 70):
            run.mosquitto.kill()
            run.mosquitto.start()
        if once(run, "stalled", time > 100):
            proxy.stall()
            flow = threading.Timer(2.0, proxy.flow)
            flow.start()
        table = network.table
        if table is not None and time > 20 and self.back is None:
            view = table.sitting.view()
            if in_the_middle_of_a_steal(view) and once(run, "node killed in a steal", True):
                name = f"mat{view.current}"
                network.nodes[name].kill()
                self.back = (name, time + 2.0)


@pytest.mark.long
def test_a_whole_game_of_five_mats_in_a_storm_is_ruled_as_in_a_calm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(seats=5, seed=3, tray="none")
    calm, quiet = played(tmp_path / "calm", settings)
    stormy, run = played(tmp_path / "storm", settings, Storm(), mix=2)
    slowest, busiest = minutes(quiet)
    with capsys.disabled():
        print(f"\nquietest minute {slowest} bytes ({slowest * 8 / 60000:.0f} kb/s)")
        print(f"busiest minute {busiest} bytes ({busiest * 8 / 60000:.0f} kb/s)")
        print(f"\n{len(calm)} entries; calm: {quiet.proxy.passed} bytes in {quiet.network.time:.0f} s")
        print(f"storm: {run.proxy.passed} bytes in {run.network.time:.0f} s, {run.done}, "
              f"{run.network.mixed.doubled} doubled, {run.network.mixed.swapped} swapped")  # fmt: skip
    assert "node killed in a steal" in run.done
    assert stormy == calm
    assert busiest * 8 / 60 <= 1_000_000


def minutes(run: Run) -> tuple[int, int]:
    """Bytes that came from the nodes in the quietest and in the busiest minute of the game's own time."""
    heard = run.network.heard
    starts = range(0, int(run.network.time) - 60, 5)
    counts = [sum(count for time, count in heard if start <= time < start + 60) for start in starts]
    return min(counts), max(counts)
