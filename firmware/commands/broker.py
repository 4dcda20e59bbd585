"""``viewmat broker``: the settings of Mosquitto for tables and their nodes."""

from __future__ import annotations

from pathlib import Path

import click

from companion.web.hosts import own_address
from firmware.bus.broker import read_tables, with_table, write_broker


@click.command()
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default="broker", show_default=True,
              help="Where the files are written.")  # fmt: skip
@click.option("--table", default="table", show_default=True, help="Name of the table that the nodes belong to.")
@click.option("--node", "nodes", multiple=True, metavar="NAME", help="A mat with a computer of its own; once for each.")
@click.option("--port", type=click.IntRange(1, 65535), default=1883, show_default=True)
@click.option("--listen", default="", help="Address that the broker listens at; all without it.")
@click.option("--address", help="How nodes reach the broker; without it this machine's own address.")
def command(folder: Path, table: str, nodes: tuple[str, ...], port: int, listen: str, address: str | None) -> None:
    """Write mosquitto.conf, its users and their rights, and one file for each hub and node.

    Run it again to add nodes or tables: everybody keeps his password.  Then start `mosquitto -c FOLDER/mosquitto.conf`,
    put each node's file on its computer as node.toml, and what is in the hub's file into table.toml.
    """
    tables = with_table(read_tables(folder), table, nodes)
    written = write_broker(folder.absolute(), tables, port, listen, address or own_address() or "localhost")
    for path in written.files:
        click.echo(path)
    click.echo(f"New: {', '.join(written.new) or 'nobody'}.  Keep these files to yourself: they hold passwords.")
