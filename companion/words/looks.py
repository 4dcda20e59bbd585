"""Texts of the menu in which a browser chooses how its pages look."""

from __future__ import annotations

from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "looks": mark("Look of this screen"),
    "suits": mark("Colours of the suits"),
    "suits-four": mark("four colours"),
    "suits-two": mark("two colours"),
    "facing": mark("The player in turn"),
    "facing-still": mark("is shown where he sits"),
    "facing-seat": mark("is shown in front (a screen that stands)"),
    "facing-page": mark("has the page turned towards him (a screen that lies)"),
    "words": mark("Words or pictures"),
    "words-written": mark("words"),
    "words-pictures": mark("pictures, for children"),
}


def looks_label(name: str, say: Translator = ENGLISH) -> str:
    """The text called `name`, or ``NAME-VALUE`` for a choice; raises `KeyError` for one that there is not."""
    return say(_LABELS[name])
