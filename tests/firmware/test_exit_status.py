"""Exit statuses mean the same in every command: 2 for what there is not, 1 for what failed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli import main

TAPS = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad").write_bytes(b"no record, no picture, no JSON")
    (tmp_path / "rig.toml").write_text('rig = "pi"\n' + TAPS)
    (tmp_path / "option.toml").write_text(TAPS + "[options]\nfirst_seat = 9\n")
    (tmp_path / "pins.toml").write_text('[gpio]\npins = "Z"\n' + TAPS)


@pytest.mark.parametrize(
    "words",
    [
        "nonesuch", "verify", "verify nothing-here", "replay nothing-here", "rescue nothing-here",
        "verify bad --noted xyz", "replay bad --option seven", "replay bad --min-confidence 2", "simulate --game whist",
        "simulate --seats 9", "simulate --save bad", "check --out bad", "first-light new bad", "run --config nowhere.toml",
        "run --no-safe-mode --config rig.toml", "run --no-safe-mode --config option.toml",
        "run --no-safe-mode --config pins.toml", "settings check nowhere.toml", "referee pair --config rig.toml --port 5",
        "faults nonesuch", "teach ../x --deck library", "read", "judge", "rank", "read bad --profile nonesuch", "demo --seats 9",
    ],
)  # fmt: skip
def test_what_there_is_not_is_bad_usage(words: str) -> None:
    result = CliRunner().invoke(main, words.split())
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr


@pytest.mark.parametrize(
    "words",
    [
        "verify bad",
        "replay bad",
        "rescue bad",
        "judge bad",
        "judge nowhere",
        "read bad",
        "read nowhere",
        "verify nowhere/file.sqlite",
        "replay nowhere/file.sqlite",
        "rescue nowhere/file.sqlite",
        "restore nowhere",
        "teach mine nowhere/As.jpg",
        "rank Td",
        "check --frames bad",
        "settings check pins.toml",
        "settings check option.toml",
    ],
)
def test_what_cannot_be_read_has_failed(words: str) -> None:
    result = CliRunner().invoke(main, words.split())
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit), result.output
    assert result.stderr


@pytest.mark.parametrize("command", ["verify", "replay", "rescue"])
def test_a_record_that_cannot_be_read_is_told_in_json_too(command: str) -> None:
    result = CliRunner().invoke(main, [command, "bad", "--json"])
    told = json.loads(result.stdout)
    assert (result.exit_code, told["file"]) == (1, "bad")
    assert told["error"] in result.stderr and "bad is no journal" in told["error"]
