"""`viewmat read`: lines of JSON as the contract says, and files that cannot be read beside those that can."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from click.testing import CliRunner

from firmware.cli import main
from tests.photographs import Laid, cloth, lay


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    cv2.imwrite(str(folder / "seven.jpg"), lay(cloth(600, 500), [Laid("7h", (300, 250), 15)]))
    cv2.imwrite(str(folder / "two cards.png"), lay(cloth(800, 500), [Laid("Kc", (550, 250), -5), Laid("2d", (220, 250), 100)]))
    cv2.imwrite(str(folder / "table.png"), cloth(600, 500))
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "letter.png").write_text("not a picture")
    (folder / "half.jpg").write_bytes((folder / "seven.jpg").read_bytes()[:9000])
    return folder


def lines(*arguments: object) -> tuple[list[dict[str, Any]], str, int]:
    result = CliRunner().invoke(main, ["read", *map(str, arguments)])
    return [json.loads(line) for line in result.stdout.splitlines()], result.stderr, result.exit_code


def test_each_photograph_gives_one_line(folder: Path) -> None:
    read, said, status = lines(folder / "seven.jpg", folder / "two cards.png", folder / "table.png", "--json")
    assert (status, said) == (0, "")
    assert [line["image"] for line in read] == [str(folder / name) for name in ("seven.jpg", "two cards.png", "table.png")]
    assert [[card["card"] for card in line["cards"]] for line in read] == [["7h"], ["2d", "Kc"], []]
    for line in read:
        assert line["ms"] > 0
        for card in line["cards"]:
            assert 0.9 < card["confidence"] <= 1.0
            assert len(card["corners"]) == 4
            assert all(len(corner) == 2 for corner in card["corners"])


def test_bad_files_do_not_hide_good_ones(folder: Path) -> None:
    bad = ["empty.jpg", "letter.png", "half.jpg", "nowhere.jpg"]
    read, said, status = lines("--json", *(folder / name for name in bad), folder / "seven.jpg")
    assert status == 1
    assert [sorted(line) for line in read] == [["error", "image"]] * 4 + [["cards", "image", "ms"]]
    assert [card["card"] for card in read[4]["cards"]] == ["7h"]
    for name, word in zip(bad, ("is empty", "is no picture", "is truncated", "is missing"), strict=True):
        assert f"{name} {word}" in said
        assert any(f"{name} {word}" in line["error"] for line in read[:4])


def test_the_threshold_decides_what_is_unknown(folder: Path) -> None:
    read, _, status = lines(folder / "seven.jpg", "--json", "--min-confidence", "1")
    assert status == 0
    assert [card["card"] for card in read[0]["cards"]] == [None]


def test_without_json_it_is_said_in_words(folder: Path) -> None:
    result = CliRunner().invoke(main, ["read", str(folder / "seven.jpg"), str(folder / "table.png")])
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert first.startswith(f"{folder / 'seven.jpg'}: 7h (")
    assert second == f"{folder / 'table.png'}: no card"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Missing argument 'IMAGE...'"),
        (("a.jpg", "--min-confidence", "1.5"), "1.5 is not in the range 0.0<=x<=1.0"),
        (("a.jpg", "--profile", "kitchen"), "Invalid value for '--profile': there is no taught deck 'kitchen'"),
    ],
)
def test_bad_usage_is_status_two(arguments: tuple[str, ...], words: str) -> None:
    result = CliRunner().invoke(main, ["read", *arguments])
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
