"""Where this user's data are kept."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """``$XDG_DATA_HOME/viewmat``, by default below ``~/.local/share``; the key of the seal lies in it."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "viewmat"


def games_folder() -> Path:
    """Where the journals of games are."""
    return data_folder() / "games"


def demo_folder() -> Path:
    """What the virtual table keeps: apart from all that is played for real, with a key of its own."""
    return data_folder() / "demo"
