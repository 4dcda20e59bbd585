"""A taught deck: the windows of its 52 cards, kept as a picture that people can look at.

A profile is a folder: ``profile.toml`` says what it is, ``windows.png`` holds the windows, thirteen in a line, and
``likeness.npz`` what was learnt from them with one model.  The last is only a saving of time: it is learnt again with
another model.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cards import DECK, Card
from companion.errors import CardTextError
from vision.classifier import Patches
from vision.errors import ProfileError
from vision.features import FeatureModel
from vision.layout import WINDOW_PX
from vision.likeness import Likeness, learn

FORMAT = 1
"""Of the files; another one is refused."""
COLUMNS = 13
MOST_WINDOWS = 52 * 8
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True, eq=False)
class DeckProfile:
    """One taught deck."""

    name: str
    cards: tuple[Card, ...]
    """What each window shows; every card of the deck at least once."""
    windows: Patches
    """cards x 96 x 48 x 3, upright, blue green red."""
    taught: str
    """Day on which it was taught, as ``2026-11-30``; a label only."""
    likeness: Likeness
    model: str
    """sha256 of the model that `likeness` holds for."""


def checked_name(name: str) -> str:
    """The name, fit to be a folder's; raise `ProfileError` where it is not."""
    if not _NAME.fullmatch(name):
        raise ProfileError(
            f"{name!r} is no name for a deck: expected up to 40 letters, digits, '-' and '_', beginning with a letter or digit"
        )
    return name


def make_profile(name: str, cards: Sequence[Card], windows: Patches, taught: str, model: FeatureModel) -> DeckProfile:
    """Learn a deck from windows; raise `ProfileError` where cards are missing or the windows have another size."""
    checked_name(name)
    missing = [str(card) for card in DECK if card not in set(cards)]
    if missing:
        raise ProfileError(f"{name}: no window shows {', '.join(missing)}; a deck is taught with all of its 52 cards")
    width, height = WINDOW_PX
    if windows.shape != (len(cards), height, width, 3) or len(cards) > MOST_WINDOWS:
        raise ProfileError(
            f"{name}: windows of shape {windows.shape}: expected {len(cards)} x {height} x {width} x 3, at most {MOST_WINDOWS}"
        )
    likeness = learn(windows, np.array([DECK.index(card) for card in cards]), model)
    return DeckProfile(name, tuple(cards), windows, taught, likeness, model.facts.sha256)


def check_place(root: Path) -> None:
    """Raise `ProfileError` where no profile could be written below `root`: better before a deck is shown than after."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        raise ProfileError(f"{root}: taught decks cannot be written there: {error.strerror or error}") from error


def save_profile(profile: DeckProfile, root: Path) -> Path:
    """Write a profile into its folder below `root`; raise `ProfileError` where that fails.

    An older profile of the name is kept beside it as ``.NAME.before`` until the new one is whole, and then goes.
    """
    folder, fresh, before = (root / name for name in (profile.name, f".{profile.name}.new", f".{profile.name}.before"))
    try:
        for rest in (fresh, before):
            shutil.rmtree(rest, ignore_errors=True)
        fresh.mkdir(parents=True)
        packed = bytes(cv2.imencode(".png", _sheet(profile.windows))[1])
        (fresh / "windows.png").write_bytes(packed)
        profile.likeness.save(fresh / "likeness.npz")
        hashes = hashlib.sha256(packed).hexdigest(), _sha256(fresh / "likeness.npz")
        (fresh / "profile.toml").write_text(_description(profile, *hashes), encoding="utf-8")
        if folder.exists():
            folder.rename(before)
        fresh.rename(folder)
        shutil.rmtree(before, ignore_errors=True)
    except OSError as error:
        raise ProfileError(f"{folder}: the taught deck cannot be written: {error.strerror or error}") from error
    return folder


def _sha256(path: Path) -> str:
    """Hash of a file; empty where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def load_profile(root: Path, name: str, model: FeatureModel) -> DeckProfile:
    """Read and check a profile; raise `ProfileError` that says which part is missing, damaged or of another format."""
    folder = root / checked_name(name)
    path = folder / "profile.toml"
    _restore(root)
    if not path.is_file():
        raise ProfileError(f"there is no taught deck {name!r} in {root}; taught are: {', '.join(profile_names(root)) or 'none'}")
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProfileError(f"{path}: is no TOML that can be read: {error}") from error
    if told.get("format") != FORMAT:
        raise ProfileError(f"{path}: format is {told.get('format')!r}, this program reads {FORMAT}; teach the deck again")
    cards = _cards(told, path)
    windows = _windows(folder / "windows.png", _text(told, "windows_sha256", path), len(cards))
    taught = _text(told, "taught", path)
    learnt = folder / "likeness.npz"
    ours = told.get("model_sha256") == model.facts.sha256 and told.get("likeness_sha256") == _sha256(learnt)
    stored = Likeness.load(learnt) if ours else None
    if stored is None:
        return make_profile(name, cards, windows, taught, model)
    return DeckProfile(name, cards, windows, taught, stored, model.facts.sha256)


def profile_names(root: Path) -> tuple[str, ...]:
    """Names of the decks that were taught."""
    _restore(root)
    return tuple(sorted(path.parent.name for path in root.glob("[!.]*/profile.toml")))


def _restore(root: Path) -> None:
    """Bring back profiles whose writing was interrupted between taking the old one away and putting the new one there."""
    for before in root.glob(".*.before"):
        folder = root / before.name.removeprefix(".").removesuffix(".before")
        if not folder.exists():
            with suppress(OSError):
                before.rename(folder)


def _sheet(windows: Patches) -> Patches:
    """All windows on one picture."""
    width, height = WINDOW_PX
    lines = -(-len(windows) // COLUMNS)
    tiles = np.zeros((lines * COLUMNS, height, width, 3), np.uint8)
    tiles[: len(windows)] = windows
    return np.ascontiguousarray(
        tiles.reshape(lines, COLUMNS, height, width, 3).transpose(0, 2, 1, 3, 4).reshape(lines * height, COLUMNS * width, 3)
    )


def _windows(path: Path, sha256: str, count: int) -> Patches:
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror or error}") from error
    if hashlib.sha256(packed).hexdigest() != sha256:
        raise ProfileError(f"{path}: is not the picture that profile.toml describes; teach the deck again")
    sheet = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR)
    width, height = WINDOW_PX
    lines = -(-count // COLUMNS)
    if sheet is None or sheet.shape != (lines * height, COLUMNS * width, 3):
        raise ProfileError(f"{path}: expected a picture of {COLUMNS * width} x {lines * height} pixels")
    tiles = sheet.reshape(lines, height, COLUMNS, width, 3).transpose(0, 2, 1, 3, 4).reshape(-1, height, width, 3)
    return np.ascontiguousarray(tiles[:count], np.uint8)


def _description(profile: DeckProfile, windows: str, likeness: str) -> str:
    lines = [f'"{card}"' for card in profile.cards]
    return "\n".join(
        (
            "# A taught deck.  The windows stand in windows.png, thirteen in a line, in the order of `cards`.",
            f"format = {FORMAT}",
            f'taught = "{profile.taught}"',
            f'model_sha256 = "{profile.model}"',
            f'windows_sha256 = "{windows}"',
            f'likeness_sha256 = "{likeness}"',
            f"cards = [{', '.join(lines)}]",
            "",
        )
    )


def _text(told: dict[str, Any], key: str, path: Path) -> str:
    value = told.get(key)
    if not isinstance(value, str) or len(value) > 200:
        raise ProfileError(f"{path}: {key} is {'missing' if value is None else repr(value)[:60]}; expected a text")
    return value


def _cards(told: dict[str, Any], path: Path) -> tuple[Card, ...]:
    listed = told.get("cards")
    if not isinstance(listed, list) or len(listed) > MOST_WINDOWS or not all(isinstance(one, str) for one in listed):
        raise ProfileError(f"{path}: cards is no list of at most {MOST_WINDOWS} cards")
    try:
        cards = tuple(Card.parse(one) for one in listed)
    except CardTextError as error:
        raise ProfileError(f"{path}: {error}") from error
    missing = [str(card) for card in DECK if card not in set(cards)]
    if missing:
        raise ProfileError(f"{path}: the deck is not whole, {', '.join(missing)} missing; teach it again")
    return cards
