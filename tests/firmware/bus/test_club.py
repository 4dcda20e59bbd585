"""Three tables and their club on one real broker."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from http.cookiejar import CookieJar
from pathlib import Path
from threading import Event
from time import monotonic
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from companion.games import find_game
from companion.views import View
from firmware.bus.broker import Table
from firmware.bus.club import ClubDesk, club_link, rules_from
from firmware.bus.hub import Hub
from firmware.bus.link import Link
from firmware.bus.messages import Answer, answer_bytes
from firmware.bus.topics import Topics
from firmware.clubrules import with_house_rules
from firmware.errors import BusError
from firmware.node import Node
from tests.companion import tables
from tests.firmware.bus.brokers import Mosquitto, needs_mosquitto

SOON_S = 20.0


def until(test: Callable[[], bool]) -> None:
    """Until something that another program says has arrived."""
    ends, pause = monotonic() + SOON_S, Event()
    while not test():
        assert monotonic() < ends
        pause.wait(0.02)


def with_sources(view: View, *sources: str) -> View:
    return replace(view, seats=tuple(replace(seat, source=source) for seat, source in zip(view.seats, sources, strict=False)))


@needs_mosquitto
def test_three_tables_of_mats_taps_and_both_are_seen_asked_and_told_the_rules(tmp_path: Path) -> None:
    names = ("mats", "taps", "mixed")
    mosquitto = Mosquitto(tmp_path / "broker", [Table(name) for name in names])
    hubs = {name: open_hub(mosquitto, name) for name in names}
    club = ClubDesk(club_link(mosquitto.login("club")), tmp_path / "evening.json", lambda: 5000.0)
    try:
        for name, sources in zip(names, (("mat",) * 5, ("tap",) * 5, ("mat", "tap", "tap")), strict=True):
            hubs[name].publish(with_sources(tables.playing(), *sources))
        until(lambda: sorted(one.name for one in club.floor().tables.values() if one.seats and one.here) == sorted(names))
        assert {seat.source for seat in club.floor().tables["mixed"].seats} == {"mat", "tap"}
        hubs["taps"].publish(tables.stopped())
        until(lambda: club.floor().tables["taps"].asks == "stopped")
        hubs["taps"].publish(tables.playing())
        until(lambda: club.floor().tables["taps"].asks == "")
        hubs["mats"].publish(tables.won())
        until(lambda: len(club.floor().results) == 1)
        assert club.floor().results[0].table == "mats"
        club.push_rules("steal", {"tie_break": "share"})
        until(lambda: all(hub.house_rules("steal") == {"tie_break": "share"} for hub in hubs.values()))
        club.begin_round(30)
        hubs["mixed"].close()
        until(lambda: not club.floor().tables["mixed"].here)
        club.close()
        club = ClubDesk(club_link(mosquitto.login("club")), tmp_path / "evening.json", lambda: 5000.0)
        until(lambda: len(club.floor().tables) == 3 and club.floor().ends is not None and bool(club.rules()))
        assert (club.floor().round, club.floor().ends, len(club.floor().results)) == (1, 5000.0 + 1800, 1)
        assert club.rules() == {"steal": {"tie_break": "share"}}
    finally:
        club.close()
        for hub in hubs.values():
            hub.close()
        mosquitto.kill()


@needs_mosquitto
def test_the_command_serves_its_page_to_whoever_has_the_key(tmp_path: Path) -> None:
    mosquitto = Mosquitto(tmp_path / "broker", [Table("red")])
    arguments = ["club", "--config", str(tmp_path / "broker" / "club.toml"), "--file", str(tmp_path / "evening.json"),
                 "--host", "127.0.0.1", "--port", "0"]  # fmt: skip
    program = subprocess.Popen([sys.executable, "-m", "firmware", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        address = program.stdout.readline().removeprefix("The club is at ").strip()
        opener = build_opener(HTTPCookieProcessor(CookieJar()))
        with opener.open(address, timeout=SOON_S) as page:
            assert "No table has been heard of yet." in page.read().decode()
    finally:
        program.terminate()
        program.communicate(timeout=SOON_S)
        mosquitto.kill()
    assert program.returncode == 0


def open_hub(mosquitto: Mosquitto, name: str) -> Hub:
    login = mosquitto.login(f"hub-{name}")
    return Hub(
        Topics(name), lambda heard, will: Link(login, f"hub-{name}", Topics(name).for_hub(), heard, will), {}, lambda: 0.0
    )  # fmt: skip


@needs_mosquitto
def test_a_node_knows_when_the_hub_listens_to_another_one_of_its_name(tmp_path: Path) -> None:
    mosquitto = Mosquitto(tmp_path / "broker", [Table("red", ("left",))])
    topics = Topics("red")
    node = Node("left", topics, mosquitto.login("node-red-left"), monotonic)
    hub = Link(mosquitto.login("hub-red"), "hub-red", topics.for_hub(), lambda topic, payload: None)

    def answered(boot: str) -> None:
        before = node.link.received
        hub.keep(topics.answer("left"), answer_bytes(Answer(boot, True)))
        until(lambda: node.link.received > before)

    try:
        until(lambda: hub.up and node.link.up)
        for boot in ("an earlier life", node.boot, "an earlier life", node.boot):
            answered(boot)
        assert not node.displaced
        answered("somebody else")
        until(lambda: node.displaced)
    finally:
        node.close()
        hub.close()
        mosquitto.kill()


def test_a_clubs_rules_hold_where_the_game_knows_them() -> None:
    game = find_game("steal")
    options = {"tie_break": "suit_significant", "end_count": "in_row"}
    assert with_house_rules(game, options, {"tie_break": "share", "hard_mode": True}) == {**options, "tie_break": "share"}
    assert with_house_rules(game, options, {"tie_break": "coin"}) == options


@pytest.mark.parametrize("payload", [b"[]", b"\xff", b'{"steal": 3}', b'{"steal": {"a": []}}'])
def test_what_is_no_rules_is_refused(payload: bytes) -> None:
    with pytest.raises(BusError, match="rules: "):
        rules_from(payload)
