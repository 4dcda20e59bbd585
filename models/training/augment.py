"""From tiles to the windows that a camera sees: geometry, light, lens and sensor, for a whole batch at a time.

What a window is called follows from what is still visible in it, not from what was meant to be shown: a card whose rank
or suit is cut off is unreadable, one under a hand is covered, a place that the card has left is empty; what people
would argue about has no weight.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.training.pool import Pool
from models.training.rendered import joined, render_windows
from models.training.tiles import GONE, KINDS, READABLE, TILE_MM
from vision.synthetic.decks import STYLES
from vision.synthetic.decks import draw_deck as draw_style
from vision.synthetic.scene import Difficulty

WINDOW = (96, 48)
WINDOW_MM = (16.0, 32.0)
CARD, EMPTY, BACK, COVERED, UNREADABLE, FOREIGN = range(len(KINDS))

MODES = {
    "card": 0.56, "shifted": 0.09, "turned": 0.06, "inside": 0.05, "back": 0.05,
    "empty": 0.05, "hand": 0.06, "foreign": 0.06, "wrecked": 0.02,
}
RENDERED = 0.15
"""Share of a batch that comes from rendered mats, where there are any."""
PART = 64
"""Windows that are made together: few enough to stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Windows and what they show."""

    windows: Tensor
    """count x 3 x 96 x 48, uint8, blue green red."""
    kinds: Tensor
    ranks: Tensor
    suits: Tensor
    weights: Tensor
    """0 where the kind is arguable."""
    groups: Tensor
    modes: Tensor


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


def make_batch(pool: Pool, count: int, seed: int, modes: dict[str, float] | None = None) -> Batch:
    """`count` windows, the same for the same seed."""
    generator = torch.Generator().manual_seed(seed)
    rendered = 0 if modes or not len(pool.rendered) else round(count * RENDERED)
    with torch.no_grad():
        parts = [_take_rendered(pool, Dice(generator, rendered))] if rendered else []
        left = count - rendered
        parts += [_make_part(pool, Dice(generator, min(PART, left - start)), modes) for start in range(0, left, PART)]
    return Batch(*(torch.cat([getattr(part, field.name) for part in parts]) for field in fields(Batch)))


def _make_part(pool: Pool, dice: Dice, modes: dict[str, float] | None) -> Batch:
    count = dice.count
    shares = modes or MODES
    names = tuple(shares)
    mode = torch.multinomial(torch.tensor([shares[name] for name in names]), count, replacement=True, generator=dice.generator)
    chosen = _choose(pool, names, mode, dice)

    def is_mode(name: str) -> Tensor:
        return mode == names.index(name) if name in names else torch.zeros(count, dtype=torch.bool)

    places, area = _places(is_mode, pool.edges[chosen], dice)
    card, solid, back = _print(pool, chosen, places, dice)
    hand, touch = _hands(pool, is_mode("hand") | dice.chance(0.02), dice)
    scene = card * solid + back * (1 - solid)
    scene = scene * (1 - touch) + hand * touch
    boxes = _visible(places, pool.boxes[chosen], 1 - touch[:, 0], area), _visible(places, pool.boxes[chosen], None, area)
    kinds, weights = _names(pool.kinds[chosen], boxes, solid, touch, is_mode("turned"))
    wrecked = is_mode("wrecked")
    kinds = torch.where(wrecked & (kinds == CARD), UNREADABLE, kinds)
    seen = _camera(scene, wrecked, dice)
    return Batch(seen, kinds, pool.ranks[chosen], pool.suits[chosen], weights, pool.groups[chosen], mode)


def _take_rendered(pool: Pool, dice: Dice) -> Batch:
    """Windows of rendered mats under another light."""
    chosen = dice.below(len(pool.rendered))
    seen = pool.rendered[chosen].permute(0, 3, 1, 2).float()
    seen = seen * dice.uniform(0.7, 1.2, 1, 1, 1) * dice.uniform(0.9, 1.1, 3, 1, 1)
    seen = seen + torch.randn(seen.shape, generator=dice.generator) * dice.uniform(0, 4, 1, 1, 1)
    label, sure = pool.labels[chosen], pool.sure[chosen].float()
    card = label < 52
    kinds = torch.where(card, 0, label - 51)
    nobody = torch.full_like(label, len(pool.names))
    return Batch(seen.clamp(0, 255).to(torch.uint8), kinds, label % 13, torch.where(card, label // 13, 0), sure, nobody, nobody)


def mat_batch(seed: int, difficulty: Difficulty, frames: int) -> Batch:
    """Windows of rendered mats with the renderer's named decks, which are never trained on."""
    mats = joined([
        render_windows(style, draw_style(style), difficulty, np.random.default_rng((seed, 4, number)), frames)
        for number, style in enumerate(STYLES)
    ])
    label = torch.from_numpy(mats.truth)
    card = label < 52
    return Batch(
        torch.from_numpy(mats.patches).permute(0, 3, 1, 2),
        torch.where(card, 0, label - 51),
        label % 13,
        torch.where(card, label // 13, 0),
        torch.from_numpy(mats.sure).float(),
        torch.zeros_like(label),
        torch.zeros_like(label),
    )


def _choose(pool: Pool, names: tuple[str, ...], mode: Tensor, dice: Dice) -> Tensor:
    """A tile for each window: cards group by group, others from their kind."""
    cards = pool.members["card"]
    grouped = pool.groups[cards]
    present = torch.unique(grouped)
    starts = torch.searchsorted(grouped, present)
    sizes = torch.searchsorted(grouped, present, right=True) - starts
    group = dice.below(len(present))
    chosen = cards[starts[group] + (torch.rand(dice.count, generator=dice.generator) * sizes[group]).long()]
    for name, kind in (("inside", "unreadable"), ("back", "back"), ("empty", "empty"), ("foreign", "foreign")):
        if name in names:
            members = pool.members[kind]
            chosen = torch.where(mode == names.index(name), members[dice.below(len(members))], chosen)
    return chosen


def _places(is_mode: object, edges: Tensor, dice: Dice) -> tuple[Tensor, Tensor]:
    """Where on the card each pixel looks, count x 96 x 48 x 2 in millimetres, and square millimetres per pixel."""
    assert callable(is_mode)
    near = dice.chance(0.6)
    scale = torch.where(near, dice.uniform(0.88, 1.15), dice.uniform(0.8, 1.65))
    stretch = dice.uniform(0.93, 1.07)
    size = torch.stack([WINDOW_MM[0] * scale * stretch, WINDOW_MM[1] * scale], dim=1)
    shift = torch.stack([(dice.normal(1.8) - 0.4).clamp(-5, 5), dice.normal(2.2).clamp(-6, 6)], dim=1)
    far = torch.stack([dice.uniform(-17, 13), dice.uniform(-33, 28)], dim=1)
    shift = torch.where((is_mode("shifted") | (is_mode("hand") & dice.chance(0.3)))[:, None], far, shift)
    anywhere = torch.stack([dice.uniform(0, 17), dice.uniform(0, 30)], dim=1)
    shift = torch.where(edges[:, None], shift, anywhere)
    angle = (dice.normal(3.5).clamp(-9, 9)) * torch.pi / 180
    quarter = (1 + dice.below(3)) * torch.pi / 2
    angle = angle + torch.where(is_mode("turned"), quarter, torch.zeros(()))
    v, u = torch.meshgrid(torch.linspace(-0.5, 0.5, WINDOW[0]), torch.linspace(-0.5, 0.5, WINDOW[1]), indexing="ij")
    tilt = dice.normal(0.05, 2).clamp(-0.15, 0.15)
    depth = 1 + tilt[:, 0, None, None] * u + tilt[:, 1, None, None] * v
    x, y = u / depth * size[:, 0, None, None], v / depth * size[:, 1, None, None]
    cos, sin = torch.cos(angle)[:, None, None], torch.sin(angle)[:, None, None]
    middle = size / 2 + shift
    placed = torch.stack([cos * x - sin * y + middle[:, 0, None, None], sin * x + cos * y + middle[:, 1, None, None]], dim=-1)
    return placed, size[:, 0] * size[:, 1] / (WINDOW[0] * WINDOW[1])


def _look(pictures: Tensor, places: Tensor, padding: str) -> Tensor:
    return functional.grid_sample(pictures, places / torch.tensor(TILE_MM) * 2 - 1, padding_mode=padding, align_corners=False)


def _print(pool: Pool, chosen: Tensor, places: Tensor, dice: Dice) -> tuple[Tensor, Tensor, Tensor]:
    """The card's print with its age, how much of each pixel is card, and what lies around it."""
    ink = _look(pool.pictures[chosen].permute(0, 3, 1, 2).float(), places, "border")
    fade = dice.uniform(0.55, 1.0, 1, 1, 1)
    ink = 255 - (255 - ink) * torch.where(dice.chance(0.5)[:, None, None, None], fade, 1.0)
    ink = ink * dice.uniform(0.86, 1.0, 3, 1, 1)
    radius = dice.uniform(2.0, 5.0, 1, 1)
    x, y = places[..., 0], places[..., 1]
    outside = torch.where(
        (x < radius) & (y < radius), torch.hypot(radius - x, radius - y) - radius, torch.maximum(-x, -y)
    )
    edges = pool.edges[chosen][:, None, None]
    solid = torch.where(edges, torch.sigmoid(-outside * 7), 1.0)[:, None]
    turn = places.flip(-1) * dice.uniform(0.4, 1.5, 1, 1, 1) + dice.uniform(0, 20, 1, 1, 2)
    back = _look(pool.grounds[dice.below(len(pool.grounds))], turn, "reflection")
    even = dice.uniform(0, 255, 1, 1, 1) + dice.normal(10, 3, 1, 1)
    back = torch.where(dice.chance(0.4)[:, None, None, None], even.expand_as(back), back)
    shadow = 1 - dice.uniform(0, 0.7, 1, 1) * torch.exp(-outside.clamp(min=0) / dice.uniform(0.3, 2.5, 1, 1))
    back = torch.where(edges[:, None], back * shadow[:, None], back)
    stain = back.flip(0).mean(dim=1, keepdim=True)
    stain = (stain - stain.mean(dim=(2, 3), keepdim=True)) * dice.uniform(0, 0.18, 1, 1, 1)
    return ink + torch.where(dice.chance(0.4)[:, None, None, None], stain, 0.0), solid, back


def _hands(pool: Pool, wanted: Tensor, dice: Dice) -> tuple[Tensor, Tensor]:
    """A hand over the window: its picture and where it hides what is below."""
    v, u = torch.meshgrid(torch.linspace(0, 2, WINDOW[0]), torch.linspace(0, 1, WINDOW[1]), indexing="ij")
    touch = torch.zeros((dice.count, *WINDOW))
    angle = dice.uniform(0, 2 * torch.pi)
    for finger in range(3):
        bend = angle + dice.normal(0.3)
        cos, sin = torch.cos(bend)[:, None, None], torch.sin(bend)[:, None, None]
        middle = dice.uniform(-0.2, 1.2, 1, 1), dice.uniform(-0.3, 2.3, 1, 1)
        du, dv = u - middle[0], v - middle[1]
        long, wide = dice.uniform(0.5, 2.4, 1, 1), dice.uniform(0.12, 0.9 if finger == 0 else 0.35, 1, 1)
        far = torch.sqrt(((cos * du + sin * dv) / long) ** 2 + ((cos * dv - sin * du) / wide) ** 2)
        soft = dice.uniform(4, 40, 1, 1)
        present = (wanted & (dice.chance(0.6) if finger else torch.ones_like(wanted)))[:, None, None]
        touch = torch.maximum(touch, torch.where(present, torch.sigmoid((1 - far) * soft), 0.0))
    spots = torch.stack([u * 16 + 4, v * 16 + 4], dim=-1)[None] * dice.uniform(0.5, 1.2, 1, 1, 1)
    picture = _look(pool.hands[dice.below(len(pool.hands))], spots, "reflection")
    shade = 1 - 0.5 * (touch * (1 - touch) * 4)[:, None]
    return picture * shade, touch[:, None]


def _visible(places: Tensor, boxes: Tensor, clear: Tensor | None, area: Tensor) -> Tensor:
    """How much of rank and suit is in the window, count x 2; `clear` is what a hand leaves."""
    x, y = places[:, ::2, ::2, 0], places[:, ::2, ::2, 1]
    shares = []
    for part in range(2):
        left, top, right, bottom = (boxes[:, part, i, None, None] for i in range(4))
        inside = ((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).float()
        if clear is not None:
            inside = inside * clear[:, ::2, ::2]
        size = ((right - left) * (bottom - top)).clamp(min=1)[:, 0, 0]
        shares.append(inside.sum(dim=(1, 2)) * area * 4 / size)
    return torch.stack(shares, dim=1)


def _names(kinds: Tensor, boxes: tuple[Tensor, Tensor], solid: Tensor, touch: Tensor, turned: Tensor) -> tuple[Tensor, Tensor]:
    """What each window is called, and whether that is beyond argument."""
    seen, uncovered = boxes[0].min(dim=1).values, boxes[1].min(dim=1).values
    hidden = touch.mean(dim=(1, 2, 3))
    present = solid.mean(dim=(1, 2, 3))
    card = kinds == CARD
    named = torch.where(card & ((seen < GONE) | turned), UNREADABLE, kinds)
    weights = torch.where(card & ~turned & (seen >= GONE) & (seen < READABLE), 0.0, 1.0)
    by_hand = torch.where(card, (uncovered >= GONE) & (seen < GONE) & (hidden > 0.12), hidden > 0.45) | (hidden > 0.6)
    named = torch.where(by_hand, COVERED, named)
    arguable = ~card & (hidden > 0.12) & (hidden <= 0.45)
    left = (present < 0.1) & (hidden < 0.12)
    named = torch.where(left, EMPTY, named)
    arguable |= (present >= 0.1) & (present < 0.22) & (named != COVERED)
    arguable |= (present < 0.1) & (hidden >= 0.12) & (hidden <= 0.45)
    return named, torch.where(arguable, 0.0, weights)


def _camera(scene: Tensor, wrecked: Tensor, dice: Dice) -> Tensor:
    """Light, lens, sensor and file format."""
    seen = _light(scene, wrecked, dice)
    seen = _frame(seen, dice)
    seen = _lens(seen, wrecked, dice)
    noise = torch.where(dice.chance(0.7), dice.uniform(0, 9), dice.uniform(5, 22))[:, None, None, None]
    seen = seen + torch.randn(seen.shape, generator=dice.generator) * noise
    return _stored(seen.clamp(0, 255).to(torch.uint8), dice)


def _light(scene: Tensor, wrecked: Tensor, dice: Dice) -> Tensor:
    v, u = torch.meshgrid(torch.linspace(-0.5, 0.5, WINDOW[0]), torch.linspace(-0.5, 0.5, WINDOW[1]), indexing="ij")
    slope = dice.normal(0.22, 2).clamp(-0.7, 0.7)
    gain = 1 + slope[:, 0, None, None] * u + slope[:, 1, None, None] * v
    lit = scene * gain[:, None]
    at_u, at_v = dice.uniform(-0.6, 0.6, 1, 1), dice.uniform(-0.6, 0.6, 1, 1)
    far = ((u - at_u) ** 2 + 4 * (v - at_v) ** 2) / dice.uniform(0.1, 0.8, 1, 1) ** 2
    glare = torch.exp(-far) * torch.where(dice.chance(0.2), dice.uniform(0, 110), torch.zeros(()))[:, None, None]
    index = torch.exp(-((u + 0.1) ** 2 * 3 + (v + 0.15) ** 2 * 3))
    flood = torch.where((wrecked & dice.chance(0.5))[:, None, None], index * 420, torch.zeros(()))
    lit = lit + (glare + flood)[:, None]
    cast = 1 + dice.normal(0.1, 3, 1, 1).clamp(-0.3, 0.3)
    exposure = torch.exp(dice.normal(0.3) - 0.12).clamp(0.3, 1.6)[:, None, None, None]
    lifted = torch.where(dice.chance(0.25), dice.uniform(0, 50), torch.zeros(()))[:, None, None, None]
    seen = lit * cast * exposure
    grey = seen.mean(dim=1, keepdim=True)
    seen = grey + (seen - grey) * dice.uniform(0.6, 1.25, 1, 1, 1)
    seen = lifted + seen * (1 - lifted / 255)
    bent = torch.exp(dice.normal(0.22)).clamp(0.55, 1.8)[:, None, None, None]
    return 255 * (seen.clamp(0.01, 255) / 255) ** bent


def _frame(seen: Tensor, dice: Dice) -> Tensor:
    """The rim of the plate's hole, at none to two sides."""
    v, u = torch.meshgrid(torch.linspace(0, 32, WINDOW[0]), torch.linspace(0, 16, WINDOW[1]), indexing="ij")
    wide = dice.uniform(-2.0, 1.6, 4, 1, 1) - torch.where(dice.chance(0.65), 4.0, 0.0)[:, None, None, None]
    rim = (u < wide[:, 0]) | (u > 16 - wide[:, 1]) | (v < wide[:, 2]) | (v > 32 - wide[:, 3])
    colour = dice.uniform(0, 235, 1, 1, 1) + dice.normal(5, 3, 1, 1)
    return torch.where(rim[:, None], colour, seen)


def _lens(seen: Tensor, wrecked: Tensor, dice: Dice) -> Tensor:
    """Defocus, motion, low resolution and sharpening; sixteen neighbours share one."""
    parts = []
    for chunk in seen.split(16):
        numbers = torch.rand(8, generator=dice.generator)
        parts.append(_through(chunk, [float(n) for n in numbers]))
    out = torch.cat(parts)
    if wrecked.any():
        kernel = _kernel(4.5, 9.0, 0.7, 25)
        blurred = _blur(out[wrecked], kernel)
        out[wrecked] = blurred
    return out


def _through(chunk: Tensor, numbers: list[float]) -> Tensor:
    if numbers[0] < 0.3:
        height = round(WINDOW[0] * (0.4 + 0.6 * numbers[1]))
        small = functional.interpolate(chunk, (height, height // 2), mode="area")
        chunk = functional.interpolate(small, WINDOW, mode="bilinear", align_corners=False)
    if numbers[2] < 0.75:
        spread = 0.3 + 1.2 * numbers[3] ** 2
        along = spread + (2.2 * numbers[5] if numbers[4] < 0.2 else 0.0)
        chunk = _soften(chunk, spread) if along == spread else _blur(chunk, _kernel(spread, along, 3.14 * numbers[6], 9))
    if numbers[7] < 0.2:
        chunk = chunk + (chunk - _soften(chunk, 1.0)) * (0.5 + 4 * numbers[7])
    return chunk


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


def look_again(batch: Batch, seed: int) -> Batch:
    """The same windows a little later: one pixel or two beside, lit and exposed a little differently."""
    dice = Dice(torch.Generator().manual_seed(seed), len(batch.windows))
    right, down = (int(n) for n in torch.randint(-2, 3, (2,), generator=dice.generator))
    moved = functional.pad(batch.windows.float(), (2, 2, 2, 2), mode="replicate")
    moved = moved[..., 2 + down : 2 + down + WINDOW[0], 2 + right : 2 + right + WINDOW[1]]
    lit = moved * dice.uniform(0.8, 1.15, 3, 1, 1) + dice.normal(6, 1, 1, 1)
    return replace(batch, windows=lit.clamp(0, 255))
