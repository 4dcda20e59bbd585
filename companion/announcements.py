"""Views and rulings into words for players: the only door to sentences.  Pure functions; no colours, no pins.

Every function takes a `Translator` as its last argument; without one it speaks English.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.views import View
from companion.words.cards import (
    CATEGORIES,
    card_words,
    category_words,
    hand_words,
    result_words,
    standing_words,
    suit_words,
)
from companion.words.chips import bet_button_words, chips_label, mark_words, round_words
from companion.words.disputes import (
    Answered,
    amendment_words,
    dispute_label,
    dispute_words,
    home_words,
    incident_words,
    line_words,
    loose_words,
    proposal_words,
    reseat_words,
    step_words,
    steps_words,
)
from companion.words.evidence import (
    at_words,
    changed_words,
    checked_words,
    ended_words,
    evidence_label,
    gone_words,
    hard_words,
    outcome_words,
    proof_words,
    reread_words,
    said_words,
    summary_words,
    unshown_words,
    winners_words,
)
from companion.words.install import device_words, install_label
from companion.words.moves import lock_words, move_words, offer_words, question_words, slot_words
from companion.words.page import label, refusal_words, seat_state_words, slot_state_words
from companion.words.reveal import loses_words, open_hand_words, reveal_label
from companion.words.rulebook import rule_anchor, rulebook_label, rulebook_words
from companion.words.rules import ERROR_KINDS, error_words, ruling_words, seat_name
from companion.words.scores import unfinished_words, unscored_words
from companion.words.state import (
    blind_words,
    deck_words,
    ending_words,
    headline,
    hint_words,
    missing_words,
    placement_words,
    record_words,
    trouble_words,
    violation_words,
)
from companion.words.translator import ENGLISH, Translator
from companion.words.voice import sound_words, voice_label

__all__ = [
    "CATEGORIES",
    "ENGLISH",
    "ERROR_KINDS",
    "Announced",
    "Answered",
    "Translator",
    "amendment_words",
    "announce",
    "at_words",
    "bet_button_words",
    "blind_words",
    "card_words",
    "category_words",
    "changed_words",
    "checked_words",
    "chips_label",
    "deck_words",
    "device_words",
    "dispute_label",
    "dispute_words",
    "ended_words",
    "ending_words",
    "error_words",
    "evidence_label",
    "gone_words",
    "hand_words",
    "hard_words",
    "headline",
    "hint_words",
    "home_words",
    "incident_words",
    "install_label",
    "label",
    "line_words",
    "lock_words",
    "loose_words",
    "mark_words",
    "missing_words",
    "move_words",
    "offer_words",
    "outcome_words",
    "placement_words",
    "proof_words",
    "proposal_words",
    "question_words",
    "record_words",
    "refusal_words",
    "reread_words",
    "reseat_words",
    "result_words",
    "reveal_label",
    "round_words",
    "rule_anchor",
    "rulebook_label",
    "rulebook_words",
    "ruling_words",
    "said_words",
    "seat_name",
    "seat_state_words",
    "slot_state_words",
    "slot_words",
    "sound_words",
    "standing_words",
    "step_words",
    "steps_words",
    "suit_words",
    "summary_words",
    "trouble_words",
    "unfinished_words",
    "unscored_words",
    "unshown_words",
    "violation_words",
    "voice_label",
    "winners_words",
]


@dataclass(frozen=True, slots=True)
class Announced:
    """A whole view in words; an empty text where there is nothing to say."""

    headline: str
    hint: str
    happened: str
    """The last move."""
    ending: str
    question: str
    choices: tuple[str, ...]
    """The answers to the question, in the order of their numbers."""
    violation: str
    remedy: tuple[str, ...]
    """What to put back, in the order of the violation's list."""
    awaiting: tuple[str, ...]
    """What a declared move still has to lay somewhere, in the order of the view's list."""
    locks: tuple[str, ...]
    hands: tuple[str, ...]
    """Per seat what its hand is worth, once all of it is revealed."""
    ranks: tuple[str, ...]
    """In the order of the view's ranking, why each loses to the one before it."""
    result: str
    blind: tuple[str, ...]
    trouble: str
    record: str
    deck: str
    steps: tuple[str, ...]
    """What to do with the cards after undo and redo."""
    homes: tuple[str, ...]
    """Where loose cards belong that lie in wrong slots."""
    loose: str
    reseat: str
    proposal: str
    missing: str = ""
    """How many cards are missing to the end."""
    hard: tuple[tuple[str, ...], ...] = ()
    """Per card that was hard to read: what is said beside its picture."""


def announce(view: View, say: Translator = ENGLISH) -> Announced:
    """Everything there is to say about `view`."""
    text, choices = ("", ()) if view.question is None else question_words(view.question, view, say)
    violation = view.violation
    return Announced(
        headline=headline(view, say),
        hint=hint_words(view, say),
        happened="" if view.last is None else move_words(view.last, view, say),
        ending=ending_words(view, say),
        missing=missing_words(view, say),
        question=text,
        choices=choices,
        violation="" if violation is None else violation_words(violation, view, say),
        remedy=() if violation is None else tuple(placement_words(item, view, say) for item in violation.remedy),
        awaiting=tuple(placement_words(item, view, say) for item in view.awaiting),
        locks=tuple(lock_words(lock, view, say) for lock in view.locks),
        hands=tuple(open_hand_words(view, seat.seat, say) for seat in view.seats),
        ranks=tuple(loses_words(rank, view, say) for rank in view.ranking),
        result=result_words(view, say),
        blind=blind_words(view, say),
        trouble=trouble_words(view, say),
        record=record_words(view, say),
        deck=deck_words(view, say),
        steps=steps_words(view, say),
        homes=tuple(home_words(home, view, say) for home in view.homes),
        loose=loose_words(view, say),
        reseat=reseat_words(view, say),
        proposal="" if view.proposal is None else proposal_words(view.proposal, view, say),
        hard=tuple(hard_words(case, view, say) for case in view.hard),
    )
