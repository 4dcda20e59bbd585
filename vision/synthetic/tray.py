"""The tray from above: felt, printed outlines, the row, the pile, and hands."""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np

from vision.frame import Image
from vision.layout import CARD_MM, Layout, Rect
from vision.synthetic.art import DeckArt
from vision.synthetic.board import Item, Painter, PxRect
from vision.synthetic.condition import Condition
from vision.synthetic.lens import TRAY_PATH_MM
from vision.synthetic.scene import PILE_MM, HandShadow, LyingCard, Scene
from vision.synthetic.sprites import Matrix, Sprites, lay, shade, smear, soften, warp

TRAY_SCALE = 4.0
"""Raster pixels to the millimetre."""
FELTS = ((58, 92, 30), (92, 60, 36), (44, 40, 96), (62, 62, 62))
"""Colours of the cloth: blue, green, red."""
_CARD_THICKNESS_MM = 0.3


class TrayPainter(Painter):
    """The raster of the tray."""

    def __init__(self, layout: Layout, art: DeckArt, condition: Condition, seed: int) -> None:
        super().__init__(layout, TRAY_SCALE)
        self._sprites = Sprites(art, TRAY_SCALE, TRAY_SCALE)
        self._condition = condition
        self._rng = np.random.default_rng((seed, 29))
        self._middle_mm = np.array([layout.extent.x + layout.extent.width / 2, layout.extent.y + layout.extent.height / 2])
        self._shine = self._reflection()

    def base(self) -> Image:
        """Felt, outlines, markers."""
        rng = self._rng
        felt = FELTS[int(rng.integers(len(FELTS)))] if self._condition.difficulty == "hard" else FELTS[0]
        fibres = rng.normal(0, 7, (self.height, self.width)).astype(np.float32)
        soft = cv2.GaussianBlur(fibres, (0, 0), 0.8)
        wide = cv2.resize(rng.normal(0, 3, (20, 32)).astype(np.float32), (self.width, self.height), interpolation=cv2.INTER_CUBIC)
        canvas = np.clip(np.asarray(felt, np.float32) + (soft + wide)[..., None], 0, 255).astype(np.uint8)
        print_colour = tuple(int(c + 50) for c in felt)
        for window in self.layout.windows:
            self._outline(canvas, Rect(window.x, window.y, *CARD_MM), print_colour)
        self._outline(canvas, PILE_MM, print_colour)
        self.draw_markers(canvas, 2.0)
        return canvas

    def _outline(self, canvas: Image, rect: Rect, colour: tuple[int, ...]) -> None:
        grown = Rect(rect.x - 1.0, rect.y - 1.0, rect.width + 2.0, rect.height + 2.0)
        place = self.px(grown)
        thick, radius = round(0.8 * TRAY_SCALE), round(4.0 * TRAY_SCALE)
        left, top, right, bottom = place.left, place.top, place.right, place.bottom
        for x0, y0, x1, y1 in (
            (left + radius, top, right - radius, top),
            (left + radius, bottom, right - radius, bottom),
            (left, top + radius, left, bottom - radius),
            (right, top + radius, right, bottom - radius),
        ):
            cv2.line(canvas, (x0, y0), (x1, y1), colour, thick, cv2.LINE_AA)
        corners = (
            (left + radius, top + radius, 180), (right - radius, top + radius, 270),
            (right - radius, bottom - radius, 0), (left + radius, bottom - radius, 90),
        )
        for x, y, start in corners:
            cv2.ellipse(canvas, (x, y), (radius, radius), start, 0, 90, colour, thick, cv2.LINE_AA)

    def items(self, scene: Scene) -> tuple[Item, ...]:
        found = []
        for window, stack in zip(self.layout.windows, scene.stacks, strict=True):
            found += [self._card_item(card, (window.x, window.y)) for card in stack]
        if scene.pile:
            rect = self._grown(self.px(PILE_MM), 4.0 + scene.pile * _CARD_THICKNESS_MM)
            found.append(Item(("pile", scene.pile), rect, partial(self._paint_pile, scene.pile)))
        found += [self._card_item(loose.card, (loose.x_mm, loose.y_mm)) for loose in scene.loose]
        return (*found, *(self._hand_item(hand) for hand in scene.hands))

    def _grown(self, rect: PxRect, by_mm: float) -> PxRect:
        by = int(np.ceil(by_mm * TRAY_SCALE))
        return PxRect(rect.left - by, rect.top - by, rect.right + by, rect.bottom + by).clipped(self.width, self.height)

    def _card_item(self, card: LyingCard, place: tuple[float, float]) -> Item:
        matrix = self._matrix(card, place)
        size = np.asarray(CARD_MM) * TRAY_SCALE
        rect = _bounds(matrix, size)
        slack = 3.0 + card.lift_mm * 0.4 + float(np.hypot(*card.motion_mm))
        return Item((card, place), self._grown(rect, slack), partial(self._paint_card, card, matrix))

    def _matrix(self, card: LyingCard, place: tuple[float, float]) -> Matrix:
        matrix = self._sprites.card_matrix(card, place, self.origin_mm)
        if card.lift_mm > 0:
            # what is higher is nearer to the camera
            scale = TRAY_PATH_MM / (TRAY_PATH_MM - min(card.lift_mm, TRAY_PATH_MM / 2))
            matrix = matrix * scale
            matrix[:, 2] += (self._middle_mm - np.asarray(self.origin_mm)) * TRAY_SCALE * (1.0 - scale)
        return matrix

    def _paint_card(self, card: LyingCard, matrix: Matrix, canvas: Image, clip: PxRect) -> None:
        part = _bounds(matrix, np.asarray(CARD_MM) * TRAY_SCALE)
        area = self._grown(part, 3.0 + card.lift_mm * 0.4 + float(np.hypot(*card.motion_mm)))
        face = card.face if card.side == "up" else None
        sprite = warp(self._sprites.card(face), _moved(matrix, area), area.size)
        sprite = smear(sprite, (card.motion_mm[0] * TRAY_SCALE, card.motion_mm[1] * TRAY_SCALE))
        sprite = soften(sprite, card.lift_mm * 0.008 * TRAY_SCALE)
        self._lay(canvas, area, clip, sprite, 0.8 + card.lift_mm * 0.12)

    def _lay(self, canvas: Image, area: PxRect, clip: PxRect, sprite: Image, shadow_mm: float) -> None:
        """Lay a sprite that fills `area`, with its shadow, where `clip` allows."""
        cut = area.within(clip)
        if cut.empty:
            return
        target, inside = cut.of(canvas), cut.relative_to(area)
        shift = min(shadow_mm, 8.0) * TRAY_SCALE * 0.6
        move = np.array([[1.0, 0.0, shift], [0.0, 1.0, shift]])
        opacity = np.ascontiguousarray(sprite[..., 3])
        shadow = cv2.boxFilter(cv2.warpAffine(opacity, move, area.size), -1, (max(3, int(shift) | 1),) * 2)
        shade(target, np.ascontiguousarray(inside.of(np.asarray(shadow, dtype=np.uint8))), 0.45)
        own = np.ascontiguousarray(inside.of(sprite))
        lay(target, own)
        if self._shine is not None:
            cv2.add(target, cut.of(self._shine), dst=target, mask=np.ascontiguousarray(own[..., 3]))

    def _paint_pile(self, count: int, canvas: Image, clip: PxRect) -> None:
        height = count * _CARD_THICKNESS_MM
        rect = self._grown(self.px(PILE_MM), 4.0 + height)
        # a handful of edges stands for the pile's thickness
        for step in np.linspace(0.0, 1.0, min(6, count)):
            lean = 0.12 * height * float(step)
            card = LyingCard("joker", "down", -lean, -lean, 0.4 * float(np.sin(7.0 * step)))
            matrix = self._matrix(card, (PILE_MM.x, PILE_MM.y))
            sprite = warp(self._sprites.card(None), _moved(matrix, rect), rect.size)
            self._lay(canvas, rect, clip, sprite, 1.2)

    def _hand_item(self, hand: HandShadow) -> Item:
        matrix = self._sprites.hand_matrix(hand, self.origin_mm)
        sprite = self._sprites.hand(hand, 0.15)
        rect = self._grown(_bounds(matrix, np.array([sprite.shape[1], sprite.shape[0]])), 6.0)
        return Item(hand, rect, partial(self._paint_hand, hand, matrix, rect))

    def _paint_hand(self, hand: HandShadow, matrix: Matrix, area: PxRect, canvas: Image, clip: PxRect) -> None:
        cut = area.within(clip)
        if not cut.empty:
            # the shadow needs a little more of the hand than the part that is painted
            around = cut.grown(24)
            sprite = warp(self._sprites.hand(hand, 0.15), _moved(matrix, around), around.size)
            self._lay(canvas, around, cut, sprite, 5.0)

    def _reflection(self) -> Image | None:
        """What a lamp's reflection adds to glossy cards, over the whole tray; None for nothing."""
        if not self._condition.hot_spots:
            return None
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(np.float32)
        total = np.zeros((self.height, self.width), np.float32)
        for spot in self._condition.hot_spots:
            radius = spot.radius_mm * 1.5 * TRAY_SCALE
            total += spot.strength * np.exp(-((x - spot.x * self.width) ** 2 + (y - spot.y * self.height) ** 2) / radius**2)
        return np.asarray(cv2.cvtColor(np.clip(total, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def _moved(matrix: Matrix, area: PxRect) -> Matrix:
    """The same placement, seen from the corner of an area."""
    moved = matrix.copy()
    moved[:, 2] -= (area.left, area.top)
    return moved


def _bounds(matrix: Matrix, size: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> PxRect:
    """The rectangle that a sprite of `size` covers."""
    corners = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]]) @ matrix[:, :2].T + matrix[:, 2]
    low, high = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
    return PxRect(int(low[0]), int(low[1]), int(high[0]), int(high[1]))
