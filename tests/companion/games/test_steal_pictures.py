"""Whole games seen by cameras that know only a part of the cards: the truth is named or asked for, never something else."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.cards import Card, Mark, Unknown
from companion.games.steal_state import Draw, StealCard, StealState, Take
from companion.rulings import Action, Change, Verdict
from companion.table import SLOTS, Place, slot
from tests.companion.games.stealing import GAME, Sight, dealt, taught

SIGHTS = [
    Sight("overhead"),
    Sight("overhead", blurred=0.1),
    Sight("overhead", taps=(1,)),
    Sight("overhead", taps=(0, 2), blurred=0.1),
    Sight("scan"),
    Sight("scan", taps=(2,), blurred=0.1),
    Sight("none"),
    Sight("none", blurred=0.1),
    Sight("none", taps=(1,)),
    Sight("none", taps=(0, 1, 2)),
]
TURNS = 24


def chosen(state: StealState, rng: random.Random) -> Action:
    """A legal action of the current seat; each kind as often as the others."""
    by_kind: dict[type[Action], list[Action]] = {}
    for action in GAME.legal_actions(state):
        by_kind.setdefault(type(action), []).append(action)
    return rng.choice(by_kind[rng.choice(sorted(by_kind, key=lambda kind: kind.__name__))])


def nothing_seen(state: StealState, change: Change) -> bool:
    """Whether the picture may be one of the unchanged table; worked out without the game's own code."""
    known = {card for hand in state.table.hands for card in hand} | set(state.table.row) | set(state.table.removed)
    pairs = [(state.table.at(slot(seat, n)), change.mats[seat][n - 1]) for seat in range(state.seats) for n in SLOTS]
    if change.row is not None:
        if len(change.row) != len(state.table.row):
            return False
        pairs += zip(state.table.row, change.row, strict=True)
    return all(
        seen is None or seen in (Mark.UNREADABLE, Mark.BACK) or (seen == held if isinstance(held, Card) else seen not in known)
        for held, seen in pairs
    )


def known_rightly(truth: StealState, told: StealState, deck: tuple[Card, ...]) -> bool:
    """Whether every card of the told state, read or not, is the card that truly lies there."""

    def face(card: object) -> object:
        return deck[card.number] if isinstance(card, Unknown) else card

    def faces(state: StealState) -> list[object]:
        return [face(card) for card in state.table.cards()] + [(lock.victim, lock.thief, face(lock.card)) for lock in state.locks]

    return faces(truth) == faces(told)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("sight", SIGHTS, ids=str)
def test_the_truth_is_named_or_asked_for(sight: Sight, seats: int) -> None:
    """At least a hundred turns for each sight: 3 games of up to 24 turns at each of three tables."""
    seen = Counter[Verdict]()
    for seed in range(3):
        rng = random.Random(seed)
        truth = GAME.opened(dealt(seats, seed))
        deck = tuple(card for card in dealing_order(truth) if isinstance(card, Card))
        told = GAME.opened(GAME.start(seats, GAME.options({})))
        told = taught(told, sight.picture(truth.table, rng))
        for _ in range(TURNS):
            if truth.phase == "over":
                break
            action = chosen(truth, rng)
            after = GAME.after(truth, action)
            change = sight.picture(after.table, rng)
            ruling = GAME.explain(told, change)
            seen[ruling.verdict] += 1
            if nothing_seen(told, change):
                assert ruling.verdict in (Verdict.NOTHING, Verdict.UNSURE), (action, ruling)
            elif ruling.verdict is Verdict.UNSURE:
                assert action in ruling.choices, (action, ruling)
            else:
                assert (ruling.verdict, ruling.action) == (Verdict.LEGAL, action)
            truth, told = after, taught(GAME.after(told, action), change)
            assert known_rightly(truth, told, deck)
    assert sum(seen.values()) >= 34
    if sight == Sight("overhead"):
        assert set(seen) == {Verdict.LEGAL}, "with everything in view nothing has to be asked"
    if sight.row == "none":
        assert seen[Verdict.NOTHING] > 0, "discards are invisible without a tray"


def dealing_order(state: StealState) -> list[object]:
    """The deck from which `state` was dealt, its top first."""
    hands = state.table.hands
    return [hands[seat][k] for k in range(5) for seat in range(state.seats)] + list(state.table.pile)


def halves(before: StealState, after: StealState, change: Change, action: Action) -> list[Change]:
    """Pictures in the middle of a legal action: cards in the hand, the row not yet as it will be."""
    if isinstance(action, StealCard):
        places = [slot(action.seat, action.give), slot(action.victim, action.slot)]
    else:
        number = action.use if isinstance(action, Draw) else action.slot if isinstance(action, Take) else None
        places = [] if number is None else [slot(action.seat, number)]
    old_row = None if change.row is None else tuple(before.table.row)
    pictures = [lifted(change, places[:1]), lifted(change, places), replace(change, row=old_row)]
    pictures += [replace(lifted(change, places), row=old_row), replace(lifted(change, places[1:]), row=old_row)]
    return [picture for picture in pictures if picture.row is None or all(isinstance(card, Card) for card in picture.row)]


def lifted(change: Change, places: list[Place]) -> Change:
    mats = tuple(
        tuple(Mark.EMPTY if slot(seat, n) in places and seen is not None else seen for n, seen in enumerate(mat, 1))
        for seat, mat in enumerate(change.mats)
    )
    return replace(change, mats=mats)


@pytest.mark.parametrize("sight", [Sight("overhead"), Sight("none"), Sight("overhead", taps=(1,))], ids=str)
def test_waiting_is_worthwhile_in_the_middle_of_every_legal_action(sight: Sight) -> None:
    looked = 0
    for seed in range(4):
        rng = random.Random(seed)
        state = GAME.opened(dealt(4, seed))
        for _ in range(TURNS):
            if state.phase == "over":
                break
            action = chosen(state, rng)
            after = GAME.after(state, action)
            for picture in halves(state, after, sight.picture(after.table, rng), action):
                assert GAME.could_become(state, picture), (action, picture)
                looked += 1
            state = after
    assert looked > 200
