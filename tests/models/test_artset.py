"""Installed designs as pictures that the virtual table lays."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cards import DECK, Card
from models.training import artset
from models.training.artwork import DESIGNS, Design
from models.training.split import part_of
from vision.synthetic.decks import load_art

Faces = tuple[dict[Card, np.ndarray], dict[str, list[np.ndarray]]]


def painted(design: Design, cache: Path, height: int) -> Faces:
    """Faces narrower than a poker card, each of its own grey; the deck ``tango`` lacks one."""
    faces = {card: np.full((height, round(height * 0.64), 3), 40 + 4 * number, np.uint8) for number, card in enumerate(DECK)}
    if design.name == "tango":
        del faces[DECK[0]]
    return faces, {"back": [np.zeros((height, round(height * 0.64), 3), np.uint8)]}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artset, "rasterised", painted)
    monkeypatch.setattr(artset, "check_tools", lambda: None)


def test_a_design_becomes_a_folder_that_the_table_takes(drawn: None, tmp_path: Path) -> None:
    assert artset.main([str(tmp_path), "--design", "anglo"]) == 0
    art = load_art(tmp_path / "anglo")
    assert abs(int(art.face(DECK[3]).mean()) - 52) <= 1
    assert cv2.imread(str(tmp_path / "anglo" / "back.png")) is not None


def test_without_names_the_test_is_written(drawn: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert artset.main([str(tmp_path)]) == 0
    expected = {design.name for design in DESIGNS if part_of(design) == "test"}
    assert {path.name for path in tmp_path.iterdir()} == expected - {"tango"}
    assert "tango" in capsys.readouterr().err


def test_a_named_design_that_cannot_be_had_is_an_error(drawn: None, tmp_path: Path) -> None:
    assert artset.main([str(tmp_path), "--design", "tango"]) == 1
    with pytest.raises(SystemExit):
        artset.main([str(tmp_path), "--design", "nobody's"])
