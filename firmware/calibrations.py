"""Where it is kept how each camera was set up: one file a camera in the data folder, and the one before it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from tempfile import mkstemp
from typing import Any

import numpy as np

from companion.journal.places import sync_folder
from firmware.datafolder import data_folder
from firmware.rig import TRAY_BOARD
from vision.calibrate import Bend, Lens
from vision.calibration.camera import Calibration
from vision.calibration.chessboard import LensFit
from vision.calibration.controls import Controls
from vision.calibration.flatfield import TERMS, FlatField
from vision.calibration.lens import MeasuredLens
from vision.errors import CalibrationError
from vision.layout import Layout, mat_layout, tray_layout
from vision.optics import OPTICS, STANDARD

FORM = 1
"""Of the file; a later program may read an earlier form, never the other way round."""
NAMES = re.compile(r"[a-z]+[0-9]*\Z")
LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Stored:
    """A calibration as it lies in its file."""

    calibration: Calibration
    made: str
    """When, ISO 8601."""
    version: int
    """How often this camera has been set up."""


def calibrations_folder() -> Path:
    """Where they are kept."""
    return data_folder() / "cameras"


def calibration_file(camera: str, folder: Path | None = None) -> Path:
    """The file of a camera by the name of its station; raise `CalibrationError` for a name that no station has."""
    if not NAMES.match(camera):
        raise CalibrationError(f"camera {camera!r}: a name such as mat0 or tray is expected")
    return (calibrations_folder() if folder is None else folder) / f"{camera}.json"


def store_calibration(calibration: Calibration, now: datetime, folder: Path | None = None) -> Path:
    """Write a calibration, whole or not at all; the one before it stays beside it.  Raise `CalibrationError`."""
    path = calibration_file(calibration.camera, folder)
    try:
        before = load_stored(calibration.camera, folder)
    except CalibrationError:
        # A damaged file is kept aside, too.
        before = None
    body = _body(calibration)
    version = 1 if before is None else before.version + 1
    told = {"viewmat": "calibration", "form": FORM, "version": version, "made": now.isoformat(timespec="seconds")}
    text = json.dumps({**told, "sha256": _digest(body), "calibration": body}, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.replace(path.with_suffix(".before.json"))
        handle, fresh = mkstemp(dir=path.parent, prefix=f".{path.name}")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        Path(fresh).replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise CalibrationError(f"{path} cannot be written: {error.strerror or error}") from error
    return path


def load_stored(camera: str, folder: Path | None = None) -> Stored | None:
    """What is kept of a camera; None for one that was never set up.

    Raise `CalibrationError` for a file that was damaged or changed, or that a later program has written.
    """
    path = calibration_file(camera, folder)
    try:
        if not path.exists():
            return None
        size = path.stat().st_size
        told = json.loads(path.read_text(encoding="utf-8")) if size <= LARGEST else None
    except OSError as error:
        raise CalibrationError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"{path}: is no calibration: {error}; set the camera up anew") from error
    if size > LARGEST:
        raise CalibrationError(f"{path}: is no calibration: it has {size} bytes, at most {LARGEST} are expected")
    if not isinstance(told, dict) or told.get("viewmat") != "calibration":
        raise CalibrationError(f"{path}: is no calibration; set the camera up anew")
    if told.get("form") != FORM:
        raise CalibrationError(f"{path}: has form {told.get('form')!r}, this program knows {FORM}: set the camera up anew")
    body: Any = told.get("calibration")
    if told.get("sha256") != _digest(body):
        raise CalibrationError(f"{path}: was damaged or changed since it was written; set the camera up anew")
    if isinstance(body, dict) and body.get("camera") != camera:
        raise CalibrationError(f"{path}: belongs to camera {body.get('camera')!r}; set this one up anew")
    try:
        return Stored(_calibration(body), str(told["made"]), int(told["version"]))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise CalibrationError(f"{path}: is no whole calibration: {error}; set the camera up anew") from error


def load_calibration(camera: str, folder: Path | None = None) -> Calibration | None:
    """How a camera was set up; None where it never was.  Raise `CalibrationError` as `load_stored` does."""
    stored = load_stored(camera, folder)
    return None if stored is None else stored.calibration


def known_lens(camera: str, folder: Path | None = None) -> MeasuredLens | None:
    """What was measured of a camera's lens; None where nothing was."""
    calibration = load_calibration(camera, folder)
    return calibration.lens if calibration is not None and isinstance(calibration.lens, MeasuredLens) else None


def find_layout(name: str, window: str = STANDARD) -> Layout:
    """A board by the name of its layout and the size of its windows; raise `CalibrationError` for any other."""
    boards = (tray_layout(), *(mat_layout(number, window) for number in range(TRAY_BOARD + 1)))
    found = {board.name: board for board in boards}
    if name not in found:
        raise CalibrationError(f"board {name!r}: expected one of {', '.join(found)}")
    return found[name]


# ---- the file ----------------------------------------------------------------------------------------------------------


def _digest(body: Any) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _body(calibration: Calibration) -> dict[str, Any]:
    fit = calibration.fit
    body = {
        "camera": calibration.camera, "board": calibration.layout.name, "size_px": calibration.size_px,
        "mirrored": calibration.mirrored, "turned_deg": calibration.turned_deg, "lens": _lens_body(calibration.lens),
        "fit": None if fit is None else {
            "rms_px": fit.rms_px, "spread": fit.spread, "coverage": fit.coverage, "tilt_deg": fit.tilt_deg, "views": fit.views,
        },
        "homography": [float(value) for value in calibration.homography.ravel()], "error_mm": calibration.error_mm,
        "px_per_mm": calibration.px_per_mm, "edge_px": calibration.edge_px, "missing": calibration.missing,
        "flat": None if calibration.flat is None else asdict(calibration.flat), "controls": asdict(calibration.controls),
    }  # fmt: skip
    if calibration.layout.mirrored:
        body["window"] = window_of(calibration.layout)
    found: dict[str, Any] = json.loads(json.dumps(body))
    return found


def window_of(layout: Layout) -> str:
    """The size of a mat's windows."""
    size = layout.windows[0].width, layout.windows[0].height
    return next((name for name, window in OPTICS.window.items() if window.size_mm == size), STANDARD)


def _lens_body(lens: Bend) -> dict[str, Any]:
    if isinstance(lens, MeasuredLens | Lens):
        return asdict(lens)
    raise CalibrationError(f"a lens of type {type(lens).__name__} cannot be kept")


def _calibration(body: Mapping[str, Any]) -> Calibration:
    lens = _lens(body["lens"])
    fit = body["fit"]
    homography = np.array([float(value) for value in body["homography"]]).reshape(3, 3)
    if not np.isfinite(homography).all():
        raise CalibrationError("its homography is not finite")
    measured = LensFit(lens, **fit) if fit is not None and isinstance(lens, MeasuredLens) else None
    return Calibration(
        str(body["camera"]), find_layout(body["board"], str(body.get("window", STANDARD))), _pair(body["size_px"]),
        bool(body["mirrored"]),
        float(body["turned_deg"]), lens, measured, homography,
        float(body["error_mm"]), float(body["px_per_mm"]), float(body["edge_px"]), tuple(int(id_) for id_ in body["missing"]),
        None if body["flat"] is None else _flat(body["flat"]), _controls(body["controls"]),
    )  # fmt: skip


def _lens(body: Mapping[str, Any]) -> MeasuredLens | Lens:
    if "kind" not in body:
        return Lens(float(body["k1"]), float(body["k2"]))
    focal, middle = body["focal_px"], body["middle_px"]
    return MeasuredLens(
        body["kind"], (float(focal[0]), float(focal[1])), (float(middle[0]), float(middle[1])),
        tuple(float(value) for value in body["bends"]), _pair(body["size_px"]),
    )  # fmt: skip


def _flat(body: Mapping[str, Any]) -> FlatField:
    blue, green, red = (tuple(float(value) for value in part) for part in body["surface"])
    if not len(blue) == len(green) == len(red) == TERMS:
        raise CalibrationError(f"its light has {len(blue)}, {len(green)} and {len(red)} factors, {TERMS} each are expected")
    return FlatField(_pair(body["size_px"]), (blue, green, red), float(body["evenness"]), float(body["glare"]))


def _controls(body: Mapping[str, Any]) -> Controls:
    gains = body["colour_gains"]
    return Controls(
        body["exposure_us"], body["gain"], None if gains is None else (float(gains[0]), float(gains[1])), body["lens_position"]
    )


def _pair(values: Sequence[Any]) -> tuple[int, int]:
    first, second = values
    return int(first), int(second)
