"""Trains the index detector on tiles of 320x320 and exports it.

python -m kibitz.models.train_index --data DATA --run RUN [--minutes 50] [--resume] [--start W.pt] [--out OUT.onnx]

`kibitz.models.dataset` must be rendering into DATA meanwhile (and once with `--held-out` into DATA/held_out).
"""

from kibitz.models.train_quads import DetectorRun, train_detector


def main() -> None:
    """Command line."""
    train_detector(DetectorRun(kind="index", pieces="tiles", scales=(0.75, 1.35), batch=16, half_turn=False))


if __name__ == "__main__":
    main()
