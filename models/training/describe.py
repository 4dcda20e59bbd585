"""What is written beside the model: where it comes from, and how well it reads what it has never seen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch

from models.training.artwork import DESIGNS
from models.training.augment import CARD
from models.training.export import mmac, write_description
from models.training.measure import Scores, Tally, tally
from models.training.net import CardNet
from models.training.split import PARTS, part_of


def describe(
    out: Path,
    net: CardNet,
    trained: tuple[str, ...],
    tested: tuple[tuple[str, ...], Scores],
    mats: Mapping[str, Scores],
    chosen: tuple[tuple[float, float, float], float],
    training: dict[str, float | int],
) -> None:
    """Write `cards.toml`.

    `trained` names what the model was trained on; `tested` the designs of the test and the scores on them; `mats` the
    scores on rendered mats by difficulty; `chosen` the temperatures and the threshold.
    """
    (names, scores), (heat, threshold) = tested, chosen
    found = tally(scores, heat, threshold)
    parts = {part: [design for design in DESIGNS if part_of(design) == part] for part in PARTS}
    used = [design for design in parts["training"] if design.name in trained]
    sections: dict[str, object] = {
        "accuracy": {
            "measured_on": "windows of designs and fonts of the test, on which nothing was trained and nothing chosen",
            "windows": len(scores.batch.kinds),
            "right": found.right,
            "wrong": found.wrong,
            "unknown": found.unknown,
            "no_card_named_as_card": found.named,
        },
        "accuracy.rendered_mats": {
            "measured_on": "windows of rendered mats with the nine named decks, which training never draws",
            **{level: _shares(tally(found, heat, threshold)) for level, found in mats.items()},
        },
        "accuracy.designs": _per_design(names, scores, heat, threshold),
        "training": {
            **training,
            "temperatures": list(heat),
            "photographs": 0,
            "drawn_decks": sum(name.startswith("drawn") for name in trained),
        },
        "training.artwork": {design.name: design.licence for design in used},
        "validation.artwork": {design.name: design.licence for design in parts["validation"]},
        "test.artwork": {design.name: design.licence for design in parts["test"] if design.name in names},
    }
    write_description(out / "cards.toml", out / "cards.onnx", {"min_confidence": threshold, "mmac": mmac(net)}, sections)


def _per_design(
    names: tuple[str, ...], scores: Scores, heat: tuple[float, float, float], threshold: float
) -> dict[str, list[float]]:
    """Right, wrong, unknown for each design of the test; drawn decks together."""
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(names[:-1]):
        numbers.setdefault("drawn" if name.startswith("drawn") else name, []).append(number)
    result = {}
    for name, members in numbers.items():
        only = torch.isin(scores.batch.groups, torch.tensor(members)) & (scores.batch.kinds == CARD)
        found = tally(scores, heat, threshold, only)
        result[name] = _shares(found)[:3]
    return result


def _shares(found: Tally) -> list[float]:
    """Right, wrong and unknown of the cards, and what was named of the rest."""
    return [round(share, 4) for share in (found.right, found.wrong, found.unknown, found.named)]
