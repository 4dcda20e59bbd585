"""From tiles to the windows that a camera sees: where they lie, what covers them, and the light, for a whole batch at a time.

What a window is called follows from what is still visible in it, not from what was meant to be shown: a card whose rank
or suit is cut off, smeared or burnt out is unreadable, one under a hand is covered, a place that the card has left is
empty; what people would argue about has no weight.  Which card it *was* is asked even then, so that the net learns how
little half an index tells.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.training.camera import WINDOW, Dice, lit_scene, through_camera
from models.training.pool import Pool
from models.training.rendered import joined, render_windows
from models.training.tiles import ENOUGH_SUIT_MM, GONE, KINDS, READABLE, TILE_MM
from vision.synthetic.decks import STYLES
from vision.synthetic.decks import draw_deck as draw_style
from vision.synthetic.scene import Difficulty

WINDOW_MM = (16.0, 32.0)
CARD, EMPTY, BACK, COVERED, UNREADABLE, FOREIGN = range(len(KINDS))

MODES = {
    "card": 0.5, "shifted": 0.075, "turned": 0.045, "inside": 0.045, "back": 0.06, "empty": 0.045, "hand": 0.05,
    "cut": 0.06, "foreign": 0.06, "blurred": 0.035, "burnt": 0.025,
}
"""How windows are made.  ``cut``: something with a straight edge lies over the index; ``burnt``: a highlight stands on it."""
RENDERED = 0.2
"""Share of a batch that comes from rendered mats and trays, where there are any."""
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
    told: Tensor
    """How much the window may tell of a card that lies in it: 1 where it is readable, less where it is spoilt, 0 for none."""


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

    boxes, known = pool.boxes[chosen], pool.kinds[chosen]
    places, area = _places(is_mode, pool.edges[chosen], boxes, dice)
    card, solid, back = _print(pool, chosen, places, dice)
    hand, touch = _hands(pool, is_mode("hand") | dice.chance(0.02), dice)
    sheet, cut = _cuts(pool, is_mode("cut"), boxes, places, dice)
    scene = card * solid + back * (1 - solid)
    scene = scene * (1 - cut) + sheet * cut
    scene = scene * (1 - touch) + hand * touch
    within = _within(places, boxes)
    burn = _burn(is_mode("burnt"), within, dice)
    lit, lost = lit_scene(scene, burn, dice)
    seen, smear, noise = through_camera(lit, is_mode("blurred"), dice)
    whole = _visible(within, boxes, area, None)
    bare = _visible(within, boxes, area, (1 - touch[:, 0]) * (1 - cut[:, 0])) / whole.clamp(min=0.01)
    in_sight = _enough(whole, boxes)
    left = in_sight * bare * (1 - _lost_share(lost, scene, within))
    kinds, weights = _names(known, (left, in_sight), solid, touch + cut * (1 - touch), is_mode("turned"))
    height = ((boxes[..., 3] - boxes[..., 1]).min(dim=1).values / area.sqrt()).clamp(min=1)
    contrast = _contrast(lit, within)
    gone = (smear > 0.2 * height) | (contrast < torch.maximum(noise * 0.4, torch.tensor(4.0)))
    poor = (smear > 0.11 * height) | (contrast < torch.maximum(noise * 0.9, torch.tensor(8.0)))
    readable = kinds == CARD
    kinds = torch.where(readable & gone, UNREADABLE, kinds)
    weights = torch.where(readable & poor & ~gone, 0.0, weights)
    told = (known == CARD) & ~is_mode("turned") & (left.min(dim=1).values > 0.2) & (kinds != EMPTY)
    told = told.float() * torch.where((kinds == CARD) & (weights > 0), 1.0, 0.5)
    return Batch(seen, kinds, pool.ranks[chosen], pool.suits[chosen], weights, pool.groups[chosen], mode, told)


def _take_rendered(pool: Pool, dice: Dice) -> Batch:
    """Windows of rendered mats under another light."""
    chosen = dice.below(len(pool.rendered))
    seen = pool.rendered[chosen].permute(0, 3, 1, 2).float()
    seen = seen * dice.uniform(0.7, 1.2, 1, 1, 1) * dice.uniform(0.9, 1.1, 3, 1, 1)
    seen = seen + torch.randn(seen.shape, generator=dice.generator) * dice.uniform(0, 4, 1, 1, 1)
    nobody = torch.full_like(pool.labels[chosen], len(pool.names))
    return _labelled(seen.clamp(0, 255).to(torch.uint8), pool.labels[chosen], pool.sure[chosen].float(), nobody)


def _labelled(windows: Tensor, label: Tensor, sure: Tensor, groups: Tensor) -> Batch:
    card = label < 52
    kinds, suits = torch.where(card, 0, label - 51), torch.where(card, label // 13, 0)
    return Batch(windows, kinds, label % 13, suits, sure, groups, groups, card.float() * sure)


def mat_batch(seed: int, difficulty: Difficulty, frames: int) -> Batch:
    """Windows of rendered mats with the renderer's named decks, which are never trained on."""
    mats = joined([
        render_windows(style, draw_style(style), difficulty, np.random.default_rng((seed, 4, number)), frames)
        for number, style in enumerate(STYLES)
    ])
    label = torch.from_numpy(mats.truth)
    windows = torch.from_numpy(mats.patches).permute(0, 3, 1, 2)
    return _labelled(windows, label, torch.from_numpy(mats.sure).float(), torch.zeros_like(label))


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


def _places(is_mode: object, edges: Tensor, boxes: Tensor, dice: Dice) -> tuple[Tensor, Tensor]:
    """Where on the card each pixel looks, count x 96 x 48 x 2 in millimetres, and square millimetres per pixel."""
    assert callable(is_mode)
    near = dice.chance(0.6)
    scale = torch.where(near, dice.uniform(0.88, 1.15), dice.uniform(0.8, 1.65))
    # An index that is too large for a mat's window is met in the larger windows that photographs are read with.
    whole = (boxes[:, 1, 3] + dice.uniform(0.5, 6.0)) / WINDOW_MM[1]
    scale = torch.where((boxes[:, 1, 3] > 26) & dice.chance(0.65), whole, scale)
    # Narrow and wide letters are as common among decks as thin and bold ones (see `_pressed`).
    stretch = torch.where(dice.chance(0.35), dice.uniform(0.78, 1.28), dice.uniform(0.93, 1.07))
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
    ink = _pressed(_look(pool.pictures[chosen].permute(0, 3, 1, 2).float(), places, "border"), dice)
    fade = dice.uniform(0.5, 1.0, 1, 1, 1)
    ink = 255 - (255 - ink) * torch.where(dice.chance(0.5)[:, None, None, None], fade, 1.0)
    worn = dice.uniform(0.6, 1.0, 3, 1, 1)
    ink = ink * torch.where(dice.chance(0.2)[:, None, None, None], worn, dice.uniform(0.86, 1.0, 3, 1, 1))
    ink = torch.where(dice.chance(0.06)[:, None, None, None], _inverted(ink, dice), ink)
    ink = torch.where(dice.chance(0.1)[:, None, None, None], _rubbed(ink, dice), ink)
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


def _rubbed(ink: Tensor, dice: Dice) -> Tensor:
    """Print that has flaked off in specks: there the paper shows."""
    grain = torch.rand((dice.count, 1, 32, 16), generator=dice.generator)
    grain = functional.interpolate(grain, WINDOW, mode="bilinear", align_corners=False)
    grain = grain + 0.5 * torch.rand((dice.count, 1, *WINDOW), generator=dice.generator)
    gone = torch.sigmoid((grain - dice.uniform(0.85, 1.2, 1, 1, 1)) * 12) * dice.uniform(0.3, 0.9, 1, 1, 1)
    paper = ink.amax(dim=(2, 3), keepdim=True)
    return ink + (paper - ink) * gone


def _pressed(ink: Tensor, dice: Dice) -> Tensor:
    """Some prints thinner or bolder than they were drawn, by up to a pixel of the window on each side."""
    thin, bold = functional.max_pool2d(ink, 3, 1, 1), -functional.max_pool2d(-ink, 3, 1, 1)
    strength = (dice.uniform(-0.75, 0.75) * dice.chance(0.35))[:, None, None, None]
    return ink + (thin - ink) * strength.clamp(min=0) + (bold - ink) * (-strength).clamp(min=0)


def _inverted(ink: Tensor, dice: Dice) -> Tensor:
    """Light print on dark stock; saturated colours may keep their brightness."""
    brightness = (ink * torch.tensor([0.114, 0.587, 0.299])[:, None, None]).sum(dim=1, keepdim=True)
    colourful = (ink.amax(dim=1, keepdim=True) - ink.amin(dim=1, keepdim=True)) / 255
    turned = ink + (255 - 2 * brightness) * (1 - dice.uniform(0.2, 1, 1, 1, 1) * colourful)
    stock = dice.uniform(0, 45, 1, 1, 1) + dice.uniform(0, 30, 3, 1, 1)
    return stock + turned.clamp(0, 255) * (1 - stock / 255) * dice.uniform(0.6, 1.0, 1, 1, 1)


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


def _cuts(pool: Pool, wanted: Tensor, boxes: Tensor, places: Tensor, dice: Dice) -> tuple[Tensor, Tensor]:
    """Something with a straight edge through rank or suit - another card, a sleeve, a mask: its picture, where it lies."""
    part = dice.below(2)
    box = boxes[torch.arange(dice.count), part]
    at = torch.stack([box[:, :2], box[:, 2:]], dim=1)
    at = at[:, 0] + (at[:, 1] - at[:, 0]) * dice.uniform(0.1, 0.9, 2)
    angle = dice.below(4) * torch.pi / 2 + dice.normal(0.25)
    cos, sin = torch.cos(angle)[:, None, None], torch.sin(angle)[:, None, None]
    beyond = (places[..., 0] - at[:, 0, None, None]) * cos + (places[..., 1] - at[:, 1, None, None]) * sin
    cut = torch.where(wanted[:, None, None], torch.sigmoid(beyond * dice.uniform(3, 20, 1, 1)), torch.zeros(()))[:, None]
    spots = places.flip(-1) * dice.uniform(0.4, 1.5, 1, 1, 1)
    sheet = _look(pool.hands[dice.below(len(pool.hands))], spots, "reflection")
    plain = dice.uniform(190, 255, 1, 1, 1).expand_as(sheet)
    return torch.where(dice.chance(0.5)[:, None, None, None], plain, sheet), cut


def _within(places: Tensor, boxes: Tensor) -> Tensor:
    """Which pixels of a grid of every second one lie in the boxes of rank and suit, count x 2 x 48 x 24."""
    x, y = places[:, None, ::2, ::2, 0], places[:, None, ::2, ::2, 1]
    left, top, right, bottom = (boxes[:, :, i, None, None] for i in range(4))
    return ((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).float()


def _visible(within: Tensor, boxes: Tensor, area: Tensor, clear: Tensor | None) -> Tensor:
    """How much of rank and suit is in the window, count x 2; `clear` is what a hand or another card leaves."""
    inside = within if clear is None else within * clear[:, None, ::2, ::2]
    size = ((boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])).clamp(min=1)
    return inside.sum(dim=(2, 3)) * (area * 4)[:, None] / size


def _enough(visible: Tensor, boxes: Tensor) -> Tensor:
    """How much of what it takes to tell rank and suit is in the window, count x 2."""
    more = ((boxes[:, 1, 3] - boxes[:, 1, 1]) / ENOUGH_SUIT_MM).clamp(min=1)
    return (visible * torch.stack([torch.ones_like(more), more], dim=1)).clamp(max=1)


def _lost_share(lost: Tensor, scene: Tensor, within: Tensor) -> Tensor:
    """How much of the print of rank and suit is as white as the paper, count x 2."""
    print_ = (scene[:, :, ::2, ::2].mean(dim=1) < 150).float()[:, None] * within
    return (print_ * lost[:, None, ::2, ::2]).sum(dim=(2, 3)) / print_.sum(dim=(2, 3)).clamp(min=1)


def _contrast(lit: Tensor, within: Tensor) -> Tensor:
    """The weaker of rank and suit: how much the picture varies there, in grey levels."""
    grey = lit[:, None, :, ::2, ::2].mean(dim=2)
    pixels = within.sum(dim=(2, 3)).clamp(min=1)
    mean = (grey * within).sum(dim=(2, 3)) / pixels
    spread = ((grey - mean[..., None, None]) ** 2 * within).sum(dim=(2, 3)) / pixels
    return torch.where(within.sum(dim=(2, 3)) > 20, spread.sqrt(), torch.tensor(99.0)).min(dim=1).values


def _burn(wanted: Tensor, within: Tensor, dice: Dice) -> Tensor:
    """A highlight near rank or suit: what it adds to each pixel's light, count x 96 x 48."""
    v, u = torch.meshgrid(torch.linspace(0, 1, 48), torch.linspace(0, 1, 24), indexing="ij")
    index = within.amax(dim=1)
    total = index.sum(dim=(1, 2)).clamp(min=1)
    at_u = (index * u).sum(dim=(1, 2)) / total + dice.normal(0.15)
    at_v = (index * v).sum(dim=(1, 2)) / total + dice.normal(0.12)
    v, u = torch.meshgrid(torch.linspace(0, 1, WINDOW[0]), torch.linspace(0, 1, WINDOW[1]), indexing="ij")
    far = ((u - at_u[:, None, None]) ** 2 + 4 * (v - at_v[:, None, None]) ** 2) / dice.uniform(0.25, 1.2, 1, 1) ** 2
    strength = torch.where(wanted, dice.uniform(60, 600), torch.zeros(()))[:, None, None]
    return strength * torch.exp(-(far ** dice.uniform(0.8, 2.5, 1, 1)))


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


def look_again(batch: Batch, seed: int) -> Batch:
    """The same windows a little later: one pixel or two beside, lit and exposed a little differently."""
    dice = Dice(torch.Generator().manual_seed(seed), len(batch.windows))
    right, down = (int(n) for n in torch.randint(-2, 3, (2,), generator=dice.generator))
    moved = functional.pad(batch.windows.float(), (2, 2, 2, 2), mode="replicate")
    moved = moved[..., 2 + down : 2 + down + WINDOW[0], 2 + right : 2 + right + WINDOW[1]]
    lit = moved * dice.uniform(0.8, 1.15, 3, 1, 1) + dice.normal(6, 1, 1, 1)
    return replace(batch, windows=lit.clamp(0, 255))
