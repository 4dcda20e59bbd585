"""Records of betting hands, judged again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.record import failed, judge_record
from tests.companion.games.betting_hands import dealt, deck

ORACLE = Path(__file__).parents[3] / "../shared/oracles/betting_hands.json"
CONFIG = {"game": "draw", "ante": 1, "limit": "none", "streets": [{"down": 5, "bet": 1}, {"draw": True, "bet": 1}]}
HANDS = ("As Ah 7c 9d Jc", "Ks Kh 7d 9h Jd", "2c 3c 4h 6h 8s")
DECK = [str(card) for card in dealt(HANDS)]
ANTES: list[list[Any]] = [["ante", 0, 1], ["ante", 1, 1], ["ante", 2, 1]]
FIRST: list[list[Any]] = [["bet", 0, 5], ["call", 1, 5], ["fold", 2], ["end_of_round", 0, 13]]


def hand(events: list[list[Any]], **more: Any) -> dict[str, Any]:
    return {"id": "h", "config": CONFIG, "stacks": [50, 50, 50], "deck": DECK, "events": events, **more}


def judged(record: dict[str, Any]) -> dict[str, Any]:
    (answer,) = judge_record({"hands": [record]})
    return answer


def test_a_hand_to_its_end() -> None:
    drawn = [["draw", 0, ["7c"], [DECK[15]]], ["draw", 1, [], []]]
    answer = judged(hand([*ANTES, *FIRST, *drawn, ["check", 0], ["bet", 1, 44], ["call", 0, 44], ["end_of_round", 1, 101]]))
    assert answer["result"] == {
        "pots": [{"amount": 101, "eligible": [0, 1]}],
        "awards": [{"amount": 101, "eligible": [0, 1], "winners": [0], "paid": {"0": 101}}],
        "won": [101, 0, 0],
        "stacks": [101, 0, 49],
        "show_order": [1, 0],
    }
    assert answer["turns"][0] == {"seat": 0, "may": {"fold": True, "check": True, "bet": [[1, 49]]}}
    assert answer["turns"][1] == {"seat": 1, "may": {"fold": True, "call": 5, "raise": [[10, 49]]}}
    assert answer["turns"][3] == {"seat": 0, "may": {"draw": 3}}


def test_a_hand_that_is_not_over_has_no_result() -> None:
    assert judged(hand(ANTES))["result"] is None


@pytest.mark.parametrize(
    ("events", "error", "number"),
    [
        ([*ANTES, ["check", 1]], "not_your_turn", 3),
        ([*ANTES, ["bet", 0, 50]], "bet_too_large", 3),
        ([*ANTES, ["bet", 0, 5], ["call", 1, 4]], "bet_too_small", 4),
        ([*ANTES, ["bet", 0, 5], ["call", 1, 6]], "bet_too_large", 4),
        ([*ANTES, *FIRST[:3], ["end_of_round", 0, 12]], "bad_action", 6),
        ([["ante", 0, 2]], "bad_action", 0),
        ([["blind", 0, 1]], "bad_action", 0),
        ([["ante", 9, 1]], "bad_action", 0),
        ([*ANTES, *FIRST, ["draw", 0, ["2c"], [DECK[15]]]], "card_not_held", 7),
        ([*ANTES, *FIRST, ["draw", 0, ["7c"], ["2c"]]], "bad_action", 7),
        ([*ANTES, *FIRST, ["draw", 0, ["7c", "9d", "As", "Ah"], []]], "too_many_discards", 7),
        ([*ANTES, ["fold", 0], ["fold", 1], ["check", 2]], "hand_over", 5),
    ],
)
def test_the_first_illegal_event_is_named(events: list[list[Any]], error: str, number: int) -> None:
    answer = judged(hand(events))
    assert (answer["error"], answer["event"]) == (error, number)
    assert answer["message"].endswith(".") and not failed(answer)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"id": 1}, "'config' has to be an object"),
        (hand([["bet", 0, "five"]]), "whole number"),
        (hand([["jump", 0]]), "no event is called 'jump'"),
        (hand([["check"]]), "names its seat"),
        (hand([[]]), "an event has to be a list"),
        (hand([["draw", 0, "7c"]]), "has to list cards"),
        (hand([], stacks=[50, True, 50]), "'stacks'"),
        (hand([], stacks=[50, 0, 50]), "needs chips"),
        (hand([], deck=DECK[:3]), "15 cards"),
        (hand([], deck=[*DECK[:-1], DECK[0]]), "comes twice"),
        (hand([], config={**CONFIG, "limit": "sky"}), "'sky'"),
        ({**hand([]), "events": None}, "'events'"),
    ],
)
def test_a_malformed_record_says_what_is_wrong(record: dict[str, Any], said: str) -> None:
    answer = judged(record)
    assert failed(answer) and said in answer["message"]


def stud(**more: Any) -> dict[str, Any]:
    streets = [{"down": 1, "up": 1, "bet": 5, "open": "high_up"}, *({"up": 1, "bet": 5, "open": "high_up"} for _ in range(3))]
    config = {"ante": 1, "streets": streets, "eval": "hilo", "declare": True}
    checks = [["check", seat] for _ in range(4) for seat in (0, 1)]
    cards = [str(card) for card in deck("2c 3c As Kd 9h 8h 7h 6s 2d 3d")]
    return {"id": "s", "config": config, "stacks": [9, 9], "deck": cards, "events": checks, **more}


def test_declarations_stand_beside_the_hand() -> None:
    answer = judged(stud(declared={"0": "high", "1": "low"}))
    assert answer["result"]["won"] == [1, 1]
    assert judged(stud())["result"] is None
    assert "seat 1" in judged(stud(declared={"0": "high"}))["message"]
    assert "found 5" in judged(stud(declared=5))["message"]


def test_a_redeal_carries_the_pot() -> None:
    cards = [str(card) for card in dealt(("Ts Th 7c 9d Jc", *HANDS[1:]))]
    record = hand([*ANTES, ["check", 0], ["check", 1], ["check", 2]], deck=cards, config={**CONFIG, "openers": True})
    assert judged(record)["result"] == {"redeal": True, "carry_pot": 3, "stacks": [49, 49, 49]}
    assert "bet" not in judged(record)["turns"][0]["may"]


@pytest.mark.skipif(not ORACLE.exists(), reason="the shared oracle files are not on this machine")
def test_the_shared_hands() -> None:
    hands = json.loads(ORACLE.read_text())["hands"]
    for one in hands:
        answer = judged({name: value for name, value in one.items() if name != "result"})
        wanted = {
            name: one["result"][name]
            for name in ("stacks", "won", "show_order", "redeal", "pots", "awards")
            if name in one["result"]
        }
        assert {name: answer["result"][name] for name in wanted} == wanted, one["id"]
