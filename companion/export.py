"""Played games written for other programs: JSON, which can be read again, CSV, and text after the poker hand history format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from fractions import Fraction
from typing import Any

from companion.cards import Card
from companion.errors import CompanionError, RecordError
from companion.played import PlayedGame, PlayedMove, PlayedSeat
from companion.purses import gained, purses_of
from companion.tallies import Tally

FORM = 1
"""Of the JSON; a newer one is refused."""
UNKNOWN = "??"
"""A card that nobody has read, as the hand history format writes it."""

# ---- JSON ---------------------------------------------------------------------------------------------------------


def history_to_json(games: Sequence[PlayedGame], tallies: Sequence[Tally]) -> dict[str, Any]:
    """All of it as one object."""
    return {
        "form": FORM, "games": [game_to_json(game) for game in games], "players": [tally_to_json(one) for one in tallies],
    }  # fmt: skip


def game_to_json(game: PlayedGame) -> dict[str, Any]:
    """One game; `game_from_json` reads it again."""
    return {
        "form": FORM, "game": game.game, "rules": game.rules, "began": game.began, "seconds": game.seconds,
        "options": dict(game.options),
        "seats": [
            {"name": seat.name, "source": seat.source, "hand": list(map(str, seat.hand)),
             "dealt": [None if card is None else str(card) for card in seat.dealt], "category": seat.category,
             "violations": seat.violations}
            for seat in game.seats
        ],
        "order": list(game.order), "winners": list(game.winners), "reason": game.reason,
        "moves": [_move_to_json(move) for move in game.moves], "head": game.head,
        **({"won": list(game.won), "stacks": list(game.stacks), "gained": list(gained(game))} if game.won else {}),
    }  # fmt: skip


def _move_to_json(move: PlayedMove) -> dict[str, Any]:
    told = asdict(move) | {"got": move.got and str(move.got), "gave": move.gave and str(move.gave), "amount": move.amount or None}
    return {name: value for name, value in told.items() if value is not None}


def game_from_json(data: Any) -> PlayedGame:
    """Read what `game_to_json` wrote; raise `RecordError` naming what is malformed."""
    if not isinstance(data, Mapping):
        raise RecordError(f"a game has to be an object; found {data!r}")
    if data.get("form") != FORM:
        raise RecordError(f"a game of form {data.get('form')!r}: this version reads form {FORM}")
    part = _Part(data)
    seats = tuple(_seat(_Part(one)) for one in part.every("seats", Mapping))
    game = PlayedGame(
        part.one("game", str), part.one("rules", str), part.one("began", str), part.one("seconds", float, int), seats,
        tuple(part.every("order", int)), tuple(part.every("winners", int)), part.one("reason", str),
        tuple(_move(_Part(one), range(len(seats))) for one in part.every("moves", Mapping)),
        tuple(sorted(part.one("options", Mapping).items())), part.one("head", str), *_chips(part, data),
    )  # fmt: skip
    if sorted(game.order) != list(range(len(seats))) or not (game.winners or game.won) or not {*game.winners} <= {*game.order}:
        raise RecordError(f"'order' and 'winners' have to name the {len(seats)} seats; found {game.order} and {game.winners}")
    if game.won and not len(game.won) == len(game.stacks) == len(seats):
        raise RecordError(f"'won' and 'stacks' have a number for each of {len(seats)} seats; found {game.won} and {game.stacks}")
    _check_time(game.began)
    return game


def _chips(part: _Part, data: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What was won, and the stacks after it; nothing of a game without chips."""
    return (tuple(part.every("won", int)), tuple(part.every("stacks", int))) if "won" in data else ((), ())


def _check_time(began: str) -> None:
    try:
        if began and datetime.fromisoformat(began).tzinfo is None:
            raise ValueError
    except ValueError as error:
        raise RecordError(f"'began' has to be a time with its zone; found {began!r}") from error


class _Part:
    """An object of which parts are read by name and kind."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def one(self, name: str, *kinds: type) -> Any:
        value = self._data.get(name)
        if isinstance(value, bool) or not isinstance(value, kinds):
            raise RecordError(f"{name!r} has to be {' or '.join(kind.__name__ for kind in kinds)}; found {value!r}")
        return value

    def maybe(self, name: str, kind: type) -> Any:
        return None if self._data.get(name) is None else self.one(name, kind)

    def every(self, name: str, *kinds: type) -> list[Any]:
        found = self.one(name, list)
        if any(isinstance(value, bool) or not isinstance(value, kinds) for value in found):
            raise RecordError(f"{name!r} has to be a list of {kinds[0].__name__}; found {found!r}")
        return list(found)

    def card(self, name: str) -> Card | None:
        text = self.maybe(name, str)
        return None if text is None else _card(text)


def _card(text: str) -> Card:
    try:
        return Card.parse(text)
    except CompanionError as error:
        raise RecordError(str(error)) from error


def _seat(part: _Part) -> PlayedSeat:
    hand = tuple(map(_card, part.every("hand", str)))
    if len({*hand}) not in (0, 5) or len(hand) not in (0, 5):
        raise RecordError(f"'hand' has to be five cards or none; found {' '.join(map(str, hand))}")
    dealt = tuple(None if text is None else _card(text) for text in part.every("dealt", str, type(None)))
    return PlayedSeat(
        part.one("name", str), part.one("source", str), hand, dealt, part.one("category", str), part.maybe("violations", int)
    )


def _move(part: _Part, seats: range) -> PlayedMove:
    seat, victim = part.one("seat", int), part.maybe("victim", int)
    if seat not in seats or (victim is not None and victim not in seats):
        raise RecordError(f"a move has to be of seat 0 to {seats[-1] if seats else 0}; found {seat} and {victim}")
    return PlayedMove(
        part.one("kind", str), seat, part.one("time", float, int), part.maybe("slot", int), victim,
        part.maybe("victim_slot", int), part.card("got"), part.card("gave"), part.maybe("amount", int) or 0,
    )  # fmt: skip


def tally_to_json(tally: Tally) -> dict[str, Any]:
    """A player's statistics; parts of games as decimal numbers."""
    evenings = [{"day": one.day, "games": one.games, "won": _number(one.won)} for one in tally.evenings]
    return asdict(tally) | {
        "won": _number(tally.won), "beaten": None if tally.beaten is None else _number(tally.beaten),
        "categories": dict(tally.categories), "best": list(map(str, tally.best)), "evenings": evenings,
    }  # fmt: skip


def _number(value: Fraction) -> float:
    return round(float(value), 6)


# ---- CSV ----------------------------------------------------------------------------------------------------------

COLUMNS = (
    "game", "began", "rules", "seat", "name", "source", "place", "won", "hand", "category", "steals", "suffered", "takes",
    "draws", "discards", "violations", "proven", "chips_gained", "chips",
)  # fmt: skip
"""One line for every seat of every game."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so would be worked out by a spreadsheet program."""


def history_to_csv(games: Sequence[PlayedGame]) -> str:
    """A line of names, then one for every seat of every game; lines end as RFC 4180 wants it."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(COLUMNS)
    for game in games:
        table.writerows(_lines(game))
    return written.getvalue()


def _lines(game: PlayedGame) -> Iterator[list[str | int | float]]:
    gains = gained(game)
    for number, seat in enumerate(game.seats):
        kinds = [move.kind for move in game.moves if move.seat == number]
        suffered = sum(move.kind == "steal" and move.victim == number for move in game.moves)
        yield [
            game.game, game.began, game.rules, number + 1, _plain(seat.name), seat.source, game.order.index(number) + 1,
            _number(game.share(number)), " ".join(map(str, seat.hand)), seat.category, kinds.count("steal"), suffered,
            kinds.count("take"), kinds.count("draw") + kinds.count("discard"), kinds.count("discard"),
            "" if seat.violations is None else seat.violations, "yes" if game.proven else "no",
            gains[number] if gains else "", game.stacks[number] if game.stacks else "",
        ]  # fmt: skip


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


# ---- poker hand history -------------------------------------------------------------------------------------------


def variant(game: PlayedGame) -> str:
    """Our name for a game that the format does not know; as with its fields, an underscore says that it is not the format's."""
    return f"_{game.rules.upper().replace('-', '_')}"


def game_to_phh(game: PlayedGame) -> str:
    """One game as text after the poker hand history format, which is TOML.  docs/history.md says what of it is ours."""
    purses = purses_of(game)
    lines = [
        f"variant = {_text(variant(game))}",
        f"antes = {[0 if purses is None else purses.ante] * len(game.seats)}",
        f"starting_stacks = {[0] * len(game.seats) if purses is None else list(purses.before)}",
        *(f"finishing_stacks = {list(game.stacks)}" for _ in [0] if game.stacks),
        "actions = [",
        *(f"  {_text(action)}," for action in _actions(game)),
        "]",
        f"hand = {_text(game.game)}",
        *_dated(game),
        f"seats = {list(range(1, len(game.seats) + 1))}",
        f"seat_count = {len(game.seats)}",
        f"players = [{', '.join(_text(name) for name in game.names)}]",
        f"_form = {FORM}",
        f"_rules = {_text(game.rules)}",
        f"_seconds = {float(game.seconds)!r}",
        f"_sources = [{', '.join(_text(seat.source) for seat in game.seats)}]",
        f"_categories = [{', '.join(_text(seat.category) for seat in game.seats)}]",
        f"_order = {[seat + 1 for seat in game.order]}",
        f"_winners = {[seat + 1 for seat in game.winners]}",
        f"_decided_by = {_text(game.reason)}",
        f"_record = {_text(game.head)}",
        *(f"_violations = {[seat.violations for seat in game.seats]}" for _ in [0] if _counted(game)),
        "",
        "[_options]",
        *(f"{name} = {_value(value)}" for name, value in game.options if value is not None),
    ]
    return "\n".join(lines) + "\n"


def _counted(game: PlayedGame) -> bool:
    return all(seat.violations is not None for seat in game.seats)


def _dated(game: PlayedGame) -> Iterator[str]:
    if not game.began:
        return
    began = datetime.fromisoformat(game.began)
    yield f"time = {began.time().isoformat(timespec='seconds')}"
    yield 'time_zone = "UTC"'
    yield from (f"{name} = {getattr(began, name)}" for name in ("day", "month", "year"))


def _actions(game: PlayedGame) -> Iterator[str]:
    """The hands as they were before the first move, each move, and the hands that were shown."""
    for number, seat in enumerate(game.seats, 1):
        if game.stacks and not seat.dealt:
            # What was not shown is known to nobody, and stud deals its cards one by one.
            continue
        yield f"d dh p{number} {_cards(seat.dealt or [None] * 5)}"
    for move in game.moves:
        yield _action(move)
    yield from (f"p{seat} sm {_cards(one.hand)}" for seat, one in enumerate(game.seats, 1) if one.hand)


def _action(move: PlayedMove) -> str:
    """Ours are the verbs that begin with an underscore; slots are numbers, unknown cards are written as the format has it."""
    if move.kind in BETS:
        return BETS[move.kind].format(who=f"p{move.seat + 1}", chips=move.amount, cards=UNKNOWN * move.amount).rstrip()
    who, got, gave = f"p{move.seat + 1}", _cards([move.got]), _cards([move.gave])
    if move.kind == "steal":
        return f"{who} _steal p{(move.victim or 0) + 1} {move.victim_slot} {got} {move.slot} {gave}"
    if move.kind == "draw":
        return f"{who} _draw {move.slot} {got} {gave}"
    if move.kind == "take":
        return f"{who} _take {move.slot} {got} {gave}"
    return f"{who} _discard {gave}" if move.kind == "discard" else f"{who} _{move.kind}"


BETS: Mapping[str, str] = {
    "fold": "{who} f", "check": "{who} cc", "call": "{who} cc", "bring_in": "{who} pb", "bet": "{who} cbr {chips}",
    "raise": "{who} cbr {chips}", "complete": "{who} cbr {chips}", "stand_pat": "{who} sd", "exchange": "{who} sd {cards}",
}  # fmt: skip
"""Moves for which the format has a word."""


def _cards(cards: Sequence[Card | None]) -> str:
    return "".join(UNKNOWN if card is None else str(card) for card in cards)


def _value(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _text(value)


def _text(text: str) -> str:
    """A basic string of TOML: as in JSON, and the one control character escaped that JSON lets pass."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
