"""Where every card lies at one moment, what a move makes of it, and hands that lay the table like that again."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table import PILE, REMOVED, SLOTS, Area, Place, row, slot
from companion.views import MoveView
from firmware.virtual.moves import Goal, Hands
from firmware.virtual.stage import Act
from firmware.virtual.world import TRAY_WINDOWS, HandOf, Piece, Spot, World

Lies = tuple[tuple[Piece, bool], ...]
"""What lies at one place, lowest first: each card, and whether face down."""
Layout = Mapping[Place, Lies]


def row_places(world: World) -> tuple[Place, ...]:
    """The places of the row that have an outline."""
    return tuple(row(number) for number in range(1, TRAY_WINDOWS[world.tray] + 1))


def next_row_place(world: World) -> Place:
    """Where the next discard goes: behind the newest, or on the oldest place once all are taken."""
    places = row_places(world)
    taken = [place.number for place in places if world.lying(place)]
    return row(max(taken, default=0) % len(places) + 1)


def newest_of_row(world: World) -> Place | None:
    """Where the row's newest card lies; None while the row is empty."""
    return max((place for place in row_places(world) if world.lying(place)), default=None)


def captured(world: World) -> dict[Place, Lies]:
    """The table as it lies; a card in somebody's hand counts as lying in the slot that it came from, if that is free."""
    spots = [slot(seat, number) for seat in range(world.seats) for number in SLOTS]
    spots += [*row_places(world), PILE, REMOVED]
    lies = {spot: tuple((laid.piece, laid.face_down) for laid in world.lying(spot)) for spot in spots}
    for seat in range(world.seats):
        for laid in world.lying(HandOf(seat)):
            home = world.homes.get(laid.piece)
            spot = home if home is not None and not lies[home] else REMOVED
            lies[spot] = (*lies[spot], (laid.piece, True))
    return lies


def same_boards(one: Layout, other: Layout) -> bool:
    """Whether two layouts agree wherever cameras look."""
    return all(other.get(place) == lies for place, lies in one.items() if place.area in (Area.SLOT, Area.ROW))


def made(layout: Layout, move: MoveView) -> dict[Place, Lies] | None:
    """The layout after `move`; None where the move does not say it, or cannot have been made here."""
    return _after(layout, move)


def taken_back(layout: Layout, move: MoveView) -> dict[Place, Lies] | None:
    """The layout before `move`, where `layout` is the one after it."""
    return _before(layout, move)


def _newest(lies: Layout) -> Place | None:
    return max((place for place, cards in lies.items() if place.area is Area.ROW and cards), default=None)


def _next(lies: Layout) -> Place:
    newest = _newest(lies)
    return row(1) if newest is None else row(newest.number + 1)


def _after(layout: Layout, move: MoveView) -> dict[Place, Lies] | None:
    lies = dict(layout)
    own = None if move.seat is None or move.slot is None else slot(move.seat, move.slot)
    if move.kind in ("leave", "return", "pass", "start"):
        return lies
    if move.kind == "steal" and own is not None:
        return _exchanged(lies, own, move)
    if move.kind in ("draw", "discard") and lies[PILE] and _next(lies) in lies:
        (drawn, _), lies[PILE] = lies[PILE][-1], lies[PILE][:-1]
        place = _next(lies)
        if own is None:
            lies[place] = ((drawn, False),)
        elif lies[own]:
            lies[place] = ((lies[own][0][0], False),)
            lies[own] = ((drawn, True),)
        return lies
    newest = _newest(lies)
    if move.kind == "take" and own is not None and newest is not None and lies[own]:
        taken = lies[newest][-1][0]
        lies[newest] = lies[newest][:-1]
        lies[REMOVED] = (*lies[REMOVED], (lies[own][0][0], True))
        lies[own] = ((taken, True),)
        return lies
    return None


def _before(layout: Layout, move: MoveView) -> dict[Place, Lies] | None:
    lies = dict(layout)
    own = None if move.seat is None or move.slot is None else slot(move.seat, move.slot)
    if move.kind in ("leave", "return", "pass", "start"):
        return lies
    if move.kind == "steal" and own is not None:
        return _exchanged(lies, own, move)
    newest = _newest(lies)
    if move.kind in ("draw", "discard") and newest is not None:
        thrown = lies[newest][-1][0]
        lies[newest] = lies[newest][:-1]
        drawn = thrown if own is None else lies[own][0][0] if lies[own] else None
        if drawn is None:
            return None
        if own is not None:
            lies[own] = ((thrown, True),)
        lies[PILE] = (*lies[PILE], (drawn, True))
        return lies
    if move.kind == "take" and own is not None and lies[REMOVED] and lies[own] and _next(lies) in lies:
        place = _next(lies)
        (old, _), lies[REMOVED] = lies[REMOVED][-1], lies[REMOVED][:-1]
        lies[place] = ((lies[own][0][0], False),)
        lies[own] = ((old, True),)
        return lies
    return None


def _exchanged(lies: dict[Place, Lies], own: Place, move: MoveView) -> dict[Place, Lies] | None:
    if move.victim is None or move.victim_slot is None:
        return None
    theirs = slot(move.victim, move.victim_slot)
    hidden = [tuple((piece, True) for piece, _ in lies[place]) for place in (own, theirs)]
    lies[theirs], lies[own] = hidden
    return lies


def hidden_again(layout: Layout) -> dict[Place, Lies]:
    """The layout with every hand face down."""
    return {
        place: tuple((piece, True) for piece, _ in lies) if place.area is Area.SLOT else lies for place, lies in layout.items()
    }


def strays(layout: Layout, world: World) -> list[tuple[Piece, Place, bool]]:
    """Every card that lies elsewhere than `layout` has it: where it goes, and whether face down there."""
    goals: list[tuple[Piece, Place, bool]] = []
    placed: set[Piece] = set()
    for place, lies in layout.items():
        if place is PILE or place is REMOVED:
            placed.update(piece for piece, _ in lies)
            continue
        lying = world.lying(place)
        for level, (piece, face_down) in enumerate(lies):
            placed.add(piece)
            if not (level < len(lying) and lying[level].piece == piece and lying[level].face_down is face_down):
                goals.append((piece, place, face_down))
    goals += [(piece, REMOVED, True) for piece, _ in layout[REMOVED] if world.where(piece) != REMOVED]
    goals += [(piece, REMOVED, True) for piece in world.pieces if piece not in placed and world.where(piece) != REMOVED]
    in_pile = {laid.piece for laid in world.lying(PILE)}
    goals += [(piece, PILE, True) for piece, _ in layout[PILE] if piece not in in_pile]
    return goals


def lay_as(who: int, layout: Layout, world: World, hands: Hands, only: frozenset[int] | None = None) -> Act:
    """`who` lays every card that lies elsewhere as `layout` has it.

    With `only`, cards that lie in slots of other seats, or belong there, are left to those; nothing in the middle is.
    """
    goals = [goal for goal in strays(layout, world) if only is None or _concerns(goal, world, only)]
    off: list[tuple[Piece, Place, bool]] = [goal for goal in goals if goal[1] in (PILE, REMOVED)]
    boards: list[Goal] = [goal for goal in goals if goal[1] not in (PILE, REMOVED)]
    turned = [goal for goal in boards if world.where(goal[0]) == goal[1] and len(world.lying(goal[1])) == 1]
    for piece, place, _ in off:
        lies = world.where(piece)
        if isinstance(lies, Place) and lies not in (PILE, REMOVED):
            yield from hands.lift(who, lies, piece)
        world.move(piece, place)
    for piece, place, face_down in turned:
        if world.where(piece) == place and world.lying(place)[-1].face_down is not face_down:
            yield from hands.turn_over(place)
    rest = [goal for goal in boards if goal not in turned]
    if rest:
        yield from hands.rearrange(who, rest)


def _concerns(goal: Goal, world: World, seats: frozenset[int]) -> bool:
    piece, place, _ = goal
    spots: tuple[Spot, ...] = (place, world.where(piece))
    return all(not isinstance(spot, Place) or spot.area is not Area.SLOT or spot.seat in seats for spot in spots)
