"""What is named on pictures that show no card: ``python -m models.training.noncards``.

The larger part is drawn by `vision.synthetic.noncards`.  Real photographs are used where a package brings them along:
``pip install scikit-image scikit-learn matplotlib`` (a book page, print, cloth-like textures, coins, a cup, people), and the
backs and jokers of the installed card designs.  None of them is part of this project.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.training.artwork import DEFAULT_CACHE, DESIGNS, collect
from models.training.split import part_of
from vision.cardfinder import find_cards
from vision.frame import Image
from vision.onnx_classifier import OnnxClassifier
from vision.synthetic.noncards import noncards
from vision.synthetic.photographs import SCENES, Print, photograph

PICTURED = {"back of nicu-white": "As"}
"""Backs with a picture of a card on them, a fan with the ace of spades on top, index and all: to name that is no fault."""
SHIPPED = {"skimage": "data", "sklearn": "datasets/images", "matplotlib": "mpl-data/sample_data"}
"""Packages that ship photographs, and where."""


def shipped_pictures() -> Iterator[tuple[str, Image]]:
    """Photographs that installed packages bring along, with their names."""
    for package, folder in SHIPPED.items():
        found = importlib.util.find_spec(package)
        for place in (found.submodule_search_locations or []) if found else []:
            for path in sorted((Path(place) / folder).iterdir() if (Path(place) / folder).is_dir() else []):
                picture = cv2.imread(str(path), cv2.IMREAD_COLOR) if path.suffix in (".png", ".jpg", ".jpeg", ".tif") else None
                if picture is not None and min(picture.shape[:2]) >= 32:
                    yield f"{package}: {path.name}", np.asarray(picture, np.uint8)


def installed_others(cache: Path, seed: int) -> Iterator[tuple[str, Image]]:
    """Backs and jokers of held-out designs, photographed."""
    for number, design in enumerate(design for design in DESIGNS if part_of(design) != "training"):
        if not collect(design, cache):
            continue
        with np.load(cache / f"{design.name}.npz") as stored:
            for what in ("backs", "jokers"):
                for turn, picture in enumerate(stored[what]):
                    rng = np.random.default_rng((seed, number, turn))
                    shot = photograph(rng, [Print(picture, None)], SCENES[turn % len(SCENES)])
                    yield f"{what[:-1]} of {design.name}", shot.image


def main(arguments: list[str]) -> int:
    """Print what is named, per kind; 0 where nothing is, else 1."""
    parser = argparse.ArgumentParser(prog="python -m models.training.noncards", description=__doc__)
    parser.add_argument("--each", type=int, default=8, help="drawn pictures of every kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where rasterised designs are kept")
    parser.add_argument("--model", type=Path, help="another model than the packaged one")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    classifier = OnnxClassifier.load(options.model)
    pictures = {
        "drawn": noncards(options.seed, options.each),
        "shipped by packages": shipped_pictures(),
        "installed designs": installed_others(options.cache, options.seed),
    }
    named = 0
    for source, found in pictures.items():
        counts: Counter[str] = Counter()
        for name, picture in found:
            cards = find_cards(picture, classifier)
            claims = [str(card.card) for card in cards if card.sure and str(card.card) != PICTURED.get(name)]
            counts.update(pictures=1, named=len(claims), unknown=len(cards) - len(claims))
            if claims:
                print(f"  {name}: {' '.join(claims)}")
        named += counts["named"]
        told = f"cards named {counts['named']:3}  reported as unknown {counts['unknown']:3}"
        print(f"{source:22} {counts['pictures']:4} pictures  {told}")
    return 1 if named else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
