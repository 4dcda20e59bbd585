"""The minutes of a game: every change of what was agreed, small enough to write down at once and enough to rebuild it from."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeVar

from companion.agreement import Agreement
from companion.cards import DECK, Card, Mark, Unknown
from companion.errors import RecordError
from companion.games.base import Game, S
from companion.observation import Call, Correct, Reseat, Rewind
from companion.plain import Reader, hints_of, is_of, quoted, to_plain
from companion.proceedings import (
    AsItLies,
    Errand,
    LogEntry,
    Proposal,
    Question,
    Seating,
    Step,
    Stop,
    Trust,
    Turn,
    Typed,
    Violation,
)
from companion.rulings import Action, Change, Placement, Rule, Ruling, Verdict
from companion.table import SLOTS, Area, Place, TableState

APART = ("game", "sight", "dealt", "timing", "hard", "bots", "turns", "log")
"""Fields of an agreement that are given anew at every start, or written down in a way of their own."""
BESIDE_THE_RULES = (AsItLies, Seating, Typed)
"""Actions that no game knows."""
SHARED = (
    *BESIDE_THE_RULES, Area, Call, Change, Correct, Errand, LogEntry, Mark, Place, Placement, Proposal, Question, Reseat, Rewind,
    Rule, Ruling, Step, Stop, TableState, Trust, Turn, Verdict, Violation,
)  # fmt: skip

A = TypeVar("A", bound=Agreement[Any])


@dataclass(frozen=True, slots=True)
class Played(Generic[S]):
    """A turn, as far as the rules do not tell it themselves."""

    action: Action
    at: float
    closed: str
    by_hand: bool
    ordered: bool
    pliable: bool
    before: S | None = None
    """None: the state before it, opened."""
    after: S | None = None
    """None: what the rules make of `action`."""


@dataclass(frozen=True, slots=True)
class Minute(Generic[S]):
    """What changed between two agreements of one game, in the order in which it has to be done again."""

    learnt: tuple[tuple[Unknown, Card], ...] = ()
    """Cards that were read for the first time."""
    dealt: S | None = None
    """A new state before the first action."""
    kept: int = 0
    """So many turns stand as they were."""
    steps: tuple[Played[S], ...] = ()
    """Turns on top of them."""
    said: tuple[LogEntry, ...] = ()
    """New entries of the log."""
    others: tuple[tuple[str, Any], ...] = ()
    """Further fields by their names."""

    @property
    def empty(self) -> bool:
        """Whether nothing changed, `kept` apart."""
        return not (self.learnt or self.dealt is not None or self.steps or self.said or self.others)


def minute_of(before: Agreement[S], after: Agreement[S]) -> Minute[S] | None:
    """What changed; None for nothing.  `written(before, minute)` is equal to `after`."""
    # Where people have named a card everything is written anew: how long a minute is must not tell whether that name was free.
    said = after.log[len(before.log) :]
    naming = before.named != after.named or any(isinstance(entry.new, Card) for entry in said)
    learnt = () if naming else _learnt(before, after)
    known = _learn(before, learnt)
    if known.dealt != after.dealt:
        # Another deal, or hands that were sorted late: what is known of one card here says nothing of the other deal.
        learnt, known = (), before
    dealt = None if known.dealt == after.dealt else after.dealt
    kept = 0 if dealt is not None else _kept(known.turns, after.turns)
    names = (field.name for field in fields(before) if field.name not in APART)
    changed = (name for name in names if naming or getattr(before, name) != getattr(after, name))
    others = tuple((name, getattr(after, name)) for name in changed)
    minute = Minute(learnt, dealt, kept, _steps(after, kept), said, others)
    return None if minute.empty and kept == len(before.turns) else minute


def whole_minute(before: Agreement[S], after: Agreement[S]) -> Minute[S]:
    """Everything that is agreed, written down anew; the log alone goes on."""
    others = tuple((field.name, getattr(after, field.name)) for field in fields(after) if field.name not in APART)
    return Minute((), after.dealt, 0, _steps(after, 0), after.log[len(before.log) :], others)


def written(agreement: A, minute: Minute[Any]) -> A:
    """The agreement after what the minute says."""
    known = _learn(agreement, minute.learnt)
    dealt = known.dealt if minute.dealt is None else minute.dealt
    turns = known.turns[: minute.kept]
    for step in minute.steps:
        turns = (*turns, _turn(known.game, step, turns[-1].after if turns else dealt))
    return replace(known, dealt=dealt, turns=turns, log=(*known.log, *minute.said), **dict(minute.others))


def to_record(minute: Minute[S]) -> dict[str, Any]:
    """The minute as a JSON object; it names hidden cards."""
    others = {name: to_plain(value) for name, value in minute.others}
    whole: dict[str, Any] = to_plain(replace(minute, others=()))
    return whole | {"others": others}


_UNKNOWN_TEXT = re.compile(r'\{"\?": \d+\}')
_CARD_TEXT = re.compile(r'"[2-9TJQKA][cdhsCDHS]"')
_WIDEST = len('{"?": 999}')
_NAME = len(', "As"')


def evened(minute: Minute[Any]) -> bytes:
    """The minute as JSON whose length does not depend on which cards are known, and which of them people have named.

    Both follow from whether a card that somebody names is held elsewhere, which nobody may learn.
    """
    text = json.dumps(to_record(minute))
    found = (*_UNKNOWN_TEXT.findall(text), *_CARD_TEXT.findall(text))
    named = dict(minute.others).get("named")
    unnamed = 0 if named is None else len(DECK) - len(named)
    # Each name stands there as a card, too.
    blank = sum(_WIDEST - len(each) for each in found) + unnamed * (_NAME + _WIDEST - len('"As"'))
    return (text + " " * blank).encode()


def from_record(record: dict[str, Any], game: Game[S]) -> Minute[S]:
    """Read what `to_record` wrote; raise `RecordError` where it is malformed."""
    reader = Reader((*SHARED, *game.records(), Played, Minute))
    if not isinstance(record, dict) or not isinstance(record.get("others", {}), dict):
        raise RecordError("expected an object that tells what changed; found something else")
    minute = reader.read(record | {"others": []})
    if not isinstance(minute, Minute):
        raise RecordError(f"expected a {Minute.__name__}; found a {type(minute).__name__}")
    others = tuple((name, reader.read(value)) for name, value in record.get("others", {}).items())
    hints = hints_of(Agreement)
    for name, value in others:
        if name in APART or name not in hints or not is_of(value, hints[name]):
            raise RecordError(f"{quoted(name)} is nothing that is agreed, or of another type than was written")
    return replace(minute, others=others)


def can_follow(minute: Minute[S], agreement: Agreement[S]) -> bool:
    """Whether a minute that was read can be one of this game: of as many turns, and of whole tables with as many seats."""
    states = [step.before for step in minute.steps] + [step.after for step in minute.steps] + [minute.dealt]
    told = [state for state in states if state is not None]
    whole = all(isinstance(state, type(agreement.dealt)) and _is_whole(state.table, agreement) for state in told)
    return whole and 0 <= minute.kept <= len(agreement.turns)


def _is_whole(table: TableState, agreement: Agreement[Any]) -> bool:
    return [len(hand) for hand in table.hands] == [len(SLOTS)] * len(agreement.sight.watched)


def _learnt(before: Agreement[S], after: Agreement[S]) -> tuple[tuple[Unknown, Card], ...]:
    """Which unknown cards have a face now.  Learning renames a card in every state, so the first one tells."""
    old, new = before.dealt.table.cards(), after.dealt.table.cards()
    pairs = zip(old, new, strict=False)
    return tuple((was, now) for was, now in pairs if isinstance(was, Unknown) and isinstance(now, Card))


def _learn(agreement: A, learnt: tuple[tuple[Unknown, Card], ...]) -> A:
    for unknown, card in learnt:
        agreement = agreement.learnt(unknown, card)
    return agreement


def _kept(old: tuple[Turn[S], ...], new: tuple[Turn[S], ...]) -> int:
    for number, (was, now) in enumerate(zip(old, new, strict=False)):
        if was != now:
            return number
    return min(len(old), len(new))


def _follows(game: Game[S], turn: Turn[S]) -> bool:
    """Whether the state after a turn follows from its action alone.

    A card that is known no more, since people call another one by its name, may have opened a round of betting: then nobody
    could have acted as somebody did.
    """
    if isinstance(turn.action, BESIDE_THE_RULES) or game.judge(turn.before, turn.action).verdict is not Verdict.LEGAL:
        return False
    return game.after(turn.before, turn.action) == turn.after


def _steps(after: Agreement[S], kept: int) -> tuple[Played[S], ...]:
    steps = []
    for number in range(kept, len(after.turns)):
        turn = after.turns[number]
        stood = after.turns[number - 1].after if number else after.dealt
        before = None if after.game.opened(stood) == turn.before else turn.before
        made = None if _follows(after.game, turn) else turn.after
        steps.append(Played(turn.action, turn.at, turn.closed, turn.by_hand, turn.ordered, turn.pliable, before, made))
    return tuple(steps)


def _turn(game: Game[S], step: Played[S], stood: S) -> Turn[S]:
    before = game.opened(stood) if step.before is None else step.before
    after = game.after(before, step.action) if step.after is None else step.after
    return Turn(step.action, before, after, step.at, step.closed, step.by_hand, step.ordered, step.pliable)
