"""Our own hearts, spades, diamonds and clubs as filled curves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.cards import Suit
from vision.synthetic.pen import OVERSAMPLING, Mask, Points, fill, oval, shrink, trace


@dataclass(frozen=True, slots=True)
class SuitShapes:
    """How the four signs of a deck are shaped."""

    plumpness: float = 1.0
    """Roundness of the heart's and spade's lobes, about 0.85..1.15."""
    cleft: float = 0.2
    """Depth of the heart's cleft in parts of its height."""
    waist: float = 0.1
    """How much the diamond's sides curve in; 0 is straight."""
    leaf: float = 0.245
    """Radius of a club's leaf in parts of its height."""
    foot: float = 0.24
    """Half width of the foot of spade and club in parts of the height."""
    width: float = 0.9
    """Width of a sign in parts of its height."""


def _lobed(shapes: SuitShapes) -> Points:
    """A heart in the unit box."""
    p, c = shapes.plumpness, shapes.cleft
    half = (
        f"M .5 {c} C {.5 + .04 * p} {c * .35} {.5 + .14 * p} 0 {.5 + .27 * p} 0 "
        f"C {.5 + .42 * p} 0 1 .13 1 .31 C 1 .52 .72 .66 .5 1"
    )
    right = trace(half)[0]
    left = right[::-1] * np.array([-1.0, 1.0]) + np.array([1.0, 0.0])
    return np.concatenate([right, left])


def _foot(shapes: SuitShapes, top: float) -> Points:
    f = shapes.foot
    text = f"M .5 {top} L .53 {top} C .53 .8 {.5 + f * .5} .95 {.5 + f} 1 L {.5 - f} 1 C {.5 - f * .5} .95 .47 .8 .47 {top} Z"
    return trace(text)[0]


def _diamond(shapes: SuitShapes) -> Points:
    w = shapes.waist * 0.5
    corners = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))
    text = "M .5 0"
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        mid_x, mid_y = (x0 + x1) / 2, (y0 + y1) / 2
        bend_x, bend_y = mid_x + (0.5 - mid_x) * w * 2, mid_y + (0.5 - mid_y) * w * 2
        text += f" C {bend_x} {bend_y} {bend_x} {bend_y} {x1} {y1}"
    return trace(text)[0]


def suit_outline(suit: Suit, shapes: SuitShapes) -> tuple[Points, ...]:
    """The polygons of a sign in the unit box; their union is the sign."""
    if suit is Suit.HEARTS:
        return (_lobed(shapes),)
    if suit is Suit.DIAMONDS:
        return (_diamond(shapes) * np.array([0.86, 1.0]) + np.array([0.07, 0.0]),)
    if suit is Suit.SPADES:
        upside_down = _lobed(shapes) * np.array([1.0, -0.86]) + np.array([0.0, 0.86])
        return upside_down, _foot(shapes, 0.55)
    r = shapes.leaf
    wide = r / shapes.width
    side_y = 0.57
    leaves = (oval(0.5, r, wide, r), oval(wide, side_y, wide, r), oval(1.0 - wide, side_y, wide, r))
    heart_of_it = np.array([[0.5, 0.3], [0.66, 0.62], [0.34, 0.62]])
    return (*leaves, heart_of_it, _foot(shapes, 0.45))


def suit_mask(suit: Suit, shapes: SuitShapes, height_px: float) -> Mask:
    """The ink of a sign, upright; the mask is the sign's box with a pixel around it."""
    rows, columns = round(height_px) + 2, round(height_px * shapes.width) + 2
    mask = np.zeros((rows * OVERSAMPLING, columns * OVERSAMPLING), np.uint8)
    scale = np.array([height_px * shapes.width, height_px]) * OVERSAMPLING
    for outline in suit_outline(suit, shapes):
        fill(mask, outline * scale + OVERSAMPLING, 255)
    return shrink(mask)
