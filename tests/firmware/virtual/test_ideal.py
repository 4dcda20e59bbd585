"""Whole games with a perfect reader: the referee follows them, and the figures fall when it is spoilt."""

from dataclasses import replace

import pytest

from companion.choices import ASKED
from companion.games.steal import Steal
from companion.rulings import Ruling, Verdict
from firmware.virtual.ideal import IdealTable, open_ideal
from firmware.virtual.play import Settings, play_game


class AcceptsEverything(Steal):
    """A referee who sees nothing wrong."""

    def explain(self, state, change):
        ruling = super().explain(state, change)
        return Ruling(Verdict.NOTHING) if ruling.verdict is Verdict.ILLEGAL else ruling


class WithoutLocks(Steal):
    """Rules in which everything may be stolen back at once."""

    def after(self, state, action):
        return replace(super().after(state, action), locks=())


def spoilt(game):
    """Opens tables that play by other rules than the players."""

    def opener(_game, settings, world, rng):
        return IdealTable(game, settings, rng.randrange(100))

    return opener


def totals(open_table, numbers, settings, **more):
    played = [play_game(Steal(), settings, number, open_table, **more) for number in numbers]
    total = played[0][0]
    for figures, _ in played[1:]:
        total.add(figures)
    return total


@pytest.mark.parametrize("seats", [3, *(pytest.param(seats, marks=pytest.mark.long) for seats in (4, 5))])
def test_an_honest_game_is_followed_to_its_result(seats):
    figures = totals(open_ideal, [0], Settings(seats=seats, seed=3))
    assert figures.turns >= seats
    assert figures.notes == []
    assert figures.turns_right == figures.turns
    assert (figures.false_accusations, figures.questions, figures.wrong_reads) == (0, 0, 0)
    assert figures.reveals_right == figures.reveals == 1
    assert figures.slot_reads > 5 * seats * figures.turns
    assert len(figures.delays) == figures.turns


def test_the_same_seed_plays_the_same_game_and_another_one_another():
    first, again, other = (totals(open_ideal, [0], Settings(seats=3, seed=seed)) for seed in (5, 5, 6))
    assert first.to_json() == again.to_json()
    assert first.to_json() != other.to_json()


def test_lively_people_are_not_accused():
    figures = totals(open_ideal, [0], Settings(seats=4, seed=2, habits=1.0))
    assert figures.notes == []
    assert figures.turns_right == figures.turns
    assert figures.false_accusations == 0


def test_a_tray_that_is_a_mat_is_enough():
    figures = totals(open_ideal, [0], Settings(seats=4, seed=2, tray="mat"))
    assert figures.turns_right == figures.turns
    assert (figures.false_accusations, figures.questions) == (0, 0)


MIXTURES = (
    Settings(seats=4, seed=4, sources=("mat", "tap", "mat", "bot")),
    Settings(seats=5, seed=10, habits=0.5, sources=("bot", "bot", "tap", "mat", "mat")),
    Settings(seats=4, seed=9, habits=0.5, sources=("mat", "tap", "bot", "mat"), tray="none", hard_mode=True),
    Settings(seats=4, seed=16, sources=("bot", "bot", "tap", "bot")),
    Settings(seats=3, seed=31, habits=0.5, sources=("bot", "mat", "bot")),
    Settings(seats=5, seed=26, habits=0.5, sources=("mat", "mat", "bot", "mat", "mat"), tray="mat", hard_mode=True),
    Settings(seats=3, seed=46, habits=0.5, sources=("bot", "mat", "mat"), tray="none"),
    Settings(seats=5, seed=27, habits=0.5, sources=("bot", "tap", "tap", "mat", "mat"), hard_mode=True),
    Settings(seats=4, seed=11, habits=0.5, sources=("bot", "bot", "mat", "mat"), tray="none"),
    Settings(seats=5, seed=37, habits=0.5, tray="none"),
)


@pytest.mark.parametrize(
    "settings",
    [pytest.param(one, marks=() if one in MIXTURES[::4] else pytest.mark.long) for one in MIXTURES],
    ids=lambda one: f"{','.join(one.sources) or 'mats'}-{one.tray}-{one.seed}",
)
def test_taps_and_bots_play_beside_mats_in_any_mixture(settings):
    """Each of these tables has once lost the thread."""
    figures = totals(open_ideal, [0], settings)
    assert figures.turns >= settings.seats
    assert figures.turns_right == figures.turns, figures.notes
    assert figures.false_accusations == 0
    assert figures.reveals_right == 1


CHEATING = Settings(seats=3, seed=1, cheat=0.5)
SOME_KINDS = ("foreign_card", "positions_changed", "two_actions", "wrong_slot", "not_your_turn", "acted_twice")


def test_violations_are_caught_by_their_names_and_put_right():
    figures = totals(open_ideal, [0], CHEATING, kinds=SOME_KINDS)
    made = sum(tally.made for tally in figures.violations.values())
    assert made >= 3
    assert sum(tally.caught for tally in figures.violations.values()) == made, figures.notes
    assert figures.put_backs_recognised == figures.put_backs == made
    assert figures.turns_right == figures.turns


def test_a_referee_who_accepts_everything_catches_nothing():
    figures = totals(spoilt(AcceptsEverything()), [0], CHEATING, kinds=SOME_KINDS)
    assert sum(tally.made for tally in figures.violations.values()) >= 3
    assert sum(tally.caught for tally in figures.violations.values()) == 0


@pytest.mark.long
def test_rules_without_locks_miss_a_card_that_is_stolen_back():
    settings = Settings(seats=3, seed=1, cheat=0.9)
    honest = totals(open_ideal, [0, 1], settings, kinds=("steal_back_locked",)).violations["steal_back_locked"]
    assert honest.made > 0
    assert honest.caught == honest.made
    loose = totals(spoilt(WithoutLocks()), [0, 1], settings, kinds=("steal_back_locked",)).violations["steal_back_locked"]
    assert loose.made > 0
    assert loose.caught == 0


def test_a_table_that_swaps_two_places_reads_wrongly():
    class Crossed(IdealTable):
        def readings(self):
            places, seen = zip(*super().readings(), strict=True)
            return list(zip(places, (seen[1], seen[0], *seen[2:]), strict=True))

    figures = totals(lambda game, settings, world, rng: Crossed(game, settings, 1), [0], Settings(seats=3, seed=3))
    assert figures.wrong_reads > 0
    assert "was read as" in figures.notes[0]


def test_a_game_without_a_table_that_follows_is_given_up():
    class Deaf(IdealTable):
        def step(self, time, world, said):
            return self.sitting.view()

    figures, script = play_game(Steal(), Settings(seats=3, seed=3), 0, lambda game, settings, world, rng: Deaf(game, settings, 1))
    assert not script.record.finished
    assert figures.turns_right == 0
    assert figures.reveals_right == 0
    assert 0 < figures.turns < 10


def test_players_keep_the_house_rules_that_the_page_sets_up():
    """All six at once, and cheats whom their violations cost the turn."""
    rules = tuple((name, values[-1]) for name, values in ASKED["steal"].items())
    figures, script = play_game(Steal(), Settings(seats=3, seed=2, rules=rules, cheat=0.4), 0, open_ideal)
    assert script.record.finished and figures.notes == []
    assert figures.turns_right == figures.turns and figures.reveals_right == 1
    assert script.truth.state.turn > figures.turns, "some turns were lost"
