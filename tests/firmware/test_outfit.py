"""What `viewmat run` gives the wizard, and how the next game of other settings begins."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.choices import PRESETS, Chair, Choices
from companion.inbox import Receipt
from companion.journal import read_entries
from companion.played import Shelf
from firmware.commands import run
from firmware.commands.run import Games
from firmware.datafolder import games_folder
from firmware.errors import SettingsError
from firmware.outfit import TableOutfit, choices_of, unset_settings
from firmware.panel import Panel
from firmware.settings import Settings, load_settings
from firmware.tablecheck import check_rig
from tests.firmware.test_keeping import refuse

CHAIRS = (Chair("Dan"), Chair("Ann", "bot"), Chair("Eve", "tap", 2))
CHOICES = Choices("de", "club", CHAIRS, tuple(PRESETS["club"].items()))
TAPS = "# ours\n" + "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], SimpleNamespace]]:
    """Makes a table whose games are played on a thread, as `viewmat run` does; an empty text is a table without a file."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made: list[SimpleNamespace] = []

    def make(text: str) -> SimpleNamespace:
        config = tmp_path / "table.toml"
        if text:
            config.write_text(text)
        settings = load_settings(config) if text else unset_settings()
        games = Games(settings, fresh=False, unset=not text)
        stop, arranged, panel = threading.Event(), [], Panel(games.evening.post)
        outfit = TableOutfit(
            config, lambda: games.settings, Shelf, panel, 5, games.order, lambda: games.unset, lambda one: check_rig(one, config)
        )
        told = SimpleNamespace(config=config, games=games, outfit=outfit, arranged=arranged, stop=stop)
        told.thread = threading.Thread(target=games.play, args=(panel, stop, run.open_voice(settings), arranged.append))
        told.thread.start()
        made.append(told)
        return told

    yield make
    for told in made:
        told.stop.set()
        told.thread.join(30)
        told.games.close(begun=True)


def settled(receipt: Receipt) -> str:
    assert receipt.wait(30)
    return receipt.refusal


def test_a_table_that_nobody_has_set_up_begins_with_what_is_chosen(table: Callable[[str], SimpleNamespace]) -> None:
    told = table("")
    outfit = told.outfit
    assert outfit.fresh() and outfit.present() == Choices("en", options=tuple(PRESETS["home"].items()))
    assert outfit.equipment().kept_in == "table.toml" and outfit.equipment().sources == ("tap", "bot")
    assert outfit.roster() == (), "the seats of a table that nobody has set up are nobody's"
    assert told.games.kept is None and not games_folder().exists()
    assert settled(outfit.begin(CHOICES)) == ""
    assert not outfit.fresh() and outfit.present() == CHOICES
    view = told.games.evening.view()
    assert [(seat.name, seat.source) for seat in view.seats] == [("Dan", "tap"), ("Ann", "bot"), ("Eve", "tap")]
    assert (view.phase, view.turn) == ("setup", 0)
    assert told.arranged == [load_settings(told.config)]
    header = read_entries(told.games.kept.path)[0].body["header"]
    assert [seat["name"] for seat in header["seats"]] == ["Dan", "Ann", "Eve"] and header["options"]["penalty"] == "lose_turn"


def test_a_game_that_is_given_up_stays_in_the_records_and_the_next_one_is_another(
    table: Callable[[str], SimpleNamespace],
) -> None:
    told = table(TAPS)
    before = told.games.kept
    sitting = told.games.evening.sitting
    sitting.claim(0, next(offer.id for offer in sitting.offers(0) if offer.move.kind == "discard"))
    assert told.games.evening.wait(told.games.evening.view().version, 20.0).turn in (0, 1)
    assert told.outfit.roster() == ("Ann", "Bob", "Cid")
    assert settled(told.outfit.begin(CHOICES)) == ""
    assert told.games.kept.path != before.path and before.path.exists()
    assert "# ours" in told.config.read_text()
    rematch = told.games.evening.ask_next()
    assert settled(rematch) == "not_over", "it goes on until its end"


def test_the_rematch_has_the_same_table_with_the_first_seat_moved_on(table: Callable[[str], SimpleNamespace]) -> None:
    told = table("record = false\n" + TAPS)
    three = Choices("en", "home", (Chair("Eve"), Chair("Flo"), Chair("Gil")), (*PRESETS["home"].items(),))
    assert settled(told.outfit.begin(three)) == ""
    for first in (1, 2, 0):
        sitting = told.games.evening.sitting
        for _ in range(7):
            view = sitting.view()
            seat = view.current if view.current is not None else (first - 1) % 3
            receipt = sitting.claim(seat, next(offer.id for offer in sitting.offers(seat) if offer.move.kind == "discard"))
            assert settled(receipt) == ""
        assert sitting.view().phase == "over"
        assert settled(told.games.evening.ask_next()) == ""
        fresh = told.games.evening.sitting
        assert fresh is not sitting and fresh.agreement.state.options.first_seat == first
        assert [seat.name for seat in fresh.seats] == ["Eve", "Flo", "Gil"]
        assert fresh.agreement.state.options.penalty == "undo"


def test_what_cannot_be_written_or_begun_changes_nothing(
    table: Callable[[str], SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = table(TAPS)
    sitting, text = told.games.evening.sitting, told.config.read_text()

    def same() -> bool:
        return told.games.evening.sitting is sitting and told.arranged == [] and told.games.settings == load_settings(told.config)

    with monkeypatch.context() as patched:
        patched.setattr(run, "open_record", refuse)
        assert settled(told.outfit.begin(CHOICES)) == "no_next"
    assert same() and told.config.read_text() == text, "the file says again what the table is"
    with monkeypatch.context() as patched:
        patched.setattr("firmware.outfit.write_settings", lambda *_: (_ for _ in ()).throw(SettingsError("no room")))
        assert settled(told.outfit.begin(CHOICES)) == "not_saved"
    assert same()
    told.config.write_text(text + 'rig = "pi"\n')
    assert settled(told.outfit.begin(CHOICES)) == "settings_changed"
    told.config.write_text('rig = "pi"\n' + text)
    assert settled(told.outfit.begin(CHOICES)) == "settings_changed", "another rig needs another start"
    told.config.write_text(text)
    assert same()
    assert settled(told.outfit.begin(CHOICES)) == ""


def test_a_first_table_that_cannot_begin_leaves_no_file(
    table: Callable[[str], SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = table("")
    with monkeypatch.context() as patched:
        patched.setattr(run, "open_record", refuse)
        assert settled(told.outfit.begin(CHOICES)) == "no_next"
    assert told.outfit.fresh() and not told.config.exists()


def test_how_the_settings_have_the_table_is_what_the_wizard_shows(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('language = "hu"\n' + TAPS + "place = 5\n[options]\nhard_mode = true\nmax_turns = 9\n")
    found = choices_of(load_settings(path))
    assert [chair.place for chair in found.chairs] == [None, None, 4] and found.places == (0, 1, 4)
    assert found.rules == {**PRESETS["home"], "hard_mode": True} and found.language == "hu"
    assert isinstance(unset_settings(), Settings) and not unset_settings().record
