"""History: games that are over, statistics of players, files to take along; and for who decides: deleting, backup, restore."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import IO, Any, Protocol

from flask import Blueprint, Response, jsonify, render_template, request
from flask.blueprints import BlueprintSetupState
from flask_babel import format_date, format_time

from companion.announcements import Translator, card_words, category_words, hand_words
from companion.cards import Card
from companion.errors import CompanionError
from companion.export import game_to_json, game_to_phh, history_to_csv, history_to_json
from companion.games import find_game
from companion.played import Deletion, PlayedGame, Shelf
from companion.purses import gained, purses_of
from companion.retelling import Retelling
from companion.tallies import Tally, beaten, tally
from companion.views import Role
from companion.web.door import RefusedError, body_of, text
from companion.web.gate import EVERYBODY, PLAYERS, RULERS, Preset, current_visitor, open_to, the_gate
from companion.web.languages import speaker
from companion.web.plots import HEIGHT, LEFT, WIDTH, by_evening, won_over_time
from companion.web.story import story_page, story_picture
from companion.words import history as words
from companion.words.access import roles_words

PIECE = 48 * 1024
"""Bytes of a backup that come in at once; the server takes no longer request."""


@dataclass(frozen=True, slots=True)
class RestoreView:
    """What a restore would do, or has done."""

    done: bool
    made: str
    games: int
    new: int
    same: int
    differs: tuple[str, ...]
    kept: tuple[str, ...]
    other_key: bool
    left_out: tuple[str, ...]


class Archive(Protocol):
    """The games that were recorded; every method may be called from any thread."""

    def shelf(self) -> Shelf: ...

    def retelling(self, game: str, /) -> Retelling | None:
        """The story of a game that has a result; None for any other."""
        ...

    def deletion(self, name: str, /) -> Deletion: ...

    def forget(self, name: str, mark: str, keep: bool, /) -> int:
        """Delete what `deletion` has listed under this mark; raise an error of the companion's tree where that cannot be."""
        ...


class Exchange(Protocol):
    """Backups that go out and come in; every method may be called from any thread and raise an error of the companion's tree."""

    def backup(self) -> IO[bytes]: ...

    def piece(self, at: int, data: bytes, /) -> None: ...

    def restore(self, write: bool, keep: bool, /) -> RestoreView: ...


def history_pages(archive: Archive, exchange: Exchange) -> Blueprint:
    """``/history`` and what lies below it."""
    return History(archive, exchange).routes()


class History:
    """The routes."""

    def __init__(self, archive: Archive, exchange: Exchange) -> None:
        self._archive, self._exchange = archive, exchange

    def routes(self) -> Blueprint:
        pages = Blueprint("history", __name__)
        pages.record_once(_offered)
        for rule, view in (
            ("/history", self.all_games), ("/history.json", self.as_json), ("/history.csv", self.as_csv),
            ("/history/<game>", self.one_game), ("/history/<game>.phh", self.as_phh), ("/history/<game>.json", self.game_json),
            ("/history/<game>/story", self.story), ("/history/<game>/table.svg", self.picture),
            ("/history/player/<path:name>", self.player), ("/history/backup.zip", self.backup),
        ):  # fmt: skip
            pages.add_url_rule(rule, view_func=view)
        for rule, deed in (
            ("/history/delete", self.delete), ("/history/restore/piece", self.piece), ("/history/restore", self.restore),
        ):  # fmt: skip
            pages.add_url_rule(rule, view_func=deed, methods=["POST"])
        return pages

    # ---- looking ----------------------------------------------------------------------------------------------------

    def _shelf(self) -> Shelf:
        """Everything, for whoever may look: in a club not for somebody who only passes by."""
        visitor, gate = current_visitor(), the_gate()
        if gate.access.preset is Preset.CLUB and visitor.role is Role.SPECTATOR:
            raise RefusedError("not_yours", 403, who=roles_words(gate.deciders(PLAYERS), speaker()[0]))
        return self._archive.shelf()

    def _game(self, game: str) -> PlayedGame:
        found = next((one for one in self._shelf().games if one.game == game), None)
        if found is None:
            raise RefusedError("no_page", 404)
        return found

    @open_to(EVERYBODY)
    def all_games(self) -> str:
        shelf = self._shelf()
        tallies = tally(shelf.games)
        return _page("history.html", shelf=shelf, tallies=tallies, plot=won_over_time(tallies), evenings=_evenings(shelf))

    @open_to(EVERYBODY)
    def one_game(self, game: str) -> str:
        found = self._game(game)
        return _page(
            "history_game.html", game=found, unusual=_unusual(found), purses=purses_of(found), gains=gained(found),
            told=find_game(found.rules).told,
        )  # fmt: skip

    @open_to(EVERYBODY)
    def player(self, name: str) -> str:
        shelf = self._shelf()
        found = next((one for one in tally(shelf.games) if one.name == name), None)
        plan = self._archive.deletion(name) if current_visitor().rules else None
        if found is None and (plan is None or not plan.games):
            raise RefusedError("no_page", 404)
        games = [game for game in shelf.games if name in game.names]
        return _page(
            "history_player.html", name=name, one=found, games=games, plan=plan,
            plot=None if found is None else by_evening(found.evenings),
        )  # fmt: skip

    @open_to(EVERYBODY)
    def story(self, game: str) -> str:
        return story_page(self._retelling(game), f"/history/{game}/table.svg", f"/history/{game}", "to_game")

    @open_to(EVERYBODY)
    def picture(self, game: str) -> Response:
        return story_picture(self._retelling(game))

    def _retelling(self, game: str) -> Retelling:
        found = self._archive.retelling(self._game(game).game)
        if found is None:
            raise RefusedError("no_page", 404)
        return found

    # ---- files ------------------------------------------------------------------------------------------------------

    @open_to(EVERYBODY)
    def as_json(self) -> Response:
        games = self._shelf().games
        return _file(json.dumps(history_to_json(games, tally(games)), indent=1), "application/json", "history.json")

    @open_to(EVERYBODY)
    def as_csv(self) -> Response:
        return _file(history_to_csv(self._shelf().games), "text/csv", "history.csv")

    @open_to(EVERYBODY)
    def as_phh(self, game: str) -> Response:
        return _file(game_to_phh(self._game(game)), "application/toml", f"{self._game(game).game}.phh")

    @open_to(EVERYBODY)
    def game_json(self, game: str) -> Response:
        found = self._game(game)
        return _file(json.dumps(game_to_json(found), indent=1), "application/json", f"{found.game}.json")

    # ---- deciding ---------------------------------------------------------------------------------------------------

    @open_to(RULERS)
    def delete(self) -> Response:
        """``{"name", "mark", "keep"}``: delete what the player's page has listed under this mark."""
        body = body_of(request)
        name, shown, keep = text(body, "name"), text(body, "mark"), _flag(body, "keep")
        count = _done(lambda: self._archive.forget(name, shown, keep))
        return jsonify(ok=True, message=words.deleted_words(count, speaker()[0]))

    @open_to(RULERS)
    def backup(self) -> Response:
        file = _done(self._exchange.backup)
        size = file.seek(0, 2)
        file.seek(0)
        pieces = iter(lambda: file.read(PIECE), b"")
        answer = Response(pieces, mimetype="application/zip")
        answer.headers["Content-Disposition"] = f'attachment; filename="viewmat-{datetime.now():%Y-%m-%d}.zip"'
        answer.headers["Content-Length"] = str(size)
        answer.call_on_close(file.close)
        return answer

    @open_to(RULERS)
    def piece(self) -> Response:
        """A piece of a backup, as it is; ``?at=`` says at which byte it begins."""
        at, size = request.args.get("at", ""), request.content_length or 0
        if not (at.isascii() and at.isdigit() and len(at) < 14) or request.mimetype != "application/octet-stream" or not size:
            raise RefusedError("bad_form", found="at")
        if size > PIECE:
            raise RefusedError("too_big", 413)
        # Read past Flask, which holds every body to the length of a tap.
        data = request.environ["wsgi.input"].read(size)
        if len(data) != size:
            raise RefusedError("bad_request")
        _done(lambda: self._exchange.piece(int(at), data))
        return jsonify(ok=True)

    @open_to(RULERS)
    def restore(self) -> Response:
        """``{"write", "keep"}``: look at the backup that has come in, or put it in its place."""
        body = body_of(request)
        write, keep = _flag(body, "write"), _flag(body, "keep")
        found = _done(lambda: self._exchange.restore(write, keep))
        told = words.restore_words(
            found.done, found.games, found.new, found.same, found.differs, found.kept, found.other_key, found.left_out,
            speaker()[0],
        )  # fmt: skip
        return jsonify(ok=True, done=found.done, differs=len(found.differs), new=found.new, lines=told)


def _done(deed: Callable[[], Any]) -> Any:
    try:
        return deed()
    except CompanionError as error:
        raise RefusedError("refused", 409, found=str(error)) from error


def _flag(body: dict[str, Any], name: str) -> bool:
    value = body.get(name)
    if not isinstance(value, bool):
        raise RefusedError("bad_form", found=name)
    return value


def _file(data: str, kind: str, name: str) -> Response:
    answer = Response(data, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _offered(state: BlueprintSetupState) -> None:
    """Let the table's page know that there is a history."""
    state.app.jinja_env.globals["history_label"] = words.history_label


# ---- pages --------------------------------------------------------------------------------------------------------


def _page(template: str, **values: Any) -> str:
    say, language = speaker()
    return render_template(
        template, language=language, say=say, words=words, label=lambda name, **found: words.history_label(name, say, **found),
        rules=current_visitor().rules, day=_day, clock=_clock, face=lambda card: _face(card, say),
        hand=lambda seat: hand_words(seat.hand, seat.category, say), category=lambda name: category_words(name, say),
        best=lambda one: _best(one, say), width=WIDTH, height=HEIGHT, left=LEFT, beaten=beaten, **values,
    )  # fmt: skip


def _face(card: Card, say: Translator) -> dict[str, str]:
    rank = card.rank.letter.replace("T", "10")
    return {"rank": rank, "suit": card.suit.letter, "words": card_words(card, say)}


def _best(one: Tally, say: Translator) -> str:
    """The best hand in words; its kind is the highest that was held."""
    return hand_words(one.best, one.categories[-1][0], say) if one.best else ""


def _day(day: str, kind: str = "full") -> str:
    """A day as the language writes it; nothing for games without a date."""
    return format_date(date.fromisoformat(day), kind) if day else words.history_label("no_date", speaker()[0])


def _clock(began: str) -> str:
    """The time of day at this machine."""
    return format_time(datetime.fromisoformat(began).astimezone(), "short", rebase=False) if began else ""


def _evenings(shelf: Shelf) -> list[tuple[str, list[PlayedGame]]]:
    """The games by evening, the newest first; those without a date at the end."""
    found: dict[str, list[PlayedGame]] = {}
    for game in shelf.games:
        found.setdefault(game.evening(), []).append(game)
    return sorted(found.items(), reverse=True)


def _unusual(game: PlayedGame) -> list[tuple[str, str]]:
    """The house rules that differ from the usual ones, by their names in the settings file."""
    try:
        rules = find_game(game.rules)
        usual = asdict(rules.options({}))
    except CompanionError:
        return []
    found = [(name, value) for name, value in game.options if name not in rules.session and usual.get(name) != value]
    return [(name, "–" if value is None else str(value).lower()) for name, value in found]
