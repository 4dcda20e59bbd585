"""The trained net as one ONNX file that answers in the order of `vision.classifier.LABELS`, and its description in TOML."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from models.training.net import ANSWERS, CardNet, folded
from vision.classifier import LABELS
from vision.layout import WINDOW_PX

INPUT, OUTPUT = "patches", "probabilities"


def export_onnx(net: CardNet, temperatures: tuple[float, float, float], path: Path) -> None:
    """Write the net: count x 96 x 48 x 3 bytes in, count x 57 probabilities out.

    `temperatures` divide the scores of rank, suit and kind.  A card's probability is that of being a card, times that of
    its rank, times that of its suit.
    """
    graph = _Graph()
    graph.node("Cast", [INPUT], "floats", to=TensorProto.FLOAT)
    at = graph.node("Transpose", ["floats"], "picture", perm=[0, 3, 1, 2])
    for number, layer in enumerate(folded(net)):
        weight = graph.constant(f"weight{number}", layer.weight.numpy())
        bias = graph.constant(f"bias{number}", layer.bias.numpy())
        strides = [layer.stride, layer.stride]
        raw = graph.node("Conv", [at, weight, bias], f"raw{number}", strides=strides, pads=[1, 1, 1, 1], kernel_shape=[3, 3])
        if layer.adds:
            raw = graph.node("Add", [raw, at], f"sum{number}")
        at = graph.node("Relu", [raw], f"seen{number}")
    flat = graph.node("Flatten", [at], "flat", axis=1)
    scale = np.repeat(1 / np.float32(temperatures), ANSWERS)
    weight = net.head.weight.detach().numpy() * scale[:, None]
    bias = net.head.bias.detach().numpy() * scale
    head = [flat, graph.constant("head", weight), graph.constant("head_bias", bias)]
    scores = graph.node("Gemm", head, "scores", transB=1)
    rank, suit, kind = _answers(graph, scores)
    suit = graph.node("Unsqueeze", [suit, graph.constant("two", np.array([2], np.int64))], "suit_column")
    rank = graph.node("Unsqueeze", [rank, graph.constant("one", np.array([1], np.int64))], "rank_row")
    pairs = graph.node("Mul", [suit, rank], "pairs")
    cards = graph.node("Reshape", [pairs, graph.constant("cards_shape", np.array([-1, 52], np.int64))], "cards")
    present = _columns(graph, kind, 0, 1, "is_card")
    cards = graph.node("Mul", [cards, present], "named")
    graph.node("Concat", [cards, _columns(graph, kind, 1, ANSWERS[2], "marks")], OUTPUT, axis=1)
    _save(graph, path)


def _answers(graph: _Graph, scores: str) -> tuple[str, ...]:
    names, start = [], 0
    for name, count in zip(("rank", "suit", "kind"), ANSWERS, strict=True):
        part = _columns(graph, scores, start, start + count, f"{name}_scores")
        names.append(graph.node("Softmax", [part], name, axis=1))
        start += count
    return tuple(names)


def _columns(graph: _Graph, source: str, start: int, stop: int, name: str) -> str:
    limits = [np.array([start], np.int64), np.array([stop], np.int64), np.array([1], np.int64)]
    return graph.node("Slice", [source, *(graph.constant(f"{name}_{i}", limit) for i, limit in enumerate(limits))], name)


class _Graph:
    """Nodes and constants under construction."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def node(self, kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def constant(self, name: str, value: np.ndarray) -> str:
        kept = value.astype(np.float32) if value.dtype.kind == "f" else value
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(kept), name))
        return name


def _save(graph: _Graph, path: Path) -> None:
    width, height = WINDOW_PX
    patches = helper.make_tensor_value_info(INPUT, TensorProto.UINT8, ["count", height, width, 3])
    answers = helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["count", len(LABELS)])
    made = helper.make_graph(graph.nodes, "cards", [patches], [answers], graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], producer_name="viewmat")
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.SerializeToString(deterministic=True))


def mmac(net: CardNet) -> float:
    """Millions of multiply-adds for one window."""
    width, height = WINDOW_PX
    total = net.head.weight.numel()
    for layer in folded(net):
        width, height = -(-width // layer.stride), -(-height // layer.stride)
        total += layer.weight.numel() * width * height
    return total / 1e6


def write_description(path: Path, onnx_path: Path, facts: dict[str, object], sections: dict[str, object]) -> None:
    """`cards.toml` beside the model: what the reader must know to use it, and where it comes from."""
    data = onnx_path.read_bytes()
    width, height = WINDOW_PX
    lines = [
        "# Written by models/training/train.py.",
        f'file = "{onnx_path.name}"',
        f'sha256 = "{hashlib.sha256(data).hexdigest()}"',
        f"bytes = {len(data)}",
        f"labels = {_toml([_label(seen) for seen in LABELS])}",
        "",
        "[input]",
        f'name = "{INPUT}"',
        f"width = {width}",
        f"height = {height}",
        'colours = "blue green red"',
        'layout = "count height width colour"',
        'scaling = "bytes 0 to 255; the model scales them itself"',
        "",
        "[output]",
        f'name = "{OUTPUT}"',
        "",
    ]
    for name, value in facts.items():
        lines.insert(4, f"{name} = {_toml(value)}")
    for name, section in sections.items():
        lines.append(f"[{name}]")
        assert isinstance(section, dict)
        lines += [f"{_key(key)} = {_toml(value)}" for key, value in section.items()]
        lines.append("")
    path.write_text("\n".join(lines), encoding="utf-8")


def _label(seen: object) -> str:
    return str(getattr(seen, "value", seen))


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else f'"{name}"'


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}" if "." in f"{value:.6g}" or "e" in f"{value:.6g}" else f"{value:.1f}"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(str(k))} = {_toml(v)}" for k, v in value.items()) + " }"
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
