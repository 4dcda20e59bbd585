"""Cards and hands as pictures with transparency, ready to be laid on a board's raster.

Colours are premultiplied by the opacity, so that sprites can be turned, shrunk and blurred without dark seams.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.layout import CARD_MM
from vision.synthetic.art import DeckArt
from vision.synthetic.pen import line, oval, trace
from vision.synthetic.scene import SKINS, SLEEVES, Face, HandShadow, LyingCard

Sprite = NDArray[np.uint8]
"""height x width x 4: premultiplied blue, green, red, and opacity."""
Matrix = NDArray[np.float64]
"""2 x 3, from sprite pixels to raster pixels."""

_HAND_MM = (130.0, 330.0)
_TIP_MM = (65.0, 6.0)
"""Size of the hand's sprite, and where its middle finger ends."""


def premultiplied(colour: Image, opacity: NDArray[np.uint8]) -> Sprite:
    """A sprite from a picture and its opacity."""
    scaled = (colour.astype(np.uint16) * opacity[..., None] + 127) // 255
    return np.dstack([scaled.astype(np.uint8), opacity])


class Sprites:
    """The cards of one deck, and hands, at one raster's scale."""

    def __init__(self, art: DeckArt, px_per_mm: float, hand_px_per_mm: float) -> None:
        self._art = art
        self._hand_px_per_mm = hand_px_per_mm
        self.px_per_mm = px_per_mm
        self._hands: dict[tuple[int, int, float], Sprite] = {}

    def card(self, face: Face | None) -> Sprite:
        """The face of a card, or the back for None."""
        return self._art.sprite(face, self.px_per_mm)

    def hand(self, hand: HandShadow, blur_mm: float) -> Sprite:
        """A hand with its fingers upwards."""
        key = (hand.skin, hand.sleeve, blur_mm)
        if key not in self._hands:
            drawn = _draw_hand(SKINS[hand.skin], SLEEVES[hand.sleeve], self._hand_px_per_mm)
            self._hands[key] = soften(drawn, blur_mm * self._hand_px_per_mm)
        return self._hands[key]

    def card_matrix(self, card: LyingCard, place_mm: tuple[float, float], origin_mm: tuple[float, float]) -> Matrix:
        """Where a card comes to lie whose nominal top left corner is at `place_mm`."""
        angle = np.radians(card.angle_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        corner = np.asarray(place_mm) + np.array([card.dx_mm, card.dy_mm + card.slide_mm]) - np.asarray(origin_mm)
        if card.turned:
            corner = corner + turn @ np.asarray(CARD_MM)
            turn = -turn
        return np.concatenate([turn, corner[:, None] * self.px_per_mm], axis=1)

    def hand_matrix(self, hand: HandShadow, origin_mm: tuple[float, float]) -> Matrix:
        """Where a hand comes to lie."""
        angle = np.radians(hand.angle_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * hand.size
        tip = np.array([hand.x_mm, hand.y_mm]) - np.asarray(origin_mm) - turn @ np.asarray(_TIP_MM)
        return np.concatenate([turn * (self.px_per_mm / self._hand_px_per_mm), tip[:, None] * self.px_per_mm], axis=1)


def soften(sprite: Sprite, sigma_px: float) -> Sprite:
    """A sprite out of focus."""
    return sprite if sigma_px < 0.3 else np.asarray(cv2.GaussianBlur(sprite, (0, 0), sigma_px), dtype=np.uint8)


def smear(sprite: Sprite, way_px: tuple[float, float]) -> Sprite:
    """A sprite that moved while the shutter was open."""
    length = float(np.hypot(*way_px))
    if length < 1:
        return sprite
    half = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    ends = np.array([[-way_px[0], -way_px[1]], [way_px[0], way_px[1]]]) / 2 + half + 0.5
    line_on = np.zeros(kernel.shape, np.uint8)
    line(line_on, ends, 255, 1)
    kernel[:] = line_on
    return np.asarray(cv2.filter2D(sprite, -1, kernel / kernel.sum(), borderType=cv2.BORDER_CONSTANT), dtype=np.uint8)


def warp(sprite: Sprite, matrix: Matrix, size_px: tuple[int, int]) -> Sprite:
    """A sprite laid into an empty patch of width x height pixels."""
    # pixel centres, not corners, have to map onto each other
    centred = matrix.copy()
    centred[:, 2] += centred[:, :2] @ np.array([0.5, 0.5]) - 0.5
    return np.asarray(cv2.warpAffine(sprite, centred, size_px, flags=cv2.INTER_LINEAR), dtype=np.uint8)


def lay(canvas: Image, sprite: Sprite, light: float = 1.0) -> None:
    """Lay a sprite of the canvas's size on it; `light` dims the sprite."""
    opacity = sprite[..., 3]
    x, y, width, height = cv2.boundingRect(opacity)
    if width == 0:
        return
    area = canvas[y : y + height, x : x + width]
    part = sprite[y : y + height, x : x + width]
    clear = cv2.cvtColor(255 - part[..., 3], cv2.COLOR_GRAY2BGR)
    colour = part[..., :3] if light == 1.0 else cv2.convertScaleAbs(part[..., :3], alpha=light)
    cv2.add(cv2.multiply(area, clear, scale=1 / 255), colour, dst=area)


def shade(canvas: Image, opacity: NDArray[np.uint8], depth: float) -> None:
    """Darken the canvas where a shadow of the given opacity falls."""
    left = cv2.cvtColor(255 - cv2.convertScaleAbs(opacity, alpha=depth), cv2.COLOR_GRAY2BGR)
    cv2.multiply(canvas, left, dst=canvas, scale=1 / 255)


_FINGERS = (
    # base, knuckle, tip, thickness
    ((44.0, 74.0), (42.0, 44.0), (42.0, 18.0), 17.0),
    ((62.0, 72.0), (64.0, 40.0), (65.0, 15.0), 18.0),
    ((79.0, 74.0), (84.0, 46.0), (86.0, 23.0), 17.0),
    ((94.0, 82.0), (102.0, 62.0), (106.0, 42.0), 14.0),
    ((40.0, 116.0), (18.0, 96.0), (13.0, 72.0), 19.0),
)


def _draw_hand(skin: tuple[int, int, int], sleeve: tuple[int, int, int], px_per_mm: float) -> Sprite:
    width, height = round(_HAND_MM[0] * px_per_mm), round(_HAND_MM[1] * px_per_mm)
    colour = np.zeros((height, width, 3), np.uint8)
    opacity = np.zeros((height, width), np.uint8)
    dark = (round(skin[0] * 0.72), round(skin[1] * 0.72), round(skin[2] * 0.78))
    nail = (min(255, skin[0] + 28), min(255, skin[1] + 22), min(255, skin[2] + 14))

    def both(points: NDArray[np.float64], ink: tuple[int, int, int]) -> None:
        cv2.fillPoly(colour, [np.round(points * px_per_mm * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)
        cv2.fillPoly(opacity, [np.round(points * px_per_mm * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)

    colour[:] = dark
    both(trace("M 34 176 L 92 176 L 94 340 L 34 340 Z")[0], skin)
    both(trace("M 34 74 C 30 120 30 150 34 182 L 92 182 C 100 150 106 110 100 78 C 80 60 50 60 34 74 Z")[0], skin)
    for base, knuckle, tip, thick in _FINGERS:
        points = np.array([base, knuckle, tip])
        for ink, extra in ((dark, 1.6), (skin, 0.0)):
            line(colour, points * px_per_mm, ink, (thick + extra) * px_per_mm)
        line(opacity, points * px_per_mm, 255, thick * px_per_mm)
        both(oval(tip[0], tip[1] - thick * 0.08, thick * 0.3, thick * 0.36), nail)
        line(colour, np.array([[knuckle[0] - 4, knuckle[1]], [knuckle[0] + 4, knuckle[1]]]) * px_per_mm, dark, 0.7 * px_per_mm)
    both(trace("M 24 214 L 104 214 L 112 340 L 16 340 Z")[0], sleeve)
    line(colour, np.array([[24.0, 219.0], [104.0, 219.0]]) * px_per_mm, tuple(c // 2 for c in sleeve), 1.0 * px_per_mm)  # type: ignore[arg-type]  # three numbers
    return premultiplied(colour, opacity)
