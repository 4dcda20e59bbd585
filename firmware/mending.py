"""Safe mode: a table whose settings file is not right serves the page on which it can be mended, and nothing else."""

from __future__ import annotations

import hashlib
import logging
import sys
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from companion.keyring import Keyring
from companion.web.catalogues import LANGUAGES
from companion.web.gate import Access, Preset
from companion.web.mending import Copy, Fault, Saved, create_mending_app
from firmware.access import keys_file, lacks_referee
from firmware.alive import Alive
from firmware.errors import SettingsError
from firmware.securepage import all_addresses, served_both, usable_authority
from firmware.serving import until_stopped
from firmware.settings import PagePart
from firmware.settingsfile import write_whole
from firmware.settingspart import Problem, key_words
from firmware.tablecheck import all_problems
from firmware.tomllines import Where, values_of

LOG = logging.getLogger(__name__)
LOOK_S = 0.2
ANSWER_S = 0.5
"""The page has its answer before its server closes."""


def fault_of(problem: Problem) -> Fault:
    """A problem as the page takes it."""
    return Fault(key_words(problem.place), problem.line, problem.kind, problem.values)


class Mender:
    """The settings file behind the page.  Safe from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.saved = threading.Event()
        """Set when a file without faults has been saved."""

    @property
    def name(self) -> str:
        return self._path.name

    def read(self) -> Copy:
        data = self._data()
        try:
            return Copy(data.decode("utf-8-sig"), _mark(data))
        except UnicodeDecodeError:
            return Copy(None, _mark(data))

    def _data(self) -> bytes:
        try:
            return self._path.read_bytes()
        except OSError as error:
            LOG.warning("%s: cannot be read: %s", self._path, error.strerror or error)
            return b""

    def faults(self, text: str, /) -> tuple[Fault, ...]:
        return tuple(map(fault_of, all_problems(text)))

    def save(self, text: str, mark: str, /) -> Saved:
        """What browsers make of line ends is undone."""
        with self._lock:
            before = self._data()
            if _mark(before) != mark:
                return Saved(refusal="changed")
            try:
                old = self._keep(before)
                write_whole(self._path, text.replace("\r\n", "\n"))
            except OSError as error:
                return Saved(refusal="not_written", why=error.strerror or type(error).__name__)
            except SettingsError as error:
                # Its message names the file with the whole way to it.
                return Saved(refusal="not_written", why=getattr(error.__cause__, "strerror", None) or "?")
            self.saved.set()
            return Saved(old)

    def _keep(self, data: bytes) -> str:
        """Keep the file as it was beside itself, under a name that nothing has yet."""
        number = 1
        while (kept := self._path.with_name(f"{self._path.name}.old{number}")).exists():
            number += 1
        with kept.open("xb") as file:
            # It may hold a password.
            kept.chmod(self._path.stat().st_mode & 0o777)
            file.write(data)
        return kept.name


def _mark(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def mend(config: Path, port: int | None, why: str) -> bool:
    """Serve the page until a good file was saved, or the program is stopped; whether it was saved.

    Host, port, names, language and the guard of the page are those of the file, as far as they can be read.  Raises `RigError`
    where the port cannot be had, `KeyringError` for a damaged file of keys, `SettingsError` with `why` for a file that may not be
    read: there is nothing to mend then.
    """
    try:
        found = values_of(config.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        raise SettingsError(why) from None
    click.echo(why, err=True)
    page, access = _page(found), salvaged_access(found)
    mender = Mender(config)
    app = create_mending_app(mender, access, _language(found))
    with (
        until_stopped() as stop,
        closing(Alive()) as alive,
        served_both(
            app, page.host, page.port if port is None else port, usable_authority() if page.https_port else None,
            None if port == 0 else page.https_port, page.names,
        ) as ports,
        closing(Alive()) as alive,
    ):  # fmt: skip
        click.echo("The table cannot start with these settings. Only the page is served on which they can be mended:")
        if access.preset is Preset.CLUB:
            unnamed = lacks_referee(access)
            click.echo(f"it is the referee's alone{', and no referee has been named' if unnamed else ''}.")
        for address in all_addresses(page.host, ports):
            click.echo(f"The page is at {address}")
        sys.stdout.flush()
        alive.ready()
        alive.status("the settings file is not right: only the page is served that mends it")
        while not stop.is_set() and not mender.saved.is_set():
            stop.wait(LOOK_S)
            alive.beat()
        stop.wait(ANSWER_S)
        return mender.saved.is_set() and not stop.is_set()


def salvaged_access(found: Mapping[Where, Any]) -> Access:
    """How the page of a file with these values is guarded.

    Where the file does not tell at whose table it is: as a club's, if anybody has been named its referee.
    """
    keyring, said = Keyring(keys_file()), found.get(("access", "preset"))
    names = found.get(("page", "names"))
    access = Access(Preset.CLUB, keyring, tuple(map(str, names)) if isinstance(names, list) else ())
    if said == "home" or (said != "club" and lacks_referee(access)):
        access.preset = Preset.HOME
    return access


def _page(found: Mapping[Where, Any]) -> PagePart:
    """What can be used of ``[page]``."""
    page = PagePart()
    for key in PagePart.model_fields:
        try:
            page = PagePart.model_validate({**page.model_dump(), key: found.get(("page", key), getattr(page, key))})
        except ValidationError:
            continue
    return page


def _language(found: Mapping[Where, Any]) -> str:
    language = found.get(("language",))
    return language if isinstance(language, str) and language in LANGUAGES else "en"
