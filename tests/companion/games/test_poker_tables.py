"""Draw and stud as they lie on a table: open cards, exchanges, hands that were given up, and what cameras make of it."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from companion.cards import DECK, Card, Mark, Unknown
from companion.errors import OptionError, RecordError
from companion.games import find_game
from companion.games.poker_acts import Announce, Call, Check, Declare, Discard, Fold, Sort, Wager
from companion.games.poker_state import PokerState
from companion.games.stud import last_deal
from companion.rulings import Action, Change, Verdict
from companion.table import SLOTS, slot

DRAW: Any = find_game("draw")
STUD: Any = find_game("stud")
CASINO: Any = find_game("casino-stud")


def begun(game: Any, seats: int = 3, deck: tuple[Card, ...] | None = DECK, **options: Any) -> PokerState:
    state: PokerState = game.opened(game.start(seats, game.options(options), deck))
    return state


def after(game: Any, state: PokerState, *actions: Action) -> PokerState:
    for action in actions:
        ruling = game.judge(state, action)
        assert ruling.verdict is Verdict.LEGAL, ruling
        state = game.after(state, action)
    return state


def checked(game: Any, state: PokerState, count: int) -> PokerState:
    """After `count` checks of whoever is in turn."""
    for _ in range(count):
        assert state.current is not None
        state = after(game, state, Check(state.current))
    return state


def seen(state: PokerState, **changes: Any) -> Change:
    """A quiet picture of the table, with what lies otherwise as ``s0_1="As"`` by seat and slot."""
    lying: dict[tuple[int, int], Any] = {
        (seat, number): Mark.EMPTY if card is None else card if isinstance(card, Card) else Mark.UNREADABLE
        for seat, hand in enumerate(state.table.hands) for number, card in zip(SLOTS, hand, strict=True)
    }  # fmt: skip
    for place in STUD.shown(state):
        lying[place.seat, place.number] = Mark.BACK
    for name, claim in changes.items():
        seat, number = map(int, name[1:].split("_"))
        lying[seat, number] = Card.parse(claim) if isinstance(claim, str) else claim
    return Change(tuple(tuple(lying[seat, number] for number in SLOTS) for seat in range(state.seats)), None)


def kind(game: Any, state: PokerState, change: Change) -> tuple[str, int | None]:
    ruling = game.explain(state, change)
    assert ruling.verdict is Verdict.ILLEGAL, ruling
    assert ruling.rule is not None
    return ruling.error, ruling.seat


# ---- the deal ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dealer", "order"), [(None, (0, 1, 2)), (0, (1, 2, 0))])
def test_five_cards_each_from_the_dealers_left(dealer: int | None, order: tuple[int, ...]) -> None:
    state = begun(DRAW, dealer=dealer)
    assert state.order == order
    assert [state.table.hands[seat][0] for seat in order] == list(DECK[:3])
    assert state.current == order[0]
    assert DRAW.public(state).chips.dealer == order[-1]


def test_stud_lies_with_one_card_down_and_one_up() -> None:
    state = begun(STUD)
    assert all(hand[2:] == (None, None, None) for hand in state.table.hands)
    assert STUD.shown(state) == {slot(seat, 2) for seat in range(3)}


def test_h2_two_rounds_are_small_and_two_are_big() -> None:
    assert [street.bet for street in CASINO.terms(CASINO.options({})).streets] == [5, 5, 10, 10]


def test_the_shortage_of_ten_players() -> None:
    assert last_deal(list(range(10)), ["a", "b"], 10) == (*range(10), "a", "b")
    assert last_deal(list(range(11)), ["a", "b"], 10) == tuple(range(11))


# ---- open cards ----------------------------------------------------------------------------------------------------


def test_a_round_waits_for_open_cards_that_nobody_has_read() -> None:
    state = begun(STUD, deck=None)
    assert (state.phase, state.current, STUD.public(state).waits) == ("play", None, "upcards")
    assert list(STUD.legal_actions(state)) == [] == list(STUD.choices(state, 0, False))
    for seat, text in enumerate(("9c", "Kd", "3h")):
        held = state.table.at(slot(seat, 2))
        assert isinstance(held, Unknown)
        state = STUD.learn(state, held, Card.parse(text))
    assert (state.current, STUD.public(state).waits) == (1, "")


def test_a_round_begins_anew_when_an_open_card_is_corrected_before_anybody_acts() -> None:
    state = begun(STUD, deck=None)
    for seat, text in enumerate(("9c", "Kd", "3h")):
        state = STUD.learn(state, state.table.at(slot(seat, 2)), Card.parse(text))
    forgotten = STUD.learn(state, Unknown(77), Card.parse("Kd"))
    assert STUD.public(forgotten).waits == "upcards" and forgotten.table.at(slot(1, 2)) == Unknown(77)
    assert STUD.learn(forgotten, Unknown(77), Card.parse("2d")).current == 0
    acted = after(STUD, state, Check(1))
    renamed = STUD.learn(acted, acted.table.at(slot(0, 1)), Card.parse("Kd"))
    assert renamed.current == 2, "who has acted has acted"


def test_all_in_hands_are_dealt_out_without_waiting() -> None:
    state = begun(CASINO, 2, None, stacks="1 1")
    assert state.phase == "over"
    assert len(CASINO.to_show(state)) == 10


# ---- exchanging ----------------------------------------------------------------------------------------------------


def test_new_cards_lie_where_the_old_ones_lay() -> None:
    state = checked(DRAW, begun(DRAW), 3)
    before, pile = state.table.hands[0], state.table.pile
    state = after(DRAW, state, Discard(0, (2, 4)))
    assert state.table.hands[0] == (before[0], pile[0], before[2], pile[1], before[4])
    assert state.table.removed == (before[1], before[3])


def test_as_many_cards_are_exchanged_as_were_announced() -> None:
    state = after(DRAW, checked(DRAW, begun(DRAW), 3), Announce(0, 2))
    assert {type(choice.action) for choice in DRAW.choices(state, 0, True)} == set()
    assert {choice.action.slots for choice in DRAW.choices(state, 0, False)} == {(a, b) for a in SLOTS for b in SLOTS if a < b}
    assert DRAW.judge(state, Discard(0, (1,))).error == "wrong_count"
    assert DRAW.judge(state, Announce(0, 1)).error == "bad_action"
    new = ("2s", "3s", "4s")
    assert kind(DRAW, state, seen(state, s0_1=new[0])) == ("wrong_count", 0)
    assert kind(DRAW, state, seen(state, s0_1=new[0], s0_2=new[1], s0_3=new[2])) == ("wrong_count", 0)
    ruling = DRAW.explain(state, seen(state, s0_1=new[0], s0_5=new[1]))
    assert (ruling.verdict, ruling.action) == (Verdict.LEGAL, Discard(0, (1, 5)))


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (Discard(0, (1, 2, 3, 4)), "too_many_discards"),
        (Discard(0, (2, 1)), "bad_slot"),
        (Discard(0, (6,)), "bad_slot"),
        (Discard(1, (1,)), "drew_out_of_turn"),
        (Announce(1, 1), "drew_out_of_turn"),
        (Announce(0, 4), "too_many_discards"),
        (Check(0), "bad_action"),
        (Declare(0, "high"), "bad_action"),
        (Sort(0, (1, 1, 2, 3, 4)), "bad_permutation"),
        (Check(9), "bad_seat"),
        (Action(0), "bad_action"),
    ],
)
def test_what_is_refused_in_the_draw(action: Action, error: str) -> None:
    ruling = DRAW.judge(checked(DRAW, begun(DRAW), 3), action)
    assert (ruling.verdict, ruling.error) == (Verdict.ILLEGAL, error)
    assert ruling.rule is not None and ruling.rule.id in DRAW.rules


def test_the_draw_is_not_open_while_there_is_betting() -> None:
    state = begun(DRAW)
    assert DRAW.judge(state, Discard(0, (1,))).error == "draw_not_open" == DRAW.judge(state, Announce(0, 1)).error
    assert kind(DRAW, state, seen(state, s0_1="As")) == ("draw_not_open", 0)


def test_cards_of_one_hand_may_be_sorted_at_any_time() -> None:
    state = checked(DRAW, begun(DRAW), 1)
    hand = state.table.hands[2]
    turned = {f"s2_{number}": str(card) for number, card in zip(SLOTS, hand[::-1], strict=True)}
    ruling = DRAW.explain(state, seen(state, **turned))
    assert ruling.action == Sort(2, (5, 4, 3, 2, 1))
    sorted_ = after(DRAW, state, ruling.action)
    assert sorted_.table.hands[2] == hand[::-1] and (sorted_.current, sorted_.turn) == (1, 1)
    assert DRAW.explain(begun(DRAW), seen(begun(DRAW), **turned)).error == "unexplained_change", "it is being dealt"
    assert STUD.judge(begun(STUD), Sort(0, (2, 1, 3, 4, 5))).error == "bad_action"


def test_d6_what_was_shuffled_is_known_to_nobody() -> None:
    state = begun(DRAW, 5, draws=2)
    for _ in range(2):
        state = checked(DRAW, state, 5)
        for seat in range(5):
            state = after(DRAW, state, Discard(seat, (1, 2, 3)))
            assert len(set(state.table.cards())) == 52
    fresh = [card for card in state.table.cards() if isinstance(card, Unknown)]
    # 27 cards were left, 30 were wanted; the last player has thrown his three away after the shuffle.
    assert len(fresh) == 27 and min(card.number for card in fresh) == 500
    assert len(set(state.table.hands[4]) & set(fresh)) == 3
    thrown = next(card for card in DECK if state.table.find(card) is None)
    earlier = begun(DRAW, 5, draws=2)
    assert DRAW.learn(earlier, fresh[0], thrown) == earlier, "before the shuffle nothing bore that name"
    assert thrown in DRAW.learn(state, fresh[0], thrown).table.cards()


@pytest.mark.parametrize(("option", "shown"), [("keep", set()), ("keep_and_show", {slot(0, 3)})])
def test_d5_a_kept_ace_is_shown_by_house_rule(option: str, shown: set[Any]) -> None:
    state = checked(DRAW, begun(DRAW, deck=None, draw_four_with_ace=option), 3)
    assert max(len(choice.action.slots) for choice in DRAW.choices(state, 0, False)) == 4
    state = after(DRAW, state, Discard(0, (1, 2, 4, 5)))
    assert set(DRAW.shown(state)) == shown


def test_what_is_offered_does_not_tell_who_holds_openers() -> None:
    rng = random.Random(4)
    offered = set()
    refused = set()
    for _ in range(30):
        state = begun(DRAW, deck=tuple(rng.sample(DECK, 52)), openers=True)
        offered.add(tuple(DRAW.choices(state, 0, False)))
        refused.add(DRAW.judge(state, Wager(0, 1, "bet")).error)
    assert len(offered) == 1
    assert refused == {None, "no_openers"}


# ---- what cameras see ----------------------------------------------------------------------------------------------


def test_a_hand_that_is_given_up_leaves_its_slots() -> None:
    state = begun(DRAW)
    gone = {f"s0_{number}": Mark.EMPTY for number in SLOTS}
    ruling = DRAW.explain(state, seen(state, **gone))
    assert (ruling.verdict, ruling.action) == (Verdict.LEGAL, Fold(0))
    folded = after(DRAW, state, Fold(0))
    assert folded.table.hands[0] == (None,) * 5 and len(folded.table.removed) == 5
    assert DRAW.explain(folded, seen(folded)).verdict is Verdict.NOTHING
    early = {f"s1_{number}": Mark.EMPTY for number in SLOTS}
    assert kind(DRAW, state, seen(state, **early)) == ("not_your_turn", 1)
    assert DRAW.could_become(state, seen(state, s0_1=Mark.EMPTY))


def test_cards_that_do_not_belong_there_are_named() -> None:
    state = after(DRAW, begun(DRAW), Fold(0))
    card = str(state.table.removed[0])
    assert kind(DRAW, state, seen(state, s0_1="As")) == ("folded_hand_changed", 0)
    assert kind(DRAW, state, seen(state, s1_1=card)) == ("card_returned", 1)
    assert kind(DRAW, state, seen(state, s1_1=Mark.FOREIGN)) == ("foreign_card", 1)
    assert kind(DRAW, state, seen(state, s1_1=Mark.EMPTY)) == ("slot_empty", 1)
    twice = str(state.table.hands[2][0])
    assert kind(DRAW, state, seen(state, s1_1=twice)) == ("duplicate_card", None)
    exchanged = seen(state, s1_1=twice, s2_1=str(state.table.hands[1][0]))
    assert kind(DRAW, state, exchanged) == ("unexplained_change", None)
    assert not DRAW.could_become(state, seen(state, s1_1=card))


def test_a_table_that_is_taken_as_it_lies() -> None:
    state = after(DRAW, checked(DRAW, begun(DRAW), 3), Announce(0, 2))
    assert DRAW.laid(state, state.table) is state
    old, table = state.table.hands[0][0], state.table
    taken = replace(table.with_slot(0, 1, table.pile[0]), pile=table.pile[1:], removed=(old,))
    laid = DRAW.laid(state, taken)
    assert laid.table == taken and laid.announced is None and laid.current == 0
    assert after(DRAW, laid, Discard(0)).current == 1, "what was done stands, and nothing else is to be exchanged"


def test_a_card_of_another_hand_is_no_card_of_the_pile() -> None:
    state = checked(DRAW, begun(DRAW), 3)
    theirs = str(state.table.hands[1][0])
    held = seen(state, s0_1=theirs, s1_1=Mark.COVERED)
    assert kind(DRAW, state, held) == ("unexplained_change", 0), "the other player holds what came for it"
    assert DRAW.explain(state, seen(state, s0_1=str(state.table.pile[0]))).action == Discard(0, (1,))


def test_where_nothing_is_exchanged_a_card_of_the_pile_is_no_draw() -> None:
    state = begun(STUD)
    assert kind(STUD, state, seen(state, s0_1=str(state.table.pile[0]))) == ("unexplained_change", 0)


def test_a_card_that_was_dealt_too_early_is_named() -> None:
    state = begun(STUD)
    assert kind(STUD, state, seen(state, s1_3=Mark.BACK)) == ("dealt_out_of_turn", 1)


def test_an_open_card_that_was_lifted_has_to_be_shown_again() -> None:
    state = begun(STUD)
    assert STUD.explain(state, seen(state)).verdict is Verdict.NOTHING
    lifted = replace(seen(state), returned=(slot(1, 2),))
    assert kind(STUD, state, lifted) == ("upcard_moved", 1)
    face = str(state.table.hands[1][1])
    shown = replace(seen(state, s1_2=face), returned=(slot(1, 2),))
    assert STUD.explain(state, shown).verdict is Verdict.NOTHING
    hole = replace(seen(state), returned=(slot(1, 1),))
    assert STUD.explain(state, hole).verdict is Verdict.NOTHING, "a hole card may be looked at"


# ---- leaving -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [DRAW, STUD])
def test_who_has_left_checks_and_folds(game: Any) -> None:
    state = begun(game)
    first = state.current
    state = game.seated(state, first, True)
    assert state.current != first and state.hand.live == (True,) * 3, "he checks"
    bettor = state.current
    state = after(game, state, next(action for action in game.legal_actions(state) if isinstance(action, Wager)))
    state = after(game, state, Call(state.current))
    assert not state.hand.live[state.order.index(first)]
    assert game.seated(state, first, False).away == ()
    assert game.public(state).away == (first,)
    assert bettor is not None


def test_who_has_left_stands_pat_and_goes_for_high() -> None:
    state = checked(DRAW, DRAW.seated(begun(DRAW), 1, True), 2)
    state = after(DRAW, state, Discard(0, (1,)))
    assert state.current == 2
    halves = begun(STUD, eval="hilo")
    while not STUD.public(halves).waits:
        halves = checked(STUD, halves, 1)
    assert STUD.actors(halves) == (0, 1, 2)
    halves = after(STUD, STUD.seated(halves, 1, True), Declare(2, "low"))
    assert STUD.actors(halves) == (0,)


# ---- records -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [{}, {"type": "bet", "seat": 0}, {"type": "draw", "seat": 0, "slots": "12"}, {"type": "bet", "seat": True, "amount": 1},
     {"type": "declare", "seat": 0}, {"type": "steal", "seat": 0}],
)  # fmt: skip
def test_malformed_actions_are_refused(data: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        DRAW.action_from_json(data)


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        (DRAW, {"tie_break": "share"}, "unknown option 'tie_break' of Five-Card Draw"),
        (DRAW, {"limit": "spread"}, "takes 'none', 'fixed', 'pot'; found 'spread'"),
        (DRAW, {"ante": -1}, "takes a whole number from 0 to 1000000000; found -1"),
        (DRAW, {"ante": 0}, "there would be nothing to play for"),
        (DRAW, {"small_blind": 3, "big_blind": 2}, "at most the big one"),
        (DRAW, {"openers": True, "big_blind": 2}, "found blinds as well"),
        (DRAW, {"must_open": True}, "needs 'openers'"),
        (DRAW, {"stacks": "a lot"}, "whole numbers such as"),
        (DRAW, {"stacks": 5}, "takes a text; found 5"),
        (DRAW, {"log": "5"}, "a log of chips is written like"),
        (DRAW, {"dealer": 12}, "from 0 to 9"),
        (STUD, {"bring_in": 7}, "at most the small bet"),
        (STUD, {"ante": 0}, "there would be nothing to play for"),
        (STUD, {"big_bet": 1}, "at least the small bet"),
    ],
)
def test_options_that_are_refused(game: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said.replace("(", r"\(")):
        game.options(options)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"stacks": "5 5"}, "gives the chips of 2 seats; the table has 3"), ({"stacks": "5 0 0"}, "at least two players"),
     ({"bought": "9"}, "option 'bought' of Five-Card Draw gives the chips of 1 seats; the table has 3"),
     ({"dealer": 3}, "one of the seats 0 to 2")],
)  # fmt: skip
def test_tables_that_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        DRAW.start(3, DRAW.options(options))


def test_the_document_names_every_option() -> None:
    text = (Path(__file__).parents[3] / "docs" / "draw-and-stud.md").read_text(encoding="utf-8")
    for game in (DRAW, STUD):
        assert [each.name for each in fields(game.options({})) if f"`{each.name}`" not in text] == []


def test_where_two_cameras_differ_about_an_open_card_nobody_is_blamed() -> None:
    state = begun(STUD)
    ruling = STUD.explain(state, replace(seen(state), doubtful=(slot(0, 2), slot(1, 1))))
    # What lies face down is nothing that a camera above could know.
    assert (ruling.error, ruling.seat, ruling.seats, ruling.places) == ("upcard_unclear", None, (), (slot(0, 2),))
    assert not STUD.could_become(state, replace(seen(state), doubtful=(slot(0, 2),)))
