"""Sentences for hands that cannot be put in an order."""

from __future__ import annotations

from companion.scoring import Refusal
from companion.words.cards import card_words
from companion.words.translator import ENGLISH, Translator


def unscored_words(refusal: Refusal, say: Translator = ENGLISH) -> str:
    """One sentence for each thing that stands in the way of a winner.  Only for open hands: it names cards."""
    said = [
        say.counted(
            "Hand %(hand)d has only one card.", "Hand %(hand)d has %(count)d cards instead of five.", found, hand=hand + 1
        )
        for hand, found in refusal.short
    ]
    said += [
        say.counted(
            "One card of hand %(hand)d cannot be read.", "%(count)d cards of hand %(hand)d cannot be read.", number, hand=hand + 1
        )
        for hand, number in refusal.unknown
    ]
    for card, holders in refusal.twice:
        where = say.listed([say("hand %(hand)d", hand=hand + 1) for hand in sorted(set(holders))])
        twice = say(
            "The %(card)s appears %(times)d times: in %(where)s.", card=card_words(card, say), times=len(holders), where=where
        )
        said.append(twice)
    return " ".join([*(said or [say("There is no hand.")]), say("Nothing is awarded.")])
