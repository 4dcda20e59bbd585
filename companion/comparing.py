"""What lies where, held against what should lie there."""

from __future__ import annotations

from collections.abc import Iterable

from companion.cards import Card, Held, Mark, Seen, Unknown
from companion.rulings import Change, Placement
from companion.table import SLOTS, Area, Place, TableState, row, slot


def placed_cards(table: TableState) -> frozenset[Held | None]:
    """Every card of which it is known where it lies, the pile apart."""
    return frozenset((*(card for hand in table.hands for card in hand), *table.row, *table.removed))


def fits(seen: Seen | None, held: Held | None, placed: frozenset[Held | None]) -> bool:
    """Whether `seen` can be `held`; what nobody looks at always can.  An unknown card is none of the `placed` ones."""
    if seen is None or seen is Mark.COVERED:
        return True
    if held is None:
        return seen is Mark.EMPTY
    if isinstance(seen, Card):
        return seen == held or (isinstance(held, Unknown) and seen not in placed)
    # A card that nobody has ever read may stay unreadable.
    return seen is Mark.UNREADABLE and isinstance(held, Unknown)


def slots_of(seat: int, change: Change) -> Iterable[tuple[Place, Seen | None]]:
    """The slots of `seat` and what is seen there."""
    return ((slot(seat, number), seen) for number, seen in zip(SLOTS, change.mats[seat], strict=True))


def differing_slots(change: Change, table: TableState) -> tuple[Place, ...]:
    """The slots that show something else than what should lie there."""
    placed = placed_cards(table)
    return tuple(
        slot(seat, number)
        for seat, mat in enumerate(change.mats)
        for number in SLOTS
        if not fits(mat[number - 1], table.hands[seat][number - 1], placed)
    )


def lying_open(change: Change) -> tuple[Place, ...]:
    """The slots whose card shows its back to the camera below, so that its face lies upwards."""
    return tuple(slot(seat, number) for seat, mat in enumerate(change.mats) for number in SLOTS if mat[number - 1] is Mark.BACK)


def moved_slots(before: TableState, after: TableState) -> tuple[Place, ...]:
    """The slots that hold another card in `after` than in `before`."""
    return tuple(
        slot(seat, number)
        for seat, hand in enumerate(before.hands)
        for number in SLOTS
        if hand[number - 1] != after.hands[seat][number - 1]
    )


def row_agrees(change: Change, table: TableState) -> bool:
    """Whether the row is as it should be, as far as it is seen."""
    if change.row is None:
        return True
    if len(change.row) != len(table.row):
        return False
    unread = (Mark.BACK, Mark.UNREADABLE)
    placed = placed_cards(table)
    return all(seen in unread or fits(seen, held, placed) for seen, held in zip(change.row, table.row, strict=True))


def agrees(change: Change, table: TableState) -> bool:
    """Whether everything that is seen lies as it should."""
    return not differing_slots(change, table) and row_agrees(change, table)


def exactly_as_agreed(change: Change, table: TableState) -> bool:
    """Whether everything that is seen is known and lies as it should, and nothing was lifted meanwhile."""
    mats = all(
        seen is None or seen is Mark.COVERED or seen == held
        for mat, hand in zip(change.mats, table.hands, strict=True)
        for seen, held in zip(mat, hand, strict=True)
    )
    return mats and not change.returned and not change.doubtful and (change.row is None or change.row == table.row)


def concerned_seats(change: Change, table: TableState) -> frozenset[int]:
    """Seats whose slots changed, and seats whose card is seen somewhere else."""
    places = differing_slots(change, table)
    seats = {place.seat for place in places}
    for place in places:
        seen = change.mats[place.seat][place.number - 1]
        home = table.find(seen) if isinstance(seen, Card) else None
        if home is not None and home.area is Area.SLOT:
            seats.add(home.seat)
    return frozenset(seats)


def sorted_hand(
    seen: tuple[Seen | None, ...], seat: int, table: TableState, moving: tuple[Place, ...]
) -> tuple[Held | None, ...]:
    """The hand of `seat` as its player has sorted it, before the cards at `moving` went away; empty when he has not."""
    hand = table.hands[seat]
    if set(seen) == set(hand):
        return tuple(card for card in seen if isinstance(card, Card))
    kept = [number for number in SLOTS if slot(seat, number) not in moving]
    if {seen[number - 1] for number in kept} != {hand[number - 1] for number in kept}:
        return ()
    cards = {number: card for number in kept if isinstance(card := seen[number - 1], Card)}
    return tuple(cards.get(number, hand[number - 1]) for number in SLOTS)


def hand_before(seen: tuple[Seen | None, ...], hand: tuple[Held | None, ...]) -> tuple[Held | None, ...]:
    """The hand as its player has sorted it, before at most one of its cards was exchanged for another; empty for any other."""
    came = [card for card in seen if card not in hand]
    went = [card for card in hand if card not in seen]
    if len(came) != len(went) or len(went) > 1 or not all(isinstance(card, Card) for card in seen):
        return ()
    return tuple(card if isinstance(card, Card) and card not in came else went[0] for card in seen)


def remedy(change: Change, table: TableState) -> tuple[Placement, ...]:
    """What has to be laid where so that the table is again as agreed."""
    slots = tuple(Placement(place, table.at(place)) for place in differing_slots(change, table))
    if row_agrees(change, table):
        return slots
    return (*slots, Placement(row(1), None))


def readings_to_learn(change: Change, table: TableState) -> Iterable[tuple[Unknown, Card]]:
    """Unknown cards whose face is seen now and stands nowhere else on the table."""
    spots = [
        (held, seen)
        for mat, hand in zip(change.mats, table.hands, strict=True)
        for seen, held in zip(mat, hand, strict=True)
    ]
    if change.row is not None and len(change.row) == len(table.row):
        spots += list(zip(table.row, change.row, strict=True))
    placed = set(placed_cards(table))
    for held, seen in spots:
        if isinstance(held, Unknown) and isinstance(seen, Card) and seen not in placed:
            placed.add(seen)
            yield held, seen
