"""A view mat from below: the underside of the top plate, and through each window whatever lies on it."""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.layout import CARD_MM, Layout, Rect
from vision.synthetic.art import DeckArt
from vision.synthetic.board import Item, Painter, PxRect
from vision.synthetic.condition import Condition
from vision.synthetic.lens import MAT_PATH_MM
from vision.synthetic.scene import HandShadow, LooseCard, LyingCard, Scene
from vision.synthetic.sprites import Matrix, Sprites, lay, shade, smear, soften, warp

MAT_SCALE = 6.0
"""Raster pixels to the millimetre."""
UNLIT = 0.03
"""What reaches the inside of the box without the lamp, in parts of its light: the rest comes in through empty windows."""
_LYING_MM = 3.0
"""A card lower than this lies between window and hand."""
_HAND_BLUR_MM = 1.6
_HAND_LIGHT = 0.62
"""A hand is further from the lamp than a card."""


class MatPainter(Painter):
    """The raster of a mat."""

    def __init__(self, layout: Layout, art: DeckArt, condition: Condition, seed: int, lamp: bool = True) -> None:
        """`lamp`: whether the mat's lamp burns."""
        super().__init__(layout, MAT_SCALE)
        self._lamp = 1.0 if lamp else UNLIT
        self._sprites = Sprites(art, MAT_SCALE, MAT_SCALE / 3)
        self._condition = condition
        self._rng = np.random.default_rng((seed, 23))
        self._middle_mm = np.array([layout.extent.x + layout.extent.width / 2, layout.extent.y + layout.extent.height / 2])
        self._holes = tuple(self.px(window) for window in layout.windows)
        self._skies = tuple(self._sky(hole) for hole in self._holes)
        self._shines = tuple(self._shine(window, hole) for window, hole in zip(layout.windows, self._holes, strict=True))
        self._wall = self._inner_wall(self._holes[0])

    def base(self) -> Image:
        """The printed underside of the plate."""
        tone = int(self._rng.integers(196, 226))
        canvas = np.full((self.height, self.width, 3), (tone, tone + 2, tone + 4), np.uint8)
        grain = self._rng.normal(0, 2.2, (self.height // 3 + 1, self.width // 3 + 1)).astype(np.float32)
        texture = cv2.resize(grain, (self.width, self.height), interpolation=cv2.INTER_LINEAR)
        canvas = np.clip(canvas + texture[..., None], 0, 255).astype(np.uint8)
        for _ in range(40):  # dust
            x, y = int(self._rng.integers(self.width)), int(self._rng.integers(self.height))
            cv2.circle(canvas, (x, y), int(self._rng.integers(1, 3)), (tone - 35,) * 3, -1, cv2.LINE_AA)
        self.draw_markers(canvas, 1.5)
        return np.asarray(canvas * self._lamp, dtype=np.uint8)

    def items(self, scene: Scene) -> tuple[Item, ...]:
        found = []
        for number, (stack, hole) in enumerate(zip(scene.stacks, self._holes, strict=True)):
            window = self.layout.windows[number]
            hands = tuple(hand for hand in scene.hands if _over(window, hand))
            loose = tuple(card for card in scene.loose if _near(window, card))
            paint = partial(self._paint_window, number, stack, hands, loose)
            found.append(Item((number, stack, hands, loose), hole, paint))
        return tuple(found)

    def _paint_window(
        self,
        number: int,
        stack: tuple[LyingCard, ...],
        hands: tuple[HandShadow, ...],
        loose: tuple[LooseCard, ...],
        canvas: Image,
        _: PxRect,
    ) -> None:
        hole, window = self._holes[number], self.layout.windows[number]
        patch = self._skies[number].copy()
        shown = np.zeros(patch.shape[:2], np.uint8)
        origin = (window.x, window.y)
        cards = [(card.card, (card.x_mm, card.y_mm)) for card in loose] + [(card, origin) for card in reversed(stack)]
        # from the ceiling down to the window
        cards.sort(key=lambda pair: -pair[0].lift_mm)
        lifted = [pair for pair in cards if pair[0].lift_mm > _LYING_MM]
        for card, place in lifted:
            self._lay_card(patch, shown, card, place, origin)
        for hand in hands:
            sprite = warp(self._sprites.hand(hand, _HAND_BLUR_MM), self._sprites.hand_matrix(hand, origin), hole.size)
            lay(patch, sprite, _HAND_LIGHT * self._lamp)
        for card, place in cards[len(lifted) :]:
            self._lay_card(patch, shown, card, place, origin)
        shine = self._shines[number]
        if shine is not None and self._lamp == 1.0:
            cv2.add(patch, cv2.multiply(shine, cv2.cvtColor(shown, cv2.COLOR_GRAY2BGR), scale=1 / 255), dst=patch)
        hole.of(canvas)[:] = cv2.multiply(patch, self._wall, scale=1 / 255)

    def _lay_card(
        self,
        patch: Image,
        shown: NDArray[np.uint8],
        card: LyingCard,
        place: tuple[float, float],
        origin: tuple[float, float],
    ) -> None:
        sprites = self._sprites
        matrix = sprites.card_matrix(card, place, origin)
        light = 1.0
        if card.lift_mm > 0:
            matrix = self._lifted(matrix, card.lift_mm, origin)
            light = float((1.0 + card.lift_mm / 40.0) ** -1.5)
        size = (patch.shape[1], patch.shape[0])
        sprite = warp(sprites.card(card.face if card.side == "down" else None), matrix, size)
        sprite = smear(sprite, (card.motion_mm[0] * MAT_SCALE, card.motion_mm[1] * MAT_SCALE))
        sprite = soften(sprite, card.lift_mm * 0.025 * MAT_SCALE)
        # the lower card takes the lamp's light from the one above it
        shade(patch, np.asarray(cv2.blur(np.ascontiguousarray(sprite[..., 3]), (13, 13)), dtype=np.uint8), 0.3)
        lay(patch, sprite, light * self._lamp)
        np.maximum(shown, (sprite[..., 3] * light).astype(np.uint8), out=shown)

    def _lifted(self, matrix: Matrix, lift_mm: float, origin: tuple[float, float]) -> Matrix:
        """What is higher is further from the camera: it shrinks towards the middle of the picture."""
        scale = MAT_PATH_MM / (MAT_PATH_MM + lift_mm)
        middle = (self._middle_mm - np.asarray(origin)) * MAT_SCALE
        smaller = matrix * scale
        smaller[:, 2] += middle * (1.0 - scale)
        return np.asarray(smaller, dtype=np.float64)

    def _sky(self, hole: PxRect) -> Image:
        """The room through an empty window: dark, out of focus, perhaps with a lamp in it."""
        width, height = hole.size
        rng, stray = self._rng, self._condition.stray
        level = 235.0 * stray * rng.uniform(0.5, 1.3)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        lean = rng.uniform(-0.35, 0.35, 2)
        light = level * (1.0 + lean[0] * (x / width - 0.5) + lean[1] * (y / height - 0.5))
        if rng.random() < 0.5:
            centre, radius = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0.2, 0.5) * height
            light = light + level * rng.uniform(0.2, 0.9) * np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / radius**2)
        tint = np.asarray(self._condition.room) * rng.uniform(0.94, 1.06, 3)
        return np.asarray(np.clip(light[..., None] * tint + 9.0, 0, 215).astype(np.uint8))

    def _shine(self, window: Rect, hole: PxRect) -> Image | None:
        """What the lamp's reflection adds to a glossy card in this window; None for nothing."""
        width, height = hole.size
        y, x = np.mgrid[0:height, 0:width].astype(np.float32) / MAT_SCALE
        extent = self.layout.extent
        total = np.zeros((height, width), np.float32)
        for spot in self._condition.hot_spots:
            dx = x + window.x - (extent.x + spot.x * extent.width)
            dy = y + window.y - (extent.y + spot.y * extent.height)
            # the lamp is a strip along the mat
            total += spot.strength * np.exp(-((dx / 1.6) ** 2 + dy**2) / spot.radius_mm**2)
        if float(total.max()) < 1.0:
            return None
        return np.asarray(cv2.cvtColor(np.clip(total, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), dtype=np.uint8)

    def _inner_wall(self, hole: PxRect) -> Image:
        """The shade that the plate's thickness throws into its windows."""
        width, height = hole.size
        y, x = np.mgrid[0:height, 0:width].astype(np.float32) / MAT_SCALE
        rim = np.minimum(np.minimum(x, width / MAT_SCALE - x), np.minimum(y, height / MAT_SCALE - y))
        shade_of = 255.0 * (1.0 - 0.45 * np.exp(-rim / 0.35))
        return np.asarray(cv2.cvtColor(shade_of.astype(np.uint8), cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def _over(window: Rect, hand: HandShadow) -> bool:
    """Whether any part of the hand may show in the window."""
    reach = 340.0 * hand.size
    angle = np.radians(hand.angle_deg)
    # in the hand's own directions: sideways, and from the finger tips towards the arm
    dx = window.x + window.width / 2 - hand.x_mm
    dy = window.y + window.height / 2 - hand.y_mm
    sideways = dx * np.cos(angle) + dy * np.sin(angle)
    along = -dx * np.sin(angle) + dy * np.cos(angle)
    slack = 20.0
    return bool(abs(sideways) < 65.0 * hand.size + slack and -12.0 - slack < along < reach)


def _near(window: Rect, card: LooseCard) -> bool:
    """Whether any part of a loose card may show in the window, however it is turned."""
    reach = float(np.hypot(*CARD_MM)) + abs(card.card.slide_mm) + 30.0
    dx = window.x + window.width / 2 - card.x_mm
    dy = window.y + window.height / 2 - card.y_mm
    return abs(dx) < reach and abs(dy) < reach
