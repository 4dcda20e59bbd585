"""The rules of Five Card Steal in words: titles, and a sentence or two for each `Telling` of `companion.games.steal_rulebook`."""

from __future__ import annotations

from companion.words.translator import mark

NAME = mark("Five Card Steal")

SECTIONS: dict[str, str] = {
    "before": mark("Before the game"),
    "turn": mark("Your turn"),
    "end": mark("The end"),
    "wrong": mark("When something goes wrong"),
}

TITLES: dict[str, str] = {
    "STEAL-1.1": mark("What it is about"),
    "STEAL-1.2": mark("Dealing and arranging"),
    "STEAL-1.3": mark("One action a turn"),
    "STEAL-1.3-draw": mark("Draw"),
    "STEAL-1.3-steal": mark("Steal"),
    "STEAL-1.5": mark("Stealing back"),
    "STEAL-1.3-take": mark("Take"),
    "STEAL-1.3-pass": mark("Pass"),
    "STEAL-1.3-touch": mark("Changing your mind"),
    "STEAL-1.7": mark("Looking at cards"),
    "STEAL-1.3-end": mark("How the end comes"),
    "STEAL-1.3-final": mark("In the final turns"),
    "STEAL-1.6": mark("Who wins"),
    "STEAL-1.3-leave": mark("When somebody leaves"),
    "STEAL-1.10": mark("A move that does not stand"),
    "STEAL-1.10-positions": mark("Every card in its slot"),
    "STEAL-1.10-row": mark("The row"),
    "STEAL-1.10-one": mark("One thing after another"),
    "STEAL-1.10-deck": mark("One deck"),
    "STEAL-1.4": mark("Moves that are tapped"),
}

SENTENCES: dict[str, str] = {
    # What it is about.
    "goal": mark(
        "Have the best poker hand when the game ends. Your five cards lie face down in your five slots; slot 1 is at your left."
    ),
    "pile": mark(
        "Players: %(seats)d. The other %(pile)d cards are the pile, face down in the middle. Discards lie beside it, face up, "
        "and form the row; the one laid down last is the newest."
    ),
    # Dealing and arranging.
    "deal": mark("Everybody gets five cards, one at a time and clockwise; whoever is to play first gets the first card."),
    "first": mark("%(who)s begins this game. In the next game it is the next seat."),
    "arrange=once": mark(
        "Before the first move you may look at your cards and put them into the order that you like. That is done once."
    ),
    "arrange=until_start": mark("Before the first move you may look at your cards and change their order as often as you like."),
    "start": mark("The first move starts the game. From then on every card stays in its slot."),
    "misdeal": mark(
        "If something went wrong with the deal, say so before the first move: all cards are shuffled and dealt again, and the "
        "same player begins."
    ),
    # One action a turn.
    "action": mark("Play goes clockwise. On your turn you do exactly one thing: draw, steal or take. Then the next player acts."),
    "action_or_pass": mark(
        "Play goes clockwise. On your turn you do exactly one thing: draw, steal, take or pass. Then the next player acts."
    ),
    "draw": mark(
        "Take the top card of the pile. Either lay it face down into one of your slots, and the card from there goes face up "
        "onto the row; or lay it face up onto the row at once and keep your hand."
    ),
    "steal": mark(
        "Take a card from another player and give one of yours for it. Both stay face down and change places: each goes into the "
        "slot from which the other one came."
    ),
    "give_choice=after_take": mark("You may look at the stolen card before you choose what to give."),
    "give_choice=after_take, unseen": mark("You choose what to give when you have the stolen card, and do not look at it."),
    "give_choice=before_take": mark("You say what you give before you touch the other player's card."),
    "slot_view=owner": mark("Slots are counted from their owner's left."),
    "slot_view=thief": mark(
        "When players speak of a slot they count from the thief's left; the numbers of mats and pages count from the owner's."
    ),
    # Stealing back.
    "steal_back_scope=card_from_thief": mark("For a while you may not steal a card back from the player who stole it from you."),
    "steal_back_scope=card_any_holder": mark(
        "For a while you may not steal a card back that was stolen from you, whoever holds it by then."
    ),
    "steal_back_scope=player": mark("For a while you may steal nothing at all from a player who has stolen from you."),
    "steal_back_scope=card_frozen": mark("For a while nobody may steal a card that was stolen."),
    "steal_back_wait=rotation": mark(
        "That lasts until the thief's next turn: you miss one turn, and in the one after that you are free."
    ),
    "steal_back_wait=complete_round": mark(
        "That lasts until the whole round after the theft is over, too. A round begins with %(who)s."
    ),
    "free, card_from_thief": mark(
        "Everything else is free: another card of the thief, that card in a third player's hand, and for others that card, too."
    ),
    "free, card_any_holder": mark("Everything else is free: another card of the thief, and for others that card, too."),
    "free, player": mark("Everything else is free: cards of the other players, and for others the cards of the thief, too."),
    "free, card_frozen": mark("All other cards are free."),
    "take_is_free": mark("A card in the row may be taken by anybody: that is no steal."),
    "lock_given_card=True": mark("For as long the thief may not steal back the card that was given for it."),
    # Take.
    "take": mark("Lay the newest card of the row face down into one of your slots. The card from there leaves the game."),
    "removed_face=down": mark("It is laid aside face down, and nobody is shown it."),
    "removed_face=up": mark("It is laid aside face up, for everybody to see."),
    "take_what": mark(
        "Older cards of the row stay where they are, and in the very first turn nothing is taken. You may take what you "
        "discarded yourself."
    ),
    # Pass.
    "allow_pass=False": mark("There is no passing."),
    "allow_pass=True": mark("You may pass: no card moves, and your turn is over."),
    "passed_over": mark("Whoever can do nothing at all is passed over."),
    # Changing your mind.
    "touch_move=off": mark(
        "Until the next player acts, only the place counts where the cards end up: you may tidy up, choose another card, or take "
        "your move back. But a drawn card that you have seen is used or discarded."
    ),
    "touch_move=on": mark(
        "What is touched is played: whoever lifts the top card of the pile draws, and whoever lifts a card of the row or of "
        "another player finishes that move."
    ),
    # Looking at cards.
    "hard_mode=False": mark(
        "You may look at your own cards at any time, also when others play: lift, look, and lay each back into its own slot."
    ),
    "hard_mode=True": mark(
        "Hard mode: after the first move nobody looks at cards that lie in slots. A card that is lifted and laid back counts as "
        "looked at."
    ),
    "hard_see_drawn=True": mark("A card that you draw you may look at before you use it."),
    "hard_see_drawn=False": mark("A card that you draw into a slot stays unseen, too."),
    "hard_see_stolen=False": mark("A card that you steal stays unseen, too."),
    "hard_see_stolen=True": mark("A card that you have stolen you may look at until the next player has played."),
    # How the end comes.
    "end_count=in_row": mark(
        "The discard that makes five cards in the row brings on the end. If a card is taken before that, the end moves away."
    ),
    "end_count=cumulative": mark(
        "The fifth discard of the game brings on the end, even if cards of the row were taken in the meantime."
    ),
    "pile_empty=end_final": mark("Drawing the last card of the pile brings on the end, too."),
    "pile_empty=no_draw": mark("When the pile is used up nobody draws any more, and the game goes on."),
    "pile_empty=end_now": mark("When the last card of the pile is drawn the game is over at once, without final turns."),
    "pile_empty=recycle_removed": mark(
        "When the pile is used up, the cards that have left the game are shuffled and are the new pile. If there are none, that "
        "brings on the end, too."
    ),
    "final_turns=all_others": mark(
        "Whoever brings on the end has no further turn. Everybody else has exactly one final turn, one after another."
    ),
    "final_turns=rest_of_round": mark(
        "Whoever brings on the end has no further turn. Only those who have not been up in this round have a final turn. A round "
        "begins with %(who)s."
    ),
    "max_turns": mark(
        "The number of turns is limited to %(turns)d. Then the game is over; only final turns that have begun are played out."
    ),
    "shown": mark("After that everybody turns the cards over."),
    # In the final turns.
    "final_steal=any": mark("You may do what you may do otherwise, and also steal from the player who brought on the end."),
    "final_steal=not_ender": mark("Nobody steals from the player who brought on the end."),
    "final_steal=none": mark("Nobody steals in the final turns."),
    "final_overflow=row": mark("A discard that finds five cards in the row is laid on all the same, as the sixth and so on."),
    "final_overflow=removed": mark("A discard that finds five cards in the row leaves the game instead."),
    "final_overflow=no_draw": mark("While five cards lie in the row nobody draws."),
    "end_latch=True": mark("The end stays, even if a card of the row is taken."),
    "end_latch=False": mark("A take that leaves fewer than five cards in the row calls the end off, and play goes on."),
    # Who wins.
    "kinds": mark(
        "Hands rank like this, the best first: straight flush, four of a kind, full house, flush, straight, three of a kind, two "
        "pair, one pair, high card. In one kind the higher ranks win, those of four, three and two of a kind before side cards."
    ),
    "ace": mark("The ace is the highest card; in 5-4-3-2-A it is the lowest."),
    "tie_break=suit_significant": mark(
        "With equal ranks the suit of the most important card decides, for example in the pair. Clubs are lowest, then diamonds, "
        "hearts and spades."
    ),
    "tie_break=suit_highest_card": mark(
        "With equal ranks the suit of the highest card decides. Clubs are lowest, then diamonds, hearts and spades."
    ),
    "tie_break=share": mark("With equal ranks the win is shared; suits do not count."),
    # When somebody leaves.
    "leaver=skip": mark(
        "Whoever leaves is passed over. The cards stay where they lie and may be stolen, and somebody else may take the seat. "
        "With fewer than three left the game is over, and nobody wins."
    ),
    "leaver=abort": mark("If one leaves, the game is over, and nobody wins."),
    "leaver, too few": mark("It takes three players: if one leaves, the game is over, and nobody wins."),
    # When something goes wrong.
    "penalty=undo": mark(
        "A move against the rules does not count and costs nothing. Put the cards back as the page shows; it is still the same "
        "player's turn."
    ),
    "penalty=lose_turn": mark(
        "A move against the rules does not count, and on your own turn it costs you that turn. Put the cards back."
    ),
    "stop": mark("Whoever thinks that the table is wrong presses Stop: then it tells what it saw and why."),
    "positions": mark(
        "Cards stay in their slots, and every slot has its card. In a steal each of the two lands where the other one lay."
    ),
    "row": mark(
        "The card that makes room for a drawn one goes face up to the end of the row. Discards and takes alone change the row."
    ),
    "one": mark("A turn has one action. Wait until it is done before the next one begins."),
    "deck": mark("Every card is one of this deck and lies in one place only. A joker does not play."),
    "form": mark("A move names a seat and slots that there are; arranging moves five cards among their own five slots."),
    # Where nothing but players can see to it.
    "unchecked": mark("Players see to this themselves: no camera can."),
}
