"""Stories of the games in a data folder: told only of games whose result stands, with as many cards as there is a key for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from companion.chronicle import Chronicle, Shown
from companion.journal import Journal, Stamp
from companion.seal import KEY_FILE, Seal
from firmware.archive import Archive
from tests.companion.finished import BEGAN, STOLEN, fresh, played

OVER, OPEN = "aaaa000000000001", "aaaa000000000002"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    seal = Seal.load_or_create(tmp_path)
    played(tmp_path / "games", OVER, seal=seal)
    played(tmp_path / "games", OPEN, moves=STOLEN[:3], finished=False, seal=seal)
    return tmp_path


def unread(folder: Path) -> int:
    """How many places of the story hold a card that is not known; the story is there."""
    found = Archive(folder).retelling(OVER)
    assert found is not None and len(found.moments) == len(STOLEN) + 1 and found.names == ("Ann", "Ben", "Cat")
    return sum(card is None for moment in found.moments for hand in moment.hands for card in hand)


def test_a_finished_game_is_told_and_one_that_goes_on_is_not(folder: Path) -> None:
    assert unread(folder) == 0
    for game in (OPEN, "nothing", "../games", ""):
        assert Archive(folder).retelling(game) is None


def test_without_the_key_what_was_shown_is_told(folder: Path) -> None:
    (folder / KEY_FILE).unlink()
    assert 0 < unread(folder) < 15 * len(STOLEN)
    assert not (folder / KEY_FILE).exists(), "and no key is made"


def test_a_game_that_was_taken_up_again_is_closed_until_it_is_over_once_more(folder: Path) -> None:
    archive = Archive(folder)
    assert archive.retelling(OVER) is not None
    seal = Seal.load_or_create(folder)
    journal = Journal.open(folder / "games" / f"{OVER}.sqlite")
    chronicle = Chronicle(journal, seal, lambda time: Stamp(time, BEGAN + timedelta(seconds=time)))
    referee = chronicle.resume(fresh(["mat"] * 3))
    chronicle.keep(referee.rewind(len(STOLEN) - 1, 60.0, ()), Shown(), 60.0)
    assert archive.retelling(OVER) is None
    chronicle.close()
    assert archive.retelling(OVER) is None and Archive(folder).retelling(OVER) is None


def test_what_is_left_of_a_deleted_game_is_told_without_the_name(folder: Path) -> None:
    archive = Archive(folder)
    plan = archive.deletion("Ben")
    archive.forget("Ben", plan.mark, True)
    found = archive.retelling(OVER)
    assert found is not None and found.names == ("Ann", "", "Cat")
    assert all(card is not None for moment in found.moments for hand in moment.hands for card in hand)
    archive.forget("Ann", archive.deletion("Ann").mark, False)
    assert archive.retelling(OVER) is None
