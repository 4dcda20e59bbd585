"""Charts for the model card, drawn with OpenCV: lines, bars, a matrix; what they show is worked out in `claims`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import RANK_LETTERS
from models.training.claims import Claims, Outcome

Canvas = NDArray[np.uint8]
INK, PALE = (40, 40, 40), (225, 225, 225)
RIGHT, WRONG, UNKNOWN = (90, 140, 30), (40, 30, 200), (190, 190, 190)
_MARGIN, _SIZE = 70, 420
_ROW, _BAR, _NAMES = 24, 420, 190
"""Pixels of a bar chart: height of a row, length of a whole bar, room for the names."""


def threshold_chart(told: Claims, chosen: float) -> Canvas:
    """Right, wrong and unknown of the readable cards against the threshold; wrong is drawn ten times enlarged."""
    canvas = _axes("share of readable cards", "threshold")
    steps = np.linspace(0, 1, 101)
    outcomes = [told.outcome(float(step)) for step in steps]
    cards = max(1, outcomes[0].cards)
    lines = {
        "right": (RIGHT, [found.right for found in outcomes], 1.0),
        "unknown": ((150, 150, 150), [found.unknown for found in outcomes], 1.0),
        "wrong x 10": (WRONG, [found.wrong for found in outcomes], 10.0),
    }
    for row, (name, (colour, values, times)) in enumerate(lines.items()):
        heights = np.minimum(1.0, np.array(values) * times / cards)
        points = np.stack([_MARGIN + steps * _SIZE, 30 + (1 - heights) * _SIZE], axis=1)
        cv2.polylines(canvas, [np.round(points * 16).astype(np.int32)], False, colour, 2, cv2.LINE_AA, 4)
        _text(canvas, name, (_MARGIN + 24, 190 + 22 * row), colour)
    x = round(_MARGIN + chosen * _SIZE)
    cv2.line(canvas, (x, 30), (x, 30 + _SIZE), INK, 1, cv2.LINE_AA)
    _text(canvas, f"{chosen:.2f}", (x - 16, 22), INK)
    return canvas


def honesty_chart(told: Claims) -> Canvas:
    """How often a claimed card is right, against the probability with which it was claimed; large dots are many windows."""
    canvas = _axes("share that is right", "probability claimed")
    cv2.line(canvas, (_MARGIN, 30 + _SIZE), (_MARGIN + _SIZE, 30), PALE, 1, cv2.LINE_AA)
    for claimed, right, count in told.honesty():
        middle = (round(_MARGIN + claimed * _SIZE), round(30 + (1 - right) * _SIZE))
        cv2.circle(canvas, middle, 4 + round(np.log2(count)), RIGHT, -1, cv2.LINE_AA)
    return canvas


def bars(rows: Mapping[str, Outcome], title: str) -> Canvas:
    """A bar for each row: right, unknown, wrong, with the shares in figures."""
    canvas = np.full((60 + _ROW * len(rows), _NAMES + _BAR + 190, 3), 255, np.uint8)
    _text(canvas, title, (10, 22), INK)
    _text(canvas, "right     wrong", (_NAMES + _BAR + 12, 22), INK)
    for number, (name, found) in enumerate(rows.items()):
        y, x, cards = 36 + _ROW * number, float(_NAMES), max(1, found.cards)
        _text(canvas, _plain(name), (10, y + 15), INK)
        for count, colour in ((found.right, RIGHT), (found.unknown, UNKNOWN), (found.wrong, WRONG)):
            end = x + _BAR * count / cards
            if count:
                cv2.rectangle(canvas, (round(x), y), (max(round(x) + 1, round(end)), y + _ROW - 6), colour, -1)
            x = end
        figures = f"{100 * found.right / cards:5.1f} %  {100 * found.wrong / cards:5.2f} %"
        _text(canvas, figures, (_NAMES + _BAR + 8, y + 15), INK)
    return canvas


def confusion_chart(told: Claims) -> Canvas:
    """Ranks and suits: what lies there (rows) and what is thought most likely (columns), whatever the threshold."""
    ranks, suits = told.confusion()
    left, right = _matrix(ranks, RANK_LETTERS, "rank: true down, guessed across"), _matrix(suits, "cdhs", "suit")
    canvas = np.full((left.shape[0], left.shape[1] + right.shape[1], 3), 255, np.uint8)
    canvas[:, : left.shape[1]] = left
    canvas[: right.shape[0], left.shape[1] :] = right
    return canvas


def _matrix(counts: NDArray[np.int64], names: Sequence[str], title: str) -> Canvas:
    cell = 42
    canvas = np.full((70 + cell * len(names), 60 + cell * len(names), 3), 255, np.uint8)
    _text(canvas, title, (10, 20), INK)
    shares = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
    for row, name in enumerate(names):
        _text(canvas, name, (22, 76 + cell * row), INK)
        _text(canvas, name, (54 + cell * row, 42), INK)
        for column in range(len(names)):
            x, y = 40 + cell * column, 50 + cell * row
            strength = float(np.sqrt(shares[row, column]))
            colour = RIGHT if row == column else WRONG
            shade = tuple(round(255 + (value - 255) * strength) for value in colour)
            cv2.rectangle(canvas, (x, y), (x + cell - 2, y + cell - 2), shade, -1)
            if counts[row, column]:
                words = str(counts[row, column])
                _text(canvas, words, (x + 20 - 4 * len(words), y + 26), (255, 255, 255) if strength > 0.7 else INK)
    return canvas


def speed_chart(bench: Mapping[str, float | None], reference: str) -> Canvas:
    """Times of ``viewmat bench --json`` as multiples of one of them, so that machines can be compared."""
    times = {name: value for name, value in bench.items() if name.endswith("_ms") and value is not None}
    base, most = times[reference], max(times.values())
    canvas = np.full((60 + _ROW * len(times), 290 + _BAR + 90, 3), 255, np.uint8)
    _text(canvas, f"times {reference} ({base:.2f} ms here); logarithmic", (10, 22), INK)
    least = min(times.values()) / 2
    for number, (name, value) in enumerate(times.items()):
        y = 36 + _ROW * number
        _text(canvas, name, (10, y + 15), INK)
        length = _BAR * np.log(value / least) / np.log(most / least)
        cv2.rectangle(canvas, (290, y), (290 + max(1, round(length)), y + _ROW - 6), (170, 120, 60), -1)
        _text(canvas, f"{value / base:.2f}", (298 + max(1, round(length)), y + 15), INK)
    return canvas


def _axes(up: str, along: str) -> Canvas:
    canvas = np.full((_SIZE + 90, _SIZE + _MARGIN + 40, 3), 255, np.uint8)
    for tick in np.linspace(0, 1, 6):
        y, x = round(30 + (1 - tick) * _SIZE), round(_MARGIN + tick * _SIZE)
        cv2.line(canvas, (_MARGIN, y), (_MARGIN + _SIZE, y), PALE, 1)
        _text(canvas, f"{tick:.1f}", (_MARGIN - 36, y + 5), INK)
        _text(canvas, f"{tick:.1f}", (x - 12, 30 + _SIZE + 20), INK)
    _text(canvas, along, (_MARGIN + _SIZE // 2 - 60, 30 + _SIZE + 46), INK)
    _text(canvas, up, (8, 16), INK)
    return canvas


def _plain(name: str) -> str:
    """OpenCV's letters are ASCII."""
    return name if name.isascii() else "Atlasnye (Russian)" if name == "Атласные" else name.encode("ascii", "replace").decode()


def _text(canvas: Canvas, words: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    cv2.putText(canvas, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.46, colour, 1, cv2.LINE_AA)
