"""One file a detector backend, found by scanning this folder and imported only when chosen.

A backend is a module with a function `load(paths, options) -> Detector`. A new one needs no list to be edited.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from kibitz.vision.errors import DetectorError
from kibitz.vision.types import Frame, IndexDetections, ModelPaths

_PREFIX = "kibitz.vision.detectors."


@dataclass(frozen=True, slots=True)
class DetectorOptions:
    """What a caller may set for any backend.

    Attributes:
        threads: cores that one inference may use.
        scales: fixed scales to look at; empty = chosen by the size of the indices.
    """

    threads: int = 2
    scales: tuple[float, ...] = ()


@runtime_checkable
class Detector(Protocol):
    """Finds corner indices on a frame; which card they belong to is not its business."""

    def detect(self, frame: Frame) -> IndexDetections:
        """The indices, in pixels of `frame.picture`, best first."""
        ...


def names() -> tuple[str, ...]:
    """The backends that are installed, sorted; none of them is imported by this."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")))


def load(paths: ModelPaths, options: DetectorOptions | None = None) -> Detector:
    """The detector that `paths.detector` names.

    Raises:
        DetectorError: there is no such backend, or it cannot load its network.
    """
    if paths.detector not in names():
        raise DetectorError(f"expected a detector of {', '.join(names())}, got {paths.detector!r}; choose one of them")
    module = importlib.import_module(_PREFIX + paths.detector)
    detector = module.load(paths, options or DetectorOptions())
    if not isinstance(detector, Detector):
        raise DetectorError(f"expected detect() in the detector of backend {paths.detector!r}, got {detector!r}")
    return detector
