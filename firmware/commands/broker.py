"""``viewmat broker``: the settings of Mosquitto for tables and their nodes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from companion.web.hosts import own_address
from firmware.bus.broker import checked_address, read_tables, with_table, write_broker
from firmware.bus.encryption import encrypted, make_encryption

PLAIN_PORT, ENCRYPTED_PORT = 1883, 8883


@click.command()
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default="broker", show_default=True,
              help="Where the files are written.")  # fmt: skip
@click.option("--table", default="table", show_default=True, help="Name of the table that the nodes belong to.")
@click.option("--node", "nodes", multiple=True, metavar="NAME", help="A mat with a computer of its own; once for each.")
@click.option("--encrypted", "wanted", is_flag=True, help="Encrypt all connections; remembered for the folder.")
@click.option("--port", type=click.IntRange(1, 65535), help="1883 without it, or 8883 of an encrypted broker.")
@click.option("--listen", default="", help="Address that the broker listens at; all without it.")
@click.option("--address", help="How nodes reach the broker; without it this machine's own address.")
def command(
    folder: Path, table: str, nodes: tuple[str, ...], wanted: bool, port: int | None, listen: str, address: str | None
) -> None:  # fmt: skip
    """Write mosquitto.conf, its users and their rights, and one file for each hub and node.

    Run it again to add nodes or tables: everybody keeps his password.  Then start `mosquitto -c FOLDER/mosquitto.conf`,
    put each node's file on its computer as node.toml, and what is in the hub's file into table.toml.
    """
    tables, place = with_table(read_tables(folder), table, nodes), folder.absolute()
    reached = checked_address(address or own_address() or "localhost")
    encryption = make_encryption(place, reached, datetime.now(UTC)) if wanted or encrypted(place) else None
    port = port or (ENCRYPTED_PORT if encryption else PLAIN_PORT)
    written = write_broker(place, tables, port, listen, reached, encryption)
    for path in written.files:
        click.echo(path)
    click.echo(f"New: {', '.join(written.new) or 'nobody'}.  Keep these files to yourself: they hold passwords.")
