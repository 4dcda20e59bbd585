"""The net: seven plain convolutions, some of which add to what went in, and three answers (kind, rank, suit)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.training.tiles import KINDS

STAGES = ((20, 2), (36, 2), (64, 2), (64, 1), (112, 2), (112, 1), (112, 1))
"""Channels and stride of each 3 x 3 convolution; one that changes neither adds its answer to its input."""
ANSWERS = (13, 4, len(KINDS))
CELLS = 6 * 3
"""Places that are left of a window after the last convolution."""


class CardNet(nn.Module):
    """Windows as count x 3 x 96 x 48 from 0 to 255 -> scores of the rank, the suit and the kind."""

    def __init__(self) -> None:
        super().__init__()
        stages = zip(_inputs(), STAGES, strict=True)
        self.body = nn.ModuleList(_Stage(before, width, stride) for before, (width, stride) in stages)
        self.dropout = nn.Dropout(0.15)
        self.head = nn.Linear(STAGES[-1][0] * CELLS, sum(ANSWERS))

    def forward(self, windows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        seen = windows / 255
        for stage in self.body:
            seen = stage(seen)
        scores = self.head(self.dropout(torch.flatten(seen, 1)))
        rank, suit, kind = torch.split(scores, list(ANSWERS), dim=1)
        return rank, suit, kind


class _Stage(nn.Module):
    def __init__(self, before: int, width: int, stride: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(before, width, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.adds = stride == 1 and before == width

    def forward(self, seen: Tensor) -> Tensor:
        found = self.norm(self.convolution(seen))
        return torch.relu(seen + found if self.adds else found)


def _inputs() -> tuple[int, ...]:
    return (3, *(width for width, _ in STAGES[:-1]))


@dataclass(frozen=True, slots=True)
class Layer:
    """One convolution with its normalisation folded in."""

    weight: Tensor
    bias: Tensor
    stride: int
    adds: bool
    """Whether its answer is added to its input."""


def folded(net: CardNet) -> list[Layer]:
    """The convolutions as they are shipped, the first taking bytes from 0 to 255."""
    result = []
    for number, stage in enumerate(net.body):
        assert isinstance(stage, _Stage)
        norm = stage.norm
        assert norm.running_var is not None and norm.running_mean is not None
        gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weight = stage.convolution.weight * gain[:, None, None, None] / (255 if number == 0 else 1)
        bias = norm.bias - norm.running_mean * gain
        result.append(Layer(weight.detach(), bias.detach(), int(stage.convolution.stride[0]), stage.adds))
    return result
