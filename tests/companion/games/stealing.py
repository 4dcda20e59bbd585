"""Positions of Five Card Steal for tests, written down briefly, and tables of which only a part is known."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.cards import DECK, Card, Held, Mark, Seen, Unknown
from companion.games.steal import Steal
from companion.games.steal_state import Lock, StealState
from companion.rulings import Action, Change, Ruling, Verdict
from companion.table import SLOTS, TableState

GAME = Steal()

HANDS = (
    "2c 3c 4c 5c 6c",
    "2d 3d 4d 5d 6d",
    "2h 3h 4h 5h 6h",
    "2s 3s 4s 5s 6s",
    "7c 7d 7h 7s 8c",
)
"""Hands that are easy to tell: one suit to a seat."""


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(part) for part in text.split())


def position(
    seats: int = 3,
    row: str = "",
    removed: str = "",
    options: Mapping[str, Any] | None = None,
    hands: Iterable[str] = HANDS,
    pile: str | None = None,
    **fields: Any,
) -> StealState:
    """A state in play, seat 0 to act in turn 3 after seat 2, unless said otherwise; the pile is what is left over."""
    dealt = tuple(cards(hand) for hand in list(hands)[:seats])
    lying, gone = cards(row), cards(removed)
    used = {card for hand in dealt for card in hand} | set(lying) | set(gone)
    rest = tuple(card for card in DECK if card not in used) if pile is None else cards(pile)
    usual: dict[str, Any] = {"phase": "play", "turn": seats, "current": 0, "last_actor": seats - 1, "arranged": (False,) * seats}
    usual["discards"] = len(lying) + len(gone)
    return StealState(GAME.options(options or {}), TableState(dealt, rest, lying, gone), **(usual | fields))


def final(seats: int = 3, row: str = "9c 9d 9h 9s Tc", **fields: Any) -> StealState:
    """The final turns: the last seat has ended the game, seat 0 is to act."""
    usual: dict[str, Any] = {"phase": "final", "ender": seats - 1, "final_left": tuple(range(seats - 1))}
    return position(seats, row, **(usual | fields))


def lock(victim: int, thief: int, card: str, turn: int, kind: str = "stolen") -> Lock:
    return Lock(victim, thief, Card.parse(card), turn, kind)


def shown(state: StealState, row: str | None = "same", **changed: str) -> Change:
    """The picture of `state` with changes such as ``s0_3="Kd"``; ``-`` is an empty slot, ``?`` unreadable, ``x`` foreign,
    ``~`` covered, ``#`` a back, ``.`` not looked at.  `row` is a text, ``same``, or None where nothing sees it."""
    mats: list[list[Seen | None]] = [[seen_of(card) for card in hand] for hand in state.table.hands]
    for name, text in changed.items():
        seat, number = name.removeprefix("s").split("_")
        mats[int(seat)][int(number) - 1] = mark(text)
    if row is None:
        seen_row = None
    elif row == "same":
        seen_row = tuple(seen_of(card) for card in state.table.row)
    else:
        seen_row = tuple(seen for part in row.split() if (seen := mark(part)) is not None)
    return Change(tuple(map(tuple, mats)), seen_row)


def seen_of(card: Held | None) -> Seen:
    if card is None:
        return Mark.EMPTY
    return card if isinstance(card, Card) else Mark.UNREADABLE


def mark(text: str) -> Seen | None:
    marks = {"-": Mark.EMPTY, "?": Mark.UNREADABLE, "x": Mark.FOREIGN, "~": Mark.COVERED, "#": Mark.BACK, ".": None}
    return marks[text] if text in marks else Card.parse(text)


def unwatched(change: Change, *seats: int) -> Change:
    """The same picture where nobody looks at the mats of `seats`."""
    return replace(change, mats=tuple((None,) * 5 if seat in seats else mat for seat, mat in enumerate(change.mats)))


def hidden(state: StealState, *texts: str) -> StealState:
    """The same state where the cards of `texts` have not been read."""
    for number, text in enumerate(texts):
        card, unknown = Card.parse(text), Unknown(500 + number)
        locks = tuple(replace(held, card=unknown) if held.card == card else held for held in state.locks)
        state = replace(state, table=state.table.renamed(card, unknown), locks=locks)
    return state


def play(state: StealState, *actions: Action) -> StealState:
    """The state after `actions`, each of which has to be legal."""
    for action in actions:
        ruling = GAME.judge(state, action)
        assert ruling.error is None, f"{action}: {ruling.error}"
        state = GAME.after(state, action)
    return state


def dealt(seats: int = 3, seed: int = 1, **options: Any) -> StealState:
    """A fresh deal of a shuffled, known deck."""
    deck = list(DECK)
    random.Random(seed).shuffle(deck)
    return GAME.start(seats, GAME.options(options), tuple(deck))


def conserved(state: StealState) -> bool:
    """Whether the 52 cards are all there, each once, five in every hand."""
    lying = list(state.table.cards())
    return len(lying) == len(set(lying)) == 52 and all(len(hand) == 5 and None not in hand for hand in state.table.hands)


@dataclass(frozen=True)
class Sight:
    """What the cameras of a table can see."""

    row: str
    """``overhead``, ``scan`` (backs only) or ``none``."""
    taps: tuple[int, ...] = ()
    """Seats without a mat."""
    blurred: float = 0.0
    """Share of the places that cannot be read in a picture."""

    def picture(self, table: TableState, rng: random.Random) -> Change:
        """What is seen of a table of known cards."""
        mats = tuple(
            (None,) * len(SLOTS) if seat in self.taps else tuple(self._read(card, rng) for card in hand)
            for seat, hand in enumerate(table.hands)
        )
        if self.row == "none":
            return Change(mats, None)
        row = tuple(Mark.BACK if self.row == "scan" else self._read(card, rng) for card in table.row)
        return Change(mats, row)

    def _read(self, card: Held | None, rng: random.Random) -> Seen:
        return Mark.UNREADABLE if rng.random() < self.blurred else seen_of(card)


def taught(state: StealState, change: Change) -> StealState:
    """The state after everything that `change` shows of unknown cards was learned."""
    pairs = [
        (held, seen)
        for hand, mat in zip(state.table.hands, change.mats, strict=True)
        for held, seen in zip(hand, mat, strict=True)
    ]
    if change.row is not None:
        pairs += list(zip(state.table.row, change.row, strict=True))
    for held, seen in pairs:
        if isinstance(held, Unknown) and isinstance(seen, Card):
            state = GAME.learn(state, held, seen)
    return state


def named(state: StealState, change: Change) -> tuple[str, object]:
    """The verdict with the action, the error or the choices."""
    ruling = GAME.explain(state, change)
    said = {Verdict.ILLEGAL: ruling.error, Verdict.UNSURE: ruling.choices}.get(ruling.verdict, ruling.action)
    return ruling.verdict.value, said


def accused(state: StealState, change: Change, error: str) -> Ruling:
    ruling = GAME.explain(state, change)
    assert (ruling.verdict, ruling.error) == (Verdict.ILLEGAL, error), ruling
    assert ruling.rule is not None
    return ruling
