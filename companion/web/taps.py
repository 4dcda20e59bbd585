"""The routes by which people tap: buttons, answers, moves, cards and calls become declarations."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.announcements import Translator, card_words, label, mark_words, offer_words, seat_name, slot_words
from companion.cards import Card
from companion.errors import CardTextError, CompanionError
from companion.observation import Answer, Call, Declaration, Entry, Press
from companion.table import Place, row, slot
from companion.views import SeatView, SlotShows, View
from companion.web.answers import not_taken, told
from companion.web.door import RefusedError, body_of, brief, number, text
from companion.web.gate import PLAYERS, RULERS, check_seat, current_visitor, open_to, the_gate
from companion.web.languages import speaker
from companion.web.scene import CALLS, SEAT_CALLS, may_enter, press_counts
from companion.web.table import LiveTable, Offer
from companion.web.trails import picked
from companion.words.access import roles_words


class Taps:
    """Turns requests into declarations.  Whatever makes no sense now is refused with a sentence, and nothing is posted."""

    def __init__(self, table: LiveTable, buttons: bool) -> None:
        self._table = table
        self._buttons = buttons

    def routes(self) -> Blueprint:
        """The routes of this table's taps."""
        taps = Blueprint("taps", __name__)
        taps.add_url_rule("/press/<int:seat>", view_func=self.press, methods=["POST"])
        taps.add_url_rule("/answer", view_func=self.answer, methods=["POST"])
        taps.add_url_rule("/offers/<int:seat>", view_func=self.offers)
        taps.add_url_rule("/act", view_func=self.act, methods=["POST"])
        taps.add_url_rule("/enter", view_func=self.enter, methods=["POST"])
        taps.add_url_rule("/call", view_func=self.call, methods=["POST"])
        taps.register_error_handler(CompanionError, not_taken)
        return taps

    @open_to(PLAYERS)
    def press(self, seat: int) -> Response:
        """The seat's big button, on the page of a table that has none of its own."""
        body_of(request)
        view = self._table.view()
        presser = seat_of(view, seat)
        check_seat(seat)
        if not self._buttons:
            raise RefusedError("no_buttons")
        if not press_counts(view, seat):
            raise RefusedError("no_press", who=presser.name)
        return self._declare(seat, Press())

    @open_to(PLAYERS)
    def answer(self) -> Response:
        """``{"question": id, "choice": number}``, with the ``seat`` that answers where it matters."""
        body = body_of(request)
        view = self._table.view()
        question, choice = number(body, "question"), number(body, "choice")
        if view.question is None or view.question.id != question:
            raise RefusedError("no_question")
        if not 0 <= choice < len(view.question.choices):
            raise RefusedError("no_choice")
        check_seat(view.question.seat)
        own = current_visitor().seat
        usual = view.question.seat or 0 if own is None else own
        seat = number(body, "seat") if "seat" in body else usual
        seat_of(view, seat)
        check_seat(seat)
        return self._declare(seat, Answer(question, choice))

    @open_to(PLAYERS)
    def offers(self, seat: int) -> Response:
        """What the seat may do now, each move as the steps by which it is picked."""
        view = self._table.view()
        tapping_seat(view, seat)
        check_seat(seat)
        say, _ = speaker()
        choices = [
            {
                "id": offer.id,
                "steps": offer_words(offer.move, view, say, offer.most, offer.all_in),
                "pictures": picked(offer.move),
                **(_amounts(offer, say) if offer.most else {}),
            }
            for offer in self._table.offers(seat)
        ]
        if not choices:
            raise RefusedError("not_now", who=view.seats[seat].name)
        return jsonify(seat=seat, name=view.seats[seat].name, turn=view.turn, offers=choices)

    @open_to(PLAYERS)
    def act(self) -> Response:
        """``{"seat", "offer"}``, with an ``amount`` where that is open: the seat does one of the moves that it was offered.

        ``turn`` says when it was offered: a tap that comes late, or twice, is none of another move that has the number now.
        """
        body = body_of(request)
        seat, offer = number(body, "seat"), number(body, "offer")
        view = self._table.view()
        tapping_seat(view, seat)
        check_seat(seat)
        if "turn" in body and number(body, "turn") != view.turn:
            raise RefusedError("no_offer")
        found = next((one for one in self._table.offers(seat) if one.id == offer), None)
        if found is None:
            raise RefusedError("no_offer")
        if "amount" not in body:
            return told(self._table.claim(seat, offer))
        amount = number(body, "amount")
        if not (amount == found.move.amount or found.move.amount <= amount <= found.most):
            raise RefusedError("no_amount")
        return told(self._table.claim(seat, offer, amount))

    @open_to(PLAYERS)
    def enter(self) -> Response:
        """``{"seat", "slot", "card"}`` at the reveal, or ``{"row", "card"}`` for a card of the row that nobody has read."""
        body = body_of(request)
        view = self._table.view()
        place = entry_place(view, body)
        check_seat(place.seat)
        return self._declare(max(place.seat, 0), Entry(place, open_card(view, text(body, "card"))))

    @open_to(PLAYERS)
    def call(self) -> Response:
        """``{"name"}``, with the ``seat`` that it concerns."""
        body = body_of(request)
        name = text(body, "name")
        if name not in CALLS:
            raise RefusedError("no_call", found=brief(name))
        view = self._table.view()
        own = current_visitor().seat or 0
        seat = number(body, "seat") if "seat" in body or name in SEAT_CALLS else own
        who = seat_of(view, seat).name
        check_seat(seat)
        if name == "undo" and not current_visitor().rules:
            raise RefusedError("not_yours", 403, who=roles_words(the_gate().deciders(RULERS), speaker()[0]))
        refusal = idle_call(view, name, seat)
        if refusal:
            raise RefusedError(refusal, who=who)
        return self._declare(seat, Call(name))

    def _declare(self, seat: int, what: Press | Answer | Entry | Call) -> Response:
        return told(self._table.post(Declaration(self._table.now(), seat, what, current_visitor().role.value)))


def _amounts(offer: Offer, say: Translator) -> dict[str, Any]:
    """Between which two amounts may be chosen, and those that have a name."""
    marks = [{"amount": amount, "words": mark_words(name, amount, say)} for name, amount in offer.marks]
    return {"least": offer.move.amount, "most": offer.most, "marks": marks}


def idle_call(view: View, name: str, seat: int) -> str:
    """Why a call would change nothing, as the kind of a refusal; empty where it does something."""
    begun = view.turn > 0 or view.phase != "setup"
    idle = {
        "pause": "is_paused" if view.paused else "",
        "resume": "" if view.paused else "not_paused",
        "undo": "" if begun else "no_undo",
        "misdeal": "begun" if begun else "",
        "leave": "is_away" if view.seats[seat].away else "",
        "return": "" if view.seats[seat].away else "not_away",
    }
    return idle[name]


def seat_of(view: View, seat: int) -> SeatView:
    """The seat with this number, counted from 0."""
    if not 0 <= seat < len(view.seats):
        raise RefusedError("no_seat", found=brief(seat + 1), count=len(view.seats))
    return view.seats[seat]


def tapping_seat(view: View, seat: int) -> SeatView:
    """The seat, which has to be one that plays by tap."""
    found = seat_of(view, seat)
    if found.source == "bot":
        raise RefusedError("by_itself", who=found.name)
    if not found.taps:
        raise RefusedError("not_by_tap", who=seat_name(seat, [one.name for one in view.seats], speaker()[0]))
    return found


def entry_place(view: View, body: dict[str, Any]) -> Place:
    """The place that a card is entered for: a slot at the reveal, or a card of the row that nobody has read."""
    if "row" in body:
        position = number(body, "row")
        if not 1 <= position <= len(view.row) or view.row[position - 1] is not None:
            raise RefusedError("no_place")
        return row(position)
    seat, position = number(body, "seat"), number(body, "slot")
    if any(one.number == position and may_enter(one, view) for one in seat_of(view, seat).slots):
        return slot(seat, position)
    raise RefusedError("no_place")


def open_card(view: View, written: str) -> Card:
    """The card that was entered, which must not lie open elsewhere; hidden cards are not asked."""
    try:
        card = Card.parse(written)
    except CardTextError:
        raise RefusedError("no_card", found=brief(written)) from None
    say, _ = speaker()
    place = where_open(view, card, say)
    if place:
        raise RefusedError("card_elsewhere", found=card_words(card, say), place=place)
    return card


def where_open(view: View, card: Card, say: Translator) -> str:
    """Where `card` lies open, in words; empty where it does not."""
    for seat in view.seats:
        for one in seat.slots:
            if one.card == str(card) and one.shows is SlotShows.REVEALED:
                return slot_words((seat.seat, one.number), view, say)
    return label("in_row", say, number=view.row.index(str(card)) + 1) if str(card) in view.row else ""
