"""The command that measures the model: what it counts, and what it says where it cannot run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


def test_without_torch_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('no torch')")
    for module in ("plots", "train"):
        command = [sys.executable, "-m", f"models.training.{module}", "--out", "nowhere"]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path,
            env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "PATH": "/usr/bin:/bin"},
        )
        assert done.returncode == 1 and done.stderr.endswith("pip install 'viewmat[train]'\n"), done.stderr
        assert "Traceback" not in done.stderr and "needs torch" in done.stderr


torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'viewmat[train]'")

from models.training.augment import Batch  # noqa: E402
from models.training.claims import Outcome  # noqa: E402
from models.training.plots import by_card, by_design, claims, table  # noqa: E402
from vision.classifier import LABELS  # noqa: E402


class Parrot:
    """Names every window after its first byte, with probability 0.9."""

    min_confidence = 0.5

    def classify(self, patches: np.ndarray) -> np.ndarray:
        reading = np.full((len(patches), len(LABELS)), 0.1 / (len(LABELS) - 1), np.float32)
        reading[np.arange(len(patches)), patches[:, 0, 0, 0]] = 0.9
        return reading


def told() -> Batch:
    """Five windows: 2c read right, 3c read as 4c, an arguable one, an empty one, and an empty one named Ad."""
    windows = torch.zeros((5, 3, 96, 48), dtype=torch.uint8)
    windows[:, 0, 0, 0] = torch.tensor([0, 2, 9, 52, 25])
    kinds, ranks = torch.tensor([0, 0, 0, 1, 1]), torch.tensor([0, 1, 5, 0, 0])
    weights, groups = torch.tensor([1.0, 1.0, 0.0, 1.0, 1.0]), torch.tensor([0, 1, 1, 2, 3])
    nothing = torch.zeros(5, dtype=torch.long)
    return Batch(windows, kinds, ranks, nothing, weights, groups, nothing, weights)


def test_what_is_arguable_is_not_counted() -> None:
    assert claims(Parrot(), [told()]).outcome(0.5) == Outcome(1, 1, 0, 2, 1)  # type: ignore[arg-type]


def test_outcomes_by_design_and_by_card() -> None:
    said = claims(Parrot(), [told(), told()])  # type: ignore[arg-type]
    designs = by_design(said, ("one", "two", "drawn 0", "drawn 1", ""), 0.5)
    assert designs == {
        "drawn decks": Outcome(0, 0, 0, 4, 2), "two": Outcome(0, 2, 0), "all": Outcome(2, 2, 0, 4, 2), "one": Outcome(2, 0, 0),
    }
    cards = by_card(said, 0.5)
    assert cards["rank 2"] == Outcome(2, 0, 0) and cards["rank 3"] == Outcome(0, 2, 0) and cards["clubs"] == Outcome(2, 2, 0)
    assert cards["spades"] == Outcome(0, 0, 0)


def test_a_table_is_markdown() -> None:
    lines = table("design", {"one": Outcome(3, 1, 0, 10, 1), "none": Outcome(0, 0, 0, 4, 0)}).splitlines()
    assert lines[2:] == ["| one | 4 | 75.00 % | 25.00 % | 0.00 % | 10 | 1 |", "| none |  |  |  |  | 4 | 0 |"]
    assert {line.count("|") for line in lines} == {8}
