"""All tiles of a training run in a few tensors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from models.training.artwork import DESIGNS, collect
from models.training.backs import draw_back
from models.training.drawn import draw_deck
from models.training.glyphs import LETTERS, font_families
from models.training.others import draw_empty, draw_foreign, draw_half_index, draw_hands
from models.training.rendered import Windows, render_decks
from models.training.split import PARTS, Part, part_of, part_of_font
from models.training.tiles import KINDS, TILE_PX, Tile


@dataclass(frozen=True, slots=True)
class Pool:
    """Tiles in one tensor, and what is known of each."""

    pictures: torch.Tensor
    """count x height x width x 3, uint8."""
    kinds: torch.Tensor
    ranks: torch.Tensor
    suits: torch.Tensor
    boxes: torch.Tensor
    """count x 2 x 4: the boxes of rank and suit in millimetres."""
    edges: torch.Tensor
    groups: torch.Tensor
    """Which design or drawn deck a card belongs to; cards are drawn group by group, so that none outweighs the others."""
    grounds: torch.Tensor
    """What lies around cards: count x 3 x height x width at a quarter of the resolution, float."""
    hands: torch.Tensor
    """Skin, sleeves, moving things, like `grounds`."""
    rendered: torch.Tensor
    """Windows of rendered mats, count x 96 x 48 x 3."""
    labels: torch.Tensor
    """What each of them shows, by its index in `vision.classifier.LABELS`."""
    sure: torch.Tensor
    members: dict[str, torch.Tensor]
    """Of each kind."""
    names: tuple[str, ...]
    """Of the groups."""


def training_pool(cache: Path, seed: int, decks: int, rendered: int, artwork: bool = True) -> Pool:
    """The designs that train, `decks` drawn decks, `rendered` decks of the renderer, and what is no card."""
    rng = np.random.default_rng((seed, 1))
    named = _designs(cache, "training") if artwork else []
    # Twice, because decks are drawn from evenly and designs that were printed teach more than decks of fonts.
    return make_pool(rng, [*named, *named], fonts("training"), decks, seed, rendered)


def held_out_pool(cache: Path, seed: int, part: Part, decks: int = 24, artwork: bool = True) -> Pool:
    """The designs of validation or test, and decks drawn with their fonts: every language, one in six light on dark."""
    rng = np.random.default_rng((seed, 1 + PARTS.index(part)))
    return make_pool(rng, _designs(cache, part) if artwork else [], fonts(part), decks, seed, 0, even=True)


def _designs(cache: Path, part: Part) -> list[tuple[str, tuple[Tile, ...]]]:
    named = [(design.name, collect(design, cache)) for design in DESIGNS if part_of(design) == part]
    return [pair for pair in named if pair[1]]


def fonts(part: Part) -> tuple[str, ...]:
    """The fonts of the machine that belong to a part; one of them at least."""
    chosen = tuple(name for name in font_families() if part_of_font(name) == part)
    return chosen or font_families()[:1]


def make_pool(
    rng: np.random.Generator,
    named: list[tuple[str, tuple[Tile, ...]]],
    families: tuple[str, ...],
    decks: int,
    seed: int,
    rendered: int,
    even: bool = False,
) -> Pool:
    """A pool of `named` designs, and of what is drawn and rendered for it; `even` deals out languages and dark decks in turn."""
    others = 12 + decks * 5
    groups = [*named]
    for i in range(decks):
        language, dark = (tuple(LETTERS)[i % len(LETTERS)], i % (len(LETTERS) + 1) == 0) if even else (None, None)
        if deck := draw_deck(rng, families, language, dark):
            groups.append((f"drawn {i}", deck))
    loose = [draw_back(rng) for _ in range(others)] + [draw_empty(rng) for _ in range(others)]
    loose += [draw_foreign(rng, families) for _ in range(others)] + [draw_half_index(rng, families) for _ in range(others // 2)]
    mats = render_decks(seed, rendered)
    groups += [*mats.decks, ("", tuple(loose))]
    return _stacked(groups, torch.from_numpy(draw_hands(rng, others)), mats.windows)


def _stacked(groups: list[tuple[str, tuple[Tile, ...]]], hands: torch.Tensor, mats: Windows) -> Pool:
    tiles = [tile for _, group in groups for tile in group]
    pictures = np.empty((len(tiles), TILE_PX[1], TILE_PX[0], 3), np.uint8)
    for i, tile in enumerate(tiles):
        pictures[i] = tile.picture

    def numbers(values: Iterable[int]) -> torch.Tensor:
        return torch.tensor(list(values), dtype=torch.long)

    kinds = numbers(KINDS.index(tile.kind) for tile in tiles)
    members = {kind: torch.nonzero(kinds == number)[:, 0] for number, kind in enumerate(KINDS)}
    return Pool(
        torch.from_numpy(pictures),
        kinds,
        numbers(tile.card.rank - 2 if tile.card else 0 for tile in tiles),
        numbers(int(tile.card.suit) if tile.card else 0 for tile in tiles),
        torch.tensor([[tile.rank_box, tile.suit_box] for tile in tiles], dtype=torch.float32),
        torch.tensor([tile.edge for tile in tiles]),
        numbers(number for number, (_, group) in enumerate(groups) for _ in group),
        _coarse(torch.from_numpy(pictures)[members["empty"]]),
        _coarse(hands),
        torch.from_numpy(mats.patches),
        torch.from_numpy(mats.truth),
        torch.from_numpy(mats.sure),
        members,
        tuple(name for name, _ in groups),
    )


def _coarse(pictures: torch.Tensor) -> torch.Tensor:
    return functional.avg_pool2d(pictures.permute(0, 3, 1, 2).float(), 4)
