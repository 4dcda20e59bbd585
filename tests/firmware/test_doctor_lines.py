"""What `viewmat doctor` makes of what was found on a machine: grades, advice, and the forms in which it is told."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.health import MachineFigures, Room, Throttling
from firmware.cli import main
from firmware.doctor import BAD, OK, WARN, Found, Line, Wanted, examine
from firmware.doctorreport import json_of, report_of, text_of
from firmware.pins import HUB, NODE, PIXEL_HUB
from firmware.version import version

NOW = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)
FIGURES = MachineFigures(NOW, "Raspberry Pi 3 Model B Rev 1.2", "Raspbian GNU/Linux 11 (bullseye)", 45.0, Throttling((), ()))
FULL = replace(FIGURES, disk=Room(10**8, 32 * 10**9))
OLD = Found(FIGURES, "bullseye", "armv7l", 32, (3, 9, 2), 0xA02082, model="m", read_ms=9.0)


@pytest.mark.parametrize(
    ("found", "wanted", "line"),
    [
        (OLD, Wanted(), ("board", WARN, "Raspberry Pi 3 Model B Rev 1.2")),
        (OLD, Wanted(), ("system", WARN, "Raspbian GNU/Linux 11 (bullseye)")),
        (OLD, Wanted(), ("64-bit", BAD, "32-bit Python on armv7l")),
        (OLD, Wanted(), ("python", BAD, "3.9.2")),
        (OLD, Wanted(cameras=True), ("cameras", BAD, "none; picamera2 is not there")),
        (replace(OLD, modules=()), Wanted(cameras=True), ("cameras", BAD, "none")),
        (replace(OLD, chip_trouble="not allowed"), Wanted(NODE), ("gpio chip", BAD, "cannot be opened: not allowed")),
        (replace(OLD, chips=((0, "gpio-sim"),)), Wanted(HUB), ("gpio chip", BAD, "0 (gpio-sim)")),
        (replace(OLD, chips=()), Wanted(), ("gpio chip", OK, "none; none is needed")),
        (OLD, Wanted(NODE), ("pins", OK, "map N, 12 pins")),
        (replace(OLD, revision=None), Wanted(NODE), ("pins", WARN, "map N, 12 pins")),
        (replace(OLD, spi=True), Wanted(PIXEL_HUB, spidev=True), ("spi", BAD, "spidev is not there")),
        (replace(OLD, root=True, known_groups=frozenset({"gpio"})), Wanted(NODE), ("groups", OK, "root")),
        (replace(OLD, model_trouble="cards.onnx is not the model"), Wanted(), ("reader", BAD, "cards.onnx is not the model")),
        (replace(OLD, figures=replace(FIGURES, throttling=None)), Wanted(), ("slowed down now", WARN, "not known here")),
        (replace(OLD, figures=FULL), Wanted(), ("room left for records", BAD, "0.1 of 32.0 GB")),
        (replace(OLD, figures=replace(FIGURES, wall=datetime(1970, 1, 1))), Wanted(), ("clock", BAD, "1970-01-01 00:00")),
        (replace(OLD, figures=replace(FIGURES, clock_set=False)), Wanted(), ("clock", WARN, "2027-03-01 12:00")),
    ],
)  # fmt: skip
def test_one_thing_at_a_time(found: Found, wanted: Wanted, line: tuple[str, str, str]) -> None:
    lines = {each.name: (each.name, each.grade, each.found) for each in examine(found, wanted)}
    assert lines[line[0]] == line


def test_an_old_board_has_too_few_pins_for_a_map() -> None:
    lines = {each.name: each for each in examine(replace(OLD, revision=0x000E), Wanted(NODE))}
    assert (lines["pins"].grade, lines["pins"].public) == (BAD, "map N, 12 pins: too few on this board")


def test_whatever_is_wrong_says_what_to_do() -> None:
    every = [examine(OLD, Wanted(PIXEL_HUB, True, True)), examine(replace(OLD, read_ms=None), Wanted(HUB, True))]
    assert [line for lines in every for line in lines if line.grade == BAD and not line.todo] == []


LINES = (
    Line("board", OK, "a | b", "", "a | b"),
    Line("port 80", BAD, "at ann's\x1b[2J pi", "Move it.", "taken"),
    Line("x", WARN, "y"),
)


def test_the_lines_for_people() -> None:
    assert text_of(LINES).splitlines() == [
        "ok    board    a | b",
        "bad   port 80  at ann's\\x1b[2J pi",
        "               -> Move it.",
        "warn  x        y",
        "1 bad, 1 that could be better.",
    ]
    assert text_of(LINES[:1]).splitlines()[-1] == "All is well."


def test_the_lines_for_programs() -> None:
    assert json_of(LINES) == {
        "version": version(), "ok": False,
        "lines": [
            {"name": "board", "grade": "ok", "found": "a | b", "todo": ""},
            {"name": "port 80", "grade": "bad", "found": "at ann's\x1b[2J pi", "todo": "Move it."},
            {"name": "x", "grade": "warn", "found": "y", "todo": ""},
        ],
    }  # fmt: skip
    assert json_of(LINES[:1])["ok"] is True


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    report = tmp_path / "report.md"
    config = tmp_path / "table.toml"
    config.write_text("[page]\nport = 0\n")
    lines = (*LINES[:1], Line("settings", BAD, "x", "y"))
    monkeypatch.setattr("firmware.commands.doctor.look", lambda asked, broker, at: lines if asked == config else ())
    words = ["doctor", "--config", str(config), "--json", "--report", str(report)]
    ran = CliRunner().invoke(main, words)
    assert (ran.exit_code, json.loads(ran.stdout)) == (1, json_of(lines))
    assert ran.stderr == f"Written to {report}: look at it, then add it to docs/seen-working.md.\nbad: settings\n"
    assert report.read_text() == report_of(lines)
    assert CliRunner().invoke(main, ["doctor", "--config", str(config)]).stdout == text_of(lines) + "\n"
    unwritten = CliRunner().invoke(main, [*words[:-1], str(tmp_path / "no" / "report.md")])
    assert (unwritten.exit_code, "report.md cannot be written: No such file or directory" in unwritten.stderr) == (1, True)
    for address in ("localhost", ":1883", "localhost:x", "localhost:70000"):
        assert CliRunner().invoke(main, ["doctor", "--broker", address]).exit_code == 2
