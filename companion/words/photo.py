"""Words of the page on which photographs are scored: labels, how far the reading has come, and what is wrong with a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.cards import Card, Rank
from companion.games.hands import order_low
from companion.photosheet import Sheet, Snap
from companion.words.cards import card_words, hand_words
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "title": mark("Score a photo"),
    "lead": mark("Lay the hands open on the table, in rows or in front of their owners, and take a picture straight from above."),
    "several": mark("Several pictures of one table are put together: take another one if a hand does not fit."),
    "take": mark("Take a picture"),
    "choose": mark("Choose pictures"),
    "again": mark("Start over"),
    "table": mark("To the table"),
    "sending": mark("A picture is being sent …"),
    "hands": mark("The hands"),
    "hand": mark("Hand %(number)d"),
    "new_hand": mark("A new hand"),
    "add": mark("Add a card"),
    "add_to": mark("Hand %(number)d: add a card"),
    "unknown": mark("a card that cannot be read"),
    "in_hand": mark("Hand %(number)d: %(card)s"),
    "taken_out": mark("Taken out"),
    "taken_out_card": mark("Taken out: %(card)s"),
    "which_card": mark("Which card is it?"),
    "likely": mark("Probably"),
    "no_card": mark("No card here"),
    "move": mark("Move it to"),
    "close": mark("Close"),
    "picture": mark("Picture %(number)d"),
    "way": mark("What is a hand?"),
    "way_auto": mark("Five cards that lie together"),
    "way_rows": mark("A row"),
    "way_photo": mark("A picture"),
    "ranking": mark("How are hands compared?"),
    "ranking_suits": mark("High hands; the suit decides between equal ones"),
    "ranking_high": mark("High hands; equal ones share"),
    "ranking_27": mark("Low hands, deuce to seven"),
    "ranking_a5": mark("Low hands, ace to five"),
    "ranking_hilo": mark("The best high hand and the best low one"),
    "ranking_soko": mark("Sökö: four to a straight and four to a flush count"),
    "kept": mark("Pictures stay in this machine's memory for half an hour at most, and are never stored."),
    "reveal": mark("Use these cards for the game at the table"),
    "reveal_lead": mark("The game is over, and some cards have not been read. Say whose each hand is."),
    "whose": mark("Hand %(number)d is"),
    "nobodys": mark("nobody's"),
    "enter": mark("Enter these cards"),
    "lost": mark("No connection to the table. Please try again."),
    "no_script": mark("This page needs JavaScript."),
}


def photo_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The page's text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def low_words(hand: Sequence[Card], low: str, say: Translator = ENGLISH) -> str:
    """What five cards are worth as a low hand, by ``27`` or ``a5``: ``8-6-4-3-A``, or what is worse than no pair."""
    kind = order_low([hand], low).categories[0]
    if kind != "high card":
        return hand_words(hand, kind, say)
    ranks = sorted((1 if low == "a5" and card.rank == Rank.ACE else int(card.rank) for card in hand), reverse=True)
    return "-".join("A" if rank == 1 else "10" if rank == Rank.TEN else Rank(rank).letter for rank in ranks)


def lowest_words(names: Sequence[str], best: str, say: Translator = ENGLISH) -> str:
    """Who has the lowest hand."""
    who = say.listed(list(names))
    return say.counted(
        "%(who)s is lowest with %(best)s.", "%(who)s are lowest together with %(best)s.", len(names), who=who, best=best
    )


_NONE_FOUND = mark(
    "Take another picture: closer and from straight above, in good light without glare, with a corner of every card showing."
)


def progress_words(sheet: Sheet, ahead: int = 0, say: Translator = ENGLISH) -> str:
    """How far the reading has come; `ahead` pictures of others are read first."""
    waiting, total = sheet.waiting, len(sheet.snaps)
    if waiting and ahead:
        return say.counted(
            "Another picture is read first; yours waits.", "%(count)d other pictures are read first; yours wait.", ahead
        )
    if waiting:
        return say("Picture %(number)d of %(total)d is being read …", number=total - waiting + 1, total=total)
    if not total:
        return ""
    held = [number for hand in sheet.hands for number in hand]
    found = say.counted("One card was found.", "%(count)d cards were found.", len(held)) if held else say("No card was found.")
    if not sheet.spots and any(snap.state == "read" for snap in sheet.snaps):
        return f"{found} {say(_NONE_FOUND)}"
    unknown = sum(sheet.spot(number).card is None for number in held)
    if not unknown:
        return found
    tap = say.counted(
        "One of them cannot be read: tap it, and say which card it is.",
        "%(count)d of them cannot be read: tap each, and say which card it is.", unknown,
    )  # fmt: skip
    return f"{found} {tap}"


_REFUSED: dict[str, str] = {
    "empty": mark("Picture %(number)d is empty."),
    "strange": mark("File %(number)d is no picture that can be read here: it has to be JPEG, PNG, WebP or BMP."),
    "damaged": mark("Picture %(number)d is damaged."),
    "truncated": mark("Picture %(number)d ends too early: it was not sent whole, or is damaged. Please try again."),
    "too_large": mark("Picture %(number)d is too large: %(width)d × %(height)d pixels, at most %(most)d million can be read."),
    "too_small": mark("Picture %(number)d is too small: %(width)d × %(height)d pixels."),
    "slow": mark("Picture %(number)d took too long to read. A picture that shows less besides the cards may do better."),
    "unreadable": mark("Picture %(number)d cannot be read."),
}


def snap_words(snap: Snap, say: Translator = ENGLISH) -> str:
    """Why a picture was refused; empty for any other."""
    if snap.state != "refused":
        return ""
    sentence = _REFUSED.get(snap.kind, _REFUSED["unreadable"])
    return say(sentence, number=snap.number, **dict(snap.values))


def spot_words(card: Card | None, say: Translator = ENGLISH) -> str:
    """A card on a photograph."""
    return say(_LABELS["unknown"]) if card is None else card_words(card, say)


def entered_words(who: str, counts: Mapping[str, int], say: Translator = ENGLISH) -> list[str]:
    """What became of the cards of one hand that were entered for a seat: a sentence for each kind of outcome."""
    said = {
        "entered": say.counted(
            "%(who)s: one card was entered.", "%(who)s: %(count)d cards were entered.", counts.get("entered", 0), who=who
        ),
        "open": say.counted(
            "%(who)s: one card lies open already.", "%(who)s: %(count)d cards lie open already.", counts.get("open", 0), who=who
        ),
        "unknown": say.counted(
            "%(who)s: one card of the picture is not known.", "%(who)s: %(count)d cards of the picture are not known.",
            counts.get("unknown", 0), who=who,
        ),
        "number": say.counted(
            "%(who)s: the picture has only one card.", "%(who)s: the picture has %(count)d cards instead of five.",
            counts.get("number", 0), who=who,
        ),
        "no_room": say.counted(
            "%(who)s: one card finds no slot. Turn over what lies on the mat, and correct an open card by a tap.",
            "%(who)s: %(count)d cards find no slot. Turn over what lies on the mat, and correct an open card by a tap.",
            counts.get("no_room", 0), who=who,
        ),
    }  # fmt: skip
    return [words for kind, words in said.items() if counts.get(kind)]


def not_entered_words(who: str, refused: Sequence[tuple[Card, str]], say: Translator = ENGLISH) -> list[str]:
    """For each card that the table did not take the reason, which is a sentence already."""
    return [say("%(who)s, %(card)s: %(reason)s", who=who, card=card_words(card, say), reason=reason) for card, reason in refused]


REFUSALS: dict[str, str] = {
    "photo_busy": mark("Too many pictures are being read just now. Please try again in a minute."),
    "photo_many": mark("These are all the pictures that can be put together. Start over for others."),
    "photo_big": mark("This file is too large: at most %(most)d million bytes can be sent."),
    "photo_gone": mark("These pictures are not kept any more. Please take them again."),
    "photo_no_card": mark("This card is not there any more."),
    "photo_no_hand": mark("There is no such hand."),
    "photo_full": mark("No more cards can be added here."),
    "photo_not_now": mark("No cards are wanted from a picture now: the game at the table is not being revealed."),
    "photo_twice": mark("Two hands cannot be the same player's."),
}
"""Sentences for what the page does not take."""
