"""The virtual table's page: a person sees the table from above and moves its cards.  A real table has no such routes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as WerkzeugResponse

from companion.announcements import Translator, label, refusal_words, seat_name
from companion.errors import CompanionError
from companion.views import Role, View
from companion.web.answers import not_taken
from companion.web.door import RefusedError, body_of, brief, number, text
from companion.web.gate import RULERS, current_visitor, open_to, the_gate
from companion.web.languages import speaker
from companion.web.live import Streams
from companion.web.scene import Face, face
from companion.web.setup_scene import in_play
from companion.web.table import LiveTable
from companion.web.tabletop import DEEDS, JOKER, Deed, Lying, Puppet, Spot, TableTop
from companion.web.taps import seat_of
from companion.words.puppet import deed_words, lying_words, puppet_label, spot_words
from companion.words.tutorial import lesson_words, tutorial_label

PUPPETEER = (Role.PUPPETEER,)
SHARES_SECONDS = 4.0
"""How long a page waits for news before it asks again."""
MOST_CARDS = 20
SPOT = re.compile(r"slot-\d-\d|row(-\d)?|pile|away|hand-\d|held-\d{1,3}|other|joker")
FEWEST_ROW = 5
"""Places of the row that are drawn even while they are empty."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One card as the page draws it."""

    token: int
    face: Face | None
    joker: bool


@dataclass(frozen=True, slots=True)
class SpotScene:
    """One place as the page draws it."""

    name: str
    words: str
    pieces: tuple[Piece, ...]
    count: int
    covered: bool
    number: int = 0
    """What is written on it."""


@dataclass(frozen=True, slots=True)
class SeatTop:
    """One seat as the page draws it."""

    seat: int
    name: str
    mine: bool
    slots: tuple[SpotScene, ...]
    hand: SpotScene
    held: tuple[SpotScene, ...]


def puppet_pages(table: LiveTable, puppet: Puppet) -> Blueprint:
    """The page ``/puppet``, what it asks and what it posts."""
    return HandTable(table, puppet).routes()


class HandTable:
    """The routes of one virtual table whose cards a person moves."""

    def __init__(self, table: LiveTable, puppet: Puppet) -> None:
        self._table, self._puppet = table, puppet

    def routes(self) -> Blueprint:
        pages = Blueprint("puppet", __name__)
        pages.add_url_rule("/puppet", view_func=self.page, endpoint="page")
        pages.add_url_rule("/puppet/table.json", view_func=self.state, endpoint="state")
        pages.add_url_rule("/puppet/camera.jpg", view_func=self.camera, endpoint="camera")
        deeds = {"do": self.do, "sit": self.sit, "leave": self.leave, "link": self.link}
        for name, deed in deeds.items():
            pages.add_url_rule(f"/puppet/{name}", view_func=deed, endpoint=name, methods=["POST"])
        pages.register_error_handler(CompanionError, not_taken)
        # What leads to this page from others.
        pages.add_app_template_global(puppet_label)
        pages.add_app_template_global(tutorial_label)
        return pages

    @open_to(PUPPETEER)
    def page(self) -> str | WerkzeugResponse:
        if not self._puppet.playing:
            return redirect("/strings")
        say, language = speaker()
        view = self._table.view()
        names = [seat_name(seat.seat, [one.name for one in view.seats], say) for seat in view.seats]
        return render_template(
            "puppet.html", names=names, say=say, language=language, top=self._puppet.top(False),
            decides=current_visitor().rules,
        )  # fmt: skip

    @open_to(PUPPETEER)
    def state(self) -> Response:
        """The table as pieces of the page; ``?after=7`` waits a while for one that is newer, ``?all=1`` shows every face."""
        say, language = speaker()
        known, cheating = request.args.get("after", ""), request.args.get("all") == "1"
        if known.isascii() and known.isdigit() and len(known) < 10:
            _patiently(self._puppet, int(known))
        top = self._puppet.top(cheating)
        if top is None:
            return jsonify(number=-1, playing=self._puppet.playing, parts={})
        return jsonify(
            number=top.number, playing=True, parts=_parts(top, self._table.view(), say), dealt=top.dealt, busy=top.busy,
            refused=refusal(top.said, say), cameras=dict(top.cameras), language=language, mine=top.mine,
        )  # fmt: skip

    @open_to(PUPPETEER)
    def do(self) -> Response:
        """``{"deed", "what", "to", "seat", "up", "on_top"}``: hands do it as soon as no others are there."""
        say, _ = speaker()
        view = self._table.view()
        deed = _deed(body_of(request), view)
        self._puppet.do(deed)
        names = [seat.name for seat in view.seats]
        what = say.listed([spot_words(name, names, say) for name in deed.what])
        to = spot_words(deed.to, names, say) if deed.to else ""
        return jsonify(ok=True, said=deed_words(deed.name, what, to, seat_name(deed.seat, names, say), say))

    @open_to(RULERS)
    def sit(self) -> Response:
        """``{"seats", "tutorial"}``: a new game begins, in which these are the person's; with none, a show.  Where that ends a
        game that is being played or whose hands are being shown, somebody who may has to be ``sure``."""
        body = body_of(request)
        seats, tutorial = body.get("seats"), body.get("tutorial", False)
        if not isinstance(seats, list) or len(seats) > 5 or type(tutorial) is not bool:
            raise RefusedError("bad_form", found=f"seats={brief(seats)}")
        view = self._table.view()
        taken = tuple(sorted({seat_of(view, number({"seat": one}, "seat")).seat for one in seats}))
        if in_play(view) and body.get("sure") is not True:
            raise RefusedError("hands_open" if view.revealing else "game_runs", 409)
        self._puppet.sit(taken, tutorial)
        return jsonify(ok=True)

    @open_to(PUPPETEER)
    def leave(self) -> Response:
        """The person needs no tutorial any more."""
        body_of(request)
        self._puppet.leave_tutorial()
        return jsonify(ok=True)

    @open_to(PUPPETEER)
    def camera(self) -> Response:
        """``?of=mat0``: what this camera sees now."""
        seen = self._puppet.frame(request.args.get("of", "")[:10], request.args.get("all") == "1")
        if seen is None:
            raise RefusedError("no_page", 404)
        return Response(seen, mimetype="image/jpeg")

    @open_to(RULERS)
    def link(self) -> Response:
        """A link with which the screen that asks becomes the one that moves the cards; it works once."""
        body_of(request)
        return jsonify(ok=True, token=the_gate().access.keyring.invite(Role.PUPPETEER))


def _parts(top: TableTop, view: View, say: Translator) -> dict[str, str]:
    """The pieces of the page by the id of the element that holds each."""
    macros: Any = current_app.jinja_env.get_template("puppet_parts.html").make_module({"say": say, "label": label})
    names = [seat.name for seat in view.seats]
    parts = {f"top-{seat}": macros.seat(seat_top(top, seat, names, say)) for seat in range(len(top.seats))}
    pile, away = (_scene(heap, names, say) for heap in (top.pile, top.away))
    parts["tray"] = macros.tray(row_scenes(top, names, say), pile, away)
    lesson = top.tutorial
    parts["lesson"] = "" if lesson is None else macros.lesson(lesson_words(lesson, view, say, top.holds), lesson)
    return {name: str(html).strip() for name, html in parts.items()}


def _patiently(puppet: Puppet, known: int) -> None:
    """Wait for news, in one of the places that streams have: others are never kept waiting for it."""
    streams: Streams = current_app.extensions["viewmat_streams"]
    if not streams.enter():
        return
    try:
        puppet.wait(known, SHARES_SECONDS)
    finally:
        streams.leave()


def _deed(body: dict[str, Any], view: View) -> Deed:
    name, what = text(body, "deed"), body.get("what", [])
    if name not in DEEDS:
        raise RefusedError("no_call", found=brief(name))
    if not isinstance(what, list) or len(what) > MOST_CARDS:
        raise RefusedError("bad_form", found=f"what={brief(what)}")
    cards = tuple(_spot({"what": one}, "what", view) for one in what)
    to = _spot(body, "to", view) if "to" in body else ""
    seat = seat_of(view, number(body, "seat") if "seat" in body else 0).seat
    up, on_top = body.get("up"), body.get("on_top", False)
    if up not in (None, True, False) or type(on_top) is not bool:
        raise RefusedError("bad_form", found=f"up={brief(up)}")
    return Deed(name, cards, to, seat, up, on_top)


def _spot(body: dict[str, Any], key: str, view: View) -> str:
    name = text(body, key)
    if not SPOT.fullmatch(name):
        raise RefusedError("no_such_place")
    kind, *numbers = name.split("-")
    if kind in ("slot", "hand"):
        seat_of(view, int(numbers[0]))
    return name


def refusal(kind: str, say: Translator) -> str:
    """Why the last deed was not done; nothing where it was."""
    return refusal_words(kind, say) if kind else ""


# ---- the table in words and pieces -----------------------------------------------------------------------------------


def seat_top(top: TableTop, seat: int, names: list[str], say: Translator) -> SeatTop:
    """One seat of the table, for the page."""
    hand = top.hands[seat]
    slots = tuple(_scene(spot, names, say, number) for number, spot in enumerate(top.seats[seat], 1))
    held = tuple(_held(card, hand, names, say) for card in hand.cards)
    return SeatTop(seat, seat_name(seat, names, say), seat in top.mine, slots, _scene(hand, names, say), held)


def row_scenes(top: TableTop, names: list[str], say: Translator) -> tuple[SpotScene, ...]:
    """The row as far as cards lie, and one place more."""
    last = max((number for number, spot in enumerate(top.row, 1) if spot.cards), default=0)
    shown = top.row[: max(FEWEST_ROW, last + 1)]
    return tuple(_scene(spot, names, say, number) for number, spot in enumerate(shown, 1))


def _scene(spot: Spot, names: list[str], say: Translator, number: int = 0) -> SpotScene:
    where = spot_words(spot.name, names, say)
    words = lying_words(where, [card.face for card in spot.cards], spot.count, spot.covered, say)
    pieces = tuple(_piece(card, say) for card in spot.cards)
    return SpotScene(spot.name, words, pieces, spot.count, spot.covered, number)


def _held(card: Lying, hand: Spot, names: list[str], say: Translator) -> SpotScene:
    words = lying_words(spot_words(hand.name, names, say), [card.face], 1, False, say)
    return SpotScene(f"held-{card.token}", words, (_piece(card, say),), 1, False)


def _piece(card: Lying, say: Translator) -> Piece:
    shown = None if card.face in (None, JOKER) else face(str(card.face), say)
    return Piece(card.token, shown, card.face == JOKER)
