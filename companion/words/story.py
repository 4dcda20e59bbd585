"""The story of a recorded game in sentences."""

from __future__ import annotations

from companion.story import Story, StoryLine
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


def story_words(story: Story, say: Translator = ENGLISH) -> tuple[str, ...]:
    """One line for each thing that happened, with its time since the beginning of the game."""
    return tuple(f"{_clock(line.time)}  {line_words(line, story, say)}" for line in story.lines)


def line_words(line: StoryLine, story: Story, say: Translator = ENGLISH) -> str:
    """What happened."""
    if line.kind == "cameras":
        return _camera(line, story, say)
    if line.kind == "declined":
        who = "" if line.seat is None else seat_name(line.seat, story.names, say)
        return say("%(who)s: a tap was not taken (%(what)s).", who=who, what=line.what)
    if line.move is None:
        if line.kind in ("action", "redone", "undone"):
            return say("The table was put right, or somebody left or came back.")
        return say(_SAID.get(line.kind, mark("Something happened.")))
    done = done_words(line.move, story.names, say)
    if line.kind == "undone":
        return say("Taken back: %(done)s", done=done)
    if line.kind == "redone":
        return say("Done again: %(number)d. %(done)s", number=line.number, done=done)
    return say("%(number)d. %(done)s", number=line.number, done=done)


def _camera(line: StoryLine, story: Story, say: Translator) -> str:
    if not line.what:
        return say("All cameras saw again.")
    if line.seat is None:
        return say("The camera of the tray did not see (%(what)s).", what=line.what)
    return say("The camera of %(who)s did not see (%(what)s).", who=seat_name(line.seat, story.names, say), what=line.what)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
