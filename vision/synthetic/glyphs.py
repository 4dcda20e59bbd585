"""Our own index letters: centre lines of ``2 3 4 5 6 7 8 9 10 J Q K A``, drawn with a pen that makes the font.

Every glyph lives in the unit box (y down).  A font is a handful of numbers: slimness, weight, contrast, serifs,
boxiness, and a choice between the forms that playing cards really show (flat or round three, tail of the queen...).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.cards import Rank
from vision.synthetic.pen import OVERSAMPLING, Mask, Points, fill, oval, shrink, stroke, trace


@dataclass(frozen=True, slots=True)
class IndexFont:
    """How the letters of an index look."""

    name: str
    width: float = 0.62
    """Width of a letter in parts of its height."""
    weight: float = 0.15
    """Thickness of an upright in parts of the height."""
    contrast: float = 1.0
    """Thickness of a horizontal in parts of an upright's."""
    serif: float = 0.0
    """Half length of a serif in parts of the height; 0 for none."""
    balls: bool = False
    """Curves end in a ball (fonts with serifs)."""
    boxiness: float = 1.0
    pointed: bool = True
    """Corners come to a point; otherwise they are round."""
    slant: float = 0.0
    """Lean to the right in parts of the height."""
    flat_three: bool = False
    bent_seven: bool = False
    crossed_seven: bool = False
    open_four: bool = False
    straight_six: bool = False
    barred_jack: bool = False
    tail: int = 0
    """Tail of the queen: 0 a slash through the bowl, 1 a stroke below it, 2 a curl."""
    ten_width: float = 1.35
    """Width of the 10 in widths of a letter."""


FONTS: tuple[IndexFont, ...] = (
    IndexFont("plain", barred_jack=True),
    IndexFont("slab", width=0.64, weight=0.14, contrast=0.75, serif=0.13, tail=1, open_four=False),
    IndexFont("tall", width=0.44, weight=0.105, boxiness=1.18, ten_width=1.5, tail=1),
    IndexFont("heavy", width=0.74, weight=0.235, contrast=0.82, ten_width=1.35, flat_three=True),
    IndexFont("book", width=0.66, weight=0.16, contrast=0.38, serif=0.12, balls=True, bent_seven=True, tail=2),
    IndexFont("round", width=0.66, weight=0.13, pointed=False, bent_seven=True, straight_six=True, ten_width=1.4),
    IndexFont("sign", width=0.55, weight=0.17, boxiness=1.3, barred_jack=True, ten_width=1.4, open_four=True),
    IndexFont("swing", width=0.62, weight=0.13, contrast=0.6, slant=0.16, balls=True, serif=0.07, tail=2, crossed_seven=True),
)


@dataclass(frozen=True, slots=True)
class _Form:
    """Centre lines of one glyph; serifs and balls are drawn by fonts that have them."""

    path: str
    serifs: tuple[tuple[float, float, str], ...] = ()
    """x, y and the direction in which the bar runs: ``-`` both ways, ``<`` or ``>`` one way, ``^`` or ``v`` upright."""
    balls: tuple[tuple[float, float], ...] = ()
    ovals: tuple[tuple[float, float, float, float], ...] = ()
    hangs: bool = False
    """Reaches below the line, so it is not cut there."""


_SIX = (
    "M .92 .19 C .84 .06 .72 0 .54 0 C .2 0 .01 .25 .01 .62 C .01 .87 .2 1 .5 1 "
    "C .8 1 .99 .87 .99 .68 C .99 .48 .8 .37 .52 .37 C .25 .37 .05 .5 .01 .66"
)
_SIX_STRAIGHT = (
    "M .66 0 C .3 .22 .01 .46 .01 .68 C .01 .88 .22 1 .5 1 "
    "C .78 1 .99 .88 .99 .68 C .99 .5 .78 .38 .5 .38 C .3 .38 .12 .45 .05 .56"
)


def _half_turn(path: str) -> str:
    return " ".join(word if word.isalpha() else f"{1.0 - float(word):.4f}" for word in path.split())


def _form(font: IndexFont, letter: str) -> _Form:
    if letter in _VARIANTS:
        return _VARIANTS[letter](font)
    return _FORMS[letter] if letter in _FORMS else _JOKER_FORMS[letter]


def _three(font: IndexFont) -> _Form:
    if font.flat_three:
        path = "M .05 0 L .93 0 L .42 .41 C .78 .41 .98 .52 .98 .71 C .98 .89 .78 1 .48 1 C .22 1 .06 .92 .01 .77"
        return _Form(path, serifs=((0.05, 0.0, "v"),), balls=((0.01, 0.77),))
    path = (
        "M .04 .22 C .08 .07 .25 0 .48 0 C .76 0 .93 .09 .93 .24 C .93 .4 .75 .47 .38 .47 "
        "C .78 .47 .99 .56 .99 .73 C .99 .9 .78 1 .48 1 C .22 1 .05 .92 .01 .76"
    )
    return _Form(path, balls=((0.04, 0.22), (0.01, 0.76)))


def _four(font: IndexFont) -> _Form:
    path = "M .72 .38 L .72 1 M .5 0 L 0 .7 L 1 .7" if font.open_four else "M 1 .7 L 0 .7 L .72 0 L .72 1"
    return _Form(path, serifs=((0.72, 1.0, "-"),))


def _six(font: IndexFont) -> _Form:
    return _Form(_SIX_STRAIGHT) if font.straight_six else _Form(_SIX, balls=((0.92, 0.19),))


def _nine(font: IndexFont) -> _Form:
    if font.straight_six:
        return _Form(_half_turn(_SIX_STRAIGHT))
    return _Form(_half_turn(_SIX), balls=((0.08, 0.81),))


def _seven(font: IndexFont) -> _Form:
    stem = "L .98 0 C .66 .36 .42 .66 .36 1" if font.bent_seven else "L .96 0 L .34 1"
    cross = " M .3 .5 L .92 .5" if font.crossed_seven else ""
    return _Form(f"M 0 0 {stem}{cross}", serifs=((0.0, 0.0, "v"),))


def _jack(font: IndexFont) -> _Form:
    bowl = "L .8 .68 C .8 .9 .64 1 .42 1 C .18 1 .02 .9 .02 .7"
    bar = "M .34 0 " if font.barred_jack else "M .8 0 "
    start = "M .34 0 L .8 0 " if font.barred_jack else bar
    return _Form(start + bowl, serifs=((0.8, 0.0, "-"),), balls=((0.02, 0.7),))


def _queen(font: IndexFont) -> _Form:
    tail = ("M .52 .66 L 1 1.03", "M .5 .98 L .62 1.16 L .98 1.16", "M .2 .86 C .4 .66 .6 1.16 1.04 1.02")[font.tail]
    return _Form(tail, ovals=((0.5, 0.5, 0.5, 0.5),), hangs=True)


def _ten(font: IndexFont) -> _Form:
    flag = "M 0 .2 L .14 0 L .14 1" if font.serif == 0 else "M 0 .13 L .14 0 L .14 1"
    return _Form(flag, serifs=((0.14, 1.0, "-"),), ovals=((0.68, 0.5, 0.32, 0.5),))


_VARIANTS = {"3": _three, "4": _four, "6": _six, "7": _seven, "9": _nine, "10": _ten, "J": _jack, "Q": _queen}

_FORMS = {
    "2": _Form(
        "M .04 .27 C .04 .1 .22 0 .5 0 C .79 0 .97 .1 .97 .28 C .97 .5 .5 .64 .04 1 L .98 1",
        serifs=((0.98, 1.0, "^"),),
        balls=((0.04, 0.27),),
    ),
    "5": _Form(
        "M .9 0 L .14 0 L .08 .46 C .2 .38 .36 .34 .5 .34 C .8 .34 .99 .47 .99 .67 C .99 .87 .78 1 .48 1 C .25 1 .07 .92 .01 .78",
        balls=((0.01, 0.78),),
    ),
    "8": _Form("", ovals=((0.5, 0.235, 0.43, 0.235), (0.5, 0.735, 0.5, 0.265))),
    "K": _Form(
        "M .08 0 L .08 1 M .93 0 L .08 .62 M .36 .4 L .98 1",
        serifs=((0.08, 0.0, "-"), (0.08, 1.0, "-"), (0.9, 0.0, "-"), (0.95, 1.0, "-")),
    ),
    "A": _Form("M .03 1 L .5 0 L .97 1 M .2 .66 L .8 .66", serifs=((0.04, 1.0, "-"), (0.96, 1.0, "-"))),
}

_JOKER_FORMS = {
    "O": _Form("", ovals=((0.5, 0.5, 0.5, 0.5),)),
    "E": _Form("M .95 0 L .06 0 L .06 1 L .95 1 M .06 .48 L .75 .48", serifs=((0.95, 0.0, "v"), (0.95, 1.0, "^"))),
    "R": _Form(
        "M .06 1 L .06 0 L .55 0 C .84 0 .96 .1 .96 .26 C .96 .43 .84 .53 .55 .53 L .06 .53 M .5 .53 L .98 1",
        serifs=((0.06, 1.0, "-"), (0.06, 0.0, "<")),
    ),
}
JOKER_WORD = "JOKER"

LETTERS = {rank: "10" if rank is Rank.TEN else rank.letter for rank in Rank}
"""What a card prints for its rank."""


@dataclass(frozen=True, slots=True)
class _Box:
    """Maps the unit box of a glyph to pixels of an oversampled canvas with a margin around it."""

    left: float
    top: float
    width: float
    height: float
    pen: tuple[float, float]

    def place(self, points: Points) -> Points:
        pen = np.asarray(self.pen)
        inner = np.asarray((self.width, self.height)) - 2 * pen
        return np.asarray(np.asarray((self.left, self.top)) + pen + points * inner, dtype=np.float64)

    def reach_edges(self, points: Points, unit: Points) -> Points:
        """Lengthen ends that lie on the box so that flat strokes fill it to its rim."""
        points = points.copy()
        for end, inward in ((0, 1), (-1, -2)):
            way = points[end] - points[inward]
            axis = int(abs(way[1]) > abs(way[0]) * 0.6)
            if unit[end][axis] in (0.0, 1.0) and abs(way[axis]) > 1e-6:
                points[end] += way / abs(way[axis]) * self.pen[axis]
        return points


def glyph_mask(font: IndexFont, letter: str, height_px: float) -> Mask:
    """The ink of one of `LETTERS` or of `JOKER_WORD`'s, `height_px` high without tails, with a margin of a quarter around it."""
    form = _form(font, letter)
    scale = height_px * OVERSAMPLING
    wide = font.width * (font.ten_width if letter == "10" else 1.0)
    margin = round(scale * 0.25 / OVERSAMPLING) * OVERSAMPLING
    rows = round((scale + 2 * margin) / OVERSAMPLING) * OVERSAMPLING
    columns = round((scale * wide + 2 * margin) / OVERSAMPLING) * OVERSAMPLING
    # a 10 has to fit two figures into little more than one: its pen is slimmer
    weight = font.weight * (0.86 if letter == "10" else 1.0)
    pen = (weight * scale / 2, weight * font.contrast * scale / 2)
    box = _Box(margin, margin, scale * wide, scale, pen)
    mask = np.zeros((rows, columns), np.uint8)
    _draw_lines(mask, font, form, box)
    if not form.hangs:
        mask[: int(box.top)] = 0
        mask[int(box.top + box.height) + 1 :] = 0
    _draw_ends(mask, font, form, box, scale)
    return shrink(_slanted(mask, font.slant))


def _draw_lines(mask: Mask, font: IndexFont, form: _Form, box: _Box) -> None:
    for unit in trace(form.path, font.boxiness) if form.path else ():
        stroke(mask, box.reach_edges(box.place(unit), unit), box.pen, font.pointed)
    for cx, cy, rx, ry in form.ovals:
        unit = oval(cx, cy, rx, ry, 2.0 + 5.0 * (font.boxiness - 1.0))
        stroke(mask, box.place(np.concatenate([unit, unit[1:3]])), box.pen, pointed=False)


_RUNS = {"-": (-1, 1, 0, 0), "<": (-1, 0, 0, 0), ">": (0, 1, 0, 0), "^": (0, 0, -1, 0), "v": (0, 0, 0, 1)}


def _draw_ends(mask: Mask, font: IndexFont, form: _Form, box: _Box, scale: float) -> None:
    reach = font.serif * scale
    thick = np.asarray((min(box.pen[0], box.pen[1] * 1.2), box.pen[1])) * 0.9
    for x, y, way in form.serifs if font.serif else ():
        left, right, up, down = _RUNS[way]
        centre = box.place(np.array([[x, y]]))[0]
        x_reach, y_reach = (0.0, reach * 1.5) if way in "^v" else (reach, 0.0)
        lines = np.array([[left * x_reach, up * y_reach], [right * x_reach, down * y_reach]])
        stroke(mask, centre + lines, (float(thick[0]), float(thick[1])))
    for x, y in form.balls if font.balls else ():
        centre = box.place(np.array([[x, y]]))[0]
        radius = max(box.pen) * 1.15
        inward = radius * 0.35 * (1 if x < 0.5 else -1)
        fill(mask, oval(centre[0] + inward, centre[1], radius, radius), 255)


def _slanted(mask: Mask, slant: float) -> Mask:
    if slant == 0:
        return mask
    rows = np.arange(mask.shape[0])
    shift = np.round((mask.shape[0] / 2 - rows) * slant).astype(int)
    columns = np.arange(mask.shape[1])[None, :] - shift[:, None]
    inside = (columns >= 0) & (columns < mask.shape[1])
    leaning = mask[rows[:, None], np.clip(columns, 0, mask.shape[1] - 1)]
    return np.where(inside, leaning, 0).astype(np.uint8)
