"""``viewmat run``: a real table, as ``table.toml`` describes it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import click

from companion.errors import JournalError, SealError
from companion.games import find_game
from companion.picturefile import delete_old
from companion.sitting import RowSight, Sitting
from companion.web.app import create_app
from companion.web.catalogues import translator
from companion.web.gate import Preset
from companion.web.history import history_pages
from companion.web.install import install_pages
from companion.web.photo import PhotoPage
from firmware.access import lacks_referee, open_access
from firmware.archive import Archive
from firmware.board import Board, NoBoard, open_board
from firmware.datafolder import data_folder, games_folder
from firmware.errors import SettingsError
from firmware.espeak import Espeak, Silence, Voice
from firmware.evening import Evening
from firmware.exchange import Exchange
from firmware.gpio import pi_factories
from firmware.healthpage import open_health
from firmware.keeping import Kept, evidence_of, going_on_with, open_record, table_header
from firmware.logtail import LogTail
from firmware.machine import switch_off
from firmware.photodesk import PhotoDesk
from firmware.photoreader import PhotoReader
from firmware.pins import find_pins
from firmware.securepage import all_addresses, served_both, this_authority
from firmware.serving import keep_table, until_stopped
from firmware.settings import Settings, load_settings
from firmware.table import Cameras

LOG = logging.getLogger(__name__)
RIGS = ("taps",)
"""Rigs that `run` can open.  Cameras are not there yet; ``taps`` is a table without any."""


@click.command()
@click.option("--config", type=click.Path(path_type=Path), default="table.toml", show_default=True, help="The settings file.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the dashboard, instead of the file's; 0 takes a free one.")
@click.option("--fresh", is_flag=True, help="Begin a new game, whatever was played before.")
def command(config: Path, port: int | None, fresh: bool) -> None:
    """Play at a real table, as the settings file describes it.

    The game that was played when the program ended goes on.  One that is over stays until somebody begins the next.
    """
    settings = load_settings(config)
    check_rig(settings, config)
    delete_old(games_folder(), settings.evidence_days, datetime.now(UTC))
    games = Games(settings, fresh)
    begun, tail = False, LogTail()
    try:
        access = open_access(settings)
        with (
            until_stopped() as stop,
            tail.listening(),
            closing(open_lamps(settings, games.evening)) as board,
            closing(PhotoDesk(PhotoReader())) as desk,
            closing(open_voice(settings)) as voice,
        ):
            # Without buttons at the seats the page has them, whatever the file wished for.
            evening = games.evening
            photos = PhotoPage(desk, evening, str(settings.options.get("tie_break", "suit_significant"))).routes()
            off = switch_off if settings.page.shutdown else None
            health = open_health(evening, tail, settings.model_dump(), recorded=settings.record, switch_off=off)
            authority = this_authority() if settings.page.https_port else None
            pages = [
                health, photos, history_pages(Archive(data_folder()), Exchange(data_folder(), config)), install_pages(authority),
            ]  # fmt: skip
            app = create_app(
                evening, pages, buttons=isinstance(board, NoBoard), access=access, next_game=evening.ask_next,
                noted=evening.noted, language=settings.language,
            )  # fmt: skip
            if access.preset is Preset.CLUB and lacks_referee(access):
                click.echo("No referee has been named: `viewmat referee pair` or `viewmat referee pin` does it.")
            with served_both(
                app, settings.page.host, settings.page.port if port is None else port, authority,
                None if port == 0 else settings.page.https_port, settings.page.names,
            ) as ports:  # fmt: skip
                begun = True
                _welcome(games.kept, all_addresses(settings.page.host, ports))
                games.play(board, stop, voice)
    finally:
        games.close(begun)


class Games:
    """The games of this table, each with its record."""

    def __init__(self, settings: Settings, fresh: bool) -> None:
        """Open the first one; raise an error of our trees where its record cannot be had."""
        self._settings = settings
        self._game = find_game(settings.game)
        header = table_header(self._game, settings.seats(), settings.options, settings.tray)
        self.kept = open_record(header, fresh, _told(settings)) if settings.record else None
        self._header: Mapping[str, Any] = header if self.kept is None else self.kept.header
        try:
            self.evening = Evening(self._open())
        except BaseException:
            self.close(begun=False)
            raise

    def _open(self) -> Sitting:
        """The sitting of a record; one that goes on may have been written by anybody."""
        if self.kept is None or not self.kept.resumed:
            return self._sitting()
        with going_on_with(self.kept.path):
            return self._sitting()

    def _sitting(self) -> Sitting:
        settings, kept = self._settings, self.kept
        return Sitting(
            self._game, settings.seats(), self._header["options"], RowSight(settings.tray), settings.timings(),
            settings.steady(), clock=monotonic if kept is None else kept.clock, phone_peek=settings.access.phone_peek,
            decides="referee" if settings.access.preset == "club" else "table",
            chronicle=None if kept is None else kept.chronicle,
            evidence=None if kept is None else evidence_of(kept)(Cameras({})),
        )  # fmt: skip

    def play(self, board: Board, stop: Event, voice: Voice) -> None:
        """Keep the table until `stop` is set, game after game."""
        while not stop.is_set():
            keep_table(self.evening.sitting, board, stop, lambda: self.evening.next_asked, voice)
            if self.evening.next_asked:
                self._begin_next()

    def _begin_next(self) -> None:
        over = self.evening.sitting
        # What was tapped before belongs to the game that is over, and may have opened it again.
        over.work()
        view = over.view()
        if view.phase != "over" or view.stopped or view.proposal is not None:
            self.evening.answer_next("first_go_on" if view.stopped else "not_over" if view.phase != "over" else "proposal_first")
            return
        state = over.agreement.state
        header = {**self._header, "options": asdict(self._game.next_options(state))}
        before = self.kept, self._header
        try:
            fresh = open_record(header, True, _told(self._settings)) if self.kept is not None else None
            self.kept, self._header = fresh, header
            self.evening.begin(self._open_new())
        except (JournalError, SealError) as error:
            # The game that is over stays where it is.
            self.kept, self._header = before
            LOG.warning("the next game cannot begin: %s", error)
            self.evening.answer_next("no_next")
            return
        over.work()
        if before[0] is not None:
            before[0].chronicle.close()
        self.evening.answer_next()

    def _open_new(self) -> Sitting:
        """The sitting of a record that was just begun; without it the record goes again."""
        try:
            return self._open()
        except BaseException:
            if self.kept is not None:
                self.kept.forget()
            raise

    def close(self, begun: bool) -> None:
        """End the record; one of a game that could not even begin leaves nothing behind."""
        if self.kept is None:
            return
        if begun:
            self.kept.chronicle.close()
        else:
            self.kept.forget()


def _told(settings: Settings) -> dict[str, Any]:
    """What else the table was told that bears on rulings."""
    return {
        "timing": asdict(settings.timings()), "steadiness": asdict(settings.steady()), "access": settings.access.model_dump(),
        "rig": settings.rig, "pins": settings.gpio.pins,
    }  # fmt: skip


def _welcome(kept: Kept | None, at: Iterable[str]) -> None:
    if kept is not None:
        click.echo(f"Game {kept.game} {'goes on; --fresh begins a new one.' if kept.resumed else 'begins.'}")
        if kept.left:
            click.echo(f"Game {kept.before} was begun last and stays in the records as it is; this is another game.")
    for address in at:
        click.echo(f"The table is at {address}")
    click.echo("Stop with Ctrl-C. When a game is over, the page begins the next one.")
    sys.stdout.flush()


def check_rig(settings: Settings, config: Path) -> None:
    """Raise `SettingsError` for a rig that is not there, and for seats and a tray that the rig cannot see."""
    if settings.rig not in RIGS:
        raise SettingsError(
            f"{config}: rig = {settings.rig!r}: there is no such rig; allowed: {', '.join(RIGS)}"
            " (cameras are not there yet; the virtual table is `viewmat demo`)"
        )
    if settings.tray != "none":
        raise SettingsError(f"{config}: tray = {settings.tray!r}: rig {settings.rig} has no cameras; allowed: none")
    for number, seat in enumerate(settings.seat, 1):
        if seat.source == "mat":
            raise SettingsError(f"{config}: seat {number}.source = 'mat': rig {settings.rig} has no cameras; allowed: tap, bot")


def open_lamps(settings: Settings, evening: Evening) -> Board:
    """The board that the settings name, or none."""
    if settings.gpio.pins == "none":
        return NoBoard()
    return open_board(find_pins(settings.gpio.pins), pi_factories(settings.gpio.chip), evening.post, evening.now)


def open_voice(settings: Settings) -> Voice:
    """The speaker that the settings name, or none; raise `RigError` where it cannot speak."""
    wanted = settings.voice
    if wanted.speaker == "none":
        return Silence()
    return Espeak(settings.language, wanted.volume, wanted.says, translator(settings.language))
