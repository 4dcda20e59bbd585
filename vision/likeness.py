"""How like each taught card a window is: a linear discriminant in the model's own features."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK
from vision.classifier import Patches
from vision.features import FeatureModel, Features
from vision.variations import variations

VARIATIONS = 32
"""Of each taught window."""
AXES = 640
"""Directions of the features that are kept: those in which taught windows differ most."""
SHRINKAGE = 0.3
"""Share of the spread that is taken to be the same in all directions; a few windows a card know no better."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """What was learnt of one deck with one model."""

    middle: Floats
    """Features of the average window."""
    axes: Floats
    """features x `AXES`"""
    means: Floats
    """52 x `AXES`: the average window of every card."""
    inverse: Floats
    """`AXES` x `AXES`: inverse of the spread about those averages."""
    usual: Floats
    """One number: mean distance of a taught window from its card's average."""

    def weigh(self, features: Features) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For every window the log likelihood of each of the 52 cards (the best is 0), and how far it lies from the nearest
        card, where 1 is the usual distance of that card itself."""
        at = ((features - self.middle) @ self.axes).astype(np.float64)
        inverse = self.inverse.astype(np.float64)
        away = np.stack([np.einsum("ij,jk,ik->i", at - mean, inverse, at - mean, optimize=True) for mean in self.means], axis=1)
        nearest = away.min(axis=1, keepdims=True)
        return -(away - nearest) / 2, np.maximum(nearest[:, 0], 0.0) / float(self.usual[0]) ** 2

    def save(self, path: Path) -> None:
        """Write it; raise OSError where that is impossible."""
        np.savez_compressed(path, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def load(cls, path: Path) -> Likeness | None:
        """What was saved; None where the file is missing or damaged, for it can always be learnt again."""
        try:
            # Opened here, for a damaged archive would stay open where numpy opens it.
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                found = cls(**{field.name: stored[field.name].astype(np.float32) for field in fields(cls)})
        except (OSError, KeyError, ValueError, EOFError, BadZipFile):
            return None
        if not all(np.isfinite(getattr(found, field.name)).all() for field in fields(cls)):
            return None
        sizes = found.means.shape, found.inverse.shape, found.usual.shape
        return found if sizes == ((len(DECK), AXES), (AXES, AXES), (1,)) and found.axes.shape[1] == AXES else None


def learn(windows: Patches, cards: NDArray[np.intp], model: FeatureModel, seed: int = 1) -> Likeness:
    """Learn a deck from its windows: n x 96 x 48 x 3, and for each the index of its card in `DECK`, all 52 among them."""
    rng = np.random.default_rng(seed)
    seen = np.concatenate([model.see(variations(window, VARIATIONS, rng))[1] for window in windows])
    labels = np.repeat(cards, VARIATIONS + 1)
    middle = seen.mean(axis=0)
    away = seen - middle
    _, directions = np.linalg.eigh(away.T @ away)
    axes = directions[:, ::-1][:, :AXES]
    at = away @ axes
    means = np.stack([at[labels == card].mean(axis=0) for card in range(len(DECK))])
    rest = at - means[labels]
    spread = rest.T @ rest / len(rest)
    even = np.trace(spread) / AXES * np.eye(AXES)
    inverse = np.linalg.inv((1 - SHRINKAGE) * spread + SHRINKAGE * even)
    usual = np.sqrt(np.einsum("ij,jk,ik->i", rest, inverse, rest, optimize=True)).mean()
    return Likeness(*(np.asarray(part, np.float32) for part in (middle, axes, means, inverse, [usual])))
