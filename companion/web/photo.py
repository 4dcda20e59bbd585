"""The page on which photographs of hands are scored: pictures come in, cards are put right, and somebody has won.

What is shown depends on the sender's own pictures alone.  Only when the game at the table is being revealed the page offers to
enter the cards there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from flask.blueprints import BlueprintSetupState

from companion.announcements import refusal_words, suit_words
from companion.cards import Card, Suit
from companion.errors import CardTextError, SheetError
from companion.photosheet import Sheet
from companion.scoring import RANKINGS
from companion.web.door import RefusedError, body_of, brief, number, text
from companion.web.faults import answer
from companion.web.gate import EVERYBODY, PLAYERS, check_seat, current_visitor, open_to
from companion.web.languages import speaker
from companion.web.photo_reveal import enter, wanting
from companion.web.photo_scene import WAYS, photo_scene, spots_told
from companion.web.table import LiveTable
from companion.web.uploads import EXTENSION, Uploads, uploaded
from companion.words.photo import photo_label

LARGEST_PICTURE = 24_000_000
"""Bytes.  A telephone's largest have about 20 million."""
AT_ONCE = 6
UPLOADS = Uploads("/photo/pictures", LARGEST_PICTURE, AT_ONCE)
COOKIE_S = 3600
PARTS = ("status", "progress", "result", "hands", "pictures", "reveal")
"""Ids of the elements that the page fills; each has a macro of its name in ``photoparts.html``."""


class Desk(Protocol):
    """Where sheets are kept while people work on them; every method may be called from any thread.

    Methods raise `SheetError` for a sheet that is not kept any more, and where something cannot be done.
    """

    def begin(self) -> str:
        """The key of a new, empty sheet."""
        ...

    def sheet(self, key: str, /) -> Sheet | None: ...

    def ahead(self, key: str, /) -> int:
        """How many pictures of others are read before the next one of this sheet."""
        ...

    def add(self, key: str, data: bytes, /) -> Sheet:
        """One more picture file, to be read in its turn."""
        ...

    def amend(self, key: str, change: Callable[[Sheet], Sheet], /) -> Sheet: ...

    def sort(self, key: str, way: str, /) -> Sheet:
        """Sort the cards into hands anew."""
        ...

    def picture(self, key: str, number: int, /) -> bytes | None:
        """A picture as JPEG."""
        ...

    def forget(self, key: str, /) -> None: ...


@dataclass(frozen=True, slots=True)
class PhotoPage:
    """The page of one desk.  `table`: the game that the pictures may be the reveal of, where there is one."""

    desk: Desk
    table: LiveTable | None = None
    tie_break: Callable[[], str] = lambda: "suit_significant"
    """How equal hands are told apart at that table."""
    ranking: Callable[[], str] = lambda: RANKINGS[0]
    """How hands are compared there."""

    def routes(self) -> Blueprint:
        """The page ``/photo`` and what it sends."""
        pages = Blueprint("photo", __name__)
        pages.add_url_rule("/photo", view_func=self.page, endpoint="page")
        pages.add_url_rule("/photo/state.json", view_func=self.state, endpoint="state")
        pages.add_url_rule(UPLOADS.path, view_func=self.take, endpoint="take", methods=["POST"])
        pages.add_url_rule("/photo/picture/<int:number>.jpg", view_func=self.picture, endpoint="picture")
        pages.add_url_rule("/photo/again", view_func=self.again, endpoint="again", methods=["POST"])
        pages.add_url_rule("/photo/reveal", view_func=self.reveal, endpoint="reveal", methods=["POST"])
        deeds: Mapping[str, Callable[[dict[str, Any]], Callable[[Sheet], Sheet]]] = {
            "card": _named, "gone": _without, "add": _with_card, "move": _moved,
        }  # fmt: skip
        for name, deed in deeds.items():
            pages.add_url_rule(f"/photo/{name}", view_func=self._deed(deed), endpoint=name, methods=["POST"])
        pages.add_url_rule("/photo/sort", view_func=self.sort, endpoint="sort", methods=["POST"])
        pages.register_error_handler(SheetError, lambda error: answer(RefusedError(error.kind, 409)))
        pages.record(_let_through)
        return pages

    @open_to(EVERYBODY)
    def page(self) -> str:
        say, language = speaker()
        return render_template(
            "photo.html", say=say, language=language, label=photo_label, told=self._told(), has_table=self.table is not None,
            suit_names={suit.letter: suit_words(suit, say) for suit in Suit}, largest=LARGEST_PICTURE,
            too_big=refusal_words("photo_big", say, most=LARGEST_PICTURE // 1_000_000),
        )  # fmt: skip

    @open_to(EVERYBODY)
    def state(self) -> Response:
        return jsonify(self._told())

    @open_to(EVERYBODY)
    def take(self) -> Response:
        """The body is a picture file as it is; it is read in its turn."""
        data = uploaded(request, LARGEST_PICTURE)
        key = self._key()
        fresh = key is None or self.desk.sheet(key) is None
        if key is None or fresh:
            key = self.desk.begin()
        sheet = self.desk.add(key, data)
        response = jsonify(ok=True, state=self._told(key, sheet))
        response.status_code = 202
        if fresh:
            response.set_cookie(
                _cookie(), key, max_age=COOKIE_S, path="/photo", httponly=True, samesite="Strict", secure=request.is_secure
            )
        return response

    @open_to(EVERYBODY)
    def picture(self, number: int) -> Response:
        key = self._key()
        jpeg = None if key is None else self.desk.picture(key, number)
        if jpeg is None:
            raise RefusedError("no_page", 404)
        return Response(jpeg, mimetype="image/jpeg")

    @open_to(EVERYBODY)
    def again(self) -> Response:
        """Delete the sheet with its pictures."""
        body_of(request)
        key = self._key()
        if key is not None:
            self.desk.forget(key)
        response = jsonify(ok=True, state=self._told(None, Sheet()))
        response.delete_cookie(_cookie(), path="/photo", httponly=True, samesite="Strict", secure=request.is_secure)
        return response

    @open_to(EVERYBODY)
    def sort(self) -> Response:
        """``{"way"}``: what is a hand; or ``{"ranking"}``: how hands are compared."""
        body = body_of(request)
        if "ranking" in body:
            return self._rank(text(body, "ranking"))
        way = text(body, "way")
        if way not in WAYS:
            raise RefusedError("bad_form", found=f"way={brief(way)}")
        key = self._own_key()
        return jsonify(ok=True, state=self._told(key, self.desk.sort(key, way)))

    def _rank(self, ranking: str) -> Response:
        if ranking not in RANKINGS:
            raise RefusedError("bad_form", found=f"ranking={brief(ranking)}")
        key = self._own_key()
        return jsonify(ok=True, state=self._told(key, self.desk.amend(key, lambda sheet: replace(sheet, ranking=ranking))))

    @open_to(PLAYERS)
    def reveal(self) -> Response:
        """``{"seats": [seat or null for each hand]}``: enter the hands for these seats, as by taps."""
        given = body_of(request).get("seats")
        key = self._own_key()
        sheet = self.desk.amend(key, lambda sheet: sheet)
        visitor, table = current_visitor(), self.table
        if table is None:
            raise RefusedError("photo_not_now", 409)
        pairs = _pairs(given, sheet, [seat.seat for seat in wanting(table.view(), visitor)])
        entered = enter(table, visitor, [(seat, sheet.cards(hand)) for hand, seat in pairs])
        say, _ = speaker()
        lines = [line for each in entered for line in each.told(table.view(), say)]
        return jsonify(ok=True, lines=lines, state=self._told(key, sheet))

    def _deed(self, deed: Callable[[dict[str, Any]], Callable[[Sheet], Sheet]]) -> Callable[[], Response]:
        def view() -> Response:
            change = deed(body_of(request))
            key = self._own_key()
            return jsonify(ok=True, state=self._told(key, self.desk.amend(key, change)))

        return open_to(EVERYBODY)(view)

    # ---- what is told -------------------------------------------------------------------------------------------

    def _told(self, key: str | None = None, sheet: Sheet | None = None) -> dict[str, Any]:
        """What the page shows of the sender's sheet."""
        say, _ = speaker()
        key = self._key() if key is None and sheet is None else key
        sheet = (None if key is None else self.desk.sheet(key)) if sheet is None else sheet
        visitor, view = current_visitor(), None if self.table is None else self.table.view()
        ahead = 0 if key is None else self.desk.ahead(key)
        scene = photo_scene(sheet or Sheet(), ahead, view, visitor, self.tie_break(), say, self.ranking())
        macros = current_app.jinja_env.get_template("photoparts.html").make_module({"say": say, "label": photo_label})
        parts = {name: str(getattr(macros, name)(scene)).strip() for name in PARTS}
        return {"waiting": scene.waiting, "parts": parts, "spots": spots_told(scene.sheet, say)}

    def _key(self) -> str | None:
        return request.cookies.get(_cookie())

    def _own_key(self) -> str:
        key = self._key()
        if key is None:
            raise RefusedError("photo_gone", 409)
        return key


def _cookie() -> str:
    """Cookies know no ports, and one machine may hold two tables."""
    port = request.host.rpartition(":")[2]
    return f"photo-{port}" if port.isdigit() else "photo"


def _let_through(state: BlueprintSetupState) -> None:
    state.app.extensions[EXTENSION] = UPLOADS


# ---- what is posted ------------------------------------------------------------------------------------------------


def _named(body: dict[str, Any]) -> Callable[[Sheet], Sheet]:
    """``{"spot", "card"}``: it is this card."""
    spot, card = number(body, "spot"), _card(body)
    return lambda sheet: sheet.named(spot, card)


def _without(body: dict[str, Any]) -> Callable[[Sheet], Sheet]:
    """``{"spot"}``: no card lies there."""
    spot = number(body, "spot")
    return lambda sheet: sheet.without(spot)


def _with_card(body: dict[str, Any]) -> Callable[[Sheet], Sheet]:
    """``{"hand", "card"}``: the hand has this card, too."""
    hand, card = number(body, "hand"), _card(body)
    return lambda sheet: sheet.with_card(hand, card)


def _moved(body: dict[str, Any]) -> Callable[[Sheet], Sheet]:
    """``{"spot", "hand"}``: this card belongs there."""
    spot, hand = number(body, "spot"), number(body, "hand")
    return lambda sheet: sheet.moved(spot, hand)


def _card(body: dict[str, Any]) -> Card:
    written = text(body, "card")
    try:
        return Card.parse(written)
    except CardTextError:
        raise RefusedError("no_card", found=brief(written)) from None


def _pairs(given: Any, sheet: Sheet, seats: Sequence[int]) -> list[tuple[int, int]]:
    """Hands with the seats that they were given to; every seat has to want cards, and to be the sender's."""
    if not isinstance(given, list) or len(given) != len(sheet.hands):
        raise RefusedError("bad_form", found=f"seats={brief(given)}")
    if not seats:
        raise RefusedError("photo_not_now", 409)
    pairs = [(hand, seat) for hand, seat in enumerate(given) if seat is not None]
    for _, seat in pairs:
        if type(seat) is not int:
            raise RefusedError("bad_form", found=f"seats={brief(given)}")
        check_seat(seat)
        if seat not in seats:
            raise RefusedError("no_place", 409)
    if len({seat for _, seat in pairs}) < len(pairs):
        raise RefusedError("photo_twice", 409)
    return pairs
