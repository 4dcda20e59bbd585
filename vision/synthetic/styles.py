"""What makes decks look different: the named decks, and any number of random ones for training."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from companion.cards import Suit
from vision.errors import StyleError
from vision.synthetic.backs import BACK_PATTERNS
from vision.synthetic.courts import COURT_STYLES
from vision.synthetic.glyphs import FONTS, IndexFont
from vision.synthetic.pen import Bgr
from vision.synthetic.suits import SuitShapes

BLACK, RED, GREEN, BLUE = (30, 26, 26), (38, 30, 196), (52, 118, 28), (176, 84, 22)


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """Everything that makes one deck look different from another."""

    name: str
    seed: int = 0
    """Of the wear's and the paper's grain."""
    font: IndexFont = FONTS[0]
    index_mm: float = 9.0
    """Height of the index letter; about 7.5..11 is a standard index, 12..16 a large one."""
    index_sign_mm: float = 6.5
    """Height of the small sign below the letter."""
    index_x_mm: float = 5.6
    """Middle of the index column from the card's left edge."""
    index_y_mm: float = 4.0
    """Top of the letter from the card's upper edge."""
    four_colours: bool = False
    indices: int = 2
    """2 (top left and bottom right) or 4 (all corners)."""
    shapes: SuitShapes = field(default_factory=SuitShapes)
    pip_mm: float = 12.5
    court: str = "classic"
    frame: bool = True
    """Court cards have a ruled frame."""
    black: Bgr = BLACK
    red: Bgr = RED
    stock: Bgr = (250, 251, 252)
    """Colour of the paper."""
    wear: float = 0.0
    """0 new .. 1 worn: rubbed ink, grey edges, scratches."""
    back: str = "lattice"
    back_colour: Bgr = (140, 60, 30)
    joker: str = "star"
    """Index of the jokers: a star, or the word, written downwards."""
    corner_mm: float = 3.2

    def colour(self, suit: Suit) -> Bgr:
        """The ink of a suit."""
        if self.four_colours and suit in (Suit.CLUBS, Suit.DIAMONDS):
            return GREEN if suit is Suit.CLUBS else BLUE
        return self.red if suit in (Suit.DIAMONDS, Suit.HEARTS) else self.black


_LARGE = {"index_mm": 14.0, "index_sign_mm": 10.0, "index_x_mm": 7.6, "index_y_mm": 3.6, "pip_mm": 10.0}


def _large(style: DeckStyle) -> DeckStyle:
    return replace(style, **_LARGE)  # type: ignore[arg-type]  # the values are floats


_FONT = {font.name: font for font in FONTS}

STYLES: tuple[DeckStyle, ...] = (
    DeckStyle("club", 1, _FONT["plain"], index_mm=8.6),
    DeckStyle(
        "saloon", 2, _FONT["slab"], joker="word", stock=(228, 240, 247), wear=0.35, back="rosette", back_colour=(40, 36, 170)
    ),
    _large(DeckStyle("parlour", 3, _FONT["heavy"], back="dots", back_colour=(70, 40, 40))),
    DeckStyle("tournament", 4, _FONT["sign"], four_colours=True, court="flat", index_mm=9.5, back="waves"),
    DeckStyle("library", 5, _FONT["book"], shapes=SuitShapes(waist=0.3, plumpness=1.1), back="bricks", back_colour=(60, 110, 30)),
    DeckStyle("pocket", 6, _FONT["tall"], index_mm=10.5, index_sign_mm=5.6, index_x_mm=4.9, indices=4, court="line"),
    _large(DeckStyle("harbour", 7, _FONT["round"], four_colours=True, court="flat", frame=False, back="plain")),
    DeckStyle("attic", 8, _FONT["swing"], joker="word", stock=(205, 226, 238), wear=0.9, shapes=SuitShapes(waist=0.2)),
    DeckStyle("night", 9, _FONT["plain"], indices=4, index_mm=7.8, index_sign_mm=5.8, red=(60, 40, 160), frame=False),
)
"""The decks with names; the first is the default."""


def find_style(name: str) -> DeckStyle:
    """The named deck; raise `StyleError` (a `KeyError`) that lists the names."""
    for style in STYLES:
        if style.name == name:
            return style
    raise StyleError(f"no deck is called {name!r}: expected one of {', '.join(style.name for style in STYLES)}")


def _random_font(rng: np.random.Generator) -> IndexFont:
    base = FONTS[int(rng.integers(len(FONTS)))]

    def coin(chance: float) -> bool:
        return bool(rng.random() < chance)

    weight = float(np.clip(base.weight * rng.uniform(0.75, 1.25), 0.085, 0.25))
    return replace(
        base,
        name="random",
        width=float(np.clip(base.width * rng.uniform(0.85, 1.2), 0.38, 0.85)),
        weight=weight,
        contrast=float(np.clip(base.contrast * rng.uniform(0.75, 1.2), 0.32, 1.1)),
        serif=float(rng.choice([0.0, base.serif, rng.uniform(0.06, 0.15)])),
        balls=base.balls if coin(0.7) else coin(0.5),
        boxiness=float(np.clip(base.boxiness + rng.uniform(-0.1, 0.15), 1.0, 1.35)),
        pointed=base.pointed if coin(0.7) else coin(0.5),
        slant=float(base.slant if coin(0.8) else rng.uniform(-0.03, 0.2)),
        flat_three=coin(0.3),
        bent_seven=coin(0.4),
        crossed_seven=coin(0.08),
        open_four=coin(0.2),
        straight_six=coin(0.25),
        barred_jack=coin(0.4),
        tail=int(rng.integers(3)),
        ten_width=float(rng.uniform(1.15, 1.65)),
    )


def _tone(rng: np.random.Generator, colour: Bgr, spread: int) -> Bgr:
    low = np.clip(np.asarray(colour) + rng.integers(-spread, spread + 1, 3), 0, 255)
    return int(low[0]), int(low[1]), int(low[2])


def random_style(rng: np.random.Generator) -> DeckStyle:
    """Any deck: font, sizes, colours, court figures, paper and wear drawn at random."""
    large = bool(rng.random() < 0.3)
    font = _random_font(rng)
    index = float(rng.uniform(11.5, 15.5) if large else rng.uniform(7.2, 11.0))
    sign = float(index * rng.uniform(0.55, 0.85))
    half = max(index * font.width / 2 * 1.15, sign * 0.45)
    paper = np.clip(rng.normal(246, 5) - np.abs(rng.normal(0, 9, 3)) * np.array([1.6, 0.8, 0.5]), 190, 255)
    return DeckStyle(
        name="random",
        seed=int(rng.integers(1 << 31)),
        font=font,
        index_mm=index,
        index_sign_mm=sign,
        index_x_mm=float(np.clip(half + rng.uniform(1.2, 3.2), 4.2, 9.0)),
        index_y_mm=float(rng.uniform(2.6, 5.5)),
        four_colours=bool(rng.random() < 0.25),
        indices=4 if rng.random() < 0.2 else 2,
        shapes=SuitShapes(
            plumpness=float(rng.uniform(0.85, 1.15)),
            cleft=float(rng.uniform(0.14, 0.26)),
            waist=float(rng.uniform(0.0, 0.35)),
            leaf=float(rng.uniform(0.225, 0.27)),
            foot=float(rng.uniform(0.14, 0.28)),
            width=float(rng.uniform(0.8, 1.0)),
        ),
        pip_mm=float(rng.uniform(9.5, 14.0)),
        court=str(rng.choice(COURT_STYLES)),
        frame=bool(rng.random() < 0.7),
        black=_tone(rng, BLACK, 14),
        red=_tone(rng, RED, 26),
        stock=(int(paper[0]), int(paper[1]), int(paper[2])),
        wear=float(rng.choice([0.0, rng.uniform(0, 1)])),
        back=str(rng.choice(BACK_PATTERNS)),
        back_colour=_tone(rng, (100, 60, 90), 60),
        joker="star" if large else "word",
        corner_mm=float(rng.uniform(2.2, 4.0)),
    )
