"""Any index model given as .pt or .onnx, run by ultralytics (an optional install; the shipped networks do not need it).

The model must be a pose model whose first four key points are an index's corners TL, TR, BR, BL; a plain box model is
accepted too, then every index is taken as upright.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.vision import geometry
from kibitz.vision.detectors import DetectorOptions
from kibitz.vision.errors import DetectorError
from kibitz.vision.session import round_up
from kibitz.vision.types import FloatArray, Frame, IndexDetections, ModelPaths


def load(paths: ModelPaths, options: DetectorOptions) -> UltralyticsDetector:
    """The detector of `paths.index`.

    Raises:
        DetectorError: ultralytics is not installed, or the file cannot be loaded by it.
    """
    if not paths.index.is_file():
        raise DetectorError(f"expected a model file, but {paths.index} does not exist; name another with --weights")
    try:
        from ultralytics import YOLO
    except ImportError as error:
        text = "expected the package ultralytics for this detector, but it is not installed"
        raise DetectorError(f"{text}; pip install 'kibitz[train]', or use the detector onnx") from error
    try:
        model: Any = YOLO(str(paths.index), task="pose")
    except (RuntimeError, ValueError, TypeError, OSError, NotImplementedError) as error:
        raise DetectorError(f"expected an index model, but ultralytics cannot load {paths.index}: {error}") from error
    return UltralyticsDetector(model, paths.index_threshold, options.scales or (1.0,))


class UltralyticsDetector:
    """Runs a model at fixed scales."""

    def __init__(self, model: Any, threshold: float, scales: tuple[float, ...]) -> None:
        """Keeps the model."""
        self._model, self._threshold, self._scales = model, threshold, scales

    def detect(self, frame: Frame) -> IndexDetections:
        """The indices, in pixels of `frame.picture`, best first."""
        looks = [self._look(frame, scale) for scale in self._scales]
        quads = np.concatenate([quads for quads, _ in looks])
        scores = np.concatenate([scores for _, scores in looks])
        proper = geometry.is_proper(quads)
        found = IndexDetections(quads[proper], scores[proper])
        return found.take(geometry.suppress(found.quads, found.scores, 0.45, 0.6))

    def _look(self, frame: Frame, scale: float) -> tuple[FloatArray, FloatArray]:
        size = round_up(round(max(frame.picture.shape[:2]) * scale))
        result = self._model.predict(frame.picture, imgsz=size, conf=self._threshold, max_det=1000, verbose=False)[0]
        scores = np.asarray(result.boxes.conf.cpu().numpy(), np.float32)
        if result.keypoints is not None and result.keypoints.xy.shape[1] >= 4:
            return np.asarray(result.keypoints.xy.cpu().numpy()[:, :4], np.float32), scores
        box = np.asarray(result.boxes.xyxy.cpu().numpy(), np.float32).reshape(-1, 4)
        return np.stack([box[:, [0, 1]], box[:, [2, 1]], box[:, [2, 3]], box[:, [0, 3]]], axis=1), scores
