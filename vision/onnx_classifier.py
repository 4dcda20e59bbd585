"""The packaged ONNX model as a `Classifier`: checked against its description before anything is read with it."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from companion.cards import Card
from vision.classifier import LABELS, Patches, Reading
from vision.errors import ModelError
from vision.layout import WINDOW_PX

NAMES: tuple[str, ...] = tuple(str(seen) if isinstance(seen, Card) else seen.value for seen in LABELS)
"""How `cards.toml` writes the labels."""
BATCH = 64
"""Patches that go through the model together; more would only cost memory."""
COLOURS = "blue green red"


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What `cards.toml` says that a reader needs."""

    file: str
    sha256: str
    min_confidence: float
    """Below this a card is better called unreadable; chosen on designs that training never saw."""
    input_name: str
    output_name: str


class OnnxClassifier:
    """Reads window patches with an ONNX model; safe to use from several threads."""

    def __init__(self, facts: ModelFacts, session: onnxruntime.InferenceSession) -> None:
        self._facts = facts
        self._session = session

    @classmethod
    def load(cls, path: Path | None = None) -> OnnxClassifier:
        """Load the packaged model, or the one at `path` (an ``.onnx`` file) with the ``.toml`` of its name beside it.

        `ModelError` where a file is missing, the description does not fit this program, or the model is not the one
        that is described.
        """
        facts, data = checked_model(path)
        return cls(facts, _session(data, facts.file, facts))

    @property
    def facts(self) -> ModelFacts:
        """What the model's description says."""
        return self._facts

    @property
    def session(self) -> onnxruntime.InferenceSession:
        """The model itself, for measuring."""
        return self._session

    @property
    def min_confidence(self) -> float:
        """The probability from which a card may be named."""
        return self._facts.min_confidence

    def classify(self, patches: Patches) -> Reading:
        """Read count x 96 x 48 x 3 bytes (blue green red) as count x 57 probabilities over `LABELS`.

        `ModelError` for patches of another size or kind; no patches give no rows.
        """
        width, height = WINDOW_PX
        if patches.ndim != 4 or patches.shape[1:] != (height, width, 3) or patches.dtype != np.uint8:
            raise ModelError(
                f"patches of shape {patches.shape} and {patches.dtype}: expected count x {height} x {width} x 3 of uint8"
            )
        parts = [self._run(patches[start : start + BATCH]) for start in range(0, len(patches), BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, len(LABELS)), np.float32)

    def _run(self, patches: Patches) -> Reading:
        feed = {self._facts.input_name: np.ascontiguousarray(patches)}
        return np.asarray(self._session.run([self._facts.output_name], feed)[0], np.float32)


def checked_model(path: Path | None = None) -> tuple[ModelFacts, bytes]:
    """The description and the content of a model (None: the packaged one); `ModelError` where they do not fit each other."""
    file = _file(resources.files("models").joinpath("cards.onnx") if path is None else path)
    description = _file(resources.files("models").joinpath("cards.toml") if path is None else path.with_suffix(".toml"))
    facts = read_facts(description)
    if facts.file != file.name:
        raise ModelError(f"{description.name} describes {facts.file}, not {file.name}")
    data = file.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != facts.sha256:
        raise ModelError(
            f"{file.name} is not the model that {description.name} describes: sha256 {found}, expected {facts.sha256}"
        )
    return facts, data


def read_facts(description: Traversable | Path) -> ModelFacts:
    """Read and check a model's description; `ModelError` says which entry does not fit."""
    try:
        told = tomllib.loads(description.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{description.name} is no TOML: {error}") from error
    width, height = WINDOW_PX
    source = description.name
    labels = _entry(told, "labels", list, source)
    if tuple(labels) != NAMES:
        raise ModelError(f"{source}: {_difference(labels)}")
    shape = _entry(told, "input", dict, source)
    for name, expected in (("width", width), ("height", height), ("colours", COLOURS)):
        if shape.get(name) != expected:
            raise ModelError(f"{source}: input {name} is {shape.get(name)!r}, this program gives {expected!r}")
    threshold = float(_entry(told, "min_confidence", (int, float), source))
    if not 0 <= threshold <= 1:
        raise ModelError(f"{source}: min_confidence is {threshold}, expected a probability from 0 to 1")
    return ModelFacts(
        _entry(told, "file", str, source),
        _entry(told, "sha256", str, source),
        threshold,
        _entry(shape, "name", str, source),
        _entry(_entry(told, "output", dict, source), "name", str, source),
    )


def _difference(labels: list[Any]) -> str:
    if len(labels) != len(NAMES):
        return f"{len(labels)} labels, expected {len(NAMES)}"
    at = next(i for i, pair in enumerate(zip(labels, NAMES, strict=True)) if pair[0] != pair[1])
    return f"label {at} is {labels[at]!r}, expected {NAMES[at]!r}"


def _entry(told: Mapping[str, Any], name: str, kind: type | tuple[type, ...], source: str) -> Any:
    value = told.get(name)
    if not isinstance(value, kind):
        raise ModelError(f"{source}: {name} is {'missing' if value is None else repr(value)}")
    return value


def _file(path: Traversable | Path) -> Traversable | Path:
    if not path.is_file():
        raise ModelError(f"no model file {path.name} where it is expected ({path})")
    return path


def session_options() -> onnxruntime.SessionOptions:
    """How every session of ours runs: on one thread that does not spin."""
    options = onnxruntime.SessionOptions()
    # Five windows are too little work to share, and threads that spin while they wait would cost a whole core.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    options.log_severity_level = 3
    return options


def _session(data: bytes, name: str, facts: ModelFacts) -> onnxruntime.InferenceSession:
    try:
        session = onnxruntime.InferenceSession(data, session_options(), providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's own errors share no base but this one
        raise ModelError(f"{name} is no model that can be run: {error}") from error
    _check_ports(session, name, facts)
    return session


def _check_ports(session: onnxruntime.InferenceSession, name: str, facts: ModelFacts) -> None:
    width, height = WINDOW_PX
    inputs = {port.name: (port.type, list(port.shape[1:])) for port in session.get_inputs()}
    outputs = {port.name: (port.type, list(port.shape[1:])) for port in session.get_outputs()}
    expected = {facts.input_name: ("tensor(uint8)", [height, width, 3])}, {facts.output_name: ("tensor(float)", [len(LABELS)])}
    for found, wanted, what in ((inputs, expected[0], "takes"), (outputs, expected[1], "gives")):
        if found != wanted:
            raise ModelError(f"{name} {what} {found}, expected {wanted}")
