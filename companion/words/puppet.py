"""Words of the virtual table: what its places and cards are called, what hands do there, and why they cannot."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import Card
from companion.words.cards import card_words
from companion.words.rules import seat_name
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "title": mark("The virtual table"),
    "lead": mark("You move the cards; the cameras watch, and the table finds out by itself what you have done."),
    "told": mark("What the table says"),
    "you": mark("you"),
    "deal": mark("Deal one card"),
    "deal_all": mark("Deal for me"),
    "hold_all": mark("Take my cards in hand"),
    "back": mark("Lay them back"),
    "look": mark("Look at it"),
    "turn": mark("Turn it over"),
    "show": mark("Turn my cards over"),
    "restore": mark("Put it right for me"),
    "several": mark("Choose several"),
    "let_go": mark("Let go"),
    "away": mark("Out of the game"),
    "in_hand": mark("In hand"),
    "more": mark("Tricks and cheating"),
    "on_top": mark("Lay it on top of what lies there"),
    "upside": mark("Lay it the other way up"),
    "other": mark("A card from another deck"),
    "joker": mark("A joker"),
    "all_faces": mark("Show me every face (that is cheating)"),
    "gather": mark("Gather and shuffle all cards"),
    "whose": mark("Whose hands"),
    "cameras": mark("What the cameras see"),
    "camera_mat": mark("From below, through the mat of %(who)s"),
    "camera_tray": mark("From above, the row and the pile"),
    "keys": mark(
        "A click lifts a card and a second one lays it down; or drag it. Keys: Enter lifts and lays down, arrows and Tab go from"
        " place to place, Escape lets go."
    ),
    "picked": mark("%(what)s: now choose where it goes."),
    "let_gone": mark("Let go."),
    "where": mark(
        "The card in your hand goes onto the row or into a slot; one that made room for a card of the row goes out of the game."
    ),
    "sit": mark("Take a seat and play"),
    "sit_lead": mark("The game that runs ends, and a new one begins: you move the cards of your seat, the others play theirs."),
    "all_seats": mark("All seats: I play for everybody"),
    "show_again": mark("Let the table play by itself"),
    "new_game": mark("Begin a new game"),
}

_SPOTS: dict[str, str] = {
    "pile": mark("the pile"),
    "away": mark("the cards that are out of the game"),
    "row": mark("the row"),
    "other": mark("a card from another deck"),
    "joker": mark("a joker"),
}

_DEEDS: dict[str, str] = {
    "move": mark("From here: %(what)s. To there: %(to)s."),
    "lift": mark("Lifted: %(what)s."),
    "back": mark("%(who)s lays the cards back."),
    "turn": mark("Turned over: %(what)s."),
    "look": mark("Being looked at: %(what)s."),
    "deal": mark("A card is dealt."),
    "deal_all": mark("The cards are dealt."),
    "bump": mark("A knock against the mat of %(who)s."),
    "rest": mark("A hand rests on the cards of %(who)s."),
    "press": mark("%(who)s presses the button."),
    "show": mark("The cards of %(who)s are turned over."),
    "restore": mark("The cards are laid as they were agreed last."),
    "gather": mark("All cards are gathered and shuffled."),
}

REFUSALS: dict[str, str] = {
    "no_such_place": mark("There is no such place on this table."),
    "no_card_there": mark("No card lies there."),
    "busy_hands": mark("Somebody else's hands are there, and do not go. Please try again."),
    "dealt_already": mark("Every slot has its card."),
    "nothing_held": mark("There is no card in this hand that could go back into its slot."),
    "no_deed": mark("Hands cannot do this."),
    "no_hands": mark("No game that is played by hand lies on the table."),
}


def puppet_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def deed_words(name: str, what: str, to: str, who: str, say: Translator = ENGLISH) -> str:
    """What hands do now: `what` and `to` are places in words, `who` is a seat's name."""
    sentence = _DEEDS[name]
    values = {key: text for key, text in (("what", what), ("to", to), ("who", who)) if f"%({key})s" in sentence}
    return say(sentence, **values)


def spot_words(name: str, names: Sequence[str], say: Translator = ENGLISH) -> str:
    """A place by its name on the page, such as ``slot-0-3`` or ``pile``, in words."""
    kind, _, rest = name.partition("-")
    if kind == "slot":
        seat, _, number = rest.partition("-")
        return say("slot %(slot)d of %(who)s", slot=int(number), who=seat_name(int(seat), names, say))
    if kind == "hand":
        return say("the hand of %(who)s", who=seat_name(int(rest), names, say))
    if kind == "row" and rest:
        return say("place %(number)d of the row", number=int(rest))
    if kind == "held":
        return say("a card in the hand")
    return say(_SPOTS[kind])


def lying_words(where: str, cards: Sequence[str | None], count: int, covered: bool, say: Translator = ENGLISH) -> str:
    """What lies at a place: ``slot 3 of Ann, a face-down card``.  `cards` are card texts, lowest first; None is a back."""
    things = [_one(card, say) for card in cards]
    if count > len(cards):
        things = [say.counted("1 card", "%(count)d cards", count)]
    if not things:
        things = [say("empty")]
    if covered:
        things.append(say("a hand is over it"))
    return ", ".join([where, *things])


def _one(card: str | None, say: Translator) -> str:
    if card is None:
        return say("a face-down card")
    return say("a joker") if card == "joker" else card_words(Card.parse(card), say)
