"""A sitting whose program is switched off and on again, and one that cannot write its record."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.announcements import announce
from companion.cards import DECK, Mark
from companion.chronicle import Chronicle
from companion.errors import JournalError
from companion.games.steal_state import StealCard
from companion.journal import Draft, Entry, Journal, Stamp, game_file, read_walk
from companion.observation import Answer, Call, Claim, Press
from companion.picture import RowSight
from companion.seal import KEY, Seal
from companion.table import slot
from companion.verification import verify
from tests.companion.told import Told

GAME = "0123456789abcdef"


class Shelf:
    """Where one game's journal lies; `again` opens it as the next start of the program does."""

    def __init__(self, folder: Path, header: dict[str, Any] | None = None) -> None:
        self.path = game_file(folder, GAME)
        self.header = header or {}
        self.last: Chronicle | None = None

    def again(self) -> Chronicle:
        if self.last is None:
            journal = Journal.create(self.path, GAME, self.header, stamp(0.0))
        else:
            self.last.close()
            journal = Journal.open(self.path)
        self.last = Chronicle(journal, Seal(bytes(KEY)), stamp)
        return self.last


def stamp(time: float) -> Stamp:
    return Stamp(time, datetime(2027, 3, 1, tzinfo=UTC))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def play(table: Told, pause: Callable[[], object]) -> None:
    """A whole short game with `pause` after every move, revealed in the end."""
    table.draw(0, 2, 6.0)
    pause()
    table.exchange(slot(1, 1), slot(2, 4), 6.0)
    pause()
    for position in range(2, 8):
        table.discard(position, 6.0)
        pause()
    table.lie({slot(0, k): Mark.BACK for k in range(1, 6)})
    pause()
    table.lie({slot(seat, k): Mark.BACK for seat in (1, 2) for k in range(1, 6)}, 3.0)
    pause()


def test_a_table_that_is_switched_off_after_every_move_ends_like_one_that_is_not(shelf: Shelf, tmp_path: Path) -> None:
    undisturbed = Told()
    play(undisturbed, lambda: None)
    table = Told(chronicle=shelf.again())
    seen = []

    def off_and_on() -> None:
        before = table.view
        table.restart(shelf.again())
        seen.append((before, table.view))
        table.wait(2.0)

    play(table, off_and_on)
    assert table.view.result == undisturbed.view.result is not None
    assert table.actions == undisturbed.actions
    assert [kind for kind in table.kinds if kind in ("violation", "question")] == []
    for before, after in seen:
        assert (before.phase, before.turn, before.current, before.row, before.last, before.locks, before.result) == (
            after.phase, after.turn, after.current, after.row, after.last, after.locks, after.result,
        )  # fmt: skip
        assert [[each.card for each in seat.slots] for seat in before.seats] == [
            [each.card for each in seat.slots] for seat in after.seats
        ]
    table.restart(shelf.again())
    proof = verify(read_walk(shelf.path))
    assert proof.altered is None
    assert proof.opened == proof.committed > 0


def test_cards_that_were_exchanged_while_it_was_off_are_asked_about_and_nobody_is_accused(shelf: Shelf) -> None:
    table = Told(chronicle=shelf.again())
    table.draw(0, 2, 6.0)
    table.restart(shelf.again())
    one, other = slot(0, 4), slot(2, 5)
    table.shown[one], table.shown[other] = table.shown[other], table.shown[one]
    table.wait(8.0)
    assert table.view.violation is None
    question = table.view.question
    assert question is not None
    assert question.kind == "differs"
    assert set(question.places) == {(0, 4), (2, 5)}
    table.say(0, Answer(question.id, len(question.choices) - 1))
    table.exchange(one, other, 3.0)
    assert table.view.question is None
    assert table.view.awaiting == ()
    table.discard(2, 4.0)
    assert len(table.actions) == 2


def test_a_card_that_is_missing_is_asked_about_though_its_player_pressed_before_it_was_off(shelf: Shelf) -> None:
    table = Told(chronicle=shelf.again())
    table.draw(0, 2, 6.0)
    table.lie({slot(1, 3): Mark.EMPTY}, 1.0)
    table.say(1, Press(), 0.5)
    table.restart(shelf.again()).wait(18.0)
    assert table.view.violation is None
    question = table.view.question
    assert question is not None
    assert (question.kind, question.places, len(question.choices)) == ("differs", ((1, 3),), 1)


def test_a_card_that_is_held_for_a_while_after_it_was_off_is_nobodys_concern(shelf: Shelf) -> None:
    table = Told(chronicle=shelf.again())
    table.draw(0, 2, 6.0)
    table.lie({slot(1, 3): Mark.EMPTY}, 1.0)
    table.restart(shelf.again()).wait(30.0)
    assert (table.view.violation, table.view.question) == (None, None)


def test_an_open_violation_is_still_open_after_a_restart(shelf: Shelf) -> None:
    table = Told(chronicle=shelf.again())
    table.draw(0, 2, 6.0)
    table.exchange(slot(2, 1), slot(0, 1), 6.0)
    broken = table.view.violation
    assert broken is not None
    table.restart(shelf.again())
    assert table.view.violation == broken
    table.exchange(slot(2, 1), slot(0, 1), 4.0)
    assert table.view.violation is None


def test_pauses_stops_undo_and_redo_survive(shelf: Shelf) -> None:
    table = Told(sources=("tap", "tap", "tap"), chronicle=shelf.again())
    table.say(0, Claim(StealCard(0, 1, 2, 3)))
    table.say(1, Claim(StealCard(1, 2, 1, 1)))
    table.say(0, Call("undo"))
    table.say(2, Call("pause"))
    before = table.view
    table.restart(shelf.again())
    assert (table.view.paused, table.view.undo, table.view.redo) == (before.paused, before.undo, before.redo) == (True, 1, 1)
    table.say(2, Call("resume"))
    table.say(0, Call("redo"))
    assert table.view.turn == 2
    table.restart(shelf.again())
    assert (table.view.turn, table.view.redo) == (2, 0)


def test_what_cannot_be_recorded_does_not_count_until_it_can(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Told(chronicle=shelf.again())
    table.draw(0, 2, 6.0)
    append = Journal.append

    def full(self: Journal, entries: list[Draft]) -> tuple[Entry, ...]:
        raise JournalError("no space left")

    monkeypatch.setattr(Journal, "append", full)
    table.discard(2, 4.0)
    assert len(table.actions) == 1
    assert table.view.turn == 1
    assert "cannot be recorded" in announce(table.view).record
    monkeypatch.setattr(Journal, "append", append)
    table.wait(3.0)
    assert len(table.actions) == 2
    assert announce(table.view).record == ""
    table.restart(shelf.again())
    assert table.view.turn == 2


def test_that_nothing_can_be_recorded_is_said_until_it_can(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE, chronicle=shelf.again())
    append = Journal.append

    def full(self: Journal, entries: list[Draft]) -> tuple[Entry, ...]:
        raise JournalError("no space left")

    monkeypatch.setattr(Journal, "append", full)
    table.say(0, Claim(StealCard(0, 1, 2, 3)), 10.0)
    assert table.view.turn == 0
    assert "cannot be recorded" in announce(table.view).record, "the tap was lost, and nothing is left to write"
    monkeypatch.setattr(Journal, "append", append)
    table.wait(3.0)
    assert announce(table.view).record == ""
    table.say(0, Claim(StealCard(0, 1, 2, 3)))
    assert table.view.turn == 1


def test_a_new_game_begins_with_nothing_to_compare(shelf: Shelf) -> None:
    table = Told(chronicle=shelf.again(), deal=False)
    table.shown.update({slot(seat, k): DECK[5 * seat + k] for seat in range(3) for k in range(1, 6)})
    table.wait(3.0)
    assert table.view.question is None
    assert table.view.current == 0
