"""Sentences for the state of the table: whose turn, what to put back, what the table cannot see."""

from __future__ import annotations

from collections.abc import Sequence

from companion.views import PlacementView, SlotShows, TroubleView, View, ViolationView
from companion.words.chips import betting_hint, waiting_words
from companion.words.disputes import differs_words, some_slot_is_free
from companion.words.moves import names_of, slot_words
from companion.words.rules import error_words, seat_name
from companion.words.translator import ENGLISH, Translator, mark


def headline(view: View, say: Translator = ENGLISH) -> str:
    """The one line that everybody at the table has to see now."""
    if view.stopped:
        return say("Stopped")
    if view.paused:
        return say("Paused")
    if view.violation is not None:
        return say("One moment, please")
    if view.question is not None:
        return say("A question")
    if view.result is not None or view.unranked:
        return _winner_line(view, say)
    if (view.revealing or view.phase == "over") and not view.steps:
        return say("Turn your cards over")
    if view.steps or view.turn_down:
        return say("Please move the cards")
    if any(placement.kind.startswith("return") for placement in view.awaiting):
        return say("Put the cards back")
    return _turn_line(view, say)


def _turn_line(view: View, say: Translator) -> str:
    """Whose turn it is, or what everybody waits for."""
    names = names_of(view)
    if view.waits and not view.awaiting:
        return waiting_words(view, say)[0]
    if view.current is None and not view.waits:
        return say("Setting up")
    if view.chips is not None and len({line.place[0] for line in view.awaiting if line.place and line.kind == "lay_card"}) > 1:
        return say("Deal the next cards")
    if view.awaiting and view.last is not None and view.last.seat is not None:
        return say("Move the cards for %(who)s", who=seat_name(view.last.seat, names, say))
    who = seat_name(view.current or 0, names, say)
    if view.phase == "final":
        return say("Final turn: %(who)s", who=who)
    return say("%(who)s to play", who=who)


def _winner_line(view: View, say: Translator) -> str:
    winners = view.result.winners if view.result is not None else ()
    if view.result is not None and not winners and view.result.won:
        return say("Dealt again")
    return winner_words(winners, names_of(view), say)


def winner_words(winners: Sequence[int], names: Sequence[str], say: Translator = ENGLISH) -> str:
    """Who has won, in the line that everybody has to see."""
    if not winners:
        return say("Game over")
    who = say.listed([seat_name(seat, names, say) for seat in winners])
    return say.counted("%(who)s wins!", "%(who)s win together!", len(winners), who=who)


def hint_words(view: View, say: Translator = ENGLISH) -> str:
    """One quiet line below the headline: what can be done now."""
    if view.stopped:
        return say("Nothing is judged. Settle it, and then let play go on.")
    if view.paused:
        return say("Nothing is judged until the game goes on.")
    if view.violation is not None or view.question is not None or view.result is not None or view.unranked:
        return ""
    if view.revealing or view.phase == "over":
        return _reveal_hint(view, say)
    if view.steps or view.turn_down:
        return ""
    if view.chips is None and (view.phase == "setup" or view.current is None):
        return say("Five cards each, face down in the slots. The first move starts the game.")
    if any(placement.kind == "confirm" for placement in view.awaiting):
        return say("No camera sees them: press Done there when they lie.")
    if view.awaiting:
        return say("The game goes on when they lie there.")
    if view.phase == "final":
        return _final_hint(view, say)
    if view.chips is not None:
        return waiting_words(view, say)[1] or betting_hint(view.chips, view.current, say)
    return say(_CHOICES[bool(view.pile), bool(view.row) and view.turn > 0])


_CHOICES: dict[tuple[bool, bool], str] = {
    (True, True): mark("Draw, take from the row or steal."),
    (True, False): mark("Draw or steal."),
    (False, True): mark("Take from the row or steal."),
    (False, False): mark("Steal."),
}
"""What can be done in a turn, by whether there is a card in the pile and one in the row that may be taken."""


def _reveal_hint(view: View, say: Translator) -> str:
    slots = [slot for seat in view.seats for slot in seat.slots if not slot.bare]
    hidden = sum(slot.shows is not SlotShows.REVEALED for slot in slots)
    if not hidden:
        return say("All hands are known.")
    return say.counted("1 card is still hidden.", "%(count)d cards are still hidden.", hidden)


def _final_hint(view: View, say: Translator) -> str:
    after = [seat for seat in view.final_left if seat != view.current]
    if not after:
        return say("This is the last turn of the game.")
    return say("Then: %(names)s.", names=say.listed([seat_name(seat, names_of(view), say) for seat in after]))


def ending_words(view: View, say: Translator = ENGLISH) -> str:
    """How near the end is; empty while it is far away or the game is over."""
    if view.phase == "final" and view.ender is not None:
        return say("%(who)s triggered the final turns and has no further turn.", who=seat_name(view.ender, names_of(view), say))
    if view.phase != "play":
        return ""
    if view.to_end == 1 and len(view.row) == 4:
        return say("Four cards in the row: the next one brings on the end.")
    if view.to_end == 1:
        return say("The next card on the row brings on the end.")
    if view.pile <= len(view.seats):
        return say.counted(
            "Only 1 card is left in the pile.",
            "Only %(count)d cards are left in the pile.",
            view.pile,
        )
    return ""


def missing_words(view: View, say: Translator = ENGLISH) -> str:
    """How many cards are missing to the end; empty where `ending_words` says it, or none are counted."""
    if view.to_end is None or view.to_end == 1 or view.phase != "play":
        return ""
    return say.counted("1 more card to the end", "%(count)d more cards to the end", view.to_end)


def violation_words(violation: ViolationView, view: View, say: Translator = ENGLISH) -> str:
    """What the rules say of it, with the seats where they can be named, and never a card."""
    seats = violation.seats if violation.seat is None else (violation.seat,)
    filled = violation.error == "slot_empty" and not some_slot_is_free(view)
    sentence = differs_words(say) if filled or violation.error == "differs" else error_words(violation.error, say)
    if filled or not seats:
        return sentence
    if violation.error == "slot_empty" and violation.places:
        return _empty_words(violation, view, say)
    names = names_of(view)
    who = say.listed([seat_name(seat, names, say) for seat in seats])
    broken = say("%(who)s: %(sentence)s", who=who, sentence=sentence)
    if violation.error not in _INCOMPLETE or view.current is None or view.current in seats:
        return broken
    # The rules name such a move by what is missing (rules 1.10); players ask first whose turn it is.
    return say("It is %(turn)s's turn. %(sentence)s", turn=seat_name(view.current, names, say), sentence=broken)


def _empty_words(violation: ViolationView, view: View, say: Translator) -> str:
    """Where a card is missing.  Whose slot it is says nothing of who took the card."""
    free = [(seat, slot) for seat, slot in violation.places if view.seats[seat].slots[slot - 1].shows is SlotShows.OUT]
    places = free or violation.places
    return say.counted(
        "This slot is empty: %(places)s. Every slot needs its card.",
        "These slots are empty: %(places)s. Every slot needs its card.",
        len(places),
        places=say.listed([slot_words(place, view, say) for place in places]),
    )


_INCOMPLETE = ("replaced_card_not_in_row", "not_top_of_row", "two_actions")
"""Violations that only somebody who acts can commit, and that are named before his turn is asked for."""


_PUT: dict[str, str] = {
    "return_card": mark("Put the card back into %(place)s."),
    "clear_slot": mark("Take the card out of %(place)s."),
    "lay_card": mark("Lay the card into %(place)s."),
    "turn_down": mark("Turn the card in %(place)s face down."),
    "row": mark("Lay the row as it is shown here."),
    "return_row": mark("Lay the row as it is shown here."),
    "confirm": mark("Do what was announced, then press Done."),
}

_PUT_ON_ROW: dict[str, str] = {
    "lay_card": mark("Lay the card that was replaced face up on the row."),
    "return_card": mark("Put the card back on the row."),
    "clear_slot": mark("Take the newest card off the row."),
    "row": _PUT["row"],
    "return_row": _PUT["return_row"],
    "confirm": _PUT["confirm"],
}


def placement_words(placement: PlacementView, view: View, say: Translator = ENGLISH) -> str:
    """One line of a list of things to lay somewhere; it names the place, never the card."""
    if placement.place is None:
        return say(_PUT_ON_ROW.get(placement.kind, _PUT["row"]))
    return say(_PUT.get(placement.kind, _PUT["return_card"]), place=slot_words(placement.place, view, say))


_BLIND: dict[str, str] = {
    "discards": mark("Nothing watches the row at this table: press the button when a drawn card goes straight to the row."),
    "quick_moves": mark("The cameras take their pictures with a pause between: please leave a moment between two moves."),
}


def blind_words(view: View, say: Translator = ENGLISH) -> tuple[str, ...]:
    """What this table cannot see, and what helps."""
    return tuple(say(_BLIND[kind]) for kind in view.blind if kind in _BLIND)


_DECKS = {
    "weak": mark("Many cards of this deck cannot be read. It need not be, but it can be taught once: viewmat teach."),
    "other": mark("This is not the deck that was taught; it is read like any other."),
}


def deck_words(view: View, say: Translator = ENGLISH) -> str:
    """What there is to say about the deck; mostly nothing."""
    return say(_DECKS[view.deck]) if view.deck in _DECKS else ""


def record_words(view: View, say: Translator = ENGLISH) -> str:
    """That the game waits because nothing can be written down, or that the record does not know the time of day."""
    if view.unrecorded:
        return say("The game cannot be recorded, so it waits: look whether there is room left where the records are kept.")
    if view.clock_unset:
        return say("This machine's clock is not set: dates and times of day in the record mean nothing.")
    return ""


_TROUBLES: dict[str, str] = {
    "silent": mark("No picture comes from %(board)s: check the camera's cable and its power."),
    "frozen": mark("The picture of %(board)s stands still: unplug its camera, and plug it in again."),
    "dark": mark("The camera of %(board)s sees only darkness: check its lamp, and whether something covers the lens."),
    "bright": mark("The camera of %(board)s is dazzled: turn away the light that shines into it."),
    "lost": mark("The camera of %(board)s cannot find its marks: put it back in its place, and take away what covers them."),
    "aside": mark("The camera of %(board)s does not have all of it in view: push it back into its place."),
    "moved": mark("The camera of %(board)s has been moved: leave it as it stands now, and it will look again."),
    "other_board": mark("The camera of %(board)s shows another board: put the boards, or the cables, back in their places."),
}
_ANY_TROUBLE = mark("The camera of %(board)s does not see: check it.")
_EXCHANGED = mark("The camera of %(board)s shows %(other)s: put the two back in their places, or exchange their cables.")


def trouble_words(view: View, say: Translator = ENGLISH) -> str:
    """For every camera that does not see: which one, what to do, and how play goes on meanwhile.  Empty while all see."""
    return " ".join(_trouble(trouble, view, say) for trouble in view.troubled)


def _trouble(trouble: TroubleView, view: View, say: Translator) -> str:
    board = _board(trouble.seat, view, say)
    if trouble.kind == "other_board" and trouble.other is not None:
        sentence = say(_EXCHANGED, board=board, other=_board(trouble.other, view, say))
    else:
        sentence = camera_trouble_words(trouble.kind, board, say)
    if not trouble.by_hand:
        return sentence
    if trouble.seat is None:
        # What to do without it stands among the things that this table cannot see.
        return say("%(sentence)s Until then the row is not watched.", sentence=sentence)
    who = seat_name(trouble.seat, names_of(view), say)
    return say("%(sentence)s Until then the moves of %(who)s are entered by tap.", sentence=sentence, who=who)


def camera_trouble_words(kind: str, board: str, say: Translator = ENGLISH) -> str:
    """What keeps the camera of `board` from seeing, and what to do; `kind` is a value of `TroubleKind`."""
    return say(_TROUBLES.get(kind, _ANY_TROUBLE), board=board)


def board_words(seat: int | None, names: Sequence[str], say: Translator = ENGLISH) -> str:
    """What a camera looks at: a seat's mat, or the tray (None)."""
    return say("the tray") if seat is None else say("the mat of %(who)s", who=seat_name(seat, names, say))


def _board(seat: int | None, view: View, say: Translator) -> str:
    return board_words(seat, names_of(view), say)
