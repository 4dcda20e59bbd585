"""Sentences for rulings, cards, hands and results."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.announcements import (
    CATEGORIES,
    ERROR_KINDS,
    card_words,
    category_words,
    error_words,
    hand_words,
    headline,
    result_words,
    ruling_words,
    seat_name,
)
from companion.cards import DECK, Card
from companion.games.hands import Category, value_of
from companion.rulings import Action, Ruling, Verdict
from companion.views import ResultView, View
from tests.companion import tables

ORACLES = Path(__file__).resolve().parents[2] / "../shared/oracles"
RULE_LEVEL = (
    "bad_action", "bad_seat", "bad_slot", "bad_target", "game_over", "not_started", "ender_acted", "already_had_final_turn",
    "acted_twice", "not_your_turn", "pile_empty", "row_full", "take_before_second_turn", "row_empty", "steal_from_self",
    "steal_not_allowed_in_final", "ender_protected", "steal_back_locked", "pass_not_allowed", "positions_locked",
    "bad_permutation", "already_arranged", "already_started",
)  # fmt: skip
CAMERA_LEVEL = (
    "not_top_of_row", "removed_card_returned", "duplicate_card", "foreign_card", "wrong_slot", "positions_changed",
    "two_actions", "replaced_card_not_in_row", "slot_empty", "peek", "row_changed", "unexplained_change",
)  # fmt: skip


def cards(text: str) -> list[Card]:
    return [Card.parse(each) for each in text.split()]


# ---- what the rules say ------------------------------------------------------------------------------------------


def test_every_kind_of_violation_has_a_sentence_of_its_own() -> None:
    assert set(ERROR_KINDS) == {*RULE_LEVEL, *CAMERA_LEVEL}
    sentences = {kind: error_words(kind) for kind in ERROR_KINDS}
    assert len(set(sentences.values())) == len(ERROR_KINDS)
    for kind, sentence in sentences.items():
        assert re.fullmatch(r"[A-Z].{15,100}\.", sentence), f"{kind}: {sentence}"
        assert kind not in sentence


@pytest.mark.skipif(not ORACLES.exists(), reason="the shared oracle files are not here")
def test_every_kind_of_violation_in_the_oracles_has_a_sentence() -> None:
    cases = json.loads((ORACLES / "steal_illegal.json").read_text())["cases"]
    found = {case["expect"] if isinstance(case["expect"], str) else case["expect"]["error"] for case in cases}
    assert len(found) > 20
    assert found <= set(ERROR_KINDS)


def test_an_unheard_of_violation_is_still_said() -> None:
    assert error_words("cards_eaten") == "The rules do not allow this."


def test_a_ruling_names_the_seat_and_never_the_card() -> None:
    ruling = Ruling(Verdict.ILLEGAL, Action(2), error="not_your_turn", seat=2, card=Card.parse("As"))
    assert ruling_words(ruling, ("Anna", "Ben", "Cleo")) == "Cleo: It is another player's turn."
    assert ruling_words(ruling) == "Seat 3: It is another player's turn."
    assert ruling_words(replace(ruling, seat=None)) == "It is another player's turn."
    both = replace(ruling, seat=None, seats=(0, 2), error="wrong_slot")
    assert ruling_words(both, ("Anna", "Ben", "Cleo")).startswith("Anna and Cleo: In a steal")


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Verdict.LEGAL, "That is allowed."),
        (Verdict.NOTHING, "Nothing has happened."),
        (Verdict.UNSURE, "More than one thing may have happened; the table has to ask."),
    ],
)
def test_the_other_verdicts(verdict: Verdict, words: str) -> None:
    assert ruling_words(Ruling(verdict)) == words


def test_a_seat_without_a_name_has_its_number() -> None:
    assert seat_name(1, ("Anna", "")) == "Seat 2"
    assert seat_name(4, ("Anna",)) == "Seat 5"


# ---- cards and hands ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("Kh 9c Ks 9d 4s", "two pair, kings and nines"),
        ("Ac 7d Ad 8s 2h", "a pair of aces"),
        ("Qs Jh 6c 3d 2c", "queen high"),
        ("6s 6h 6c 3d 2c", "three of a kind, sixes"),
        ("Ah 2h 3c 4s 5d", "a straight to the five"),
        ("Ah Kh Qc Js Td", "a straight to the ace"),
        ("Ah 2h 3h 4h 5h", "a straight flush to the five"),
        ("Ah 2h 3h 4h 9h", "a flush, ace high"),
        ("Th Ts 9d 9c Td", "a full house, tens over nines"),
        ("2h 2s 2d 2c Ad", "four of a kind, twos"),
        ("Ad Kd Qd Jd Td", "a royal flush"),
    ],
)
def test_what_a_hand_is_worth(hand: str, words: str) -> None:
    assert hand_words(cards(hand), value_of(cards(hand)).category.title) == words


def test_every_category_has_a_name() -> None:
    assert {category.title for category in Category} == set(CATEGORIES)
    assert [category_words(name) for name in ("one pair", "four flush")] == ["one pair", "four to a flush"]
    assert category_words("five of a kind") == "five of a kind"


def test_every_card_is_read_out_differently() -> None:
    assert card_words(Card.parse("Ks")) == "king of spades"
    assert len({card_words(card) for card in DECK}) == 52


def _ended(hands: tuple[str, ...], order: tuple[int, ...], winners: tuple[int, ...], reason: str) -> View:
    dealt = tuple(tuple(hand.split()) for hand in hands)
    categories = tuple(value_of(cards(hand)).category.title for hand in hands)
    return replace(tables.playing(len(hands)), result=ResultView(order, winners, categories, dealt, reason))


THIRD = "2c 4d 6h 8s Tc"


@pytest.mark.parametrize(
    ("best", "second", "reason", "words"),
    [
        ("Kh 9c Ks 9d 4s", "Ac 7d Ad 8s 2h", "category",
         "Ben wins with two pair, kings and nines. That beats Anna's hand, a pair of aces: it is the higher kind of hand."),
        ("Ac Ad 7d 8s 2h", "Kh Ks 9c 7s 4s", "rank",
         "Ben wins with a pair of aces. Anna comes closest with a pair of kings; the higher ranks decide."),
        ("Ac Ad 7d 9s 2h", "As Ah 7c 8c 3c", "kicker/rank position 2",
         "Ben wins with a pair of aces. Anna has a pair of aces too; the higher side card decides."),
        ("As Ad 7d 9s 2h", "Ac Ah 7c 9c 2c", "suit",
         "Ben wins with a pair of aces. Anna has the same ranks; the higher suit decides."),
    ],
)  # fmt: skip
def test_the_result_gives_the_reason(best: str, second: str, reason: str, words: str) -> None:
    assert result_words(_ended((second, best, THIRD), (1, 0, 2), (1,), reason)) == words


def test_a_shared_win_and_no_win() -> None:
    hands = ("Ac Ah 7c 9c 2c", "As Ad 7d 9s 2h", THIRD)
    shared = _ended(hands, (0, 1, 2), (0, 1), "tie")
    assert result_words(shared) == "Anna and Ben share the win: their hands are equal, a pair of aces."
    assert headline(shared) == "Anna and Ben win together!"
    nobody = _ended(hands, (), (), "tie")
    assert (result_words(nobody), headline(nobody)) == ("The game ends without a winner.", "Game over")
    assert result_words(tables.playing()) == ""
