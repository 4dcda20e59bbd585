"""Sentences for what cannot be done in games with chips."""

from __future__ import annotations

from companion.words.translator import mark

BETTING_ERRORS: dict[str, str] = {
    "hand_over": mark("This hand is over."),
    "check_facing_bet": mark("There is a bet to match: call, raise or fold."),
    "call_without_bet": mark("There is no bet to call."),
    "bet_too_small": mark("A bet or raise has to be larger here."),
    "bet_too_large": mark("That is more than may be bet here."),
    "raise_cap": mark("There have been as many raises as one round allows."),
    "raise_closed": mark("Nobody could match a raise, or there was no full one since this seat has acted: call or fold."),
    "no_chips": mark("This seat is all-in and has no chips left to bet."),
    "bring_in_due": mark("The lowest open card has to bring in, or make a full bet."),
    "no_openers": mark("It takes a pair of jacks or better to open."),
    "must_open": mark("At this table whoever holds a pair of jacks or better has to open."),
    "too_many_discards": mark("So many cards cannot be exchanged."),
    "card_not_held": mark("Only cards of one's own hand can be thrown away, each of them once."),
    "wrong_count": mark("Another number of cards was exchanged than was announced."),
    "drew_out_of_turn": mark("It is another player's turn to exchange cards."),
    "card_returned": mark("A card that was thrown away is on the table again."),
    "upcard_moved": mark("An open card was lifted: it has to be shown again before it counts."),
    "upcard_unclear": mark("Two cameras do not agree about an open card. Nobody has done anything wrong."),
    "dealt_out_of_turn": mark("A card lies where none is dealt yet."),
    "folded_hand_changed": mark("Cards lie at a seat that is not in this hand."),
    "draw_not_open": mark("Cards are exchanged between the rounds of betting, not now."),
}
"""Every kind of error that only games with chips know."""
