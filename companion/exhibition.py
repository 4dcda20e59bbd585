"""What of the evidence may be seen now: rules, locks and counts at any time, pictures only of what everybody has seen.

Before the result no picture of a slot leaves this module, for nobody.  An open card of the row is shown where a camera looks
at it from above; a sixth mat has met it face down, perhaps on its way to a hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.cards import Card, Mark
from companion.commitments import card_code
from companion.crops import Kept, is_face, png_of
from companion.errors import DeclarationError
from companion.evidence import Evidence
from companion.exhibits import AFTER, DEAL, READ, Exhibit, Piece, rule_id, turn_of
from companion.picture import RowSight
from companion.proceedings import LogEntry
from companion.referee import AnyReferee
from companion.table import Area, Place, TableState
from companion.views import HardCase, LockView

MOST_HARD = 2
"""More pictures at the showdown would only hide the hardest."""
SURE = 0.98
"""A card that was never read with less than this was no hard case."""
HARDEST = ("corrected", "disputed", "unread", "doubtful")
"""Why a card was a hard case, the most interesting reason first."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture that may be seen."""

    number: int
    """Of the piece; its picture has this name."""
    place: tuple[int, int]
    """(seat, slot); (-1, position) of the row."""
    when: str
    seen: str
    """What the reader called it, as `card_code` writes it."""
    likely: tuple[tuple[str, float], ...]
    """Its most likely faces by this window alone, best first."""
    looks: int
    agreed: int
    """How many of the looks name the same by themselves; both 0 where there is no picture."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What stands behind one ruling."""

    what: str
    """``action``, ``violation`` or ``question``."""
    error: str
    """Kind of the violation."""
    rule: str
    """Id of the rule; empty where none is named."""
    by_hand: bool
    """It was tapped, not seen."""
    frames: int
    """So many pictures in a row showed it so; 0 where no camera looked."""
    locks: tuple[tuple[LockView, int], ...]
    """The locks that ran then, and how many more turns each still runs now."""
    shots: tuple[Shot, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """Whose cards may be seen."""

    places: frozenset[Place] = frozenset()
    """Slots whose cards were shown; nothing before the result was announced."""
    row: bool = False
    """Cards of the row."""

    def shows(self, place: Place) -> bool:
        """Whether pictures of a place may be seen."""
        return self.row if place.area is Area.ROW else place in self.places


def opened_now(referee: AnyReferee, shown: frozenset[Place], announced: bool) -> Opened:
    """What may be seen now: of the slots nothing before the result is `announced`; nothing at all while play goes on."""
    halted = referee.stopped is not None or referee.state.phase == "over"
    return Opened(shown if announced else frozenset(), halted and referee.sight.row is RowSight.OVERHEAD)


def picture(evidence: Evidence | None, number: int, opened: Opened) -> bytes | None:
    """A PNG; None where it is hidden, deleted or was never there: nobody can tell which."""
    piece = None if evidence is None else evidence.piece(number)
    if evidence is None or piece is None or not opened.shows(piece.place):
        return None
    kept = evidence.opened(piece)
    return None if kept is None or kept.crop is None else png_of(kept.crop)


def proofs(referee: AnyReferee, evidence: Evidence | None, number: int, opened: Opened) -> tuple[Proof, ...]:
    """What stands behind action `number` (from 1), and behind whatever was ruled between it and the next one.

    Raise `DeclarationError` where so many do not stand.
    """
    if not 0 <= number <= len(referee.turns):
        raise DeclarationError(f"between 0 and {len(referee.turns)} actions stand; found {number}")
    start, end = (referee.turns[n - 1].at if 0 < n <= len(referee.turns) else None for n in (number, number + 1))
    found = []
    for position, entry in enumerate(referee.log):
        after = start is None or entry.time >= start
        if entry.kind in ("action", "violation", "question") and after and (end is None or entry.time < end):
            turn = turn_of(referee, entry) if entry.kind == "action" else None
            if entry.kind == "action" and (turn is None or number == 0 or turn is not referee.turns[number - 1]):
                continue
            found.append(_proof(referee, evidence, position, entry, opened))
    return tuple(found)


def _proof(referee: AnyReferee, evidence: Evidence | None, position: int, entry: LogEntry, opened: Opened) -> Proof:
    exhibit = None if evidence is None else next((one for one in evidence.exhibits if one.log == position), None)
    turn = turn_of(referee, entry) if entry.kind == "action" else None
    state = referee.state if turn is None else turn.after
    locks = referee.game.public(state).locks if exhibit is None else exhibit.locks
    if exhibit is None and turn is None:
        locks = _locks_at(referee, entry)
    turns_then = state.turn if turn is not None else _turns_at(referee, entry)
    passed = referee.state.turn - turns_then
    return Proof(
        entry.kind,
        "" if entry.ruling is None else entry.ruling.error or "",
        rule_id(referee, entry),
        turn is not None and turn.by_hand,
        0 if exhibit is None else exhibit.frames,
        tuple((lock, 0 if referee.state.phase == "over" else max(0, lock.turns_left - passed)) for lock in locks),
        () if exhibit is None or evidence is None else tuple(_shots(evidence, exhibit, opened)),
    )


def _locks_at(referee: AnyReferee, entry: LogEntry) -> tuple[LockView, ...]:
    before = [turn for turn in referee.turns if turn.at <= entry.time]
    return referee.game.public(before[-1].after if before else referee.dealt).locks


def _turns_at(referee: AnyReferee, entry: LogEntry) -> int:
    before = [turn for turn in referee.turns if turn.at <= entry.time]
    turn: int = (before[-1].after if before else referee.dealt).turn
    return turn


def _shots(evidence: Evidence, exhibit: Exhibit, opened: Opened) -> Iterator[Shot]:
    for piece in exhibit.pieces:
        kept = evidence.opened(piece) if opened.shows(piece.place) and piece.when != DEAL else None
        if kept is not None and kept.crop is not None:
            yield _shot(piece, kept)


def _shot(piece: Piece, kept: Kept) -> Shot:
    place = (piece.place.seat, piece.place.number)
    likely = tuple((str(card), share) for card, share in kept.likely)
    looks, agreed = (0, 0) if kept.crop is None else (kept.crop.looks, kept.crop.agreed)
    return Shot(piece.number, place, piece.when, card_code(kept.seen), likely, looks, agreed)


# ---- the showdown -------------------------------------------------------------------------------------------------


def hard_cases(referee: AnyReferee, evidence: Evidence | None, shown: frozenset[Place]) -> tuple[HardCase, ...]:
    """Cards of the hands that were shown, and that were hard to read; the hardest first."""
    if evidence is None:
        return ()
    table = referee.state.table
    final = {card: place for place in sorted(shown) if isinstance(card := table.at(place), Card)}
    met: dict[Card, list[tuple[Piece, Kept]]] = {}
    for exhibit in evidence.exhibits:
        for card, piece in _whose(referee, exhibit):
            kept = evidence.opened(piece) if card in final else None
            if kept is not None and kept.crop is not None and is_face(kept.seen):
                met.setdefault(card, []).append((piece, kept))
    cases = [_case(referee, card, final[card], pieces) for card, pieces in met.items()]
    ranked = sorted((one for one in cases if one is not None), key=lambda one: (HARDEST.index(one.why), one.sure, one.place))
    return tuple(ranked[:MOST_HARD])


def _whose(referee: AnyReferee, exhibit: Exhibit) -> Iterator[tuple[Card, Piece]]:
    """The pieces that show a card where it was agreed to lie, by the names that the cards have now."""
    entry = referee.log[exhibit.log]
    turn = turn_of(referee, entry) if entry.kind == "action" else None
    tables: dict[str, TableState] = {READ: referee.state.table} if entry.kind == "result" else {}
    if turn is not None:
        tables = {DEAL: turn.before.table, AFTER: turn.after.table}
    for piece in exhibit.pieces:
        table = tables.get(piece.when)
        card = None if table is None or piece.place.area is not Area.SLOT else table.at(piece.place)
        if isinstance(card, Card):
            yield card, piece


def _case(referee: AnyReferee, card: Card, place: Place, pieces: list[tuple[Piece, Kept]]) -> HardCase | None:
    piece, kept = min(pieces, key=lambda one: _sureness(one[1], card))
    sure = _sureness(kept, card)
    named = ("corrected", "entered", "entered_hidden")
    why = ""
    if any(entry.kind in named and entry.new == card for entry in referee.log):
        why = "corrected"
    elif any(entry.kind == "reseat" and place in entry.places for entry in referee.log):
        why = "disputed"
    elif any(each.seen is Mark.UNREADABLE for _, each in pieces):
        why = "unread"
    elif sure < SURE:
        why = "doubtful"
    if not why:
        return None
    shot = _shot(piece, kept)
    home = (place.seat, place.number)
    return HardCase(shot.place, home, str(card), why, piece.number, sure, shot.likely, shot.looks, shot.agreed)


def _sureness(kept: Kept, card: Card) -> float:
    """How sure the reader was of the right card: by this window alone, where it says so."""
    if not kept.likely:
        return kept.confidence if kept.seen == card else 0.0
    return dict(kept.likely).get(card, 0.0)
