"""Whether waiting is worthwhile: a picture in mid-move may still become something legal."""

from __future__ import annotations

from companion.cards import Card, Held, Mark, Seen
from companion.games.steal_picture import Difference, Picture, touched
from companion.games.steal_rules import after, fault, turn_actions
from companion.games.steal_state import Draw, Start, StealState, Take
from companion.rulings import Action, Change
from companion.table import Place, slot


def could_become(state: StealState, change: Change) -> bool:
    """Whether the moves in hand can still lead to a legal action of the current seat, or back to where everything was.

    Generous: it only decides whether the referee waits for some seconds before it accuses anybody.
    """
    picture = Picture.of(state, change)
    double = picture.twice()
    # A taken card may lie in its slot while the camera above the row has not looked again.
    lagging = double is not None and double in state.table.row[-1:]
    if picture.showing(Mark.FOREIGN) or _removed_shows(picture) or (double is not None and not lagging):
        return False
    differences = tuple(change for change in picture.differences() if change.new is not Mark.EMPTY)
    if state.phase == "over":
        return not differences
    if not differences and _row_goes_back(picture):
        return True
    if any(_may_complete(picture, action) for action in _reachable(state)):
        return True
    if lagging:
        return False
    if state.phase == "setup" and _hand_out(picture):
        return True
    return bool(differences) and _row_goes_back(picture) and all(_still_open(picture, change) for change in differences)


def _removed_shows(picture: Picture) -> bool:
    return any(isinstance(card, Card) and picture.showing(card) for card in picture.state.table.removed)


def _hand_out(picture: Picture) -> bool:
    return any(picture.seen(place) is Mark.EMPTY for place in picture.slots())


def _reachable(state: StealState) -> list[Action]:
    begun = after(state, Start()) if state.phase == "setup" else state
    if begun.current is None:
        return []
    return [action for action in turn_actions(begun, begun.current) if fault(begun, action) is None]


def _row_goes_back(picture: Picture) -> bool:
    """The row is as it was, or one card was picked up from it and can be laid back."""
    seen, old = picture.change.row, picture.state.table.row
    if seen is None or picture.fits_row(picture.state.table):
        return True
    if len(seen) != len(old) - 1:
        return False
    without = (old[:index] + old[index + 1 :] for index in range(len(old)))
    return any(all(map(picture.could_be, rest, seen)) for rest in without)


def _still_open(picture: Picture, change: Difference) -> bool:
    """A card in a wrong slot while its seat, or the seat it came from, still holds a card in the hand."""
    home = picture.known.get(change.new) if isinstance(change.new, Card) else None
    seats = {change.place.seat} | ({home.seat} if home is not None and home.seat >= 0 else set())
    return any(place.seat in seats and picture.seen(place) is Mark.EMPTY for place in picture.slots())


def _may_complete(picture: Picture, action: Action) -> bool:
    """Whether the picture can be one of `action` half done: every place shows what it held, what it will hold, or nothing."""
    old, new = picture.state.table, picture.after(action)
    mine = set(touched(action))
    if mine.intersection(picture.change.untouched):
        return False
    for place in picture.slots():
        seen = picture.seen(place)
        if seen is None or seen is Mark.EMPTY or picture.could_be(old.at(place), seen):
            continue
        if place not in mine or not picture.could_be(new.at(place), seen):
            return False
    return _row_on_the_way(picture, action, new.row)


def _row_on_the_way(picture: Picture, action: Action, wanted: tuple[Held, ...]) -> bool:
    seen, old = picture.change.row, picture.state.table.row
    if seen is None or picture.fits_row(picture.state.table) or _matches(picture, wanted, seen):
        return True
    if isinstance(action, Take):
        return False
    # The drawn card was laid down face up for a moment; it will be picked up again and used.
    if not isinstance(action, Draw) or len(seen) != len(old) + 1:
        return False
    return _matches(picture, old, seen[:-1]) and _loose(picture, action, seen[-1])


def _loose(picture: Picture, action: Draw, top: Seen) -> bool:
    """Whether the row's new top may be a card in this player's hand: unseen so far, or lifted from one of his slots."""
    if not isinstance(top, Card) or top not in picture.known:
        return True
    home: Place = picture.known[top]
    return home.seat == action.seat and picture.seen(slot(home.seat, home.number)) in (Mark.EMPTY, None)


def _matches(picture: Picture, cards: tuple[Held, ...], seen: tuple[Seen, ...]) -> bool:
    return len(cards) == len(seen) and all(map(picture.could_be, cards, seen))
