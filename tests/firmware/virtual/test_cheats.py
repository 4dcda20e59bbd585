"""Every violation is really committed: the cards lie otherwise than the rules have it, and can be put back."""

import random
from itertools import islice

import pytest

from companion.cards import Card, Mark
from companion.games import find_game
from companion.table import PILE, REMOVED, SLOTS, row, slot
from firmware.virtual.cheats import CHANCE, MAKERS, Cheat
from firmware.virtual.measure import KINDS
from firmware.virtual.moves import Hands
from firmware.virtual.situation import Situation
from firmware.virtual.stage import Stage
from firmware.virtual.truth import Truth, differences, split
from firmware.virtual.world import World

AS_SOON_AS = 200


def deal(truth, world):
    for place, cards in truth.expected(world.tray).items():
        for card, face_down in cards:
            world.move(world.piece(card), place, face_down)
    for card in truth.state.table.removed:
        world.move(world.piece(card), REMOVED)


def a_turn(truth, rng):
    kinds = {"draw": 5, "steal": 3, "take": 2}
    legal = truth.legal()
    kind = rng.choices(list(kinds), list(kinds.values()))[0]
    return rng.choice([action for action in legal if action["type"] == kind] or legal)


def situations(hard=False, tray="overhead", seats=4):
    """Positions of random games, cards laid out for each, until a caller has enough."""
    rng = random.Random(7)
    for _ in range(AS_SOON_AS):
        truth = Truth(find_game("steal"), seats, {"hard_mode": True} if hard else {}, rng)
        truth.do({"type": "start"})
        for _ in range(rng.randrange(0, 14)):
            if truth.state.phase == "over":
                break
            truth.do(a_turn(truth, rng))
        if rng.random() < 0.1:
            truth = Truth(find_game("steal"), seats, {}, rng)
        world = World(seats, truth.deck, tray)
        deal(truth, world)
        truth.known.update(truth.deck)
        yield truth, world, Situation(truth.state, world, Hands(world, rng), rng, hard, frozenset(truth.known))


def commit(act, world):
    stage = Stage()
    stage.enter(act)
    lifted = False
    for tick in range(1, 600):
        stage.advance(tick * 0.05)
        lifted = lifted or any(world.ideal(slot(seat, n)) is Mark.EMPTY for seat in range(world.seats) for n in SLOTS)
        if stage.idle:
            return lifted
    raise AssertionError("the gesture never ended")


def a_case(kind, tray="overhead"):
    for truth, world, view in situations(hard=kind == "peek", tray=tray):
        plan = MAKERS[kind](view)
        if plan is not None:
            return truth, world, view, plan
    raise AssertionError(f"{kind} was never possible")


def test_there_is_a_way_to_commit_every_kind_that_is_counted():
    assert set(MAKERS) == set(KINDS)
    assert set(CHANCE) <= set(KINDS)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "peek"])
def test_after_a_violation_cards_lie_where_they_must_not_and_can_be_put_back(kind):
    truth, world, _, plan = a_case(kind)
    assert not differences(truth, world), "before it everything lies as it should"
    commit(plan.act, world)
    assert plan.kind == kind
    assert differences(truth, world), f"{kind} left no trace"
    on_boards, off = split(differences(truth, world))
    for piece, spot, face_down in (*off, *on_boards):
        world.move(piece, spot, face_down)
    assert not differences(truth, world)
    pile = [laid.piece.face for laid in reversed(world.lying(PILE))]
    assert pile == list(truth.state.table.pile), "the pile is in its old order again"


def test_a_peek_lifts_a_card_and_leaves_everything_as_it_was():
    truth, world, _, plan = a_case("peek")
    assert commit(plan.act, world)
    assert not differences(truth, world)


def test_nobody_peeks_where_looking_is_allowed():
    assert all(MAKERS["peek"](view) is None for _, _, view in islice(situations(hard=False), 20))


def test_a_double_shows_a_face_that_lies_in_sight_elsewhere():
    _, world, _, plan = a_case("duplicate_card")
    commit(plan.act, world)
    seen = [world.ideal(slot(seat, n)) for seat in range(4) for n in SLOTS] + [world.ideal(row(n)) for n in range(1, 10)]
    cards = [one for one in seen if isinstance(one, Card)]
    assert len(cards) - len(set(cards)) == 1


def test_a_foreign_card_is_a_joker():
    _, world, _, plan = a_case("foreign_card")
    commit(plan.act, world)
    assert [world.ideal(slot(seat, n)) for seat in range(4) for n in SLOTS].count(Mark.FOREIGN) == 1


def test_only_the_right_seats_act_out_of_turn():
    for kind in ("ender_acted", "already_had_final_turn", "acted_twice", "not_your_turn"):
        truth, _, view, plan = a_case(kind)
        state = truth.state
        assert plan.who != state.current
        assert (plan.who == state.ender) is (kind == "ender_acted")
        assert (state.phase == "final") or kind in ("acted_twice", "not_your_turn")
        assert view.seat == state.current


def test_a_stolen_card_is_snatched_back_only_where_a_lock_forbids_it():
    truth, _, _, plan = a_case("steal_back_locked")
    assert any(lock.victim == plan.who and truth.state.turn - lock.turn < 4 for lock in truth.state.locks)


def test_where_nothing_sees_the_row_a_card_kept_from_it_is_invisible_and_counts_as_the_honest_turn():
    _, _, _, plan = a_case("replaced_card_not_in_row", tray="none")
    assert plan.invisible
    assert plan.turn is not None
    assert plan.turn["type"] == "draw"
    _, _, _, seen = a_case("replaced_card_not_in_row")
    assert not seen.invisible
    assert seen.turn is None


def test_nobody_cheats_with_chance_nought_and_everybody_with_chance_one():
    assert not any(Cheat(0.0, random.Random(1)).tempted() for _ in range(200))
    assert all(Cheat(1.0, random.Random(1)).tempted() for _ in range(200))


def test_kinds_that_came_seldom_come_first():
    _, _, view, _ = a_case("wrong_slot")
    cheat = Cheat(1.0, random.Random(1), dict.fromkeys(KINDS, 5) | {"wrong_slot": 0})
    assert cheat.plan(view).kind == "wrong_slot"
    assert cheat.counts["wrong_slot"] == 1


def test_the_kinds_can_be_narrowed():
    _, _, view, _ = a_case("wrong_slot")
    assert Cheat(1.0, random.Random(1)).plan(view, ("game_over",)) is None


@pytest.mark.parametrize("first", range(4))
def test_cards_that_wander_before_the_start_are_not_those_of_the_seat_that_begins(first):
    for seed in range(12):
        rng = random.Random(seed)
        truth = Truth(find_game("steal"), 4, {"first_seat": first}, rng)
        world = World(4, truth.deck, "overhead")
        deal(truth, world)
        plan = MAKERS["not_started"](Situation(truth.state, world, Hands(world, rng), rng, False, frozenset(truth.deck)))
        before = [[world.ideal(slot(seat, n)) for n in SLOTS] for seat in range(4)]
        commit(plan.act, world)
        moved = {seat for seat in range(4) if [world.ideal(slot(seat, n)) for n in SLOTS] != before[seat]}
        assert len(moved) == 2 and first not in moved
