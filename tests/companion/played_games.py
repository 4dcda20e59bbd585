"""Played games as hypothesis draws them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from companion.cards import DECK
from companion.games.hands import order_hands
from companion.games.steal import Steal
from companion.games.steal_options import StealOptions
from companion.played import PlayedGame, PlayedMove, PlayedSeat

NAMES = ("Ann", "Ben", "Cat", "Dóra", "É =1+1", 'Q"uo,te\n', "")
OPTIONS = tuple(sorted((name, getattr(StealOptions(), name)) for name in StealOptions.__slots__))
numbers = st.integers(1, 5)


@st.composite
def games(draw: Any, name: str | None = None) -> PlayedGame:
    """A game with hands of one deck, put in their order; every other part is anything of its kind."""
    who = draw(st.lists(st.sampled_from(NAMES), min_size=3, max_size=5, unique=True))
    deck = draw(st.permutations(DECK))
    hands = [tuple(deck[5 * seat : 5 * seat + 5]) for seat in range(len(who))]
    standing = order_hands(hands)
    keyed = draw(st.booleans())
    seats = tuple(
        PlayedSeat(
            called, draw(st.sampled_from(["mat", "tap", "bot"])), hand, (*hand[:4], None) if keyed else (), category,
            draw(st.integers(0, 3)) if keyed else None,
        )
        for called, hand, category in zip(who, hands, standing.categories, strict=True)
    )  # fmt: skip
    minutes = draw(st.none() | st.integers(0, 60 * 24 * 40))
    began = "" if minutes is None else (datetime(2027, 3, 1, tzinfo=UTC) + timedelta(minutes=minutes)).isoformat()
    shared = draw(st.booleans())
    return PlayedGame(
        name or draw(st.text("0123456789abcdef", min_size=16, max_size=16)), "steal", began,
        draw(st.floats(0, 1e5)), seats, standing.order, standing.order[:2] if shared else standing.winners,
        "tie" if shared else standing.reason, tuple(draw(st.lists(moves(len(who), deck, keyed), max_size=12))), OPTIONS,
        draw(st.sampled_from(["", "ab" * 32])),
    )  # fmt: skip


@st.composite
def moves(draw: Any, seats: int, deck: list[Any], keyed: bool) -> PlayedMove:
    kind, seat = draw(st.sampled_from(Steal.moves)), draw(st.integers(0, seats - 1))
    cards = (draw(st.sampled_from(deck)), draw(st.sampled_from(deck))) if keyed else (None, None)
    time = draw(st.floats(0, 1e5))
    if kind == "steal":
        victim = draw(st.sampled_from([other for other in range(seats) if other != seat]))
        return PlayedMove(kind, seat, time, draw(numbers), victim, draw(numbers), *cards)
    slot = draw(numbers) if kind in ("draw", "take") else None
    return PlayedMove(kind, seat, time, slot, None, None, cards[0] if slot else None, cards[1])
