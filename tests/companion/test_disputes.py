"""What the record answers about turns and slots; and that no answer depends on a card."""

from __future__ import annotations

from dataclasses import fields

import pytest

from companion.cards import DECK, Mark
from companion.disputes import Dispute
from companion.errors import DeclarationError
from companion.games.steal_state import Draw, StealCard
from companion.observation import Agree, Call, Claim, Correct, OwnEntry, Press, Reseat
from companion.sitting import RowSight
from companion.table import row, slot
from companion.words.disputes import amendment_words, dispute_words, incident_words, line_words
from tests.companion.amended import ended, taps
from tests.companion.told import Told


def stopped(table: Told) -> Told:
    table.say(0, Call("stop"))
    assert table.view.stopped
    return table


def agreed(table: Told) -> Told:
    for seat in (0, 1, 2):
        proposal = table.view.proposal
        assert proposal is not None
        table.say(seat, Agree(proposal.id, True), 0.2)
    return table


def three_moves() -> Told:
    """Ann steals slot 2 of Ben and gives her slot 4; Ben draws into slot 3; Cat discards from the pile."""
    table = Told()
    table.exchange(slot(0, 4), slot(1, 2), 6.0)
    table.draw(1, 3, 6.0)
    table.discard(2, 6.0)
    assert table.actions == [StealCard(0, 1, 2, 4), Draw(1, 3), Draw(2, None)]
    return table


def words(table: Told, number: int, place=None) -> dict[str, tuple[str, tuple[str, ...]]]:
    found = dispute_words(table.sitting.dispute(number, place), table.view)
    return {one.question: (one.answer, one.because) for one in found}


def test_the_record_answers_only_while_play_is_stopped() -> None:
    table = three_moves()
    for ask in (table.sitting.timeline, lambda: table.sitting.dispute(1)):
        with pytest.raises(DeclarationError, match="first play has to be stopped"):
            ask()
    assert len(stopped(table).sitting.timeline()) == 3


def test_the_timeline_tells_every_move_that_stands() -> None:
    table = stopped(three_moves())
    lines = table.sitting.timeline()
    assert [(line.number, line.turn) for line in lines] == [(1, 1), (2, 2), (3, 3)]
    assert line_words(lines[1], table.view) == "2. Ben drew into slot 3; the old card went to the row."
    table.say(0, Call("undo"))
    assert len(table.sitting.timeline()) == 2


def test_one_screen_answers_everything_about_a_turn() -> None:
    table = stopped(three_moves())
    assert words(table, 1) == {
        "Whose turn is it?": ("Ann", ("After move 1: Ben",)),
        "Was the order kept?": ("Yes: every move that stands was made in turn.", ()),
        "How many discards count?": ("2 of 5", ("After move 1: 0",)),
        "Was the stolen card locked?": ("No: the steal was allowed.", ()),
        "Which cards were locked after move 1?": (
            "1 card",
            ("slot 4 of Ann: Ben could not steal it back up to turn 3; that is over.",),
        ),
    }


def test_more_discards_than_bring_on_the_end_are_no_share_of_them() -> None:
    table = ended(taps())
    table.say(0, Call("undo"), 0.2)
    table.say(0, Call("stop"), 0.2)
    now, then = words(table, 5)["How many discards count?"]
    assert (now, then) == ("6; the 5 that bring on the end are reached", ("After move 5: 5",))


def test_a_lock_is_over_in_time() -> None:
    table = three_moves()
    stopped(table)
    lock = table.sitting.dispute(1).locks[0]
    assert (lock.lock.victim, lock.lock.thief, lock.lock.slot) == (1, 0, 4)
    # Three seats: Ben is barred in turn 2, his only one before turn 4.
    assert (lock.until, lock.running) == (3, False)
    assert table.sitting.dispute(0).locks == ()


def test_who_touched_a_slot_and_when() -> None:
    table = stopped(three_moves())
    assert words(table, 3, slot(1, 2))["Was slot 2 of Ben touched?"] == (
        "Yes, by 1 move.",
        ("1. Ann stole from slot 2 of Ben and gave slot 4.",),
    )
    assert words(table, 3, slot(2, 2))["Was slot 2 of Cat touched?"] == ("No move that stands has changed its card.", ())


def test_a_card_that_was_only_lifted_is_told() -> None:
    table = three_moves()
    lifted = table.shown[slot(2, 5)]
    table.lie({slot(2, 5): Mark.EMPTY}, 1.0).lie({slot(2, 5): lifted}, 1.0)
    stopped(table)
    assert table.sitting.dispute(3, slot(2, 5)).handled
    assert not table.sitting.dispute(3, slot(2, 4)).handled
    assert table.sitting.dispute(3, slot(2, 5)).same == "yes"


@pytest.mark.parametrize(
    ("place", "number", "same"),
    [
        (slot(1, 2), 0, "no"),
        (slot(1, 2), 1, "yes"),
        (slot(1, 3), 1, "no"),
        (slot(1, 3), 2, "yes"),
        (slot(2, 1), 0, "yes"),
    ],
)
def test_whether_it_is_still_the_card_of_then(place, number: int, same: str) -> None:
    assert stopped(three_moves()).sitting.dispute(number, place).same == same


def test_what_the_cameras_see_now_counts() -> None:
    table = stopped(three_moves())
    table.exchange(slot(2, 1), slot(2, 2), 2.0)
    assert table.sitting.dispute(3, slot(2, 1)).same == "no"
    table.lie({slot(2, 3): Mark.EMPTY}, 1.0)
    assert table.sitting.dispute(3, slot(2, 3)).same == "unknown"
    table.lie({slot(2, 3): Mark.UNREADABLE}, 2.0)
    assert table.sitting.dispute(3, slot(2, 3)).same == "unknown"
    table.shown[slot(2, 4)] = Mark.UNREADABLE
    table.wait(2.0)
    assert table.sitting.dispute(3, slot(2, 4)).same == "yes", "nobody has touched it"


def test_of_seats_that_nobody_watches_only_moves_are_known() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    table.say(0, Claim(StealCard(0, 1, 2, 4)), 0.3)
    stopped(table)
    assert table.sitting.dispute(0, slot(1, 2)).same == "no"
    assert table.sitting.dispute(1, slot(1, 2)).same == "unknown"


def test_a_card_that_is_to_be_laid_anew_is_not_vouched_for() -> None:
    table = agreed(stopped(three_moves()).say(2, Reseat(slot(2, 1))))
    assert table.sitting.dispute(3, slot(2, 1)).same == "unknown"


def test_who_acted_out_of_turn_is_told_though_it_does_not_stand() -> None:
    table = three_moves()
    table.exchange(slot(2, 1), slot(1, 1), 8.0)
    assert table.view.violation is not None
    table.exchange(slot(2, 1), slot(1, 1), 4.0)
    assert table.view.violation is None
    stopped(table)
    dispute = table.sitting.dispute(3, slot(2, 1))
    assert dispute.order_kept
    assert [(one.after, one.error) for one in dispute.out_of_turn] in ([(3, "not_your_turn")], [(3, "acted_twice")])
    assert dispute.incidents == dispute.out_of_turn
    assert incident_words(dispute.incidents[0], table.view).startswith("After move 3, Cat: ")


def test_a_move_that_was_taken_back_is_told_as_one() -> None:
    table = three_moves()
    table.say(0, Call("undo"))
    stopped(table)
    mishaps = [incident_words(one, table.view) for one in table.sitting.dispute(2).did_not_stand]
    assert mishaps == ["Taken back: Cat drew a card and laid it on the row."]


def test_what_was_put_right_keeps_the_old_value_beside_the_new_one_and_the_reason() -> None:
    table = three_moves()
    read, true = table.shown[row(1)], DECK[40]
    table.say(0, Correct(row(1), true, "look at it"))
    table.say(1, OwnEntry(slot(1, 5), DECK[41]))
    stopped(table)
    dispute = table.sitting.dispute(3)
    assert [(one.kind, one.places, one.old, one.new) for one in dispute.amendments] == [
        ("corrected", ((-1, 1),), str(read), str(true))
    ]
    assert amendment_words(dispute.amendments[0], table.view) == (
        "After move 3: card 1 of the row: the nine of clubs was corrected to the three of spades. Reason: look at it"
    )


def test_a_card_laid_anew_is_told_and_not_named() -> None:
    table = three_moves()
    agreed(table.say(2, Reseat(slot(2, 1), "it looked odd")))
    stopped(table)
    assert [amendment_words(one, table.view) for one in table.sitting.dispute(3).amendments] == [
        "After move 3: slot 1 of Cat: the card was laid anew to be read again. Reason: it looked odd"
    ]


def test_who_left_has_not_broken_the_order() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    table.say(0, Claim(Draw(0, None)), 0.2).say(0, Call("leave"), 0.2)
    dispute = table.sitting.dispute(2)
    assert dispute.order_kept
    assert [line_words(line, table.view) for line in table.sitting.timeline()][1:] == ["2. Ann has left."]


def test_what_nobody_can_ask_is_refused() -> None:
    table = stopped(three_moves())
    for number, place in ((-1, None), (4, None), (1, row(1)), (1, slot(3, 1))):
        with pytest.raises(DeclarationError):
            table.sitting.dispute(number, place)


def test_after_the_end_the_record_answers_too() -> None:
    table = Told()
    for position in range(1, 8):
        table.discard(position)
    dispute = table.sitting.dispute(7)
    assert (dispute.current_now, dispute.discards_now, dispute.end_discards) == (None, 7, 5)
    assert words(table, 7)["Whose turn is it?"][0] == "nobody's"


def play(order: tuple[int, ...]) -> list[str]:
    """Everything that is answered in one game, in which the hidden cards lie in another order."""
    table = Told(sight=RowSight.NONE, deal=False)
    cards = [DECK[index] for index in order]
    table.lie({slot(seat, k): cards.pop(0) for seat in range(3) for k in range(1, 6)}, 3.0)
    table.exchange(slot(0, 4), slot(1, 2), 6.0)
    table.say(1, Press(), 6.0)
    table.say(2, Press(), 6.0)
    table.say(0, Call("stop"))
    table.exchange(slot(2, 1), slot(2, 2), 2.0)
    answers = [repr(table.sitting.timeline())]
    for number in range(4):
        for place in (None, *(slot(seat, k) for seat in range(3) for k in range(1, 6))):
            dispute = table.sitting.dispute(number, place)
            answers.append(repr((dispute, dispute_words(dispute, table.view))))
    return answers


def test_two_games_that_differ_in_hidden_cards_get_the_same_answers() -> None:
    assert play(tuple(range(15))) == play(tuple(reversed(range(20, 35))))


def test_no_answer_can_hold_a_card() -> None:
    kinds = {str(field.type) for field in fields(Dispute)}
    assert not any("Card" in kind or "Held" in kind for kind in kinds)
    said = "".join(play(tuple(range(15))))
    assert not any(f"'{card}'" in said or repr(card) in said for card in DECK)
