"""Folders that a command is to write into: looked at before the work begins, not when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import click

from firmware.errors import RecordingError


def made_folder(folder: Path, option: str) -> Path:
    """The folder itself, made where it is missing; raise `click.BadParameter` where nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = "it is no folder" if isinstance(error, FileExistsError) else error.strerror or str(error)
        raise click.BadParameter(f"{folder}: nothing can be written there: {why}", param_hint=option) from error
    return folder


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """What the disk refuses meanwhile; raise `RecordingError` with the folder."""
    try:
        yield
    except OSError as error:
        raise RecordingError(f"{folder} cannot be written any more: {error.strerror or error}") from error
