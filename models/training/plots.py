"""Pictures for the model card, from a finished model: ``python -m models.training.plots --out models/plots``."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK
from models.training.augment import MODES, Batch, make_batch
from models.training.pool import validation_pool
from models.training.train import DEFAULT_CACHE
from vision.onnx_classifier import OnnxClassifier

Canvas = NDArray[np.uint8]
INK, PALE = (40, 40, 40), (225, 225, 225)
RIGHT, WRONG, UNKNOWN = (90, 140, 30), (40, 30, 200), (170, 170, 170)
_MARGIN, _SIZE = 70, 420


@dataclass(frozen=True, slots=True)
class Claims:
    """What a model says of windows whose truth is beyond argument."""

    truth: NDArray[np.int64]
    """The card's index in the deck, -1 where no readable card is."""
    found: NDArray[np.int64]
    """The surest label."""
    sure: NDArray[np.float32]
    """Its probability."""
    modes: NDArray[np.int64]
    """How the window was made, as an index into `MODES`."""

    def tally(self, threshold: float, only: NDArray[np.bool_]) -> str:
        """Right, wrong, unknown of the cards that `only` picks, and how many of the rest were named."""
        cards, named = (self.truth >= 0) & only, (self.found < len(DECK)) & (self.sure >= threshold)
        right = self.found == self.truth
        counts = ((cards & named & right), (cards & named & ~right), (cards & ~named))
        others = only & (self.truth < 0)
        told = ", ".join(f"{word} {int(part.sum())}" for word, part in zip(("right", "wrong", "unknown"), counts, strict=True))
        return f"{int(cards.sum())} cards: {told}; {int(others.sum())} others: named {int((others & named).sum())}"


def claims(classifier: OnnxClassifier, batches: list[Batch]) -> Claims:
    """Read the windows of `batches`, without those that are arguable."""
    parts = []
    for batch in batches:
        clear = (batch.weights > 0).numpy()
        reading = classifier.classify(np.ascontiguousarray(batch.windows.permute(0, 2, 3, 1).numpy()[clear]))
        truth = np.where(batch.kinds.numpy() == 0, batch.suits.numpy() * 13 + batch.ranks.numpy(), -1)[clear]
        parts.append((truth, reading.argmax(axis=1), reading.max(axis=1), batch.modes.numpy()[clear]))
    return Claims(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def threshold_plot(told: Claims, chosen: float) -> Canvas:
    """Right, wrong and unknown of the readable cards against the threshold; wrong is drawn ten times enlarged."""
    canvas = _axes("share of readable cards", "threshold")
    truth, found, sure = told.truth, told.found, told.sure
    steps = np.linspace(0, 1, 101)
    cards, named = truth >= 0, found < len(DECK)
    lines = {
        "right": (RIGHT, [float((cards & named & (found == truth) & (sure >= t)).sum()) for t in steps], 1.0),
        "unknown": (UNKNOWN, [float((cards & ~(named & (sure >= t))).sum()) for t in steps], 1.0),
        "wrong x 10": (WRONG, [float((cards & named & (found != truth) & (sure >= t)).sum()) for t in steps], 10.0),
    }
    for row, (name, (colour, values, times)) in enumerate(lines.items()):
        heights = np.minimum(1.0, np.array(values) * times / max(1, cards.sum()))
        points = np.stack([_MARGIN + steps * _SIZE, 30 + (1 - heights) * _SIZE], axis=1)
        cv2.polylines(canvas, [np.round(points * 16).astype(np.int32)], False, colour, 2, cv2.LINE_AA, 4)
        _text(canvas, name, (_MARGIN + 24, 190 + 22 * row), colour)
    x = round(_MARGIN + chosen * _SIZE)
    cv2.line(canvas, (x, 30), (x, 30 + _SIZE), INK, 1, cv2.LINE_AA)
    _text(canvas, f"{chosen:.2f}", (x - 16, 22), INK)
    return canvas


def honesty_plot(told: Claims) -> Canvas:
    """How often a claimed card is right, against the probability with which it was claimed."""
    canvas = _axes("share that is right", "probability claimed")
    cv2.line(canvas, (_MARGIN, 30 + _SIZE), (_MARGIN + _SIZE, 30), PALE, 1, cv2.LINE_AA)
    found, sure = told.found, told.sure
    named = found < len(DECK)
    for low in np.arange(0, 1, 0.1):
        inside = named & (sure >= low) & (sure < low + 0.1 + 1e-6)
        if inside.sum() < 5:
            continue
        at = float(sure[inside].mean()), float((found == told.truth)[inside].mean())
        middle = (round(_MARGIN + at[0] * _SIZE), round(30 + (1 - at[1]) * _SIZE))
        cv2.circle(canvas, middle, 4 + round(np.log2(inside.sum())), RIGHT, -1, cv2.LINE_AA)
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


def _text(canvas: Canvas, words: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    cv2.putText(canvas, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.46, colour, 1, cv2.LINE_AA)


def main() -> None:
    """Read the command line, measure the model on held-out designs and draw."""
    parser = argparse.ArgumentParser(description="Draw the plots of the model card.")
    parser.add_argument("--out", type=Path, required=True, help="folder for the PNG files")
    parser.add_argument("--model", type=Path, help="an .onnx file with its .toml beside it (default: the packaged model)")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE)
    parser.add_argument("--windows", type=int, default=10_000)
    chosen = parser.parse_args()
    classifier = OnnxClassifier.load(chosen.model)
    pool = validation_pool(chosen.cache, 1)
    batches = [make_batch(pool, 250, 20_000_000 + i) for i in range(max(1, chosen.windows // 250))]
    told = claims(classifier, batches)
    least = classifier.min_confidence
    chosen.out.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(chosen.out / "threshold.png"), threshold_plot(told, least))
    cv2.imwrite(str(chosen.out / "honesty.png"), honesty_plot(told))
    print(f"all: {told.tally(least, np.ones(len(told.truth), bool))}")
    for number, mode in enumerate(MODES):
        print(f"{mode}: {told.tally(least, told.modes == number)}")
    wrong = (told.truth >= 0) & (told.found < len(DECK)) & (told.sure >= least) & (told.found != told.truth)
    print("confused: " + ", ".join(f"{DECK[t]} as {DECK[f]}" for t, f in zip(told.truth[wrong], told.found[wrong], strict=True)))


if __name__ == "__main__":
    main()
