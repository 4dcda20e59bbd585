"""Only what changed is painted again, and nothing that changed is missed."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from vision.layout import Rect, tray_layout
from vision.synthetic.board import Item, Painter, PxRect, merged
from vision.synthetic.scene import Scene, empty_scene

A, B, FAR = PxRect(10, 10, 30, 30), PxRect(20, 20, 50, 50), PxRect(200, 5, 220, 9)


class Blocks(Painter):
    """Paints every item as a block of one grey and counts how often."""

    def __init__(self) -> None:
        super().__init__(tray_layout(), 1.0)
        self.blocks: tuple[tuple[int, PxRect], ...] = ()
        self.painted: list[int] = []

    def base(self) -> np.ndarray:
        return np.zeros((self.height, self.width, 3), np.uint8)

    def items(self, scene: Scene) -> tuple[Item, ...]:
        return tuple(Item((grey, rect), rect, partial(self._paint, grey, rect)) for grey, rect in self.blocks)

    def _paint(self, grey: int, rect: PxRect, canvas: np.ndarray, clip: PxRect) -> None:
        self.painted.append(grey)
        rect.within(clip).of(canvas)[:] = grey

    def change(self, *blocks: tuple[int, PxRect]) -> tuple[PxRect, ...]:
        self.blocks, self.painted = blocks, []
        return self.show(empty_scene(self.layout))


@pytest.fixture
def blocks() -> Blocks:
    return Blocks()


def test_the_first_picture_is_painted_whole(blocks):
    assert blocks.change((50, A)) == (PxRect(0, 0, blocks.width, blocks.height),)
    assert A.of(blocks.canvas).min() == 50 and blocks.canvas[0, 0, 0] == 0


def test_nothing_changed_nothing_painted(blocks):
    blocks.change((50, A), (60, FAR))
    assert blocks.change((50, A), (60, FAR)) == ()
    assert blocks.painted == []


def test_a_far_item_is_left_alone(blocks):
    blocks.change((50, A), (60, FAR))
    assert blocks.change((70, A), (60, FAR)) == (A,)
    assert blocks.painted == [70]
    assert A.of(blocks.canvas).min() == 70 and FAR.of(blocks.canvas).min() == 60


def test_what_went_away_uncovers_what_lay_below(blocks):
    blocks.change((50, A), (60, B))
    assert blocks.change((50, A)) == (B,)
    assert blocks.canvas[25, 25, 0] == 50 and blocks.canvas[40, 40, 0] == 0


def test_a_new_order_is_a_change(blocks):
    blocks.change((50, A), (60, B))
    assert blocks.canvas[25, 25, 0] == 60
    blocks.change((60, B), (50, A))
    assert blocks.canvas[25, 25, 0] == 50


def test_the_same_item_twice_is_not_the_same_as_once(blocks):
    blocks.change((50, A))
    assert blocks.change((50, A), (50, A)) == (A,)


def test_overlapping_rectangles_are_joined_until_none_overlap():
    chain = (PxRect(0, 0, 10, 10), PxRect(30, 0, 40, 10), PxRect(8, 0, 32, 4), FAR)
    assert set(merged(chain)) == {PxRect(0, 0, 40, 10), FAR}
    assert merged((A, A)) == (A,)
    assert merged(()) == ()


def test_rectangles():
    assert A.size == (20, 20) and A.meets(B) and not A.meets(FAR)
    assert A.joined(B) == PxRect(10, 10, 50, 50)
    assert A.within(B) == PxRect(20, 20, 30, 30)
    assert A.within(FAR).empty and not A.empty
    assert A.grown(2) == PxRect(8, 8, 32, 32)
    assert B.relative_to(A) == PxRect(10, 10, 40, 40)
    assert PxRect(-5, -5, 9000, 3).clipped(100, 50) == PxRect(0, 0, 100, 3)
    # touching is not overlapping
    assert not A.meets(PxRect(30, 10, 40, 30))


def test_millimetres_become_raster_pixels(blocks):
    extent = blocks.layout.extent
    assert blocks.px(Rect(extent.x, extent.y, 10.0, 20.0)) == PxRect(0, 0, 10, 20)
