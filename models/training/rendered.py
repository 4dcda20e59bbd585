"""Windows of rendered mats and trays: what the virtual table's cameras see, with the truth that the scene tells."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.cards import DECK, Card, Mark, Seen
from models.training.tiles import ENOUGH_SUIT_MM, GONE, PX_PER_MM, READABLE, Box, Tile, corner
from vision.classifier import LABELS
from vision.layout import WINDOW_MM, WINDOW_PX, Layout, Rect, mat_layout, tray_layout
from vision.synthetic.art import PX_PER_MM as ART_PX_PER_MM
from vision.synthetic.art import DeckArt
from vision.synthetic.condition import condition
from vision.synthetic.decks import DeckStyle, draw_deck, random_style
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import JOKER, SKINS, SLEEVES, Difficulty, Face, HandShadow, LyingCard, Scene, slop


@dataclass(frozen=True, slots=True)
class Windows:
    """Patches and what they show."""

    patches: NDArray[np.uint8]
    """count x 96 x 48 x 3."""
    truth: NDArray[np.int64]
    """Of each, its index in `LABELS`."""
    sure: NDArray[np.bool_]
    """Where nobody would argue about the truth."""


def render_windows(
    style: DeckStyle, art: DeckArt, difficulty: Difficulty, rng: Generator, frames: int, wild: float = 0.4
) -> Windows:
    """Five windows of each frame of one mat; `wild` is the share of windows that are not simply a card laid down."""
    layout = mat_layout(int(rng.integers(6)))
    camera = BoardCamera(layout, art, int(rng.integers(1 << 30)), condition(difficulty, rng))
    boxes = style_boxes(style)
    patches, truth, sure = [], [], []
    for number in range(frames):
        scene, names = _scene(layout, boxes, difficulty, rng, wild)
        image = camera.render(scene, 0.4 * number)
        for window, (seen, clear) in zip(layout.windows, names, strict=True):
            patches.append(_cut(image, camera, window, rng))
            truth.append(LABELS.index(seen))
            sure.append(clear)
    return Windows(np.stack(patches), np.array(truth, np.int64), np.array(sure))


def render_trays(
    style: DeckStyle, art: DeckArt, difficulty: Difficulty, rng: Generator, frames: int, empty: float = 0.75
) -> Windows:
    """The nine windows of each frame of a tray, seen from above: bare cloth between printed outlines, and cards face up.

    Trays differ in their cloth, which the renderer chooses for `hard` alone, so each frame has a tray of its own.
    """
    layout = tray_layout()
    boxes = style_boxes(style)
    patches, truth, sure = [], [], []
    for _ in range(frames):
        camera = BoardCamera(layout, art, int(rng.integers(1 << 30)), condition(difficulty, rng))
        laid = [None if rng.random() < empty else slop(difficulty, rng).lay(_any_card(rng), side="up") for _ in layout.windows]
        image = camera.render(Scene(tuple(() if card is None else (card,) for card in laid)), 0.4)
        for window, card in zip(layout.windows, laid, strict=True):
            patches.append(_cut(image, camera, window, rng))
            seen, clear = (Mark.EMPTY, True) if card is None else _named(_card_of(card), card, boxes)
            truth.append(LABELS.index(seen))
            sure.append(clear)
    return Windows(np.stack(patches), np.array(truth, np.int64), np.array(sure))


def _any_card(rng: Generator) -> Card:
    return DECK[int(rng.integers(len(DECK)))]


def _card_of(laid: LyingCard) -> Card:
    assert isinstance(laid.face, Card)
    return laid.face


def joined(parts: list[Windows]) -> Windows:
    """Windows of several renderings as one."""
    if not parts:
        return Windows(np.zeros((0, WINDOW_PX[1], WINDOW_PX[0], 3), np.uint8), np.zeros(0, np.int64), np.zeros(0, bool))
    return Windows(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("patches", "truth", "sure")))


def style_boxes(style: DeckStyle) -> tuple[Box, Box]:
    """Where the index stands in a drawn style, a little generously."""
    half = max(style.index_mm * style.font.width, style.index_sign_mm) / 2
    left, right = max(1.0, style.index_x_mm - half), style.index_x_mm + half
    top, low = style.index_y_mm, style.index_y_mm + style.index_mm
    sign = style.index_y_mm + style.index_mm * 1.13
    return (left, top, right, low), (left, sign, right, sign + style.index_sign_mm)


def deck_tiles(style: DeckStyle, art: DeckArt) -> tuple[Tile, ...]:
    """The corners of a deck of the renderer's."""
    boxes = style_boxes(style)
    cards = tuple(Tile(_corner(art.face(card)), "card", card, *boxes) for card in DECK)
    return (*cards, Tile(_corner(art.back()), "back"), Tile(_corner(art.joker()), "foreign"))


def _corner(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    share = PX_PER_MM / ART_PX_PER_MM
    return corner(np.asarray(cv2.resize(face, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8))


@dataclass(frozen=True, slots=True)
class Rendered:
    """Random decks of the renderer, and windows in which they lie."""

    decks: tuple[tuple[str, tuple[Tile, ...]], ...]
    windows: Windows


def render_decks(seed: int, count: int, frames: int = 10, trays: int = 4) -> Rendered:
    """`count` decks in random styles (never those with names), each before one normal and one hard camera, and on trays."""
    decks, parts = [], []
    for number in range(count):
        rng = np.random.default_rng((seed, 3, number))
        style = random_style(rng)
        art = draw_deck(style)
        decks.append((f"rendered {number}", deck_tiles(style, art)))
        parts += [render_windows(style, art, level, rng, frames) for level in ("normal", "hard")]
        parts += [render_trays(style, art, level, rng, trays) for level in ("normal", "hard")]
    return Rendered(tuple(decks), joined(parts))


def _cut(image: NDArray[np.uint8], camera: BoardCamera, window: Rect, rng: Generator) -> NDArray[np.uint8]:
    """The window's patch, as registered with a fifth of a millimetre's error."""
    width, height = WINDOW_PX
    miss = rng.normal(0, 0.2, 2)
    x = window.x + miss[0] + (np.arange(width) + 0.5) * window.width / width
    y = window.y + miss[1] + (np.arange(height) + 0.5) * window.height / height
    grid = camera.to_px(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)).reshape(height, width, 2).astype(np.float32)
    return np.asarray(cv2.remap(image, grid, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _scene(
    layout: Layout, boxes: tuple[Box, Box], difficulty: Difficulty, rng: Generator, wild: float
) -> tuple[Scene, list[tuple[Seen, bool]]]:
    stacks: list[tuple[LyingCard, ...]] = []
    names: list[tuple[Seen, bool]] = []
    for _ in layout.windows:
        stack, seen, clear = _stack(boxes, difficulty, rng, wild)
        stacks.append(stack)
        names.append((seen, clear))
    hands: tuple[HandShadow, ...] = ()
    if rng.random() < wild * 0.4:
        at = int(rng.integers(5))
        hands = (_hand(layout.windows[at], rng),)
        # a hand is above lying cards; where it shows, nothing is certain
        lying = [len(stack) > 0 and stack[0].lift_mm == 0 for stack in stacks]
        names = [(seen, clear and low) for (seen, clear), low in zip(names, lying, strict=True)]
    return Scene(tuple(stacks), hands), names


def _hand(window: Rect, rng: Generator) -> HandShadow:
    return HandShadow(
        window.x + float(rng.uniform(0, 16)), window.y + float(rng.uniform(-20, 20)), float(rng.uniform(-40, 40)),
        int(rng.integers(len(SKINS))), int(rng.integers(len(SLEEVES))), float(rng.uniform(0.8, 1.1)),
    )


def _stack(
    boxes: tuple[Box, Box], difficulty: Difficulty, rng: Generator, wild: float
) -> tuple[tuple[LyingCard, ...], Seen, bool]:
    card = DECK[int(rng.integers(52))]
    laid = slop(difficulty, rng).lay(card, turned=bool(rng.random() < 0.5))
    if rng.random() >= wild:
        return (laid,), *_named(card, laid, boxes)
    kind = rng.random()
    if kind < 0.25:
        return (), Mark.EMPTY, True
    if kind < 0.4:
        return (slop(difficulty, rng).lay(card, side="up"),), Mark.BACK, True
    if kind < 0.5:
        joker: Face = JOKER
        return (slop(difficulty, rng).lay(joker),), Mark.FOREIGN, True
    other = slop(difficulty, rng).lay(DECK[int(rng.integers(52))])
    if kind < 0.6:
        return (laid, other), *_named(card, laid, boxes)
    if kind < 0.8:
        moved = replace(laid, turned=False, slide_mm=float(rng.uniform(4, 45)))
        return (moved,), *_named(card, moved, boxes)
    lifted = replace(laid, turned=False, lift_mm=float(rng.uniform(1, 40)))
    return (lifted,), card, lifted.lift_mm < 4 and _named(card, laid, boxes)[1]


def _named(card: Card, laid: LyingCard, boxes: tuple[Box, Box]) -> tuple[Seen, bool]:
    """What a window shows of a lying card, and whether that is beyond argument."""
    rank, suit = boxes
    seen = min(_visible(laid, rank), _visible(laid, suit) * max(1.0, (suit[3] - suit[1]) / ENOUGH_SUIT_MM))
    if seen >= READABLE:
        return card, True
    if _covers(laid) < 0.05:
        return Mark.EMPTY, True
    return Mark.UNREADABLE, seen < GONE and _covers(laid) > 0.25


def _spread(left: float, top: float, right: float, bottom: float, count: int = 12) -> NDArray[np.float64]:
    x, y = (np.linspace(low, high, count) for low, high in ((left, right), (top, bottom)))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _turn(laid: LyingCard) -> NDArray[np.float64]:
    angle = np.radians(laid.angle_deg)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _visible(laid: LyingCard, box: Box) -> float:
    """Share of a box of the card that is in the window."""
    points = _spread(*box) @ _turn(laid).T + (laid.dx_mm, laid.dy_mm + laid.slide_mm)
    inside = (points >= 0).all(axis=1) & (points[:, 0] <= WINDOW_MM[0]) & (points[:, 1] <= WINDOW_MM[1])
    return float(inside.mean())


def _covers(laid: LyingCard) -> float:
    """Share of the window that is card."""
    points = (_spread(0, 0, *WINDOW_MM) - (laid.dx_mm, laid.dy_mm + laid.slide_mm)) @ _turn(laid)
    return float((points >= 0).all(axis=1).mean())
