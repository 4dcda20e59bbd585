"""The sitting as people talk to it: buttons, taps, answers, calls, bots and the reveal."""

from __future__ import annotations

import pytest

from companion.announcements import headline, hint_words, result_words
from companion.cards import DECK, Card, Mark
from companion.errors import DeclarationError
from companion.games import find_game
from companion.games.steal_state import Draw, StealCard, Take
from companion.observation import Answer, Call, Claim, Declaration, Entry, Press
from companion.sitting import RowSight, Seat, Sitting
from companion.table import row, slot
from companion.views import Role
from tests.companion.amended import agree
from tests.companion.told import Told


def test_a_draw_is_named_when_both_cards_lie() -> None:
    table = Told()
    new, old = table.pile[0], table.shown[slot(0, 3)]
    table.lie({slot(0, 3): new}, 3.0)
    assert table.actions == [], "the replaced card is still in the hand"
    table.lie({row(1): old})
    assert table.actions == [Draw(0, 3)]
    assert table.view.row == (str(old),)


def test_without_a_tray_the_button_declares_a_discard() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    assert table.actions == [Draw(0, None)]
    assert table.view.row == (None,)
    assert table.view.blind == ("discards",)


def test_without_a_tray_a_forgotten_button_is_asked_for_once() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    table.lie({slot(2, 1): table.pile.pop(0)}, 5.0)
    question = table.view.question
    assert question is not None
    assert question.choices[0] is not None
    assert question.choices[0].kind == "discard"
    table.say(1, Answer(question.id, 0), 5.0)
    assert table.actions[1] == Draw(1, None)
    assert table.view.violation is None


def test_who_denies_the_discard_has_the_next_player_out_of_turn() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    table.lie({slot(2, 1): table.pile.pop(0)}, 5.0)
    question = table.view.question
    assert question is not None
    table.say(1, Answer(question.id, 1), 3.0)
    assert table.view.violation is not None
    assert (table.view.violation.error, table.view.violation.seat) == ("not_your_turn", 2)
    assert table.kinds.count("question") == 1


def test_draw_or_take_is_asked_where_nobody_can_know() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    table.lie({slot(1, 1): table.pile.pop(0)}, 5.0)
    question = table.view.question
    assert question is not None
    assert sorted(choice.kind for choice in question.choices if choice is not None) == ["draw", "take"]
    taken = [choice is not None and choice.kind == "take" for choice in question.choices].index(True)
    table.say(1, Answer(question.id, taken))
    assert table.actions == [Draw(0, None), Take(1, 1)]
    assert table.view.removed == 1
    assert table.kinds.count("question") == 1


def test_a_declared_action_waits_for_its_cards() -> None:
    table = Told(sources=("tap", "mat", "mat"))
    table.say(0, Claim(StealCard(0, 1, 2, 5)))
    assert table.actions == [StealCard(0, 1, 2, 5)]
    assert [line.place for line in table.view.awaiting] == [(1, 2)]
    table.lie({slot(1, 2): table.pile.pop(0)})
    assert table.view.awaiting == ()
    assert table.view.violation is None


def test_a_declared_move_may_be_carried_out_in_two_tries() -> None:
    table = Told(sources=("tap", "mat", "mat"))
    table.say(0, Claim(Draw(0, 2)))
    table.discard(1, 1.0)
    table.lie({row(1): Mark.EMPTY}, 0.5).lie({row(1): DECK[45]}, 12.0)
    assert table.view.violation is None
    assert table.view.row == (str(DECK[45]),)


def test_a_claim_that_the_rules_forbid_changes_nothing() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    table.say(1, Claim(Draw(1, None)))
    table.say(0, Claim(Draw(1, None)))
    assert table.actions == []
    with pytest.raises(DeclarationError, match="seat 1 has no offer 0"):
        table.sitting.claim(1, 0)


def test_a_table_of_taps_plays_a_whole_game() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    for _ in range(5):
        seat = table.view.current
        assert seat is not None
        table.say(seat, Claim(Draw(seat, None)), 0.3)
    assert table.view.phase == "final"
    for seat in table.view.final_left:
        table.say(seat, Claim(Take(seat, 1)), 0.3)
    assert table.view.revealing
    free = list(DECK)
    for seat in range(3):
        for k in range(1, 6):
            table.say(seat, Entry(slot(seat, k), free.pop(0)), 0.1)
    assert table.view.result is not None
    assert table.view.result.order[0] == table.view.result.winners[0]
    assert table.view.seats[0].slots[0].card == str(DECK[0])


def test_the_reveal_uncovers_card_by_card() -> None:
    table = Told()
    for position in range(1, 6):
        table.discard(position)
    for position in (6, 7):
        table.discard(position)
    assert table.view.phase == "over"
    assert all(s.card is None for seat in table.view.seats for s in seat.slots)
    table.lie({slot(0, 2): Mark.EMPTY}, 0.5).lie({slot(0, 2): Mark.BACK})
    assert table.view.seats[0].slots[1].card == str(DECK[1])
    assert table.view.result is None
    table.lie({slot(seat, k): Mark.BACK for seat in range(3) for k in range(1, 6)})
    assert table.view.result is not None
    assert table.kinds[-1] == "result"
    assert table.view.result.hands[0] == tuple(map(str, DECK[:5]))


@pytest.mark.parametrize("taken_for", [Mark.UNREADABLE, Mark.FOREIGN])
def test_a_back_of_any_print_reveals_its_card(taken_for: Mark) -> None:
    table = Told()
    for position in range(1, 8):
        table.discard(position)
    assert table.view.phase == "over"
    table.lie({slot(0, 2): taken_for}, 1.4)
    assert table.view.seats[0].slots[1].card is None, "a hand may only have passed"
    table.wait(1.0)
    assert table.view.seats[0].slots[1].card == str(DECK[1])
    assert table.view.violation is None
    table.lie({slot(seat, k): taken_for for seat in range(3) for k in range(1, 6)}, 4.0)
    assert table.view.result is not None
    assert table.view.violation is None


def test_a_back_that_looks_hidden_reveals_its_card_once_it_has_lain_still() -> None:
    table, turned, beside = Told(), slot(0, 2), slot(0, 3)
    for position in range(1, 8):
        table.discard(position)
    table.lie({turned: Mark.COVERED, beside: Mark.COVERED}, 20.0)
    assert table.view.seats[0].slots[1].card is None, "a hand moves over it"
    table.still.add(turned)
    table.wait(4.5)
    assert table.view.seats[0].slots[1].card is None, "a hand may rest there"
    table.wait(1.0)
    assert table.view.seats[0].slots[1].card == str(DECK[1])
    assert table.view.seats[0].slots[2].card is None


def test_a_strange_card_before_the_end_is_still_strange() -> None:
    table = Told()
    table.discard(1)
    table.lie({slot(0, 2): Mark.FOREIGN}, 6.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "foreign_card"


def test_a_bot_acts_on_its_turn_and_waits_for_its_cards() -> None:
    table = Told(sources=("bot", "mat", "mat"))
    table.exchange(slot(1, 1), slot(1, 2), 6.0)
    assert table.actions == [], "somebody may still be sorting his cards"
    table.wait(3.0)
    assert len(table.actions) == 1
    assert table.actions[0].seat == 0
    table.wait(20.0)
    assert len(table.actions) == 1


def test_a_card_that_cannot_be_read_is_asked_for_at_the_reveal_only() -> None:
    dull = slot(1, 4)
    table = Told(deal=False)
    table.lie({slot(seat, k): table.pile.pop(0) for seat in range(3) for k in range(1, 6)}, 0.1)
    face = table.shown[dull]
    table.lie({dull: Mark.UNREADABLE}, 4.0)
    for position in range(1, 6):
        table.discard(position)
    table.exchange(slot(2, 1), slot(1, 2))
    table.discard(6)
    assert table.kinds == ["action"] * 7
    table.lie({slot(seat, k): Mark.BACK for seat in range(3) for k in range(1, 6)})
    question = table.view.question
    assert question is not None
    assert (question.kind, question.places) == ("enter_card", ((1, 4),))
    table.say(1, Entry(dull, face))
    assert table.view.question is None
    assert table.view.result is not None
    assert table.kinds.count("question") == 1


def test_the_page_waits_for_news() -> None:
    table = Told()
    version = table.view.version
    assert table.sitting.wait(version, 0.0).version == version
    table.draw(0, 1)
    assert table.sitting.wait(version, 0.0).version > version


def test_no_role_sees_a_hidden_card_before_the_reveal() -> None:
    table = Told()
    table.exchange(slot(0, 1), slot(1, 2))
    hidden = {str(seen) for place, seen in table.shown.items() if isinstance(seen, Card) and place.seat >= 0}
    for role in Role:
        for seat in (None, 0, 1, 2):
            shown = repr(table.sitting.view(role, seat))
            assert not [card for card in hidden if f"'{card}'" in shown]


def test_no_call_opens_a_hand_before_its_cards_are_turned() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(1, Call("leave"))
    assert table.view.phase == "over", "two players are no game"
    table.say(0, Call("reveal")).say(2, Entry(slot(0, 2), DECK[1])).say(2, Entry(slot(0, 2), DECK[40]))
    assert all(shown.card is None for seat in table.view.seats for shown in seat.slots)


def test_hands_that_were_shown_are_hidden_again_when_a_leaver_comes_back() -> None:
    table = Told(sources=("mat", "mat", "tap"))
    table.say(1, Call("leave"))
    table.lie({slot(0, k): Mark.BACK for k in range(1, 6)})
    assert table.view.seats[0].slots[0].card == str(DECK[0])
    table.say(1, Call("return"))
    assert table.view.phase == "over", "whoever is here has to agree"
    agree(table, 0, 2)
    assert (table.view.phase, table.view.turn_down) == ("setup", True)
    assert all(shown.card is None for seat in table.view.seats for shown in seat.slots)
    table.lie({slot(0, k): DECK[k - 1] for k in range(1, 6)}, 3.0)
    assert (table.view.turn_down, table.view.awaiting, table.view.current) == (False, (), 0)


def test_an_entry_for_no_place_is_refused_and_the_inbox_goes_on() -> None:
    table = Told()
    for place in (slot(9, 1), slot(0, 9), row(40)):
        table.sitting.post(Declaration(table.time, 0, Entry(place, DECK[40])))
    table.draw(0, 3)
    assert table.actions == [Draw(0, 3)]


def test_nobody_is_accused_while_a_camera_is_silent_or_right_after() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.fail(2)
    table.exchange(slot(2, 2), slot(1, 4), 4.0)
    assert table.view.violation is None
    table.heal(4.0)
    assert table.sitting.log()[-1].action == StealCard(1, 2, 2, 4)


def test_two_moves_behind_a_silent_camera_are_asked_about() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.fail(None, seconds=1.5)
    first, second = table.pile.pop(0), table.pile.pop(0)
    table.shown.update({row(2): table.shown[slot(1, 2)], row(3): table.shown[slot(2, 2)], slot(1, 2): first, slot(2, 2): second})
    table.wait(2.0).heal(12.0)
    assert table.view.violation is None
    assert table.view.question is not None
    assert table.view.question.kind == "differs"


def test_a_pause_stops_taps_too() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    table.say(0, Call("pause")).say(0, Claim(Draw(0, None)))
    assert table.actions == []


def test_a_question_in_hard_mode_is_no_peek() -> None:
    table = Told(sight=RowSight.NONE, hard_mode=True)
    table.say(0, Press(), 2.0)
    new = table.pile.pop(0)
    table.lie({slot(1, 1): Mark.EMPTY}, 0.5).lie({slot(1, 1): new}, 5.0)
    question = table.view.question
    assert question is not None
    table.say(1, Answer(question.id, 0), 8.0)
    assert len(table.actions) == 2
    assert table.view.violation is None


def test_pausing_stops_judging() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(1, Call("pause"))
    table.exchange(slot(2, 1), slot(2, 2), 5.0)
    assert (table.view.paused, table.view.violation) == (True, None)
    table.exchange(slot(2, 1), slot(2, 2)).say(1, Call("resume"), 3.0)
    assert (table.view.paused, table.view.violation) == (False, None)


def test_a_misdeal_may_be_called_before_the_first_action_only() -> None:
    table = Told()
    table.say(1, Call("misdeal"))
    assert table.kinds == ["misdeal"]
    table.draw(0, 1)
    table.say(1, Call("misdeal"))
    assert table.kinds.count("misdeal") == 1


@pytest.mark.parametrize("moves", [0, 1])
@pytest.mark.parametrize("sources", [("tap",) * 3, ("mat",) * 3])
@pytest.mark.parametrize("back", ["undo", "return"])
def test_a_leaver_who_ends_the_game_can_come_back(moves: int, sources: tuple[str, ...], back: str) -> None:
    table = Told(sources=sources, sight=RowSight.OVERHEAD if sources[0] == "mat" else RowSight.NONE)
    for seat in range(moves):
        table.say(seat, Claim(Draw(seat, None)))
        if sources[0] == "mat":
            table.discard(1, 6.0)
    before = table.view
    table.say(1, Call("leave"))
    assert (table.view.phase, table.view.unranked, table.view.revealing) == ("over", True, False)
    assert (headline(table.view), hint_words(table.view)) == ("Game over", "")
    assert result_words(table.view) == "Ben left, so the game ends without a winner. Undo brings it back."
    if sources[0] == "mat":
        table.lie({slot(0, k): Mark.EMPTY for k in range(1, 6)}, 10.0)
        assert table.view.violation is None, "the cards are gathered"
        table.lie({slot(0, k): DECK[k - 1] for k in range(1, 6)}, 3.0)
    table.say(1, Call(back), 3.0)
    assert (table.view.phase, table.view.current, table.view.undo) == (before.phase, before.current, moves)
    assert not table.view.seats[1].away
    table.say(0, Call("redo"))
    assert table.view.unranked


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(DeclarationError, match="source 'radio' is none of mat, tap, bot"):
        Sitting(find_game("steal"), [Seat("Ann", "radio")] * 3)
