"""A detector for tests and demonstrations: it returns what it was told to find."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.vision.detectors import DetectorOptions
from kibitz.vision.types import Frame, IndexDetections, ModelPaths


class FakeDetector:
    """Answers with given detections, or with what a function makes of the frame."""

    def __init__(self, answer: IndexDetections | Callable[[Frame], IndexDetections]) -> None:
        """Keeps the answer."""
        self._answer = answer
        self.frames: list[Frame] = []

    def detect(self, frame: Frame) -> IndexDetections:
        """The given answer; the frame is kept in `frames`."""
        self.frames.append(frame)
        return self._answer(frame) if callable(self._answer) else self._answer


def load(paths: ModelPaths, options: DetectorOptions) -> FakeDetector:
    """A fake that finds nothing."""
    return FakeDetector(IndexDetections.empty())
