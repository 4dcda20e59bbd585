"""Sentences for hands that cannot be put in an order."""

from __future__ import annotations

from dataclasses import replace

from companion.scoring import HAND, Refusal
from companion.words.cards import card_words
from companion.words.translator import ENGLISH, Translator


def unscored_words(refusal: Refusal, say: Translator = ENGLISH) -> str:
    """One sentence for each thing that stands in the way of a winner.  Only for open hands: it names cards."""
    return " ".join([*(_hindrances(refusal, say) or [say("There is no hand.")]), say("Nothing is awarded.")])


def unfinished_words(refusal: Refusal, say: Translator = ENGLISH) -> str:
    """The same where cards can still be added: as long as some are missing it is too early to say that nothing is awarded."""
    lacking = [(hand, found) for hand, found in refusal.short if found < HAND]
    if not lacking:
        return unscored_words(refusal, say)
    said = [
        say.counted(
            "Hand %(hand)d lacks one card: tap + to add it.", "Hand %(hand)d lacks %(count)d cards: tap + to add them.",
            HAND - found, hand=hand + 1,
        )
        for hand, found in lacking
    ]  # fmt: skip
    others = replace(refusal, short=tuple(each for each in refusal.short if each not in lacking))
    return " ".join([*said, *_hindrances(others, say)])


def _hindrances(refusal: Refusal, say: Translator) -> list[str]:
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
    return said
