"""Whoever calls a card by the name of one that lies hidden elsewhere learns nothing by it, and the game goes on."""

from __future__ import annotations

import pytest

from companion.cards import DECK, Card, Mark, Shadow, is_named
from companion.games import find_game
from companion.games.steal_state import Draw, StealCard, Take
from companion.observation import Call, Claim, Correct, Declaration, Entry, Observation, OwnEntry, Reseat, Sighting
from companion.picture import RowSight
from companion.plain import Reader, to_plain
from companion.shadows import as_called
from companion.sitting import Steadiness
from companion.table import Place, row, slot
from companion.tracker import Tracker
from tests.companion.amended import agree, call, turned
from tests.companion.told import Told

HELD = DECK[12]
"""Cat's third card."""
FREE = DECK[40]
"""A card of the pile."""
SHADOW = Shadow(HELD.rank, HELD.suit)


def misnamed(card: Card, **options: bool) -> Told:
    """Ann has drawn, and her card on the row is called by another name."""
    table = Told(**options)
    table.draw(0, 1, 6.0)
    return table.say(0, Correct(row(1), card), 1.0)


def hands(table: Told) -> tuple[tuple[object, ...], ...]:
    found: tuple[tuple[object, ...], ...] = table.sitting.agreement.state.table.hands
    return found


# ---- the shadow itself --------------------------------------------------------------------------------------------


def test_a_shadow_is_no_card_and_is_written_like_one() -> None:
    assert SHADOW != HELD and HELD != SHADOW
    assert str(SHADOW) == str(HELD)
    assert repr(SHADOW) == "Shadow.parse('Ac')"
    assert eval(repr(SHADOW)) == SHADOW
    assert (is_named(HELD), is_named(SHADOW), is_named(None)) == (True, False, False)


def test_a_record_keeps_the_two_apart_and_gives_both_the_same_length() -> None:
    assert [to_plain(HELD), to_plain(SHADOW)] == ["Ac", "AC"]
    assert [Reader(()).read(text) for text in ("Ac", "AC")] == [HELD, SHADOW]


# ---- whose face it is ---------------------------------------------------------------------------------------------


def seen(shown: dict[Place, Card | Mark]) -> Tracker:
    tracker = Tracker(Steadiness())
    for time in (0.0, 0.5, 1.0):
        tracker = tracker.after(Observation(time, tuple(shown), tuple(Sighting(p, s, 1.0) for p, s in shown.items())))
    return tracker


def called(shown: dict[Place, Card | Mark], **lies: Card) -> dict[Place, object]:
    """What the places show, where `named` lies on the row and `shadow` in a slot, as far as they are given."""
    table = find_game("steal").start(3, find_game("steal").options({})).table
    if "named" in lies:
        table = table.renamed(table.pile[0], lies["named"])
        table = type(table)(table.hands, table.pile[1:], (table.pile[0],), ())
    if "shadow" in lies:
        table = table.with_slot(2, 3, lies["shadow"])
    return {track.place: track.settled for track in as_called(seen(shown), table, (HELD, HELD)).tracks}


def test_a_face_that_is_named_elsewhere_is_a_shadow() -> None:
    shown = {row(1): Mark.UNREADABLE, slot(2, 3): HELD}
    assert called(shown, named=HELD)[slot(2, 3)] == SHADOW
    assert called(shown, named=HELD, shadow=SHADOW)[slot(2, 3)] == SHADOW


def test_a_named_card_keeps_its_name_where_it_lies_and_where_it_goes() -> None:
    assert called({row(1): HELD}, named=HELD)[row(1)] == HELD
    assert called({row(1): Mark.EMPTY, slot(0, 1): HELD}, named=HELD)[slot(0, 1)] == HELD
    assert called({slot(0, 1): HELD}, named=HELD)[slot(0, 1)] == HELD, "nobody looks at the row"


def test_a_shadow_that_has_left_its_place_is_what_is_seen_elsewhere() -> None:
    shown = {row(1): Mark.EMPTY, slot(2, 3): FREE, slot(0, 1): HELD}
    assert called(shown, named=HELD, shadow=SHADOW)[slot(0, 1)] == SHADOW
    at_home = {**shown, slot(2, 3): HELD}
    assert called(at_home, named=HELD, shadow=SHADOW) == {row(1): Mark.EMPTY, slot(2, 3): SHADOW, slot(0, 1): HELD}


# ---- at the table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", [HELD, FREE])
def test_a_card_that_was_misnamed_can_be_stolen_and_moved_as_before(card: Card) -> None:
    table = misnamed(card)
    table.exchange(slot(1, 2), slot(2, 3), 6.0)
    assert table.actions[-1] == StealCard(1, 2, 3, 2)
    table.exchange(slot(2, 1), slot(0, 4), 6.0)
    table.exchange(slot(0, 5), slot(1, 2), 6.0)
    assert table.actions[-1] == StealCard(0, 1, 2, 5)
    assert (table.view.violation, table.view.question) == (None, None)


def test_the_true_card_can_be_drawn() -> None:
    drawn = Told().pile[1]
    table = misnamed(drawn)
    assert table.draw(1, 2, 6.0) == drawn
    assert table.actions[-1] == Draw(1, 2)
    assert hands(table)[1][1] == Shadow(drawn.rank, drawn.suit)


@pytest.mark.parametrize("card", [HELD, FREE])
def test_no_card_is_led_home_to_the_place_of_its_name(card: Card) -> None:
    """After an undo the misnamed card belongs into a slot of Ann's; Cat's must not be said to."""
    table = misnamed(card).say(0, Call("undo"))
    assert [(home.place, home.kind) for home in table.view.homes] == []
    assert {line.place for line in table.view.awaiting} == {(0, 1), None}


@pytest.mark.parametrize("card", [HELD, FREE])
def test_laying_it_anew_asks_everybody_as_for_any_other_card(card: Card) -> None:
    table = misnamed(card).say(1, Reseat(slot(2, 3)), 0.3)
    assert table.view.proposal is not None
    agree(table, 0, 1, 2)
    table.lie({slot(2, 3): Mark.EMPTY}, 1.0).lie({slot(2, 3): HELD}, 3.0)
    assert (table.kinds[-1], table.view.violation, table.view.reseat) == ("reread", None, ())


@pytest.mark.parametrize("card", [HELD, FREE])
def test_a_dispute_answers_the_same(card: Card) -> None:
    table = misnamed(card).say(1, Call("stop"), 0.3)
    assert table.sitting.dispute(0, slot(2, 3)).same == "yes"


@pytest.mark.parametrize("card", [HELD, FREE])
def test_a_peek_is_a_peek(card: Card) -> None:
    table = misnamed(card, hard_mode=True)
    table.lie({slot(2, 3): Mark.EMPTY}, 1.0).lie({slot(2, 3): HELD}, 4.0)
    assert table.view.violation is not None and table.view.violation.error == "peek"


@pytest.mark.parametrize("card", [HELD, FREE])
def test_a_camera_that_was_away_meanwhile_asks_nothing(card: Card) -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.fail(2, seconds=8.0).say(0, Correct(row(1), card), 1.0).heal(8.0)
    assert (table.view.question, table.view.violation) == (None, None)


def test_a_name_that_is_taken_back_is_its_own_cards_again() -> None:
    table = misnamed(HELD)
    assert hands(table)[2][2] == SHADOW
    table.say(0, Correct(row(1), FREE), 1.0)
    assert hands(table)[2][2] == HELD
    assert table.sitting.agreement.named == (FREE,)
    table.exchange(slot(1, 2), slot(2, 3), 6.0)
    assert table.actions[-1] == StealCard(1, 2, 3, 2)


def test_a_card_that_was_named_rightly_is_known_on_a_mat() -> None:
    table = Told()
    table.shown[row(1)] = Mark.COVERED
    true = table.pile.pop(0)
    table.lie({row(1): Mark.UNREADABLE}, 6.0).say(0, Entry(row(1), true), 1.0)
    assert table.view.row == (str(true),)
    table.lie({row(1): Mark.EMPTY, slot(1, 2): true}, 6.0)
    assert table.actions[-1] == Take(1, 2)
    assert hands(table)[1][1] == true


def test_of_two_owners_who_give_one_face_the_later_one_is_believed() -> None:
    table = Told(sources=("tap", "tap", "mat"), sight=RowSight.NONE)
    table.say(0, OwnEntry(slot(0, 1), FREE), 0.3).say(1, OwnEntry(slot(1, 1), FREE), 0.3)
    assert (is_named(hands(table)[0][0]), hands(table)[1][0]) == (False, FREE)
    table.say(1, OwnEntry(slot(1, 1), DECK[41]), 0.3)
    assert (is_named(hands(table)[0][0]), hands(table)[1][0]) == (False, DECK[41])


def answers_of_an_owner(table: Told, face: Card) -> list[str]:
    """What Ben is answered who gives one face to two of his cards in turn, and takes it back from one."""
    said = []
    for number, card in ((4, face), (3, face), (3, DECK[0]), (4, face)):
        receipt = table.sitting.post(Declaration(table.time, 1, OwnEntry(slot(1, number), card)))
        table.wait(0.2)
        said.append(receipt.refusal if receipt.settled else "not settled")
    return said


@pytest.mark.parametrize("sources", [("tap", "tap", "tap"), ("mat", "tap", "mat")])
def test_an_owner_cannot_find_out_by_his_own_cards_who_holds_a_face(sources: tuple[str, ...]) -> None:
    found = []
    held = DECK[3]
    for face in (held, FREE):
        table = Told(sources=sources, sight=RowSight.NONE).wait(4.0)
        if sources[0] == "tap":
            table.say(0, OwnEntry(slot(0, 4), held), 0.3)
        assert hands(table)[0][3] == held
        found.append(answers_of_an_owner(table, face))
    assert found[0] == found[1] == ["", "", "", ""]


def test_at_the_reveal_a_face_that_two_cards_bear_is_asked_for() -> None:
    table = misnamed(HELD)
    for position in range(2, 8):
        table.discard(position, 5.0)
    assert table.view.phase == "over"
    table.say(0, Entry(slot(2, 3), FREE), 0.3)
    assert table.view.seats[2].slots[2].card is None, "not before it was turned over"
    turned(table).wait(6.0)
    assert table.view.result is None
    assert table.view.question is not None and table.view.question.places == ((2, 3),)
    table.say(0, Correct(row(1), table.pile[-1]), 3.0)
    assert table.view.result is not None and table.view.result.hands[2][2] == str(HELD)


# ---- announced cards ----------------------------------------------------------------------------------------------


def test_a_card_that_was_only_announced_is_told_when_the_rows_camera_sees_it() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.fail(1, seconds=8.0)
    table.say(1, Claim(Draw(1, 3)), 2.0)
    assert table.view.row[1] is None, "a tap is no look at a hidden card"
    table.lie({row(2): table.shown[slot(1, 3)]}, 2.0)
    assert table.view.row[1] == str(table.shown[row(2)])


def test_a_move_that_is_done_again_hides_no_card_that_was_open() -> None:
    table = Told()
    old = table.shown[slot(0, 1)]
    table.draw(0, 1, 6.0)
    assert table.view.row == (str(old),)
    call(table, "undo")
    call(table, "redo")
    assert table.view.row == (str(old),)


# ---- before the deal is taken -------------------------------------------------------------------------------------


def named_early(card: Card, unread: bool = False) -> Told:
    """Ben names his fourth card on his phone while the cards are still being laid."""
    table = Told(sources=("mat", "mat" if unread else "tap", "mat"), deal=False)
    if unread:
        table.shown.update({slot(1, k): Mark.UNREADABLE if k == 4 else DECK[4 + k] for k in range(1, 6)})
    table.wait(0.8).say(1, OwnEntry(slot(1, 4), card), 0.2)
    assert hands(table)[1][3] == card
    table.lie({slot(seat, k): DECK[5 * seat + k - 1] for seat in (0, 2) for k in range(1, 6)}, 3.0)
    assert table.sitting.agreement.deal_known
    return table


@pytest.mark.parametrize("unread", [False, True], ids=["no camera", "unreadable"])
@pytest.mark.parametrize("card", [HELD, FREE])
def test_a_card_that_its_owner_names_before_the_deal_is_complete_keeps_its_name(card: Card, unread: bool) -> None:
    table = named_early(card, unread)
    assert hands(table)[1][3] == card
    assert hands(table)[2][2] == (SHADOW if card == HELD else HELD)
    assert (table.view.violation, table.view.question) == (None, None)
    table.exchange(slot(2, 1), slot(2, 2), 4.0)
    assert hands(table)[1][3] == card, "somebody else sorts his hand, and the deal is taken anew"


def test_a_card_that_was_moved_after_it_was_named_has_lost_its_name() -> None:
    table = named_early(FREE, unread=True)
    table.lie({slot(1, 4): DECK[8], slot(1, 3): Mark.UNREADABLE}, 4.0)
    assert FREE not in hands(table)[1]
