"""Read hands put in order: the winner, and every reason not to name one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.announcements import unfinished_words, unscored_words
from companion.cards import Card
from companion.games.hands import Standing
from companion.scoring import ReadHand, Refusal, score

ORACLE = Path(__file__).parents[2] / "../shared/oracles/hands.json"


def hand(text: str) -> ReadHand:
    return tuple(None if card == "?" else Card.parse(card) for card in text.split())


KINGS, SEVENS, FLUSH = hand("Kd Kc 9s 9h 2c"), hand("7d 7c 3s 4h 2d"), hand("Ah Jh 8h 6h 3h")


def test_the_best_hand_wins_with_its_reason() -> None:
    standing = score([SEVENS, FLUSH, KINGS])
    assert isinstance(standing, Standing)
    assert (standing.order, standing.winners, standing.reason) == ((1, 2, 0), (1,), "category")
    assert standing.categories == ("one pair", "flush", "two pair")


@pytest.mark.skipif(not ORACLE.exists(), reason="the shared oracles are not here")
def test_shared_cases_agree() -> None:
    cases = json.loads(ORACLE.read_text())["cases"]
    assert len(cases) >= 300
    for case in cases:
        standing = score([hand(" ".join(cards)) for cards in case["hands"]])
        assert isinstance(standing, Standing)
        assert (list(standing.order), standing.reason) == (case["order_best_first"], case["reason"]), case["id"]


@pytest.mark.parametrize(
    ("hands", "kind", "words"),
    [
        ([KINGS, hand("7d 7h 3s ? 2d")], "unknown_card", "One card of hand 2 cannot be read. Nothing is awarded."),
        ([hand("? ? 3s 4h 2d"), KINGS], "unknown_card", "2 cards of hand 1 cannot be read. Nothing is awarded."),
        ([KINGS, SEVENS[:4]], "not_five_cards", "Hand 2 has 4 cards instead of five. Nothing is awarded."),
        ([KINGS[:1]], "not_five_cards", "Hand 1 has only one card. Nothing is awarded."),
        ([(*KINGS, *SEVENS)], "not_five_cards", "Hand 1 has 10 cards instead of five. Nothing is awarded."),
        ([()], "not_five_cards", "Hand 1 has 0 cards instead of five. Nothing is awarded."),
        ([], "no_hands", "There is no hand. Nothing is awarded."),
        (
            [KINGS, hand("7d Kd 3s 4h 2d")], "card_twice",
            "The king of diamonds appears 2 times: in hand 1 and hand 2. Nothing is awarded.",
        ),
        ([hand("Kd Kd 3s 4h 2d")], "card_twice", "The king of diamonds appears 2 times: in hand 1. Nothing is awarded."),
    ],
)
def test_nothing_is_awarded(hands: list[ReadHand], kind: str, words: str) -> None:
    refusal = score(hands)
    assert isinstance(refusal, Refusal)
    assert refusal.kind == kind
    assert unscored_words(refusal) == words


def test_everything_that_is_wrong_is_said_together() -> None:
    refusal = score([KINGS, hand("Kd ? 5s"), SEVENS])
    assert isinstance(refusal, Refusal)
    assert unfinished_words(refusal) == (
        "Hand 2 lacks 2 cards: tap + to add them. One card of hand 2 cannot be read."
        " The king of diamonds appears 2 times: in hand 1 and hand 2."
    )
    assert unfinished_words(Refusal("not_five_cards", ((0, 4), (1, 6)))) == (
        "Hand 1 lacks one card: tap + to add it. Hand 2 has 6 cards instead of five."
    )
    settled = Refusal("not_five_cards", ((0, 6),))
    assert unfinished_words(settled) == unscored_words(settled) == "Hand 1 has 6 cards instead of five. Nothing is awarded."
    assert (refusal.kind, refusal.short, refusal.unknown) == ("card_twice", ((1, 3),), ((1, 1),))
    assert refusal.twice == ((Card.parse("Kd"), (0, 1)),)
    assert refusal.hands == (0, 1)


def test_ties_share_where_suits_do_not_decide() -> None:
    standing = score([hand("Kd Qc 9s 7h 2c"), hand("Kc Qd 9h 7s 2d")], "share")
    assert isinstance(standing, Standing)
    assert (standing.winners, standing.reason) == ((0, 1), "tie")
