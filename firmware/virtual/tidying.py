"""Putting every card where it has to lie."""

from __future__ import annotations

from companion.table import REMOVED, Place
from firmware.virtual.moves import Hands
from firmware.virtual.stage import Act
from firmware.virtual.truth import Truth, differences, split
from firmware.virtual.world import World


def lay_as_true(who: int, truth: Truth, world: World, hands: Hands) -> Act:
    """`who` lays every card that lies elsewhere to where the truth has it."""
    on_boards, off = split(differences(truth, world))
    lifted = [(spot, piece) for piece, _, _ in off if isinstance(spot := world.where(piece), Place) and spot != REMOVED]
    for place, piece in lifted:
        yield from hands.lift(who, place, piece)
    for piece, spot, _ in off:
        world.move(piece, spot)
    yield from hands.rearrange(who, on_boards)
