"""The shipped networks: interface, metadata, size, and that they read a rendered table. Needs no torch."""

import ast
import json
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import pytest

from kibitz.models.registry import KINDS, checked_path, model_paths, read_manifest
from kibitz.vision.classifier import Classifier
from kibitz.vision.detectors import DetectorOptions, load
from kibitz.vision.symbols import ALPHABETS, SYMBOLS
from kibitz.vision.types import Frame

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "images"


def session(kind: str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(checked_path(read_manifest()[kind])), options)


def run(kind: str, shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    network = session(kind)
    return [out.shape for out in network.run(None, {network.get_inputs()[0].name: np.zeros(shape, np.float32)})]


def test_together_they_are_at_most_12_megabytes() -> None:
    assert sum(checked_path(entry).stat().st_size for entry in read_manifest().values()) <= 12e6


def test_every_network_is_in_the_manifest_with_its_training_run() -> None:
    assert set(read_manifest()) == set(KINDS)
    assert all(entry.run for entry in read_manifest().values())


def test_detector_answers_for_any_size_at_strides_8_and_16() -> None:
    assert run("index", (1, 3, 320, 480)) == [(1, 13, 40 * 60 + 20 * 30)]


def test_coarse_network_knows_two_classes_at_three_strides() -> None:
    assert run("cards", (1, 3, 384, 640)) == [(1, 14, 48 * 80 + 24 * 40 + 12 * 20)]


def test_classifier_takes_any_number_of_crops() -> None:
    assert run("classify", (3, 3, 64, 40)) == [(3, 24), (3, 4)]
    assert read_manifest()["classify"].classes == (*SYMBOLS, "not an index")


@pytest.mark.parametrize(("kind", "names"), [("index", {0: "index"}), ("cards", {0: "face", 1: "back"})])
def test_metadata_is_what_ultralytics_needs_to_load_them(kind: str, names: dict[int, str]) -> None:
    meta = session(kind).get_modelmeta().custom_metadata_map
    assert meta["task"] == "pose"
    assert ast.literal_eval(meta["names"]) == names
    assert ast.literal_eval(meta["kpt_shape"]) == [4, 2]
    assert int(meta["stride"]) in (16, 32)


def test_every_face_up_card_of_a_rendered_deal_is_read() -> None:
    truth = json.loads((FIXTURES / "klondike_deal.json").read_text("utf-8"))
    wanted = {card["label"] for card in truth["cards"] if card["face_up"]}
    assert len(wanted) == 7
    picture = np.asarray(cv2.imread(str(FIXTURES / "klondike_deal.jpg")), np.uint8)
    paths = model_paths()
    quads = load(paths, DetectorOptions(threads=1)).detect(Frame(picture)).quads
    readings = Classifier.load(paths, 1).read(picture, quads).readings
    sure = readings.symbols.max(1) * readings.suits.max(1) > 0.8
    seen = zip(readings.symbols[sure].argmax(1), readings.suits[sure].argmax(1), strict=True)
    latin = ALPHABETS["latin"]
    labels = {
        "A23456789TJQK"[latin[SYMBOLS[symbol]] - 1] + "CDHS"[suit]
        for symbol, suit in seen
        if symbol < len(SYMBOLS) and SYMBOLS[symbol] in latin
    }
    assert labels == wanted
