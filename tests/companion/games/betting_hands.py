"""Hands of draw and stud written by hand, and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from companion.cards import DECK, Card, Held
from companion.games.poker_acts import BringIn, Call, Check, Declare, Exchange, Fold, Wager
from companion.games.poker_hand import PokerHand
from companion.games.poker_rules import SIDES, after, legal, refusal
from companion.games.poker_terms import Street, Terms
from companion.rulings import Action

DRAW = Terms(game="draw", ante=1, limit="none", streets=(Street(down=5), Street(draw=True)))
FIXED_DRAW = replace(DRAW, limit="fixed", streets=(Street(down=5, bet=2), Street(draw=True, bet=4)))
BLINDS = replace(DRAW, ante=0, blinds=(1, 2), streets=(Street(down=5, bet=2, open="blind"), Street(draw=True, bet=2)))
STUD = Terms(
    ante=2,
    streets=(
        Street(down=1, up=1, bet=5, open="high_up"), Street(up=1, bet=5, open="high_up"), Street(up=1, bet=10, open="high_up"),
        Street(up=1, bet=10, open="high_up"),
    ),
)  # fmt: skip
CASINO = replace(STUD, ante=1, bring_in=2, burn=True, streets=(replace(STUD.streets[0], open="low_card"), *STUD.streets[1:]))


def deck(top: str = "") -> tuple[Card, ...]:
    """A whole deck that begins with these cards, the others in a fixed order behind them."""
    first = [Card.parse(text) for text in top.split()]
    return (*first, *(card for card in DECK if card not in first))


def dealt(hands: Sequence[str], then: str = "") -> tuple[Card, ...]:
    """The deck that gives each seat these cards, in the order in which it gets them."""
    rows = [hand.split() for hand in hands]
    order = [row[place] for place in range(max(map(len, rows))) for row in rows if place < len(row)]
    return deck(" ".join((*order, *then.split())))


def begun(terms: Terms, stacks: Sequence[int] = (100, 100, 100), cards: Sequence[Held] = DECK) -> PokerHand:
    return PokerHand.begun(terms, stacks, cards)


ACTS: dict[str, type[Action]] = {"check": Check, "fold": Fold, "call": Call, "bring_in": BringIn}


def act(seat: int, word: str, *more: Any) -> Action:
    """An action in short: ``check``, ``wager 10``, ``draw 2c 3d``, ``declare high``."""
    kind, *rest = word.split()
    if kind == "wager":
        return Wager(seat, int(rest[0]))
    if kind == "draw":
        return Exchange(seat, tuple(Card.parse(text) for text in rest))
    if kind == "declare":
        return Declare(seat, rest[0])
    return ACTS[kind](seat)


def played(hand: PokerHand, words: str) -> PokerHand:
    """The hand after these legal actions of whoever's turn it is, split by commas."""
    for word in filter(None, (part.strip() for part in words.split(","))):
        assert hand.current is not None, (word, hand.phase)
        action = act(hand.current, word)
        assert not refusal(hand, action), (word, refusal(hand, action))
        hand = after(hand, action)
    return hand


def refused(hand: PokerHand, word: str, seat: int | None = None) -> str:
    """The error of an action of `seat`, or of whoever's turn it is."""
    return refusal(hand, act(hand.current or 0 if seat is None else seat, word))


def checked_down(hand: PokerHand) -> PokerHand:
    """The hand after everybody checks, calls and stands pat to its end."""
    while hand.current is not None:
        words = ("check", "call", "bring_in", "draw")
        word = next(word for word in words if not refused(hand, word))
        hand = after(hand, act(hand.current, word))
    return hand


def random_hand(terms: Terms, rng: random.Random, most_seats: int = 5) -> tuple[PokerHand, int]:
    """A hand played to its end by random legal actions, and how many there were."""
    stacks = [rng.choice((rng.randint(1, 15), rng.randint(10, 100))) for _ in range(rng.randint(2, most_seats))]
    cards = list(DECK)
    rng.shuffle(cards)
    hand, count = begun(terms, stacks, cards), 0
    while hand.phase not in ("over", "redeal"):
        hand = after(hand, rng.choice(tuple(moves(hand, rng))))
        count += 1
        assert count < 500, "a hand that hangs"
    return hand, count


def moves(hand: PokerHand, rng: random.Random) -> Iterable[Action]:
    """Legal actions, with some that only a person chooses: amounts in between and cards to throw away."""
    seat = hand.current
    if hand.phase == "declare":
        return [Declare(each, rng.choice(SIDES)) for each in range(hand.seats) if hand.live[each] and not hand.declared[each]][:1]
    assert seat is not None
    found = [action for action in legal(hand) if not isinstance(action, Fold) or rng.random() < 0.4]
    if hand.phase == "draw":
        thrown = rng.sample(hand.cards(seat), rng.randint(0, hand.terms.draw_max))
        found = [Exchange(seat, tuple(thrown))]
    return found or list(legal(hand))
