"""``viewmat photo``: score photographs of hands on a telephone; no table, no mats, no game."""

from __future__ import annotations

import sys
from contextlib import closing

import click

from companion.web.photo_app import create_photo_app
from companion.web.qr import blocks
from firmware.photodesk import PhotoDesk
from firmware.photoreader import PhotoReader
from firmware.profiles import profile_option
from firmware.serving import addresses, served, until_stopped

HOST = "0.0.0.0"


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes a free one.")
@profile_option
def command(port: int, profile: str | None) -> None:
    """Open the page "Score a photo" for telephones in this network, and print its address with a code to scan."""
    with (
        until_stopped() as stop,
        closing(PhotoDesk(PhotoReader(profile))) as desk,
        served(create_photo_app(desk), HOST, port) as server,
    ):
        found = [f"{address}photo" for address in addresses(HOST, server.port)]
        if sys.stdout.isatty():
            click.echo(blocks(found[0]))
        for address in found:
            click.echo(f"Score a photo at {address}")
        click.echo("Stop with Ctrl-C.")
        sys.stdout.flush()
        stop.wait()
