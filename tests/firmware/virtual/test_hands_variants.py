"""Hands of draw and stud in every variant, among lively people and cheats, and through the cameras."""

import pytest

from firmware.virtual.play import Settings
from firmware.virtual.rendered import direct_link
from firmware.virtual.run import run_games
from firmware.virtual.server import build_table
from tests.firmware.virtual.handplay import CHIPS, all_right, caught_all, played


@pytest.mark.long
@pytest.mark.parametrize("name", CHIPS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_lively_people_and_cheats_of_every_kind(name, seats):
    # Two players have soon done with a hand.
    figures, _ = played(name, seats=seats, seed=20 + seats, hands=12 if seats == 2 else 4, cheat=0.3, habits=0.6)
    caught_all(figures, 8)


VARIANTS = (
    ("draw", {"openers": True}), ("draw", {"small_blind": 1, "big_blind": 2}), ("draw", {"limit": "pot", "eval": "27"}),
    ("draw", {"limit": "fixed", "draws": 2, "eval": "a5"}), ("draw", {"draw_four_with_ace": "keep_and_show"}),
    ("stud", {"bring_in": 2, "ante": 1}), ("stud", {"last_down": True}), ("stud", {"eval": "a5"}), ("stud", {"eval": "soko"}),
    ("stud", {"eval": "hilo"}), ("stud", {"eval": "hilo", "declare": "clockwise_from_last_bettor"}), ("stud", {"stack": 12}),
    ("casino-stud", {"suit_ties": True, "stack": 15}),
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("name", "rules"), VARIANTS, ids=str)
def test_every_variant_is_played_and_paid_out(name, rules):
    figures, _ = played(name, seats=4, hands=4, seed=31, rules=tuple(rules.items()), cheat=0.1)
    caught_all(figures, 0)


@pytest.mark.long
@pytest.mark.parametrize("name", CHIPS)
def test_hands_are_followed_by_the_cameras(name):
    settings = Settings(game=name, seats=3, seed=2, hands=2, cheat=0.2)
    figures = run_games(settings, 1, open_link=lambda: direct_link(build_table))
    caught_all(figures, 3)
    assert figures.frames > 1000


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_camera_above_follows_lively_people_and_cheats(seats):
    caught_all(played("stud", seats=seats, seed=seats, hands=4, cheat=0.3, habits=0.5, upcards="overhead")[0], 8)


@pytest.mark.long
@pytest.mark.parametrize("name", ["stud", "casino-stud"])
@pytest.mark.parametrize("sources", ["mat,tap,bot", "tap,mat,mat,bot", "mat,bot,tap,mat,tap"])
@pytest.mark.parametrize("upcards", ["overhead", "scan", "tap"])
def test_lively_people_beside_taps_and_bots(name, sources, upcards):
    given = tuple(sources.split(","))
    figures, _ = played(name, seats=len(given), sources=given, seed=9, hands=3, cheat=0.2, habits=0.5, upcards=upcards)
    caught_all(figures, 1)


@pytest.mark.parametrize("upcards", ["scan", "overhead"])
def test_the_cameras_read_hidden_cards_and_open_ones_and_tell_backs(upcards):
    settings = Settings(game="stud", seats=2, seed=4, hands=1, upcards=upcards)
    figures = run_games(settings, 1, open_link=lambda: direct_link(build_table))
    all_right(figures)
    assert figures.unknown_reads == 0
