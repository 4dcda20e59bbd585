"""A game that is over told again: what lay where after every move that stands, and where the lead changed hands.

It names every card.  Nobody makes one before the result of its game is known to everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from companion.cards import DECK, Card, Held, is_named
from companion.errors import DeclarationError
from companion.games.base import Game, Result
from companion.games.hands import HandValue, order_hands, value_of
from companion.played import PlayedGame, PlayedMove
from companion.proceedings import Turn
from companion.referee import AnyReferee
from companion.table import SLOTS, TableState
from companion.viewing import move_view
from companion.views import MoveView

PLAYED = ("draw", "discard", "steal", "take", "pass", "forfeit")
"""Kinds of moves with which the story begins; sorting before them is none."""
PILE, ROW, REMOVED = "pile", "row", "removed"
Known = Card | None
"""A card, or one that nobody has read."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A card that went from one place to another: ``pile``, ``row``, ``removed``, or a slot such as ``0-3`` (seat and number)."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Moment:
    """What lay where after a move, or before the first one."""

    hands: tuple[tuple[Known, ...], ...]
    row: tuple[Known, ...]
    """Oldest first."""
    pile: int
    removed: int
    move: MoveView | None = None
    """None for the deal."""
    got: Known = None
    """What came into the mover's own slot."""
    gave: Known = None
    """What left it; of a card that went from the pile to the row, that card."""

    @property
    def carried(self) -> tuple[Carried, ...]:
        """The cards that this move has moved."""
        move = self.move
        if move is None or move.seat is None:
            return ()
        own, other = f"{move.seat}-{move.slot}", f"{move.victim}-{move.victim_slot}"
        ways = {
            "draw": ((PILE, own), (own, ROW)), "discard": ((PILE, ROW),), "take": ((ROW, own), (own, REMOVED)),
            "steal": ((other, own), (own, other)),
        }  # fmt: skip
        return tuple(Carried(*way) for way in ways.get(move.kind, ()))

    @property
    def touched(self) -> frozenset[str]:
        """The slots between which cards were moved."""
        return frozenset(place for way in self.carried for place in (way.source, way.target) if place[0].isdigit())

    def worth(self, seat: int) -> HandValue | None:
        """What the hand of `seat` was worth then; None where not all of it is known."""
        hand = [card for card in self.hands[seat] if card is not None]
        return value_of(hand) if len(set(hand)) == len(SLOTS) else None


@dataclass(frozen=True)
class Retelling:
    """A whole game."""

    rules: str
    """What was played, such as ``steal``."""
    day: str
    """``2027-03-01``; empty where the clock was not set."""
    names: tuple[str, ...]
    """Of the seats; empty for somebody whose name was deleted."""
    moments: tuple[Moment, ...]
    """Before the first move, and after each."""
    order: tuple[int, ...]
    """Seats, the winner first."""
    winners: tuple[int, ...]
    tie_break: str = "suit_significant"

    @cached_property
    def leaders(self) -> tuple[int | None, ...]:
        """At each moment the seat with the best hand; None where a hand is not known."""
        return tuple(self._leader(moment) for moment in self.moments)

    def _leader(self, moment: Moment) -> int | None:
        hands = [[card for card in hand if card is not None] for hand in moment.hands]
        if any(len(set(hand)) != len(SLOTS) for hand in hands):
            return None
        return order_hands(hands, self.tie_break).order[0]

    @cached_property
    def turning_points(self) -> tuple[int, ...]:
        """The moments after which another seat had the best hand than before."""
        leaders = self.leaders
        return tuple(
            number for number in range(1, len(leaders)) if None not in leaders[number - 1 : number + 1]
            and leaders[number] != leaders[number - 1]
        )  # fmt: skip


# ---- from what a referee knows --------------------------------------------------------------------------------------


def retold(referee: AnyReferee, result: Result | None, names: Sequence[str], day: str) -> Retelling:
    """The game that `referee` has judged and that has ended with `result`; raise `DeclarationError` where it has not
    ended, or what was not shown in it stays hidden for good."""
    if result is None or referee.state.phase != "over" or not referee.game.told:
        raise DeclarationError("the result of this game does not stand", "no_story")
    game, turns = referee.game, referee.turns
    views = [move_view(game, turn.action) for turn in turns]
    first = next((number for number, view in enumerate(views) if view.kind in PLAYED), len(turns))
    begin = turns[first].before.table if first < len(turns) else referee.state.table
    moments = [_moment(begin), *(_after(turn, view) for turn, view in zip(turns[first:], views[first:], strict=True))]
    tie_break = tie_break_of(game, referee.state)
    return Retelling(game.name, day, tuple(names), tuple(moments), result.order, result.winners, tie_break)


def tie_break_of(game: Game[Any], state: Any) -> str:
    """By what hands of equal ranks are told apart in this game."""
    return str(getattr(getattr(state, "options", None), "tie_break", "suit_significant"))


def _moment(table: TableState) -> Moment:
    hands = tuple(tuple(map(_face, hand)) for hand in table.hands)
    return Moment(hands, tuple(map(_face, table.row)), len(table.pile), len(table.removed))


def _after(turn: Turn[Any], view: MoveView) -> Moment:
    before, after = turn.before.table, turn.after.table
    moment = replace(_moment(after), move=view)
    if view.seat is not None and view.slot is not None:
        return replace(
            moment, got=_face(after.hands[view.seat][view.slot - 1]), gave=_face(before.hands[view.seat][view.slot - 1])
        )
    return replace(moment, gave=moment.row[-1] if len(after.row) > len(before.row) else None)


def _face(held: Held | None) -> Known:
    return held if isinstance(held, Card) and is_named(held) else None


# ---- from what is told of a played game -----------------------------------------------------------------------------


def retold_from(played: PlayedGame) -> Retelling:
    """The same from a played game alone, as far as that tells which card lay where.

    Every card is followed from place to place, and known wherever it lay as soon as it was named once.  Where moves do not fit
    the cards - somebody has moved some beside the rules - only the hands of the end are told.
    """
    course = _Course(played)
    moments = [course.moment(None)]
    for move in played.moves:
        course.move(move)
        moments.append(course.moment(move))
    faces = course.faces()
    told = [replace(moment, **_named(moment, faces)) for moment in moments]
    last = replace(told[-1], hands=tuple(seat.hand for seat in played.seats))
    options = dict(played.options)
    return Retelling(
        played.rules, played.evening(), played.names, (*told[:-1], last), played.order, played.winners,
        str(options.get("tie_break", "suit_significant")),
    )  # fmt: skip


def _named(moment: Moment, faces: dict[int, Card]) -> dict[str, Any]:
    """The parts of a moment with cards in place of the numbers by which they were followed."""
    hands: Any = moment.hands
    row: Any = moment.row
    return {"hands": tuple(tuple(map(faces.get, hand)) for hand in hands), "row": tuple(map(faces.get, row))}


class _Course:
    """Follows the cards of one game by numbers of their own."""

    def __init__(self, played: PlayedGame) -> None:
        self._played = played
        self._seats = len(played.seats)
        self._hands = [[seat * len(SLOTS) + place for place in range(len(SLOTS))] for seat in range(self._seats)]
        self._next = self._seats * len(SLOTS)
        self._row: list[int] = []
        self._drawn = self._removed = 0
        self._found: list[tuple[int, Known]] = [
            (self._hands[number][place], card)
            for number, seat in enumerate(played.seats)
            for place, card in enumerate(seat.dealt)
        ]
        self._fits = True

    def moment(self, move: PlayedMove | None) -> Moment:
        pile = len(DECK) - self._seats * len(SLOTS) - self._drawn
        hands: Any = tuple(map(tuple, self._hands))
        row: Any = tuple(self._row)
        if move is None:
            return Moment(hands, row, pile, self._removed)
        return Moment(hands, row, pile, self._removed, move.view, move.got, move.gave)

    def move(self, move: PlayedMove) -> None:
        if move.kind == "discard":
            self._row.append(self._new())
            self._found.append((self._row[-1], move.gave))
        elif move.slot is None or move.slot not in SLOTS:
            self._fits &= move.kind in ("pass", "forfeit")
        elif move.kind == "steal":
            self._steal(move, move.slot)
        elif move.kind in ("draw", "take"):
            self._change(move, move.slot)

    def _new(self) -> int:
        """A card from the pile."""
        self._next += 1
        self._drawn += 1
        return self._next - 1

    def _change(self, move: PlayedMove, number: int) -> None:
        """A card of the pile or the row for an own one."""
        hand = self._hands[move.seat]
        old = hand[number - 1]
        if move.kind == "draw":
            hand[number - 1] = self._new()
            self._row.append(old)
        else:
            self._fits &= bool(self._row)
            hand[number - 1] = self._row.pop() if self._row else self._new()
            self._removed += 1
        self._found += [(hand[number - 1], move.got), (old, move.gave)]

    def _steal(self, move: PlayedMove, number: int) -> None:
        if move.victim is None or move.victim_slot not in SLOTS:
            self._fits = False
            return
        own, other, at = self._hands[move.seat], self._hands[move.victim], move.victim_slot - 1
        own[number - 1], other[at] = other[at], own[number - 1]
        self._found += [(own[number - 1], move.got), (other[at], move.gave)]

    def faces(self) -> dict[int, Card]:
        """The cards by their numbers; nothing where one would be two, or two would be one."""
        ends = [(number, card) for hand, seat in zip(self._hands, self._played.seats, strict=True)
                for number, card in zip(hand, seat.hand, strict=False)]  # fmt: skip
        faces: dict[int, Card] = {}
        for number, card in self._named((*self._found, *ends)):
            self._fits &= faces.setdefault(number, card) == card
        return faces if self._fits and len(set(faces.values())) == len(faces) else {}

    @staticmethod
    def _named(found: Sequence[tuple[int, Known]]) -> Iterator[tuple[int, Card]]:
        return ((number, card) for number, card in found if card is not None)
