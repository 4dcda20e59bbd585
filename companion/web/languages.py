"""The language of a request: what was chosen in this browser, or the first of the browser's own that there is, or the table's."""

from __future__ import annotations

from flask import Flask, request
from flask_babel import Babel, get_locale

from companion.announcements import Translator, label
from companion.web.catalogues import LANGUAGES, translator

COOKIE = "viewmat-language"
"""Set by ``languages.js``; no secret."""


def set_up_languages(app: Flask, usual: str = "en") -> None:
    """Let every request speak its browser's language, and `usual` where the browser asks for none of ours.

    Raises `ValueError` for a usual language that there is no catalogue for.
    """
    if usual not in LANGUAGES:
        raise ValueError(f"there is no catalogue for the language {usual!r}; there are: {', '.join(LANGUAGES)}")
    # The first counts where a browser says that it takes any.
    known = (usual, *(language for language in LANGUAGES if language != usual))

    def best() -> str:
        chosen = request.cookies.get(COOKIE)
        return chosen if chosen in known else request.accept_languages.best_match(known, usual)

    Babel().init_app(app, default_locale=usual, locale_selector=best)

    @app.context_processor
    def offered() -> dict[str, object]:
        """What every page's language switch needs (``languages.html``)."""
        say, language = speaker()
        return {"languages": LANGUAGES, "language": language, "language_label": label("language", say)}


def speaker() -> tuple[Translator, str]:
    """The translator of the current request and the name of its language; both stay good after the request."""
    language = str(get_locale() or "en")
    return translator(language), language
