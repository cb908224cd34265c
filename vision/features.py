"""The classifier's features: what its last layer is given, as one more output of the same network.

An .onnx file is a protocol buffer, and two protocol buffers written one after the other are one in which lists are
joined. So a few bytes at the end of the file add an output, and no library for editing networks is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.vision.errors import DetectorError

_GRAPH, _NODE, _OUTPUT = 7, 1, 12  # fields of ModelProto and GraphProto
_NODE_INPUT, _NODE_OUTPUT = 1, 2
_FLOAT = b"\x0a\x02\x08\x01"  # TypeProto: a tensor of float
_BYTES = 2  # wire type of everything that has a length


def with_features(model: bytes, head: str = "symbol") -> bytes:
    """The network with the input of the layer `head` as its last output.

    Raises:
        DetectorError: no layer of the network gives `head`.
    """
    for graph in _fields(model, _GRAPH):
        for node in _fields(graph, _NODE):
            if head.encode() in _fields(node, _NODE_OUTPUT):
                name = next(_fields(node, _NODE_INPUT))
                return model + _field(_GRAPH, _field(_OUTPUT, _field(1, name) + _field(2, _FLOAT)))
    raise DetectorError(f"expected a network with an output {head!r}, found none; the file is none of our classifiers")


def _fields(message: bytes, wanted: int) -> Iterator[bytes]:
    """The values with a length that field `wanted` of a message has, in their order."""
    at = 0
    while at < len(message):
        key, at = _number(message, at)
        kind = key & 7
        if kind == _BYTES:
            length, at = _number(message, at)
            if key >> 3 == wanted:
                yield message[at : at + length]
            at += length
        elif kind == 0:
            _, at = _number(message, at)
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        else:
            raise DetectorError("expected an .onnx network, got a file that is none; install kibitz again")


def _number(message: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where the next thing begins."""
    value = shift = 0
    while at < len(message):
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    raise DetectorError("expected an .onnx network, got one that is cut off; install kibitz again")


def _field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
