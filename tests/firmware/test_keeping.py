"""Which record a table goes on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.chronicle import Shown
from companion.errors import JournalError, SealError
from companion.games import find_game
from companion.picture import RowSight, Sight
from companion.referee import Referee
from firmware.datafolder import data_folder, games_folder
from firmware.keeping import Kept, open_record

STEAL = find_game("steal")
HEADER = {"game": "steal", "seats": [], "options": {}, "tray": "none"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def begun(header: dict[str, object] | None = None, *, fresh: bool = False, finished: bool = False) -> Kept:
    """A record that was opened, written to, and closed."""
    kept = open_record(header or HEADER, fresh)
    referee = kept.chronicle.resume(Referee(STEAL, Sight((False,) * 3, RowSight.NONE), STEAL.start(3, STEAL.options({}))))
    kept.chronicle.keep(referee.misdealt(kept.clock()), Shown(finished=finished), kept.clock())
    kept.chronicle.close()
    return kept


def test_the_game_that_was_begun_last_goes_on_until_it_is_finished() -> None:
    first = begun()
    again = begun()
    assert (again.game, first.resumed, again.resumed) == (first.game, False, True)
    assert begun(finished=True).game == first.game
    assert begun().game != first.game


def test_a_game_that_was_given_up_does_not_come_back() -> None:
    given_up = begun()
    other = begun(fresh=True, finished=True)
    later = begun()
    assert len({given_up.game, other.game, later.game}) == 3
    assert not later.resumed


def test_another_table_begins_another_game() -> None:
    assert begun().game != begun({**HEADER, "tray": "overhead"}).game


def test_a_damaged_record_is_said_and_fresh_is_the_way_out() -> None:
    kept = begun()
    path = games_folder() / f"{kept.game}.sqlite"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(JournalError, match=r"--fresh. leaves it as it is"):
        open_record(HEADER)
    assert not begun(fresh=True).resumed
    assert path.exists()


def test_a_record_without_its_key_is_not_taken_for_a_changed_one() -> None:
    begun()
    (data_folder() / "seal.key").unlink()
    with pytest.raises(SealError, match=r"seal\.key is missing, and without it .*\.sqlite cannot be read"):
        open_record(HEADER)
    assert not (data_folder() / "seal.key").exists()


def test_the_clock_of_a_sitting_goes_on_where_the_record_ends() -> None:
    kept = open_record(HEADER)
    kept.chronicle.resume(Referee(STEAL, Sight((False,) * 3, RowSight.NONE), STEAL.start(3, STEAL.options({}))))
    kept.chronicle.try_again(1234.5)
    kept.chronicle.close()
    again = open_record(HEADER)
    assert 1234.5 <= again.clock() < 1300.0
    again.chronicle.close()
