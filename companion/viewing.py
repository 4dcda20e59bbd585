"""Builds views out of what the sitting knows: the one place where hidden cards are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.cards import Card, Held, Mark, is_named
from companion.comparing import differing_slots, fits, placed_cards, remedy, row_agrees
from companion.games.base import Game, PublicState, Result
from companion.observation import Call, Reseat, Rewind
from companion.picture import Picture, RowSight, row_is_blind
from companion.proceedings import TYPED, AsItLies, Seating, Typed
from companion.referee import AnyReferee
from companion.rulings import Action, Change, Placement
from companion.table import SLOTS, Area, Place, slot
from companion.tracker import Track, Tracker
from companion.views import (
    ChipsView,
    HardCase,
    HomeView,
    LockView,
    MoveView,
    PlacementView,
    ProposalView,
    QuestionView,
    RankView,
    ResultView,
    Role,
    SeatView,
    SlotShows,
    SlotView,
    StepView,
    TroubleView,
    View,
    ViolationView,
)
from companion.watch import Watch


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
    watch: Watch
    deck: str
    unrecorded: bool
    peek: bool = False
    """The house lets a player's own phone show his hidden cards."""
    clock_unset: bool = False
    hard_cases: tuple[HardCase, ...] = ()
    """What the camera saw of cards that were hard to read; only of hands that were shown."""
    pictureless: bool = False
    """Pictures cannot be kept as evidence."""


def build_view(scene: Scene, role: Role, seat: int | None, version: int, time: float) -> View:
    """What `role` may know.  Nobody sees a hidden card before the reveal, whatever the role, except a seat its own ones
    where the house rule says so and the game is not played in hard mode."""
    referee = scene.referee
    state = referee.state
    table = state.table
    public = referee.game.public(state)
    peeks = role is Role.SEAT and scene.peek and not scene.hard
    mats = any(source == "mat" for _, source in scene.seats)
    # Where nobody is watched every move is tapped, also one that leaves no trace.
    has_row = any(place.area is Area.ROW for place in referee.game.places(len(scene.seats)))
    blind = ("discards",) if mats and has_row and referee.sight.row is RowSight.NONE else ()
    return View(
        version=version,
        time=time,
        game=referee.game.name,
        phase=state.phase,
        turn=state.turn,
        current=_current(referee),
        seats=tuple(_seat_view(scene, number, peeks and number == seat) for number in range(len(scene.seats))),
        actors=referee.game.actors(_ready(referee)),
        told=referee.game.told,
        waits=referee.game.public(_ready(referee)).waits,
        chips=_chips(scene, public),
        row=_row(referee),
        pile=len(table.pile),
        removed=len(table.removed),
        ender=public.ender,
        final_left=public.final_left,
        locks=() if state.phase == "over" else public.locks,
        last=_last(referee),
        question=_question(referee),
        violation=_violation(scene),
        awaiting=_awaiting(scene),
        revealing=state.phase == "over" and scene.result is None and not public.unranked,
        result=_result(scene),
        paused=referee.paused,
        hard_mode=scene.hard,
        blind=blind,
        troubled=_troubled(scene),
        deck=scene.deck,
        unrecorded=scene.unrecorded,
        clock_unset=scene.clock_unset,
        stopped=referee.stopped is not None,
        proposal=_proposal(scene),
        undo=len(referee.turns),
        redo=len(referee.undone),
        steps=_steps(referee),
        turn_down=referee.errand is not None and bool(referee.errand.turn_down),
        confirm=_confirm(referee),
        homes=_homes(scene),
        reseat=tuple((trust.place.seat, trust.place.number) for trust in referee.trusted if trust.anew),
        disagrees=_disagrees(scene),
        hard=scene.hard_cases,
        pictureless=scene.pictureless,
        ranking=() if public.unranked else _ranking(scene),
        unranked=public.unranked,
        to_end=_to_end(public) if state.phase in ("setup", "play") else None,
    )


def move_view(game: Game[Any], action: Action, provisional: bool = False, by_hand: bool = False) -> MoveView:
    """An action by its places."""
    if isinstance(action, AsItLies):
        return MoveView("as_it_lies", None, provisional=provisional, by_hand=by_hand)
    if isinstance(action, Seating):
        return MoveView("leave" if action.away else "return", action.seat, provisional=provisional, by_hand=by_hand)
    if isinstance(action, Typed):
        return MoveView("typed", action.place.seat, action.place.number)
    return replace(game.move_view(action), provisional=provisional, by_hand=by_hand)


def _current(referee: AnyReferee) -> int | None:
    """Who has to act."""
    current: int | None = _ready(referee).current
    return current


def _ready(referee: AnyReferee) -> Any:
    """The state that says who acts; before the first action that is said once the deal is complete, or where nobody sees it."""
    ready = referee.deal_known or not any(referee.sight.watched)
    return referee.game.opened(referee.state) if ready else referee.state


def _chips(scene: Scene, public: PublicState) -> ChipsView | None:
    """The chips; what a showdown has paid belongs to its result."""
    if public.chips is None or scene.result is None:
        return public.chips
    return replace(public.chips, stacks=scene.result.stacks, pots=() if any(scene.result.won) else public.chips.pots)


def _to_end(public: PublicState) -> int | None:
    return max(1, public.end_discards - public.discards) if public.end_discards else None


def _row(referee: AnyReferee) -> tuple[str | None, ...]:
    """The faces on the row.  One that was only announced is told when it is seen there: else a tap would be a look at it."""
    errand, line = referee.errand, referee.state.table.row
    known: tuple[Held, ...] = line
    announced = errand is not None and errand.seen and not (errand.steps or errand.restores)
    if announced and referee.turns and not row_is_blind(referee.sight.row):
        known = referee.turns[-1].before.table.row
    return tuple(str(card) if isinstance(card, Card) and card in known else None for card in line)


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
    looked = scene.referee.sight.watched[number] and number not in scene.watch.unseen
    shown = scene.referee.game.shown(scene.referee.state)
    for k in SLOTS:
        place = slot(number, k)
        card = table.at(place)
        if place in (scene.revealed | shown) and is_named(card):
            slots.append(SlotView(k, SlotShows.REVEALED, str(card)))
        elif card is None:
            slots.append(SlotView(k, _shows(tracks.get(place), True) if looked else SlotShows.OUT, bare=True))
        elif place in shown:
            slots.append(SlotView(k, _shows(tracks.get(place), looked), open=True))
        else:
            shows = _shows(tracks.get(place), looked)
            slots.append(SlotView(k, shows, str(card) if peeks and isinstance(card, Card) else None))
    away = number in scene.referee.game.public(scene.referee.state).away
    category = None
    if scene.result is not None:
        category = scene.result.categories[number] or None
    by_hand = source == "mat" and number in scene.watch.by_hand
    return SeatView(number, name, source, tuple(slots), away, category, by_hand, scene.referee.game.taps)


def _troubled(scene: Scene) -> tuple[TroubleView, ...]:
    by_hand = scene.watch.by_hand
    return tuple(
        TroubleView(trouble.kind.value, trouble.seat, trouble.other, trouble.seat in by_hand) for trouble in scene.watch.said
    )


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
    row = any(place.area is Area.ROW for place in question.places)
    typed = question.choices[0] if question.kind in TYPED else None
    card = str(typed.card) if isinstance(typed, Typed) else None
    return QuestionView(question.id, question.kind, question.seat, choices, places, row, card)


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
    if kind == "return_card" and seen is Mark.BACK and scene.referee.state.phase != "over":
        kind = "turn_down"
    return PlacementView(kind, (place.seat, place.number), not hidden and fits(seen, table.at(place), placed_cards(table)))


def _awaiting(scene: Scene) -> tuple[PlacementView, ...]:
    referee = scene.referee
    if referee.errand is None:
        return ()
    if not referee.errand.seen:
        silent = referee.state.phase == "over" or _confirm(referee)
        return () if silent else (PlacementView("confirm", None, False),)
    change, table = scene.picture.change, referee.state.table
    hidden = {*scene.picture.busy, *scene.picture.out}
    if referee.errand.restores:
        return tuple(_restored(scene, place, place in hidden) for place in referee.errand.restores)
    # What is in a hand does not lie there yet, whatever card it is.
    wrong = {*differing_slots(change, table), *hidden}
    back = bool(referee.errand.steps) and all(step.back for step in referee.errand.steps)
    listed = [place for place in referee.errand.slots if place in wrong or _listed_till_done(scene, place)]
    slots = tuple(
        PlacementView(_to_do(change, place, back, table.at(place) is None), (place.seat, place.number), place not in wrong)
        for place in listed
    )
    return slots if row_agrees(change, table) else (*slots, PlacementView("row", None, False))


def _restored(scene: Scene, place: Place, hidden: bool) -> PlacementView:
    line = _placement_view(scene, Placement(place, None), hidden)
    return replace(line, kind="return_row") if line.place is None else line


def _listed_till_done(scene: Scene, place: Place) -> bool:
    """Whether a slot stays on the list, ticked off, when its card lies there: those that undo and redo have moved."""
    errand = scene.referee.errand
    moves = [] if errand is None else [move_view(scene.referee.game, step.action) for step in errand.steps]
    watched = scene.referee.sight.watched[place.seat]
    return watched and any((place.seat, place.number) in ((m.seat, m.slot), (m.victim, m.victim_slot)) for m in moves)


def _to_do(change: Change, place: Place, back: bool, clears: bool) -> str:
    if clears:
        return "clear_slot"
    if change.mats[place.seat][place.number - 1] is Mark.BACK:
        return "turn_down"
    return "return_card" if back else "lay_card"


def _steps(referee: AnyReferee) -> tuple[StepView, ...]:
    steps = () if referee.errand is None else referee.errand.steps
    return tuple(StepView(move_view(referee.game, step.action), step.back) for step in steps)


def _confirm(referee: AnyReferee) -> bool:
    errand = referee.errand
    return errand is not None and not errand.seen and bool(errand.steps or errand.turn_down)


def _disagrees(scene: Scene) -> bool:
    """Whether people may say which of the two is right: a peek, which leaves nothing to put back, is not of that kind."""
    referee = scene.referee
    if referee.violation is not None:
        return bool(referee.violation.remedy)
    return referee.errand is not None and referee.errand.seen and bool(referee.errand.steps)


def _homes(scene: Scene) -> tuple[HomeView, ...]:
    """Where the cards belong that lie in wrong slots while things are put right.

    A card that is seen at home as well, or whose home is hidden, is not led there: it may be another card of its face.
    """
    if not _disagrees(scene):
        return ()
    change, table = scene.picture.change, scene.referee.state.table
    kinds = {Area.SLOT: "slot", Area.ROW: "row", Area.REMOVED: "removed"}
    found = []
    for place in differing_slots(change, table):
        seen = change.mats[place.seat][place.number - 1]
        home = table.find(seen) if isinstance(seen, Card) else None
        if home is None or home.area not in kinds:
            continue
        at_home = home.area is Area.SLOT and change.mats[home.seat][home.number - 1] in (seen, Mark.COVERED, None)
        if not at_home:
            own = (home.seat, home.number) if home.area is Area.SLOT else None
            found.append(HomeView((place.seat, place.number), kinds[home.area], own))
    return tuple(found)


def _proposal(scene: Scene) -> ProposalView | None:
    proposal = scene.referee.proposal
    if proposal is None:
        return None
    what, place, turns = proposal.what, None, 0
    if isinstance(what, Rewind):
        kind, turns = "undo", len(scene.referee.turns) - what.turns
    elif isinstance(what, Call):
        kind = what.name
    else:
        kind, place = ("reseat" if isinstance(what, Reseat) else "correct"), (what.place.seat, what.place.number)
    waiting = tuple(seat for seat in voters(scene.referee, scene.seats) if seat not in proposal.agreed)
    return ProposalView(proposal.id, kind, waiting, place, turns, what.reason)


def voters(referee: AnyReferee, seats: Sequence[tuple[str, str]]) -> tuple[int, ...]:
    """The seats, given by name and source, of people who are here."""
    away = referee.game.public(referee.state).away
    return tuple(number for number, (_, source) in enumerate(seats) if source != "bot" and number not in away)


def _ranking(scene: Scene) -> tuple[RankView, ...]:
    """The hands that are wholly shown, in their order."""
    state = scene.referee.state
    open_hands = {seat: _open_hand(scene, seat) for seat in range(len(scene.seats))} if state.phase == "over" else {}
    seats = [seat for seat, hand in open_hands.items() if len(set(hand)) == len(SLOTS)]
    ranked = scene.referee.game.ranked(state, [open_hands[seat] for seat in seats])
    views: list[RankView] = []
    for one in ranked:
        if one.margin is None or not views:
            views.append(RankView(seats[one.hand], one.place))
            continue
        better, worse = ("" if each is None else each.letter for each in (one.margin.better, one.margin.worse))
        views.append(RankView(seats[one.hand], one.place, views[-1].seat, one.margin.kind, better, worse))
    return tuple(views)


def _open_hand(scene: Scene, seat: int) -> list[Card]:
    held = [scene.referee.state.table.at(slot(seat, k)) for k in SLOTS if slot(seat, k) in scene.revealed]
    return [card for card in held if isinstance(card, Card) and is_named(card)]


def _result(scene: Scene) -> ResultView | None:
    result = scene.result
    if result is None:
        return None
    referee = scene.referee
    shown = {place.seat for place in referee.game.to_show(referee.state)}
    hands = tuple(
        tuple(str(card) for card in hand) if seat in shown else () for seat, hand in enumerate(referee.state.table.hands)
    )
    return ResultView(result.order, result.winners, result.categories, hands, result.reason, result.won)


__all__ = ["LockView", "Scene", "build_view", "move_view", "voters"]
