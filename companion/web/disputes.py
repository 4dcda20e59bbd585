"""Stops, disputes and corrections: the page that answers, and the routes by which people put things right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from companion.announcements import (
    amendment_words,
    card_words,
    dispute_label,
    dispute_words,
    incident_words,
    line_words,
    proof_words,
    seat_name,
)
from companion.errors import CompanionError
from companion.observation import Agree, Call, Correct, Declaration, Declared, OwnEntry, Reseat, Rewind
from companion.table import SLOTS, Place, row, slot
from companion.views import Role, SlotShows, View
from companion.web.answers import not_taken, told
from companion.web.door import RefusedError, body_of, brief, number, text
from companion.web.gate import EVERYBODY, KEEPERS, PLAYERS, RULERS, check_seat, current_visitor, open_to
from companion.web.languages import speaker
from companion.web.scene import UNREAD
from companion.web.table import LiveTable
from companion.web.taps import open_card, seat_of

LONGEST_REASON = 160
"""Letters."""


class Disputes:
    """The routes of one table.  Whatever makes no sense now is refused with a sentence, and nothing is posted."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table

    def routes(self) -> Blueprint:
        """The page ``/disputes``, and what it and the live page send."""
        disputes = Blueprint("disputes", __name__)
        disputes.add_url_rule("/disputes", view_func=self.page, endpoint="page")
        disputes.add_url_rule("/likely", view_func=self.likely, endpoint="likely")
        deeds: dict[str, Callable[[], Response]] = {
            "stop": open_to(PLAYERS)(lambda: self._call("stop")),
            "go_on": open_to(RULERS)(lambda: self._call("go_on")),
            "laid": open_to(PLAYERS)(lambda: self._call("laid")),
            "table_right": open_to(RULERS)(lambda: self._call("table_right")),
            "screen_right": open_to(RULERS)(lambda: self._call("screen_right")),
            "agree": self.agree,
            "rewind": self.rewind,
            "correct": self.correct,
            "reseat": self.reseat,
            "own": self.own,
        }
        for name, deed in deeds.items():
            disputes.add_url_rule(f"/{name}", view_func=deed, endpoint=name, methods=["POST"])
        disputes.register_error_handler(CompanionError, not_taken)
        return disputes

    @open_to(EVERYBODY)
    def page(self) -> str:
        """One screen: the timeline, and every answer about the picked move (``?move=2``) and slot (``&seat=0&slot=3``)."""
        say, language = speaker()
        view = self._table.view()
        values: dict[str, Any] = {"view": view, "say": say, "language": language, "label": dispute_label, "answers": ()}
        values["visitor"] = current_visitor()
        if not (view.stopped or view.phase == "over"):
            return render_template("disputes.html", open=False, lines=(), **values)
        lines = self._table.timeline()
        picked, place = _picked(view, len(lines))
        dispute = self._table.dispute(picked, place)
        values["answers"] = dispute_words(dispute, view, say)
        return render_template(
            "disputes.html",
            open=True,
            lines=[(line.number, line_words(line, view, say)) for line in lines],
            mishaps=[(incident_words(each, view, say), each.rule) for each in dispute.did_not_stand],
            amended=[amendment_words(each, view, say) for each in dispute.amendments],
            proofs=[proof_words(each, view, say) for each in self._table.proofs(picked)],
            picked=picked,
            place=dispute.place,
            slots=SLOTS,
            names=[seat_name(seat.seat, [one.name for one in view.seats], say) for seat in view.seats],
            **values,
        )

    @open_to(KEEPERS)
    def likely(self) -> Response:
        """What the reader takes an open card for: ``?row=2``, or ``?seat=0&slot=3`` once the hand is shown."""
        view = self._table.view()
        place = _open_place(view, {name: _whole(name) for name in ("row", "seat", "slot") if name in request.args})
        say, _ = speaker()
        cards = self._table.likely(place)
        return jsonify(cards=[{"card": str(card), "words": card_words(card, say)} for card in cards])

    @open_to(PLAYERS)
    def agree(self) -> Response:
        """``{"proposal", "seat", "yes"}``: one seat's answer to what was proposed."""
        body = body_of(request)
        view = self._table.view()
        proposal, seat, yes = number(body, "proposal"), number(body, "seat"), body.get("yes")
        if type(yes) is not bool:
            raise RefusedError("bad_form", found=f"yes={brief(yes)}")
        seat_of(view, seat)
        check_seat(seat)
        if view.proposal is None or view.proposal.id != proposal:
            raise RefusedError("no_agreement")
        return self._declare(Agree(proposal, yes), seat)

    @open_to(RULERS)
    def rewind(self) -> Response:
        """``{"moves": n}``: take moves back, or do them again, until `n` of them stand."""
        body = body_of(request)
        view = self._table.view()
        moves = number(body, "moves")
        if not 0 <= moves <= view.undo + view.redo:
            raise RefusedError("no_offer")
        return self._declare(Rewind(moves, _reason(body)))

    @open_to(RULERS)
    def correct(self) -> Response:
        """``{"row": n, "card"}`` or ``{"seat", "slot", "card"}``: an open card is another one than the screen says."""
        body = body_of(request)
        view = self._table.view()
        place = _open_place(view, body)
        return self._declare(Correct(place, open_card(view, text(body, "card")), _reason(body)), max(place.seat, 0))

    @open_to(RULERS)
    def reseat(self) -> Response:
        """``{"seat", "slot"}``: a hidden card is to be lifted and laid back, and read anew."""
        body = body_of(request)
        view = self._table.view()
        seat, position = number(body, "seat"), number(body, "slot")
        shown = seat_of(view, seat).slots
        hidden = (SlotShows.REVEALED, SlotShows.UNWATCHED)
        if not any(one.number == position and one.shows not in hidden for one in shown):
            raise RefusedError("no_place")
        return self._declare(Reseat(slot(seat, position), _reason(body)), seat)

    @open_to((Role.SEAT,))
    def own(self) -> Response:
        """``{"slot", "card"}`` from a player's own phone: what his hidden card is that no camera has read."""
        body = body_of(request)
        view, seat = self._table.view(), current_visitor().seat
        position = number(body, "slot")
        if seat is None or view.phase == "over":
            raise RefusedError("no_place")
        shown = (one.shows for one in seat_of(view, seat).slots if one.number == position)
        if next(shown, SlotShows.REVEALED) not in UNREAD:
            raise RefusedError("no_place")
        return self._declare(OwnEntry(slot(seat, position), open_card(view, text(body, "card"))), seat)

    def _call(self, name: str) -> Response:
        body = body_of(request)
        seat = number(body, "seat") if "seat" in body else current_visitor().seat or 0
        view = self._table.view()
        seat_of(view, seat)
        check_seat(seat)
        if name == "go_on" and not view.stopped:
            raise RefusedError("not_stopped")
        return self._declare(Call(name, _reason(body)), seat)

    def _declare(self, what: Declared, seat: int = 0) -> Response:
        return told(self._table.post(Declaration(self._table.now(), seat, what, current_visitor().role.value)))


def _picked(view: View, moves: int) -> tuple[int, Place | None]:
    """What the page's address asks about: the newest move where it names none."""
    picked = _whole("move") if "move" in request.args else moves
    if not 0 <= picked <= moves:
        raise RefusedError("no_offer")
    if "seat" not in request.args:
        return picked, None
    seat, position = _whole("seat"), _whole("slot")
    seat_of(view, seat)
    if position not in SLOTS:
        raise RefusedError("no_place")
    return picked, slot(seat, position)


def _whole(name: str) -> int:
    value = request.args.get(name, "")
    if not (value.isascii() and value.isdigit() and len(value) < 7):
        raise RefusedError("bad_form", found=f"{name}={brief(value)}")
    return int(value)


def _open_place(view: View, body: dict[str, Any]) -> Place:
    """The place of a card that everybody can see."""
    if "row" in body:
        position = number(body, "row")
        if 1 <= position <= len(view.row):
            return row(position)
    else:
        seat, position = number(body, "seat"), number(body, "slot")
        shown = (one for one in seat_of(view, seat).slots if one.shows is SlotShows.REVEALED)
        if any(one.number == position for one in shown):
            return slot(seat, position)
    raise RefusedError("not_open")


def _reason(body: dict[str, Any]) -> str:
    if "reason" not in body:
        return ""
    reason = " ".join(text(body, "reason").split())
    if len(reason) > LONGEST_REASON:
        raise RefusedError("long_reason", count=LONGEST_REASON)
    return reason
