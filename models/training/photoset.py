"""How well photographs are read that were made of held-out decks: ``python -m models.training.photoset``.

The thresholds of the photograph reader are chosen on these pictures, never on real ones.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.training.artwork import DEFAULT_CACHE
from models.training.photodecks import held_out_decks, treated
from vision.cardfinder import find_cards
from vision.onnx_classifier import OnnxClassifier
from vision.sorting import MIN_CONFIDENCE, FoundCard
from vision.synthetic.photographs import SCENES, Photograph, photograph

MOST_CARDS = 7
OWN_DECKS, DRAWN_DECKS = 12, 24


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A photograph, and how its deck came about."""

    photograph: Photograph
    deck: str
    kind: str
    treatment: str


def samples(count: int, seed: int, cache: Path) -> Iterator[Sample]:
    """So many photographs; the same seed and the same installed designs give the same ones."""
    decks = held_out_decks(np.random.default_rng((seed, 5)), cache, OWN_DECKS, DRAWN_DECKS)
    kinds = sorted({deck.kind for deck in decks})
    for number in range(count):
        rng = np.random.default_rng((seed, 6, number))
        kind = kinds[int(rng.integers(len(kinds)))]
        of_kind = [deck for deck in decks if deck.kind == kind]
        deck, treatment = treated(rng, of_kind[int(rng.integers(len(of_kind)))])
        scene = (*SCENES, "crop")[number % (len(SCENES) + 1)]
        cards = 1 if scene in ("single", "crop", "rig") else int(rng.integers(2, 6 if scene == "fan" else MOST_CARDS + 1))
        yield Sample(photograph(rng, deck.prints(rng, cards), scene), deck.name, kind, treatment)


def tally(photo: Photograph, found: Sequence[FoundCard], min_confidence: float = MIN_CONFIDENCE) -> Counter[str]:
    """Counts of ``right``, ``wrong`` and ``unknown`` cards; what shows no index may be named, but need not."""
    named = Counter(card.card for card in found if card.confidence >= min_confidence)
    readable, hidden = Counter(photo.readable), Counter(photo.hidden)
    return Counter(
        cards=readable.total(),
        right=(named & readable).total(),
        wrong=(named - readable - hidden).total(),
        unknown=(readable - named).total(),
    )


def report(rows: dict[str, Counter[str]]) -> Iterator[str]:
    """A line for each row, the total last."""
    total: Counter[str] = sum(rows.values(), Counter())
    for name, count in (*sorted(rows.items()), ("all", total)):
        cards = max(1, count["cards"])
        shares = "  ".join(f"{what} {count[what]:4} {count[what] / cards:7.2%}" for what in ("right", "wrong", "unknown"))
        yield f"{name:28} {count['cards']:5} cards  {shares}"


def main(arguments: list[str]) -> int:
    """Print the tables; 0 done."""
    parser = argparse.ArgumentParser(prog="python -m models.training.photoset", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="photographs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where rasterised designs are kept")
    parser.add_argument("--model", type=Path, help="another model than the packaged one")
    parser.add_argument("--thresholds", action="store_true", help="also tell what other thresholds would give")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the pictures with faults there")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    classifier = OnnxClassifier.load(options.model)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    read = []
    for number, sample in enumerate(samples(options.count, options.seed, options.cache)):
        found = find_cards(sample.photograph.image, classifier)
        counts = tally(sample.photograph, found)
        for row in (f"scene: {sample.photograph.scene}", f"deck: {sample.kind}", f"stock: {sample.treatment}"):
            rows[row].update(counts)
        read.append((sample.photograph, found))
        if options.keep and counts["wrong"] + counts["unknown"]:
            _keep(options.keep, number, sample, found, counts)
    for table in ("scene", "deck", "stock"):
        print("\n".join(report({name: count for name, count in rows.items() if name.startswith(table)})), end="\n\n")
    if options.thresholds:
        levels = (0.8, 0.9, 0.95, 0.96, MIN_CONFIDENCE, 0.97, 0.98, 0.99)
        told = {f"threshold {level}": sum((tally(*pair, level) for pair in read), Counter()) for level in levels}
        print("\n".join(list(report(told))[:-1]))
    return 0


def _keep(folder: Path, number: int, sample: Sample, found: Sequence[FoundCard], counts: Counter[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    picture = sample.photograph.image.copy()
    for card in found:
        outline = np.round(card.corners).astype(np.int32)
        cv2.polylines(picture, [outline], True, (0, 200, 0) if card.sure else (0, 0, 255), 1, cv2.LINE_AA)
        at = (int(outline[:, 0].mean()) - 20, int(outline[:, 1].mean()))
        told = f"{card.card} {card.confidence:.2f}"
        cv2.putText(picture, told, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 255), 1, cv2.LINE_AA)
    truth = "-".join(str(card) for card in sample.photograph.readable)
    fault = "wrong" if counts["wrong"] else "unknown"
    name = f"{fault}-{number:04}-{sample.photograph.scene}-{sample.deck}-{truth}.jpg"
    cv2.imwrite(str(folder / name.replace(" ", "")), picture)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
