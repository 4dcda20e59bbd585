"""Games that were played to their end without a table, told again."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.cards import DECK
from companion.games.steal_state import Draw, StealCard, Take
from companion.referee import AnyReferee
from companion.retelling import Retelling, retold
from companion.rulings import Action
from tests.companion.finished import NAMES, fresh

DAY = "2027-03-01"
EVENING: tuple[Action, ...] = (
    Draw(0, 2), StealCard(1, 0, 1, 5), Draw(2, None), Draw(0, 4), StealCard(1, 2, 3, 2), Take(2, 1), Draw(0, 5), Draw(1, None),
    Take(2, 5), Draw(0, None), StealCard(1, 0, 4, 1), Draw(2, 2), Draw(0, None), StealCard(1, 2, 1, 3),
)  # fmt: skip
"""A whole game of three with every kind of move."""


def judged(moves: Sequence[Action] = EVENING, seats: int = 3, seed: int = 4) -> AnyReferee:
    """The referee after these moves; the cards are dealt from a deck that was shuffled with `seed`."""
    agreed: AnyReferee = fresh(["mat"] * seats)
    deck = random.Random(seed).sample(DECK, len(DECK))
    for unknown, card in zip(tuple(agreed.state.table.cards()), deck, strict=True):
        agreed = agreed.learnt(unknown, card)
    for number, move in enumerate(moves):
        agreed = agreed.claim(move, 10.0 + number)
    return agreed


def story(names: Sequence[str] = NAMES, moves: Sequence[Action] = EVENING, seed: int = 4, day: str = DAY) -> Retelling:
    """The game told again."""
    referee = judged(moves, len(names), seed)
    return retold(referee, referee.game.result(referee.state), names, day)


def at_random(seed: int, seats: int, referee: AnyReferee | None = None) -> AnyReferee:
    """A game of legal moves to its end."""
    rng, time = random.Random(seed), 30.0
    referee = judged((), seats, seed) if referee is None else referee
    while referee.state.phase != "over":
        legal = list(referee.game.legal_actions(referee.game.opened(referee.state)))
        kinds = [kind for kind in (Draw, StealCard, Take) if any(isinstance(one, kind) for one in legal)]
        wanted = rng.choice(kinds)
        referee, time = referee.claim(rng.choice([one for one in legal if isinstance(one, wanted)]), time), time + 1
    return referee


def any_story(names: Sequence[str], seed: int = 8) -> Retelling:
    """A game of as many players as there are names."""
    referee = at_random(seed, len(names))
    return retold(referee, referee.game.result(referee.state), names, DAY)
