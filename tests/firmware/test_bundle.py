"""The file for support: what helps is in it, and no card, no key, no secret, and no name that nobody wanted."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.announcements import card_words
from companion.cards import Card
from companion.health import CameraFigures, MachineFigures, ProgramFigures, Report
from companion.journal import Draft, Journal, Stamp, game_file
from firmware.bundle import FILES, NAME, RECORDS, TOLD, Contents, make_bundle, told
from firmware.settings import Part, SeatPart, Settings
from firmware.virtual.play import Settings as VirtualSettings
from tests.firmware.twins.table import GAME, PIN, Twin
from tests.firmware.twins.tables import SHORT

NOON = datetime(2027, 3, 1, 12, 5, 7, tzinfo=UTC)
REPORT = Report(
    MachineFigures(NOON, "Raspberry Pi 5", heat_c=80.0), ProgramFigures("0.1.0", "3.13", "cards.onnx"),
    (CameraFigures("mat0", 0, 10.0, 9.0),), True,
)  # fmt: skip


def opened(data: bytes) -> dict[str, str]:
    """Every member as text; whatever is no text fails here."""
    with zipfile.ZipFile(io.BytesIO(data)) as bundle:
        assert bundle.testzip() is None
        assert not bundle.comment
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


def contents(folder: Path, **changes: Any) -> Contents:
    given = {"settings": {}, "folder": folder, "records": (folder / "games",), "log": tuple, "names": tuple, **changes}
    return Contents(**given)


def recorded(folder: Path, game: str, names: tuple[str, ...] = ("Ann", "Bob"), entries: int = 2) -> Path:
    stamp = Stamp(0.0, NOON)
    path = game_file(folder / "games", game)
    header = {"game": "steal", "seats": [{"name": name, "source": "tap"} for name in names], "settings": {"secret": "x1"}}
    with closing(Journal.create(path, game, header, stamp)) as journal:
        journal.append([Draft("minute", stamp, {"card": "Kh"}, b"sealed" * 9) for _ in range(entries)])
    return path


# ---- what helps --------------------------------------------------------------------------------------------------------


def test_what_is_in_it(tmp_path: Path) -> None:
    recorded(tmp_path, "00000000000000aa")
    (tmp_path / "seal.key").write_bytes(b"very secret")
    given = contents(tmp_path, log=lambda: ["one line", "another"], settings={"game": "steal"})
    found = opened(make_bundle(given, REPORT, False))
    assert list(found) == [
        "about.json", "health.json", "settings.json", "log.txt", "files.txt", "records/00000000000000aa.jsonl"
    ]  # fmt: skip
    about, health = json.loads(found["about.json"]), json.loads(found["health.json"])
    assert (about["made"], about["program"]["reader"]) == ("2027-03-01T12:05:07+00:00", "cards.onnx")
    assert about["libraries"]["flask"] != "(not installed)"
    assert health["machine"]["heat_c"] == 80.0
    assert health["facts"][0] == {
        "kind": "Heat of the processor", "value": "80 °C", "grade": "warn",
        "advice": "The processor is hot: give it air, or a cooler.",
    }  # fmt: skip
    assert health["cameras"][0]["facts"][0]["grade"] == "bad"
    assert found["log.txt"] == "one line\nanother\n"
    assert "          11 seal.key\n" in found["files.txt"] and "very secret" not in "".join(found.values())
    lines = [json.loads(line) for line in found["records/00000000000000aa.jsonl"].splitlines()]
    assert [(line["number"], line["kind"], line["sealed"]) for line in lines] == [
        (1, "header", 0), (2, "minute", 54), (3, "minute", 54)
    ]  # fmt: skip
    assert lines[0]["header"]["seats"] == [{"name": NAME, "source": "tap"}, {"name": NAME, "source": "tap"}]
    assert "settings" not in lines[0]["header"] and "card" not in lines[1]


def test_only_the_newest_records_are_told_of(tmp_path: Path) -> None:
    for number in range(RECORDS + 2):
        path = recorded(tmp_path, f"{number:016x}")
        os.utime(path, (1000 + number, 1000 + number))
    found = opened(make_bundle(contents(tmp_path), REPORT, False))
    assert [name for name in found if name.startswith("records/")] == [
        f"records/{number:016x}.jsonl" for number in range(RECORDS + 1, 1, -1)
    ]


def test_a_damaged_record_is_said_and_spoils_nothing(tmp_path: Path) -> None:
    path = recorded(tmp_path, "00000000000000aa", entries=30)
    data = bytearray(path.read_bytes())
    at = data.index(b'{"card":"Kh"}')
    data[at : at + 13] = b'{"card":"Ks"}'
    path.write_bytes(data)
    (tmp_path / "games" / "00000000000000bb.sqlite").write_bytes(b"no record at all")
    found = opened(make_bundle(contents(tmp_path), REPORT, False))
    assert '"fault": "entry' in found["records/00000000000000aa.jsonl"]
    assert found["records/00000000000000bb.jsonl"].startswith('{"fault": "Journal')
    assert str(tmp_path) not in "".join(found.values()), "where a folder lies is nobody's business"


def test_a_table_that_has_kept_nothing_yet(tmp_path: Path) -> None:
    found = opened(make_bundle(contents(tmp_path / "not" / "yet"), REPORT, False))
    assert found["files.txt"] == found["log.txt"] == "\n"


def test_many_files_are_not_all_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.bundle.FILES", 3)
    for number in range(5):
        (tmp_path / f"file{number}\n").write_bytes(b"x")
    assert opened(make_bundle(contents(tmp_path), REPORT, False))["files.txt"].splitlines() == [
        "           1 file0?", "           1 file1?", "           1 file2?", "and 2 more"
    ]  # fmt: skip
    assert FILES > 100


@pytest.mark.parametrize("year", [1970, 2200])
def test_a_clock_that_was_never_set(tmp_path: Path, year: int) -> None:
    report = Report(MachineFigures(datetime(year, 1, 1, tzinfo=UTC)), REPORT.program)
    assert f'"{year}-01-01' in opened(make_bundle(contents(tmp_path), report, False))["about.json"]


# ---- settings ----------------------------------------------------------------------------------------------------------


BROKER = ("host", "user", "password", "password_file", "ca")
"""Of the broker's settings what nobody is told."""


def test_what_is_told_of_the_settings_was_thought_about() -> None:
    """A new setting fails this test until somebody has said whether it may be told: in `TOLD`, or here."""
    kept_back = {f"broker.{key}" for key in BROKER}
    assert set(Settings.model_fields) - kept_back <= TOLD.keys()
    whole = Settings(seat=[SeatPart(name="Ann")])
    parts = {name: part for name in Settings.model_fields if isinstance(part := getattr(whole, name), Part)}
    assert len(parts) > 2
    for name, part in {**parts, "seat": whole.seat[0]}.items():
        assert {f"{name}.{field}" for field in type(part).model_fields} - kept_back == {
            f"{name}.{field}" for field in TOLD[name] or ()
        }


def test_settings_are_told_without_what_nobody_knows() -> None:
    settings = Settings(seat=[SeatPart(name="Ann")]).model_dump()
    expected = {**settings, "broker": {key: value for key, value in settings["broker"].items() if key not in BROKER}}
    assert told(settings) == expected
    told_now = told({**settings, "password": "x", "page": {**settings["page"], "secret": "y"}})
    assert told_now == expected


def test_the_seed_of_the_virtual_table_is_not_told() -> None:
    """Whoever has it deals the same cards."""
    found = told(asdict(VirtualSettings(seed=4711)))
    assert "seed" not in found and 4711 not in found.values()
    assert found["seats"] == 4


# ---- names -------------------------------------------------------------------------------------------------------------


def test_names_are_left_out_wherever_they_stand(tmp_path: Path) -> None:
    recorded(tmp_path, "00000000000000aa", ("Bob", "José María", "C++"))
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "ann.toml").write_text("x")
    given = contents(
        tmp_path, log=lambda: ["Ann and bob met JOSÉ MARÍA.", "C++, Bobby and Joanna"], names=lambda: ["Ann", ""],
        settings={"seat": [{"name": "Zoe", "source": "tap"}], "page": {"names": ["zoe.local"]}},
    )  # fmt: skip
    without, with_names = (opened(make_bundle(given, REPORT, names)) for names in (False, True))
    assert without["log.txt"] == f"{NAME} and {NAME} met {NAME}.\n{NAME}, Bobby and Joanna\n"
    everything = "".join(without.values())
    assert not re.search(r"(?i)(?<!\w)(ann|bob|josé maría|zoe)(?!\w)", everything)
    assert with_names["log.txt"].startswith("Ann and bob met JOSÉ MARÍA.")
    assert "zoe.local" in with_names["settings.json"] and "José María" in with_names["records/00000000000000aa.jsonl"]


# ---- what is secret ----------------------------------------------------------------------------------------------------


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Twin]:
    with closing(Twin(tmp_path / "game", SHORT.setting, SHORT.pair("all", 3), 0)) as made:
        yield made


SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def named(spelling: str, text: str) -> bool:
    """Whether it stands there as a word of its own."""
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(spelling)}(?![0-9A-Za-z])", text) is not None


def spellings(card: Card) -> tuple[str, ...]:
    """How a card could be written."""
    rank, suit = str(card)
    return str(card), card_words(card), repr(card), rank + SIGNS[suit], suit + rank


def test_nothing_of_a_running_game_is_in_it(twin: Twin) -> None:
    """Every card is looked for, the open ones too; and every key, token and PIN, in every form."""
    (twin.folder / "seal.key").write_bytes(bytes(range(32)))
    (twin.folder / "keys.json").write_text(json.dumps({"pin": {"hash": "5e" * 32, "salt": "00" * 16}}))
    secrets = [secret for _, secret, *_ in twin.clients.values() if secret]
    key, hashed = bytes(range(32)), twin.ring.keys.pin
    assert hashed is not None and len(secrets) > 4
    for moment in SHORT.story(twin):
        client, *_ = twin.as_it_is("nobody")
        data = client.get("/health/bundle.zip?names=1").data
        found = opened(data)
        assert f"records/{GAME}.jsonl" in found
        text = "".join([*found, *found.values()])
        for card in twin.faces:
            for spelling in spellings(card):
                assert not named(spelling, text), (moment, spelling)
        for form in (key.hex(), base64.b64encode(key).decode().strip("="), *secrets, PIN, "5e5e5e", "00" * 16):
            assert form not in text and form.encode() not in data, moment
        assert key not in data
        assert all(repr(entry.sealed)[2:40] not in text for entry in twin.journal.entries() if entry.sealed)
        assert not re.search(r"[0-9a-f]{20,}", text), "nor any commitment"


def test_the_search_would_find_a_card(twin: Twin) -> None:
    for card in twin.faces:
        assert all(named(spelling, json.dumps({"x": [spelling]}, ensure_ascii=False)) for spelling in spellings(card))
