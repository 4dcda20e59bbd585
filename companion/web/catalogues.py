"""The languages that the companion speaks: English as it is written, and one catalogue of messages for each other one.

Catalogues are read as people write them, ``companion/words/catalogues/*.po``: nothing has to be compiled (docs/decisions/0020).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion import words
from companion.announcements import ENGLISH, Translator

FOLDER = Path(words.__file__).parent / "catalogues"


def _own_name(language: str) -> str:
    name = Locale.parse(language).get_display_name() or language
    return name[:1].upper() + name[1:]


LANGUAGES: Mapping[str, str] = MappingProxyType(
    {language: _own_name(language) for language in ("en", *sorted(file.stem for file in FOLDER.glob("*.po")))}
)
"""Every language by its code, with what its own speakers call it: English first, the others by their codes."""


@lru_cache
def translator(language: str) -> Translator:
    """Says everything in this language; raises `KeyError` for one that is not among `LANGUAGES`."""
    if language not in LANGUAGES:
        raise KeyError(language)
    if language == "en":
        return ENGLISH
    compiled = BytesIO()
    with (FOLDER / f"{language}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=language, abort_invalid=True))
    compiled.seek(0)
    found = GNUTranslations(compiled)
    symbols = Locale.parse(language).number_symbols
    return Translator(found.gettext, found.ngettext, symbols["latn"]["decimal"])
