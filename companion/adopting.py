"""The table as it lies: which cards must be where, when people say that what the cameras see is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.cards import Card, Held, Mark, Unknown
from companion.errors import DeclarationError
from companion.rulings import Change
from companion.table import SLOTS, Place, TableState, row, slot


def check_adoptable(table: TableState, change: Change) -> None:
    """Raise `DeclarationError` where what is seen can be no table of this game, saying why and naming no card."""
    seen = dict(seen_places(change))
    if any(claim is Mark.FOREIGN for claim in seen.values()):
        raise DeclarationError("a card from outside this deck lies on the table: it has to go first", "foreign_first")
    if any(claim is Mark.EMPTY and table.at(place) is not None for place, claim in seen.items()):
        raise DeclarationError(
            "a slot is empty: every slot needs its card before the table can be taken as it lies", "empty_first"
        )
    if any(count > 1 for count in Counter(claim for claim in seen.values() if isinstance(claim, Card)).values()):
        raise DeclarationError("one card is seen in two places: one of them has to be laid anew first", "twice_first")


def faces_to_learn(table: TableState, change: Change) -> tuple[tuple[Unknown, Card], ...]:
    """Which unknown card each face is that is seen now and that the table did not know: the one that lay there, or one of the
    pile.  Raise `DeclarationError` where more faces are seen than there are unknown cards."""
    free = [card for card in (*table.pile, *table.removed) if isinstance(card, Unknown)]
    found: list[tuple[Unknown, Card]] = []
    for place, claim in seen_places(change):
        if not isinstance(claim, Card) or table.find(claim) is not None:
            continue
        held = table.at(place)
        if not isinstance(held, Unknown):
            if not free:
                raise DeclarationError("more cards are seen than this game has left", "too_many_seen")
            held = free.pop(0)
        found.append((held, claim))
    return tuple(found)


def as_it_lies(table: TableState, change: Change) -> TableState:
    """The table with every card where it is seen; all faces have to be learned before.

    What nobody looks at stays, unless its card is seen elsewhere: then a card that is seen nowhere any more lies there.
    Whatever else is seen nowhere any more has left the game.  A slot that is empty by agreement stays so, unless a card is
    seen there.
    """
    placed = {claim for _, claim in seen_places(change) if isinstance(claim, Card)}
    mats = dict(seen_places(change))

    def stays(place: Place) -> Held | None:
        claim, held = mats.get(place), table.at(place)
        return claim if isinstance(claim, Card) else None if held in placed else held

    hands = [[stays(slot(seat, number)) for number in SLOTS] for seat in range(len(table.hands))]
    if change.row is None:
        line: list[Held | None] = [card for card in table.row if card not in placed]
    else:
        line = [stays(row(number)) for number in range(1, len(change.row) + 1)]
    lying = {card for cards in (*hands, line) for card in cards}
    visible = (*(card for hand in table.hands for card in hand), *table.row)
    loose = [card for card in visible if card is not None and card not in lying]
    spare = [card for card in table.pile if card not in lying]
    bare = {slot(seat, number) for seat, hand in enumerate(table.hands) for number in SLOTS if hand[number - 1] is None}
    filled_hands = tuple(
        tuple(card or (None if slot(seat, number) in bare else _next(loose, spare)) for number, card in enumerate(hand, 1))
        for seat, hand in enumerate(hands)
    )
    filled_row = tuple(card or _next(loose, spare) for card in line)
    removed = [card for card in table.removed if card not in lying]
    return TableState(filled_hands, tuple(spare), filled_row, (*removed, *loose))


def _next(loose: list[Held], spare: list[Held]) -> Held:
    if not loose and not spare:
        raise DeclarationError("more cards are seen than this game has left", "too_many_seen")
    return loose.pop(0) if loose else spare.pop(0)


def seen_places(change: Change) -> Iterator[tuple[Place, Card | Mark]]:
    """Every place of which the change says something, and what."""
    for seat, mat in enumerate(change.mats):
        yield from ((slot(seat, number), claim) for number, claim in zip(SLOTS, mat, strict=True) if claim is not None)
    yield from ((row(number), claim) for number, claim in enumerate(change.row or (), 1))


def masked(change: Change, places: frozenset[Place]) -> Change:
    """The change as if nobody could read what lies at `places`, and as if nothing had been lifted there."""
    mats = tuple(
        tuple(Mark.COVERED if slot(seat, number) in places else seen for number, seen in zip(SLOTS, mat, strict=True))
        for seat, mat in enumerate(change.mats)
    )
    line = change.row
    if line is not None:
        line = tuple(Mark.UNREADABLE if row(number) in places else seen for number, seen in enumerate(line, 1))
    returned = tuple(place for place in change.returned if place not in places)
    doubtful = tuple(place for place in change.doubtful if place not in places)
    return replace(change, mats=mats, row=line, returned=returned, doubtful=doubtful)


def changed_since(before: Change, now: Change) -> frozenset[Place]:
    """The places that were quiet in both pictures and show another card, or none, in the second."""
    earlier, later = dict(seen_places(before)), dict(seen_places(now))
    vague = (Mark.COVERED, Mark.UNREADABLE)
    both_rows = before.row is not None and now.row is not None
    spots = {*earlier, *later} if both_rows else {place for place in {*earlier, *later} if place.seat >= 0}
    return frozenset(
        place for place in spots
        if earlier.get(place) != later.get(place) and earlier.get(place) not in vague and later.get(place) not in vague
        and (place.seat < 0 or (place in earlier and place in later))
    )  # fmt: skip
