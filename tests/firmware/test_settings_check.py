"""``viewmat settings check``: every problem with file, line, key, value and what is allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.words.mending import fault_kinds
from firmware.cli import main
from firmware.mending import fault_of
from firmware.settingspart import KINDS
from firmware.tablecheck import all_problems

SEATS = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_good_file(folder: Path) -> None:
    (folder / "table.toml").write_text(SEATS)
    said = CliRunner().invoke(main, ["settings", "check"])
    assert (said.exit_code, said.stdout, said.stderr) == (0, "table.toml: all is well.\n", "")
    told = CliRunner().invoke(main, ["settings", "check", "--json"])
    assert (told.exit_code, json.loads(told.stdout), told.stderr) == (0, {"file": "table.toml", "ok": True, "problems": []}, "")


BAD = SEATS + '[page]\nport = 70000\nnames = ["a b"]\n[gpio]\npins = "A"\nled = 2026-11-30\n'
WRONG = [
    "bad.toml, line 8: page.port = 70000: input should be less than or equal to 65535",
    "bad.toml, line 9: page.names 1 = 'a b': string should match pattern '^[A-Za-z0-9.-]+$'",
    "bad.toml, line 12: gpio.led = datetime.date(2026, 11, 30): there is no such key;"
    " allowed: pins, chip, brightness, pixel_bits, map",
]


def test_everything_that_is_wrong_is_said_with_its_line(folder: Path) -> None:
    (folder / "bad.toml").write_text(BAD)
    said = CliRunner().invoke(main, ["settings", "check", "bad.toml"])
    assert (said.exit_code, said.stdout.splitlines(), said.stderr) == (1, [], "\n".join(WRONG) + "\n")


def test_the_same_for_programs(folder: Path) -> None:
    (folder / "bad.toml").write_text(BAD)
    told = CliRunner().invoke(main, ["settings", "check", "bad.toml", "--json"])
    assert (told.exit_code, told.stderr.splitlines()) == (1, WRONG)
    sentences = [line.partition(": ")[2] for line in WRONG]
    assert json.loads(told.stdout) == {
        "file": "bad.toml",
        "ok": False,
        "problems": [
            {"key": "page.port", "line": 8, "value": 70000, "problem": sentences[0], "kind": "at_most"},
            {"key": "page.names 1", "line": 9, "value": "a b", "problem": sentences[1], "kind": "other"},
            {"key": "gpio.led", "line": 12, "value": "2026-11-30", "problem": sentences[2], "kind": "unknown_key"},
        ],
    }


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("port 80\n", [(1, "is no TOML: Expected '=' after a key in a key/value pair (at line 1, column 6)")]),
        ("a = 1\nb = [\n", [(2, "is no TOML: Invalid value (at end of document)")]),
        ("game = 'whist'\n" + SEATS,
         [(1, "game = 'whist': there is no such game; allowed: steal, draw, stud, casino-stud")]),
        (SEATS + "[options]\nseven = 7\n", [(7, "options: unknown option 'seven' of Five Card Steal: expected one of ")]),
        (SEATS + "rig = 'pi'\n", [(7, "seat 3.rig = 'pi': there is no such key; allowed: name, source, place")]),
        ("rig = 'pi'\ntray = 'mat'\n" + SEATS,
         [(1, "rig = 'pi': there is no such rig; allowed: taps, cameras (the virtual table is")]),
        ("tray = 'mat'\n" + SEATS + "source = 'mat'\n",
         [(1, "tray = 'mat': rig taps has no cameras; allowed: none"),
          (8, "seat 3.source = 'mat': rig taps has no cameras; allowed: tap, bot")]),
        ('[[seat]]\nname = "Ann"\n', [(1, "seat: Five Card Steal is for 3 to 5 players; found 1")]),
    ],
)  # fmt: skip
def test_what_keeps_a_table_from_starting(text: str, problems: list[tuple[int, str]]) -> None:
    found = [(problem.line, problem.sentence) for problem in all_problems(text)]
    assert [line for line, _ in found] == [line for line, _ in problems]
    assert all(sentence.startswith(begin) for (_, sentence), (_, begin) in zip(found, problems, strict=True)), found


SECRETS = [
    ('[[camera]]\nplace = 1\nkind = "uvc"\nurl = "rtsp://ann:s3cret@cam/"\n',
     ("camera 1.path is missing: it says where a camera of kind uvc is",
      "camera 1.url: a camera of kind uvc has none; allowed: path")),
    ('[[camera]]\nplace = 9\nkind = "rtsp://ann:s3cret@cam/"\n',
     ("camera 1.place = 9: input should be less than or equal to 6",)),
    ('[camera]\nkind = "url"\nurl = "rtsp://ann:s3cret@cam/"\n', ("camera = (not repeated): input should be a valid list",)),
    ('[broker]\npasword = "s3cret"\n',
     ("broker.pasword = (not repeated): there is no such key; allowed: host, port, user, password, password_file, ca",)),
    ('[broker]\npassword = ["s3cret"]\n', ("broker.password = (not repeated): input should be a valid string",)),
    ('broker = ["mqtt://ann:s3cret@hub"]\n',
     ("broker = (not repeated): input should be a valid dictionary or instance of BrokerPart",)),
    ('[bus]\n[bus.nodes]\nleft = 1\nright = 1\n', ("bus.nodes: 2 nodes are at place 1",)),
    ('[bus]\ntable = "rtsp://ann:s3cret@cam/"\n', ("bus.table = (an address): string should match pattern",)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), SECRETS)
def test_cameras_and_bus_are_told_with_their_lines_and_without_any_secret(folder: Path, text: str, said: tuple[str, ...]) -> None:
    # What stands above the first table belongs to the file as a whole.
    whole = SEATS + text if text.startswith("[") else text + SEATS
    (folder / "bad.toml").write_text(whole)
    told = CliRunner().invoke(main, ["settings", "check", "bad.toml", "--json"])
    assert told.exit_code == 1 and "s3cret" not in told.output
    lines = told.stderr.splitlines()
    assert len(lines) == len(said)
    for line, sentence in zip(lines, said, strict=True):
        place, _, words = line.partition(": ")
        assert words.startswith(sentence), line
        assert place.startswith("bad.toml, line ") and int(place.rpartition(" ")[2]) <= len(whole.splitlines())


def test_every_kind_of_problem_has_words() -> None:
    assert {kind for kind, _ in KINDS.values()} | {"other", "missing", "unknown_key", "not_among", "no_toml"} == fault_kinds()
    assert fault_of(all_problems(BAD)[0]).values == {
        "why": "input should be less than or equal to 65535", "limit": "65535",
    }  # fmt: skip
