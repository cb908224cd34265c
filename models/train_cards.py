"""Trains the coarse card network on whole pictures of 640x640 and exports it.

python -m kibitz.models.train_cards --data DATA --run RUN [--minutes 30] [--resume] [--start W.pt] [--out OUT.onnx]

`kibitz.models.dataset` must be rendering into DATA meanwhile (and once with `--held-out` into DATA/held_out).
"""

from kibitz.models.train_quads import DetectorRun, train_detector


def main() -> None:
    """Command line."""
    train_detector(DetectorRun(kind="cards", pieces="coarse", scales=(0.7, 1.3), batch=8, half_turn=True))


if __name__ == "__main__":
    main()
