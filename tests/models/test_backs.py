from __future__ import annotations

import numpy as np
import pytest

from models.training.backs import PRINTS, draw_back
from models.training.tiles import PX_PER_MM, TILE_PX


def millimetres() -> tuple[np.ndarray, np.ndarray]:
    width, height = TILE_PX
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / PX_PER_MM
    return x, y


@pytest.mark.parametrize("print_", dict.fromkeys(PRINTS), ids=lambda print_: print_.__name__.strip("_"))
def test_every_print_fills_the_tile_and_no_two_are_alike(print_) -> None:
    rng = np.random.default_rng(4)
    pictures = []
    for _ in range(12):
        canvas, light, dark = print_(rng, *millimetres())
        assert canvas.shape == (TILE_PX[1], TILE_PX[0], 3) and canvas.dtype == np.float32
        assert np.isfinite(canvas).all()
        assert light.shape == dark.shape == (3,) and light.mean() > dark.mean()
        pictures.append(canvas)
    differences = [np.abs(a - b).mean() for n, a in enumerate(pictures) for b in pictures[:n]]
    assert np.median(differences) > 15
    assert min(differences) > 0.1


def test_most_backs_have_a_border_and_some_have_none() -> None:
    rng = np.random.default_rng(9)
    backs = [draw_back(rng) for _ in range(60)]
    assert {(tile.kind, tile.card, tile.edge) for tile in backs} == {("back", None, True)}
    along = [tile.picture[2:-2, 0].astype(int) for tile in backs]
    even = sum(bool((np.abs(edge - edge[0]).max(axis=1) <= 1).all()) for edge in along)
    assert 30 <= even <= 55


def test_the_same_seed_draws_the_same_back() -> None:
    one, other = (draw_back(np.random.default_rng(11)).picture for _ in range(2))
    assert np.array_equal(one, other)
