"""The setup wizard: before the first game and before any other, one thought per screen.

Whoever decides at the table may open it, on as many screens as he likes; the game that is being played goes on meanwhile.
Everything stands in a draft on the server, so a page that is loaded again has lost nothing, and nothing is changed before
somebody begins the next game with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from threading import Lock
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from companion.choices import MOST_MATS, ChoiceError, Choices, Equipment, lacking
from companion.keyring import KeyringError
from companion.views import Role
from companion.web.answers import STATUS, settled
from companion.web.catalogues import LANGUAGES
from companion.web.door import RefusedError, body_of, brief, number, text
from companion.web.drafts import Draft, Drafts
from companion.web.gate import RULERS, Access, Preset, current_visitor, open_to, the_gate
from companion.web.languages import COOKIE, YEAR_S, speaker
from companion.web.outfit import Outfit
from companion.web.setup_scene import STEPS, Asked, bare, in_play, shown, steps
from companion.web.table import LiveTable
from companion.words.setup import setup_label, setup_refusal_words

Body = dict[str, Any]


class Setup:
    """The routes below ``/setup``."""

    def __init__(self, table: LiveTable, outfit: Outfit, access: Access, drafts: Drafts | None = None) -> None:
        self._table, self._outfit, self._access = table, outfit, access
        self._drafts = drafts if drafts is not None else Drafts()
        self._beginning = Lock()
        self._deeds: Mapping[str, Callable[[Draft, Body], Draft]] = {
            "language": self._language, "game": self._game, "preset": self._preset, "add": self._add, "remove": self._remove,
            "move": self._move, "rename": self._rename, "source": self._source, "place": self._place, "again": self._again,
            "press": self._press, "lamp": self._lamp, "look": self._look, "deck": self._deck, "rule": self._rule,
            "node": self._node,
        }  # fmt: skip

    def routes(self) -> Blueprint:
        pages = Blueprint("setup", __name__)
        pages.record_once(_offered)
        pages.before_app_request(self._first_of_all)
        pages.add_url_rule("/setup", view_func=self.open)
        pages.add_url_rule("/setup/<int:draft>/<step>", view_func=self.page)
        pages.add_url_rule("/setup/<int:draft>/<step>", view_func=self.deed, methods=["POST"], endpoint="deed")
        pages.add_url_rule("/setup/camera/<int:place>.png", view_func=self.preview)
        return pages

    def _first_of_all(self) -> AnyResponse | None:
        """A table that nobody has set up has nothing to show on its page but the wizard, to whoever may use it."""
        if request.path != "/" or not self._outfit.fresh() or not current_visitor().rules:
            return None
        return redirect("/setup")

    # ---- pages -------------------------------------------------------------------------------------------------------

    @open_to(RULERS)
    def open(self) -> AnyResponse:
        """Begin to choose, from how the table is now."""
        choices = self._outfit.present()
        if self._outfit.fresh():
            choices = replace(choices, language=speaker()[1])
        return redirect(f"/setup/{self._drafts.open(choices).number}/{STEPS[0]}")

    @open_to(RULERS)
    def page(self, draft: int, step: str) -> AnyResponse | str:
        """One step."""
        found = self._drafts.find(draft)
        if step not in STEPS:
            raise RefusedError("no_page", 404)
        if found is None:
            return redirect("/setup")
        say, language = speaker()
        return render_template(
            "setup.html", body=self._body(found, step), title=setup_label(step, say), language=language, say=say
        )  # fmt: skip

    def _body(self, draft: Draft, step: str, problem: ChoiceError | None = None, typed: str = "", asks: str = "") -> str:
        view, visitor = self._table.view(), current_visitor()
        asked = Asked(
            draft, self._kit(draft), step, view, self._outfit.fresh(), self._drafts.others(draft.number),
            self._drafts.overtaken(draft), self._access.preset is Preset.CLUB, visitor.role is Role.REFEREE, problem, typed, asks,
            roster=self._outfit.roster() if step == "seats" else (),
            cameras=self._cameras(draft) if step == "cameras" else (),
        )  # fmt: skip
        say, language = speaker()
        return render_template("setup_step.html", say=say, speaks=LANGUAGES, language=language, **shown(asked, say))

    def _cameras(self, draft: Draft) -> tuple[tuple[int, Any], ...]:
        choices = draft.choices
        mats = [place for place, chair in zip(choices.places, choices.chairs, strict=True) if chair.source == "mat"]
        return tuple((place, self._outfit.figures(place)) for place in mats) if self._bare() else ()

    def _bare(self) -> bool:
        return self._outfit.fresh() or bare(self._table.view())

    @open_to(RULERS)
    def preview(self, place: int) -> Response:
        """What a camera sees; refused to everybody while hidden cards of a game may lie there."""
        if not self._bare():
            raise RefusedError("cameras_busy", 409)
        picture = self._outfit.preview(place)
        # A game may have begun while the picture was made.
        if picture is None or not self._bare():
            raise RefusedError("no_page", 404)
        return Response(picture, mimetype="image/png")

    # ---- choosing ----------------------------------------------------------------------------------------------------

    @open_to(RULERS)
    def deed(self, draft: int, step: str) -> AnyResponse | tuple[Response, int]:
        """``{"do", ...}``: choose something; the answer is the step drawn anew, or where to ``go``."""
        body = body_of(request)
        name = text(body, "do")
        if step not in STEPS:
            raise RefusedError("no_page", 404)
        if name == "begin":
            return self._begin(draft, body)
        if self._drafts.find(draft) is None:
            raise RefusedError("setup_gone", 409)
        if name not in self._deeds:
            raise RefusedError("no_call", found=brief(name))
        try:
            changed = self._drafts.change(draft, lambda before: self._once(before, name, body))
        except ChoiceError as error:
            found = self._drafts.find(draft)
            if found is not None and error.kind == "no_chair" and "who" in body:
                # The page shows somebody who has gone meanwhile.
                message = setup_refusal_words(error.kind, speaker()[0])
                return jsonify(error=error.kind, message=message, html=self._body(found, step)), 409
            if found is None or not error.field:
                raise RefusedError(error.kind, 400, **error.values) from None
            return jsonify(html=self._body(found, step, error, text(body, "name"))), 409
        if changed is None:
            raise RefusedError("setup_gone", 409)
        return self._answer(changed, step, name)

    def _once(self, draft: Draft, name: str, body: Body) -> Draft:
        """Do what was chosen, unless it was done already and only the answer was lost: ``mark`` tells one choice from another."""
        mark = text(body, "mark") if "mark" in body else ""
        if mark and mark == draft.mark:
            return draft
        if "who" in body:
            who = text(body, "who")
            if name == "remove" and draft.seat_of(who) is None:
                return draft  # Two taps: the first one did it.
            body = {**body, "seat": _meant(draft, who, number(body, "seat"))}
        return replace(self._deeds[name](draft, body).cleared(), mark=mark or draft.mark)

    def _answer(self, draft: Draft, step: str, name: str) -> Response:
        there = steps(draft.choices, self._kit(draft))
        if name in ("language", "game"):
            answer = jsonify(go=f"/setup/{draft.number}/{there[there.index(name) + 1]}")
            answer.set_cookie(COOKIE, draft.choices.language, max_age=YEAR_S, samesite="Lax")
            return answer
        if name == "preset":
            missing = lacking(draft.choices, self._kit(draft))
            return jsonify(go=f"/setup/{draft.number}/{'ready' if missing is None else missing.field}")
        if name in ("deck", "rule") and step in ("deck", "hard"):
            after = there[there.index(step) + 1] if step in there else "ready"
            return jsonify(go=f"/setup/{draft.number}/{after}")
        return jsonify(html=self._body(draft, step))

    def _kit(self, draft: Draft) -> Equipment:
        """What the table has for the game that is chosen."""
        return self._outfit.equipment().playing(draft.choices.game)

    def _language(self, draft: Draft, body: Body) -> Draft:
        language = text(body, "language")
        if language not in LANGUAGES:
            raise ChoiceError("no_language")
        return replace(draft, choices=replace(draft.choices, language=language))

    def _game(self, draft: Draft, body: Body) -> Draft:
        return replace(draft, choices=draft.choices.playing(text(body, "game"), self._outfit.equipment()))

    def _preset(self, draft: Draft, body: Body) -> Draft:
        return replace(draft, choices=draft.choices.like(text(body, "preset")))

    def _add(self, draft: Draft, body: Body) -> Draft:
        return replace(draft, choices=draft.choices.seated(text(body, "name"), self._kit(draft)))

    def _remove(self, draft: Draft, body: Body) -> Draft:
        return replace(draft, choices=draft.choices.unseated(number(body, "seat")))

    def _move(self, draft: Draft, body: Body) -> Draft:
        return replace(draft, choices=draft.choices.moved(number(body, "seat"), -1 if body.get("up") is True else 1))

    def _rename(self, draft: Draft, body: Body) -> Draft:
        return draft.renamed(number(body, "seat"), text(body, "name"))

    def _source(self, draft: Draft, body: Body) -> Draft:
        return replace(draft, choices=draft.choices.sourced(number(body, "seat"), text(body, "source"), self._kit(draft)))

    def _deck(self, draft: Draft, body: Body) -> Draft:
        deck = text(body, "deck")
        if deck and deck not in self._outfit.equipment().decks:
            raise ChoiceError("no_deck", found=brief(deck))
        return replace(draft, choices=replace(draft.choices, deck=deck))

    def _rule(self, draft: Draft, body: Body) -> Draft:
        return replace(draft, choices=draft.choices.ruled(text(body, "rule"), body.get("value"), self._kit(draft)))

    # ---- lamps and buttons -------------------------------------------------------------------------------------------

    def _lent(self) -> bool:
        """Whether lamps and buttons are not the game's."""
        return self._outfit.fresh() or not in_play(self._table.view())

    def _again(self, draft: Draft, body: Body) -> Draft:
        return replace(draft, choices=draft.choices.displaced(), heard=None)

    def _place(self, draft: Draft, body: Body) -> Draft:
        kit = self._outfit.equipment()
        return replace(draft, choices=draft.choices.placed(number(body, "seat"), number(body, "place"), kit))

    def _press(self, draft: Draft, body: Body) -> Draft:
        """The page's button of a place, where that is only pretended."""
        kit, place = self._outfit.equipment(), number(body, "place")
        if not kit.presses or not 0 <= place < kit.places:
            raise ChoiceError("no_spot")
        if self._lent():
            self._outfit.press(place)
        return self._look(draft, body)

    def _look(self, draft: Draft, body: Body) -> Draft:
        """The page shows the step still: keep its lamps alight, and take what was pressed."""
        kit = self._outfit.equipment()
        if body.get("of") == "nodes" or not kit.places or not self._lent():
            return draft
        if body.get("of") == "lamps":
            if draft.lamp is not None and draft.lamp < kit.places:
                self._outfit.light((draft.lamp,), ())
            return draft
        heard, pressed = self._outfit.presses(draft.heard)
        choices = draft.choices
        for place in pressed if draft.heard is not None else ():
            choices = _sat_at(choices, place, kit)
        taken = {chair.place for chair in choices.chairs}
        open_ = None in taken
        self._outfit.light(
            [place for place in range(kit.places) if place in taken],
            [place for place in range(kit.places) if place not in taken] if open_ else (),
        )
        return replace(draft, choices=choices, heard=heard)

    def _lamp(self, draft: Draft, body: Body) -> Draft:
        """``lit`` says whether the ``lamp`` that is tried burns; without it the test begins anew."""
        kit, lit = self._outfit.equipment(), body.get("lit")
        if isinstance(lit, bool) and body.get("lamp", draft.lamp) != draft.lamp:
            return self._look(draft, {"of": "lamps"})  # Said of one that is not tried any more; the next one nobody has seen.
        if draft.lamp is None or draft.lamp >= kit.places or not isinstance(lit, bool):
            draft = replace(draft, lamp=0, dark=())
        else:
            draft = replace(draft, lamp=draft.lamp + 1, dark=draft.dark if lit else (*draft.dark, draft.lamp))
        return self._look(draft, {"of": "lamps"})

    def _node(self, draft: Draft, body: Body) -> Draft:
        """A mat on the network lies at a place, at once: it is no matter of the next game."""
        kit, node = self._outfit.equipment(), text(body, "node")
        place = None if body.get("place") is None else number(body, "place")
        if node not in [one.name for one in kit.nodes or ()]:
            raise ChoiceError("no_node", found=brief(node))
        if place is not None and not 0 <= place < MOST_MATS:
            raise ChoiceError("no_spot")
        if not self._lent():
            raise ChoiceError("nodes_busy")
        if not self._outfit.lay(node, place):
            raise ChoiceError("not_saved")
        return draft

    # ---- beginning ---------------------------------------------------------------------------------------------------

    def _begin(self, number: int, body: Body) -> AnyResponse | tuple[Response, int]:
        # One at a time: of two screens that begin at once, the later one is asked as if it had come later.
        with self._beginning:
            return self._begin_alone(number, body)

    def _begin_alone(self, number: int, body: Body) -> AnyResponse | tuple[Response, int]:
        draft = self._drafts.find(number)
        if draft is None and self._drafts.just_begun(number):
            return jsonify(go="/")
        if draft is None:
            raise RefusedError("setup_gone", 409)
        missing = lacking(draft.choices, self._kit(draft))
        if missing is not None:
            raise RefusedError(missing.kind, 409, **missing.values)
        if self._drafts.overtaken(draft) and body.get("anyway") is not True:
            return jsonify(html=self._body(draft, "ready", asks="setup_overtaken")), 409
        if in_play(self._table.view()) and not self._outfit.fresh() and body.get("give_up") is not True:
            return jsonify(html=self._body(draft, "ready", asks="game_runs")), 409
        becomes = draft.choices.preset == "club" and current_visitor().role is not Role.REFEREE
        # Whoever makes the table a club's would watch from then on: somebody has to be its referee, before it is one.
        secret = self._referee() if becomes else None
        receipt = self._outfit.begin(draft.choices)
        if settled(receipt) and receipt.refusal:
            if secret is not None:
                self._access.keyring.sign_off(secret)
            raise RefusedError(receipt.refusal, STATUS.get(receipt.refusal, 409))
        self._drafts.done(number)
        answer = jsonify(go="/")
        if secret is None:
            return answer
        gate = the_gate()
        before = gate.secret()
        if before is not None:
            # What the screen was before ends; where that cannot be kept it only is a referee as well.
            with suppress(KeyringError):
                self._access.keyring.sign_off(before)
        return gate.hand_over(answer, secret)

    def _referee(self) -> str:
        """The secret of a new referee."""
        try:
            return self._access.keyring.admit(Role.REFEREE)[0]
        except KeyringError as error:
            raise RefusedError("not_kept", 507) from error


def _meant(draft: Draft, who: str, seat: int) -> int:
    """The seat of whoever is meant: the order may have changed since the page was drawn."""
    if draft.choices.names[seat : seat + 1] == (who,):
        return seat
    found = draft.seat_of(who)
    if found is None:
        raise ChoiceError("no_chair")
    return found


def _sat_at(choices: Choices, place: int, kit: Equipment) -> Choices:
    """A press says that the first one without a place sits at this one, unless somebody else does."""
    seat = next((number for number, chair in enumerate(choices.chairs) if chair.place is None), None)
    if seat is None or any(chair.place == place for chair in choices.chairs):
        return choices
    return choices.placed(seat, place, kit)


def _offered(state: BlueprintSetupState) -> None:
    """Other pages lead to it where it is there."""
    state.app.jinja_env.globals.update(setup_label=setup_label, has_setup=True)
