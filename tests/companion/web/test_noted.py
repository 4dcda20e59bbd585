"""What there is to note down of the record, and a clock that nobody has set."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.chronicle import Chronicle
from companion.journal import Journal, Stamp, game_file, read_walk
from companion.observation import Call
from companion.seal import KEY, Seal
from companion.sitting import RowSight
from companion.verification import verify
from companion.views import Role
from companion.web import create_app
from tests.companion.told import Told
from tests.companion.web.visitors import client_of, club, home

GAME = "0123456789abcdef"


def recorded(folder: Path, year: int = 2027) -> Told:
    def stamp(time: float) -> Stamp:
        return Stamp(time, datetime(year, 3, 1, tzinfo=UTC))

    journal = Journal.create(game_file(folder, GAME), GAME, {}, stamp(0.0))
    return Told(("tap",) * 3, RowSight.NONE, chronicle=Chronicle(journal, Seal(bytes(KEY)), stamp))


@pytest.mark.parametrize("role", [Role.TABLE, Role.SEAT, Role.SPECTATOR, Role.REFEREE])
@pytest.mark.parametrize("at_home", [True, False])
def test_everybody_may_note_the_newest_hash_and_it_proves_what_was_before(tmp_path: Path, role: Role, at_home: bool) -> None:
    table = recorded(tmp_path)
    app = create_app(table.sitting, access=home() if at_home else club(), noted=table.sitting.noted)
    client = client_of(app, role, 1 if role is Role.SEAT else None)
    table.say(0, Call("pause"), 0.2)
    first = client.get("/noted").get_json()
    table.say(0, Call("resume"), 0.2)
    second = client.get("/noted").get_json()
    assert second["entry"] > first["entry"] and second["head"] != first["head"]
    digits = " ".join(first["head"][start : start + 4] for start in (0, 4, 8, 12))
    assert first["words"] == f"To note down: game {GAME}, entry {first['entry']}, {digits}"
    proved = verify(read_walk(game_file(tmp_path, GAME)), digits.replace(" ", ""))
    assert (proved.noted, proved.intact) == (first["entry"], True)


def test_a_game_that_is_not_recorded_says_so() -> None:
    table = Told(("tap",) * 3, RowSight.NONE)
    app = create_app(table.sitting, noted=table.sitting.noted)
    assert app.test_client().get("/noted").get_json() == {"recorded": False, "words": "This game is not recorded."}


def test_a_clock_that_is_not_set_is_said_on_the_page(tmp_path: Path) -> None:
    told = "This machine&#39;s clock is not set: dates and times of day in the record mean nothing."
    for year, unset in ((1970, True), (2027, False)):
        table = recorded(tmp_path / str(year), year)
        page = create_app(table.sitting).test_client().get("/").get_data(as_text=True)
        assert (told in page, table.view.clock_unset) == (unset, unset)
