"""Card faces from a folder, and what is said when the folder is no deck."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.cards import DECK, Card
from vision.errors import DeckError
from vision.synthetic.decks import CARD_PX, draw_deck, find_style, load_art


@pytest.fixture
def folder(tmp_path):
    """52 small faces, each with its own grey."""
    for number, card in enumerate(DECK):
        cv2.imwrite(str(tmp_path / f"{card}.png"), np.full((140, 100, 3), 20 + 4 * number, np.uint8))
    return tmp_path


def test_any_size_is_scaled_to_a_card(folder):
    art = load_art(folder)
    assert art.name == folder.name
    for number, card in enumerate(DECK):
        face = art.face(card)
        assert face.shape == (CARD_PX[1], CARD_PX[0], 3)
        assert int(face[100, 100, 0]) == 20 + 4 * number


def test_our_own_deck_survives_the_way_through_files(tmp_path):
    ours = draw_deck(find_style("club"))
    for card in DECK:
        cv2.imwrite(str(tmp_path / f"{card}.png"), ours.face(card))
    again = load_art(tmp_path)
    assert all(np.array_equal(again.face(card), ours.face(card)) for card in DECK)


def test_the_back_is_optional(folder):
    plain = load_art(folder).back()
    assert plain.shape == (CARD_PX[1], CARD_PX[0], 3)
    cv2.imwrite(str(folder / "back.png"), np.full((350, 250, 3), (10, 20, 200), np.uint8))
    assert load_art(folder).back()[300, 300].tolist() == [10, 20, 200]
    assert load_art(folder).joker().shape == plain.shape


def test_transparent_and_deep_pictures_are_flattened_on_white(folder):
    see_through = np.zeros((140, 100, 4), np.uint8)
    see_through[40:100, 30:70] = (0, 0, 255, 255)
    cv2.imwrite(str(folder / "As.png"), see_through)
    cv2.imwrite(str(folder / "2c.png"), np.full((140, 100), 0x8000, np.uint16))
    art = load_art(folder)
    ace = art.face(Card.parse("As"))
    assert ace[2, 2].tolist() == [255, 255, 255]
    assert ace[CARD_PX[1] // 2, CARD_PX[0] // 2].tolist() == [0, 0, 255]
    assert art.face(Card.parse("2c"))[9, 9].tolist() == [128, 128, 128]


def test_missing_pictures_are_listed_by_name(folder):
    (folder / "Th.png").unlink()
    (folder / "As.png").unlink()
    with pytest.raises(DeckError, match=r"missing Th\.png, As\.png") as caught:
        load_art(folder)
    assert isinstance(caught.value, ValueError)


def test_every_fault_is_named_at_once(folder):
    (folder / "Th.png").unlink()
    (folder / "2c.png").write_bytes(b"")
    (folder / "3c.png").write_text("no picture")
    cv2.imwrite(str(folder / "4c.png"), np.zeros((100, 300, 3), np.uint8))
    cv2.imwrite(str(folder / "5c.png"), np.zeros((14, 10, 3), np.uint8))
    (folder / "back.png").write_bytes(b"\x89PNG broken")
    with pytest.raises(DeckError) as caught:
        load_art(folder)
    text = str(caught.value)
    assert "missing Th.png" in text
    assert "2c.png is no picture that can be read (0 bytes)" in text
    assert "3c.png is no picture" in text
    assert "4c.png has 300 x 100 pixels: expected nearly the shape of a card" in text
    assert "5c.png has 10 x 14 pixels: expected 40 to 8000" in text
    assert "back.png is no picture" in text


def test_a_folder_in_place_of_a_picture_is_named(folder):
    (folder / "9d.png").unlink()
    (folder / "9d.png").mkdir()
    with pytest.raises(DeckError, match=r"9d\.png cannot be read"):
        load_art(folder)


def test_no_folder(tmp_path):
    with pytest.raises(DeckError, match="is no folder: expected one with 52 card faces"):
        load_art(tmp_path / "nowhere")
