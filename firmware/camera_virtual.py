"""A camera that draws what it sees: a board with the cards that a small file names, and the faults that it is told to have.

The file is JSON and is looked at anew for every picture::

    {"cards": ["As", null, "back", "Td", null], "fault": "hang"}

`cards` are those at the windows in their order, faces towards the camera; ``back`` is a card that turns its back to it, null
nothing.  What is missing in the file is left empty.
"""

from __future__ import annotations

import json
import time as clocks
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from companion.cards import Card
from firmware.camera import CameraPlan, Shot
from firmware.errors import CameraError, CameraGoneError, CameraRefusedError, CameraStalledError
from vision.frame import Image
from vision.layout import Layout, mat_layout, tray_layout
from vision.optics import STANDARD
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import LyingCard, Scene

FAULTS = ("stall", "hang", "gone", "frozen", "dark", "crash")
BACK = LyingCard(Card.parse("As"), "up")


class VirtualCamera:
    """Draws one board."""

    def __init__(self, plan: CameraPlan) -> None:
        self._plan = plan
        self._closed = False
        self._layout = layout_of(plan.name, plan.window)
        self._camera = BoardCamera(self._layout, draw_deck(STYLES[0]), 1, condition("normal", np.random.default_rng(1)))
        self._last: Image | None = None

    def grab(self, timeout: float) -> Shot:
        """The board as the file has it now; the faults that the file asks for are true ones."""
        if self._closed:
            raise CameraError(f"{self._plan.name}: it is closed")
        told = _told(self._plan)
        fault = told.get("fault")
        if fault is not None and fault not in FAULTS:
            raise CameraRefusedError(f"{self._plan.name}: fault = {fault!r}: expected one of {', '.join(FAULTS)}")
        if fault == "gone":
            raise CameraGoneError(f"{self._plan.name}: its cable was pulled")
        if fault == "stall":
            raise CameraStalledError(f"{self._plan.name}: it gave no picture within {timeout:g} s")
        if fault == "crash":
            raise ArithmeticError("a driver may raise anything")
        while fault == "hang":
            clocks.sleep(3600.0)
        now = monotonic()
        if fault != "frozen" or self._last is None:
            # As its sensor sees it: before the mirror's flip is undone.
            self._last = self._camera.render(_scene(told, self._layout, self._plan.name), now, raw=True)
        image = (self._last // 40).astype(np.uint8) if fault == "dark" else self._last
        return Shot(image.copy(), now)

    def close(self) -> None:
        """Nothing more is drawn."""
        self._closed = True


def layout_of(name: str, window: str = STANDARD) -> Layout:
    """The board that the camera called `name` looks at, with windows of this size.

    Raise `CameraRefusedError` for a name that is no board's.
    """
    if name == "tray":
        return tray_layout()
    if name.removeprefix("mat").isdigit() and int(name.removeprefix("mat")) <= 5:
        return mat_layout(int(name.removeprefix("mat")), window)
    raise CameraRefusedError(f"{name!r} is no board: expected mat0 to mat5, or tray")


def _told(plan: CameraPlan) -> dict[str, Any]:
    path = Path(plan.at)
    if not plan.at or not path.exists():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CameraError(f"{plan.name}: {path} cannot be read: {error}") from error
    if not isinstance(told, dict):
        raise CameraRefusedError(f"{plan.name}: {path} holds no object with cards and a fault")
    return told


def _scene(told: dict[str, Any], layout: Layout, name: str) -> Scene:
    cards = told.get("cards", [])
    if not isinstance(cards, list) or len(cards) > len(layout.windows):
        raise CameraRefusedError(f"{name}: cards = {cards!r}: expected a list of at most {len(layout.windows)}")
    stacks = [_stack(card, layout, name) for card in cards]
    return Scene((*stacks, *((),) * (len(layout.windows) - len(stacks))))


def _stack(card: Any, layout: Layout, name: str) -> tuple[LyingCard, ...]:
    if card is None:
        return ()
    # A face that a mat's camera sees lies down, one that the tray's sees lies up.
    seen, hidden = ("down", "up") if layout.mirrored else ("up", "down")
    if card == "back":
        return (LyingCard(BACK.face, hidden),)  # type: ignore[arg-type]
    try:
        return (LyingCard(Card.parse(str(card)), seen),)  # type: ignore[arg-type]
    except ValueError as error:
        raise CameraRefusedError(f"{name}: cards has {card!r}: {error}") from error


def open_camera(plan: CameraPlan) -> VirtualCamera:
    """A camera of the board that the plan's name says; ``plan.at`` is the file, and may be missing."""
    return VirtualCamera(plan)
