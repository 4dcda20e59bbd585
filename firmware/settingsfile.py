"""Writing what was chosen into the settings file: whatever people have written there stays, comments and unknown keys too."""

from __future__ import annotations

import os
import tempfile
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import AoT, Table
from tomlkit.toml_document import TOMLDocument

from companion.choices import Chair, Choices
from companion.journal.places import sync_folder
from firmware.errors import SettingsError
from firmware.settings import Settings, checked_settings, settings_text

HEAD = (
    "The table, as it was set up on its page (menu, \"Change the table\").",
    "Everything here can be edited by hand, too; docs/setup.md says what there is.",
)  # fmt: skip


def with_choices(path: Path, choices: Choices) -> str:
    """The text of the settings file at `path` with these choices in it; without a file, that of a new one.

    Raise `SettingsError` for a file that cannot be read or is none.
    """
    document = _document(path)
    if document.get("language") != choices.language:
        document["language"] = choices.language
    if document.get("game", Settings.model_fields["game"].default) != choices.game:
        # Its house rules are none of the other game's.
        document["game"] = choices.game
        document.pop("options", None)
    if _seated(document) != [(chair.name, chair.source, chair.place) for chair in choices.chairs]:
        _seats(document, choices)
    _update(document, "options", {name: value for name, value in choices.options if value is not None})
    _update(document, "access", {"preset": choices.preset})
    text = tomlkit.dumps(document)
    checked_settings(text, path)
    return text


def with_node(path: Path, node: str, place: int | None) -> str:
    """The text of the settings file at `path` with the mat `node` at this place (from 0), or at none.

    Raise `SettingsError` for a file that cannot be read or is none.
    """
    document = _document(path)
    bus = document.setdefault("bus", tomlkit.table())
    nodes = bus.setdefault("nodes", tomlkit.table())
    for other in [name for name, number in nodes.items() if place is not None and number == place + 1]:
        del nodes[other]
    if place is None:
        nodes.pop(node, None)
    else:
        nodes[node] = place + 1
    text = tomlkit.dumps(document)
    checked_settings(text, path)
    return text


def _document(path: Path) -> TOMLDocument:
    if not path.exists():
        document = tomlkit.document()
        for line in HEAD:
            document.add(tomlkit.comment(line))
        document.add(tomlkit.nl())
        return document
    text = settings_text(path)
    # A file that is not right is not written over: whoever edits it would lose what he is at.
    checked_settings(text, path)
    return tomlkit.parse(text)


def _seated(document: TOMLDocument) -> list[tuple[Any, ...]]:
    """Who sits where by the file, as `Chair` has it."""
    places = [one.get("place") for one in document.get("seat", ())]
    return [
        (one.get("name"), one.get("source", "tap"), None if place is None else place - 1)
        for one, place in zip(document.get("seat", ()), places, strict=True)
    ]


def _seats(document: TOMLDocument, choices: Choices) -> None:
    """Seats whose name is in the file keep their table there, with its comments, wherever they sit now."""
    before: dict[str, Any] = {str(one.get("name")): one for one in document.get("seat", ())}
    tables = tomlkit.aot()
    for chair in choices.chairs:
        known = before.get(chair.name)
        tables.append(_chair(known if isinstance(known, Table) else tomlkit.table(), chair))
    if isinstance(document.get("seat"), AoT):
        document["seat"] = tables
    else:
        document.pop("seat", None)
        document.append("seat", tables)


def _chair(table: Table, chair: Chair) -> Table:
    table["name"], table["source"] = chair.name, chair.source
    if chair.place is None:
        table.pop("place", None)
    else:
        table["place"] = chair.place + 1
    return table


def _update(document: MutableMapping[str, Any], name: str, values: dict[str, Any]) -> None:
    if name not in document:
        document[name] = tomlkit.table()
    for key, value in values.items():
        if document[name].get(key) != value or type(document[name].get(key)) is bool:
            document[name][key] = value


def write_settings(path: Path, text: str) -> Settings:
    """Put a settings file in its place, whole or not at all; raise `SettingsError` where that cannot be."""
    found = checked_settings(text, path)
    write_whole(path, text)
    return found


def write_whole(path: Path, text: str) -> None:
    """The same without looking at what is written."""
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        handle, name = tempfile.mkstemp(dir=path.resolve().parent, prefix=f".{path.name}")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            # Whoever keeps the file elsewhere, behind a link, finds it there.
            Path(name).replace(path.resolve())
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
        sync_folder(path.resolve().parent)
    except OSError as error:
        raise SettingsError(f"{path}: cannot be written: {error.strerror or error}") from error
