"""The rules at hand: the page of the rules that are played by, and what other pages need to link to a paragraph."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.announcements import rule_anchor, rulebook_label, rulebook_words
from companion.web.gate import EVERYBODY, current_visitor, open_to
from companion.web.languages import speaker
from companion.web.table import LiveTable


def rules_page(table: LiveTable) -> Blueprint:
    """The page ``/rules``.  It is made of the options and the seats' names alone, and is the same at any time of a game.

    Templates of every page get `rule_anchor` and `rulebook_label` for links such as ``/rules#steal-1-5``.
    """
    pages = Blueprint("rules", __name__)

    @open_to(EVERYBODY)
    def page() -> str:
        say, language = speaker()
        names = [seat.name for seat in table.view().seats]
        plays = current_visitor().rules
        book = rulebook_words(table.rulebook, names, say)
        return render_template("rules.html", book=book, say=say, language=language, plays=plays)

    pages.add_url_rule("/rules", view_func=page, endpoint="page")
    pages.add_app_template_global(rule_anchor)
    pages.add_app_template_global(rulebook_label)
    return pages
