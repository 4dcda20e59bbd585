"""Whether a rig can see what the settings say of seats and tray."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from firmware.errors import SettingsError
from firmware.settings import Settings

RIGS = ("taps", "cameras")
"""Rigs that `viewmat run` can open; ``taps`` is a table without any camera."""


def check_rig(settings: Settings, config: Path) -> None:
    """Raise `SettingsError` for a rig that is not there, and for seats and a tray that the rig cannot see."""
    if settings.rig not in RIGS:
        raise SettingsError(
            f"{config}: rig = {settings.rig!r}: there is no such rig; allowed: {', '.join(RIGS)}"
            " (the virtual table is `viewmat demo`)"
        )
    problems = list(_without_cameras(settings) if settings.rig == "taps" else _with_cameras(settings))
    if problems:
        raise SettingsError("\n".join(f"{config}: {problem}" for problem in problems))


def _without_cameras(settings: Settings) -> Iterator[str]:
    if settings.tray != "none":
        yield f"tray = {settings.tray!r}: rig {settings.rig} has no cameras; allowed: none"
    for number, seat in enumerate(settings.seat, 1):
        if seat.source == "mat":
            yield f"seat {number}.source = 'mat': rig {settings.rig} has no cameras; allowed: tap, bot"


def _with_cameras(settings: Settings) -> Iterator[str]:
    if settings.bus is not None:
        return  # A mat with a computer of its own may be laid anywhere.
    if not settings.camera:
        yield "camera is missing: rig cameras needs at least one [[camera]], or a [bus]"
    seen = {camera.place for camera in settings.camera if camera.place is not None}
    for number, seat in enumerate(settings.seat, 1):
        place = number if seat.place is None else seat.place
        if seat.source == "mat" and place not in seen:
            found = ", ".join(map(str, sorted(seen))) or "none"
            yield f"seat {number}.source = 'mat': no [[camera]] has place = {place}; places with a camera: {found}"
    if settings.tray != "none" and not any(camera.tray for camera in settings.camera):
        yield f"tray = {settings.tray!r}: no [[camera]] has tray = true; allowed without one: none"
