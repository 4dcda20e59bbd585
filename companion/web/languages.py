"""The language of a request: what was chosen in this browser, or the first of the browser's own that there is, or the table's."""

from __future__ import annotations

import re

from flask import Flask, request
from flask_babel import Babel, get_locale
from markupsafe import Markup, escape

from companion.announcements import Translator, label
from companion.web.catalogues import LANGUAGES, translator

COOKIE = "viewmat-language"
"""Set by ``languages.js`` and by the setup wizard; no secret."""
YEAR_S = 365 * 24 * 3600
_USUAL = "viewmat_usual_language"


def set_up_languages(app: Flask, usual: str = "en") -> None:
    """Let every request speak its browser's language, and `usual` where the browser asks for none of ours.

    Raises `ValueError` for a usual language that there is no catalogue for.
    """
    if usual not in LANGUAGES:
        raise ValueError(f"there is no catalogue for the language {usual!r}; there are: {', '.join(LANGUAGES)}")
    app.extensions[_USUAL] = usual
    app.jinja_env.filters["code"] = with_code
    Babel().init_app(app, default_locale=usual, locale_selector=lambda: _best(app.extensions[_USUAL]))

    @app.context_processor
    def offered() -> dict[str, object]:
        """What every page's language switch needs (``languages.html``)."""
        say, language = speaker()
        return {"languages": LANGUAGES, "language": language, "language_label": label("language", say)}


def with_code(words: str) -> Markup:
    """A sentence for a page, with what stands between backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(words))))


def speak_usually(app: Flask, language: str) -> None:
    """From now on browsers that ask for none of our languages are spoken to in this one."""
    app.extensions[_USUAL] = language


def _best(usual: str) -> str:
    chosen = request.cookies.get(COOKIE)
    if chosen is not None and chosen in LANGUAGES:
        return chosen
    # A stream that pages of one browser share is asked for by a worker, and need not wish for the page's language.
    asked = request.args.get("language")
    if asked is not None and asked in LANGUAGES:
        return asked
    # Not werkzeug's own best match: that prefers German to English for who asks for British English before German.
    wished = (tag.lower().replace("_", "-").split("-")[0] for tag, quality in request.accept_languages if quality > 0)
    return next((language for language in wished if language in LANGUAGES), usual)


def speaker() -> tuple[Translator, str]:
    """The translator of the current request and the name of its language; both stay good after the request."""
    language = str(get_locale() or "en")
    return translator(language), language
