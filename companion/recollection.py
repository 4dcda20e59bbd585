"""What everybody has seen of the cards: faces that lay openly in the row, followed to where they lie now.

A card that is typed at the reveal and goes against that is asked about: a finger may have slipped, or the row was misread.
Nothing is asked that only a camera under a mat could know: who types cards at random must learn nothing of hidden ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.cards import Card, is_named
from companion.picture import row_is_blind
from companion.proceedings import OTHER, SEEN, Question, Turn, Typed
from companion.referee import AnyReferee
from companion.table import Area, Place


def seen_openly(referee: AnyReferee) -> Mapping[Card, Place]:
    """Where the cards lie now whose faces everybody could see in the row at some time of the game."""
    table = referee.state.table
    found = ((card, table.find(card)) for turn in referee.turns for card in _row_faces(referee, turn))
    return {card: place for card, place in found if place is not None}


def _row_faces(referee: AnyReferee, turn: Turn[Any]) -> Iterator[Card]:
    """The faces in the row after a turn, as far as the table could tell them then."""
    typed = {entry.new for entry in referee.log if entry.new is not None and any(p.area is Area.ROW for p in entry.places)}
    for card in turn.after.table.row:
        if isinstance(card, Card) and is_named(card):
            home = turn.before.table.find(card)
            read = home is not None and home.area is Area.SLOT and referee.sight.watched[home.seat]
            # Where nothing looks at the row, a card that came from the pile may have been read only later, in a slot.
            if read or card in typed or not row_is_blind(referee.sight.row):
                yield card


def doubt(referee: AnyReferee, place: Place, card: Card, now: float) -> Question | None:
    """What has to be asked before `card` counts as the one at `place`; None where nothing speaks against it."""
    seen = seen_openly(referee)
    choices = (Typed(None, place, card), None)
    home = seen.get(card)
    if home is not None and home != place and home.area in (Area.SLOT, Area.REMOVED) and home.seat != place.seat:
        return Question(len(referee.log) + 1, SEEN, choices, now, None, (place, home))
    held = referee.state.table.at(place)
    if held != card and held in seen:
        return Question(len(referee.log) + 1, OTHER, choices, now, None, (place,))
    return None
