"""Which version of this program runs, and beside what."""

from __future__ import annotations

import platform
from importlib import metadata, resources

from companion.health import ProgramFigures
from vision.errors import ModelError
from vision.onnx_classifier import read_facts

LIBRARIES = ("numpy", "opencv-python-headless", "onnxruntime", "scipy", "flask", "waitress", "cryptography", "gpiozero")
"""Those that matter when something goes wrong."""
CHECKSUM = 12
"""Digits of it that tell models apart."""


def version(name: str = "viewmat") -> str:
    """The version of an installed package."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "(not installed)"


def program_figures(profile: str | None = None) -> ProgramFigures:
    """What runs here, reading cards with the packaged model and perhaps a taught deck."""
    return ProgramFigures(version(), platform.python_version(), _reader(profile))


def library_versions() -> dict[str, str]:
    """Every library of `LIBRARIES`."""
    return {name: version(name) for name in LIBRARIES}


def _reader(profile: str | None) -> str | None:
    try:
        facts = read_facts(resources.files("models").joinpath("cards.toml"))
    except (ModelError, OSError):
        return None
    return f"{facts.file} {facts.sha256[:CHECKSUM]}" + (f", {profile}" if profile else "")
