"""What to put back after a violation, for every kind of it.  The list on the page names the places; these say it in general."""

from __future__ import annotations

from companion.words.translator import ENGLISH, Translator, mark

_NOTHING = mark("Nothing has to be put back: no card has moved.")
_AS_BEFORE = mark("Put every card back where it lay before this move.")
_OWN_SLOTS = mark("Put each card back into its own slot.")
_BOTH_HOME = mark("Put both cards back into their own slots.")

_REMEDIES: dict[str, str] = {
    "bad_action": _NOTHING,
    "bad_seat": _NOTHING,
    "bad_slot": _NOTHING,
    "bad_target": _NOTHING,
    "bad_permutation": _NOTHING,
    "game_over": mark("Put every card back where it lay at the end."),
    "not_started": mark("Put every card back where it lay after the deal."),
    "already_started": _NOTHING,
    "ender_acted": _AS_BEFORE,
    "already_had_final_turn": _AS_BEFORE,
    "acted_twice": _AS_BEFORE,
    "not_your_turn": _AS_BEFORE,
    "positions_locked": _OWN_SLOTS,
    "already_arranged": mark("Put the cards back into the order that was chosen first."),
    "pile_empty": _NOTHING,
    "row_full": mark("Put the drawn card back onto the pile, face down, and a card that it replaced back into its slot."),
    "take_before_second_turn": _NOTHING,
    "row_empty": _NOTHING,
    "steal_from_self": _NOTHING,
    "steal_not_allowed_in_final": _BOTH_HOME,
    "ender_protected": _BOTH_HOME,
    "steal_back_locked": _BOTH_HOME,
    "pass_not_allowed": _NOTHING,
    "not_top_of_row": mark("Put the card back to its place in the row, and the one that it replaced back into its slot."),
    "removed_card_returned": mark("Lay that card aside again, and the card that belongs there back into its place."),
    "duplicate_card": mark(
        "A card that was only misread is laid flat once more. If there really are two of it, the right card takes the place of "
        "the wrong one."
    ),
    "foreign_card": mark(
        "Take the strange card away, and lay the one that belongs there into its place. A card that was only misread is laid "
        "flat once more."
    ),
    "wrong_slot": mark("Lay each of the two cards exactly where the other one lay, or put both back."),
    "positions_changed": _OWN_SLOTS,
    "slot_empty": mark("Lay the card that is missing back into its slot."),
    "two_actions": mark("Put back what was too much, so that one action is left, or everything."),
    "replaced_card_not_in_row": mark("Lay the card that made room face up onto the end of the row."),
    "peek": mark("Nothing has to be put back: leave the cards in their slots."),
    "row_changed": mark("Lay the row as the page shows it."),
    "wrong_count": mark("Put the cards back, and exchange as many as were announced."),
    "drew_out_of_turn": _AS_BEFORE,
    "card_returned": mark("Lay that card aside again, and take a new one from the pile."),
    "upcard_moved": mark("Hold the card face down over its slot and lay it back face up, or tap it and say which one it is."),
    "upcard_unclear": mark("Tap the card and say which one it is. If two cards lie in its slot, take one away."),
    "dealt_out_of_turn": mark("Put the card back onto the pile."),
    "folded_hand_changed": mark("Take the cards out of these slots again."),
    **dict.fromkeys(
        (
            "hand_over", "check_facing_bet", "call_without_bet", "bet_too_small", "bet_too_large", "raise_cap", "raise_closed",
            "no_chips", "bring_in_due", "no_openers", "must_open", "draw_not_open",
        ),
        _NOTHING,
    ),
    "too_many_discards": mark("Put back what was too much."),
    "card_not_held": _AS_BEFORE,
    "unexplained_change": mark("Put every card back where it lay; the page lists the places."),
}

_ANY = mark("Put the cards back as the page shows them.")


def remedy_words(kind: str, say: Translator = ENGLISH) -> str:
    """What to put back after a violation of this `kind`; something general for a kind that nobody knows."""
    return say(_REMEDIES.get(kind, _ANY))
