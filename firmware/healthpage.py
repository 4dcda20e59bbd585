"""The health of a table as its page shows it: the machine, the cameras, and the file for support."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from flask import Blueprint

from companion.health import MachineFigures, ProgramFigures, Report
from companion.limits import Rig
from companion.web.health import health_pages
from companion.web.table import LiveTable
from firmware.bundle import Contents, make_bundle
from firmware.datafolder import data_folder, demo_folder, games_folder
from firmware.gauges import Gauges
from firmware.logtail import LogTail
from firmware.machine import Machine
from firmware.version import version
from vision.errors import ModelError
from vision.onnx_classifier import read_facts

CHECKSUM = 12
"""Digits of it that tell models apart."""
MESSAGES = 5
"""So many lines of the log are on the page."""


class Probe(Protocol):
    """Whatever reads the machine."""

    def read(self) -> tuple[MachineFigures, float]: ...


@dataclass(frozen=True, slots=True)
class TableHealth:
    """What is measured, for the page; safe from any thread."""

    table: LiveTable
    machine: Probe
    program: ProgramFigures
    gauges: Gauges
    tail: LogTail
    contents: Contents
    recorded: bool
    rig: Callable[[], Rig | None] = lambda: None
    """What the cameras are now."""

    def report(self) -> Report:
        """Everything as it is now."""
        figures, age_s = self.machine.read()
        # Until the cards are shown nothing that follows from them is told.
        shown = self.table.view().result is not None
        return Report(
            figures, self.program, self.gauges.cameras(shown), playing=not shown, age_s=age_s, messages=self.tail.lines(MESSAGES),
            rig=self.rig(),
        )  # fmt: skip

    def bundle(self, names: bool, /) -> bytes:
        """The file for support."""
        return make_bundle(self.contents, self.report(), names)


def program_figures(profile: str | None = None) -> ProgramFigures:
    """What runs here, reading cards with the packaged model and perhaps a taught deck."""
    return ProgramFigures(version(), platform.python_version(), _reader(profile))


def _reader(profile: str | None) -> str | None:
    try:
        facts = read_facts(resources.files("models").joinpath("cards.toml"))
    except (ModelError, OSError):
        return None
    return f"{facts.file} {facts.sha256[:CHECKSUM]}" + (f", {profile}" if profile else "")


def open_health(
    table: LiveTable, tail: LogTail, settings: Mapping[str, Any], *, recorded: bool, gauges: Gauges | None = None,
    profile: str | None = None, switch_off: Callable[[], bool] | None = None, demo: bool = False,
    rig: Callable[[], Rig | None] = lambda: None,
) -> Blueprint:  # fmt: skip
    """The health page of a table with these settings.

    `rig` tells what its cameras are.  `switch_off` is offered there if it is given; a `demo` tells of the virtual table's
    records and files alone.
    """
    folder = demo_folder() if demo else data_folder()
    records: tuple[Path, ...] = (folder / "games",) if demo else (games_folder(),)
    contents = Contents(settings, folder, records, tail.lines, lambda: [seat.name for seat in table.view().seats])
    health = TableHealth(
        table, Machine(folder), program_figures(profile), gauges if gauges is not None else Gauges(), tail, contents, recorded,
        rig,
    )  # fmt: skip
    return health_pages(table, health, switch_off)
