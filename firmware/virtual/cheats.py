"""Breaking the rules with one's hands, every kind that cards on a table allow."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.table import PILE, REMOVED, SLOTS, Place, slot
from firmware.virtual.situation import Plan, Situation
from firmware.virtual.stage import Act
from firmware.virtual.world import TRAY_WINDOWS, HandOf, Piece

Maker = Callable[[Any], Plan | None]
"""Makes a violation out of what a cheat knows, or says that it is not possible now."""


def _draw_from(view: Situation, count: int = 1) -> list[Piece]:
    """The pile's top cards, or none when the pile is too short."""
    pile = view.world.lying(PILE)
    return [laid.piece for laid in reversed(pile[-count:])] if len(pile) >= count else []


def _place_strange(view: Situation, kind: str, piece: Piece, own: Place) -> Plan:
    """A card that has no business there is laid in an own slot as if it had been drawn."""
    old = view.at(own)

    def act() -> Act:
        view.world.move(piece, HandOf(view.seat))
        yield from view.hands.lift(view.seat, own)
        yield from view.hands.lay(piece, own)
        yield from view.hands.lay(old, view.next_row(), face_down=False)

    return Plan(kind, act(), view.seat, press=view.rng.random() < 0.7)


def _on_own_mat(view: Situation) -> bool:
    return view.seat in view.watched and view.state.phase in ("play", "final")


def foreign_card(view: Situation) -> Plan | None:
    if not _on_own_mat(view):
        return None
    return _place_strange(view, "foreign_card", view.world.bring(None), view.own()[0])


def duplicate_card(view: Situation) -> Plan | None:
    """A card of a second deck whose face lies in sight elsewhere."""
    if not _on_own_mat(view):
        return None
    own = view.own()[0]
    faces = [view.at(slot(seat, k)).face for seat in view.watched for k in SLOTS if slot(seat, k) != own]
    faces += list(view.row) if view.sees_row else []
    return _place_strange(view, "duplicate_card", view.world.bring(view.rng.choice(faces)), own)


def removed_card_returned(view: Situation) -> Plan | None:
    out = [card for card in view.state.table.removed if card in view.known]
    if not out or not _on_own_mat(view):
        return None
    return _place_strange(view, "removed_card_returned", view.world.piece(view.rng.choice(out)), view.own()[0])


def slot_empty(view: Situation) -> Plan | None:
    """A card is kept in the hand, or laid on a neighbour, and the culprit says that he has done."""
    if not _on_own_mat(view):
        return None
    place, other = view.own(2)
    if view.rng.random() < 0.5:
        act = view.hands.lift(view.seat, place)
    else:
        act = view.hands.rearrange(view.seat, [(view.at(place), other, True)])
    return Plan("slot_empty", act, view.seat, press=True)


def two_actions(view: Situation) -> Plan | None:
    if view.state.phase not in ("play", "final"):
        return None
    makers = [_cycle_of_three, _two_exchanges, _two_replacements]
    if view.tray != "none" and len(view.row) + 2 <= TRAY_WINDOWS[view.tray]:
        makers += [_two_discards, _use_and_discard]
    view.rng.shuffle(makers)
    return next((plan for maker in makers if (plan := maker(view)) is not None), None)


def _two_discards(view: Situation) -> Plan | None:
    drawn = _draw_from(view, 2)
    if not drawn:
        return None
    goals = [(piece, view.next_row(i), False) for i, piece in enumerate(drawn, 1)]
    return Plan("two_actions", view.hands.rearrange(view.seat, goals, together=True), view.seat, press=True)


def _use_and_discard(view: Situation) -> Plan | None:
    drawn = _draw_from(view, 2)
    if not drawn or not _on_own_mat(view):
        return None
    own = view.own()[0]
    old = view.at(own)
    goals = [(drawn[0], own, True), (old, view.next_row(1), False), (drawn[1], view.next_row(2), False)]
    return Plan("two_actions", view.hands.rearrange(view.seat, goals, together=True), view.seat, press=True)


def _two_replacements(view: Situation) -> Plan | None:
    drawn = _draw_from(view, 2)
    if not drawn or not _on_own_mat(view) or len(view.row) + 2 > TRAY_WINDOWS[view.tray]:
        return None
    places = view.own(2)
    goals = [(piece, place, True) for piece, place in zip(drawn, places, strict=True)]
    goals += [(view.at(place), view.next_row(i), False) for i, place in enumerate(places, 1)]
    return Plan("two_actions", view.hands.rearrange(view.seat, goals, together=True), view.seat, press=True)


def _cycle(view: Situation, kind: str, places: list[Place]) -> Plan:
    """The card of each place goes to the next one, the last one's to the first."""
    pieces = [view.at(place) for place in places]
    goals = [(piece, place, True) for piece, place in zip(pieces, places[1:] + places[:1], strict=True)]
    return Plan(kind, view.hands.rearrange(places[0].seat, goals), places[0].seat, press=view.rng.random() < 0.5)


def _cycle_of_three(view: Situation) -> Plan | None:
    others = view.others(view.seat)
    if len(others) < 2 or not _on_own_mat(view):
        return None
    places = [view.own(1, seat)[0] for seat in (view.seat, *view.rng.sample(others, 2))]
    return _cycle(view, "two_actions", places)


def _two_exchanges(view: Situation) -> Plan | None:
    others = view.others(view.seat)
    if len(others) < 2 or not _on_own_mat(view):
        return None
    first, second = view.rng.sample(others, 2)
    mine, theirs = view.own(2), [view.own(1, first)[0], view.own(1, second)[0]]
    goals = [(view.at(a), b, True) for a, b in zip(mine, theirs, strict=True)]
    goals += [(view.at(b), a, True) for a, b in zip(mine, theirs, strict=True)]
    return Plan("two_actions", view.hands.rearrange(view.seat, goals), view.seat, press=True)


def row_changed(view: Situation) -> Plan | None:
    """A card of the row is carried off, or two of them change places, and no mat changes."""
    count = min(len(view.row), TRAY_WINDOWS[view.tray])
    squeezed = view.tray == "mat" and view.state.phase == "final"
    if view.state.phase not in ("play", "final") or count < 2 or squeezed:
        return None
    first, second = view.rng.sample(range(count), 2)
    if view.tray == "overhead" and view.rng.random() < 0.5:
        a, b = view.at_row(first), view.at_row(second)
        goals = [(view.at(a), b, False), (view.at(b), a, False)]
        return Plan("row_changed", view.hands.rearrange(view.seat, goals), view.seat, press=True)
    act = view.hands.lift(view.seat, view.at_row(min(first, second)))
    # Where nothing sees the row, a press would say that a card was drawn and discarded.
    return Plan("row_changed", act, view.seat, press=view.tray != "none", invisible=view.tray == "none")


def not_started(view: Situation) -> Plan | None:
    """In the setting up, cards wander between two seats of which neither begins."""
    others = view.others(view.seat)
    if view.state.phase != "setup" or len(others) < 2:
        return None
    first, second = view.rng.sample(others, 2)
    return _cycle(view, "not_started", [view.own(1, first)[0], view.own(1, second)[0]])


def game_over(view: Situation) -> Plan | None:
    """After the last turn, before the hands are shown, two seats still exchange cards."""
    if view.state.phase != "over" or len(view.watched) < 2:
        return None
    first, second = view.rng.sample(view.watched, 2)
    return _cycle(view, "game_over", [view.own(1, first)[0], view.own(1, second)[0]])


def positions_changed(view: Situation) -> Plan | None:
    if view.state.phase not in ("play", "final") or not view.watched:
        return None
    drawn = _draw_from(view)
    if drawn and _on_own_mat(view) and view.rng.random() < 0.4 and len(view.row) < TRAY_WINDOWS[view.tray]:
        a, b = view.own(2)
        goals = [(drawn[0], a, True), (view.at(a), b, True), (view.at(b), view.next_row(), False)]
        return Plan("positions_changed", view.hands.rearrange(view.seat, goals, together=True), view.seat, press=True)
    return _cycle(view, "positions_changed", view.own(2, view.rng.choice(view.watched)))


def not_top_of_row(view: Situation) -> Plan | None:
    older = [i for i, card in enumerate(view.row[: TRAY_WINDOWS[view.tray]][:-1]) if card in view.known]
    if not older or not _on_own_mat(view) or len(view.row) > TRAY_WINDOWS[view.tray]:
        return None
    own, index = view.own()[0], view.rng.choice(older)
    piece, old = view.at(view.at_row(index)), view.at(own)

    def act() -> Act:
        yield from view.hands.lift(view.seat, view.at_row(index))
        yield from view.hands.lift(view.seat, own)
        yield from view.hands.lay(piece, own)
        view.world.move(old, REMOVED)

    return Plan("not_top_of_row", act(), view.seat, press=True)


def replaced_card_not_in_row(view: Situation) -> Plan | None:
    """The drawn card is used, and the old one is put aside instead of on the row."""
    if not _draw_from(view) or not _on_own_mat(view):
        return None
    own = view.own()[0]

    def act() -> Act:
        row = len(view.row)
        yield from view.hands.draw(view.seat, row)
        yield from view.hands.pick_drawn(view.seat, row)
        yield from view.hands.use_held(view.seat, view.world.top(HandOf(view.seat)), own, "tidy")

    turn = {"type": "draw", "use": own.number, "seat": view.seat} if view.tray == "none" else None
    return Plan("replaced_card_not_in_row", act(), view.seat, press=True, turn=turn, invisible=view.tray == "none")


def _out_of_turn(kind: str) -> Maker:
    """Somebody who is not to act replaces a card, takes one, or exchanges one with another."""

    def maker(view: Situation) -> Plan | None:
        culprits = [seat for seat in view.others(view.seat) if _error_of(view, seat) == kind]
        if view.state.phase not in ("play", "final") or not culprits:
            return None
        who = view.rng.choice(culprits)
        places = [place for place in view.own(5, who) if place not in view.last_places]
        # Another seat that is not to act either, and whose own act would have no other name.
        partners = [seat for seat in view.others(view.seat, who) if _error_of(view, seat) in (kind, "not_your_turn")]
        if partners and places and view.rng.random() < 0.3:
            theirs = view.own(1, view.rng.choice(partners))[0]
            return Plan(kind, view.hands.steal(who, theirs, places[0]), who, press=view.rng.random() < 0.5)
        if not _draw_from(view) or not places or len(view.row) >= TRAY_WINDOWS[view.tray]:
            return None
        return Plan(kind, view.hands.draw_use(who, places[0], len(view.row)), who, press=view.rng.random() < 0.5)

    return maker


def _error_of(view: Situation, seat: int) -> str:
    """What the rules call it when `seat`, which is not to act, acts."""
    state = view.state
    if state.phase == "final" and seat == state.ender:
        return "ender_acted"
    if state.phase == "final" and seat not in state.final_left:
        return "already_had_final_turn"
    return "acted_twice" if seat == state.last_actor else "not_your_turn"


def steal_back_locked(view: Situation) -> Plan | None:
    state = view.state
    if not _on_own_mat(view):
        return None
    for lock in state.locks:
        place = state.table.find(lock.card)
        running = state.turn - lock.turn < view.world.seats
        if running and lock.victim == view.seat and place is not None and place.seat == lock.thief and lock.thief in view.watched:
            return Plan("steal_back_locked", view.hands.steal(view.seat, place, view.own()[0]), view.seat, press=True)
    return None


def wrong_slot(view: Situation) -> Plan | None:
    """A theft in which one of the two cards ends in a slot that neither came from."""
    others = view.others(view.seat)
    if not _on_own_mat(view) or not others:
        return None
    victim = view.rng.choice(others)
    if view.rng.random() < 0.5:
        given, landing = view.own(2)
        places = [view.own(1, victim)[0], landing, given]
    else:
        taken, landing = view.own(2, victim)
        places = [taken, view.own()[0], landing]
    plan = _cycle(view, "wrong_slot", places)
    return Plan("wrong_slot", plan.act, view.seat, press=plan.press)


def unexplained_change(view: Situation) -> Plan | None:
    """Cards wander over two or more mats in a way that no one or two actions give."""
    others = view.others(view.seat)
    if not _on_own_mat(view) or not others:
        return None
    victim = view.rng.choice(others)
    mine, theirs = view.own(2), view.own(2, victim)
    return _cycle(view, "unexplained_change", [mine[0], theirs[0], mine[1], theirs[1]])


def peek(view: Situation) -> Plan | None:
    """Hard mode: an own card is lifted, looked at and returned."""
    if not view.hard or view.state.phase not in ("play", "final") or not view.watched:
        return None
    who = view.rng.choice(view.watched)
    return Plan("peek", view.hands.hold(who, [view.rng.choice(SLOTS)], view.rng.uniform(1.0, 2.0)), who)


MAKERS: Mapping[str, Maker] = {
    "foreign_card": foreign_card,
    "duplicate_card": duplicate_card,
    "removed_card_returned": removed_card_returned,
    "slot_empty": slot_empty,
    "two_actions": two_actions,
    "row_changed": row_changed,
    "not_started": not_started,
    "game_over": game_over,
    "positions_changed": positions_changed,
    "not_top_of_row": not_top_of_row,
    "replaced_card_not_in_row": replaced_card_not_in_row,
    "ender_acted": _out_of_turn("ender_acted"),
    "already_had_final_turn": _out_of_turn("already_had_final_turn"),
    "acted_twice": _out_of_turn("acted_twice"),
    "not_your_turn": _out_of_turn("not_your_turn"),
    "steal_back_locked": steal_back_locked,
    "wrong_slot": wrong_slot,
    "unexplained_change": unexplained_change,
    "peek": peek,
}

CHANCE = {
    "removed_card_returned": 3.0, "not_started": 1.0, "game_over": 1.0, "not_top_of_row": 2.0, "row_changed": 2.0,
    "ender_acted": 6.0, "already_had_final_turn": 9.0, "steal_back_locked": 4.0,
}  # fmt: skip
"""Weight of kinds that are seldom possible, so that over many games each comes about as often as the others."""


@dataclass(slots=True)
class Cheat:
    """Who decides when a rule is broken, and which."""

    chance: float
    """Probability per turn."""
    rng: random.Random
    counts: dict[str, int] = field(default_factory=dict)
    kinds: tuple[str, ...] = tuple(MAKERS)
    """What may be committed at all."""
    makers: Mapping[str, Maker] = field(default_factory=lambda: MAKERS)
    seldom: Mapping[str, float] = field(default_factory=lambda: CHANCE)
    """Weights of kinds that are seldom possible."""

    def tempted(self, weight: float = 1.0) -> bool:
        return self.rng.random() < self.chance * weight

    def plan(self, view: Any, only: Iterable[str] | None = None) -> Plan | None:
        """A violation that is possible now, the kinds that came seldom before the others; None when there is none."""
        kinds = [kind for kind in (self.kinds if only is None else only) if kind in self.kinds]
        keys = {kind: self.rng.random() ** (1.0 / self.seldom.get(kind, 1.0)) - self.counts.get(kind, 0) for kind in kinds}
        for kind in sorted(kinds, key=lambda one: -keys[one]):
            try:
                plan = self.makers[kind](view)
            except LookupError:
                # A card that this would need is in somebody's hand just now.
                continue
            if plan is not None:
                self.counts[kind] = self.counts.get(kind, 0) + 1
                return plan
        return None
