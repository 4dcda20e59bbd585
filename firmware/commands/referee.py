"""``viewmat referee``: who decides at a club's table.  Run at the table's machine, which is the right to do it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.keyring import Keyring, KeyringError
from companion.keys import LINK_SECONDS
from companion.views import Role
from companion.web.hosts import own_address
from companion.web.joining import link_to
from companion.web.qr import blocks
from firmware.access import keys_file
from firmware.settings import Settings, load_settings

config_option = click.option(
    "--config", type=click.Path(path_type=Path), default="table.toml", show_default=True, help="The settings file."
)


@click.group()
def command() -> None:
    """Name the referee of a club's table: by a link for his own phone, or by a PIN."""


@command.command()
@config_option
def pair(config: Path) -> None:
    """Show a link that makes one phone the referee's."""
    _say_where_nobody_decides(config)
    _show_link(config, Keyring(keys_file()))


@command.command()
@config_option
def pin(config: Path) -> None:
    """Make or change the PIN.  It is asked for: an argument would stand in the list of processes."""
    _say_where_nobody_decides(config)
    keyring = Keyring(keys_file())
    keyring.set_pin(_typed() if sys.stdin.isatty() else _piped())
    click.echo("The PIN is set.")


@command.command()
@config_option
def reset(config: Path) -> None:
    """Forget the PIN, the referee's phones and the table's screens, and show a new link."""
    try:
        keyring = Keyring(keys_file())
        keyring.reset()
    except KeyringError:
        # Nothing in a damaged file is worth keeping: whoever sits at a seat asks for a new link.
        keys_file().unlink(missing_ok=True)
        keyring = Keyring(keys_file())
    click.echo("PIN, referee's phones and table screens are forgotten.")
    _show_link(config, keyring)


def _typed() -> str:
    told: str = click.prompt("New PIN (6 to 12 digits)", hide_input=True, confirmation_prompt="Once more")
    return told


def _piped() -> str:
    """Without a terminal nothing can be typed unseen: two lines of the standard input have to hold the PIN."""
    one, again = (sys.stdin.readline().rstrip("\r\n") for _ in range(2))
    if not one or one != again:
        raise click.ClickException("no PIN: expected it at a terminal, or twice, a line each, on the standard input")
    return one


def _say_where_nobody_decides(config: Path) -> None:
    """At a home table nobody needs the referee's role: that is said, and the command goes on."""
    if config.exists() and load_settings(config).access.preset == "home":
        click.echo(
            "This has no effect at a home table, where everybody agrees by tap: "
            f'it needs preset = "club" under [access] in {config}.',
            err=True,
        )


def _show_link(config: Path, keyring: Keyring) -> None:
    port = (load_settings(config) if config.exists() else _plain()).page.port
    link = link_to(f"{own_address() or 'localhost'}:{port}", keyring.invite(Role.REFEREE))
    click.echo(blocks(link))
    click.echo(f"The referee opens this link, once and within {LINK_SECONDS / 60:.0f} minutes:\n{link}")


def _plain() -> Settings:
    return Settings.model_validate({"seat": [{"name": "-"}]})
