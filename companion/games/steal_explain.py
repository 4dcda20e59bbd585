"""Naming what happened between two quiet pictures: an action, nothing, or the rule that was broken.

The order of the tests is that of the rules specification (1.10).  An action counts as recognised when the picture may
be one of the table that it leaves behind; where several fit, the ruling is UNSURE and lists them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from companion.cards import Card, Held, Mark
from companion.games.steal_picture import Difference, Picture, touched
from companion.games.steal_rules import after, fault, out_of_turn, turn_actions
from companion.games.steal_rulings import illegal, judged
from companion.games.steal_state import Arrange, ArrangeAll, Draw, Start, StealCard, StealState, Take
from companion.rulings import Action, Change, Ruling, Verdict
from companion.table import SLOTS, Place, slot

NOTHING = Ruling(Verdict.NOTHING)


def explain(
    state: StealState, change: Change, *, kindly: bool = True, ruled_out: Container[Action] = ()
) -> Ruling:
    """Name what happened.  `kindly`: before the start any sorting is fine, and a first turn starts the game (the sitting's way);
    otherwise as the engine rules: one rearrangement each, and nothing else before the start.  `ruled_out`: what nobody has done.
    """
    picture = Picture.of(state, change)
    broken = _deck_fault(picture) or _empty_fault(picture)
    if broken is not None:
        return broken
    differences = picture.differences()
    if not differences and picture.fits_row(picture.state.table):
        return _nothing_certain(picture, ruled_out)
    if state.phase == "setup":
        return _explain_setup(picture, differences, kindly, ruled_out)
    if state.phase == "over":
        return illegal(state, "game_over", seats=_seats(differences), places=_places(differences))
    fitting = _fitting(picture, differences, ruled_out)
    if fitting:
        return _one_of(fitting)
    return _explain_violation(picture, differences, ruled_out)


def _one_of(choices: tuple[Action | None, ...]) -> Ruling:
    if len(choices) == 1:
        return Ruling(Verdict.LEGAL, choices[0])
    return Ruling(Verdict.UNSURE, choices=choices)


def _fitting(
    picture: Picture, differences: tuple[Difference, ...] = (), ruled_out: Container[Action] = ()
) -> tuple[Action, ...]:
    """The legal actions of the current seat that may have led to this picture."""
    state = picture.state
    if state.current is None:
        return ()
    changed = set(_places(differences))
    fitting = tuple(
        action
        for action in turn_actions(state, state.current)
        if action not in ruled_out and changed.issubset(touched(action))
        and fault(state, action) is None and picture.fits(picture.after(action))
    )
    # What is in plain view explains more than a slot of a watched mat that happens to be covered.
    return tuple(action for action in fitting if not any(map(picture.covered, touched(action)))) or fitting


# Order of tests 1 and 2: the deck, empty slots.


def _deck_fault(picture: Picture) -> Ruling | None:
    state = picture.state
    foreign = picture.showing(Mark.FOREIGN)
    if foreign:
        return illegal(state, "foreign_card", seats=_owners(foreign), card=Mark.FOREIGN, places=foreign)
    double = picture.twice()
    if double is not None:
        return illegal(state, "duplicate_card", card=double, places=picture.showing(double))
    for card in state.table.removed:
        places = picture.showing(card) if isinstance(card, Card) else ()
        if places:
            return illegal(state, "removed_card_returned", seats=_owners(places), card=card, places=places)
    return None


def _empty_fault(picture: Picture) -> Ruling | None:
    empty = tuple(place for place in picture.showing(Mark.EMPTY) if picture.state.table.at(place) is not None)
    return illegal(picture.state, "slot_empty", seats=_owners(empty), places=empty) if empty else None


# Nothing that is certain changed.


def _nothing_certain(picture: Picture, ruled_out: Container[Action]) -> Ruling:
    state = picture.state
    if any(map(picture.doubtful, picture.slots())) and state.phase in ("play", "final"):
        hidden = tuple(action for action in _fitting(picture, (), ruled_out) if any(map(picture.doubtful, touched(action))))
        if hidden:
            return Ruling(Verdict.UNSURE, choices=(None, *hidden))
    return _peek(picture) or NOTHING


def _peek(picture: Picture) -> Ruling | None:
    """Hard mode: a card was lifted and laid back.  Lifted cards of two seats are a steal that was begun and given up."""
    state = picture.state
    if not state.options.hard_mode or state.phase not in ("play", "final"):
        return None
    lifted = tuple(place for place in picture.change.returned if not _may_be_seen(state, place))
    seats = _owners(lifted)
    return illegal(state, "peek", seats=seats, places=lifted) if len(seats) == 1 else None


def _may_be_seen(state: StealState, place: Place) -> bool:
    """A card that its seat has just stolen, where the house rules let it be looked at."""
    if not state.options.hard_see_stolen or state.last_actor != place.seat:
        return False
    mine = [lock for lock in state.locks if lock.kind == "stolen" and lock.thief == place.seat]
    return bool(mine) and mine[-1].card == state.table.at(place)


# Before the start.


def _explain_setup(
    picture: Picture, differences: tuple[Difference, ...], kindly: bool, ruled_out: Container[Action]
) -> Ruling:
    state = picture.state
    refused = illegal(state, "not_started", seats=_seats(differences), places=_places(differences))
    perms = tuple(_permutation(picture, seat) for seat in range(state.seats))
    moved = tuple(seat for seat, perm in enumerate(perms) if perm != SLOTS)
    sorted_only = all(perms) and picture.fits_row(state.table)
    if sorted_only and len(moved) == 1:
        return judged(state, Arrange(moved[0], perms[moved[0]] or SLOTS, closes=not kindly))
    if not kindly:
        return refused
    if sorted_only:
        return Ruling(Verdict.LEGAL, ArrangeAll(perms=tuple(perm or SLOTS for perm in perms)))
    fitting = _fitting(Picture.of(after(state, Start()), picture.change), differences, ruled_out)
    return _one_of(fitting) if fitting else refused


def _permutation(picture: Picture, seat: int) -> tuple[int, ...] | None:
    """How a seat's cards were sorted, as in `Arrange`; None where a card came from outside.

    Cards that nobody can tell apart are taken to lie where they lay, as far as possible.
    """
    hand = picture.state.table.hands[seat]
    shown = [picture.seen(slot(seat, number)) for number in SLOTS]
    left = list(SLOTS)
    sources: dict[int, int] = {}

    def assign(number: int, choices: Iterable[int]) -> None:
        for source in (number, *choices):
            if source in left and picture.could_be(hand[source - 1], shown[number - 1]):
                sources[number] = source
                left.remove(source)
                return

    for number, seen in zip(SLOTS, shown, strict=True):
        if isinstance(seen, Card) and seen in hand:
            assign(number, (hand.index(seen) + 1,))
    for certain in (True, False):
        for number, seen in zip(SLOTS, shown, strict=True):
            if number not in sources and isinstance(seen, Card) is certain:
                assign(number, SLOTS)
    return tuple(sources[number] for number in SLOTS) if len(sources) == len(SLOTS) else None


# Violations: tests 3 and 5 to 9.


def _explain_violation(picture: Picture, differences: tuple[Difference, ...], ruled_out: Container[Action]) -> Ruling:
    if not differences:
        return _row_alone(picture, ruled_out)
    shuffled = _positions_changed(picture, differences)
    if shuffled is not None:
        return shuffled
    single = _single_action(picture, differences, ruled_out)
    if single is not None:
        return single
    return _several(picture, differences)


def _row_alone(picture: Picture, ruled_out: Container[Action]) -> Ruling:
    """No slot changed, the row did."""
    state = picture.state
    discard = Draw(state.current if state.current is not None else 0, None)
    if discard not in ruled_out and picture.fits_row(picture.after(discard)):
        return judged(state, discard)
    if _grew_by_two(picture):
        return illegal(state, "two_actions", seats=() if state.current is None else (state.current,))
    return illegal(state, "row_changed")


def _grew_by_two(picture: Picture) -> bool:
    old, new = picture.state.table.row, picture.change.row or ()
    return len(new) == len(old) + 2 and all(map(picture.could_be, old, new))


def _positions_changed(picture: Picture, differences: tuple[Difference, ...]) -> Ruling | None:
    """Own cards in other slots: sorted again, or pushed aside by a card from outside."""
    seats = _seats(differences)
    if len(seats) != 1:
        return None
    own = [change for change in differences if _home(picture, change) == seats[0]]
    if own and len(differences) - len(own) <= 1:
        return illegal(picture.state, "positions_changed", seats=seats, places=_places(differences))
    return None


def _home(picture: Picture, change: Difference) -> int | None:
    """The seat in whose hand the new card of a slot lay before; None where it lay in no hand, or nobody knew it."""
    place = picture.known.get(change.new) if isinstance(change.new, Card) else None
    return place.seat if place is not None and place.seat >= 0 else None


def _single_action(picture: Picture, differences: tuple[Difference, ...], ruled_out: Container[Action]) -> Ruling | None:
    """One slot changed, or two of two seats exchanged: the action is known, and so is what is wrong with it."""
    changed = set(_places(differences))
    state = picture.state
    possible = [
        action
        for seat in _seated_first(state)
        for action in turn_actions(state, seat)
        if action not in ruled_out and changed.issubset(touched(action)) and picture.fits_mats(picture.after(action))
    ]
    if len(differences) == 1:
        older = _older_of_row(picture, differences[0])
        if older is not None:
            return older
    if not possible:
        return None
    whole = [action for action in possible if picture.fits_row(picture.after(action))]
    mine = [action for action in possible if action.seat == state.current and picture.looked_at(touched(action))]
    if mine and whole and not any(picture.looked_at(touched(action)) for action in whole):
        # That somebody else has acted where nobody looks is less likely than that the player in turn has left something out.
        return _wrong_row(picture, mine[0], differences)
    return _wrong_actor(state, whole) if whole else _wrong_row(picture, possible[0], differences)


def _seated_first(state: StealState) -> tuple[int, ...]:
    first = state.current or 0
    return tuple((first + step) % state.seats for step in range(state.seats))


def _older_of_row(picture: Picture, change: Difference) -> Ruling | None:
    row_cards: tuple[Held | Mark, ...] = picture.state.table.row[:-1]
    if change.new not in row_cards:
        return None
    return illegal(picture.state, "not_top_of_row", seat=change.place.seat, card=change.new, places=(change.place,))


def _wrong_actor(state: StealState, possible: list[Action]) -> Ruling:
    """The picture fits actions that are all illegal now; the earliest reason in the order of the rules names them."""
    mine = [action for action in possible if action.seat == state.current]
    actors = sorted({action.seat for action in possible if action.seat is not None})
    if mine or len(actors) == 1:
        return judged(state, (mine or possible)[0])
    errors = {seat: out_of_turn(state, seat) for seat in actors}
    places = touched(possible[0])
    for error in ("ender_acted", "already_had_final_turn", "acted_twice"):
        guilty = [seat for seat in actors if errors[seat] == error]
        if guilty:
            return illegal(state, error, seat=guilty[0], seats=tuple(actors), places=places)
    return illegal(state, "not_your_turn", seats=tuple(actors), places=places)


def _wrong_row(picture: Picture, action: Action, differences: tuple[Difference, ...]) -> Ruling:
    """The mats show one action and the row does not go with it."""
    state, places = picture.state, _places(differences)
    if isinstance(action, Draw):
        card, seat = differences[0].old, action.seat
        if _grew_by_two(picture):
            return illegal(state, "two_actions", seats=(seat,), places=places)
        lies = card if isinstance(card, Card) else None
        return illegal(state, "replaced_card_not_in_row", seat=seat, card=lies, places=places)
    if isinstance(action, StealCard) and picture.change.row is not None and len(picture.change.row) > len(state.table.row):
        return illegal(state, "two_actions", seats=_seats(differences), places=places)
    return illegal(state, "row_changed", seat=action.seat if isinstance(action, Take) else None, places=places)


def _several(picture: Picture, differences: tuple[Difference, ...]) -> Ruling:
    """Several slots changed in a way that no single action explains."""
    state, seats, places = picture.state, _seats(differences), _places(differences)
    sources = {change.place: picture.known.get(change.new) for change in differences if isinstance(change.new, Card)}
    from_outside = len(sources) < len(differences) or not set(sources.values()) <= set(places)
    if from_outside and len(places) > 1:
        return illegal(state, "two_actions", seats=seats, places=places)
    if len(places) == 3 and len(seats) == 2:
        return illegal(state, "wrong_slot", seats=seats, places=places)
    exchanges = len(places) == 4 and all(source is not None and sources[source] == place for place, source in sources.items())
    if exchanges or (len(places) == 3 and len(seats) == 3):
        return illegal(state, "two_actions", seats=seats, places=places)
    return illegal(state, "unexplained_change", seats=seats, places=places)


def _places(differences: Iterable[Difference]) -> tuple[Place, ...]:
    return tuple(change.place for change in differences)


def _seats(differences: Iterable[Difference]) -> tuple[int, ...]:
    return _owners(_places(differences))


def _owners(places: Iterable[Place]) -> tuple[int, ...]:
    return tuple(sorted({place.seat for place in places if place.seat >= 0}))
