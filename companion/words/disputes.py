"""Sentences for stops, undo and redo, and for a table that is not as the screen shows it.  They name places, never cards."""

from __future__ import annotations

from dataclasses import dataclass

from companion.cards import Card
from companion.disputes import Amendment, Dispute, Incident, LockAnswer, TurnLine
from companion.views import HomeView, ProposalView, SlotShows, StepView, View
from companion.words.cards import card_words
from companion.words.moves import move_values, move_words, names_of, slot_words
from companion.words.rules import error_words, seat_name
from companion.words.translator import ENGLISH, Translator, mark

_BACK: dict[str, str] = {
    "draw": mark(
        "%(who)s: the newest card of the row goes back into slot %(slot)s, and the card from there face down onto the pile."
    ),
    "discard": mark("%(who)s: the newest card of the row goes face down onto the pile."),
    "take": mark(
        "%(who)s: the card from slot %(slot)s goes back to the end of the row, and the card that left the game into the slot."
    ),
    "steal": mark("Slot %(slot)s of %(who)s and slot %(victim_slot)s of %(victim)s: the two cards change places again."),
    "as_it_lies": mark("Lay the cards as they lay before the table was taken as it was."),
}
_AGAIN: dict[str, str] = {
    "draw": mark("%(who)s: the top card of the pile goes into slot %(slot)s, and the card from there onto the row."),
    "discard": mark("%(who)s: the top card of the pile goes face up onto the row."),
    "take": mark("%(who)s: the newest card of the row goes into slot %(slot)s, and the card from there out of the game."),
    "steal": mark("Slot %(slot)s of %(who)s and slot %(victim_slot)s of %(victim)s: the two cards change places."),
    "as_it_lies": mark("Lay the cards as they lay when the table was taken as it was."),
}
_NO_CARDS = mark("%(who)s: no card has to be moved.")


def step_words(step: StepView, view: View, say: Translator = ENGLISH) -> str:
    """What people do with the cards for one action that was taken back, or that is done again."""
    sentences = _BACK if step.back else _AGAIN
    return say(sentences.get(step.move.kind, _NO_CARDS), **move_values(step.move, view, say))


def steps_words(view: View, say: Translator = ENGLISH) -> tuple[str, ...]:
    """Everything that has to be done after undo and redo, in its order."""
    hidden = (say("Turn all hands face down again."),) if view.turn_down else ()
    return (*hidden, *(step_words(step, view, say) for step in view.steps))


_HOMES: dict[str, str] = {
    "slot": mark("The card in %(place)s belongs in %(home)s."),
    "row": mark("The card in %(place)s belongs on the row."),
    "removed": mark("The card in %(place)s is out of the game."),
}


def home_words(home: HomeView, view: View, say: Translator = ENGLISH) -> str:
    """Where a loose card belongs."""
    own = "" if home.home is None else slot_words(home.home, view, say)
    return say(_HOMES[home.kind], place=slot_words(home.place, view, say), home=own)


def some_slot_is_free(view: View) -> bool:
    """Whether a slot is seen to have no card."""
    return any(one.shows is SlotShows.OUT for seat in view.seats for one in seat.slots)


def loose_words(view: View, say: Translator = ENGLISH) -> str:
    """What to do with cards that have lost their places; empty where nothing is to be put back."""
    if not view.disagrees or not some_slot_is_free(view):
        return ""
    return say("Cards that lie loose: lay any of them into any free slot, and its lamp leads it home.")


def reseat_words(view: View, say: Translator = ENGLISH) -> str:
    """Which cards are to be lifted and laid back; empty where none are."""
    if not view.reseat:
        return ""
    return say.counted(
        "Please lift the card of %(places)s and lay it back flat: it is read anew.",
        "Please lift the cards of %(places)s and lay them back flat: they are read anew.",
        len(view.reseat),
        places=say.listed([slot_words(place, view, say) for place in view.reseat]),
    )


def proposal_words(proposal: ProposalView, view: View, say: Translator = ENGLISH) -> str:
    """What everybody is asked to agree with."""
    if proposal.kind == "undo":
        return say.counted(
            "Hands have been shown. Take the last move back all the same?",
            "Hands have been shown. Take the last %(count)d moves back all the same?",
            proposal.turns,
        )
    if proposal.kind == "reseat" and proposal.place is not None:
        return say("Shall the card in %(place)s be read anew?", place=slot_words(proposal.place, view, say))
    return say(_PROPOSALS.get(proposal.kind, _PROPOSALS["go_on"]))


_PROPOSALS: dict[str, str] = {
    "go_on": mark("Is it settled? Then play goes on."),
    "table_right": mark("Is the table right? Then the cards count as they lie now."),
    "screen_right": mark("Is the screen right? Then the cards count as they are shown here, whatever the cameras see."),
}


# ---- the screen of a dispute --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answered:
    """One question of the screen with its answer, and what stands behind it."""

    question: str
    answer: str
    because: tuple[str, ...] = ()


def line_words(line: TurnLine, view: View, say: Translator = ENGLISH) -> str:
    """One line of the timeline."""
    return say("%(number)d. %(move)s", number=line.number, move=move_words(line.move, view, say))


def dispute_words(dispute: Dispute, view: View, say: Translator = ENGLISH) -> tuple[Answered, ...]:
    """Everything that the record answers, in the order of the screen."""
    found = [_turn(dispute, view, say), _order(dispute, view, say), _discards(dispute, say)]
    if dispute.steal:
        found.append(_steal(dispute, say))
    found.append(_locks(dispute, view, say))
    if dispute.place is not None:
        found += [_touched(dispute, view, say), _same(dispute, view, say)]
    return tuple(found)


def _who(seat: int | None, view: View, say: Translator) -> str:
    return say("nobody's") if seat is None else seat_name(seat, names_of(view), say)


def _then(dispute: Dispute, what: str, say: Translator) -> str:
    """What was so at the moment that is asked about."""
    if not dispute.number:
        return say("At the deal: %(what)s", what=what)
    return say("After move %(number)d: %(what)s", number=dispute.number, what=what)


def _turn(dispute: Dispute, view: View, say: Translator) -> Answered:
    then = _then(dispute, _who(dispute.current, view, say), say)
    return Answered(say("Whose turn is it?"), _who(dispute.current_now, view, say), (then,))


def _order(dispute: Dispute, view: View, say: Translator) -> Answered:
    yes, no = mark("Yes: every move that stands was made in turn."), mark("No: a move was made out of turn.")
    answer = say(yes if dispute.order_kept else no)
    tried = tuple(incident_words(each, view, say) for each in dispute.out_of_turn)
    return Answered(say("Was the order kept?"), answer, tried)


def incident_words(incident: Incident, view: View, say: Translator = ENGLISH) -> str:
    """What did not stand: a violation, or a move that was taken back."""
    who = say.listed([seat_name(seat, names_of(view), say) for seat in incident.seats]) or say("The table")
    if incident.move is not None:
        return say("Taken back: %(move)s", move=move_words(incident.move, view, say))
    sentence = differs_words(say) if incident.error == "differs" else error_words(incident.error, say)
    return say("After move %(number)d, %(who)s: %(sentence)s", number=incident.after, who=who, sentence=sentence)


_AMENDED: dict[str, str] = {
    "entered": mark("%(place)s: entered as the %(new)s."),
    "corrected": mark("%(place)s: the %(old)s was corrected to the %(new)s."),
    "reseat": mark("%(place)s: the card was laid anew to be read again."),
    "as_it_lies": mark("The table was taken as it lay: %(place)s."),
    "as_shown": mark("The screen was right: %(place)s."),
    "went_on": mark("Play was stopped and went on."),
}


def amendment_words(amendment: Amendment, view: View, say: Translator = ENGLISH) -> str:
    """What people have put right: the old value beside the new one, and the reason."""
    places = [
        slot_words((seat, number), view, say) if seat >= 0 else say("card %(number)d of the row", number=number)
        for seat, number in amendment.places
    ]
    old, new = ("" if text is None else card_words(Card.parse(text), say) for text in (amendment.old, amendment.new))
    place = say.listed(places) or say("no card")
    sentence = say(_AMENDED[amendment.kind], place=place, old=old, new=new)
    told = say("After move %(number)d: %(sentence)s", number=amendment.after, sentence=sentence)
    return say("%(sentence)s Reason: %(reason)s", sentence=told, reason=amendment.reason) if amendment.reason else told


def differs_words(say: Translator = ENGLISH) -> str:
    """Said where nobody is accused."""
    return say("Table and screen do not agree.")


def _discards(dispute: Dispute, say: Translator) -> Answered:
    if not dispute.end_discards:
        return Answered(say("How many discards count?"), str(dispute.discards_now))
    sentence = (
        mark("%(count)d of %(end)d")
        if dispute.discards_now <= dispute.end_discards
        else mark("%(count)d; the %(end)d that bring on the end are reached")
    )
    now = say(sentence, count=dispute.discards_now, end=dispute.end_discards)
    return Answered(say("How many discards count?"), now, (_then(dispute, str(dispute.discards), say),))


def _steal(dispute: Dispute, say: Translator) -> Answered:
    answer = say("Yes: it could not be stolen then.") if dispute.steal == "locked" else say("No: the steal was allowed.")
    return Answered(say("Was the stolen card locked?"), answer)


def _locks(dispute: Dispute, view: View, say: Translator) -> Answered:
    asked = (
        mark("Which cards were locked after move %(number)d?") if dispute.number else mark("Which cards were locked at the deal?")
    )
    question = say(asked, number=dispute.number)
    if not dispute.locks:
        return Answered(question, say("None."))
    return Answered(question, say.counted("1 card", "%(count)d cards", len(dispute.locks)), tuple(
        _lock(each, view, say) for each in dispute.locks
    ))  # fmt: skip


def _lock(answer: LockAnswer, view: View, say: Translator) -> str:
    lock, names = answer.lock, names_of(view)
    where = say("a card that has moved on") if lock.slot is None else slot_words((lock.thief, lock.slot), view, say)
    sentence = (
        mark("%(where)s: %(who)s may not steal it back up to turn %(until)d; it is locked now.")
        if answer.running
        else mark("%(where)s: %(who)s could not steal it back up to turn %(until)d; that is over.")
    )
    return say(sentence, where=where, who=seat_name(lock.victim, names, say), until=answer.until)


def _touched(dispute: Dispute, view: View, say: Translator) -> Answered:
    assert dispute.place is not None
    question = say("Was %(place)s touched?", place=slot_words(dispute.place, view, say))
    because = [line_words(line, view, say) for line in dispute.touched]
    because += [incident_words(each, view, say) for each in dispute.incidents]
    if dispute.handled:
        because.append(say("Its card was lifted since the last move, or is in a hand."))
    if not dispute.touched:
        return Answered(question, say("No move that stands has changed its card."), tuple(because))
    times = say.counted("Yes, by 1 move.", "Yes, by %(count)d moves.", len(dispute.touched))
    return Answered(question, times, tuple(because))


_SAME: dict[str, str] = {
    "yes": mark("Yes."),
    "no": mark("No."),
    "unknown": mark("That is not known: no camera has seen it all the time."),
}


def _same(dispute: Dispute, view: View, say: Translator) -> Answered:
    assert dispute.place is not None
    asked = (
        mark("Is it still the card that lay in %(place)s after move %(number)d?")
        if dispute.number
        else mark("Is it still the card that lay in %(place)s at the deal?")
    )
    question = say(asked, place=slot_words(dispute.place, view, say), number=dispute.number)
    return Answered(question, say(_SAME[dispute.same]))


_LABELS: dict[str, str] = {
    "title": mark("What happened?"),
    "timeline": mark("Moves"),
    "deal": mark("The deal"),
    "pick_slot": mark("Ask about a slot"),
    "answers": mark("Answers"),
    "stop_first": mark("Play goes on. Stop it first; then the record answers."),
    "stop": mark("Stop"),
    "go_on": mark("Play goes on"),
    "back_here": mark("Go back to here"),
    "again_here": mark("Do the next move again"),
    "reseat": mark("Read this card anew"),
    "table": mark("To the table"),
    "did_not_stand": mark("What did not stand"),
    "amended": mark("Put right by hand"),
    "lost": mark("No connection to the table. Trying again …"),
}


def dispute_label(name: str, say: Translator = ENGLISH) -> str:
    """The text called `name` of the screen; raises `KeyError` for one that there is not."""
    return say(_LABELS[name])
