"""The size of a model, against one written here byte by byte and counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from vision.errors import ModelError
from vision.model_size import measure

FLOAT = 1


def varint(number):
    out = b""
    while number > 0x7F:
        out, number = out + bytes([number & 0x7F | 0x80]), number >> 7
    return out + bytes([number])


def field(number, value):
    """One protobuf field: an integer, a text or a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def node(kind, inputs, output):
    return b"".join(field(1, name) for name in inputs) + field(2, output) + field(3, output) + field(4, kind)


def weights(name, *shape):
    dims = b"".join(field(1, side) for side in shape)
    return dims + field(2, FLOAT) + field(8, name) + field(9, np.zeros(shape, np.float32).tobytes())


def port(name, *shape):
    dims = b"".join(field(1, field(1, side) if isinstance(side, int) else field(2, side)) for side in shape)
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, dims)))


def small_model():
    """A 3x3 convolution of 2 colours to 4 on 6 x 8 pixels, and a product of its 4 x 4 x 6 values to 5."""
    nodes = [
        node("Conv", ("x", "kernel", "bias"), "a"),
        node("Relu", ("a",), "b"),
        node("Flatten", ("b",), "c"),
        node("Gemm", ("c", "matrix", "offset"), "y"),
    ]
    tensors = [weights("kernel", 4, 2, 3, 3), weights("bias", 4), weights("matrix", 96, 5), weights("offset", 5)]
    graph = b"".join(field(1, one) for one in nodes) + field(2, "small") + b"".join(field(5, one) for one in tensors)
    graph += field(11, port("x", "count", 2, 6, 8)) + field(12, port("y", "count", 5))
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))


def test_parameters_and_products_are_counted():
    model = small_model()
    size = measure(model)
    assert size.parameters == 4 * 2 * 9 + 4 + 96 * 5 + 5
    assert size.multiply_adds == (4 * 4 * 6) * (2 * 9) + 96 * 5
    assert size.megabytes == len(model) / 1e6


def test_what_is_no_model_is_refused():
    with pytest.raises(ModelError, match="no model that can be run"):
        measure(b"queen of hearts")
