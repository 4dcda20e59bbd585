"""`viewmat score`: one photograph per hand, rows in one, a whole table; and every case in which nothing is awarded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware.cli import main
from tests.photographs import Laid, cloth, lay

KINGS, SEVENS, FLUSH = "Kd Kc 9s 9h 2c", "7d 7c 3s 4h 2d", "Ah Jh 8h 6h 3h"


def row(cards: str, y: float, x: float = 150.0, seed: int = 1) -> list[Laid]:
    random = np.random.default_rng(seed)
    return [
        Laid(card, (x + 190 * i, y + random.uniform(-8, 8)), random.uniform(-5, 5), 2.6) for i, card in enumerate(cards.split())
    ]


def picture(path: Path, cards: list[Laid], size: tuple[int, int] = (1060, 420)) -> Path:
    cv2.imwrite(str(path), lay(cloth(*size), cards))
    return path


def score(*arguments: object) -> tuple[dict[str, Any], int]:
    result = CliRunner().invoke(main, ["score", "--json", *map(str, arguments)])
    return json.loads(result.stdout), result.exit_code


def test_one_photograph_per_hand(tmp_path: Path) -> None:
    first, second = picture(tmp_path / "anna.png", row(SEVENS, 210)), picture(tmp_path / "ben.png", row(KINGS, 210))
    answer, status = score(first, second)
    assert status == 0
    assert [hand["image"] for hand in answer["hands"]] == [str(first), str(second)]
    assert [hand["cards"] for hand in answer["hands"]] == [SEVENS.split(), KINGS.split()]
    assert [hand["category"] for hand in answer["hands"]] == ["one pair", "two pair"]
    assert answer["hands"][1]["name"] == "two pair, kings and nines"
    assert (answer["order"], answer["winner"], answer["reason"]) == ([1, 0], 1, "category")
    assert answer["words"].startswith("Hand 2 wins with two pair, kings and nines.")


def test_rows_of_one_photograph(tmp_path: Path) -> None:
    cards = [card for n, text in enumerate((KINGS, FLUSH, SEVENS)) for card in row(text, 170 + 270 * n, seed=n)]
    answer, status = score(picture(tmp_path / "table.png", cards, (1060, 880)), "--group", "rows")
    assert status == 0
    assert [hand["cards"] for hand in answer["hands"]] == [KINGS.split(), FLUSH.split(), SEVENS.split()]
    assert (answer["order"], answer["winner"]) == ([1, 0, 2], 1)


def whole_table(hands: tuple[str, ...], radius: float) -> list[Laid]:
    cards = []
    for seat, text in enumerate(hands):
        angle = 2 * np.pi * seat / len(hands)
        outward = np.array((-np.sin(angle), np.cos(angle)))
        right = np.array((outward[1], -outward[0]))
        for i, card in enumerate(text.split()):
            x, y = outward * radius + right * 155 * (i - 2) + 700
            cards.append(Laid(card, (float(x), float(y)), float(np.degrees(angle)) + 2.0 * i - 4, 2.2))
    return cards


def test_hands_that_lie_towards_their_owners(tmp_path: Path) -> None:
    table = whole_table((SEVENS, KINGS, FLUSH), 420)
    answer, status = score(picture(tmp_path / "table.png", table, (1400, 1400)), "--group", "auto")
    assert status == 0
    assert [set(hand["cards"]) for hand in answer["hands"]] == [set(SEVENS.split()), set(KINGS.split()), set(FLUSH.split())]
    assert answer["winner"] == 2


def test_two_pictures_of_one_table_complete_each_other(tmp_path: Path) -> None:
    table = whole_table((SEVENS, KINGS), 300)
    hidden = [Laid("back", table[0].middle, table[0].degrees, 2.2)]
    first = picture(tmp_path / "first.png", [*table[1:], *hidden], (1400, 1400))
    second = picture(tmp_path / "second.png", table, (1400, 1400))
    answer, status = score(first, second, "--group", "auto")
    assert status == 0
    assert {frozenset(hand["cards"]) for hand in answer["hands"]} == {frozenset(SEVENS.split()), frozenset(KINGS.split())}


@pytest.mark.parametrize(
    ("hands", "kind", "missing", "words"),
    [
        ((KINGS, "7d 7c 3s 4h"), "not_five_cards", [{"hand": 1, "cards": 1}], "Hand 2 has 4 cards instead of five."),
        ((KINGS, "7d Kd 3s 4h 2d"), "card_twice", [], "The king of diamonds appears 2 times: in hand 1 and hand 2."),
    ],
)
def test_nothing_is_awarded(tmp_path: Path, hands: tuple[str, ...], kind: str, missing: list[dict[str, int]], words: str) -> None:
    answer, status = score(*(picture(tmp_path / f"{n}.png", row(text, 210)) for n, text in enumerate(hands)))
    assert status == 1
    assert (answer["error"], answer["missing"]) == (kind, missing)
    assert answer["words"] == f"{words} Nothing is awarded."
    assert [hand["cards"] for hand in answer["hands"]] == [text.split() for text in hands]
    assert not {"winner", "order"} & set(answer)


def test_a_picture_that_cannot_be_read_keeps_the_win_open(tmp_path: Path) -> None:
    good = picture(tmp_path / "anna.png", row(KINGS, 210))
    answer, status = score(good, tmp_path / "ben.png")
    assert status == 1
    assert answer["error"] == "unreadable_picture"
    assert [hand["cards"] for hand in answer["hands"]] == [KINGS.split()]
    missing = str(tmp_path / "ben.png")
    assert answer["pictures"] == [{"image": missing, "error": f"{missing} is missing: there is no such file"}]
    assert "winner" not in answer


def test_without_json_it_is_said_in_words(tmp_path: Path) -> None:
    path = picture(tmp_path / "anna.png", row(KINGS, 210))
    result = CliRunner().invoke(main, ["score", str(path)])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"Hand 1 ({path}): Kd Kc 9s 9h 2c - two pair, kings and nines", "Hand 1 wins with two pair, kings and nines.",
    ]


def test_bad_usage_is_status_two() -> None:
    result = CliRunner().invoke(main, ["score", "a.jpg", "--group", "piles"])
    assert result.exit_code == 2
    assert "'piles' is not one of 'photo', 'rows', 'auto'" in result.stderr
