"""Hands of draw and stud at the virtual table: followed to the payout, cheats named, figures that fall when it is spoilt."""

import random
from dataclasses import replace

import pytest

from companion.cards import Unknown
from companion.games import find_game
from companion.games.poker_acts import Announce, Call, Check, Discard, Fold, Wager
from companion.observation import Call as Call_
from companion.observation import Claim
from companion.rulings import Ruling, Verdict
from companion.table import slot
from firmware.virtual.cheats import Cheat
from firmware.virtual.hand_cheats import HAND_MAKERS, SELDOM
from firmware.virtual.hand_players import EXCHANGING
from firmware.virtual.hand_truth import HandTruth
from firmware.virtual.ideal import IdealTable
from firmware.virtual.kinds import kind_of
from firmware.virtual.measure import Figures
from firmware.virtual.play import Settings
from firmware.virtual.rendered import direct_link
from firmware.virtual.run import run_games
from firmware.virtual.server import build_table
from firmware.virtual.situation import Plan
from firmware.virtual.stage import Until
from tests.firmware.virtual.handplay import CHIPS, all_right, caught_all, played

SLOW = ("not_your_turn", "slot_empty")
"""Cards that are not there may be in a hand for a good while, so these take long to be named."""
QUICK = tuple(kind for kind in HAND_MAKERS if kind not in SLOW)


# Honest hands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHIPS)
def test_a_hand_is_followed_to_its_payout(name):
    figures, script = played(name)
    all_right(figures)
    assert figures.to_json()["payouts_right"] == 1
    assert sum(script.truth.game.result(script.truth.state).stacks) == 3 * 200


def test_the_button_moves_and_the_chips_go_along_from_hand_to_hand():
    figures, script = played("draw", hands=2, seats=2)
    assert (figures.games, figures.reveals) == (1, 2)
    all_right(figures)
    options = script.truth.state.options
    assert (options.hand, options.dealer) == (2, 0)
    assert sum(map(int, options.stacks.split())) == 400


def test_a_hand_in_which_the_antes_take_all_chips_is_dealt_out_and_shown():
    figures, script = played("stud", seats=2, rules=(("stack", 2),))
    assert (figures.turns, figures.notes) == (0, [])
    assert figures.reveals_right == figures.payouts_right == 1
    assert script.truth.state.turn == 0


def test_the_same_seed_plays_the_same_hand_and_another_one_another():
    first, again, other = (played("draw", seed=seed, seats=2)[1].record.trace for seed in (5, 5, 6))
    assert first == again != other


@pytest.mark.parametrize(("name", "sources"), [("stud", ("mat", "tap", "bot")), ("draw", ("tap", "bot", "mat"))])
def test_taps_and_bots_play_beside_mats(name, sources):
    figures, _ = played(name, sources=sources, seed=3)
    all_right(figures)


SEEDS = (1, 2)
DECLARING = ("simultaneous", "clockwise_from_last_bettor")


def of_page(view, seat, table):
    """What somebody at the page taps: he stays in as cheaply as he can; the rest is left to chance."""
    offers = list(table.sitting.offers(seat))
    offers = [offer for offer in offers if offer.move.kind in ("check", "call", "bring_in")] or offers
    return random.Random(f"{view.turn} {seat}").choice(offers) if offers else None


class Tapped(IdealTable):
    """A table at which living people play some seats by tap."""

    persons = ()

    def step(self, time, world, said):
        view = super().step(time, world, said)
        # Everybody lets the dealer finish first.
        for seat in self.persons if view.phase != "over" and time > 25 and round(time * 10) % 10 == 0 else ():
            offer = of_page(view, seat, self)
            if offer is not None:
                self.sitting.claim(seat, offer.id)
        return view


def tapped(persons, made=None):
    def open_table(game, settings, world, rng):
        table = Tapped(game, settings, 1)
        table.persons = persons
        if made is not None:
            made.append(table)
        return table

    return open_table


@pytest.mark.parametrize("name", CHIPS)
def test_people_at_the_page_play_beside_those_at_the_table(name):
    figures, script = played(
        name, seats=3, seed=4, sources=("tap", "mat", "mat"), persons=(0,), open_table=tapped((0,)),
    )  # fmt: skip
    all_right(figures)
    assert {0, 1, 2} >= {turn.action["seat"] for turn in script.record.turns} > {0}


@pytest.mark.long
@pytest.mark.parametrize("declare", DECLARING)
def test_what_bots_and_people_go_for_is_followed_though_nobody_is_told_before_the_end(declare):
    sides = set()
    for seed in SEEDS:
        figures, script = played(
            "stud", seats=4, seed=seed, sources=("mat", "tap", "bot", "bot"), persons=(1,), open_table=tapped((1,)),
            rules=(("eval", "hilo"), ("declare", declare), ("stack", 30)),
        )  # fmt: skip
        all_right(figures)
        sides |= {(turn.action["seat"], turn.action["side"]) for turn in script.record.turns if turn.action["type"] == "declare"}
    assert {side for seat, side in sides if seat} == {"high", "low"}


@pytest.mark.parametrize("name", CHIPS)
def test_what_is_taken_back_on_the_page_is_laid_back_and_played_anew(name):
    """Twice something is taken back, and once it is done again."""
    made, undone = [], []

    def guest(script):
        for name in ("undo", "undo", "redo"):
            yield Until(lambda: script.truth.state.turn >= 2 and not script.busy, 60.0)
            yield 0.3
            undone.append(made[0].sitting.view().turn)
            script.stage.say(0, Call_(name))
            yield 6.0

    figures, script = played(name, seed=6, seats=3, guest=guest, open_table=tapped((), made))
    assert undone and script.record.finished
    assert figures.false_accusations == 0
    assert figures.reveals_right == figures.payouts_right == 1


def test_open_cards_that_are_tapped_in_need_no_scan():
    faces = []

    class Watching(IdealTable):
        def step(self, time, world, said):
            faces.extend(what for what in said if type(what.what).__name__ == "Entry")
            return super().step(time, world, said)

    def opener(game, settings, world, rng):
        return Watching(game, settings, 1)

    all_right(played("stud", open_table=opener)[0])
    assert faces == [], "what is scanned nobody has to tap in"
    all_right(played("stud", open_table=opener, upcards="overhead")[0])
    assert faces == [], "nor what a camera above reads"
    all_right(played("stud", open_table=opener, upcards="tap")[0])
    assert len(faces) >= 3


def test_what_is_shuffled_anew_is_known_to_the_truth():
    """Five players who exchange three cards twice want thirty of the twenty-seven that are left."""
    truth = HandTruth(find_game("draw"), 5, {"draws": 2}, random.Random(1))
    for _ in range(2):
        for seat in range(5):
            truth.do({"type": "check", "seat": seat})
        for seat in range(5):
            truth.do({"type": "draw", "seat": seat, "slots": [1, 2, 3]})
    cards = list(truth.state.table.cards())
    assert len(set(cards)) == 52 and not any(isinstance(card, Unknown) for card in cards)


# Cheats ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["draw", "stud"])
def test_violations_are_caught_by_their_names_and_put_right(name):
    figures, _ = played(name, seed=7, cheat=0.9, kinds=QUICK)
    caught_all(figures, 4)


@pytest.mark.parametrize(
    ("upcards", "kind"),
    [
        ("overhead", "unexplained_change"), pytest.param("scan", "upcard_moved", marks=pytest.mark.long),
        pytest.param("tap", "upcard_moved", marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_open_cards_that_are_lifted_or_swapped_are_caught_however_they_are_read(upcards, kind):
    """With a camera above a lift is none, because it sees that the same card lies there again; another card it sees, too."""
    figures, _ = played("stud", seats=2, seed=7, cheat=0.9, kinds=(kind,), upcards=upcards)
    caught_all(figures, 2)
    assert set(figures.to_json()["violations"]) == {kind}


@pytest.mark.parametrize(("name", "kind"), [("draw", "drew_out_of_turn"), ("casino-stud", "not_your_turn")])
def test_a_tap_out_of_turn_is_refused_with_its_reason_and_counts_as_caught(monkeypatch, name, kind):
    monkeypatch.setattr("firmware.virtual.hand_cheats.TAPPED", 1.0)
    figures, _ = played(name, seed=7, cheat=0.9, kinds=(kind,))
    tally = figures.violations[kind]
    assert tally.made >= 2 and (tally.caught, tally.misnamed) == (tally.made, 0)
    assert figures.put_backs == 0, "no card has moved"
    all_right(figures)


def test_a_table_that_tells_no_reason_has_not_caught_the_tap(monkeypatch):
    monkeypatch.setattr("firmware.virtual.hand_cheats.TAPPED", 1.0)

    class Silent(IdealTable):
        def refused(self):
            return ("no_offer",) if super().refused() else ()

    def opener(game, settings, world, rng):
        return Silent(game, settings, 1)

    figures, _ = played("draw", seed=7, cheat=0.9, kinds=("not_your_turn",), open_table=opener)
    tally = figures.violations["not_your_turn"]
    assert (tally.caught, tally.misnamed) == (0, tally.made) and tally.made > 0


def test_a_referee_who_accepts_everything_catches_nothing(monkeypatch):
    monkeypatch.setattr("firmware.virtual.hand_players.LONG_PATIENCE", 4.0)

    class AcceptsEverything(type(find_game("stud"))):
        def explain_without(self, state, change, ruled_out):
            ruling = super().explain_without(state, change, ruled_out)
            return Ruling(Verdict.NOTHING) if ruling.verdict is Verdict.ILLEGAL else ruling

    def opener(game, settings, world, rng):
        return IdealTable(AcceptsEverything(), settings, 1)

    figures, _ = played("stud", seats=2, seed=7, cheat=0.3, kinds=("upcard_moved",), open_table=opener)
    tally = figures.violations["upcard_moved"]
    assert (tally.made > 0, tally.caught) == (True, 0)


def test_an_open_card_that_is_lifted_while_others_bet_is_noticed_all_the_same():
    lifted = []

    def guest(script):
        yield Until(lambda: script.truth.state.turn >= 1, 60.0)
        place = slot(script.truth.state.order[0], 2)
        if not script.world.lying(place):
            place = slot(script.truth.state.order[1], 2)
        piece = script.world.top(place)
        yield from script.hands.lift(place.seat, place, piece)
        yield from script.hands.lay(piece, place, face_down=False)
        lifted.append(script.truth.state.turn)
        yield Until(lambda: script.stage.view.violation is not None, 60.0)
        lifted.append(script.stage.view.violation.error)
        yield from script.dealing.scan_anew(place)

    _, script = played("stud", seed=2, guest=guest)
    assert lifted[1:] == ["upcard_moved"]
    assert script.record.finished


@pytest.mark.parametrize("name", ["draw", "casino-stud"])
def test_what_is_tapped_out_of_turn_is_refused_and_changes_nothing(name):
    tapped = []

    def guest(script):
        while script.truth.state.phase != "over":
            yield 1.7
            state, view = script.truth.state, script.stage.view
            # Where somebody has just tapped, the page may already ask the next one.
            if view.turn != state.turn or state.current is None or script.stage._said:
                continue
            for seat in set(range(3)) - {state.current}:
                for act in (Check(seat), Call(seat), Fold(seat), Wager(seat, 20), Discard(seat, ()), Announce(seat, 1)):
                    script.stage.say(seat, Claim(act))
                    tapped.append(act)

    figures, _ = played(name, guest=guest)
    assert len(tapped) > 20
    all_right(figures)


def test_a_payout_that_is_told_wrongly_is_not_right():
    class Cheats(IdealTable):
        def step(self, time, world, said):
            view = super().step(time, world, said)
            if view.result is None:
                return view
            return replace(view, result=replace(view.result, won=view.result.won[::-1]))

    figures, _ = played("draw", seats=2, open_table=lambda game, settings, world, rng: Cheats(game, settings, 1))
    assert (figures.reveals_right, figures.payouts_right) == (1, 0)


def test_there_is_a_way_to_commit_every_kind_and_no_other():
    assert set(SELDOM) <= set(HAND_MAKERS)
    for name in CHIPS:
        game = find_game(name)
        assert kind_of(game).cheats is HAND_MAKERS
        unknown = {kind for kind in HAND_MAKERS if game.rule_against(kind) is None}
        assert unknown <= {"upcard_moved", "too_many_discards", "wrong_count", "drew_out_of_turn"}


def test_people_are_tempted_more_readily_while_cards_are_exchanged(monkeypatch):
    """Else the kinds that are only possible then would come about seldom, or never."""
    tempted = set()

    def tempt(script, weight, only=None):
        tempted.add((script.truth.state.hand.phase, weight))
        yield from ()

    monkeypatch.setattr("firmware.virtual.hand_players.HandScript.maybe_cheat", tempt)
    played("draw", seats=2)
    assert tempted == {("bet", 1.0), ("draw", EXCHANGING), ("over", 1.0)}
    assert EXCHANGING > 1.0


@pytest.mark.parametrize("name", CHIPS)
def test_every_kind_is_due_equally_often_in_a_series_whatever_is_played_beside_it(name):
    leanings = [kind_of(find_game(name)).leaning(number) for number in range(6)]
    assert {kind: [leaning[kind] for leaning in leanings].count(0) for kind in HAND_MAKERS} == dict.fromkeys(HAND_MAKERS, 2)
    assert len({tuple(leaning.values()) for leaning in leanings}) == 3
    assert kind_of(find_game("steal")).leaning(1) == {}


def test_what_is_due_in_a_game_comes_first():
    made = []
    makers = {kind: lambda view, kind=kind: made.append(kind) or Plan(kind, iter(()), 0) for kind in HAND_MAKERS}
    for number in range(3):
        cheat = Cheat(1.0, random.Random(number), kind_of(find_game("draw")).leaning(number), tuple(makers), makers, SELDOM)
        for _ in range(len(makers) // 3):
            cheat.plan(None)
    assert len(set(made)) == len(made) == 12


def test_a_series_begins_each_game_with_what_is_due_in_it(monkeypatch):
    given = []

    def play(game, settings, number, open_table, make_pose, cheats):
        given.append(cheats)
        return Figures(), None

    monkeypatch.setattr("firmware.virtual.run.play_game", play)
    run_games(Settings(game="draw", seats=2), 2, open_link=lambda: direct_link(build_table))
    assert given == [kind_of(find_game("draw")).leaning(number) for number in (0, 1)]


def test_a_game_that_nobody_can_play_is_said():
    class Patience(type(find_game("steal")).__mro__[1]):
        name = "patience"

    Patience.__abstractmethods__ = frozenset()
    with pytest.raises(LookupError, match="nobody at the virtual table can play patience"):
        kind_of(Patience())
