"""The command line: finds the commands, shows the errors of our trees as one sentence."""

from __future__ import annotations

import logging
import pkgutil
from importlib import import_module
from typing import Any

import click

from companion.errors import CompanionError, OptionError
from companion.plain import printable
from firmware import commands
from firmware.errors import FirmwareError, SettingsError
from firmware.printing import PlainFormatter
from firmware.version import version
from vision.errors import VisionError

OUR_ERRORS = (CompanionError, VisionError, FirmwareError)
USAGE_ERRORS = (OptionError, SettingsError)
"""Those of them that mean bad usage rather than failure.

Exit status 2: an option, a value, a setting or a name (of a game, a deck, a rig) that there is not, a folder to write into that
cannot be written.  Exit status 1: a file, picture or record that cannot be read, a port or key that cannot be had, a check that
found something.
"""


class BadUsage(click.ClickException):
    """Shown without click's usage line: the message names a value, not an argument."""

    exit_code = 2


class Commands(click.Group):
    """The modules of `firmware.commands`, each imported only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{commands.__name__}.{cmd_name.replace('-', '_')}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OUR_ERRORS as error:
            if ctx.params["debug"]:
                raise
            shown = BadUsage if isinstance(error, USAGE_ERRORS) else click.ClickException
            raise shown(printable(str(error), "\n")) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), prog_name="viewmat")
@click.option("--debug", is_flag=True, help="Log more, and show the whole trace of an error.")
def main(debug: bool) -> None:
    """Table companion for card games with a real deck: reads, referees and scores."""
    lines = logging.StreamHandler()
    lines.setFormatter(PlainFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.DEBUG if debug else logging.WARNING, handlers=[lines])
