"""How large a model is, measured by running it once: parameters and multiply-adds, without any tool but the runtime."""

from __future__ import annotations

import json
import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from vision.errors import ModelError

BYTES = {"float": 4, "float16": 2, "double": 8, "int8": 1, "uint8": 1, "int32": 4, "int64": 8, "bool": 1}
MULTIPLYING = {"Conv", "Gemm", "MatMul"}


@dataclass(frozen=True, slots=True)
class ModelSize:
    """Size of a model for one window."""

    parameters: int
    multiply_adds: int
    """Of convolutions and matrix products; additions of biases and activations are not counted."""
    megabytes: float
    """Of the file; a megabyte is 1,000,000 bytes."""


def measure(model: bytes) -> ModelSize:
    """Run the model (the content of its file) once on zeros and add up what its nodes report; `ModelError` for no model."""
    nodes = _profile(model)
    parameters = sum(_parameters(node) for node in nodes)
    multiply_adds = sum(_multiply_adds(node) for node in nodes if node["op_name"] in MULTIPLYING)
    return ModelSize(parameters, multiply_adds, len(model) / 1e6)


def _profile(model: bytes) -> list[dict[str, Any]]:
    options = onnxruntime.SessionOptions()
    options.enable_profiling = True
    options.intra_op_num_threads = 1
    # The graph as it stands in the file: no fused nodes, and weights where their shapes can be seen.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.disable_prepacking", "1")
    with tempfile.TemporaryDirectory() as folder:
        options.profile_file_prefix = str(Path(folder) / "model")
        try:
            session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime's own errors share no base but this one
            raise ModelError(f"no model that can be run: {error}") from error
        inputs = {
            entry.name: np.zeros([side if isinstance(side, int) else 1 for side in entry.shape], _dtype(entry.type))
            for entry in session.get_inputs()
        }
        session.run(None, inputs)
        events = json.loads(Path(session.end_profiling()).read_text())
    return [event["args"] for event in events if event["cat"] == "Node" and "input_type_shape" in event.get("args", {})]


def _dtype(name: str) -> str:
    return {"tensor(float)": "float32", "tensor(uint8)": "uint8", "tensor(float16)": "float16"}[name]


def _shapes(node: dict[str, Any], key: str) -> list[tuple[int, int]]:
    """Per tensor its number of elements and of bytes."""
    return [
        (math.prod(shape), math.prod(shape) * BYTES.get(kind, 4)) for entry in node[key] for kind, shape in entry.items()
    ]


def _parameters(node: dict[str, Any]) -> int:
    weight_bytes = int(node["parameter_size"])
    inputs = _shapes(node, "input_type_shape")
    for chosen in (inputs[1:], inputs, inputs[:1]):
        if sum(size for _, size in chosen) == weight_bytes:
            return sum(count for count, _ in chosen)
    return weight_bytes // BYTES["float"]


def _multiply_adds(node: dict[str, Any]) -> int:
    """Elements of the output times the length of the products that make one of them."""
    outputs, _ = _shapes(node, "output_type_shape")[0]
    first, second = (next(iter(entry.values())) for entry in node["input_type_shape"][:2])
    length = math.prod(second[1:]) if node["op_name"] == "Conv" else first[-1]
    return outputs * int(length)
