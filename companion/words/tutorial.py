"""The first game, step by step: what a newcomer is told at the virtual table."""

from __future__ import annotations

from companion.tutorial import LESSONS, Lesson, Tutorial
from companion.views import View
from companion.words.moves import names_of, slot_words
from companion.words.rules import seat_name
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "title": mark("Your first game"),
    "offer": mark("Is this your first game? Five minutes, and you know how it goes. You can leave off at any time."),
    "begin": mark("Show me"),
    "not_now": mark("I just want to play"),
    "leave": mark("Leave the tutorial"),
    "again": mark("Play the tutorial"),
    "rules": mark("All the rules"),
}

_LESSONS: dict[Lesson, tuple[str, str]] = {
    Lesson.DEAL: (
        mark("Deal the cards"),
        mark(
            "Everybody gets five cards, face down, one in each slot. “Deal for me” does it, or lay card after card from the pile"
            " onto the mats yourself. Your mat is the one nearest to you."
        ),
    ),
    Lesson.LOOK: (
        mark("Look at your cards"),
        mark(
            "Take your cards in hand, look, and lay them back; each belongs into its own slot. The best poker hand wins in the"
            " end."
        ),
    ),
    Lesson.DRAW: (
        mark("Draw a card"),
        mark(
            "One action a turn. Now draw: drag the top card of the pile onto the card in your slot that it shall replace. The old"
            " card comes into your hand: lay it on the row. A card that you do not want goes straight from the pile to the row."
        ),
    ),
    Lesson.STEAL: (
        mark("Steal a card"),
        mark(
            "Point at somebody's card and drag it onto one of yours. Yours comes into your hand, and goes into the empty slot"
            " that the stolen one left. Both stay face down: only you two learn a little."
        ),
    ),
    Lesson.LOCK: (
        mark("No stealing back"),
        mark(
            "What was stolen from you may not be stolen back on your very next turn: a lock marks the card. Try it all the same:"
            " the table sees it and says what to put back where. Do that, or let it be put right for you."
        ),
    ),
    Lesson.TAKE: (
        mark("Take from the row"),
        mark(
            "The newest card of the row is open to everybody. Drag it onto one of your cards; the old one comes into your hand,"
            " and goes out of the game, to the place beside the row."
        ),
    ),
    Lesson.END: (
        mark("The end comes closer"),
        mark(
            "When the fifth card lies on the row, the game ends: everybody else has one last turn. Play as you like now; drawing"
            " brings the end on."
        ),
    ),
    Lesson.REVEAL: (
        mark("Show your hand"),
        mark("The game is over. Turn your five cards over, where they lie; the others do the same."),
    ),
    Lesson.DONE: (
        mark("That was your first game"),
        mark("You know all that there is to know. The rest stands in the rules, and the table remembers it for you."),
    ),
}


def tutorial_label(name: str, say: Translator = ENGLISH) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name])


def lesson_words(tutorial: Tutorial, view: View, say: Translator = ENGLISH, holds: bool = False) -> tuple[str, ...]:
    """What the page shows of the step: where one is, its title, what to do, and what is to be heeded at this moment.

    `holds`: a card in the person's hand keeps the others waiting.
    """
    title, text = _LESSONS[tutorial.lesson]
    steps = say("Step %(number)d of %(count)d", number=min(tutorial.number, len(LESSONS) - 1), count=len(LESSONS) - 1)
    waiting = _waiting_words(tutorial, view, say, holds)
    if waiting:
        # What the step asks for cannot be done now.
        return steps, say(title), waiting
    lines = [steps, say(title), say(text)]
    locked = tutorial.robbed_by(view)
    if view.violation is not None:
        lines.append(say("The table waits until everything lies as it says."))
    elif tutorial.lesson is Lesson.LOOK and view.turn == 0 and view.current is not None:
        lines.append(_beginner_words(tutorial.seat, view.current, view, say))
    elif tutorial.lesson is Lesson.LOCK and locked is not None:
        lines.append(say("Your card lies here now, and is locked: %(where)s.", where=slot_words(locked, view, say)))
    return tuple(lines)


def _beginner_words(seat: int, first: int, view: View, say: Translator) -> str:
    if first == seat:
        return say("Then it is your turn: you begin.")
    return say("Then %(who)s begins; the others wait until you have looked.", who=seat_name(first, names_of(view), say))


def _waiting_words(tutorial: Tutorial, view: View, say: Translator, holds: bool) -> str:
    """What is said while others are at play; empty while they are not."""
    if not tutorial.waits(view):
        return ""
    if holds:
        return say("A card is still in your hand: lay it where it belongs, and the others play on.")
    return say("Now the others play. Watch what they do; your turn comes.")
