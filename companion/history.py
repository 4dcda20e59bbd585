"""What a record tells of its game once that has a result; before that, who sits there and nothing else.

Names, moves and the hands that were shown stand in the record's public part, the cards as openings of the commitments: all that
needs no key.  With the key there are more: how often a seat had to put something right, and the cards that moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from companion.cards import Card, Held, is_named
from companion.chronicle import SHOWN, shown_in
from companion.commitments import OPENED, seen_of
from companion.errors import MALFORMED, CompanionError, RecordError
from companion.games import find_game
from companion.games.base import Game, Result
from companion.games.hands import order_hands
from companion.header import header_of
from companion.journal import Entry, Walk
from companion.minutes import BESIDE_THE_RULES
from companion.plain import name_in
from companion.played import PlayedGame, PlayedMove, PlayedSeat, Unfinished, Unreadable
from companion.proceedings import LogEntry, Turn
from companion.rejudging import fresh_referee, is_finished, read_game
from companion.retelling import Retelling, retold, retold_from
from companion.rulings import Verdict
from companion.seal import Seal
from companion.story import Story, tell
from companion.table import SLOTS, Place, slot
from companion.verification import verify
from companion.views import MoveView

Told = PlayedGame | Unfinished | Unreadable


def told(walk: Walk, game: str, seal: Seal | None = None) -> Told:
    """What the record of `game` tells; `seal` is what opens its sealed parts, if that is at hand."""
    if walk.fault is not None or verify(walk, name=game).altered is not None:
        return Unreadable(game, "changed")
    try:
        if not is_finished(walk.entries):
            first = walk.entries[0] if walk.entries else None
            return Unfinished(game, tell(walk).names, "" if first is None else _began(first))
        played = _in_public(walk, game)
    except (CompanionError, *MALFORMED):
        return Unreadable(game, "unknown")
    if seal is not None:
        # Another key than the one it was sealed with, or a sealed part of another version: what is public stays.
        with suppress(CompanionError, *MALFORMED):
            return _with_key(played, walk, seal)
    return played


def _began(entry: Entry) -> str:
    return entry.wall if entry.clock_set else ""


def retelling(walk: Walk, game: str, seal: Seal | None = None) -> Retelling | None:
    """The story of `game` with every card that its record tells; None while it has no result, or cannot be told."""
    played = told(walk, game)
    if not isinstance(played, PlayedGame):
        return None
    if seal is not None:
        with suppress(CompanionError, *MALFORMED):
            referee = read_game(walk.entries, seal, game, fresh_referee(header_of(walk.entries))).referee
            result = referee.game.result(referee.state)
            if result is not None and referee.game.told:
                return retold(referee, result, played.names, played.evening())
    return retold_from(played) if find_game(played.rules).told else None


# ---- the public part ----------------------------------------------------------------------------------------------


def _in_public(walk: Walk, game: str) -> PlayedGame:
    header = header_of(walk.entries)
    rules = find_game(header["game"])
    options = rules.options(header["options"])
    seats = tuple(PlayedSeat(name_in(seat.get("name")), seat["source"]) for seat in header["seats"])
    hands = _hands(walk.entries, len(seats), rules.told)
    ended = next(entry for entry in reversed(walk.entries) if entry.kind == SHOWN)
    result = _result(hands, options) if rules.told else shown_in(ended).result
    if result is None or len(result.categories) != len(seats):
        raise RecordError(f"entry {ended.number} ({ended.kind}) does not tell how the game ended")
    shown = zip(seats, hands, result.categories, strict=True)
    return PlayedGame(
        game, rules.name, _began(walk.entries[0]), ended.time,
        tuple(replace(seat, hand=hand, category=category if hand else "") for seat, hand, category in shown),
        result.order, result.winners, result.reason, _standing(tell(walk), rules), _plain(asdict(options)),
        walk.entries[-1].hash.hex(), result.won, result.stacks,
    )  # fmt: skip


def _result(hands: tuple[tuple[Card, ...], ...], options: Any) -> Result:
    """How a game ended in which all hands were shown and rank high."""
    standing = order_hands(hands, getattr(options, "tie_break", "share"))
    return Result(standing.order, standing.winners, standing.categories, standing.decided_by)


def _plain(options: Mapping[str, Any]) -> tuple[tuple[str, bool | int | str | None], ...]:
    return tuple(sorted(options.items()))


def _hands(entries: tuple[Entry, ...], seats: int, whole: bool) -> tuple[tuple[Card, ...], ...]:
    """The hands of the end: what the newest opened commitments show, as far as it was shown to everybody.

    `whole`: in this game that is every hand; else nothing stands for one that was not shown.
    """
    shown = shown_in(next(entry for entry in reversed(entries) if entry.kind == SHOWN)).places
    cards: dict[Place, Card] = {}
    for entry in entries:
        if entry.kind == OPENED:
            # Commitments are opened in the order in which they were made: the newest comes last.
            cards |= {place: card for place, card in _opened(entry) if place in shown}
    every = [[slot(seat, number) for number in SLOTS] for seat in range(seats)]
    try:
        return tuple(tuple(cards[place] for place in hand) if whole or set(hand) <= set(cards) else () for hand in every)
    except KeyError as error:
        raise RecordError(f"a result without the card of {error.args[0]}") from error


def _opened(entry: Entry) -> Iterable[tuple[Place, Card]]:
    for one in entry.body["slots"]:
        card = seen_of(str(one["card"]))
        if isinstance(card, Card):
            yield slot(int(one["seat"]), int(one["slot"])), card


def _standing(story: Story, game: Game[Any]) -> tuple[PlayedMove, ...]:
    """The moves that were not taken back."""
    moves: list[PlayedMove | None] = []
    for line in story.lines:
        if line.kind in ("action", "redone"):
            moves.append(None if line.move is None else _move(line.move, line.time, game))
        elif line.kind == "undone" and moves:
            moves.pop()
    return tuple(move for move in moves if move is not None)


def _move(view: MoveView, time: float, game: Game[Any]) -> PlayedMove | None:
    if view.kind not in game.moves or view.seat is None:
        return None
    return PlayedMove(view.kind, view.seat, time, view.slot, view.victim, view.victim_slot, amount=view.amount)


# ---- with the key -------------------------------------------------------------------------------------------------


def _with_key(played: PlayedGame, walk: Walk, seal: Seal) -> PlayedGame:
    recorded = read_game(walk.entries, seal, played.game, fresh_referee(header_of(walk.entries)))
    referee = recorded.referee
    if not referee.game.told:
        # What was not shown stays sealed for good, the key or no key.
        counts = [sum(_blames(said, number) for said in referee.log) for number in range(len(played.seats))]
        seats = tuple(replace(seat, violations=count) for seat, count in zip(played.seats, counts, strict=True))
        return replace(played, seats=seats)
    made = [(turn, move) for turn in referee.turns if (move := _move_of(turn, referee.game)) is not None]
    begin = made[0][0].before if made else referee.state
    seats = tuple(
        replace(seat, dealt=tuple(map(_face, hand)), violations=sum(_blames(said, number) for said in referee.log))
        for number, (seat, hand) in enumerate(zip(played.seats, begin.table.hands, strict=True))
    )
    return replace(played, seats=seats, moves=tuple(_with_cards(move, turn) for turn, move in made))


def _move_of(turn: Turn[Any], game: Game[Any]) -> PlayedMove | None:
    return None if isinstance(turn.action, BESIDE_THE_RULES) else _move(game.move_view(turn.action), turn.at, game)


def _with_cards(move: PlayedMove, turn: Turn[Any]) -> PlayedMove:
    before, after = turn.before.table, turn.after.table
    if move.slot is not None:
        own = slot(move.seat, move.slot)
        return replace(move, got=_face(after.at(own)), gave=_face(before.at(own)))
    laid = after.row[-1] if len(after.row) > len(before.row) else None
    return replace(move, gave=_face(laid))


def _face(held: Held | None) -> Card | None:
    return held if isinstance(held, Card) and is_named(held) else None


def _blames(said: LogEntry, seat: int) -> bool:
    ruling = said.ruling
    return said.kind == "violation" and ruling is not None and ruling.verdict is Verdict.ILLEGAL and ruling.seat == seat
