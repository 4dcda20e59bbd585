"""Short texts of the page itself: labels, and what it says when a tap makes no sense."""

from __future__ import annotations

from companion.views import SeatView, SlotShows, SlotView, View
from companion.words.access import REFUSALS
from companion.words.bench import TASK_REFUSALS
from companion.words.chips import seat_tags
from companion.words.declined import DECLINED
from companion.words.photo import REFUSALS as OF_PHOTOS
from companion.words.puppet import REFUSALS as OF_HANDS
from companion.words.setup import REFUSALS as OF_SETUP
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "title": mark("View mat"),
    "table": mark("The table"),
    "pile": mark("Pile"),
    "row": mark("Row"),
    "in_row": mark("card %(number)d of the row"),
    "aside": mark("Out of the game"),
    "row_card": mark("Card %(number)d of the row"),
    "unread": mark("a card nobody has read"),
    "end_here": mark("end"),
    "done": mark("Done"),
    "act": mark("My move"),
    "enter": mark("Tap a slot to enter its card."),
    "ask_slot": mark("%(who)s, slot %(slot)d: which card is it?"),
    "ask_row": mark("Card %(number)d of the row: which card is it?"),
    "tap_row": mark("Tap a “?” in the row to say which card lies there."),
    "menu": mark("Table"),
    "back": mark("Back"),
    "language": mark("Language"),
    "close": mark("Close"),
    "pause": mark("Pause"),
    "resume": mark("Go on"),
    "undo": mark("Undo the last move"),
    "redo": mark("Do the last undone move again"),
    "stop": mark("Stop"),
    "look": mark("What happened?"),
    "health": mark("Health of the table"),
    "go_on": mark("Play goes on"),
    "next_game": mark("Next game"),
    "same_again": mark("Same again"),
    "next_home": mark("The next game begins with a tap on the table's screen."),
    "next_club": mark("The next game is begun by the referee."),
    "next_ask": mark("Hands are still being shown. The next game ends this one without its result."),
    "next_sure": mark("Begin the next game"),
    "next_not": mark("Go on showing"),
    "agree": mark("%(who)s agrees"),
    "disagree": mark("No"),
    "laid": mark("The cards lie so"),
    "table_right": mark("The table is right"),
    "screen_right": mark("The screen is right"),
    "misdeal": mark("Deal again"),
    "leave": mark("%(who)s leaves"),
    "return": mark("%(who)s is back"),
    "lost": mark("No connection to the table. Trying again …"),
    "away": mark("away"),
    "bot": mark("plays by itself"),
    "tap": mark("plays by tap"),
    "by_hand": mark("by hand"),
    "has_ended": mark("triggered the end"),
    "winner": mark("winner"),
    "no_script": mark("This page shows the table as it was when it was opened; it needs JavaScript to follow the game."),
}


def label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The page's text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


_SHOWS: dict[SlotShows, str] = {
    SlotShows.UNWATCHED: mark("no camera"),
    SlotShows.LYING: mark("face down"),
    SlotShows.OUT: mark("empty"),
    SlotShows.BUSY: mark("a hand is there"),
    SlotShows.UNCERTAIN: mark("not readable"),
    SlotShows.REVEALED: mark("open"),
}


def slot_state_words(slot: SlotView, say: Translator = ENGLISH) -> str:
    """What a slot shows, without its card."""
    return say(_SHOWS[slot.shows])


def seat_state_words(seat: SeatView, view: View, say: Translator = ENGLISH) -> tuple[str, ...]:
    """What the page writes beside a seat's name."""
    names = [seat.source] if seat.source in ("bot", "tap") else []
    if seat.by_hand:
        names.append("by_hand")
    if seat.away:
        names.append("away")
    if view.ender == seat.seat and view.phase == "final":
        names.append("has_ended")
    if view.result is not None and seat.seat in view.result.winners:
        names.append("winner")
    chips = () if view.chips is None else seat_tags(view.chips, seat.seat, say)
    return (*(label(name, say) for name in names), *chips)


_REFUSALS: dict[str, str] = {
    "bad_form": mark("The table could not read this request: %(found)s."),
    "too_big": mark("This request is too long."),
    "other_site": mark("Only the table's own page may do this."),
    "no_seat": mark("There is no seat %(found)s; the seats are 1 to %(count)d."),
    "no_buttons": mark("This table has its buttons at the seats, not on the page."),
    "no_question": mark("This question is no longer open."),
    "no_choice": mark("This question has no such answer."),
    "not_by_tap": mark("%(who)s does not play by tap: the cameras watch the cards."),
    "no_offer": mark("This move is no longer possible; please choose again."),
    "no_amount": mark("So many chips cannot be bet here."),
    "not_now": mark("%(who)s has no move to make now."),
    "no_place": mark("No card can be entered there now."),
    "no_card": mark("%(found)s is no card."),
    "card_elsewhere": mark("This card lies open already: %(found)s, %(place)s."),
    "no_agreement": mark("There is nothing to agree with any more."),
    "not_stopped": mark("Play goes on; stop it first."),
    "not_open": mark("No open card lies there."),
    "long_reason": mark("A reason has at most %(count)d letters."),
    "no_call": mark("The table does not know the call %(found)s."),
    "no_story": mark("The story of this game can be told as soon as all hands are shown and its result stands."),
    "no_page": mark("There is no such page."),
    "refused": mark("The table could not take this: %(found)s"),
    "busy": mark("Too many pages are open at once; this one updates more slowly."),
    **REFUSALS,
    **TASK_REFUSALS,
    **DECLINED,
    **OF_PHOTOS,
    **OF_SETUP,
    **OF_HANDS,
}


def refusal_words(kind: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """Why the page did not take a tap; raises `KeyError` for a kind that there is not."""
    return say(_REFUSALS[kind], **values)
