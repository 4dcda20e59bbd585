"""A table on the bus: what its nodes see and press goes in, its cues and its public view go out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from time import monotonic
from typing import cast

from companion.choices import NodeMat, Value
from companion.cues import Cue
from companion.observation import Declaration
from companion.views import View
from firmware.board import LitBoard
from firmware.bus.hub import Hub, NodeState, camera_name
from firmware.bus.topics import PROTOCOL
from firmware.camera import CameraPlan
from firmware.camera_mqtt import NodeSource
from firmware.camera_rig import OpenSource, Turn, open_source
from firmware.espeak import Voice
from vision.calibrate import Registration
from vision.frame import FrameSource

DISPLACED = "another program has come as the hub of this table, and the nodes are his; end one of them, or give it another table"
Found = Callable[[], Mapping[str, Registration | None]]
"""Where the boards lie in the cameras' pictures, by the name of the camera."""


class Desk:
    """The board of a table whose places have nodes; what has pins of its own shows the same.  Used by the table's thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """`clock` is that of the hub and of the cameras' frames."""
        self._clock = clock
        self._hub: Hub | None = None
        self._sources: dict[str, NodeSource] = {}
        self._board: LitBoard | None = None
        self._press: Callable[[Declaration], object] = lambda press: None
        self._found: Found = dict

    def connect(self, hub: Hub, board: LitBoard, press: Callable[[Declaration], object], found: Found = dict) -> None:
        """`press` takes the buttons by the place they are at, `found` says where the boards lie."""
        self._hub, self._board, self._press, self._found = hub, board, press, found

    def open_source(self, plan: CameraPlan, turn: Turn) -> FrameSource:
        """The frames of a camera, whether it hangs on a node or here."""
        if plan.kind != "mqtt":
            return cast(OpenSource, open_source)(plan, turn)
        return self._sources.setdefault(plan.name, NodeSource(plan.name))

    def mats(self) -> tuple[NodeMat, ...]:
        """The nodes that were found, for the wizard."""
        if self._hub is None:
            return ()
        return tuple(NodeMat(node.name, node.place, node.here, node.speaks in (0, PROTOCOL)) for node in self._hub.nodes())

    def lay(self, node: str, place: int | None) -> None:
        """The mat of a node lies at this place from now on."""
        if self._hub is not None:
            self._hub.place(node, place)

    def house_rules(self, game: str) -> Mapping[str, Value]:
        """What the club wants of this game; nothing where there is none."""
        return {} if self._hub is None else self._hub.house_rules(game)

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Show `cues`, whose seats are places, and take in what the nodes sent."""
        said = tuple(cues)
        if self._board is not None:
            self._board.show(said, time)
        if self._hub is not None:
            self._serve(self._hub, said, time)

    def watch(self, on: bool) -> None:
        """Say whether a camera of this computer is on; a node says it of its own."""
        if self._board is not None:
            self._board.watch(on)

    def _serve(self, hub: Hub, said: tuple[Cue, ...], time: float) -> None:
        hub.light(said)
        for camera, registration in self._found().items():
            hub.locate(camera, registration)
        now = self._clock()
        frames, presses, _ = hub.work(now)
        for frame in frames:
            source = self._sources.get(frame.camera)
            if source is not None:
                source.give(frame)
        for press in presses:
            # The record of a game may have a clock of its own.
            self._press(replace(press, time=time - (now - press.time)))
        self._complain(hub)

    def announced(self, voice: Voice) -> Voice:
        """The voice, beside which everything is published where the table is on a bus."""
        return voice if self._hub is None else Announced(voice, self._hub)

    def _complain(self, hub: Hub) -> None:
        if hub.displaced:
            for mat in self._sources.values():
                mat.complain(DISPLACED)
            return
        for node in hub.nodes():
            source = None if node.place is None else self._sources.get(camera_name(node.place))
            if source is not None and not (node.here and node.accepted):
                source.complain(trouble_of(node))

    def light_mats(self, on: bool) -> None:
        """Switch the light of mats that hang on this machine's own pins; a node's burns as long as its program runs."""
        if self._board is not None:
            self._board.light_mats(on)

    def close(self) -> None:
        """Say good-bye, and close the board that it was given."""
        if self._hub is not None:
            self._hub.close()
        if self._board is not None:
            self._board.close()


def trouble_of(node: NodeState) -> str:
    """Why a node shows nothing."""
    if node.speaks and node.here and not node.accepted:
        return f"node {node.name} speaks protocol {node.speaks}, another one than this hub: install the same version on both"
    return f"node {node.name} is not there"


class Announced:
    """A voice beside which everything is published."""

    def __init__(self, voice: Voice, hub: Hub) -> None:
        self._voice, self._hub = voice, hub

    def show(self, view: View) -> None:
        """Publish the view, and say what is new in it."""
        self._hub.publish(view)
        self._voice.show(view)

    def close(self) -> None:
        """Fall silent; the hub leaves with its desk."""
        self._voice.close()
