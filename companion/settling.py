"""What people declare beside their moves: calls, corrections, proposals.  A declaration in, the next settlement out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.cards import Card, Shadow, is_named
from companion.errors import DeclarationError
from companion.observation import Agree, Answer, Call, Correct, Entry, OwnEntry, Reseat, Rewind
from companion.picture import Picture
from companion.proceedings import TYPED, Seating, Typed
from companion.recollection import doubt
from companion.referee import AnyReferee
from companion.resuming import KIND as DIFFERS
from companion.reveal import Reveal
from companion.table import Area, Place

Deed = Entry | Call | Rewind | Correct | Reseat | OwnEntry
Matter = Deed | Agree | Answer
"""What is settled here."""

ASK_EVERYBODY = ("go_on", "table_right", "screen_right")
"""Calls that a single person cannot make where nobody is the referee."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What is agreed and what has been shown."""

    referee: AnyReferee
    reveal: Reveal


def settle(before: Settlement, what: Matter, seat: int, picture: Picture, voters: tuple[int, ...], now: float) -> Settlement:
    """The settlement after `seat` has declared `what`; raise `DeclarationError` where that makes no sense now, or changes
    nothing.

    `voters`: the seats that have to agree before something is done that a single person may not do; none where a referee
    decides, who then is the only one from whom such declarations come.
    """
    if isinstance(what, Answer):
        return _told(before, what, picture, now)
    if isinstance(what, Agree):
        return _answered(before, what, seat, picture, voters, now)
    if before.referee.proposal is not None and isinstance(what, Call) and what.name in ("leave", "return"):
        # Who has to answer must not change under the question.
        raise DeclarationError("first what was proposed has to be answered", "proposal_first")
    after = _settled(before, what, seat, picture, voters, now)
    if before.referee.proposal is not None and after.referee.proposal is None:
        # What people are just answering must not be gone without a word.
        raise DeclarationError("first what was proposed has to be answered", "proposal_first")
    if after == before:
        raise DeclarationError("nothing would change", "no_change")
    return after


def _told(before: Settlement, answer: Answer, picture: Picture, now: float) -> Settlement:
    """After the tap on one of the choices of the open question."""
    referee, question = before.referee, before.referee.question
    if question is not None and question.kind == DIFFERS:
        return replace(before, referee=referee.settle_difference(picture, answer.question, answer.choice, now))
    told = replace(before, referee=referee.answer(answer.question, answer.choice, now))
    typed = None if question is None or question.kind not in TYPED else question.choices[answer.choice]
    if not isinstance(typed, Typed):
        return told
    return _corrected(told, Correct(typed.place, typed.card), picture, now, open_now=True)


def _settled(
    before: Settlement, what: Deed, seat: int, picture: Picture, voters: tuple[int, ...], now: float
) -> Settlement:
    if isinstance(what, Entry):
        return _entered(before, what, picture, now)
    if isinstance(what, OwnEntry):
        return _entered_by_owner(before, what, seat, picture, now)
    if isinstance(what, Call) and what.name in ("undo", "redo"):
        step = -1 if what.name == "undo" else 1
        what = Rewind(len(before.referee.turns) + step, what.reason)
    elif isinstance(what, Call) and what.name == "return" and _ended_by(before.referee, seat):
        # A game that is over has no seats to come back to: it has to go on first.
        what = Rewind(len(before.referee.turns) - 1, what.reason)
    if voters and _asks_everybody(before, what):
        _tried(before, what, seat, picture, now)
        return replace(before, referee=before.referee.proposed(what, seat, now))
    return _done(before, what, seat, picture, now)


def _ended_by(referee: AnyReferee, seat: int) -> bool:
    """Whether the game is over because the player of `seat` has left."""
    last = referee.turns[-1].action if referee.turns else None
    return referee.state.phase == "over" and last == Seating(seat, True)


def _asks_everybody(before: Settlement, what: Call | Rewind | Correct | Reseat) -> bool:
    referee = before.referee
    if isinstance(what, Call):
        return what.name in ASK_EVERYBODY
    if isinstance(what, Rewind):
        # What was shown cannot be unseen: whoever goes back behind it plays on with what he knows of the others.
        return bool(before.reveal.places) and what.turns < len(referee.turns)
    # A card that nobody has read has no reading that could get lost.
    return isinstance(what, Reseat) and isinstance(referee.state.table.at(_known_place(referee, what.place)), Card)


def _tried(before: Settlement, what: Call | Rewind | Correct | Reseat, seat: int, picture: Picture, now: float) -> None:
    """Nobody is asked to agree with something that cannot be done."""
    _done(before, what, seat, picture, now)


def _answered(
    before: Settlement, what: Agree, seat: int, picture: Picture, voters: tuple[int, ...], now: float
) -> Settlement:
    if seat not in voters:
        raise DeclarationError(f"seat {seat} has no say in this", "no_say")
    proposal = before.referee.proposal
    if proposal is not None and proposal.id == what.proposal and what.yes and seat in proposal.agreed:
        raise DeclarationError(f"seat {seat} has agreed already", "agreed_already")
    referee = before.referee.agreed(what.proposal, seat, what.yes, now)
    settled = replace(before, referee=referee)
    if proposal is None or referee.proposal is None or not set(voters) <= set(referee.proposal.agreed):
        return settled
    return _done(replace(settled, referee=replace(referee, proposal=None)), proposal.what, proposal.seat, picture, now)


def _done(before: Settlement, what: Call | Rewind | Correct | Reseat, seat: int, picture: Picture, now: float) -> Settlement:
    referee = before.referee
    if isinstance(what, Call):
        return _called(before, what, seat, picture, now)
    if isinstance(what, Rewind):
        back = what.turns < len(referee.turns)
        amended = referee.rewind(what.turns, now, before.reveal.places).told_by_hand(picture)
        return Settlement(amended, before.reveal.withdrawn() if back else before.reveal)
    if isinstance(what, Correct):
        return _corrected(before, what, picture, now)
    place = _known_place(referee, what.place)
    if place in _open_places(before):
        raise DeclarationError(f"the card at {place} lies open: it can be corrected", "lies_open")
    return replace(before, referee=referee.reseat(place, now, what.reason))


def _called(before: Settlement, call: Call, seat: int, picture: Picture, now: float) -> Settlement:
    referee = before.referee
    if call.name == "misdeal":
        return Settlement(referee.misdealt(now), Reveal())
    calls: dict[str, Callable[[], AnyReferee]] = {
        "pause": lambda: replace(referee, paused=True),
        "resume": lambda: replace(referee, paused=False, running_since=now),
        "leave": lambda: referee.seated(seat, True, now),
        "return": lambda: referee.returned(seat, now),
        "stop": lambda: referee.stop(seat, picture, now),
        "go_on": lambda: referee.go_on(now, picture, call.reason),
        "laid": referee.laid,
        "table_right": lambda: referee.table_right(picture, now, call.reason),
        "screen_right": lambda: referee.screen_right(picture, now, call.reason),
    }
    if call.name not in calls:
        raise DeclarationError(f"nobody can call {call.name!r} now")
    return replace(before, referee=calls[call.name]())


def _open_places(before: Settlement) -> frozenset[Place]:
    """The slots whose cards everybody can see."""
    return before.reveal.places | before.referee.game.shown(before.referee.state)


def _unsure(picture: Picture, place: Place) -> bool:
    """Whether the cameras do not vouch for the open card at `place` any more: it was lifted, or they do not agree about it."""
    return place in picture.change.returned or place in picture.change.doubtful


def _known_place(referee: AnyReferee, place: Place) -> Place:
    if place not in referee.game.places(len(referee.sight.watched)):
        raise DeclarationError(f"this game has no place {place}", "no_place")
    return place


def _entered(before: Settlement, entry: Entry, picture: Picture, now: float) -> Settlement:
    """A card typed where nobody has read one, or at the reveal of a seat without cameras."""
    referee = before.referee
    place = _known_place(referee, entry.place)
    watched = place.area is not Area.SLOT or referee.sight.watched[place.seat]
    over, held = referee.state.phase == "over", referee.state.table.at(place)
    shows = place in _open_places(before)
    # Everybody sees an open card, so there is nothing to find out by guessing where the cameras do not know it any more.
    unsure = shows and _unsure(picture, place)
    if place.area is Area.SLOT and not (over or shows):
        raise DeclarationError(f"the card at {place} lies hidden", "lies_hidden")
    if over and place.area is Area.SLOT and not shows and place not in referee.game.to_show(referee.state):
        raise DeclarationError(f"the card at {place} is not shown", "no_place")
    if watched and not unsure and (is_named(held) or (isinstance(held, Shadow) and not shows)):
        # Whether a guess is right must not be found out by guessing: a mat's card is shown by turning it over.
        raise DeclarationError(f"the card at {place} cannot be entered", "was_read")
    if place.area is Area.SLOT and place not in before.reveal.places:
        asked = referee.question
        pending = asked is not None and asked.kind in TYPED
        if pending and asked is not None and place not in asked.places[:1]:
            raise DeclarationError("first the question about the card that was typed has to be answered", "question_first")
        question = doubt(referee, place, entry.card, now)
        if question is not None:
            return replace(before, referee=referee.doubting(question, now))
        if pending:
            before = replace(before, referee=replace(referee, question=None))
    return _corrected(before, Correct(place, entry.card), picture, now, open_now=True)


def _corrected(before: Settlement, what: Correct, picture: Picture, now: float, open_now: bool = False) -> Settlement:
    """What lies open is called by its name; the result is looked at again."""
    place = _known_place(before.referee, what.place)
    shown = _open_places(before)
    if place.area is Area.SLOT and place not in shown and not open_now:
        raise DeclarationError(f"the card at {place} lies hidden: it can only be laid anew", "lies_hidden")
    referee = before.referee.correct(what, picture, now, shown)
    if place.area is not Area.SLOT:
        return replace(before, referee=referee)
    if referee == before.referee and place in shown:
        # What is known and shown already is said once more: whoever has won has won.
        return replace(before, reveal=before.reveal.vouched(what.card))
    return Settlement(referee, before.reveal.with_entry(place, what.card))


def _entered_by_owner(before: Settlement, what: OwnEntry, seat: int, picture: Picture, now: float) -> Settlement:
    """A hidden card that its owner names; nobody else learns of it."""
    place = _known_place(before.referee, what.place)
    if place.area is not Area.SLOT or place.seat != seat:
        raise DeclarationError(f"seat {seat} can enter cards of its own only", "other_seat")
    if before.referee.state.phase == "over":
        raise DeclarationError("the hands are being shown: cards are entered for everybody", "shown_now")
    referee = before.referee
    if referee.sight.watched[seat] and isinstance(referee.state.table.at(place), Card):
        # Nobody may call a card that a camera has read by another name while nobody else sees it.
        raise DeclarationError(f"a camera has read the card at {place}: it can only be laid anew", "was_read")
    shown = _open_places(before)
    if place in shown:
        raise DeclarationError("an open card is entered for everybody", "shown_now")
    return replace(before, referee=referee.correct(Correct(place, what.card), picture, now, shown, hidden=True))
