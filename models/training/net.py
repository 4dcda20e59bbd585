"""The net: five plain convolutions and three answers (kind, rank, suit)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.tiles import KINDS

CHANNELS = (24, 40, 64, 96, 128)
STRIDES = (2, 2, 2, 1, 2)
ANSWERS = (13, 4, len(KINDS))


class CardNet(nn.Module):
    """Windows as count x 3 x 96 x 48 from 0 to 255 -> scores of the rank, the suit and the kind."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 3
        for width, stride in zip(CHANNELS, STRIDES, strict=True):
            layers += [nn.Conv2d(before, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)]
            before = width
        self.body = nn.Sequential(*layers)
        self.dropout = nn.Dropout(0.15)
        self.head = nn.Linear(CHANNELS[-1] * 6 * 3, sum(ANSWERS))

    def forward(self, windows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        seen = self.body(windows / 255)
        scores = self.head(self.dropout(torch.flatten(seen, 1)))
        rank, suit, kind = torch.split(scores, list(ANSWERS), dim=1)
        return rank, suit, kind


def folded(net: CardNet) -> list[tuple[Tensor, Tensor, int]]:
    """Weight, bias and stride of each convolution with its normalisation folded in, the first taking 0..255."""
    result = []
    layers = list(net.body)
    for i in range(0, len(layers), 3):
        convolution, norm = layers[i], layers[i + 1]
        assert isinstance(convolution, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
        assert norm.running_var is not None and norm.running_mean is not None
        gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weight = convolution.weight * gain[:, None, None, None] / (255 if i == 0 else 1)
        result.append((weight.detach(), (norm.bias - norm.running_mean * gain).detach(), int(convolution.stride[0])))
    return result
