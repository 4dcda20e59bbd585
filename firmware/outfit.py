"""What `viewmat run` gives the setup wizard: a table of taps, its lamps and buttons, and the settings file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from companion.choices import HARD, PRESETS, Chair, Choices, Equipment, NodeMat, people_of
from companion.games import GAMES, find_game
from companion.health import CameraFigures
from companion.inbox import Receipt
from companion.played import Shelf
from firmware.errors import SettingsError
from firmware.eyes import Eyes
from firmware.panel import Panel
from firmware.settings import SeatPart, Settings, checked_settings
from firmware.settingsfile import with_choices, with_node, write_settings

LOG = logging.getLogger(__name__)
BEGIN_S = 10.0
"""So long a game may take to begin; if it cannot within that, the settings file says again what it said before."""
PLAYER_NAMES = ("1", "2", "3")
"""Of the seats that stand on the page of a table which nobody has set up yet."""


def unset_settings() -> Settings:
    """The settings of a table that nobody has set up: nothing of it is recorded."""
    return Settings(seat=[SeatPart(name=name) for name in PLAYER_NAMES], record=False)


def choices_of(settings: Settings) -> Choices:
    """How the settings have the table, as the wizard shows it."""
    game = find_game(settings.game)
    usual = game.options(settings.options)
    asked = (*game.asked, HARD)
    chairs = tuple(Chair(seat.name, seat.source, None if seat.place is None else seat.place - 1) for seat in settings.seat)
    options = tuple((name, getattr(usual, name)) for name in asked if hasattr(usual, name))
    return Choices(settings.language, settings.access.preset, chairs, options, game=game.name)


class Laying(Protocol):
    """Where the mats with computers of their own lie."""

    def mats(self) -> tuple[NodeMat, ...]: ...

    def lay(self, node: str, place: int | None) -> None: ...


class TableOutfit:
    """A table with a settings file.  Safe from any thread."""

    def __init__(
        self, config: Path, settings: Callable[[], Settings], shelf: Callable[[], Shelf], panel: Panel, places: int,
        begin: Callable[[Settings], Receipt], fresh: Callable[[], bool],
        check: Callable[[Settings], None] = lambda settings: None, eyes: Eyes | None = None,
        nodes: Laying | None = None,
    ) -> None:  # fmt: skip
        """`settings` are those of the game that is played now, `places` have a lamp and a button.

        `begin` has a game begun with other settings; `fresh`: nobody has set the table up yet.  `check` raises
        `SettingsError` for settings that this rig cannot play with.  `eyes`: the table has cameras; `nodes`: it is on a bus.
        """
        self._eyes, self._nodes = eyes, nodes
        self._config, self._settings, self._shelf, self._panel = config, settings, shelf, panel
        self._begin, self._fresh, self._check = begin, fresh, check
        game = find_game(settings().game)
        sources = ("tap", "bot") if eyes is None else ("mat", "tap", "bot")
        self._kit = Equipment(
            sources, places, kept_in=config.name, fewest=min(game.seats), most=max(game.seats), game=game.name,
            games=tuple(one.name for one in GAMES), rig=None if eyes is None else eyes.rig(settings().tray),
        )

    def equipment(self) -> Equipment:
        return self._kit if self._nodes is None else replace(self._kit, nodes=self._nodes.mats())

    def lay(self, node: str, place: int | None, /) -> bool:
        if self._nodes is None:
            return False
        try:
            write_settings(self._config, with_node(self._config, node, place))
        except SettingsError as error:
            LOG.warning("where the mat %s lies cannot be kept: %s", node, error)
            return False
        self._nodes.lay(node, place)
        return True

    def present(self) -> Choices:
        if self._fresh():
            settings = self._settings()
            return Choices(settings.language, options=tuple(PRESETS["home"].items()))
        return choices_of(self._settings())

    def fresh(self) -> bool:
        return self._fresh()

    def roster(self) -> tuple[str, ...]:
        """Who has played before; whoever sits here now is known anyway."""
        seated = () if self._fresh() else tuple(seat.name for seat in self._settings().seat)
        return tuple(dict.fromkeys((*people_of(self._shelf()), *seated)))

    def light(self, burning: Collection[int], blinking: Collection[int], /) -> None:
        self._panel.light(burning, blinking)

    def presses(self, heard: int | None, /) -> tuple[int, tuple[int, ...]]:
        return self._panel.presses(heard)

    def press(self, place: int, /) -> None:
        """The buttons are real: there is none on the page."""

    def preview(self, place: int, /) -> bytes | None:
        return None if self._eyes is None else self._eyes.preview(place)

    def figures(self, place: int, /) -> CameraFigures | None:
        return None if self._eyes is None else self._eyes.figures(place)

    def begin(self, choices: Choices, /) -> Receipt:
        receipt = Receipt()
        try:
            text = with_choices(self._config, choices)
            self._check(checked_settings(text, self._config))
        except SettingsError as error:
            LOG.warning("the table is not set up anew: %s", error)
            receipt.settle("settings_changed")
            return receipt
        before = self._config.read_text(encoding="utf-8") if self._config.exists() else None
        try:
            settings = write_settings(self._config, text)
        except SettingsError as error:
            LOG.warning("the table is not set up anew: %s", error)
            receipt.settle("not_saved")
            return receipt
        begun = self._begin(settings)
        if begun.wait(BEGIN_S) and begun.refusal:
            self._put_back(before)
        return begun

    def _put_back(self, before: str | None) -> None:
        """The game could not begin: the file says again what the table is."""
        with suppress(OSError, SettingsError):
            if before is None:
                self._config.unlink()
            else:
                write_settings(self._config, before)
