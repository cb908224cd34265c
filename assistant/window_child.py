"""The process that owns the window: `python -m kibitz.assistant.window_child FILE TITLE WIDTH HEIGHT`.

Takes `show WIDTH HEIGHT` (the picture lies in FILE), `full 0|1` and `quit` from stdin; says `ready`, `shown`,
`key CODE`, `size WIDTH HEIGHT` and `closed` on stdout. Ends with its parent, whose end of the pipe then closes.
"""

import os
import queue
import sys
import threading

TICK_MILLISECONDS = 20
TICKS_A_LOOK = 10
"""The window's size is asked for every so many ticks."""
WAKING = frozenset({30, 60, 120, 240})
"""At these ticks it is made sure that the window was painted."""


def main(name: str, title: str, size: tuple[int, int]) -> int:
    """Shows what comes until it is told to stop, the window is closed, or the parent is gone."""
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")  # else Qt tells of fonts that nobody needs
    import cv2
    import numpy as np

    orders: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    # Not WINDOW_GUI_NORMAL: without its tool bar OpenCV 5's Qt window often stays black once it was resized.
    # Free ratio: the picture is drawn to the window's size, so the size told must be the whole window's.
    cv2.namedWindow(title, cv2.WINDOW_NORMAL | cv2.WINDOW_FREERATIO)
    cv2.resizeWindow(title, *size)
    pixels = np.memmap(name, np.uint8, "r")
    _say("ready")
    tick, visible = 0, False
    while True:
        code = cv2.waitKeyEx(TICK_MILLISECONDS)
        if code >= 0:
            _say(f"key {code}")
        while not orders.empty():
            word, *numbers = orders.get().split()
            if word == "quit":
                return 0
            if word == "show":
                width, height = int(numbers[0]), int(numbers[1])
                cv2.imshow(title, pixels[: width * height * 3].reshape(height, width, 3))
                visible = True
                _say("shown")
            if word == "full":
                wanted = cv2.WINDOW_FULLSCREEN if numbers[0] == "1" else cv2.WINDOW_NORMAL
                cv2.setWindowProperty(title, cv2.WND_PROP_FULLSCREEN, wanted)
        tick += 1
        if visible and tick in WAKING and sys.platform.startswith("linux"):
            from kibitz.assistant.window_x11 import wake

            wake(title)
        if visible and tick % TICKS_A_LOOK == 0:
            if cv2.getWindowProperty(title, cv2.WND_PROP_VISIBLE) < 1:
                _say("closed")
                return 0
            size = _told_size(cv2.getWindowImageRect(title), size)


def _told_size(place: object, size: tuple[int, int]) -> tuple[int, int]:
    """The size of the window now; tells it when it differs."""
    assert isinstance(place, tuple | list)
    now = (int(place[2]), int(place[3]))
    if now != size and min(now) > 0:
        _say(f"size {now[0]} {now[1]}")
        return now
    return size


def _listen(orders: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        orders.put(line)
    orders.put("quit")


def _say(text: str) -> None:
    try:
        print(text, flush=True)
    except OSError:  # the parent is gone
        os._exit(0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], sys.argv[2], (int(sys.argv[3]), int(sys.argv[4]))))
