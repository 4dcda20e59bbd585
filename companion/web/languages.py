"""The language of a request.  Catalogues are looked for in ``translations``; without one, English is spoken."""

from __future__ import annotations

from flask import Flask, request
from flask_babel import Babel, get_locale, get_translations

from companion.announcements import Translator


def set_up_languages(app: Flask) -> None:
    """Let every request speak the first language of its browser that there is a catalogue for."""
    babel = Babel()

    def best() -> str | None:
        known = sorted({str(locale) for locale in babel.list_translations()} | {"en"})
        return request.accept_languages.best_match(known, "en")

    babel.init_app(app, locale_selector=best)


def speaker() -> tuple[Translator, str]:
    """The translator of the current request and the name of its language; both stay good after the request."""
    catalogue = get_translations()
    return Translator(catalogue.gettext, catalogue.ngettext), str(get_locale() or "en")
