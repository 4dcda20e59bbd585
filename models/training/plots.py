"""The figures and pictures of the model card, from a finished model: ``python -m models.training.plots --out models/plots``.

Everything is measured on designs and fonts of the test, which neither trained the model nor chose its threshold.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

try:
    import torch  # noqa: F401 - what makes the windows needs it
except ImportError as missing:  # pragma: no cover - depends on the installation
    raise SystemExit("measuring the model needs torch, which makes the windows: pip install 'viewmat[train]'") from missing

from companion.cards import DECK, RANK_LETTERS
from models.training.artwork import DEFAULT_CACHE
from models.training.augment import MODES, Batch, make_batch
from models.training.charts import Canvas, bars, confusion_chart, honesty_chart, speed_chart, threshold_chart
from models.training.claims import Claims, Outcome
from models.training.glyphs import ToolError, check_tools
from models.training.pool import fonts, held_out_pool
from models.training.split import Part
from models.training.spoilt import cards_of_the_test, no_card_windows, no_cards, spoilt_windows
from vision.classifier import Patches, Reading
from vision.errors import ModelError
from vision.onnx_classifier import OnnxClassifier

REFERENCE = "onnx_only_5_ms"
"""The time that others are given as multiples of."""


def claims(classifier: OnnxClassifier, batches: Iterable[Batch]) -> Claims:
    """Read the windows of `batches`, without those that are arguable."""
    parts = []
    for batch in batches:
        clear = (batch.weights > 0).numpy()
        reading = classifier.classify(np.ascontiguousarray(batch.windows.permute(0, 2, 3, 1).numpy()[clear]))
        card = batch.suits.numpy() * 13 + batch.ranks.numpy()
        truth, lies = np.where(batch.kinds.numpy() == 0, card, -1), np.where(batch.told.numpy() > 0, card, -1)
        parts.append((reading, *(of[clear] for of in (truth, lies, batch.groups.numpy(), batch.modes.numpy()))))
    return _claims(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _claims(reading: Reading, truth: np.ndarray, lies: np.ndarray, groups: np.ndarray, modes: np.ndarray) -> Claims:
    best = reading[:, : len(DECK)].argmax(axis=1)
    return Claims(truth, reading.argmax(axis=1), reading.max(axis=1), best, lies, groups, modes)


def by_design(told: Claims, names: tuple[str, ...], least: float) -> dict[str, Outcome]:
    """The outcome for each design, drawn decks together, the worst first."""
    members: dict[str, list[int]] = {}
    for number, name in enumerate(names[:-1]):
        members.setdefault("drawn decks" if name.startswith("drawn") else name, []).append(number)
    found = {name: told.outcome(least, np.isin(told.groups, numbers)) for name, numbers in members.items()}
    found["all"] = told.outcome(least)
    return dict(sorted(found.items(), key=lambda pair: pair[1].right / max(1, pair[1].cards)))


def by_card(told: Claims, least: float) -> dict[str, Outcome]:
    """The outcome for each rank and each suit."""
    card = told.truth >= 0
    found = {f"rank {letter}": told.outcome(least, card & (told.truth % 13 == n)) for n, letter in enumerate(RANK_LETTERS)}
    suits = ("clubs", "diamonds", "hearts", "spades")
    return found | {name: told.outcome(least, card & (told.truth // 13 == n)) for n, name in enumerate(suits)}


def spoilt(classifier: OnnxClassifier, cache: Path, seed: int) -> dict[str, Outcome]:
    """What becomes of good windows, of each sort of deck, and of the same windows spoilt by known amounts."""
    sorts, tiles = zip(*cards_of_the_test(cache, seed, fonts("test")), strict=True)
    found: dict[str, Outcome] = {}
    for name, patches, truth in spoilt_windows(list(tiles), seed):
        if not found:
            for sort in dict.fromkeys(sorts):
                of_sort = np.array([other == sort for other in sorts])
                found[f"good: {sort}"] = _outcome(classifier, patches[of_sort], truth[of_sort])
        found[name] = _outcome(classifier, patches, truth)
    return found


def nothing(classifier: OnnxClassifier, cache: Path, seed: int) -> dict[str, Outcome]:
    """How many windows without a card of a deck are named."""
    found = {}
    for name, tiles in no_cards(cache, seed, fonts("test")).items():
        patches = no_card_windows(tiles, seed)
        found[name] = _outcome(classifier, patches, np.full(len(patches), -1))
    return found


def _outcome(classifier: OnnxClassifier, patches: Patches, truth: np.ndarray) -> Outcome:
    nobody = np.zeros(len(truth), np.int64)
    return _claims(classifier.classify(patches), truth, truth, nobody, nobody).outcome(classifier.min_confidence)


def table(first: str, rows: dict[str, Outcome]) -> str:
    """A Markdown table."""
    lines = [f"| {first} | cards | right | wrong | not named | other windows | misnamed |", "|---|---|---|---|---|---|---|"]
    for name, found in rows.items():
        counts = (found.right, found.wrong, found.unknown)
        shares = (f"{100 * count / found.cards:.2f} %" if found.cards else "" for count in counts)
        lines.append(f"| {name} | {found.cards or ''} | {' | '.join(shares)} | {found.others or ''} | {found.named} |")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure the model and draw."""
    parser = argparse.ArgumentParser(description="Measure a finished model and draw the plots of the model card.")
    parser.add_argument("--out", type=Path, help="folder for the PNG files (default: only print)")
    parser.add_argument("--model", type=Path, help="an .onnx file with its .toml beside it (default: the packaged model)")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE)
    parser.add_argument("--windows", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", choices=("validation", "test"), default="test", help="which held-out designs (default test)")
    parser.add_argument("--bench", type=Path, help="what viewmat bench --json printed, for the chart of speeds")
    chosen = parser.parse_args()
    try:
        check_tools()
        _measure(chosen, OnnxClassifier.load(chosen.model), chosen.part)
    except (ToolError, ModelError, OSError, ValueError) as error:
        raise SystemExit(str(error)) from error


def _measure(chosen: argparse.Namespace, classifier: OnnxClassifier, part: Part) -> None:
    pool = held_out_pool(chosen.cache, chosen.seed, part)
    told = claims(classifier, (make_batch(pool, 250, 20_000_000 + i) for i in range(max(1, chosen.windows // 250))))
    least = classifier.min_confidence
    designs, cards = by_design(told, pool.names, least), by_card(told, least)
    modes = {name: told.outcome(least, told.modes == number) for number, name in enumerate(MODES)}
    print(f"calibration: claims are {100 * told.gap():.2f} points from honest on average\n")
    tables = {"design": designs, "rank or suit": cards, "made how": modes}
    if part == "test":
        tables |= {"treated how": spoilt(classifier, chosen.cache, chosen.seed)}
        tables |= {"what it is": nothing(classifier, chosen.cache, chosen.seed)}
    for first, rows in tables.items():
        print(table(first, rows) + "\n")
    if chosen.out is None:
        return
    charts: dict[str, Canvas] = {
        "threshold": threshold_chart(told, least),
        "honesty": honesty_chart(told),
        "designs": bars(designs, "held-out designs, badly treated"),
        "cards": bars(cards, "ranks and suits"),
        "confusion": confusion_chart(told),
    }
    if part == "test":
        charts["spoilt"] = bars(tables["treated how"], "good windows, and spoilt ones")
    if chosen.bench is not None:
        charts["speed"] = speed_chart(json.loads(chosen.bench.read_text(encoding="utf-8")), REFERENCE)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name, canvas in charts.items():
        cv2.imwrite(str(chosen.out / f"{name}.png"), canvas)


if __name__ == "__main__":
    main()
