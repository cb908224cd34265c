"""Networks as ONNX Runtime sessions on the CPU; the runtime is imported only when a network is loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.vision.errors import DetectorError
from kibitz.vision.types import ByteArray, FloatArray

STRIDE = 32
"""Sides of a network's input picture are multiples of this."""


class Runner(Protocol):
    """Runs one network; `Network` is the usual one."""

    def run(self, batch: FloatArray) -> list[FloatArray]:
        """All outputs for one float32 batch."""
        ...


class Network:
    """One .onnx file, loaded."""

    def __init__(self, path: Path, threads: int = 2, change: Callable[[bytes], bytes] | None = None) -> None:
        """Loads a network.

        Args:
            path: the .onnx file.
            threads: cores that one inference may use.
            change: what is done to the file's bytes before they are used.

        Raises:
            DetectorError: the file is missing or is no network.
        """
        if not path.is_file():
            raise DetectorError(f"expected a network file, but {path} does not exist; reinstall or name another")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            model = change(path.read_bytes()) if change else str(path)
            self._session: Any = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except (RuntimeError, ValueError) as error:  # onnxruntime's own errors derive from RuntimeError
            first = str(error).splitlines()[0]
            raise DetectorError(f"expected an ONNX network, but {path} cannot be loaded: {first}") from error
        self._input: str = self._session.get_inputs()[0].name

    def run(self, batch: FloatArray) -> list[FloatArray]:
        """All outputs for one float32 batch."""
        return [np.asarray(out, np.float32) for out in self._session.run(None, {self._input: batch})]


def to_input(picture: ByteArray, size: tuple[int, int]) -> FloatArray:
    """(1, 3, H, W) RGB 0..1 of a picture, padded at the right and below with grey to `size` = (H, W)."""
    padded = np.full((*size, 3), 114, np.uint8)
    padded[: picture.shape[0], : picture.shape[1]] = picture
    return np.ascontiguousarray(padded[:, :, ::-1].transpose(2, 0, 1)[None], np.float32) / np.float32(255)


def round_up(pixels: int) -> int:
    """The next multiple of the stride."""
    return -(-pixels // STRIDE) * STRIDE


def decode(output: npt.NDArray[Any], classes: int, threshold: float) -> tuple[FloatArray, FloatArray]:
    """Quads and class scores above the threshold from a pose head's output.

    Args:
        output: (1, 4 + classes + 8, A): box, class scores 0..1, four key points x, y.
        classes: number of classes.
        threshold: least score of the best class.

    Returns:
        quads (N, 4, 2) in pixels of the network's input, scores (N, classes).

    Raises:
        DetectorError: the output has another form.
    """
    if output.ndim != 3 or output.shape[1] != 4 + classes + 8:
        text = f"expected a network output (1, {4 + classes + 8}, any), got {output.shape}"
        raise DetectorError(f"{text}; the network is none of this program's kind")
    rows = output[0].T
    scores = rows[:, 4 : 4 + classes]
    chosen = scores.max(axis=1) >= threshold
    quads = rows[chosen, 4 + classes :].reshape(-1, 4, 2)
    return np.asarray(quads, np.float32), np.asarray(scores[chosen], np.float32)
