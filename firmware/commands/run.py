"""``viewmat run``: a real table, as ``table.toml`` describes it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import click

from companion.games import find_game
from companion.picturefile import delete_old
from companion.sitting import RowSight, Sitting
from companion.web.app import create_app
from companion.web.gate import Preset
from firmware.access import lacks_referee, open_access
from firmware.board import Board, NoBoard, open_board
from firmware.datafolder import games_folder
from firmware.errors import RigError, SettingsError
from firmware.gpio import pi_factories
from firmware.keeping import open_record, recorded_evidence, table_header
from firmware.pins import find_pins
from firmware.serving import addresses, keep_table, served, until_stopped
from firmware.settings import Settings, load_settings
from firmware.table import Cameras

RIGS = ("taps",)
"""Rigs that `run` can open.  Cameras are not there yet; ``taps`` is a table without any."""


@click.command()
@click.option("--config", type=click.Path(path_type=Path), default="table.toml", show_default=True, help="The settings file.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the dashboard, instead of the file's; 0 takes a free one.")
@click.option("--fresh", is_flag=True, help="Begin a new game, though the last one was not finished.")
def command(config: Path, port: int | None, fresh: bool) -> None:
    """Play at a real table, as the settings file describes it.

    A game that was not finished when the program ended goes on.
    """
    settings = load_settings(config)
    check_rig(settings, config)
    game = find_game(settings.game)
    delete_old(games_folder(), settings.evidence_days, datetime.now(UTC))
    header = table_header(game, settings.seats(), settings.options, settings.tray)
    kept = open_record(header, fresh) if settings.record else None
    sitting = Sitting(
        game, settings.seats(), settings.options, RowSight(settings.tray), settings.timings(), settings.steady(),
        clock=monotonic if kept is None else kept.clock, phone_peek=settings.access.phone_peek,
        decides="referee" if settings.access.preset == "club" else "table", chronicle=None if kept is None else kept.chronicle,
        evidence=None if kept is None else recorded_evidence(kept.chronicle)(Cameras({})),
    )  # fmt: skip
    access = open_access(settings)
    with until_stopped() as stop, closing(open_lamps(settings, sitting)) as board:
        # Without buttons at the seats the page has them, whatever the file wished for.
        app = create_app(sitting, buttons=isinstance(board, NoBoard), access=access)
        if access.preset is Preset.CLUB and lacks_referee(access):
            click.echo("No referee has been named: `viewmat referee pair` or `viewmat referee pin` does it.")
        with served(app, settings.page.host, settings.page.port if port is None else port) as server:
            if kept is not None:
                click.echo(f"Game {kept.game} {'goes on; --fresh begins a new one.' if kept.resumed else 'begins.'}")
            _keep(sitting, board, stop, addresses(settings.page.host, server.port))
    if kept is not None:
        kept.chronicle.close()


def _keep(sitting: Sitting, board: Board, stop: threading.Event, at: Iterable[str]) -> None:
    for address in at:
        click.echo(f"The table is at {address}")
    click.echo("Stop with Ctrl-C; start again for the next game.")
    sys.stdout.flush()
    keep_table(sitting, board, stop)


def check_rig(settings: Settings, config: Path) -> None:
    """Raise `RigError` for a rig that is not there, `SettingsError` for seats and a tray that the rig cannot see."""
    if settings.rig not in RIGS:
        raise RigError(
            f"{config}: rig = {settings.rig!r}: there is no such rig; allowed: {', '.join(RIGS)}"
            " (cameras are not there yet; the virtual table is `viewmat demo`)"
        )
    if settings.tray != "none":
        raise SettingsError(f"{config}: tray = {settings.tray!r}: rig {settings.rig} has no cameras; allowed: none")
    for number, seat in enumerate(settings.seat, 1):
        if seat.source == "mat":
            raise SettingsError(f"{config}: seat {number}.source = 'mat': rig {settings.rig} has no cameras; allowed: tap, bot")


def open_lamps(settings: Settings, sitting: Sitting) -> Board:
    """The board that the settings name, or none."""
    if settings.gpio.pins == "none":
        return NoBoard()
    return open_board(find_pins(settings.gpio.pins), pi_factories(settings.gpio.chip), sitting.post, sitting.now)
