"""The keys of this machine's table: where they are kept, and how its page is guarded by them."""

from __future__ import annotations

import os
from pathlib import Path

from companion.keyring import Keyring
from companion.views import Role
from companion.web.gate import Access, Preset
from firmware.settings import Settings


def keys_file() -> Path:
    """The file of keys: ``$XDG_DATA_HOME/viewmat/keys.json``, by default below ``~/.local/share``."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "viewmat" / "keys.json"


def open_access(settings: Settings) -> Access:
    """How the settings want the page guarded; raise `KeyringError` for a damaged file of keys."""
    return Access(Preset(settings.access.preset), Keyring(keys_file()), tuple(settings.page.names))


def lacks_referee(access: Access) -> bool:
    """Whether nobody can decide anything yet."""
    keys = access.keyring.keys
    roles = [one.role for one in keys.bearers] + [one.role for one in keys.links]
    return keys.pin is None and Role.REFEREE not in roles
