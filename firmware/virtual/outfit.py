"""What the virtual table gives the setup wizard: pretended lamps and buttons, and mats that a camera would see empty."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection

import cv2
import numpy as np

from companion.choices import ASKED, HARD, Chair, Choices, Equipment, is_hard, people_of
from companion.games import GAMES, find_game
from companion.health import CameraFigures
from companion.inbox import Receipt
from companion.limits import Rig
from companion.played import Shelf
from firmware.panel import Panel
from firmware.preview import draw_windows
from firmware.profiles import profiles_folder
from firmware.virtual.play import Settings
from firmware.virtual.server import packaged_classifier
from firmware.virtual.show import NAMES, Showcase
from vision.deckprofile import profile_names
from vision.errors import ModelError, ProfileError, RegistrationError
from vision.frame import Image
from vision.inspection import BoardFacts, inspect
from vision.layout import mat_layout
from vision.synthetic.art import DeckArt
from vision.synthetic.condition import condition
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import Difficulty, empty_scene

FRAMES, PERIOD_S = 3, 0.1


class EmptyMats:
    """Mats of the virtual table on which nothing lies, each with a camera of its own.  Safe from any thread."""

    def __init__(self, art: Callable[[], DeckArt], difficulty: Difficulty, seed: int) -> None:
        self._art, self._difficulty, self._seed = art, difficulty, seed
        self._lock = threading.Lock()
        self._cameras: dict[int, BoardCamera] = {}
        self._facts: dict[int, BoardFacts | None] = {}
        self._number = 0

    def preview(self, place: int) -> bytes | None:
        """The next picture as a PNG, with the windows and their slots drawn in."""
        with self._lock:
            picture = self._shoot(place).copy()
            facts = self._measured(place)
        if facts is not None:
            draw_windows(picture, facts.registration)
        done, data = cv2.imencode(".png", picture)
        return data.tobytes() if done else None

    def figures(self, place: int) -> CameraFigures | None:
        """Sharpness and markers, measured once; None where the board is not found."""
        with self._lock:
            facts = self._measured(place)
        if facts is None:
            return None
        off = max((marker.error_mm for marker in facts.markers), default=0.0)
        return CameraFigures(
            f"mat{place}", None, blur_px=round(facts.edge_px, 1), marker_mm=round(off, 2), markers_missing=len(facts.missing)
        )

    def _shoot(self, place: int) -> Image:
        if place not in self._cameras:
            rng = np.random.default_rng([self._seed, place])
            state = condition(self._difficulty, rng)
            self._cameras[place] = BoardCamera(mat_layout(place), self._art(), int(rng.integers(2**31)), state)
        self._number += 1
        camera = self._cameras[place]
        return camera.render(empty_scene(camera.layout), self._number * PERIOD_S)

    def _measured(self, place: int) -> BoardFacts | None:
        if place not in self._facts:
            try:
                self._facts[place] = inspect([self._shoot(place) for _ in range(FRAMES)], mat_layout(place))
            except RegistrationError:
                self._facts[place] = None
        return self._facts[place]


class ShowOutfit:
    """The virtual table as the wizard meets it.  What is chosen holds as long as the program runs."""

    def __init__(
        self, showcase: Showcase, settings: Settings, language: str, shelf: Callable[[], Shelf], panel: Panel, places: int,
        mats: EmptyMats,
    ) -> None:  # fmt: skip
        """`settings` and `language` are those of the first game; `places` have a lamp and a button."""
        self._showcase, self._settings, self._language, self._shelf = showcase, settings, language, shelf
        self._panel, self._places, self._mats = panel, places, mats

    def equipment(self) -> Equipment:
        game = find_game(self._settings.game)
        return Equipment(
            ("mat", "tap", "bot"), self._places, True, tuple(profile_names(profiles_folder())), fewest=min(game.seats),
            most=max(game.seats), game=game.name, games=tuple(one.name for one in GAMES),
            rig=Rig(self._settings.period, self._settings.tray), overhead=self._settings.overhead,
        )  # fmt: skip

    def present(self) -> Choices:
        settings = self._settings
        if self._showcase.begun is not None:
            return self._showcase.begun
        chairs = tuple(Chair(name, source) for name, source in zip(NAMES, settings.all_sources, strict=False))
        options = find_game(settings.game).options(settings.options)
        known = (*ASKED[settings.game], *((HARD,) if is_hard(settings.game) else ()))
        asked = tuple((name, getattr(options, name)) for name in known)
        return Choices(self._language, "home", chairs, asked, settings.profile or "", game=settings.game)

    def fresh(self) -> bool:
        return False

    def roster(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*people_of(self._shelf()), *NAMES)))

    def light(self, burning: Collection[int], blinking: Collection[int], /) -> None:
        self._panel.light(burning, blinking)

    def presses(self, heard: int | None, /) -> tuple[int, tuple[int, ...]]:
        return self._panel.presses(heard)

    def press(self, place: int, /) -> None:
        self._panel.pretend(place)

    def preview(self, place: int, /) -> bytes | None:
        return self._mats.preview(place) if 0 <= place < self._places else None

    def figures(self, place: int, /) -> CameraFigures | None:
        return self._mats.figures(place) if 0 <= place < self._places else None

    def lay(self, node: str, place: int | None, /) -> bool:
        """The virtual table's mats hang on no network."""
        return False

    def begin(self, choices: Choices, /) -> Receipt:
        try:
            # Loaded now, so that a damaged deck is told here and no game ends for it.
            packaged_classifier(choices.deck or None)
        except (ProfileError, ModelError):
            receipt = Receipt()
            receipt.settle("deck_broken")
            return receipt
        return self._showcase.order(choices)
