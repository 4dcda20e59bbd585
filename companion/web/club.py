"""The club's page: all tables on one broker, the referee's bell, house rules, round and results.

Whoever opens it needs the key that the program prints; it comes once in the address and is kept in a cookie from then on.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from flask import Flask, Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.choices import ASKED, Value
from companion.floor import Floor, FloorTable, floor_json, results_csv
from companion.web.app import set_headers
from companion.web.languages import set_up_languages, speaker
from companion.web.live import Streams
from companion.words.club import club_label
from companion.words.rulebook import game_label
from companion.words.setup import rule_label, rule_words
from companion.words.translator import Translator

COOKIE = "viewmat-club"
LONGEST_ROUND = 24 * 60


class Club(Protocol):
    """The evening.  Safe from any thread."""

    def floor(self) -> Floor: ...

    def begin_round(self, minutes: int) -> None: ...

    def push_rules(self, game: str, rules: Mapping[str, Value]) -> None: ...

    def rules(self) -> Mapping[str, Mapping[str, Value]]: ...


def create_club_app(club: Club, key: str, wall: Callable[[], float]) -> Flask:
    """`wall` is the clock on the wall, in seconds."""
    app = Flask(__name__)
    set_up_languages(app)
    set_headers(app)
    app.extensions["viewmat_streams"] = Streams(0)

    @app.before_request
    def guard() -> AnyResponse | None:
        if request.endpoint == "static":
            return None
        given = request.args.get("key", "")
        if given and hmac.compare_digest(given.encode(), key.encode()):
            answer = redirect("/")
            answer.set_cookie(COOKIE, key, httponly=True, samesite="Strict")
            return answer
        if not hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), key.encode()):
            abort(403)
        return None

    @app.get("/")
    def page() -> str:
        say, language = speaker()
        return render_template("club.html", say=say, language=language, label=club_label, **_shown(club, wall(), say))

    @app.get("/tables")
    def tables() -> str:
        say, _ = speaker()
        return render_template("club_tables.html", say=say, label=club_label, **_shown(club, wall(), say))

    @app.post("/round")
    def begin_round() -> AnyResponse:
        club.begin_round(_minutes(request.form.get("minutes", "")))
        return redirect("/", 303)

    @app.post("/rules")
    def push() -> AnyResponse:
        game = request.form.get("game", "")
        if game not in ASKED:
            abort(400)
        club.push_rules(game, _rules(game, request.form))
        return redirect("/?sent=1", 303)

    @app.get("/results.csv")
    def as_csv() -> Response:
        return _file(results_csv(club.floor()), "text/csv; charset=utf-8", "results.csv")

    @app.get("/results.json")
    def as_json() -> Response:
        return _file(floor_json(club.floor()), "application/json", "results.json")

    return app


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _minutes(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:5]) <= LONGEST_ROUND:
        abort(400)
    return int(text)


def _rules(game: str, form: Mapping[str, str]) -> dict[str, Value]:
    """What was chosen, by the numbers of the values that each rule takes."""
    found: dict[str, Value] = {}
    for name, values in ASKED[game].items():
        chosen = form.get(name, "")
        if not chosen.isascii() or not chosen.isdigit() or int(chosen[:3]) >= len(values):
            abort(400)
        found[name] = values[int(chosen)]
    return found


def _shown(club: Club, now: float, say: Translator) -> dict[str, Any]:
    floor = club.floor()
    left = None if floor.ends is None else max(0, -int(-(floor.ends - now) // 60))
    return {
        "floor": floor, "left": left, "tables": [_table(one, say) for one in floor.tables.values()],
        "rules": [_asked(game, club.rules().get(game, {}), say) for game in ASKED], "sent": "sent" in request.args,
    }  # fmt: skip


def _table(table: FloorTable, say: Translator) -> dict[str, Any]:
    sources = {seat.source for seat in table.seats} - {"bot"}
    kind = "mixed" if len(sources) > 1 else "mats" if sources == {"mat"} else "taps"
    if table.over or table.phase == "over":
        state = club_label("over", say)
    elif table.phase == "setup":
        state = club_label("setup", say)
    elif table.current is None:
        state = club_label("turn", say, number=table.turn + 1)
    else:
        state = club_label("at_turn", say, number=table.turn + 1, who=table.seats[table.current].name)
    asks = table.asks if table.asks in ("stopped", "violation", "question", "proposal") else ""
    needs = club_label("needs", say, table=table.name, number=table.turn + 1, what=club_label(asks, say)) if asks else ""
    game = game_label(table.game, say) if table.game in ASKED else table.game
    return {"name": table.name, "here": table.here, "game": game, "kind": club_label(kind, say), "state": state, "needs": needs,
            "seats": [seat.name for seat in table.seats]}  # fmt: skip


def _asked(game: str, chosen: Mapping[str, Value], say: Translator) -> dict[str, Any]:
    rules = [
        (name, rule_label(name, say), [
            (number, rule_words(name, value, say), chosen.get(name, values[0]) == value) for number, value in enumerate(values)
        ])
        for name, values in ASKED[game].items()
    ]  # fmt: skip
    return {"game": game, "name": game_label(game, say), "rules": rules}
