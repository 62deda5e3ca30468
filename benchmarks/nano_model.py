"""A nano detector of random weights, for the time that looking at the whole frame would take; nobody learns from it.

Shaped as the usual small ones (a stem, depthwise separable stages to a sixteenth, heads at an eighth with 54 cards and
a box): about 3 GMAC a megapixel. Written as an ONNX file byte by byte, so that no further package is needed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

CLASSES = 54


def nano(height: int, width: int, seed: int = 0) -> tuple[bytes, float]:
    """The model for float32 (1, 3, *height*, *width*), and its billions of multiplications."""
    rng = np.random.default_rng(seed)
    nodes: list[bytes] = []
    weights: list[bytes] = []
    work = 0.0

    def conv(source: str, into: int, out: int, size: int, stride: int, groups: int, at: int) -> str:
        nonlocal work
        name = f"n{len(nodes)}"
        shape = (out, into // groups, size, size)
        weights.append(_tensor(name + "w", rng.normal(0, 0.1, shape).astype(np.float32)))
        attributes = [_ints("kernel_shape", [size] * 2), _ints("strides", [stride] * 2), _ints("pads", [size // 2] * 4)]
        nodes.append(_node("Conv", [source, name + "w"], name, [*attributes, _int("group", groups)]))
        nodes.append(_node("Relu", [name], name + "r", []))
        work += out * (into // groups) * size * size * (height / at) * (width / at) / 1e9
        return name + "r"

    at, x, channels = 2, conv("image", 3, 24, 3, 2, 1, 2), 24
    eighth = ""
    for out, stride, repeats in ((48, 2, 2), (96, 2, 4), (192, 2, 4)):
        for place in range(repeats):
            step = stride if place == 0 else 1
            at *= step
            x = conv(x, channels, channels, 3, step, channels, at)
            x = conv(x, channels, out, 1, 1, 1, at)
            channels = out
        eighth = x if at == 8 else eighth
    for _ in range(2):
        eighth = conv(conv(eighth, 96, 96, 3, 1, 96, 8), 96, 96, 1, 1, 1, 8)
    found = conv(eighth, 96, CLASSES + 5, 1, 1, 1, 8)
    deep = conv(x, channels, CLASSES + 5, 1, 1, 1, at)
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, b"nano") + b"".join(_field(5, w) for w in weights)
    graph += _field(11, _value("image", [1, 3, height, width]))
    graph += _field(12, _value(found, [1, CLASSES + 5, -(-height // 8), -(-width // 8)]))
    graph += _field(12, _value(deep, [1, CLASSES + 5, -(-height // at), -(-width // at)]))
    return _number(1, 7) + _field(7, graph) + _field(8, _number(2, 13)), work


def _varint(value: int) -> bytes:
    out = b""
    while True:
        out += bytes([value & 127 | (128 if value > 127 else 0)])
        value >>= 7
        if not value:
            return out


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _field(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _tensor(name: str, values: np.ndarray) -> bytes:
    dims = b"".join(_number(1, side) for side in values.shape)
    return dims + _number(2, 1) + _field(8, name.encode()) + _field(9, values.tobytes())


def _int(name: str, value: int) -> bytes:
    return _field(1, name.encode()) + _number(3, value) + _number(20, 2)


def _ints(name: str, values: Sequence[int]) -> bytes:
    return _field(1, name.encode()) + b"".join(_number(8, value) for value in values) + _number(20, 7)


def _node(kind: str, inputs: Sequence[str], output: str, attributes: Sequence[bytes]) -> bytes:
    ends = b"".join(_field(1, name.encode()) for name in inputs) + _field(2, output.encode())
    return ends + _field(4, kind.encode()) + b"".join(_field(5, each) for each in attributes)


def _value(name: str, shape: Sequence[int]) -> bytes:
    dims = b"".join(_field(1, _number(1, side)) for side in shape)
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, 1) + _field(2, dims)))
