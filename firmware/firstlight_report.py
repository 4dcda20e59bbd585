"""A recording of a real mat, read and measured; and the set that later versions are held against."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cards import Card, Mark, Seen
from firmware.errors import RecordingError
from firmware.firstlight import FORM, Recording, load_recording, missing_cards
from firmware.recorded import PERIOD_S
from firmware.rig import Station, mat_station
from vision.classifier import Classifier
from vision.errors import RegistrationError
from vision.frame import Frame, Image
from vision.inspection import BoardFacts, inspect
from vision.observe import Observer
from vision.picturefile import load_picture
from vision.windows import WindowCutter

NOTHING_SAID = (Mark.COVERED, Mark.UNREADABLE)
KEPT_FRAMES = 5
"""Of every shot in the regression set."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """What one window of one shot was read as."""

    shot: str
    number: int
    truth: Seen
    seen: Seen
    confidence: float
    patch: Image | None

    @property
    def outcome(self) -> str:
        """``right``, ``wrong`` or ``unknown``."""
        if self.seen == self.truth:
            return "right"
        return "unknown" if self.seen in NOTHING_SAID else "wrong"


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A whole recording."""

    recording: Recording
    windows: tuple[Window, ...]
    facts: BoardFacts | None
    """Of the empty mat; None where it could not be located."""
    troubles: tuple[str, ...]
    """Shots in which nothing could be seen, and why."""


def measure(recording: Recording, classifier: Classifier) -> Measured:
    """Read every shot through the ordinary reader, as if it were seen for the first time."""
    station = mat_station(recording.form.mat.number - 1)
    windows: list[Window] = []
    troubles: list[str] = []
    facts: BoardFacts | None = None
    for shot, files in zip(recording.form.shot, recording.frames, strict=True):
        images = [load_picture(path)[0] for path in files]
        if len({image.shape for image in images}) > 1:
            raise RecordingError(f"{recording.folder}: shot {shot.folder!r} holds frames of different sizes")
        found, trouble = _read(shot.folder, shot.truth, images, station, classifier)
        windows += found
        if trouble:
            troubles.append(f"{shot.folder}: {trouble}")
        if facts is None and all(seen is Mark.EMPTY for seen in shot.truth):
            facts = _inspected(images, station)
    return Measured(recording, tuple(windows), facts, tuple(troubles))


def _read(
    shot: str, truth: Sequence[Seen], images: Sequence[Image], station: Station, classifier: Classifier
) -> tuple[list[Window], str | None]:
    # A recording of a few equal pictures is no frozen camera.
    observer = Observer(station.layout, station.places, classifier, frozen_s=1e9)
    sightings = None
    for number, image in enumerate(images, 1):
        sightings = observer.observe(Frame(station.camera, number * PERIOD_S, number, image)).sightings
    if not sightings or observer.registration is None:
        return [Window(shot, n, one, Mark.COVERED, 0.0, None) for n, one in enumerate(truth, 1)], observer.trouble
    patches = WindowCutter(station.layout, observer.registration).cut(images[-1])
    return [
        Window(shot, number, one, sighting.seen, sighting.confidence, patch)
        for number, (one, sighting, patch) in enumerate(zip(truth, sightings, patches, strict=True), 1)
    ], None


def _inspected(images: Sequence[Image], station: Station) -> BoardFacts | None:
    try:
        return inspect(images, station.layout)
    except RegistrationError:
        return None


def figures(measured: Measured) -> dict[str, Any]:
    """The outcome as one object."""
    cards = [one for one in measured.windows if isinstance(one.truth, Card)]
    others = [one for one in measured.windows if not isinstance(one.truth, Card)]
    counted = Counter(one.outcome for one in cards)
    told: dict[str, Any] = {
        "cards": {name: counted[name] for name in ("right", "wrong", "unknown")},
        "others": {"shown": len(others), "named_as_card": sum(isinstance(one.seen, Card) for one in others)},
        "not_right": [
            {"shot": one.shot, "window": one.number, "truth": name_of(one.truth), "read": name_of(one.seen)}
            for one in measured.windows if one.outcome != "right"
        ],
        "cards_never_shown": [str(card) for card in missing_cards(measured.recording.form)],
        "troubles": list(measured.troubles),
    }  # fmt: skip
    facts = measured.facts
    if facts is not None:
        told["optics"] = {
            "px_per_mm": round(facts.px_per_mm, 2), "edge_px": round(facts.edge_px, 2), "white": round(facts.white, 1),
            "unevenness": round(facts.unevenness, 3), "noise": round(facts.noise, 2),
            "marker_error_mm": round(max(marker.error_mm for marker in facts.markers), 2),
            "markers_missing": list(facts.missing), "stray": [round(one, 3) for one in facts.stray],
        }  # fmt: skip
    return told


def name_of(seen: Seen) -> str:
    """As the form writes it."""
    return str(seen) if isinstance(seen, Card) else seen.value


def write_regression(measured: Measured, folder: Path) -> None:
    """Keep a few frames of every shot, the form and today's figures; raise `RecordingError` where that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = (measured.recording.folder / FORM).read_bytes()
        (folder / FORM).write_bytes(text)
        for shot, files in zip(measured.recording.form.shot, measured.recording.frames, strict=True):
            (folder / shot.folder).mkdir(exist_ok=True)
            for path in files[:KEPT_FRAMES]:
                (folder / shot.folder / path.name).write_bytes(path.read_bytes())
        load_recording(folder)
        (folder / "baseline.json").write_text(json.dumps(figures(measured), indent=1), encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{folder}: the regression set cannot be written: {error.strerror or error}") from error


def worse_than_baseline(folder: Path, classifier: Classifier) -> tuple[str, ...]:
    """Read a regression set again: what is worse than when it was made.  Raise `RecordingError` where it is no such set."""
    path = folder / "baseline.json"
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
        was = {(one["shot"], one["window"]): one["read"] for one in before["not_right"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordingError(f"{path}: is no baseline that can be read: {error}; viewmat first-light report makes it") from error
    rank = {"right": 0, "unknown": 1, "wrong": 2}
    worse = []
    for one in measure(load_recording(folder), classifier).windows:
        read = was.get((one.shot, one.number))
        silent = read in {mark.value for mark in NOTHING_SAID}
        earlier = "right" if read is None else "unknown" if silent else "wrong"
        if rank[one.outcome] > rank[earlier]:
            what = f"{name_of(one.truth)} was {earlier}, is {one.outcome} ({name_of(one.seen)})"
            worse.append(f"{one.shot}, window {one.number}: {what}")
    return tuple(worse)


def write_report(measured: Measured, folder: Path) -> Path:
    """Write ``report.md``, ``report.json`` and pictures of what was not read right; returns the first."""
    told = figures(measured)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
        bad = [one for one in measured.windows if one.outcome != "right" and one.patch is not None]
        if bad:
            patches = [one.patch for one in bad if one.patch is not None][:60]
            picture = np.concatenate([cv2.copyMakeBorder(patch, 4, 4, 4, 4, cv2.BORDER_REPLICATE) for patch in patches], axis=1)
            (folder / "not-right.png").write_bytes(bytes(cv2.imencode(".png", picture)[1]))
        page = folder / "report.md"
        page.write_text(_markdown(measured, told, bool(bad)), encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{folder}: the report cannot be written: {error.strerror or error}") from error
    return page


def _markdown(measured: Measured, told: dict[str, Any], pictures: bool) -> str:
    form = measured.recording.form
    cards = told["cards"]
    lines = [
        f"# First light, {form.recorded.isoformat()}, by {form.by}", "",
        f"Mat {form.mat.number} ({form.mat.cover} windows, {form.mat.mirror} mirror), camera {form.camera.model} at "
        f"{form.camera.lens_position:g} dioptres, {form.camera.exposure_us} us, gain {form.camera.gain:g}; {form.light.lamp} at "
        f"{form.light.level_percent:g} %, room: {form.light.room}; deck {form.deck.name} ({form.deck.index} index, "
        f"{form.deck.colours} colours, {form.deck.language}, {form.deck.finish}).", "",
        "| cards shown | right | wrong | unknown | others shown | named as a card |", "|---|---|---|---|---|---|",
        f"| {sum(cards.values())} | {cards['right']} | {cards['wrong']} | {cards['unknown']} | {told['others']['shown']} | "
        f"{told['others']['named_as_card']} |", "",
    ]  # fmt: skip
    if "optics" in told:
        lines += ["| measured on the empty mat | |", "|---|---|"]
        lines += [f"| {name} | {value} |" for name, value in told["optics"].items()] + [""]
    for trouble in told["troubles"]:
        lines.append(f"* {trouble}")
    if told["cards_never_shown"]:
        lines.append(f"Never shown: {', '.join(told['cards_never_shown'])}.\n")
    if told["not_right"]:
        lines += ["| shot | window | lies there | read as |", "|---|---|---|---|"]
        lines += [f"| {one['shot']} | {one['window']} | {one['truth']} | {one['read']} |" for one in told["not_right"]]
    if pictures:
        lines += ["", "![windows that were not read right, in the order of the table](not-right.png)"]
    return "\n".join(lines) + "\n"
