"""Brings the catalogues of words up to date with the sources (``./run words``), and reads them for the tests.

A message that is new stands in every catalogue without a translation afterwards, one that nobody says any more is gone.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "companion" / "words" / "catalogues"
KEYWORDS = {"say": None, "mark": None, "gettext": None, "counted": (1, 2)}
"""The ways to say something, and which arguments are messages."""
HEAD = """\
# {name} words of the table companion; docs/languages.md tells how they are kept up to date.
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")


def calls_of(source: bytes) -> list[ast.Call]:
    """Every call in a module that says something, in the order of its lines."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and name_of(node) in KEYWORDS]
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def name_of(call: ast.Call) -> str:
    """``say`` for ``say(...)``, ``counted`` for ``say.counted(...)``."""
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def literals(file: IO[bytes], *_: object, **__: object) -> Iterator[tuple[int, str, tuple[str | None, ...], list[str]]]:
    """The messages of a module, in the form that Babel asks for.

    Not Babel's own reader of Python, which passes silently over calls that stand in other calls of ours.
    """
    for call in calls_of(file.read()):
        yield call.lineno, name_of(call), tuple(map(literal, call.args)), []


def literal(argument: ast.expr) -> str | None:
    """The text that is written there; None for anything else."""
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


@lru_cache
def extracted() -> Catalog:
    """Every message that the companion's modules and templates say."""
    methods: Any = [("**.py", literals), ("**/templates/**.html", "jinja2")]
    found = Catalog()
    for file, line, message, _, _ in extract_from_dir(ROOT / "companion", methods, keywords=KEYWORDS):
        found.add(message, locations=[(f"companion/{file}", line)])
    return found


def catalogue(language: str) -> Catalog:
    """The catalogue of a language as it stands."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def written() -> tuple[str, ...]:
    """The languages that there is a catalogue for."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.po")))


def messages(found: Catalog) -> Iterator[Message]:
    """All messages but the header."""
    return (message for message in found if message.id)


def forms(message: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is said in English, and in the language: one form, or one for each number."""
    return _each(message.id), _each(message.string)


def _each(said: object) -> tuple[str, ...]:
    return tuple(str(one or "") for one in said) if isinstance(said, tuple | list) else (str(said or ""),)


def update(language: str) -> int:
    """Bring one catalogue up to date; how many messages have no translation afterwards."""
    file = FOLDER / f"{language}.po"
    found = catalogue(language) if file.exists() else Catalog(language)
    found.update(extracted(), no_fuzzy_matching=True, update_creation_date=False)
    with file.open("wb") as out:
        # Without line numbers, dates and versions: a catalogue changes where words do, and nowhere else.
        out.write(HEAD.format(name=Locale.parse(language).english_name, language=language, plural=found.plural_forms).encode())
        write_po(out, found, width=130, omit_header=True, ignore_obsolete=True, include_lineno=False)
    return sum(not all(forms(message)[1]) for message in messages(found))


def main(languages: list[str]) -> None:
    """Update these catalogues, or all; one that there is not yet is begun."""
    for language in languages:
        try:
            Locale.parse(language)
        except (ValueError, UnknownLocaleError):
            sys.exit(f"words: {language!r} is no language: expected a code such as hu, de or pl")
    for language in languages or written():
        print(f"{language}: {update(language)} messages to translate in {FOLDER.relative_to(ROOT)}/{language}.po")


if __name__ == "__main__":
    main(sys.argv[1:])
