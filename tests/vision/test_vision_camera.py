"""Sources of every kind: recordings, folders, a phone on the loopback address, and a camera whose plug is pulled."""

import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kibitz.vision.camera import (
    CameraError,
    CameraOptions,
    FileSource,
    FolderSource,
    LiveSource,
    NewestFrame,
    Shot,
    SourceEvent,
    open_source,
)
from kibitz.vision.camera_devices import CameraName, camera_number, is_live, list_cameras, lock_picture
from kibitz.vision.types import ByteArray

SIZE = (320, 240)


def scene(card_at: int) -> ByteArray:
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 95, 40), np.uint8)
    cv2.rectangle(picture, (card_at, 80), (card_at + 60, 165), (240, 240, 240), -1)
    return picture


def film(path: Path, pictures: Sequence[ByteArray], rate: float = 20) -> Path:
    """A lossless recording."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"FFV1"), rate, SIZE)
    assert writer.isOpened()
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Two still tables, two seconds each."""
    return film(tmp_path / "table.mkv", [scene(40)] * 40 + [scene(200)] * 40)


class Told:
    """Notes what a source tells."""

    def __init__(self) -> None:
        self.events: list[tuple[SourceEvent, str]] = []

    def __call__(self, event: SourceEvent, name: str) -> None:
        self.events.append((event, name))

    @property
    def kinds(self) -> list[SourceEvent]:
        return [event for event, _ in self.events]


class Plugged:
    """A camera that gives so many frames and then nothing; notes what was set."""

    def __init__(self, frames: int) -> None:
        self.left, self.released, self.grabbed = frames, False, 0
        self.settings: dict[int, float] = {}

    def grab(self) -> bool:
        self.left -= 1
        self.grabbed += 1
        return self.left >= 0

    def retrieve(self) -> tuple[bool, Any]:
        return True, scene(40)

    def get(self, prop: int, /) -> float:
        return 156.0 if prop == cv2.CAP_PROP_EXPOSURE else 0.0

    def set(self, prop: int, value: float, /) -> bool:
        self.settings[prop] = value
        return True

    def release(self) -> None:
        self.released = True


class Socket:
    """Opens a camera, refuses twice after the plug was pulled, and then opens it again."""

    def __init__(self, *captures: Plugged | None) -> None:
        self._captures: Iterator[Plugged | None] = iter(captures)

    def __call__(self, name: str, options: CameraOptions) -> Plugged:
        capture = next(self._captures)
        if capture is None:
            raise CameraError(f"{name} is not there")
        return capture


def taken(shots: Iterator[Shot], count: int) -> list[Shot]:
    return [next(shots) for _ in range(count)]


QUICK = CameraOptions(retry_seconds=0.001, rate=1e9)


class TestLive:
    def test_unplugged_and_back(self) -> None:
        first, second, told = Plugged(3), Plugged(100), Told()
        source = LiveSource("0", QUICK, told, Socket(first, None, None, second))
        shots = iter(source)
        assert len(taken(shots, 3)) == 3
        assert told.events == []
        next(shots)
        assert told.events == [(SourceEvent.LOST, "0"), (SourceEvent.BACK, "0")]
        assert (first.released, second.released) == (True, False)
        source.close()
        assert list(shots) == []
        assert second.released

    def test_no_more_pictures_are_decoded_than_asked_for(self) -> None:
        camera = Plugged(10**9)
        shots = iter(LiveSource("0", CameraOptions(rate=20), Told(), Socket(camera)))
        first, *_, last = taken(shots, 5)
        assert 4 / 20 * 0.99 <= last.seconds - first.seconds < 2
        assert camera.grabbed > 10

    def test_closed_while_it_is_lost(self) -> None:
        told = Told()
        source = LiveSource("0", QUICK, told, Socket(Plugged(1), None, None, None, Plugged(1)))
        shots = iter(source)
        next(shots)
        source.close()
        assert list(shots) == []

    def test_exposure_is_locked_once_and_again_after_it_came_back(self) -> None:
        first, second = Plugged(3), Plugged(100)
        source = LiveSource("0", QUICK, Told(), Socket(first, second))
        shots = iter(source)
        next(shots)
        assert first.settings == {}
        source.lock()
        next(shots)
        assert first.settings[cv2.CAP_PROP_EXPOSURE] == 156.0
        assert first.settings[cv2.CAP_PROP_AUTO_WB] == 0
        assert source.locked is True
        taken(shots, 2)
        assert second.settings == {}
        source.lock()
        next(shots)
        assert second.settings[cv2.CAP_PROP_AUTO_WB] == 0

    def test_a_driver_that_sets_nothing(self) -> None:
        class Stubborn(Plugged):
            def set(self, prop: int, value: float, /) -> bool:
                return False

        assert not lock_picture(Stubborn(1))

    def test_the_newest_frame_goes_on_after_a_loss(self) -> None:
        told = Told()
        source = LiveSource("0", QUICK, told, Socket(Plugged(2), None, Plugged(10**9)))
        with NewestFrame(source) as frames:
            while told.kinds != [SourceEvent.LOST, SourceEvent.BACK]:
                assert frames.get(5) is not None
            assert frames.get(5) is not None
            assert not frames.ended
        assert frames.ended


class TestFiles:
    def test_every_frame_with_its_time(self, recording: Path) -> None:
        told = Told()
        shots = list(open_source(str(recording), tell=told))
        assert len(shots) == 80
        assert [shots[0].seconds, shots[40].seconds] == [0, 2.0]
        assert (shots[39].picture == scene(40)).all()
        assert (shots[40].picture == scene(200)).all()
        assert told.events == [(SourceEvent.ENDED, str(recording))]

    def test_a_file_is_played_at_its_own_speed(self, recording: Path) -> None:
        start = time.monotonic()
        with NewestFrame(str(recording)) as frames:
            count = sum(1 for _ in frames)
        assert 3.5 < time.monotonic() - start < 20
        assert count > 20
        assert frames.ended

    def test_a_slow_reader_gets_the_newest_frame(self, recording: Path) -> None:
        with NewestFrame(str(recording)) as frames:
            first = frames.get(5)
            while not frames.ended:
                threading.Event().wait(0.05)
            later = frames.get(5)
        assert first is not None
        assert later is not None
        assert np.abs(first.astype(int) - scene(40)).max() <= 2
        assert np.abs(later.astype(int) - scene(200)).max() <= 2

    def test_a_folder_in_the_order_of_its_numbers(self, tmp_path: Path) -> None:
        for number, at in ((2, 100), (10, 200), (1, 40)):
            cv2.imwrite(str(tmp_path / f"table{number}.png"), scene(at))
        (tmp_path / "table3.png").write_bytes(b"no picture")
        (tmp_path / "notes.txt").write_text("left out")
        told = Told()
        shots = list(open_source(str(tmp_path), tell=told))
        assert [int((shot.picture[100, :, 0] > 200).argmax()) for shot in shots] == [40, 40, 100, 100, 200, 200]
        assert [shot.seconds for shot in shots] == pytest.approx([0, 1, 1, 2, 2, 3], abs=0.01)
        assert told.kinds == [SourceEvent.SKIPPED, SourceEvent.ENDED]
        assert told.events[0][1].endswith("table3.png")

    def test_mirror_and_turn(self, tmp_path: Path) -> None:
        cv2.imwrite(str(tmp_path / "a.png"), scene(40))
        picture = next(iter(FolderSource(str(tmp_path), CameraOptions(mirror=True), Told()))).picture
        assert (picture == scene(40)[:, ::-1]).all()
        picture = next(iter(FolderSource(str(tmp_path), CameraOptions(turn=90), Told()))).picture
        assert (picture == np.rot90(scene(40), -1)).all()
        with pytest.raises(CameraError, match="0, 90, 180, 270"):
            CameraOptions(turn=45)
        with pytest.raises(CameraError, match="1920x1080"):
            CameraOptions(size=(0, 0))

    @pytest.mark.parametrize("source", ["97", "no-such-file.mkv", "http://127.0.0.1:9/video", "no such camera"])
    def test_what_does_not_open_is_told(self, source: str) -> None:
        with pytest.raises(CameraError, match=source):
            NewestFrame(source)

    def test_a_folder_without_pictures_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(CameraError, match="no pictures"):
            open_source(str(tmp_path))


class TestNames:
    @pytest.fixture
    def devices(self, tmp_path: Path) -> Path:
        """A machine with two cameras; the first has a second device for its control data."""
        for number, index, name in ((0, 0, "Built-in"), (1, 1, "Built-in"), (2, 0, "HD Pro Webcam")):
            folder = tmp_path / f"video{number}"
            folder.mkdir()
            (folder / "index").write_text(f"{index}\n")
            (folder / "name").write_text(f"{name}\n")
        return tmp_path

    def test_cameras_are_listed_and_found_by_name(self, devices: Path) -> None:
        assert list_cameras(devices) == (CameraName(0, "Built-in"), CameraName(2, "HD Pro Webcam"))
        assert camera_number("webcam", devices) == 2
        assert camera_number("telescope", devices) is None

    def test_what_is_live(self, recording: Path, tmp_path: Path) -> None:
        assert [is_live(name) for name in ("0", "HD Pro", "http://phone/video", "rtsp://phone/1")] == [True] * 4
        assert [is_live(name) for name in (str(recording), str(tmp_path), "gone.mkv")] == [False] * 3


class _Phone(BaseHTTPRequestHandler):
    """Sends the same sixty pictures whenever it is asked."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        coded = cv2.imencode(".jpg", scene(40))[1].tobytes()
        try:
            for _ in range(60):
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(coded)}\r\n\r\n"
                self.wfile.write(head.encode() + coded + b"\r\n")
        except OSError:
            return

    def log_message(self, format: str, *values: object) -> None:
        return


@pytest.fixture
def phone() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Phone)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/video"
    server.shutdown()
    server.server_close()


def test_a_phone_that_sends_pictures_over_http_is_called_again_when_it_stops(phone: str) -> None:
    told = Told()
    with NewestFrame(phone, QUICK, told) as frames:
        while SourceEvent.BACK not in told.kinds:
            picture = frames.get(10)
            assert picture is not None
            assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert told.kinds[:2] == [SourceEvent.LOST, SourceEvent.BACK]
    assert isinstance(frames.source, LiveSource)


def test_kinds_of_sources(recording: Path) -> None:
    assert isinstance(open_source(str(recording)), FileSource)
