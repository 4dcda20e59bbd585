"""Who trains, who chooses, who is only measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.training import split
from models.training.artwork import DESIGNS
from models.training.split import PARTS, Part, part_of, part_of_font


@pytest.mark.parametrize("part", PARTS)
def test_every_part_holds_what_is_hard(part: Part) -> None:
    members = [design for design in DESIGNS if part_of(design) == part]
    languages, traits = {design.language for design in members}, " ".join(design.traits for design in members)
    assert "German" in languages and "large" in traits and "4-colour" in traits
    assert part == "training" or languages & {"Russian", "Italian"}


def test_what_is_held_out_is_a_good_part_and_training_is_half() -> None:
    counts = {part: sum(part_of(design) == part for design in DESIGNS) for part in PARTS}
    assert counts["training"] >= 0.45 * len(DESIGNS) and min(counts.values()) >= 0.2 * len(DESIGNS)


def test_the_only_french_design_is_never_trained_on() -> None:
    assert {part_of(design) for design in DESIGNS if design.language == "French"} == {"test"}


def test_families_stay_together() -> None:
    for design in DESIGNS:
        assert {part_of(other) for other in DESIGNS if other.family == design.family} == {part_of(design)}


def test_the_order_of_the_list_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [part_of(design) for design in DESIGNS]
    monkeypatch.setattr(split, "DESIGNS", DESIGNS[::-1])
    assert [part_of(design) for design in DESIGNS] == before


def test_a_family_is_dealt_by_its_hardest_trait(monkeypatch: pytest.MonkeyPatch) -> None:
    """One new large family can move other large ones, and nobody else."""
    before = {design.name: part_of(design) for design in DESIGNS}
    new = replace(DESIGNS[0], name="new", family="new", language="French", traits="large 4-colour")
    monkeypatch.setattr(split, "DESIGNS", (*DESIGNS, new))
    moved = [design for design in DESIGNS if part_of(design) != before[design.name]]
    assert all("large" in " ".join(d.traits for d in DESIGNS if d.family == design.family) for design in moved)


def test_fonts_are_parted_by_their_names() -> None:
    parts = [part_of_font(f"Font {number}") for number in range(2000)]
    shares = [parts.count(part) / len(parts) for part in PARTS]
    assert shares == pytest.approx([0.75, 0.125, 0.125], abs=0.03)
