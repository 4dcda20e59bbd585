"""Judging a recorded game again, by other house rules or other readings, to show what would change.

Nothing here writes.  The cards lie as they lay: what a changed rule would have made the players do instead nobody can know, so
every ruling is asked about on its own, with locks, counts and turns kept as the other rules keep them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.cards import Card, Mark, Seen
from companion.chronicle import SHOWN, followed, hidden_part, shown_in
from companion.errors import MALFORMED, RecordError
from companion.exhibits import EVIDENCE, Exhibit, change_of
from companion.games import find_game
from companion.games.base import Game, Result
from companion.journal import Entry
from companion.picture import RowSight, Sight
from companion.proceedings import AsItLies, LogEntry, Seating, Timing, Turn
from companion.referee import AnyReferee, Referee
from companion.rulings import Change, Ruling, Verdict
from companion.seal import Seal
from companion.table import SLOTS, Area, Place, TableState, slot

Readings = Mapping[Place, Seen]
"""What another reader calls the pictures that were made after a ruling."""


@dataclass(frozen=True, slots=True)
class Case:
    """One ruling of a recorded game."""

    entry: LogEntry
    number: int
    """How many actions stood with it: of an action its own number."""
    referee: AnyReferee
    """What was agreed when it was written down."""
    exhibit: Exhibit | None
    """The pictures, where a camera looked."""
    change: Change | None
    """What was seen then; None where nobody looked."""

    @property
    def turn(self) -> Turn[Any] | None:
        """The turn that an action has made."""
        if self.entry.kind != "action":
            return None
        return next(turn for turn in reversed(self.referee.turns) if _made(turn, self.entry))


@dataclass(frozen=True, slots=True)
class Recorded:
    """A whole game as its record tells it."""

    referee: AnyReferee
    """What was agreed in the end."""
    cases: tuple[Case, ...]
    result: Exhibit | None
    """The pictures of the reveal; of several, because the end was taken back, those of the last."""
    exhibits: tuple[Exhibit, ...]
    """All pictures, whatever they belong to."""
    finished: bool
    """The result was announced."""


@dataclass(frozen=True, slots=True)
class Rejudged:
    """A ruling as it was, and as it would be."""

    case: Case
    then: Ruling
    now: Ruling
    changed: bool
    """Something else would be said."""


def fresh_referee(header: Mapping[str, Any]) -> AnyReferee:
    """The referee of a record's table before anything has happened; `header` as `header_of` has checked it."""
    game = find_game(header["game"])
    watched = tuple(seat["source"] == "mat" for seat in header["seats"])
    options = game.options(header["options"])
    fresh = game.start(len(watched), options)
    sight = Sight(watched, RowSight(header["tray"]))
    return Referee(game, sight, fresh, Timing(), hard=bool(getattr(options, "hard_mode", False)))


def is_finished(entries: Iterable[Entry]) -> bool:
    """Whether the result was announced, so that hidden cards are none any more."""
    shown = [entry for entry in entries if entry.kind == SHOWN]
    return bool(shown) and shown_in(shown[-1]).finished


def read_game(entries: tuple[Entry, ...], seal: Seal, game: str, fresh: AnyReferee) -> Recorded:
    """Read a record; `fresh` is a referee of its table before anything has happened.

    Raise `JournalError`, `SealError` or `RecordError` where an entry cannot be read.
    """
    cases: list[Case] = []
    exhibits: list[Exhibit] = []
    referee, result = fresh, None
    for entry, after in followed(entries, seal, game, fresh):
        new = after.log[len(referee.log) :]
        cases += [Case(said, _standing(after, said), after, None, None) for said in new if _is_ruling(said)]
        referee = after
        if entry.kind == EVIDENCE:
            exhibit = Exhibit.from_public(entry.body)
            if exhibit.log >= len(referee.log):
                raise RecordError(f"entry {entry.number} ({entry.kind}) is about ruling {exhibit.log} of {len(referee.log)}")
            exhibits.append(exhibit)
            said = referee.log[exhibit.log]
            if said.kind == "result":
                result = exhibit
            change = _seen_at(entry, hidden_part(entry, seal, game), len(fresh.sight.watched))
            cases = [replace(one, exhibit=exhibit, change=change) if one.entry is said else one for one in cases]
    return Recorded(referee, tuple(cases), result, tuple(exhibits), is_finished(entries))


def _seen_at(entry: Entry, hidden: bytes, seats: int) -> Change:
    """What was seen at a ruling; raise `RecordError` where that is no table with so many seats."""
    name = f"entry {entry.number} ({entry.kind})"
    try:
        change = change_of(json.loads(hidden))
    except MALFORMED as error:
        raise RecordError(f"{name}: expected what was seen on the table") from error
    slots = [place for place in (*change.returned, *change.untouched) if not 0 <= place.seat < seats or place.number not in SLOTS]
    if [len(mat) for mat in change.mats] != [len(SLOTS)] * seats or slots:
        raise RecordError(f"{name}: expected what was seen on {seats} mats of {len(SLOTS)} slots")
    return change


def _is_ruling(said: LogEntry) -> bool:
    return said.kind in ("action", "violation", "question") and (said.ruling is not None or said.action is not None)


def _standing(referee: AnyReferee, said: LogEntry) -> int:
    return sum(turn.at <= said.time for turn in referee.turns)


def _made(turn: Turn[Any], said: LogEntry) -> bool:
    return turn.at == said.time and turn.action == said.action


def rejudge(recorded: Recorded, options: Any, readings: Mapping[int, Readings]) -> Iterator[Rejudged]:
    """Every ruling once more, by other `options` (checked by the game) and with other `readings` by the log's numbers."""
    for case in recorded.cases:
        if case.entry.kind == "action" and not any(_made(turn, case.entry) for turn in case.referee.turns):
            # It was taken back before it was written down.
            continue
        then = case.entry.ruling or Ruling(Verdict.LEGAL, case.entry.action)
        number = -1 if case.exhibit is None else case.exhibit.log
        # Judged twice in the same way: what differs is due to options and readings, and not to when the referee looked.
        same = _ruled(case, None, case.change)
        now = _ruled(case, options, _as_read(case, readings.get(number, {})))
        changed = _said(same) != _said(now)
        yield Rejudged(case, then, now if changed else then, changed)


def _ruled(case: Case, options: Any, change: Change | None) -> Ruling:
    """The ruling under `options` (None: those of the game)."""
    game, turn = case.referee.game, case.turn
    turns = case.referee.turns
    before = turns[: next(number for number, one in enumerate(turns) if one is turn)] if turn is not None else turns
    state = game.opened(_replayed(case.referee, before, options))
    if turn is not None:
        state = game.laid(state, turn.before.table)
    action = case.entry.action if case.entry.ruling is None else case.entry.ruling.action
    if change is None or (turn is not None and turn.by_hand):
        if action is None or isinstance(action, (AsItLies, Seating)):
            return case.entry.ruling or Ruling(Verdict.LEGAL, action)
        return game.judge(state, action)
    return game.explain(state, change)


def _replayed(referee: AnyReferee, turns: tuple[Turn[Any], ...], options: Any) -> Any:
    """The state after `turns` as other options keep it, with the cards lying as they lay."""
    if options is None:
        return turns[-1].after if turns else referee.dealt
    *_, state = _course(referee, turns, options)
    return state


def _course(referee: AnyReferee, turns: tuple[Turn[Any], ...], options: Any) -> Iterator[Any]:
    """The state before the first of `turns` and after each, as other options keep it, with the cards lying as they lay."""
    game = referee.game
    state = game.under(referee.dealt, options)
    yield state
    for turn in turns:
        if isinstance(turn.action, Seating):
            state = game.seated(state, turn.action.seat, turn.action.away)
        elif not isinstance(turn.action, AsItLies) and state.phase != "over":
            state = _made_under(game, game.laid(game.opened(state), turn.before.table), turn, options)
        state = game.laid(state, turn.after.table)
        yield state


def _made_under(game: Game[Any], state: Any, turn: Turn[Any], options: Any) -> Any:
    """The state after a turn; as it was agreed, where nobody could have acted as the cards are called now.

    A face that people have given to another card since then may have said who bets first.
    """
    try:
        return game.after(state, turn.action)
    except ValueError:
        return game.under(turn.after, options)


def _as_read(case: Case, readings: Readings) -> Change | None:
    """What was seen at a ruling, with the places that are in its pictures as another reader reads them."""
    change = case.change
    if change is None:
        return None
    mats, seen_row = [list(mat) for mat in change.mats], None if change.row is None else list(change.row)
    for place, seen in readings.items():
        if place.area is Area.SLOT and mats[place.seat][place.number - 1] not in (None, Mark.COVERED):
            mats[place.seat][place.number - 1] = seen
        elif place.area is Area.ROW and seen_row is not None and place.number <= len(seen_row):
            seen_row[place.number - 1] = seen
    laid = None if seen_row is None else tuple(seen for seen in seen_row if seen is not Mark.EMPTY)
    return replace(change, mats=tuple(map(tuple, mats)), row=laid)


def _said(ruling: Ruling) -> tuple[Any, ...]:
    """What people would be told."""
    return ruling.verdict, ruling.action, ruling.error, ruling.seat, ruling.choices


# ---- the result ---------------------------------------------------------------------------------------------------


def result_under(recorded: Recorded, options: Any, read: Readings) -> Result | None:
    """Who would have won; None where the game would not be over, or a hand would not be known."""
    referee = recorded.referee
    states = tuple(_course(referee, referee.turns, options))
    state = next((each for each in states if each.phase == "over"), states[-1])
    # Pictures of the reveal show what lay there in the end; where the game ends earlier they say nothing of other cards.
    last = states[-1].table
    table = _hands_as_read(state.table, {place: seen for place, seen in read.items() if state.table.at(place) == last.at(place)})
    cards = [card for hand in table.hands for card in hand if card is not None]
    return referee.game.result(referee.game.laid(state, table)) if len(set(cards)) == len(cards) else None


def ended_under(recorded: Recorded, options: Any) -> int | None:
    """After which move the game would have been over: 0 before the first; None where it would go on."""
    states = _course(recorded.referee, recorded.referee.turns, options)
    return next((number for number, state in enumerate(states) if state.phase == "over"), None)


def _hands_as_read(table: TableState, read: Readings) -> TableState:
    for seat in range(len(table.hands)):
        for number in SLOTS:
            seen = read.get(slot(seat, number), Mark.COVERED)
            if seen is not Mark.COVERED:
                table = table.with_slot(seat, number, seen if isinstance(seen, Card) else None)
    return table
