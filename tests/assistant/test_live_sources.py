"""One game through every kind of source: the frames themselves, films, a folder and a phone give the same tables."""

import queue
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import cv2
import pytest
from assistant_tables import MIDGAME, lay
from live_fakes import SIZE, FreshFollower, Listener, Notes, SceneReader, first_legal, scene

from kibitz.assistant.live.coach import Coach, CoachOptions
from kibitz.assistant.live.commands import Vocabulary
from kibitz.assistant.live.game import GameTalk
from kibitz.assistant.live.jobs import AtOnceWorker, BesideWorker, EveryFrame, Frames, NewestFrames
from kibitz.assistant.live.loop import Watch
from kibitz.assistant.live.onlooker import Onlooker
from kibitz.assistant.live.painting import Display
from kibitz.assistant.live.parts import Parts
from kibitz.assistant.live.stillness import Stillness
from kibitz.assistant.live.talker import Talker, TextOutlets
from kibitz.assistant.live.thinker import Thinker
from kibitz.assistant.voice import Manner
from kibitz.assistant.window import NoScreen
from kibitz.assistant.words import words
from kibitz.engine import Position, get_rules
from kibitz.vision.camera import NewestFrame, open_source
from kibitz.vision.types import ByteArray

RULES = get_rules("klondike")
FIRST = Position.parse(MIDGAME)
SECOND = RULES.apply(FIRST, RULES.legal_moves(FIRST)[0])
THIRD = RULES.apply(SECOND, RULES.legal_moves(SECOND)[-1])
TABLES = {60: lay(FIRST), 200: lay(SECOND), 330: lay(THIRD)}
RATE = 15


def film() -> list[ByteArray]:
    """Three still tables of a good second each, with a hand between them."""
    pictures = []
    for card_at in TABLES:
        pictures += [scene(card_at, hand=True)] * 5 + [scene(card_at)] * 24
    return pictures


def onlooker() -> tuple[Onlooker, FreshFollower]:
    follower = FreshFollower(RULES)
    return Onlooker(SceneReader(TABLES), RULES, follower, Stillness(0.5)), follower  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def expected() -> list[Position]:
    """What the frames themselves give, one after the other."""
    looker, follower = onlooker()
    looks = [looker.step(picture, number / RATE) for number, picture in enumerate(film())]
    assert len([look for look in looks if look is not None]) == 3
    assert len(set(map(str, follower.tables))) == 3
    return follower.tables


def written(path: Path, code: str) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), RATE, SIZE)
    assert writer.isOpened()
    for picture in film():
        writer.write(picture)
    writer.release()
    return path


@pytest.mark.parametrize(("name", "code"), [("table.mkv", "FFV1"), ("table.avi", "MJPG"), ("table.mp4", "mp4v")])
def test_a_film_as_fast_as_possible(name: str, code: str, tmp_path: Path, expected: list[Position]) -> None:
    looker, follower = onlooker()
    for shot in open_source(str(written(tmp_path / name, code))):
        looker.step(shot.picture, shot.seconds)
    assert follower.tables == expected


def test_a_folder_of_pictures(tmp_path: Path, expected: list[Position]) -> None:
    for number, card_at in enumerate(TABLES):
        cv2.imwrite(str(tmp_path / f"{number}.png"), scene(card_at))
    looker, follower = onlooker()
    for shot in open_source(str(tmp_path)):
        looker.step(shot.picture, shot.seconds)
    assert follower.tables == expected


class _Phone(BaseHTTPRequestHandler):
    """Sends the film once, in its own time, and then the last table for as long as somebody looks."""

    coded: tuple[bytes, ...] = ()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            due = time.monotonic()
            for number in range(100 * RATE):
                coded = self.coded[min(number, len(self.coded) - 1)]
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(coded)}\r\n\r\n"
                self.wfile.write(head.encode() + coded + b"\r\n")
                due += 1 / RATE
                threading.Event().wait(max(0.0, due - time.monotonic()))
        except OSError:
            return

    def log_message(self, format: str, *values: object) -> None:
        return


@pytest.fixture
def phone() -> Iterator[str]:
    _Phone.coded = tuple(cv2.imencode(".jpg", picture)[1].tobytes() for picture in film())
    server = HTTPServer(("127.0.0.1", 0), _Phone)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/video"
    server.shutdown()
    server.server_close()


class Until:
    """Types "quit" when so many tables have been looked at, or nobody comes any further."""

    def __init__(self, follower: FreshFollower, count: int) -> None:
        self._follower, self._count = follower, count
        self._end, self._typed = time.monotonic() + 60, False

    def get(self) -> str | None:
        done = len(self._follower.tables) >= self._count or time.monotonic() > self._end
        if self._typed or not done:
            return None
        self._typed = True
        return "quit"


def watch(frames: Frames, looker: Onlooker, until: Until | None) -> Notes:
    """The whole loop with its threads."""
    speech, notes = words("en"), Notes()
    display = Display(speech, RULES, NoScreen(size=(800, 600)), BesideWorker("paint"), lambda: None)
    talker = Talker(speech, Listener(), TextOutlets(lambda text: None, display), Manner())
    game = GameTalk(speech, RULES, looker.follower, talker, notes)
    thinker = Thinker(first_legal(), 1)
    parts = Parts(
        looker, Coach(speech, thinker, CoachOptions()), talker, game, display, BesideWorker("look"), Vocabulary(speech)
    )
    parts.typed = until  # type: ignore[assignment]
    Watch(parts).run(frames)
    thinker.close()
    return notes


def test_a_phone_over_http_through_the_whole_loop(phone: str, expected: list[Position]) -> None:
    looker, follower = onlooker()
    with NewestFrame(phone) as frames:
        watch(NewestFrames(frames), looker, Until(follower, 3))
    assert follower.tables == expected


def test_a_film_through_the_whole_loop_as_fast_as_possible(tmp_path: Path, expected: list[Position]) -> None:
    looker, follower = onlooker()
    frames = EveryFrame(open_source(str(written(tmp_path / "table.mkv", "FFV1"))))
    speech, notes = words("en"), Notes()
    display = Display(speech, RULES, NoScreen(), AtOnceWorker(), lambda: None)
    talker = Talker(speech, Listener(), TextOutlets(lambda text: None, display), Manner())
    from kibitz.assistant.live.jobs import AtOnceThinker

    game = GameTalk(speech, RULES, follower, talker, notes)  # type: ignore[arg-type]
    coach = Coach(speech, AtOnceThinker(first_legal(), 1), CoachOptions())
    events: queue.SimpleQueue[object] = queue.SimpleQueue()
    parts = Parts(looker, coach, talker, game, display, AtOnceWorker(), Vocabulary(speech), None, events)  # type: ignore[arg-type]
    Watch(parts).run(frames)
    assert follower.tables == expected
    assert len(notes.hints) == 3
