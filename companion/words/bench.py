"""Labels of the workbench pages."""

from __future__ import annotations

from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "teach": mark("Teach a deck"),
    "check": mark("Check the table"),
    "teach_lead": mark(
        "For decks that the reader finds hard. Every card is laid over one window, then turned round and laid again."
    ),
    "check_lead": mark("Five minutes: first the empty mats, then every card of the deck once over any window."),
    "name": mark("Name of the deck"),
    "start": mark("Start"),
    "stop": mark("Stop"),
    "confirm": mark("It is the right card"),
    "table": mark("Back to the table"),
    "noticed": mark("What was noticed"),
    "lost": mark("No connection to the table. Trying again …"),
}

TASK_REFUSALS: dict[str, str] = {
    "task_runs": mark("This is running already; stop it first."),
    "task_confirms": mark("At the virtual table nobody has to confirm."),
    "deck_name": mark("%(found)s is no name for a deck: it has letters, digits, - and _, and begins with a letter or digit."),
    "deck_place": mark("Taught decks cannot be kept here: look whether there is room left, and who may write there."),
}


def broken_words(found: str, say: Translator = ENGLISH) -> str:
    """What is said where a task came to nothing; `found` is the program's own account of it, in English."""
    return say("This did not work: %(found)s", found=found)


def bench_label(name: str, say: Translator = ENGLISH) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name])
