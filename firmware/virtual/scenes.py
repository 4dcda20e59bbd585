"""From the physical truth to what one camera could see of it: still no pixels."""

from __future__ import annotations

import math
import random

import numpy as np

from companion.table import PILE, Area, Place
from firmware.virtual.world import Board, Laid, Pose, World, on_table
from vision.layout import Layout, Rect
from vision.synthetic.scene import JOKER, Difficulty, HandShadow, LyingCard, Scene, slop

TURNED_SHARE = 0.5
"""Share of cards laid head to foot."""


def sloppy_pose(difficulty: Difficulty, rng: random.Random) -> Pose:
    """How one card is laid by people of this difficulty."""
    laid = slop(difficulty, np.random.default_rng(rng.randrange(2**32)))
    return Pose(laid.dx_mm, laid.dy_mm, laid.angle_deg, rng.random() < TURNED_SHARE)


def lying_card(laid: Laid) -> LyingCard:
    """A card at rest."""
    pose, face = laid.pose, laid.piece.face
    return LyingCard(
        face if face is not None else JOKER, "down" if laid.face_down else "up",
        pose.dx_mm, pose.dy_mm, pose.angle_deg, pose.turned,
    )  # fmt: skip


def handled_card(laid: Laid, rng: random.Random) -> LyingCard:
    """A card that is being lifted, laid or pushed at this moment."""
    still = lying_card(laid)
    way, direction = rng.uniform(2.0, 9.0), rng.uniform(0.0, 2 * math.pi)
    return LyingCard(
        still.face, still.side, still.dx_mm, still.dy_mm, still.angle_deg + rng.uniform(-8.0, 8.0), still.turned,
        lift_mm=rng.uniform(4.0, 25.0), slide_mm=rng.uniform(0.0, 30.0),
        motion_mm=(way * math.cos(direction), way * math.sin(direction)),
    )  # fmt: skip


def reaching_hand(window: Rect, rng: random.Random, seat: int) -> HandShadow:
    """A hand over a window."""
    x = window.x + window.width / 2 + rng.uniform(-14.0, 14.0)
    y = window.y + rng.uniform(-8.0, window.height * 0.7)
    return HandShadow(x, y, rng.uniform(-25.0, 25.0), skin=seat % 5, sleeve=seat % 5)


def scene_of(world: World, board: Board, layout: Layout, rng: random.Random) -> Scene:
    """What lies on a board now.  A place that a hand covers looks different at every call."""
    stacks = tuple(_stack(world, place, rng) for place in board.places)
    hands = tuple(
        reaching_hand(window, rng, max(place.seat, 0))
        for place, window in zip(board.places, layout.windows, strict=True) if world.is_covered(place)
    )
    pile = 0 if board.from_below or board.places[0].area is not Area.ROW else len(world.lying(PILE))
    return Scene(stacks, hands, pile)


def _stack(world: World, place: Place, rng: random.Random) -> tuple[LyingCard, ...]:
    lying = world.lying(on_table(place))
    if not lying or not world.is_covered(place):
        return tuple(map(lying_card, lying))
    return (*map(lying_card, lying[:-1]), handled_card(lying[-1], rng))
