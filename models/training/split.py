"""Which designs and fonts train the model, which serve to choose, and which only to measure.

Families of designs are dealt out by the hash of their names, one kind after the other, so that validation and test both
hold large indices, four colours and other languages whatever is added to the list (see decision 0011).
"""

from __future__ import annotations

import hashlib
from typing import Literal

from models.training.artwork import DESIGNS, Design

Part = Literal["training", "validation", "test"]
PARTS: tuple[Part, ...] = ("training", "validation", "test")

ROUND = 8
"""Of so many families of one kind, in the order of their hashes, the first is for the test, the second for validation."""
FONTS = 32
"""Of 256 fonts so many are for the test and as many for validation."""


def part_of(design: Design) -> Part:
    """The part that a design belongs to, with its whole family."""
    place = _dealt(_kind(design.family)).index(design.family) % ROUND
    return "test" if place == 0 else "validation" if place == 1 else "training"


def part_of_font(family: str) -> Part:
    """The part that a font belongs to."""
    digest = _hash(family)[0]
    return "test" if digest < FONTS else "validation" if digest < 2 * FONTS else "training"


def _dealt(kind: str) -> list[str]:
    return sorted((family for family in {design.family for design in DESIGNS} if _kind(family) == kind), key=_hash)


def _kind(family: str) -> str:
    """What is hardest about a family."""
    members = [design for design in DESIGNS if design.family == family]
    traits, languages = " ".join(design.traits for design in members), {design.language for design in members}
    for trait in ("large", "4-colour"):
        if trait in traits:
            return trait
    for language, kind in (("French", "French"), ("German", "German"), ("Russian", "other"), ("Italian", "other")):
        if language in languages:
            return kind
    return "usual"


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
