"""The story of a recorded game in sentences."""

from __future__ import annotations

from companion.story import Story, StoryLine
from companion.views import MoveView
from companion.words.evidence import at_words
from companion.words.moves import done_words
from companion.words.rules import seat_name
from companion.words.translator import ENGLISH, Translator, mark

_SAID: dict[str, str] = {
    "violation": mark("Something was not as agreed and had to be put right."),
    "cleared": mark("It was put right."),
    "question": mark("The table asked something."),
    "answer": mark("The question was settled."),
    "misdeal": mark("A misdeal was called: the cards were dealt again."),
    "entered": mark("A card that nobody had read was entered."),
    "entered_hidden": mark("A player entered a card of his own that no camera had read."),
    "corrected": mark("A card was corrected."),
    "reseat": mark("A card was to be read anew."),
    "reread": mark("It was read anew."),
    "as_it_lies": mark("The table was taken as it lay."),
    "as_shown": mark("The screen was taken to be right."),
    "stopped": mark("Play was stopped."),
    "went_on": mark("Play went on."),
    "proposed": mark("Something was proposed to everybody."),
    "refused": mark("What was proposed was turned down."),
    "left": mark("A player left."),
    "returned": mark("A player came back."),
    "result": mark("All hands were shown, and the result was announced."),
    "restarted": mark("The program began anew and went on with this game."),
    "settings": mark("The table's settings were changed."),
    "unheard": mark("Further taps that were not taken are not listed."),
}

_PLACED: dict[str, str] = {
    "entered": mark("%(place)s: a card that nobody had read was entered."),
    "entered_hidden": mark("%(place)s: its owner entered the card, which no camera had read."),
    "corrected": mark("%(place)s: the card was corrected."),
    "reseat": mark("%(place)s: the card was to be read anew."),
    "reread": mark("%(place)s: the card was read anew."),
}
"""The same where the record tells which card it was, by its place."""
_ANYTHING = mark("Something happened.")
_TAPS: dict[str, str] = {
    "press": mark("the button"),
    "claim": mark("a move"),
    "answer": mark("an answer"),
    "enter": mark("a card that was entered"),
    "own": mark("an own card that was entered"),
    "rewind": mark("taking moves back"),
    "undo": mark("taking a move back"),
    "correct": mark("a correction"),
    "reseat": mark("reading a card anew"),
    "agree": mark("an answer to what was proposed"),
    "misdeal": mark("dealing again"),
    "leave": mark("leaving"),
    "return": mark("coming back"),
    "pause": mark("a pause"),
    "resume": mark("the end of a pause"),
    "stop": mark("a stop"),
    "go_on": mark("the end of a stop"),
    "laid": mark("that the cards lie so"),
    "table_right": mark("that the table is right"),
    "screen_right": mark("that the screen is right"),
}
_ANY_TAP = mark("something")
_UNSEEN: dict[str, str] = {
    "silent": mark("no picture came"),
    "frozen": mark("its picture stood still"),
    "dark": mark("it was dark"),
    "bright": mark("it was dazzled"),
    "lost": mark("it did not find its marks"),
    "aside": mark("it did not have everything in view"),
    "moved": mark("it had been moved"),
    "other_board": mark("it saw another board"),
}
_ANY_TROUBLE = mark("something was wrong with it")


def story_words(story: Story, say: Translator = ENGLISH) -> tuple[str, ...]:
    """One line for each thing that happened, with its time since the beginning of the game."""
    return tuple(f"{_clock(line.time)}  {line_words(line, story, say)}" for line in story.lines)


def line_words(line: StoryLine, story: Story, say: Translator = ENGLISH) -> str:
    """What happened."""
    if line.kind == "cameras":
        return _camera(line, story, say)
    if line.kind == "declined":
        who = "" if line.seat is None else seat_name(line.seat, story.names, say)
        return say("%(who)s: a tap was not taken (%(what)s).", who=who, what=say(_TAPS.get(line.what, _ANY_TAP)))
    if line.place is not None and line.kind in _PLACED:
        return say(_PLACED[line.kind], place=at_words(line.place, story.names, say))
    if line.seat is not None and line.kind in ("left", "returned"):
        return done_words(MoveView("leave" if line.kind == "left" else "return", line.seat), story.names, say)
    if line.move is None:
        if line.kind in ("action", "redone", "undone"):
            return say("The table was put right, or somebody left or came back.")
        return say(_SAID.get(line.kind, _ANYTHING))
    done = done_words(line.move, story.names, say)
    if line.kind == "undone":
        return say("Taken back: %(done)s", done=done)
    if line.kind == "redone":
        return say("Done again: %(number)d. %(done)s", number=line.number, done=done)
    return say("%(number)d. %(done)s", number=line.number, done=done)


def _camera(line: StoryLine, story: Story, say: Translator) -> str:
    if not line.what:
        return say("All cameras saw again.")
    what = say(_UNSEEN.get(line.what, _ANY_TROUBLE))
    if line.seat is None:
        return say("The camera of the tray did not see (%(what)s).", what=what)
    return say("The camera of %(who)s did not see (%(what)s).", who=seat_name(line.seat, story.names, say), what=what)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
