"""What lies on a board at one moment, in millimetres; no pixels yet.

Coordinates are those of `vision.layout`: an upright picture of the card faces, seen from below for a mat and from
above for the tray.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from companion.cards import Card
from vision.errors import SceneError
from vision.layout import CARD_MM, PITCH_MM, ROW_LINE_MM, Layout, Rect

JOKER: Literal["joker"] = "joker"
"""The face of a card that is not one of the 52."""
Face = Card | Literal["joker"]
Side = Literal["down", "up"]
Difficulty = Literal["easy", "normal", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "normal", "hard")

PILE_MM = Rect(4 * PITCH_MM, ROW_LINE_MM, *CARD_MM)
"""Where the draw pile lies on the tray: the free place after the ninth outline."""


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card at a window, laid more or less well."""

    face: Face
    side: Side = "down"
    """Where the face points: down is towards a mat's camera, up towards the tray's."""
    dx_mm: float = 0.0
    """Of the card's top left corner from its place at the rail, to the right."""
    dy_mm: float = 0.0
    """The same, downwards."""
    angle_deg: float = 0.0
    """Turned about that corner, clockwise."""
    turned: bool = False
    """Laid the other way round, head to foot; an index shows anyway."""
    lift_mm: float = 0.0
    """Height above the board."""
    slide_mm: float = 0.0
    """Pulled out of its place by so much, downwards in the picture."""
    motion_mm: tuple[float, float] = (0.0, 0.0)
    """Way of the card while the shutter is open."""


@dataclass(frozen=True, slots=True)
class LooseCard:
    """A card that lies or is carried anywhere over the board."""

    card: LyingCard
    x_mm: float
    """Of the card's top left corner, before the card's own offsets."""
    y_mm: float


@dataclass(frozen=True, slots=True)
class HandShadow:
    """A hand reaching over the board: behind the cards that lie on a mat, above everything on the tray."""

    x_mm: float
    """Of the tip of the middle finger."""
    y_mm: float
    angle_deg: float = 0.0
    """Where the fingers point: 0 upwards in the picture, clockwise."""
    skin: int = 1
    """Index into `SKINS`."""
    sleeve: int = 0
    """Index into `SLEEVES`."""
    size: float = 1.0
    """1 is an adult's hand, about 85 mm across."""


SKINS: tuple[tuple[int, int, int], ...] = ((176, 200, 236), (134, 168, 214), (98, 132, 184), (58, 84, 128), (36, 52, 84))
"""Blue, green, red in good light."""
SLEEVES: tuple[tuple[int, int, int], ...] = ((90, 60, 40), (60, 60, 64), (70, 50, 130), (150, 150, 150), (70, 100, 60))


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a camera could see of one board."""

    stacks: tuple[tuple[LyingCard, ...], ...]
    """Per window or row position, the cards there, bottom first.

    A mat's camera sees the first one, and of the others what sticks out; the tray's camera sees the last one on top.
    """
    hands: tuple[HandShadow, ...] = ()
    pile: int = 0
    """Cards in the draw pile (tray only)."""
    loose: tuple[LooseCard, ...] = ()

    def with_stack(self, window: int, stack: tuple[LyingCard, ...]) -> Scene:
        """The scene with other cards at a window (counted from 0)."""
        return replace(self, stacks=(*self.stacks[:window], stack, *self.stacks[window + 1 :]))

    def check(self, layout: Layout) -> None:
        """Raise `SceneError` where the scene does not fit the board."""
        if len(self.stacks) != len(layout.windows):
            wanted = len(layout.windows)
            raise SceneError(f"a scene for {layout.name} needs {wanted} stacks, one per window; found {len(self.stacks)}")


def empty_scene(layout: Layout) -> Scene:
    """A board with nothing on it."""
    return Scene(((),) * len(layout.windows))


@dataclass(frozen=True, slots=True)
class Slop:
    """How far a card misses its place."""

    dx_mm: float
    dy_mm: float
    angle_deg: float

    def lay(self, face: Face, side: Side = "down", turned: bool = False) -> LyingCard:
        """A card laid like this."""
        return LyingCard(face, side, self.dx_mm, self.dy_mm, self.angle_deg, turned)


SLOP_LIMITS: dict[Difficulty, tuple[float, float, float]] = {
    "easy": (0.5, 0.5, 0.5),
    "normal": (0.5, 2.0, 2.0),
    "hard": (4.0, 4.0, 6.0),
}
"""Millimetres over the rail, millimetres away from it, degrees.  The rail stops a card; only in hard is it ignored."""


def slop(difficulty: Difficulty, rng: np.random.Generator) -> Slop:
    """How one card is laid; every offset and angle stays within `SLOP_LIMITS`."""
    if difficulty not in SLOP_LIMITS:
        raise SceneError(f"{difficulty!r} is no difficulty: expected one of {', '.join(DIFFICULTIES)}")
    over, away, degrees = SLOP_LIMITS[difficulty]
    # people aim at the rail: small misses are more frequent than large ones
    x, y = rng.triangular(-over, 0.0, away, 2)
    return Slop(float(x), float(y), float(rng.triangular(-degrees, 0.0, degrees)))
