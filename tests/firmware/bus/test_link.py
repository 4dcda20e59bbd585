"""The connection to a real broker: away, encrypted, and taken over by somebody else."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest

from firmware.bus.broker import Table
from firmware.bus.hub import Hub
from firmware.bus.link import Broker, Link
from firmware.bus.topics import Topics
from tests.firmware.bus.brokers import Mosquitto, needs_mosquitto

pytestmark = needs_mosquitto

SOON_S = 20.0
RED = Table("red", ("left",))
TOPICS = Topics("red")


def until(true: Callable[[], bool]) -> None:
    end = monotonic() + SOON_S
    while not true():
        assert monotonic() < end, "it does not come true"
        sleep(0.02)


@contextmanager
def broker(folder: Path, encrypted: bool = False) -> Iterator[Mosquitto]:
    mosquitto = Mosquitto(folder / "broker", [RED], encrypted)
    try:
        yield mosquitto
    finally:
        mosquitto.kill()


def linked(login: Broker, name: str = "hub-red", heard: Callable[[str, bytes], None] = lambda topic, payload: None) -> Link:
    return Link(login, name, ("viewmat/red/node/#",), heard)


def test_a_broker_that_is_away_is_told_once_and_again_when_it_is_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with broker(tmp_path) as mosquitto:
        mosquitto.kill()
        with closing(linked(mosquitto.login("hub-red"))):
            until(lambda: bool(caplog.messages))
            mosquitto.start()
            until(lambda: len(caplog.messages) > 1)
        assert caplog.messages == [
            f"cannot reach the broker at 127.0.0.1:{mosquitto.port} ([Errno 111] Connection refused); trying on",
            f"the broker at 127.0.0.1:{mosquitto.port} is there again",
        ]


def started(mosquitto: Mosquitto, since: float) -> Hub:
    login, name = mosquitto.login("hub-red"), f"hub-red-{since}"
    topics = TOPICS.for_hub()
    return Hub(TOPICS, lambda heard, will: Link(login, name, topics, heard, will), {"left": 0}, monotonic, f"{since:g}", since)


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_hubs_of_one_table_one_stays(first: int, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The one whose clock said more at its start, in whatever order they come to the broker."""
    heard: dict[str, bytes] = {}
    with ExitStack() as stack:
        mosquitto = stack.enter_context(broker(tmp_path))
        hubs = [started(mosquitto, since) for since in ((1.0, 2.0), (2.0, 1.0))[first]]
        for hub in hubs:
            stack.callback(hub.close)
        node = Link(mosquitto.login("node-red-left"), "node", (TOPICS.windows("left"),), heard.__setitem__)
        stack.callback(node.close)

        def work() -> bool:
            for hub in hubs:
                hub.work(monotonic())
            return any(hub.displaced for hub in hubs)

        earlier, later = (hubs[first], hubs[1 - first])
        assert all(hub.link.wait(SOON_S) for hub in hubs)
        earlier.place("left", 3)
        until(work)
        assert (earlier.displaced, later.displaced) == (True, False)
        until(lambda: not earlier.link.up)
        # What the earlier one has written meanwhile is written over.
        until(lambda: work() and b'"plate":"2-' in heard.get(TOPICS.windows("left"), b""))
        assert later.link.up
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert told == ["another program has come as the hub of table red; this one leaves the bus until it is started anew"]


def test_what_goes_through_an_encrypted_broker_arrives(tmp_path: Path) -> None:
    heard: list[tuple[str, bytes]] = []
    with (
        broker(tmp_path, encrypted=True) as mosquitto,
        closing(linked(mosquitto.login("hub-red"), heard=lambda *said: heard.append(said))) as hub,
        closing(linked(mosquitto.login("node-red-left"), "node-red-left")) as node,
    ):
        assert hub.wait(SOON_S) and node.wait(SOON_S)
        until(lambda: node.send("viewmat/red/node/left/press", b"pressed") and bool(heard))
    assert heard[0] == ("viewmat/red/node/left/press", b"pressed")


# paho-mqtt leaves a socket whose handshake has failed to the collector.
@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")
def test_nobody_gives_his_password_to_a_broker_that_is_not_the_right_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:  # fmt: skip
    """Neither to one of another authority, nor to one that does not encrypt, nor as plain text to one that does."""
    with broker(tmp_path / "right", encrypted=True) as right, broker(tmp_path / "false", encrypted=True) as false:
        login = replace(right.login("hub-red"), port=false.port)
        with closing(linked(login)) as link:
            until(lambda: bool(caplog.messages))
            assert not link.up
        assert "CERTIFICATE_VERIFY_FAILED" in caplog.messages[0]
        with closing(linked(replace(right.login("hub-red"), ca=""))) as link:
            assert not link.wait(1.5)
    with broker(tmp_path / "plain") as plain, closing(linked(replace(login, port=plain.port))) as link:
        assert not link.wait(1.5)
