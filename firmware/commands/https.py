"""``viewmat https``: a certificate authority for this table, and the guide by which devices come to trust it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from companion.web.install import create_guide_app
from companion.web.qr import blocks
from firmware.authority import RANGES, Authority, last_day, make_authority
from firmware.errors import RigError
from firmware.network import host_name
from firmware.securepage import authority_folder, page_certificate, this_authority
from firmware.serving import addresses, served, until_stopped

HOST = "0.0.0.0"


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port of the guide: the table's.")
@click.option("--name", "names", multiple=True, metavar="NAME", help="A further name of this machine, such as pi.fritz.box.")
@click.option("--guide/--no-guide", default=True, help="Serve the guide for devices until Ctrl-C.")
def command(port: int, names: tuple[str, ...], guide: bool) -> None:
    """Make the secure page possible: the app on a phone or tablet, with a screen that stays on.

    Makes an authority for this table, once, and shows the guide by which devices come to trust it. From then on `viewmat run` and
    `viewmat demo` serve the page encrypted as well.
    """
    before, now = this_authority(), datetime.now(UTC)
    authority = make_authority(authority_folder(), host_name(), now, names)
    page_certificate(authority, names)
    if before is None:
        click.echo(f"Made the table's authority in {authority.folder}. The key never leaves this machine; keep it to yourself.")
        click.echo(f"It vouches for local names and for {', '.join(RANGES[:3])} and their like, and for nothing on the internet.")
    else:
        click.echo(f"The table's authority lies in {authority.folder}, and stays as it is.")
        for name in names:
            if not authority.may_vouch_for(name.lower()):
                click.echo(f"It cannot vouch for {name}: names are given when it is made. Move the folder away to make another.")
    click.echo(f"It is good until {last_day(authority.certificate):%Y-%m-%d}.")
    click.echo("Its fingerprint (SHA-256), to compare with what devices show:")
    pairs = authority.fingerprint.split(":")
    for start in (0, 16):
        click.echo("  " + " ".join(pairs[start : start + 16]))
    if guide:
        _show_guide(authority, port)


def _show_guide(authority: Authority, port: int) -> None:
    with until_stopped() as stop:
        try:
            with served(create_guide_app(authority), HOST, port) as server:
                _tell(server.port)
                click.echo("Stop with Ctrl-C; then start the table.")
                sys.stdout.flush()
                stop.wait()
        except RigError:
            # Most likely by the table itself.
            _tell(port)
            click.echo(f"Something serves port {port} already: if that is the table, start it again, and it shows the guide.")


def _tell(port: int) -> None:
    found = [f"{address}install" for address in addresses(HOST, port)]
    if sys.stdout.isatty():
        click.echo(blocks(found[0]))
    click.echo(f"On each device, open {found[0]}")
