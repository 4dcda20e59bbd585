"""Sentences for what the rules say: one for every kind of violation."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rulings import Ruling, Verdict
from companion.words.betting import BETTING_ERRORS
from companion.words.translator import ENGLISH, Translator, mark

_SENTENCES: dict[str, str] = {
    # An action that makes no sense as it was written.
    "bad_action": mark("The table does not know this action."),
    "bad_seat": mark("There is no such seat at this table."),
    "bad_slot": mark("There is no such slot; slots are numbered 1 to 5."),
    "bad_target": mark("There is no such card to go for: name another seat and one of its slots, 1 to 5."),
    # The wrong time.
    "game_over": mark("The game is over; please leave the cards where they lie."),
    "not_started": mark("The game has not started yet; this move has to wait."),
    "already_started": mark("The game is already running."),
    "ender_acted": mark("Whoever brought on the end has no turn left."),
    "already_had_final_turn": mark("Everybody gets one final turn, and this one has been played."),
    "acted_twice": mark("One action a turn; the next player is waiting."),
    "not_your_turn": mark("It is another player's turn."),
    # Setting up.
    "positions_locked": mark("The game has begun, so cards stay in their slots."),
    "bad_permutation": mark("Arranging only moves the same five cards between their five slots."),
    "already_arranged": mark("These cards have been arranged already; once is all there is."),
    # Drawing, taking, stealing, passing.
    "pile_empty": mark("The pile is used up, so there is nothing to draw."),
    "row_full": mark("The row is full, so nobody can draw any more."),
    "take_before_second_turn": mark("Nothing can be taken from the row on the very first turn."),
    "row_empty": mark("There is no card in the row to take."),
    "steal_from_self": mark("A steal goes for somebody else's card, not for one's own."),
    "steal_not_allowed_in_final": mark("At this table nobody steals in the final turns."),
    "ender_protected": mark("At this table nobody steals from the player who brought on the end."),
    "steal_back_locked": mark("That card was stolen a moment ago and cannot be stolen back yet."),
    "pass_not_allowed": mark("Passing is not possible here: draw, steal or take."),
    # What only the cameras see.
    "not_top_of_row": mark("Only the newest card of the row can be taken."),
    "removed_card_returned": mark("A card that had left the game is on the table again."),
    "duplicate_card": mark("One card seems to lie in two places; please have a look at the deck."),
    "foreign_card": mark("A card from outside this deck is on the table."),
    "wrong_slot": mark("In a steal two cards change places; one of them has landed in a different slot."),
    "positions_changed": mark("Cards of one hand have changed places; they stay in their slots until the end."),
    "two_actions": mark("More than one action has happened in this turn."),
    "replaced_card_not_in_row": mark("The card that made room for the new one goes face up on the row."),
    "slot_empty": mark("A slot is empty; every slot needs its card."),
    "peek": mark("In hard mode own cards are not looked at after the start."),
    "row_changed": mark("The row is not as it was, and no action explains it."),
    "unexplained_change": mark("Cards have moved in a way that no single action explains."),
}

_BESIDE: dict[str, str] = {"lies_open": mark("A card lies face up; until the end cards lie face down.")}
"""What is no action against the rules, and has to be put right all the same."""
_NOT_ALLOWED = mark("The rules do not allow this.")

ERROR_KINDS: tuple[str, ...] = tuple(_SENTENCES)
"""Every kind of violation that has a sentence."""


def error_words(kind: str, say: Translator = ENGLISH) -> str:
    """What the rules say where a violation of this `kind` was found.  A kind that nobody knows gets a general sentence."""
    return say(_SENTENCES.get(kind) or _BESIDE.get(kind) or BETTING_ERRORS.get(kind, _NOT_ALLOWED))


_RULES: dict[str, str] = {
    "STEAL-1.2": mark("Before the first action cards may be arranged once; with it all positions are fixed."),
    "STEAL-1.3": mark("One action a turn, clockwise: draw, steal or take."),
    "STEAL-1.3-draw": mark(
        "The pile's top card goes into an own slot and the card from there onto the row, or straight onto the row."
    ),
    "STEAL-1.3-take": mark("The newest card of the row goes into an own slot, and the card from there leaves the game."),
    "STEAL-1.3-steal": mark("A card of another hand and one of the own hand change places, both face down."),
    "STEAL-1.3-pass": mark("Passing is for tables whose house rules allow it."),
    "STEAL-1.3-end": mark("The fifth discard brings on the end; then everybody else has one final turn."),
    "STEAL-1.3-leave": mark("A player who leaves is passed over, as long as enough stay."),
    "STEAL-1.4": mark("A move names a seat and a slot that there are."),
    "STEAL-1.5": mark("A stolen card cannot be stolen back before its lock has run out."),
    "STEAL-1.7": mark("In hard mode own cards are not looked at after the start."),
    "STEAL-1.10": mark("What the rules do not allow is put back; a house rule may take the turn as well."),
    "STEAL-1.10-deck": mark("Every card is of this deck, and lies in one place only."),
    "STEAL-1.10-positions": mark("Cards stay in their slots, and every slot has one."),
    "STEAL-1.10-row": mark("The card that makes room for a new one lies face up at the end of the row."),
    "STEAL-1.10-one": mark("Only one action happens in a turn."),
}


def rule_words(rule: str, say: Translator = ENGLISH) -> str:
    """What the rule of this id says, in one sentence; empty for one that there is not."""
    return say(_RULES[rule]) if rule in _RULES else ""


def ruling_words(ruling: Ruling, names: Sequence[str] = (), say: Translator = ENGLISH) -> str:
    """One sentence for a ruling; it names the seat where one is concerned, and never a card.

    `names` are the seats' names, seat 0 first; a seat without one is called by its number.
    """
    if ruling.verdict is Verdict.NOTHING:
        return say("Nothing has happened.")
    if ruling.verdict is Verdict.UNSURE:
        return say("More than one thing may have happened; the table has to ask.")
    if ruling.verdict is Verdict.LEGAL:
        return say("That is allowed.")
    sentence = error_words(ruling.error or "", say)
    concerned = ruling.seats if ruling.seat is None else (ruling.seat,)
    if not concerned:
        return sentence
    who = say.listed([seat_name(seat, names, say) for seat in concerned])
    return say("%(who)s: %(sentence)s", who=who, sentence=sentence)


def seat_name(seat: int, names: Sequence[str], say: Translator = ENGLISH) -> str:
    """The name of a seat, or "seat 2" where it has none."""
    return names[seat] if 0 <= seat < len(names) and names[seat] else say("Seat %(number)d", number=seat + 1)
