"""Why the table itself does not take what somebody declared.  No sentence says anything about a hidden card."""

from __future__ import annotations

from companion.words.translator import mark

DECLINED: dict[str, str] = {
    "impossible": mark("This is not possible now."),
    "not_your_turn": mark("It is another player's turn."),
    "drew_out_of_turn": mark("It is another player's turn to exchange cards."),
    "no_change": mark("That would change nothing: it is so already."),
    "first_go_on": mark("Play is stopped: first it has to go on."),
    "first_resume": mark("The table pauses: first it has to go on."),
    "is_stopped": mark("Play is stopped already."),
    "put_back_first": mark("First the cards have to be put back as listed."),
    "proposal_first": mark("First what was proposed has to be answered."),
    "question_first": mark("First the question has to be answered."),
    "no_say": mark("This seat has no say in it."),
    "agreed_already": mark("This seat has agreed already."),
    "no_redo": mark("There is no move to do again."),
    "cannot_redo": mark("This move cannot be done again: the table is another one by now."),
    "nothing_to_confirm": mark("Nothing waits to be confirmed."),
    "moving": mark("First every card has to lie still in its slot."),
    "empty_first": mark("A slot is empty: its card has to come back first."),
    "row_first": mark("First the row has to hold as many cards as the screen shows."),
    "foreign_first": mark("A card from outside this deck lies on the table: it has to go first."),
    "twice_first": mark("One card is seen in two places: one of them has to be lifted and laid anew first."),
    "too_many_seen": mark("More cards are seen than this game has left."),
    "no_table": mark("What the cameras see now is no whole table: no slot may be empty, and no card may be there twice."),
    "lies_open": mark("This card lies open: tap it, and say which one it is."),
    "lies_hidden": mark("This card lies hidden: lift it and lay it back, and it is read anew."),
    "was_read": mark("A camera has read this card: lift it and lay it back, and it is read anew."),
    "shown_now": mark("The hands are being shown: enter the card at the table's screen."),
    "lies_in_row": mark("This card lies open in the row already: look there which of the two it really is."),
    "lies_in_hand": mark("This card lies open in a hand already: look there which of the two it really is."),
    "no_camera": mark("No camera can read a card anew there."),
    "not_over": mark("The game is not over."),
    "too_many_deeds": mark("Too many deeds are waiting already: wait until the hands are free."),
    "unrecorded": mark("This could not be recorded, so it does not count: look whether there is room left for the records."),
    "no_next": mark(
        "The next game cannot begin, because nothing can be recorded: look whether there is room left for the records."
        " The game on the table stays as it is."
    ),
    "pending": mark("The table has taken this, and has not got to it yet."),
}
