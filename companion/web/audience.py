"""The scene as one visitor gets it: what he may tap, and, on a player's own phone, what only he may see."""

from __future__ import annotations

from dataclasses import replace

from companion.announcements import Translator
from companion.views import Role, SlotShows, View
from companion.web.gate import Visitor
from companion.web.scene import CALLS, UNREAD, Scene, SeatScene, SlotScene, face, scene
from companion.words.access import access_label


def arranged_for(visitor: Visitor, view: View, say: Translator) -> Scene:
    """The scene of `view`, which is the visitor's own view, with the buttons that the visitor may use."""
    arranged = scene(view, say)
    if visitor.keeps:
        calls = CALLS if visitor.rules else tuple(name for name in CALLS if name != "undo")
        seats = tuple(replace(seat, corrects=visitor.rules) for seat in arranged.seats)
        return replace(arranged, seats=seats, calls=calls, rules=visitor.rules)
    own = visitor.seat if visitor.role is Role.SEAT else None
    asked = view.question is not None and visitor.may_act_for(view.question.seat)
    seats = tuple(_own(seat, view, say) if seat.seat == own else _watched(seat) for seat in arranged.seats)
    calls = () if own is None else tuple(name for name in CALLS if name != "undo")
    enters = any(slot.enter for seat in seats for slot in seat.slots)
    return replace(
        arranged, seats=seats, own=own, answers=asked, calls=calls, keeps=False, plays=own is not None, rules=visitor.rules,
        asks_cards=arranged.asks_cards and enters,
    )


def _watched(seat: SeatScene) -> SeatScene:
    """Another's seat: to be looked at."""
    slots = tuple(replace(slot, enter=False) for slot in seat.slots)
    return replace(seat, slots=slots, acts=False, bets_open=(), presses=False, corrects=False)


def _own(seat: SeatScene, view: View, say: Translator) -> SeatScene:
    """The phone's own seat: its hidden cards as well, where the view holds them."""
    return replace(seat, corrects=False, slots=tuple(_with_card(slot, seat.seat, view, say) for slot in seat.slots))


def _with_card(slot: SlotScene, seat: int, view: View, say: Translator) -> SlotScene:
    held = next(one for one in view.seats[seat].slots if one.number == slot.number)
    if held.card is None and held.shows in UNREAD and view.phase != "over":
        return replace(slot, names=True)
    if held.shows is SlotShows.REVEALED or held.card is None:
        return slot
    return replace(slot, own=face(held.card, say))


def whose(visitor: Visitor, view: View, say: Translator, alone: bool = False) -> str:
    """What the page says of the screen that it is on; nothing on the table's own.  `alone`: at a virtual table at home nobody
    sits who could be asked for a link."""
    if visitor.stale:
        return access_label("whose_stale_alone" if alone else "whose_stale", say)
    if visitor.role is Role.SEAT and visitor.seat is not None:
        return access_label("whose_seat", say, who=view.seats[visitor.seat].name)
    known = {Role.REFEREE: "whose_referee", Role.PUPPETEER: "whose_puppeteer", Role.SPECTATOR: "whose_watching"}
    return access_label(known[visitor.role], say) if visitor.role in known else ""
