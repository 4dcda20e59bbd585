"""What the model sees in a window before it names anything: the values that a taught deck is recognised by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.classifier import LABELS, Patches, Reading
from vision.errors import ModelError
from vision.onnx_classifier import BATCH, ModelFacts, checked_model, session_options

Features = NDArray[np.float32]
"""count x size, none of them negative."""
TENSOR = "flat"
"""Name of the values that the model's last layer judges."""
_GRAPH, _OUTPUT, _NAME = 0x3A, 0x62, 0x0A
"""Keys of ``ModelProto.graph``, ``GraphProto.output`` and ``ValueInfoProto.name`` in an ONNX file."""


class FeatureModel:
    """The model with a second answer; safe to use from several threads."""

    def __init__(self, facts: ModelFacts, session: onnxruntime.InferenceSession) -> None:
        self.facts = facts
        self._session = session

    @classmethod
    def load(cls, path: Path | None = None) -> FeatureModel:
        """The packaged model, or the one at `path`; raise `ModelError` where it cannot be had or shows no features."""
        facts, data = checked_model(path)
        try:
            session = onnxruntime.InferenceSession(
                with_output(data, TENSOR), session_options(), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # the runtime's own errors share no base but this one
            raise ModelError(f"{facts.file} has no {TENSOR!r} values, so no taught deck can be used with it: {error}") from error
        return cls(facts, session)

    def see(self, patches: Patches) -> tuple[Reading, Features]:
        """Read count x 96 x 48 x 3 bytes: the probabilities over `LABELS`, and the features of every window."""
        readings, features = [np.zeros((0, len(LABELS)), np.float32)], []
        for start in range(0, len(patches), BATCH):
            feed = {self.facts.input_name: np.ascontiguousarray(patches[start : start + BATCH])}
            reading, values = self._session.run([self.facts.output_name, TENSOR], feed)
            readings.append(reading)
            # Roots tame the few strong values; all of them are at least zero.
            features.append(np.sqrt(np.maximum(values, 0.0)))
        return np.concatenate(readings), np.concatenate(features) if features else np.zeros((0, 0), np.float32)


def with_output(model: bytes, name: str) -> bytes:
    """The model with an inner value among its answers.

    An ONNX file is a protocol buffer: what is appended is merged, so one more output needs no library to write.
    """
    output = bytes((_NAME, len(name))) + name.encode("ascii")
    graph = bytes((_OUTPUT, len(output))) + output
    return model + bytes((_GRAPH, len(graph))) + graph
