"""The script's side of the virtual rig: renders what each camera sees and sends it to the table."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol, cast

import cv2
import numpy as np

from companion.cards import Seen
from companion.observation import Declaration
from companion.table import Place
from companion.views import View
from firmware.capture import Deed
from firmware.patience import Round
from firmware.rig import stations
from firmware.virtual.measure import LoggedAction
from firmware.virtual.play import Settings
from firmware.virtual.scenes import scene_of
from firmware.virtual.server import (
    BuildTable,
    Deeds,
    Lamps,
    Log,
    LogReply,
    Open,
    Readings,
    Refused,
    Reply,
    Request,
    Shot,
    Step,
    TableServer,
    serve,
)
from firmware.virtual.world import Board, World
from vision.frame import Image, Light
from vision.synthetic.art import DeckArt
from vision.synthetic.artfiles import load_art
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck, find_style
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import Difficulty, Scene, empty_scene

VARIANTS = 4
"""So many pictures of a still scene are rendered; then they repeat, each with noise of its own."""
REFRESH_S = 2.0
"""How often one of them is rendered anew, so that the light can drift."""
Tamper = Callable[[str, float, Image], Image | None]
"""What lies between a camera and the table: gets camera, time and frame; gives the frame that arrives, or None for none."""
Keep = Callable[[Board, int, float, Image, World], None]
"""Gets the first picture of every scene: board, number of the frame, time, frame, and what is true."""


class Link(Protocol):
    """The way to the table."""

    def ask(self, request: Request) -> Reply: ...

    def close(self) -> None: ...


class DirectLink:
    """A table in this process."""

    def __init__(self, server: TableServer) -> None:
        self._server = server

    def ask(self, request: Request) -> Reply:
        return self._server.handle(request)

    def close(self) -> None:
        pass


class ProcessLink:
    """A table in a process of its own."""

    def __init__(self, build: BuildTable | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        self._mine, theirs = context.Pipe()
        arguments = (theirs,) if build is None else (theirs, build)
        self._process = context.Process(target=serve, args=arguments, daemon=True, name="viewmat-table")
        self._process.start()
        theirs.close()

    def ask(self, request: Request) -> Reply:
        """The table's answer; raise ConnectionError when its process has ended."""
        try:
            self._mine.send(request)
            return cast(Reply, self._mine.recv())
        except (EOFError, OSError) as fault:
            self._process.join(1.0)
            raise ConnectionError(f"the table's process has ended with status {self._process.exitcode}") from fault

    def close(self) -> None:
        self._mine.close()
        self._process.join(5.0)
        if self._process.is_alive():
            self._process.kill()


@lru_cache(maxsize=2)
def open_deck(deck: str | None, art: str | None) -> DeckArt:
    """The deck to play with: a named one, card faces from a folder, or the first of ours.

    Raise `StyleError` or `DeckError` for a deck that there is not.
    """
    if art is not None:
        return load_art(Path(art))
    return draw_deck(STYLES[0] if deck is None else find_style(deck))


class _Eye:
    """One camera and what it delivered last."""

    def __init__(self, camera: BoardCamera, board: Board, round_: Round) -> None:
        self.camera = camera
        self.board = board
        self.round = round_
        self.version = -1
        self.variants: list[Image] = []
        self.restless = True
        self.number = 0
        self.fresh_at = 0.0
        self.dark: BoardCamera | None = None
        """What the camera sees without the lamp of its mat; None where that always burns."""
        self.scene: Scene = empty_scene(camera.layout)


class RenderedTable:
    """A table that sees the world through rendered frames only."""

    def __init__(
        self, link: Link, settings: Settings, world: World, rng: random.Random, *, tamper: Tamper | None = None,
        keep: Keep | None = None,
    ) -> None:
        self.frames = 0
        self.cpu_seconds = 0.0
        self._link, self._tamper, self._keep = link, tamper, keep
        self._jitter = random.Random(rng.random())
        self._eyes = _open_eyes(settings, world, rng)
        self._pulsed = settings.light == "pulsed"
        self._refused: tuple[str, ...] = ()
        link.ask(Open(settings, rng.randrange(2**31)))

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        deeds = dict(cast(Deeds, self._link.ask(Lamps(time)))) if self._pulsed else {}
        shots: list[Shot] = []
        for number, eye in enumerate(self._eyes):
            if eye.dark is None:
                shots += self._shoot(eye, number, time, world)
            elif eye.board.name in deeds:
                shots += self._switch(eye, eye.dark, deeds[eye.board.name], time, world)
        view = cast(View, self._link.ask(Step(time, tuple(shots), tuple(said))))
        self._refused = cast("tuple[str, ...]", self._link.ask(Refused())) if said else ()
        return view

    def refused(self) -> Sequence[str]:
        return self._refused

    def _switch(self, eye: _Eye, dark: BoardCamera, deed: Deed, time: float, world: World) -> Sequence[Shot]:
        """A picture without the lamp, or one with it and one without."""
        eye.number += 1
        if not eye.camera.delivers(eye.number):
            return ()
        self.frames += 1
        scene = scene_of(world, eye.board, eye.camera.layout, self._jitter)
        unlit = self._arrived(eye, time, dark.render(scene, time))
        if unlit is None or deed is Deed.WATCH:
            return () if unlit is None else (Shot(eye.board.name, eye.number, 0, unlit, Light.ROOM),)
        picture = eye.camera.render(scene, time)
        if self._keep is not None:
            self._keep(eye.board, eye.number, time, picture, world)
        lit = self._arrived(eye, time, picture)
        return () if lit is None else (Shot(eye.board.name, eye.number, 0, lit, Light.PULSED, unlit),)

    def _arrived(self, eye: _Eye, time: float, picture: Image) -> Image | None:
        return picture if self._tamper is None else self._tamper(eye.board.name, time, picture)

    def _shoot(self, eye: _Eye, index: int, time: float, world: World) -> Sequence[Shot]:
        if not eye.round.looks(time):
            return ()
        eye.number += 1
        if not eye.camera.delivers(eye.number):
            return ()
        self.frames += 1
        covered = any(world.is_covered(place) for place in eye.board.places)
        new_scene = False
        if eye.restless or covered or eye.version != world.versions[index]:
            eye.variants.clear()
            eye.version, eye.restless = world.versions[index], covered
            eye.scene = scene_of(world, eye.board, eye.camera.layout, self._jitter)
            new_scene = True
        elif len(eye.variants) == VARIANTS and time - eye.fresh_at >= REFRESH_S:
            # All of them anew: pictures of different times, one after the other, would flicker as no light does.
            eye.variants.clear()
        variant = eye.number % VARIANTS if len(eye.variants) == VARIANTS else len(eye.variants)
        if variant < len(eye.variants) and self._tamper is None:
            return (Shot(eye.board.name, eye.number, variant, None),)
        if variant == len(eye.variants):
            picture = eye.camera.render(eye.scene, time)
            if not eye.variants:
                eye.fresh_at = time
            if self._keep is not None and new_scene:
                self._keep(eye.board, eye.number, time, picture, world)
            eye.variants.append(picture)
        picture = eye.variants[variant]
        arrived = self._arrived(eye, time, picture)
        return () if arrived is None else (Shot(eye.board.name, eye.number, variant, arrived),)

    def readings(self) -> Sequence[tuple[Place, Seen]]:
        return cast("tuple[tuple[Place, Seen], ...]", self._link.ask(Readings()))

    def log(self) -> Sequence[LoggedAction]:
        reply = cast(LogReply, self._link.ask(Log()))
        self.cpu_seconds = reply.cpu_seconds
        return reply.entries

    def close(self) -> None:
        """The link stays open for the next game; the cameras, which hold large pictures, go."""
        self._eyes.clear()


def _open_eyes(settings: Settings, world: World, rng: random.Random) -> list[_Eye]:
    art = open_deck(settings.deck, settings.art)
    plan = stations(settings.all_sources, settings.row_sight, settings.places, settings.overhead)
    eyes = []
    for index, (station, board) in enumerate(zip(plan, world.boards, strict=True)):
        seed = rng.randrange(2**31)
        state = condition(cast(Difficulty, settings.difficulty), np.random.default_rng(seed))
        # A camera goes by the mat that it belongs to, whoever sits there.
        seen = replace(board, name=station.camera)
        turn = Round(settings.period, index * settings.period / len(plan))
        eye = _Eye(BoardCamera(station.layout, art, seed, state), seen, turn)
        if settings.light == "pulsed" and station.layout.mirrored:
            eye.dark = BoardCamera(station.layout, art, seed, state, lamp=False)
        eyes.append(eye)
    return eyes


def direct_link(build: BuildTable) -> DirectLink:
    """A table of one's own making, in this process."""
    return DirectLink(TableServer(build))


def save_png(path: Path, image: Image) -> None:
    """Write a frame; raise OSError where that is impossible."""
    if not cv2.imwrite(str(path), image):
        raise OSError(f"the frame could not be written to {path}")
