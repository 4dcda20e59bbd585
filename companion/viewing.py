"""Builds views out of what the sitting knows: the one place where hidden cards are left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.cards import Card, Mark
from companion.comparing import differing_slots, fits, placed_cards, remedy, row_agrees
from companion.games.base import Game, Result
from companion.picture import Picture, RowSight
from companion.referee import AnyReferee
from companion.rulings import Action, Placement
from companion.table import SLOTS, Area, Place, slot
from companion.tracker import Track, Tracker
from companion.views import (
    LockView,
    MoveView,
    PlacementView,
    QuestionView,
    ResultView,
    Role,
    SeatView,
    SlotShows,
    SlotView,
    View,
    ViolationView,
)


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that a seat may declare by tap."""

    id: int
    move: MoveView


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a view is made from; it holds hidden cards and goes no further than this module."""

    referee: AnyReferee
    picture: Picture
    tracker: Tracker
    seats: tuple[tuple[str, str], ...]
    """Name and source of every seat."""
    revealed: frozenset[Place]
    result: Result | None
    hard: bool
    troubled: tuple[str, ...]
    deck: str
    peek: bool = False
    """The house lets a player's own phone show his hidden cards."""


def build_view(scene: Scene, role: Role, seat: int | None, version: int, time: float) -> View:
    """What `role` may know.  Nobody sees a hidden card before the reveal, whatever the role, except a seat its own ones
    where the house rule says so and the game is not played in hard mode."""
    referee = scene.referee
    state = referee.state
    table = state.table
    public = referee.game.public(state)
    peeks = role is Role.SEAT and scene.peek and not scene.hard
    blind = () if referee.sight.row is RowSight.OVERHEAD else ("discards",) if referee.sight.row is RowSight.NONE else ()
    return View(
        version=version,
        time=time,
        game=referee.game.name,
        phase=state.phase,
        turn=state.turn,
        current=_current(referee),
        seats=tuple(_seat_view(scene, number, peeks and number == seat) for number in range(len(scene.seats))),
        row=tuple(str(card) if isinstance(card, Card) else None for card in table.row),
        pile=len(table.pile),
        removed=len(table.removed),
        ender=public.ender,
        final_left=public.final_left,
        locks=() if state.phase == "over" else public.locks,
        last=_last(referee),
        question=_question(referee),
        violation=_violation(scene),
        awaiting=_awaiting(scene),
        revealing=state.phase == "over" and scene.result is None,
        result=_result(scene),
        paused=referee.paused,
        hard_mode=scene.hard,
        blind=blind,
        troubled=scene.troubled,
        deck=scene.deck,
    )


def move_view(game: Game[Any], action: Action, provisional: bool = False, by_hand: bool = False) -> MoveView:
    """An action by its places."""
    return replace(game.move_view(action), provisional=provisional, by_hand=by_hand)


def _current(referee: AnyReferee) -> int | None:
    """Who has to act; before the first action that is said once the deal is complete, or where nobody sees it."""
    ready = referee.deal_known or not any(referee.sight.watched)
    state = referee.game.opened(referee.state) if ready else referee.state
    current: int | None = state.current
    return current


def _last(referee: AnyReferee) -> MoveView | None:
    if not referee.turns:
        return None
    turn = referee.turns[-1]
    return move_view(referee.game, turn.action, not turn.closed, turn.by_hand)


def _seat_view(scene: Scene, number: int, peeks: bool) -> SeatView:
    name, source = scene.seats[number]
    table = scene.referee.state.table
    tracks = {track.place: track for track in scene.tracker.tracks if track.place.seat == number}
    slots = []
    for k in SLOTS:
        place = slot(number, k)
        card = table.at(place)
        if place in scene.revealed and isinstance(card, Card):
            slots.append(SlotView(k, SlotShows.REVEALED, str(card)))
        else:
            shows = _shows(tracks.get(place), scene.referee.sight.watched[number])
            slots.append(SlotView(k, shows, str(card) if peeks and isinstance(card, Card) else None))
    away = number in scene.referee.game.public(scene.referee.state).away
    category = None
    if scene.result is not None:
        category = scene.result.categories[number]
    return SeatView(number, name, source, tuple(slots), away, category)


def _shows(track: Track | None, watched: bool) -> SlotShows:
    if not watched:
        return SlotShows.UNWATCHED
    if track is None or not track.quiet:
        return SlotShows.BUSY
    if track.settled is Mark.EMPTY:
        return SlotShows.OUT
    return SlotShows.UNCERTAIN if track.settled is Mark.UNREADABLE and track.disturbed else SlotShows.LYING


def _question(referee: AnyReferee) -> QuestionView | None:
    question = referee.question
    if question is None:
        return None
    choices = tuple(None if choice is None else move_view(referee.game, choice) for choice in question.choices)
    places = tuple((place.seat, place.number) for place in question.places if place.area is Area.SLOT)
    return QuestionView(question.id, question.kind, question.seat, choices, places)


def _violation(scene: Scene) -> ViolationView | None:
    violation = scene.referee.violation
    if violation is None:
        return None
    ruling = violation.ruling
    change, table = scene.picture.change, scene.referee.state.table
    hidden = {*scene.picture.busy, *scene.picture.out}
    listed = [placement.place for placement in violation.remedy]
    # A card put into a wrong slot while things are put right makes the list longer.
    placements = (*violation.remedy, *(p for p in remedy(change, table) if p.place not in listed))
    lines = tuple(_placement_view(scene, placement, placement.place in hidden) for placement in placements)
    places = tuple((place.seat, place.number) for place in ruling.places if place.area is Area.SLOT)
    rule = ruling.rule.id if ruling.rule is not None else ""
    return ViolationView(ruling.error or "", rule, ruling.seat, ruling.seats, places, lines)


def _placement_view(scene: Scene, placement: Placement, hidden: bool) -> PlacementView:
    change, table = scene.picture.change, scene.referee.state.table
    place = placement.place
    if place.area is not Area.SLOT:
        return PlacementView("row", None, not hidden and row_agrees(change, table))
    seen = change.mats[place.seat][place.number - 1]
    kind = "clear_slot" if table.at(place) is None else "return_card"
    return PlacementView(kind, (place.seat, place.number), not hidden and fits(seen, table.at(place), placed_cards(table)))


def _awaiting(scene: Scene) -> tuple[PlacementView, ...]:
    referee = scene.referee
    if referee.errand is None:
        return ()
    if not referee.errand.seen:
        return () if referee.state.phase == "over" else (PlacementView("confirm", None, False),)
    change, table = scene.picture.change, referee.state.table
    open_slots = [place for place in differing_slots(change, table) if place in referee.errand.slots]
    slots = tuple(PlacementView("lay_card", (place.seat, place.number), False) for place in open_slots)
    return slots if row_agrees(change, table) else (*slots, PlacementView("row", None, False))


def _result(scene: Scene) -> ResultView | None:
    result = scene.result
    if result is None:
        return None
    hands = tuple(tuple(str(card) for card in hand) for hand in scene.referee.state.table.hands)
    return ResultView(result.order, result.winners, result.categories, hands, result.reason)


__all__ = ["LockView", "Offer", "Scene", "build_view", "move_view"]
