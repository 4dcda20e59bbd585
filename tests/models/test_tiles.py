"""Training material: where indices stand, which designs are kept away, what is drawn."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.cards import DECK, Card
from models.training.artwork import DESIGNS, GNOME, LICENCES, collect
from models.training.backs import draw_back
from models.training.drawn import draw_deck
from models.training.glyphs import LETTERS, Face, ToolError, check_tools, font_families, suit_masks, text_masks
from models.training.others import draw_empty, draw_foreign, draw_half_index
from models.training.tiles import KINDS, TILE_PX, card_of, index_boxes, opaque_box, whole_card

needs_tools = pytest.mark.skipif(
    not (shutil.which("rsvg-convert") and shutil.which("fc-list")), reason="rsvg-convert or fc-list is not installed"
)


def printed(rank_mm: tuple[float, float], suit_mm: tuple[float, float]) -> dict[Card, np.ndarray]:
    """White faces with a black block for rank and suit; each rank has its own width, as letters do."""
    faces = {}
    for card in DECK:
        face = np.full((356, 254, 3), 255, np.uint8)
        for top, bottom in (rank_mm, suit_mm):
            face[round(top * 4) : round(bottom * 4), 10 : 20 + card.rank] = 0
        face[60:100, 70:110] = (0, 0, 200)  # a pip
        faces[card] = face
    return faces


def test_index_boxes_are_found_from_the_print() -> None:
    boxes = index_boxes(printed((4.0, 11.0), (13.0, 18.0)), 8.5)
    assert set(boxes) == set(DECK)
    rank, suit = boxes[Card.parse("Kd")]
    assert rank[1] == pytest.approx(4.0, abs=0.3) and rank[3] == pytest.approx(11.0, abs=0.3)
    assert suit[1] == pytest.approx(13.0, abs=0.3) and suit[3] == pytest.approx(18.0, abs=0.3)
    assert 2.0 < rank[0] < 3.0 < 6.0 < rank[2] <= 8.5


def test_rank_and_suit_that_nearly_touch_are_two() -> None:
    boxes = index_boxes(printed((4.0, 13.5), (14.0, 22.0)), 8.5)
    rank, suit = boxes[Card.parse("2c")]
    assert rank[3] == pytest.approx(13.5, abs=0.3) and suit[1] == pytest.approx(14.0, abs=0.3)


def test_blank_faces_have_no_index() -> None:
    assert index_boxes({card: np.full((356, 254, 3), 255, np.uint8) for card in DECK}, 8.5) == {}


def test_transparent_surroundings_are_cut_away() -> None:
    picture = np.zeros((100, 80, 4), np.uint8)
    picture[10:90, 20:70] = 255
    rows, columns = opaque_box(picture)
    assert (rows.start, rows.stop, columns.start, columns.stop) == (10, 90, 20, 70)
    assert whole_card(picture).shape == (356, round(50 * 356 / 80), 3)


@pytest.mark.parametrize(("rank", "suit", "card"), [("10", "d", "Td"), ("A", "s", "As"), ("2", "c", "2c"), ("T", "h", "Th")])
def test_cards_from_file_names(rank: str, suit: str, card: str) -> None:
    assert card_of(rank, suit) == Card.parse(card)


def test_every_design_states_its_licence() -> None:
    assert len({design.name for design in DESIGNS}) == len(DESIGNS)
    for design in DESIGNS:
        assert design.licence in LICENCES.values()


@needs_tools
@pytest.mark.skipif(not (GNOME / "simplistic.svgz").exists(), reason="the Debian package gnome-cards-data is not installed")
def test_a_design_is_cut_into_its_52_corners(tmp_path: Path) -> None:
    design = next(design for design in DESIGNS if design.name == "tigullio")
    tiles = collect(design, tmp_path)
    assert [tile.card for tile in tiles if tile.card] == [card_of(r, s) for s in "cdhs" for r in "A23456789TJQK"]
    assert {tile.kind for tile in tiles} == {"card", "unreadable", "back", "foreign"}
    assert all(tile.picture.shape == (TILE_PX[1], TILE_PX[0], 3) for tile in tiles)
    again = collect(design, tmp_path)
    assert all(np.array_equal(a.picture, b.picture) for a, b in zip(tiles, again, strict=True))
    red = next(tile for tile in tiles if tile.card == Card.parse("5h")).picture
    assert red[..., 2].astype(int).sum() > red[..., 0].astype(int).sum()


def test_a_design_that_is_not_installed_gives_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.training.artwork.GNOME", tmp_path / "nowhere")
    assert collect(DESIGNS[0], tmp_path) == ()


@needs_tools
def test_drawn_decks_follow_their_generator() -> None:
    families = font_families()
    first, second = (draw_deck(np.random.default_rng(5), families) for _ in range(2))
    other = draw_deck(np.random.default_rng(6), families)
    assert [tile.card for tile in first] == list(DECK)
    assert all(np.array_equal(a.picture, b.picture) for a, b in zip(first, second, strict=True))
    assert any(not np.array_equal(a.picture, b.picture) for a, b in zip(first, other, strict=False))


@needs_tools
def test_a_dark_deck_is_light_on_dark_and_keeps_its_colours() -> None:
    families = font_families()
    for seed in range(4):
        tiles = {tile.card: tile for tile in draw_deck(np.random.default_rng(seed), families, "German", dark=True)}
        five = tiles[Card.parse("5s")].picture.astype(int)
        assert np.median(five) < 110 < five.max()
    light = draw_deck(np.random.default_rng(2), families, "German", dark=False)
    assert np.median(light[0].picture) > 150


@needs_tools
def test_drawn_boxes_hold_the_ink_and_nothing_overlaps() -> None:
    rng = np.random.default_rng(8)
    for _ in range(6):
        for tile in draw_deck(rng, font_families()):
            rank, suit = tile.rank_box, tile.suit_box
            assert rank[3] < suit[1] and rank[0] > 0 and suit[0] > 0
            part = tile.picture[round(rank[1] * 4) : round(rank[3] * 4), round(rank[0] * 4) : round(rank[2] * 4)]
            assert part.std() > 5


@needs_tools
def test_suits_of_ours_differ_from_each_other() -> None:
    for variant in range(4):
        masks = suit_masks(variant)
        assert len(masks) == 4 and all(min(mask.shape) > 20 for mask in masks)
        filled = [float((mask > 128).mean()) for mask in masks]
        assert filled[1] == pytest.approx(0.5, abs=0.12), "a diamond fills half its box"


@needs_tools
def test_letters_of_every_language_have_ink() -> None:
    for letters in LETTERS.values():
        assert all(mask.size > 200 for mask in text_masks(letters, Face(font_families()[0], "normal", "normal")))


@needs_tools
def test_what_is_no_card_is_called_so() -> None:
    rng, families = np.random.default_rng(3), font_families()
    kinds = [draw_back(rng).kind, draw_empty(rng).kind, draw_foreign(rng, families).kind, draw_half_index(rng, families).kind]
    assert kinds == ["back", "empty", "foreign", "unreadable"] and set(kinds) < set(KINDS)


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None if tool == "rsvg-convert" else f"bin/{tool}")
    with pytest.raises(ToolError, match=r"training needs rsvg-convert \(Debian package librsvg2-bin\)$"):
        check_tools()
