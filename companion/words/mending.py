"""Words of the page on which a settings file that is not right can be mended."""

from __future__ import annotations

from collections.abc import Mapping

from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "title": mark("The settings file"),
    "lead": mark("The table cannot start: something in its settings file %(name)s is not right."),
    "well": mark("Nothing is wrong with it any more."),
    "how": mark(
        "Mend it here and save it, or at the machine. Nothing is saved that is not right, and the file as it was is kept."
    ),
    "text": mark("What stands in %(name)s"),
    "check": mark("Check"),
    "save": mark("Save and start"),
    "line": mark("Line %(line)d"),
    "saved": mark("Saved. The file as it was is kept as %(old)s. The table starts …"),
    "changed": mark("The file has been changed meanwhile. Load this page again, and look at it first."),
    "not_written": mark("The file cannot be written: %(why)s"),
    "not_text": mark("The file is no text, so it cannot be mended here."),
    "lost": mark("No connection to the table. Please try again."),
    "no_script": mark(
        "This page needs JavaScript. The file can be mended at the machine, too: `viewmat settings check` says what is wrong."
    ),
}

_FAULTS: dict[str, str] = {
    "unknown_key": mark("There is no such key. Allowed: %(allowed)s."),
    "missing": mark("It is missing."),
    "not_among": mark("This is none of those that there are. Allowed: %(allowed)s."),
    "one_of": mark("This is not possible here. Allowed: %(limit)s."),
    "at_least": mark("It has to be %(limit)s or more."),
    "at_most": mark("It has to be %(limit)s or less."),
    "more_than": mark("It has to be more than %(limit)s."),
    "less_than": mark("It has to be less than %(limit)s."),
    "whole_number": mark("A whole number is expected."),
    "number": mark("A number is expected."),
    "yes_or_no": mark("It has to be true or false."),
    "text": mark("Text between quotation marks is expected."),
    "list": mark("A list between square brackets is expected."),
    "table": mark("A table is expected, not a single value."),
    "longer": mark("It is too short: at least %(limit)s characters."),
    "shorter": mark("It is too long: at most %(limit)s characters."),
    "more_items": mark("There are too few: at least %(limit)s."),
    "fewer_items": mark("There are too many: at most %(limit)s."),
    "no_toml": mark("From here on it cannot be read as a settings file: %(why)s"),
    "other": mark("This is not right: %(why)s"),
}


def mending_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def fault_kinds() -> frozenset[str]:
    """Every kind of fault that has a sentence."""
    return frozenset(_FAULTS)


def fault_words(kind: str, values: Mapping[str, str | int], say: Translator = ENGLISH) -> str:
    """What is wrong and what is allowed.  Details that libraries and games tell (``why``) stay in English."""
    return say(_FAULTS[kind], **values)
