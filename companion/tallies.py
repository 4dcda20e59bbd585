"""What the games of many evenings come to for each player.  Pure functions of played games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations_with_replacement
from math import comb, prod

from companion.cards import Card
from companion.games.hands import Category, rank_pattern, value_of
from companion.played import PlayedGame
from companion.purses import gained

RANKS = range(2, 15)
Strength = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Evening:
    """What a player did on one evening."""

    day: str
    """``2027-03-01``; empty for games whose clock was not set."""
    games: int
    won: Fraction
    """Games, shared ones in parts."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one player has done."""

    name: str
    games: int
    bot: int
    """How many of the games the companion played for this seat."""
    wins: int
    """Games won, alone or shared."""
    won: Fraction
    """The same, of a shared game only the part: a game is one pot."""
    places: tuple[int, ...]
    """How often first, second, and so on; as long as the largest table."""
    steals: int
    suffered: int
    """Steals from this player."""
    takes: int
    draws: int
    """Cards drawn from the pile, laid on the row at once or not."""
    discards: int
    """Those of them that went to the row at once."""
    hands: int
    """Final hands that were shown."""
    beaten: Fraction | None
    """The average final hand: which part of all five-card hands is weaker than it, suits apart; None without one."""
    categories: tuple[tuple[str, int], ...]
    """How often each kind of hand was held in the end, the lowest kind first, only those that occurred."""
    best: tuple[Card, ...]
    """The best final hand, the first one where several are equal."""
    violations: int
    judged: int
    """The games in which violations could be counted: the key of their records is here."""
    evenings: tuple[Evening, ...]
    """In their order; games without a date come first."""
    gained: int | None = None
    """Chips won less chips lost; None where no game was played for any."""


def tally(games: Sequence[PlayedGame], zone: tzinfo | None = None) -> tuple[Tally, ...]:
    """For every player by name: most games won first, then most played, then by name.  Unnamed players have no tally.

    `zone`: where evenings are counted; None for that of this machine.
    """
    names = {name for game in games for name in game.names if name}
    found = [_tally(name, games, zone) for name in names]
    return tuple(sorted(found, key=lambda one: (-one.won, -one.games, one.name)))


def _tally(name: str, games: Sequence[PlayedGame], zone: tzinfo | None) -> Tally:
    sat = [(game, seat) for game in games for seat, who in enumerate(game.names) if who == name]
    seats = [game.seats[seat] for game, seat in sat]
    moves = [move for game, seat in sat for move in game.moves if move.seat == seat]
    kinds = Counter(move.kind for move in moves)
    hands = [seat.hand for seat in seats if seat.hand]
    places = Counter(game.order.index(seat) for game, seat in sat)
    held = Counter(seat.category for seat in seats if seat.hand)
    judged = [seat.violations for seat in seats if seat.violations is not None]
    return Tally(
        name, len(sat), sum(seat.source == "bot" for seat in seats), sum(seat in game.winners for game, seat in sat),
        sum((game.share(seat) for game, seat in sat), Fraction(0)),
        tuple(places[place] for place in range(max(len(game.seats) for game, _ in sat))), kinds["steal"],
        sum(move.victim == seat for game, seat in sat for move in game.moves if move.kind == "steal"),
        kinds["take"], kinds["draw"] + kinds["discard"], kinds["discard"], len(hands), _average(map(beaten, hands)),
        tuple((kind.title, held[kind.title]) for kind in Category if held[kind.title]),
        max(hands, key=lambda hand: (value_of(hand).strength, value_of(hand).suits), default=()),
        sum(judged), len(judged), _evenings(sat, zone), _gained(sat),
    )  # fmt: skip


def _gained(sat: Sequence[tuple[PlayedGame, int]]) -> int | None:
    gains = [found[seat] for game, seat in sat if (found := gained(game))]
    return sum(gains) if gains else None


def _average(values: Iterable[Fraction]) -> Fraction | None:
    found = list(values)
    return sum(found, Fraction(0)) / len(found) if found else None


def _evenings(sat: Sequence[tuple[PlayedGame, int]], zone: tzinfo | None) -> tuple[Evening, ...]:
    games: Counter[str] = Counter()
    won: dict[str, Fraction] = {}
    for game, seat in sat:
        day = game.evening(zone)
        games[day] += 1
        won[day] = won.get(day, Fraction(0)) + game.share(seat)
    return tuple(Evening(day, games[day], won[day]) for day in sorted(games))


# ---- how good a hand is -------------------------------------------------------------------------------------------


def beaten(hand: Sequence[Card]) -> Fraction:
    """Which part of the 2 598 960 five-card hands is weaker than this one, suits apart."""
    return Fraction(_weaker()[value_of(hand).strength], comb(52, 5))


@cache
def _weaker() -> dict[Strength, int]:
    """For every strength the number of hands that are weaker."""
    counts: Counter[Strength] = Counter()
    for ranks in combinations_with_replacement(reversed(RANKS), 5):
        times = Counter(ranks)
        if max(times.values()) > 4:
            continue
        ways = prod(comb(4, count) for count in times.values())
        flushes = 4 if len(times) == 5 else 0
        counts[_strength(ranks, False)] += ways - flushes
        if flushes:
            counts[_strength(ranks, True)] += flushes
    order = sorted(counts)
    return dict(zip(order, accumulate((counts[one] for one in order), initial=0), strict=False))


def _strength(ranks: tuple[int, ...], flush: bool) -> Strength:
    category, counting = rank_pattern(ranks, flush)
    return (min(category, Category.STRAIGHT_FLUSH), *counting)
