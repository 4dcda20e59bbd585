"""``viewmat doctor``: whether this machine will do, line by line, and what to do where it will not."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.datafolder import data_folder
from firmware.doctor import BAD, Line, Wanted, examine
from firmware.doctorprobe import Surroundings, find, wanted_by
from firmware.doctorreport import json_of, report_of, text_of
from firmware.errors import SettingsError
from firmware.machine import Machine
from firmware.outfit import unset_settings
from firmware.settings import Settings, examined, settings_text
from firmware.tablecheck import all_problems


class HostPort(click.ParamType):  # type: ignore[type-arg]  # older releases of click take no argument
    """``HOST:PORT``."""

    name = "host:port"

    def convert(
        self, value: str | tuple[str, int], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:  # fmt: skip
        if isinstance(value, tuple):
            return value
        host, _, port = value.rpartition(":")
        if not host or not port.isdigit() or not 1 <= int(port) <= 65535:
            self.fail(f"{value!r} is no address: expected HOST:PORT, such as localhost:1883", param, ctx)
        return host.strip("[]"), int(port)


@click.command()
@click.option("--config", type=click.Path(path_type=Path), default="table.toml", show_default=True, help="The settings file.")
@click.option("--broker", type=HostPort(), help="Whether a broker of the bus answers there, as HOST:PORT.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Write what may be shown to all to this file.")
@click.pass_context
def command(ctx: click.Context, config: Path, broker: tuple[str, int] | None, as_json: bool, report: Path | None) -> None:
    """Look at this machine: board, system, cameras, pins, power, disk, clock, reader, ports, settings.

    Each line is ok, warn or bad, and says what to do. Exit status 1 where something is bad.
    """
    lines = look(config, broker, Surroundings())
    click.echo(json.dumps(json_of(lines), ensure_ascii=False) if as_json else text_of(lines))
    if report is not None:
        _write(report, report_of(lines))
        click.echo(f"Written to {report}: look at it, then add it to docs/seen-working.md.", err=True)
    bad = [line.name for line in lines if line.grade == BAD]
    if bad and as_json:
        click.echo(f"bad: {', '.join(bad)}", err=True)
    ctx.exit(1 if bad else 0)


def look(config: Path, broker: tuple[str, int] | None, at: Surroundings) -> tuple[Line, ...]:
    """Every line of this machine for the table of a settings file, there or not."""
    settings, wanted, problems = _settings(config)
    machine = Machine(data_folder(), at.root, at.run)
    return examine(find(machine, settings, problems, broker, at), wanted)


def _settings(config: Path) -> tuple[Settings, Wanted, tuple[str, ...] | None]:
    """The settings, as far as they are right, what they want, and what is wrong with them."""
    if not config.exists():
        return unset_settings(), Wanted(), None
    try:
        text = settings_text(config)
    except SettingsError as error:
        return unset_settings(), Wanted(), (str(error),)
    problems = tuple(problem.sentence for problem in all_problems(text))
    settings, wrong = examined(text)
    if settings is None or wrong:
        return unset_settings(), Wanted(), problems
    return settings, wanted_by(settings), problems


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from error
