"""Which version of this program runs, and beside what."""

from __future__ import annotations

from importlib import metadata

LIBRARIES = ("numpy", "opencv-python-headless", "onnxruntime", "scipy", "flask", "waitress", "cryptography", "gpiozero")
"""Those that matter when something goes wrong."""


def version(name: str = "viewmat") -> str:
    """The version of an installed package."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "(not installed)"


def library_versions() -> dict[str, str]:
    """Every library of `LIBRARIES`."""
    return {name: version(name) for name in LIBRARIES}
