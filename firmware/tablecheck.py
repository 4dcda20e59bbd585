"""What beside its own keys keeps a settings file from being a table: its game, its seats and its rig."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.choices import places_of
from companion.errors import OptionError
from companion.games import GAMES, find_game
from firmware.errors import SettingsError
from firmware.settings import Settings, examined, located
from firmware.settingspart import Problem, Where, key_words, not_among, wrong

RIGS = ("taps", "cameras")
"""Rigs that `viewmat run` can open; ``taps`` is a table without any camera."""


def check_rig(settings: Settings, config: Path) -> None:
    """Raise `SettingsError` for a rig that is not there, and for seats and a tray that the rig cannot see."""
    problems = tuple(_rig_problems(settings))
    if problems:
        raise SettingsError("\n".join(f"{config}: {problem.sentence}" for problem in problems))


def all_problems(text: str) -> tuple[Problem, ...]:
    """Everything that keeps `viewmat run` from playing with a settings file of this text."""
    settings, problems = examined(text)
    if settings is None or problems:
        return problems
    return located((*_game_problems(settings), *_rig_problems(settings)), text)


def check_table(text: str, config: Path) -> None:
    """Raise `SettingsError` with every one of those problems."""
    problems = all_problems(text)
    if problems:
        raise SettingsError("\n".join(f"{config}: {problem.sentence}" for problem in problems))


def _game_problems(settings: Settings) -> Iterator[Problem]:
    try:
        game = find_game(settings.game)
    except OptionError:
        yield not_among(("game",), settings.game, "game", [game.name for game in GAMES])
        return
    try:
        options = game.options(settings.options)
    except OptionError as error:
        yield _refused(("options",), error)
        return
    try:
        game.start(len(settings.seat), options)
    except OptionError as error:
        # An option may be too large for a table that is not.
        yield _refused(("options",) if len(settings.seat) in game.seats else ("seat",), error)


def _refused(place: Where, error: OptionError) -> Problem:
    return Problem(place, f"{key_words(place)}: {error}", "other", {"why": str(error)})


def _rig_problems(settings: Settings) -> Iterator[Problem]:
    if settings.rig not in RIGS:
        why = f"there is no such rig; allowed: {', '.join(RIGS)} (the virtual table is `viewmat demo`)"
        yield wrong(("rig",), settings.rig, why)
        return
    yield from _without_cameras(settings) if settings.rig == "taps" else _with_cameras(settings)


def _without_cameras(settings: Settings) -> Iterator[Problem]:
    if settings.tray != "none":
        yield wrong(("tray",), settings.tray, f"rig {settings.rig} has no cameras; allowed: none")
    for number, seat in enumerate(settings.seat):
        if seat.source == "mat":
            yield wrong(("seat", number, "source"), "mat", f"rig {settings.rig} has no cameras; allowed: tap, bot")


def _with_cameras(settings: Settings) -> Iterator[Problem]:
    if settings.bus is not None:
        return  # A mat with a computer of its own may be laid anywhere.
    if not settings.camera:
        why = "is missing: rig cameras needs at least one [[camera]], or a [bus] with mats that have computers of their own"
        yield Problem(("camera",), f"camera {why}", "other", {"why": why})
    seen = {camera.place for camera in settings.camera if camera.place is not None}
    places = places_of([None if seat.place is None else seat.place - 1 for seat in settings.seat])
    for number, (seat, place) in enumerate(zip(settings.seat, (place + 1 for place in places), strict=True)):
        if seat.source == "mat" and place not in seen:
            found = ", ".join(map(str, sorted(seen))) or "none"
            yield wrong(("seat", number, "source"), "mat", f"no [[camera]] has place = {place}; places with a camera: {found}")
    if settings.tray != "none" and not any(camera.tray for camera in settings.camera):
        yield wrong(("tray",), settings.tray, "no [[camera]] has tray = true; allowed without one: none")
