"""``viewmat node``: the program on a mat's own computer."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click

from firmware.alive import Alive
from firmware.board import Board, open_board
from firmware.bus.topics import Topics
from firmware.camera import open_camera
from firmware.camera_feed import FeedCamera
from firmware.errors import BusError, CameraError
from firmware.gpio import pi_factories
from firmware.node import Eye, Node, lamps_of, presser
from firmware.pins import NODE
from firmware.settings_node import NodeSettings, load_node

BEAT = 1 / 20
SILENT_S = 20.0
"""A camera that hangs for so long takes the program down, and whatever started it starts it anew."""

LEAVE_S = 2.0
"""So long the camera may take to finish its picture when the program ends; one that hangs goes down with it."""


@click.command()
@click.option("--config", type=click.Path(path_type=Path), default="node.toml", show_default=True, help="The settings file.")
def command(config: Path) -> None:
    """Show a mat's windows to the hub, and light its lamps as the hub says.

    It decides nothing: whatever it sent is gone when it ends, and the hub asks for it again.
    """
    settings = load_node(config)
    with _until_stopped() as stop:
        run_node(settings, stop)


@contextmanager
def _until_stopped() -> Iterator[threading.Event]:
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_node(settings: NodeSettings, stop: threading.Event) -> None:
    """Be a node until `stop` is set; raise `CameraError` where the camera hangs."""
    plan = settings.camera.plan()
    # Pictures that are handed over come with their own time.
    feed = open_camera(plan) if plan.kind == "feed" else None
    clock = feed.clock if isinstance(feed, FeedCamera) else monotonic
    node = Node(settings.name, Topics(settings.table), settings.broker.broker(), clock)
    if isinstance(feed, FeedCamera):
        feed.pressed = node.press
    board = _board(settings, node)
    eye = Eye(plan, open_camera, feed, board.watch)
    alive = Alive()
    looked = [monotonic()]

    def see(frame: object) -> None:
        looked[0] = monotonic()
        node.look(frame)  # type: ignore[arg-type]  # the eye hands over frames

    watching = threading.Thread(target=eye.watch, args=(see, stop), name="camera", daemon=True)
    try:
        node.greet(lamps_of(board))
        watching.start()
        alive.ready()
        while not stop.wait(BEAT):
            if node.displaced:
                # The hub takes what it says for what is left of an earlier life of the other; a fresh start is another life.
                raise BusError(f"another program has come as node {settings.name}; this one ends, to be started anew")
            node.light(board)
            alive.beat()
            silent = feed is None and monotonic() - looked[0] > SILENT_S
            if not watching.is_alive():
                raise CameraError(f"{plan.name}: its driver has failed; this program ends, to be started anew")
            if silent:
                raise CameraError(f"{plan.name}: no picture for {SILENT_S:g} s; this program ends, to be started anew")
        alive.stopping()
    finally:
        stop.set()
        node.close()
        if watching.ident is not None:
            watching.join(LEAVE_S)
        if not watching.is_alive():
            eye.close()
        board.close()
        alive.close()


def _board(settings: NodeSettings, node: Node) -> Board:
    factories = None if settings.pins == "none" else pi_factories()
    return open_board(NODE, factories, presser(node), monotonic)
