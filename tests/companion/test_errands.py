"""Actions that were declared before the cards moved: who carries them out, who says so, and what may still change."""

from __future__ import annotations

import pytest

from companion.cards import DECK, Mark
from companion.games.steal_state import Draw, StealCard
from companion.observation import Answer, Call, Claim, Press
from companion.sitting import RowSight
from companion.table import row, slot
from companion.words.state import placement_words
from tests.companion.told import Told


def confirms(table: Told) -> bool:
    return [line.kind for line in table.view.awaiting] == ["confirm"]


def test_bots_whose_cards_nobody_sees_wait_for_the_button() -> None:
    table = Told(sources=("bot", "bot", "tap"), sight=RowSight.NONE)
    assert [action.seat for action in table.actions] == [0]
    assert confirms(table)
    assert placement_words(table.view.awaiting[0], table.view) == "Do what was announced, then press Done."
    table.wait(60.0)
    assert len(table.actions) == 1, "people still move the cards of the first bot"
    table.say(1, Press(), 5.0)
    assert len(table.actions) == 1, "only the button of the seat that moves says so"
    table.say(0, Press(), 5.0)
    assert [action.seat for action in table.actions] == [0, 1]
    table.say(1, Press(), 5.0)
    assert table.view.awaiting == ()
    assert table.view.current == 2


def test_the_next_player_need_not_wait_for_the_button() -> None:
    table = Told(sources=("bot", "tap", "tap"), sight=RowSight.NONE)
    assert confirms(table)
    table.say(1, Claim(Draw(1, 2)))
    assert table.actions[1:] == [Draw(1, 2)]
    assert table.view.awaiting == ()


def first_bot(table: Told) -> StealCard:
    """The first action of a bot at seat 0 that steals from a seat with a mat."""
    table.wait(12.0)
    action = table.actions[0]
    assert isinstance(action, StealCard)
    return action


@pytest.fixture
def robbed() -> tuple[Told, StealCard]:
    """A bot at seat 0 has announced a steal from a seat with a mat."""
    table = Told(sources=("bot", "mat", "mat"))
    return table, first_bot(table)


def test_a_bots_steal_is_done_when_another_card_lies_there(robbed: tuple[Told, StealCard]) -> None:
    table, action = robbed
    place = slot(action.victim, action.slot)
    assert [line.place for line in table.view.awaiting] == [(place.seat, place.number)]
    table.wait(20.0)
    assert table.view.awaiting, "the card that lies there is still the old one"
    table.lie({place: DECK[40]})
    assert table.view.awaiting == ()
    assert table.view.violation is None


def test_hands_may_be_sorted_while_the_first_action_is_only_announced(robbed: tuple[Told, StealCard]) -> None:
    table, action = robbed
    other = 3 - action.victim
    table.exchange(slot(other, 1), slot(other, 4), 12.0)
    assert table.view.violation is None
    kept = [k for k in range(1, 6) if k != action.slot][:2]
    table.exchange(slot(action.victim, kept[0]), slot(action.victim, kept[1]), 12.0)
    assert table.view.violation is None
    table.lie({slot(action.victim, action.slot): DECK[40]}, 12.0)
    assert table.view.awaiting == ()
    table.exchange(slot(other, 1), slot(other, 4), 12.0)
    assert table.view.violation is not None, "now the game has begun"
    assert table.view.violation.error == "positions_changed"


def test_looking_while_the_first_action_is_only_announced_is_no_peek() -> None:
    table = Told(sources=("bot", "mat", "mat"), hard_mode=True)
    action = first_bot(table)
    other = slot(3 - action.victim, 2)
    lying = table.shown[other]
    table.lie({other: Mark.EMPTY}).lie({other: lying}, 12.0)
    assert table.view.violation is None


def test_who_taps_a_steal_may_give_another_card() -> None:
    table = Told(sources=("tap", "mat", "mat"), hard_mode=True)
    table.say(0, Claim(StealCard(0, 1, 2, 5)))
    table.lie({slot(1, 2): DECK[40]}).lie({slot(1, 2): Mark.EMPTY}).lie({slot(1, 2): DECK[41]}, 8.0)
    assert table.view.violation is None
    assert table.view.question is None
    assert table.actions == [StealCard(0, 1, 2, 5)]
    table.exchange(slot(1, 2), slot(2, 1))
    assert table.actions[1:] == [StealCard(1, 2, 1, 2)], "the card that was given last is the one that lies there"


def test_a_bot_waits_until_the_move_before_stands() -> None:
    table = Told(sources=("mat", "bot", "mat"))
    table.discard(1, 3.0)
    assert table.actions == [Draw(0, None)]
    card = table.shown[row(1)]
    table.lie({row(1): Mark.EMPTY}, 0.5).lie({row(1): table.shown[slot(0, 3)], slot(0, 3): card}, 1.5)
    standing = [entry.action for entry in table.sitting.log() if entry.kind in ("action", "undone")]
    assert standing == [Draw(0, None), Draw(0, None), Draw(0, 3)], "discarded, taken back, used"
    table.wait(8.0)
    assert table.actions[-1].seat == 1


def test_a_card_still_in_hand_at_the_press_is_not_missing_yet() -> None:
    table = Told(sight=RowSight.NONE)
    held = table.shown[slot(0, 3)]
    table.lie({slot(0, 3): Mark.EMPTY}, 1.0).say(0, Press(), 6.0)
    assert table.view.violation is None
    assert table.actions == []
    table.lie({slot(0, 3): held}, 2.0)
    assert table.actions == [Draw(0, None)]


def test_a_card_that_stays_away_after_the_press_is_missing() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    table.lie({slot(1, 3): Mark.EMPTY}, 1.0).say(1, Press(), 16.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "slot_empty"


def test_cards_picked_up_after_the_press_do_not_matter() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 0.1).lie({slot(0, k): Mark.EMPTY for k in (1, 2, 3)}, 3.0)
    assert table.actions == [Draw(0, None)]
    assert table.view.violation is None


def test_a_card_exchanged_before_the_press_and_lifted_after_it_is_no_discard() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    place, new = slot(1, 1), table.pile.pop(0)
    table.lie({place: new}, 0.6).say(1, Press(), 0.1).lie({place: Mark.EMPTY}, 3.0)
    assert table.actions == [Draw(0, None)]
    table.lie({place: new}, 5.0)
    assert table.view.question is not None


def test_a_question_stays_while_its_card_is_in_a_hand() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    place, new = slot(1, 1), table.pile.pop(0)
    table.lie({place: new}, 5.0)
    question = table.view.question
    assert question is not None
    table.lie({place: Mark.EMPTY}, 2.0)
    assert table.view.question == question
    table.lie({place: new}, 1.0).say(1, Answer(question.id, 0), 1.0)
    assert len(table.actions) == 2


def test_a_slot_that_changed_beside_a_seat_without_camera_may_be_an_unfinished_draw() -> None:
    table = Told(sources=("mat", "tap", "mat"))
    new, old = table.pile.pop(0), table.shown[slot(0, 1)]
    table.lie({slot(0, 1): new}, 4.0)
    assert (table.actions, table.view.question) == ([], None)
    table.lie({row(1): old})
    assert table.actions == [Draw(0, 1)]


def test_an_undone_steal_waits_for_both_cards() -> None:
    table = Told()
    table.exchange(slot(0, 1), slot(1, 2))
    table.say(0, Call("undo"))
    assert {line.place for line in table.view.awaiting} == {(0, 1), (1, 2)}
    table.exchange(slot(0, 1), slot(1, 2))
    assert table.view.awaiting == ()
    assert table.view.current == 0


def test_a_card_of_nobody_knows_what_waits_for_the_slots_of_its_player() -> None:
    table = Told(sight=RowSight.SCAN)
    table.shown.update({row(n): Mark.EMPTY for n in range(1, 6)})
    table.wait(2.0)
    new, place = table.pile.pop(0), slot(0, 3)
    # The card goes into the hand again before anybody could read it there.
    table.lie({row(1): new}, 1.0).lie({row(1): Mark.EMPTY, place: Mark.COVERED}, 0.6)
    table.lie({row(1): Mark.BACK, place: Mark.EMPTY}, 6.0)
    assert table.actions == []
    table.lie({place: new}, 2.0)
    assert table.actions == [Draw(0, 3)]
