"""A card that lies face up while hands are hidden: the table says so, accuses nobody, and goes on when it is turned back."""

from __future__ import annotations

import pytest

from companion.announcements import announce
from companion.cards import Mark
from companion.cues import Cue, Meaning, cues
from companion.games.steal_state import Draw
from companion.observation import Call
from companion.table import row, slot
from tests.companion.amended import call
from tests.companion.told import Told


def begun(**options) -> Told:
    """Ann has drawn into slot 1, and it is Ben's turn."""
    table = Told(**options)
    table.draw(0, 1, 6.0)
    return table


def opened(table: Told, seconds: float = 6.0) -> Told:
    """Cat turns the card of her slot 3 face up."""
    return table.lie({slot(2, 3): Mark.EMPTY}, 1.0).lie({slot(2, 3): Mark.BACK}, seconds)


def test_it_is_said_by_its_place_and_the_game_goes_on_when_it_is_turned_back() -> None:
    table = begun()
    card = table.shown[slot(2, 3)]
    violation = opened(table).view.violation
    assert violation is not None
    assert (violation.error, violation.seat, violation.seats, violation.places) == ("lies_open", None, (), ((2, 3),))
    words = announce(table.view)
    assert words.violation == "A card lies face up; until the end cards lie face down."
    assert words.remedy == ("Turn the card in slot 3 of Cat face down.",)
    assert Cue(Meaning.PUT_BACK, 2, 3) in cues(table.view)
    assert not any(cue.meaning is Meaning.BROKE for cue in cues(table.view)), "nobody has broken a rule"
    table.wait(20.0)
    assert table.kinds.count("violation") == 1, "it is said once"
    table.lie({slot(2, 3): card}, 3.0)
    assert (table.view.violation, table.view.current, table.kinds[-1]) == (None, 1, "cleared")
    table.draw(1, 2, 6.0)
    assert table.actions[-1] == Draw(1, 2)


def test_neither_page_nor_public_record_names_the_card() -> None:
    table = begun()
    card = str(table.shown[slot(2, 3)])
    opened(table)
    assert card not in repr(table.view) and card not in repr(announce(table.view))


def test_a_glance_that_shows_the_back_for_a_moment_is_not_mentioned() -> None:
    table = begun()
    card = table.shown[slot(2, 3)]
    opened(table, 1.0).lie({slot(2, 3): card}, 6.0)
    assert "violation" not in table.kinds and table.view.violation is None


def test_a_drawn_card_that_is_laid_down_face_up_is_the_move_and_then_lies_open() -> None:
    table = begun()
    new, old = table.pile.pop(0), table.shown[slot(1, 2)]
    table.lie({slot(1, 2): Mark.BACK, row(2): old}, 12.0)
    assert table.actions[-1] == Draw(1, 2)
    assert table.view.violation is not None and table.view.violation.error == "lies_open"
    table.lie({slot(1, 2): new}, 3.0)
    assert (table.view.violation, table.view.current) == (None, 2)


def test_a_card_put_back_face_up_after_a_violation_has_to_be_turned() -> None:
    table = begun()
    first, second = table.shown[slot(2, 1)], table.shown[slot(2, 2)]
    table.exchange(slot(2, 1), slot(2, 2), 8.0)
    assert table.view.violation is not None and table.view.violation.error == "positions_changed"
    table.lie({slot(2, 1): first, slot(2, 2): Mark.BACK}, 8.0)
    assert table.view.violation is not None
    assert announce(table.view).remedy[-1] == "Turn the card in slot 2 of Cat face down."
    table.lie({slot(2, 2): second}, 3.0)
    assert table.view.violation is None


def test_setting_up_is_free_and_the_reveal_is_what_backs_are_for() -> None:
    table = Told()
    opened(table, 10.0)
    assert table.view.violation is None, "whoever lays his cards open before the first move may call a misdeal"


def test_where_a_camera_takes_a_face_for_a_back_the_screen_is_right() -> None:
    table = begun()
    table.shown[slot(2, 3)] = Mark.BACK
    table.wait(8.0)
    assert table.view.violation is not None and table.view.disagrees
    call(table, "screen_right", 0, 1, 2).wait(10.0)
    assert table.view.violation is None
    table.draw(1, 2, 6.0)
    assert table.actions[-1] == Draw(1, 2)


@pytest.mark.parametrize("penalty", ["undo", "lose_turn"])
def test_it_costs_no_turn(penalty: str) -> None:
    table = begun(penalty=penalty)
    card = table.shown[slot(1, 3)]
    table.lie({slot(1, 3): Mark.EMPTY}, 1.0).lie({slot(1, 3): Mark.BACK}, 6.0)
    assert table.view.violation is not None
    table.lie({slot(1, 3): card}, 3.0)
    assert (table.view.violation, table.view.current) == (None, 1)


def test_what_was_turned_over_while_play_was_stopped_is_no_accusation_either() -> None:
    table = begun().say(0, Call("stop"))
    card = table.shown[slot(2, 3)]
    opened(table)
    call(table, "go_on", 0, 1, 2).wait(6.0)
    assert table.view.violation is not None and table.view.violation.seats == ()
    table.lie({slot(2, 3): card}, 4.0)
    assert (table.view.violation, table.view.current) == (None, 1)
