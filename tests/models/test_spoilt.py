"""Windows spoilt by a known amount are spoilt by that amount."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.cards import DECK, Card
from models.training.glyphs import font_families
from models.training.others import EMPTY_PLACES
from models.training.spoilt import (
    SPOILT,
    Laid,
    cards_of_the_test,
    covered,
    glare,
    lay,
    moved,
    no_card_windows,
    over_exposed,
    spoilt_windows,
)  # fmt: skip
from models.training.tiles import TILE_PX, Tile

needs_tools = pytest.mark.skipif(
    not (shutil.which("rsvg-convert") and shutil.which("fc-list")), reason="rsvg-convert or fc-list is not installed"
)

RANK, SUIT = (2.0, 4.0, 8.0, 12.0), (2.0, 13.0, 8.0, 19.0)


@pytest.fixture
def tile() -> Tile:
    """A nine of clubs: grey stock, a black block for rank and one for suit."""
    picture = np.full((TILE_PX[1], TILE_PX[0], 3), 230, np.uint8)
    for left, top, right, bottom in (RANK, SUIT):
        picture[int(top * 4) : int(bottom * 4), int(left * 4) : int(right * 4)] = 20
    return Tile(picture, "card", Card.parse("9c"), RANK, SUIT)


@pytest.fixture
def laid(tile: Tile) -> Laid:
    return lay(tile, np.random.default_rng(1))


def ink(patch: np.ndarray, part: tuple[int, int, int, int]) -> float:
    """Share of a part that is darker than 90."""
    left, top, right, bottom = part
    return float((patch[top:bottom, left:right].max(axis=2) < 90).mean())


def test_a_laid_card_is_where_it_is_said_to_be(laid: Laid) -> None:
    assert DECK[laid.truth] == Card.parse("9c") and laid.patch.shape == (96, 48, 3)
    assert ink(laid.patch, laid.rank) > 0.75 and ink(laid.patch, laid.suit) > 0.75
    dark = int((laid.patch.max(axis=2) < 90).sum())
    boxes = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (laid.rank, laid.suit))
    assert dark == pytest.approx(boxes, rel=0.15)


def test_a_large_index_is_laid_whole(tile: Tile) -> None:
    large = Tile(tile.picture, "card", tile.card, (2.0, 4.0, 12.0, 20.0), (2.0, 22.0, 12.0, 38.0))
    rng = np.random.default_rng(2)
    assert all(lay(large, rng).suit[3] < 96 for _ in range(30))


@pytest.mark.parametrize("share", [0.33, 0.67])
def test_a_cover_hides_its_share_of_the_index(laid: Laid, share: float) -> None:
    rng = np.random.default_rng(3)
    left, top, right, bottom = laid.index
    for _ in range(20):
        changed = np.abs(covered(share)(laid, rng).astype(int) - laid.patch).max(axis=2)[top:bottom, left:right] > 25
        rows, columns = changed.mean(axis=1) > 0.3, changed.mean(axis=0) > 0.3
        hidden = min(rows.mean(), columns.mean()) * max(rows.mean(), columns.mean())
        assert hidden <= share + 0.1
    counts = [ink(covered(share)(laid, rng), laid.index) / ink(laid.patch, laid.index) for _ in range(80)]
    assert np.median([count for count in counts if count < 0.99]) == pytest.approx(1 - share, abs=0.15)


def test_motion_smears_further_the_longer_it_is(laid: Laid) -> None:
    sharpness = [np.abs(np.diff(moved(mm)(laid, np.random.default_rng(4)).astype(int), axis=0)).mean() for mm in (0.5, 2, 7)]
    assert sharpness[0] > sharpness[1] > sharpness[2]
    assert moved(4.0)(laid, np.random.default_rng(4)).mean() == pytest.approx(laid.patch.mean(), abs=4)


def test_too_much_light_burns_paper_first(laid: Laid) -> None:
    rng = np.random.default_rng(5)
    twice, four = over_exposed(2.0)(laid, rng), over_exposed(4.0)(laid, rng)
    assert (twice[60:].mean() > 250) and twice[laid.rank[1] + 8, (laid.rank[0] + laid.rank[2]) // 2].max() < 160
    assert four.mean() > twice.mean()


def test_glare_burns_out_a_part_of_the_index_only(laid: Laid) -> None:
    rng = np.random.default_rng(6)
    half, whole = (np.mean([(glare(share)(laid, rng) > 250).all(axis=2).mean() for _ in range(20)]) for share in (0.5, 1.0))
    assert 0.02 < half < whole < 0.5


def test_every_kind_of_spoiling_starts_from_the_same_windows(tile: Tile) -> None:
    kinds = {name: (patches, truth) for name, patches, truth in spoilt_windows([tile] * 3, 1)}
    assert list(kinds) == list(SPOILT)
    for name, (patches, truth) in kinds.items():
        assert patches.shape == (3, 96, 48, 3) and truth.tolist() == [DECK.index(Card.parse("9c"))] * 3
        assert np.array_equal(patches, kinds["good windows"][0]) == (name == "good windows")


@pytest.mark.long
@needs_tools
def test_drawn_decks_of_the_test_are_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.training.spoilt.DESIGNS", ())
    found = cards_of_the_test(tmp_path, 1, font_families()[:2], decks=6)
    brightness = {sort: np.median([np.median(tile.picture) for other, tile in found if other == sort]) for sort, _ in found}
    assert set(brightness) == {"drawn, dark on light", "drawn, light on dark"} and len(found) == 6 * 52
    assert brightness["drawn, light on dark"] < 100 < brightness["drawn, dark on light"]


@needs_tools
def test_no_card_windows_are_windows() -> None:
    rng = np.random.default_rng(7)
    tiles = [Tile(np.clip(draw(rng), 0, 255).astype(np.uint8), "empty", edge=False) for draw in EMPTY_PLACES.values()]
    assert no_card_windows(tiles, 1, times=3).shape == (15, 96, 48, 3)
