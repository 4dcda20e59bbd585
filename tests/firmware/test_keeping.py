"""Which record a table goes on with."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from companion.announcements import refusal_words
from companion.chronicle import Shown
from companion.errors import JournalError, SealError
from companion.games import find_game
from companion.journal import read_entries, writing
from companion.observation import Call, Declaration
from companion.picture import RowSight, Sight
from companion.referee import Referee
from firmware import keeping
from firmware.commands import run
from firmware.commands.run import Games
from firmware.datafolder import data_folder, demo_folder, games_folder
from firmware.keeping import Kept, demo_record, open_record
from firmware.settings import load_settings
from tests.companion.journal.keeping import listed

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


def test_the_game_that_was_begun_last_goes_on() -> None:
    first = begun()
    again = begun()
    assert (again.game, first.resumed, again.resumed) == (first.game, False, True)


def test_a_game_that_is_over_stays_until_somebody_begins_the_next() -> None:
    first = begun(finished=True)
    again = open_record(HEADER)
    assert (again.game, again.resumed) == (first.game, True)
    again.chronicle.resume(Referee(STEAL, Sight((False,) * 3, RowSight.NONE), STEAL.start(3, STEAL.options({}))))
    assert again.chronicle.shown.finished
    again.chronicle.close()
    following = begun(fresh=True)
    assert following.game != first.game
    assert begun().game == following.game


def test_a_game_that_was_given_up_does_not_come_back() -> None:
    given_up = begun()
    other = begun(fresh=True, finished=True)
    assert given_up.game != other.game
    assert begun().game == other.game


def test_the_first_seat_that_has_moved_on_is_remembered() -> None:
    seats = [{"name": name, "source": "tap"} for name in ("Ann", "Ben", "Cat")]
    header = {**HEADER, "seats": seats, "options": {"first_seat": 1}}
    begun(header)
    second = begun({**header, "options": {"first_seat": 2}}, fresh=True)
    assert second.header["options"] == {"first_seat": 2}
    again = begun(header)
    assert (again.game, again.header["options"]) == (second.game, {"first_seat": 2}), "the file's first seat is the first game's"
    assert begun({**header, "options": {"first_seat": 0, "hard_mode": True}}).game != second.game


def test_what_the_table_is_told_later_is_written_down() -> None:
    def kinds(kept: Kept) -> list[tuple[str, Any]]:
        return [(entry.kind, entry.body.get("settings")) for entry in read_entries(kept.path)]

    for settings in ({"timing": {"tidy": 4.0}}, {"timing": {"tidy": 4.0}}, {"timing": {"tidy": 9.0}}, {"timing": {"tidy": 9.0}}):
        kept = open_record(HEADER, settings=settings)
        kept.chronicle.close()
    told = [(kind, settings) for kind, settings in kinds(kept) if kind != "header"]
    assert told == [
        ("restarted", None), ("restarted", None), ("settings", {"timing": {"tidy": 9.0}}), ("restarted", None),
    ]  # fmt: skip
    assert read_entries(kept.path)[0].body["header"]["settings"] == {"timing": {"tidy": 4.0}}


def test_a_game_that_could_not_begin_leaves_nothing_behind() -> None:
    kept = open_record(HEADER)
    kept.forget()
    assert sorted(path.name for path in games_folder().iterdir()) == ["current"]
    first = begun()
    failed = open_record(HEADER, fresh=True)
    failed.forget()
    again = begun()
    assert again.game == first.game, "what was played before is not lost by it"
    again = open_record(HEADER)
    again.forget()
    assert again.path.exists(), "a game that went on is never taken away"


def test_games_of_the_virtual_table_lie_apart_and_only_the_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    real = begun()
    monkeypatch.setattr(keeping, "DEMO_GAMES", 3)
    names = []
    for number in range(5):
        kept = demo_record(HEADER, lambda: 0.0)
        names.append(kept.game)
        kept.chronicle.close()
        os.utime(kept.path, (number, number))
    left = sorted(path.stem for path in (demo_folder() / "games").glob("*.sqlite"))
    assert left == sorted(names[2:])
    assert begun().game == real.game
    assert (demo_folder() / "seal.key").read_bytes() != (data_folder() / "seal.key").read_bytes()


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


def test_a_game_that_cannot_be_noted_leaves_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk gets full after the record was made."""
    first = begun()
    before = listed(games_folder())

    def full(folder: Path, name: str) -> None:
        raise JournalError(f"{folder / 'current'} cannot be written: No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(keeping, "_note_current", full)
        with pytest.raises(JournalError, match="current cannot be written: No space left on device"):
            open_record(HEADER, fresh=True)
    assert listed(games_folder()) == before
    assert begun().game == first.game


def test_a_record_that_cannot_be_opened_once_it_is_there_is_taken_away_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk has room for the file and none for the log beside it."""
    first = begun()
    before = listed(games_folder())

    def full(path: Path) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    with monkeypatch.context() as patched:
        patched.setattr(writing, "_connected", full)
        with pytest.raises(JournalError, match="cannot be made"):
            open_record(HEADER, fresh=True)
    assert listed(games_folder()) == before
    assert begun().game == first.game


def test_a_next_game_that_cannot_begin_is_told_and_leaves_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "table.toml").write_text("".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid")))
    games = Games(load_settings(tmp_path / "table.toml"), fresh=True)
    over = games.evening.sitting
    for turn in range(7):
        discard = next(offer for offer in over.offers(turn % 3) if offer.move.kind == "discard")
        over.claim(turn % 3, discard.id)
        over.work()
    assert over.view().phase == "over"
    before = sorted(path.name for path in games_folder().iterdir())
    for module, name in ((keeping, "_note_current"), (writing, "_connected"), (run, "Sitting")):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, refuse)
            receipt = games.evening.ask_next()
            games._begin_next()
        assert receipt.refusal == "no_next"
        assert "next game cannot begin: " in caplog.records[-1].getMessage() and "no room" in caplog.records[-1].getMessage()
        assert games.evening.sitting is over
        assert sorted(path.name for path in games_folder().iterdir()) == before
    assert "The next game cannot begin" in refusal_words("no_next")
    receipt = games.evening.ask_next()
    games._begin_next()
    assert (receipt.settled, receipt.refusal, games.evening.sitting is over) == (True, "", False)
    games.close(begun=True)


def test_a_next_game_does_not_begin_where_it_could_not_be_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk has room for a header and for nothing more."""
    (tmp_path / "table.toml").write_text("".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid")))
    games = Games(load_settings(tmp_path / "table.toml"), fresh=True)
    over = games.evening.sitting
    for seat in (0, 1):
        over.post(Declaration(over.now(), seat, Call("leave")))
        over.work()
    assert over.view().phase == "over"
    before = listed(games_folder())
    for free, refusal in ((60 * 1024, "no_next"), (keeping.NEEDED - 1, "no_next"), (keeping.NEEDED, "")):
        monkeypatch.setattr(keeping, "_free", lambda folder, free=free: free)
        receipt = games.evening.ask_next()
        games._begin_next()
        assert (receipt.settled, receipt.refusal) == (True, refusal)
        assert (games.evening.sitting is over) is (listed(games_folder()) == before) is bool(refusal)
    games.close(begun=True)


def test_how_much_room_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_free", lambda folder: 60 * 1024)
    with pytest.raises(JournalError, match=r"\.sqlite cannot be made: expected 4096 KB of free room for a game, found 60$"):
        open_record(HEADER)
    assert not games_folder().exists()


def refuse(*_: Any, **__: Any) -> Any:
    raise JournalError("no room")
