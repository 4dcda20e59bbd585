"""``viewmat club``: all tables of a club on one page."""

from __future__ import annotations

import secrets
import sys
import tomllib
from contextlib import closing
from pathlib import Path
from time import time

import click
from pydantic import ValidationError

from companion.web.club import create_club_app
from firmware.bus.club import ClubDesk, club_link
from firmware.errors import SettingsError
from firmware.serving import addresses, served, until_stopped
from firmware.settings_bus import BrokerPart


@click.command()
@click.option("--config", type=click.Path(path_type=Path), default="club.toml", show_default=True,
              help="The file with [broker] that `viewmat broker` wrote.")  # fmt: skip
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False), default="evening.json", show_default=True,
              help="Keeps players and results.")  # fmt: skip
@click.option("--host", default="0.0.0.0", show_default=True, help="Where the page listens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True, help="0 takes a free one.")
def command(config: Path, file: Path, host: str, port: int) -> None:
    """Show every table on the broker: who is up, what somebody has to decide, the round and the results.

    The address that it prints holds a key; whoever opens it is a referee of the club.
    """
    key = secrets.token_urlsafe(12)
    with (
        until_stopped() as stop,
        closing(ClubDesk(club_link(load_broker(config).broker()), file, time)) as desk,
        served(create_club_app(desk, key, time), host, port) as server,
    ):
        for address in addresses(host, server.port):
            click.echo(f"The club is at {address}?key={key}")
        click.echo("Stop with Ctrl-C.")
        sys.stdout.flush()
        stop.wait()


def load_broker(path: Path) -> BrokerPart:
    """The ``[broker]`` of a file; raise `SettingsError` for one that cannot be read or has none."""
    try:
        return BrokerPart.model_validate(tomllib.loads(path.read_text(encoding="utf-8")).get("broker"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise SettingsError(f"{path}: a [broker] with host, port, user and password is expected") from error
