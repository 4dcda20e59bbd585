"""From a lit scene to what the sensor stores: light, lens, noise and file format, for a whole batch at a time."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

WINDOW = (96, 48)
"""Height and width of a window in pixels."""


@dataclass(frozen=True, slots=True)
class Dice:
    """Random numbers of one batch."""

    generator: torch.Generator
    count: int

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        return torch.rand((self.count, *shape), generator=self.generator) * (high - low) + low

    def normal(self, spread: float, *shape: int) -> Tensor:
        return torch.randn((self.count, *shape), generator=self.generator) * spread

    def chance(self, probability: float) -> Tensor:
        return torch.rand(self.count, generator=self.generator) < probability

    def below(self, bound: int) -> Tensor:
        return torch.randint(bound, (self.count,), generator=self.generator)


def through_camera(lit: Tensor, blurred: Tensor, dice: Dice) -> tuple[Tensor, Tensor, Tensor]:
    """What is stored of `lit` (count x 3 x 96 x 48), as bytes; how far each window is smeared, in pixels; its noise."""
    seen, smear = _lens(_frame(lit, dice), blurred, dice)
    noise = torch.where(dice.chance(0.7), dice.uniform(0, 9), dice.uniform(5, 22))
    seen = seen + torch.randn(seen.shape, generator=dice.generator) * noise[:, None, None, None]
    return _stored(seen.clamp(0, 255).to(torch.uint8), dice), smear, noise


def lit_scene(scene: Tensor, burn: Tensor, dice: Dice) -> tuple[Tensor, Tensor]:
    """The scene under lamps, with `burn` added to its light; and where it is burnt out, count x 96 x 48."""
    v, u = torch.meshgrid(torch.linspace(-0.5, 0.5, WINDOW[0]), torch.linspace(-0.5, 0.5, WINDOW[1]), indexing="ij")
    slope = dice.normal(0.22, 2).clamp(-0.7, 0.7)
    gain = 1 + slope[:, 0, None, None] * u + slope[:, 1, None, None] * v
    lit = scene * gain[:, None]
    at_u, at_v = dice.uniform(-0.6, 0.6, 1, 1), dice.uniform(-0.6, 0.6, 1, 1)
    far = ((u - at_u) ** 2 + 4 * (v - at_v) ** 2) / dice.uniform(0.1, 0.8, 1, 1) ** 2
    glare = torch.exp(-far) * torch.where(dice.chance(0.2), dice.uniform(0, 110), torch.zeros(()))[:, None, None]
    lit = lit + (glare + burn)[:, None]
    cast = 1 + dice.normal(0.1, 3, 1, 1).clamp(-0.3, 0.3)
    exposure = torch.exp(dice.normal(0.3) - 0.12).clamp(0.3, 1.6)[:, None, None, None]
    lifted = torch.where(dice.chance(0.25), dice.uniform(0, 50), torch.zeros(()))[:, None, None, None]
    seen = lit * cast * exposure
    grey = seen.mean(dim=1, keepdim=True)
    seen = grey + (seen - grey) * dice.uniform(0.6, 1.25, 1, 1, 1)
    seen = lifted + seen * (1 - lifted / 255)
    lost = (seen.amin(dim=1) > 248).float()
    bent = torch.exp(dice.normal(0.22)).clamp(0.55, 1.8)[:, None, None, None]
    return 255 * (seen.clamp(0.01, 255) / 255) ** bent, lost


def _frame(seen: Tensor, dice: Dice) -> Tensor:
    """The rim of the plate's hole, at none to two sides."""
    v, u = torch.meshgrid(torch.linspace(0, 32, WINDOW[0]), torch.linspace(0, 16, WINDOW[1]), indexing="ij")
    wide = dice.uniform(-2.0, 1.6, 4, 1, 1) - torch.where(dice.chance(0.65), 4.0, 0.0)[:, None, None, None]
    rim = (u < wide[:, 0]) | (u > 16 - wide[:, 1]) | (v < wide[:, 2]) | (v > 32 - wide[:, 3])
    colour = dice.uniform(0, 235, 1, 1, 1) + dice.normal(5, 3, 1, 1)
    return torch.where(rim[:, None], colour, seen)


def _lens(seen: Tensor, blurred: Tensor, dice: Dice) -> tuple[Tensor, Tensor]:
    """Defocus, motion, low resolution and sharpening; sixteen neighbours share one.  Also how far each is smeared, in pixels."""
    parts, smear = [], []
    for chunk in seen.split(16):
        numbers = torch.rand(8, generator=dice.generator)
        part, far = _through(chunk, [float(n) for n in numbers])
        parts.append(part)
        smear.append(torch.full((len(chunk),), far))
    out, smeared = torch.cat(parts), torch.cat(smear)
    if blurred.any():
        numbers = torch.rand(3, generator=dice.generator)
        along = 1.0 + 8.0 * float(numbers[0])
        across = along if numbers[2] < 0.3 else min(along, 0.5 + float(numbers[2]))
        out[blurred] = _blur(out[blurred], _kernel(across, along, 3.14 * float(numbers[1]), 2 * round(2 * along) + 3))
        smeared = torch.where(blurred, torch.hypot(smeared, torch.tensor(along)), smeared)
    return out, smeared


def _through(chunk: Tensor, numbers: list[float]) -> tuple[Tensor, float]:
    far = 0.0
    if numbers[0] < 0.3:
        height = round(WINDOW[0] * (0.4 + 0.6 * numbers[1]))
        small = functional.interpolate(chunk, (height, height // 2), mode="area")
        chunk = functional.interpolate(small, WINDOW, mode="bilinear", align_corners=False)
    if numbers[2] < 0.75:
        spread = 0.3 + 1.2 * numbers[3] ** 2
        along = far = spread + (2.2 * numbers[5] if numbers[4] < 0.2 else 0.0)
        chunk = _soften(chunk, spread) if along == spread else _blur(chunk, _kernel(spread, along, 3.14 * numbers[6], 9))
    if numbers[7] < 0.2:
        chunk = chunk + (chunk - _soften(chunk, 1.0)) * (0.5 + 4 * numbers[7])
    return chunk, far


def _kernel(across: float, along: float, angle: float, size: int) -> Tensor:
    reach = torch.arange(size) - size // 2
    y, x = torch.meshgrid(reach.float(), reach.float(), indexing="ij")
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    weight = torch.exp(-0.5 * (((cos * x + sin * y) / along) ** 2 + ((cos * y - sin * x) / across) ** 2))
    return weight / weight.sum()


def _blur(pictures: Tensor, kernel: Tensor) -> Tensor:
    reach = kernel.shape[0] // 2
    padded = functional.pad(pictures, (reach, reach, reach, reach), mode="replicate")
    flat = padded.reshape(-1, 1, *padded.shape[2:])
    return functional.conv2d(flat, kernel[None, None]).reshape(pictures.shape)


def _soften(pictures: Tensor, spread: float) -> Tensor:
    """A round blur, along rows and then along columns."""
    reach = max(1, round(2.5 * spread))
    line = torch.exp(-0.5 * ((torch.arange(2 * reach + 1) - reach) / spread) ** 2)
    line = line / line.sum()
    flat = functional.pad(pictures, (reach, reach, reach, reach), mode="replicate")
    flat = flat.reshape(-1, 1, *flat.shape[2:])
    once = functional.conv2d(flat, line.reshape(1, 1, 1, -1))
    return functional.conv2d(once, line.reshape(1, 1, -1, 1)).reshape(pictures.shape)


def _stored(seen: Tensor, dice: Dice) -> Tensor:
    """A third of the windows went through JPEG."""
    quality = dice.uniform(25, 95)
    pictures = seen.permute(0, 2, 3, 1).contiguous().numpy()
    for i in torch.nonzero(dice.chance(0.33))[:, 0].tolist():
        done, data = cv2.imencode(".jpg", pictures[i], [cv2.IMWRITE_JPEG_QUALITY, int(quality[i])])
        if done:
            pictures[i] = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).contiguous()
