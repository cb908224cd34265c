"""The index detector on OpenVINO (an optional install): the same network and looks as `onnx`, another run time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from kibitz.vision.detectors import DetectorOptions
from kibitz.vision.detectors.onnx import OnnxDetector
from kibitz.vision.errors import DetectorError
from kibitz.vision.types import FloatArray, ModelPaths


def load(paths: ModelPaths, options: DetectorOptions) -> OnnxDetector:
    """The detector of `paths.index`.

    Raises:
        DetectorError: OpenVINO is not installed, or the file cannot be loaded by it.
    """
    return OnnxDetector(OpenVinoNetwork(paths.index, options.threads), paths.index_threshold, options.scales)


class OpenVinoNetwork:
    """One .onnx file, compiled for the processor."""

    def __init__(self, path: Path, threads: int = 2) -> None:
        """Compiles the network.

        Raises:
            DetectorError: OpenVINO is not installed, or the file is missing or no network.
        """
        if not path.is_file():
            raise DetectorError(f"expected a network file, but {path} does not exist; reinstall or name another")
        try:
            import openvino
        except ImportError as error:
            text = "expected the package openvino for this detector, but it is not installed"
            raise DetectorError(f"{text}; pip install 'kibitz[openvino]', or use the detector onnx") from error
        settings = {
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": "LATENCY",
            # bf16, the default on processors that have it, moves corners by pixels in wide pictures
            "INFERENCE_PRECISION_HINT": "f32",
        }
        try:
            self._model: Any = openvino.Core().compile_model(str(path), "CPU", settings)
        except RuntimeError as error:
            first = str(error).splitlines()[0]
            raise DetectorError(f"expected an ONNX network, but {path} cannot be loaded: {first}") from error

    def run(self, batch: FloatArray) -> list[FloatArray]:
        """All outputs for one float32 batch."""
        found = self._model([batch])
        return [np.asarray(found[output], np.float32) for output in self._model.outputs]
