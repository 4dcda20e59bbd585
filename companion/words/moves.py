"""Sentences for moves, questions and locks.  They name places, never cards."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import Card
from companion.views import LockView, MoveView, QuestionView, View
from companion.words.cards import card_words
from companion.words.chips import DONE, bet_offer_words, exchanged_words
from companion.words.rules import seat_name
from companion.words.translator import ENGLISH, Translator, mark

_DONE: dict[str, str] = {
    "draw": mark("%(who)s drew into slot %(slot)s; the old card went to the row."),
    "discard": mark("%(who)s drew a card and laid it on the row."),
    "take": mark("%(who)s took the newest card of the row into slot %(slot)s."),
    "steal": mark("%(who)s stole from slot %(victim_slot)s of %(victim)s and gave slot %(slot)s."),
    "pass": mark("%(who)s passed."),
    "arrange": mark("%(who)s arranged the five cards."),
    "start": mark("The game has started."),
    "leave": mark("%(who)s has left."),
    "return": mark("%(who)s is back."),
    "as_it_lies": mark("The table was taken as it lay."),
}

_DONE |= DONE

_MOVED = mark("%(who)s has moved.")

_TO_DO: dict[str, tuple[str, ...]] = {
    "draw": (mark("Draw from the pile"), mark("Use it in slot %(slot)s")),
    "discard": (mark("Draw from the pile"), mark("Lay it on the row")),
    "take": (mark("Take from the row"), mark("Into slot %(slot)s")),
    "steal": (mark("Steal"), mark("From %(victim)s"), mark("Take slot %(victim_slot)s"), mark("Give slot %(slot)s")),
    "pass": (mark("Pass"),),
    "arrange": (mark("My cards are arranged"),),
    "start": (mark("Start the game"),),
}


def names_of(view: View) -> tuple[str, ...]:
    """The seats' names, seat 0 first."""
    return tuple(seat.name for seat in view.seats)


def slot_words(place: tuple[int, int], view: View, say: Translator = ENGLISH) -> str:
    """``slot 3 of Anna`` for the (seat, slot) pair `place`."""
    return say("slot %(slot)d of %(who)s", slot=place[1], who=seat_name(place[0], names_of(view), say))


def move_values(move: MoveView, view: View, say: Translator) -> dict[str, str | int]:
    """What a sentence about `move` may need: who, slot, victim and victim_slot."""
    return values_of(move, names_of(view), say)


def values_of(move: MoveView, names: Sequence[str], say: Translator) -> dict[str, str | int]:
    """The same for seats with these names."""
    return {
        "who": say("The table") if move.seat is None else seat_name(move.seat, names, say),
        "slot": "?" if move.slot is None else move.slot,
        "victim": say("somebody") if move.victim is None else seat_name(move.victim, names, say),
        "victim_slot": "?" if move.victim_slot is None else move.victim_slot,
        "amount": move.amount,
    }


def move_words(move: MoveView, view: View, say: Translator = ENGLISH) -> str:
    """What was done, as one sentence: ``Anna drew a card and laid it on the row.``"""
    return done_words(move, names_of(view), say)


def done_words(move: MoveView, names: Sequence[str], say: Translator = ENGLISH) -> str:
    """The same at a table whose seats have these `names`, seat 0 first."""
    values = values_of(move, names, say)
    return exchanged_words(move, str(values["who"]), say) or say(_DONE.get(move.kind, _MOVED), **values)


def offer_words(move: MoveView, view: View, say: Translator = ENGLISH, most: int = 0, all_in: bool = False) -> tuple[str, ...]:
    """A possible move as the steps by which a player picks it: ``("Steal", "From Ben", "Take slot 2", "Give slot 4")``.

    `most`: its amount may be chosen, up to so many; `all_in`: it takes all chips of the seat.
    """
    bets = bet_offer_words(move, most, all_in, say)
    if bets:
        return bets
    values = move_values(move, view, say)
    return tuple(say(step, **values) for step in _TO_DO.get(move.kind, (move.kind,)))


_QUESTIONS: dict[str, str] = {
    "which_action": mark("The table could not see this move for sure. What did %(who)s do?"),
    "whose_card": mark("The cards of %(places)s may have changed places. Which of these is right?"),
    "reseat": mark("Please lay the cards of %(places)s back into their own slots. Is everything in its place?"),
    "enter_card": mark("I could not read %(places)s. Please tap there: which cards are these?"),
    "differs": mark("The screen has something else at %(places)s. Was something moved while no camera looked?"),
    "second_look": mark("Please lift the card of %(places)s and lay it back flat. Is it lying right now?"),
}

_TYPED: dict[str, str] = {
    "seen_elsewhere": mark("The %(card)s has been seen going to %(home)s. Is it really the card of %(place)s?"),
    "seen_gone": mark("The %(card)s has been seen leaving the game. Is it really the card of %(place)s?"),
    "seen_other": mark("Another card has been seen going to %(place)s. Is it really the %(card)s?"),
}
_SURE = (mark("Yes, it is this card"), mark("No, it is typed anew"))
_ANY_QUESTION = mark("Which of these is right?")

_NOTHING: dict[str, str] = {
    "which_action": mark("Nothing happened"),
    "whose_card": mark("None of these"),
    "reseat": mark("Yes, all in place"),
    "second_look": mark("Yes, it lies right"),
}


_WAYS_OUT = (
    mark("The table is right: go on with what lies there"),
    mark("The screen is right: we put the cards back"),
)


def question_words(question: QuestionView, view: View, say: Translator = ENGLISH) -> tuple[str, tuple[str, ...]]:
    """The question and the text of each choice, in the order in which they are answered."""
    who = say("the player") if question.seat is None else seat_name(question.seat, names_of(view), say)
    listed = [slot_words(place, view, say) for place in question.places] + ([say("the row")] if question.row else [])
    places = say.listed(listed) or say("the table")
    if question.kind in _TYPED and question.card is not None:
        gone = question.kind == "seen_elsewhere" and len(question.places) < 2
        sentence = _TYPED["seen_gone" if gone else question.kind]
        card = card_words(Card.parse(question.card), say)
        return say(sentence, card=card, place=listed[0], home=listed[-1]), tuple(map(say, _SURE))
    text = say(_QUESTIONS.get(question.kind, _ANY_QUESTION), who=who, places=places)
    if question.kind == "differs":
        return text, tuple(map(say, _WAYS_OUT[-len(question.choices) :]))
    nothing = say(_NOTHING.get(question.kind, _NOTHING["whose_card"]))
    return text, tuple(nothing if choice is None else move_words(choice, view, say) for choice in question.choices)


def lock_words(lock: LockView, view: View, say: Translator = ENGLISH) -> str:
    """When a stolen card may be stolen back, by its place."""
    names = names_of(view)
    values: dict[str, str | int] = {"victim": seat_name(lock.victim, names, say), "thief": seat_name(lock.thief, names, say)}
    if lock.slot is None:
        return say.counted(
            "The card that %(thief)s stole from %(victim)s has moved on; its lock runs for 1 more turn.",
            "The card that %(thief)s stole from %(victim)s has moved on; its lock runs for %(count)d more turns of the table.",
            lock.turns_left,
            **values,
        )
    when = _when_free(lock, view)
    if when is not None:
        return say(when, slot=lock.slot, **values)
    return say.counted(
        "Slot %(slot)d of %(thief)s: %(victim)s may steal it back in 1 turn of the table.",
        "Slot %(slot)d of %(thief)s: %(victim)s may steal it back in %(count)d turns of the table.",
        lock.turns_left,
        slot=lock.slot,
        **values,
    )


_SOON = mark("Slot %(slot)d of %(thief)s: %(victim)s may steal it back on the next turn of %(victim)s.")
_NOT_NOW = mark("Slot %(slot)d of %(thief)s: locked on this turn of %(victim)s, who may steal it back on the next one.")
_NOT_NEXT = mark("Slot %(slot)d of %(thief)s: locked on the next turn of %(victim)s, who may steal it back on the one after it.")
_NEVER = mark("Slot %(slot)d of %(thief)s: %(victim)s has no turn left on which to steal it back.")


def _when_free(lock: LockView, view: View) -> str | None:
    """In turns of the victim alone, when the lock ends; None where that cannot be told in a few words.

    In play the seats act in turn, and a turn that is passed over counts (rules A32); the final turns have their own order.
    """
    if view.current is None:
        return None
    count = len(view.seats)
    final = view.phase == "final"
    order = view.final_left if final else [(view.current + step) % count for step in range(lock.turns_left + count)]
    own = [number for number, seat in enumerate(order) if seat == lock.victim]
    barred = sum(number < lock.turns_left for number in own)
    if final and barred == len(own):
        return _NEVER
    if barred > 1:
        return None
    return _SOON if not barred else _NOT_NOW if own[0] == 0 else _NOT_NEXT
