"""What a rig gives the setup wizard: what the table has, its lamps and buttons, what its cameras see, and the next game."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from companion.choices import Choices, Equipment
from companion.health import CameraFigures
from companion.inbox import Receipt


class Outfit(Protocol):
    """A table that can be set up.  Every method may be called from any thread."""

    def equipment(self) -> Equipment:
        """What the table has."""
        ...

    def present(self) -> Choices:
        """How it is set up now, or, before the first time, how it usually is."""
        ...

    def fresh(self) -> bool:
        """Nobody has ever set it up: there is no game yet."""
        ...

    def roster(self) -> tuple[str, ...]:
        """Who may want to sit down, the likeliest first."""
        ...

    def light(self, burning: Collection[int], blinking: Collection[int], /) -> None:
        """For a few seconds the lamps of these places burn or blink, and all others are dark.  To be asked for again and
        again: when nobody asks any more, the lamps belong to the game again."""
        ...

    def presses(self, heard: int | None, /) -> tuple[int, tuple[int, ...]]:
        """How many presses there have been while lamps were lent, and the places of those after the first `heard`."""
        ...

    def press(self, place: int, /) -> None:
        """The page's own button of a place, where `Equipment.presses`."""
        ...

    def preview(self, place: int, /) -> bytes | None:
        """A PNG of what the camera of this mat sees, with its windows drawn in; never one of a mat on which anything lies.
        None where there is none.  Only asked for while no hidden card of a game lies on the table."""
        ...

    def figures(self, place: int, /) -> CameraFigures | None:
        """How sharp that camera sees, and where its markers are; None where it sees nothing."""
        ...

    def lay(self, node: str, place: int | None, /) -> bool:
        """The mat `node` of `Equipment.nodes` lies at this place from now on, or at none; whether that could be kept."""
        ...

    def begin(self, choices: Choices, /) -> Receipt:
        """Keep the choices, and have the next game begun with them, whatever is being played.  The receipt is settled when it
        has begun; refused, everything is as it was."""
        ...
