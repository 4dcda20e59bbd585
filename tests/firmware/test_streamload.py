"""The measurement of the event stream: that it counts what it should, and a short run of the real thing."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli import main
from firmware.streamload import Game, Heard, Served, figures, rss_mb

SEEN = Served(tuple((version, float(version)) for version in range(1, 11)), 2.5, 10.0, (50.0, 51.0, 52.0))


def page(*versions: int, late: float = 0.25) -> Heard:
    return Heard(tuple((version, version + late) for version in versions))


def test_a_page_that_was_told_everything() -> None:
    found = figures(SEEN, [page(*range(1, 11)), page(0, *range(1, 11))])
    assert (found["clients"], found["updates"], found["received"], found["lost"], found["out_of_order"]) == (2, 10, 20, 0, 0)
    assert found["updates_per_second"] == 1.0
    assert found["server_cpu_fraction"] == 0.25
    assert found["delay_ms"] == {"p50": 250.0, "p95": 250.0, "max": 250.0}
    assert found["rss_mb"] == {"first": 50.0, "last": 52.0}


def test_what_one_page_missed_is_lost_whatever_the_others_heard() -> None:
    assert figures(SEEN, [page(*range(1, 11)), page(1, 2, 4, 5, 6, 9, 10)])["lost"] == 3


def test_an_update_that_comes_late_or_twice_is_out_of_order() -> None:
    assert figures(SEEN, [page(1, 3, 2, 4), page(5, 5)])["out_of_order"] == 2


def test_the_games_go_on_for_ever_and_every_step_is_an_update() -> None:
    game = Game(3)
    versions, began = [], 0
    for _ in range(120):
        before = game.evening.sitting
        versions.append(game.step())
        began += game.evening.sitting is not before
    assert all(later > earlier for earlier, later in pairwise(versions))
    assert began >= 2


def test_memory_is_read_from_the_system(tmp_path: Path) -> None:
    statm = tmp_path / "statm"
    statm.write_text("5000 1000 300 1 0 2000 0\n")
    assert rss_mb(statm) == pytest.approx(1000 * 4096 / 1e6)
    assert rss_mb() > 5


def test_a_short_run_of_the_real_thing() -> None:
    answer = CliRunner().invoke(main, ["streams", "--clients", "2", "--seconds", "2", "--rate", "5", "--json"])
    found = json.loads(answer.output)
    assert answer.exit_code == (1 if found["lost"] else 0)
    assert (found["clients"], found["out_of_order"]) == (2, 0)
    assert found["updates"] > 2
    assert found["received"] + found["lost"] == 2 * found["updates"]
    assert found["rss_mb"]["last"] > 5
