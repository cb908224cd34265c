"""Pictures of the window for the documents: `python -m kibitz.assistant.live.pictures IMAGE DIR`.

Reads the table on IMAGE, opens the real window in both languages, normal and large, and writes what it shows as
`window-en.png`, `window-en-large.png`, `window-ru.png`, `window-ru-large.png`. The window is photographed from the
screen by ImageMagick's `import`, so a screen (Xvfb will do: with -noreset) and that program are needed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from kibitz.assistant.check import Checked, Checker
from kibitz.assistant.context import make_reader
from kibitz.assistant.live.board import BoardScene
from kibitz.assistant.live.view import Marked, Scene, View
from kibitz.assistant.picture_overlay import checked_drawing
from kibitz.assistant.speech import advice_lines
from kibitz.assistant.window import Window
from kibitz.assistant.words import LANGUAGES, words
from kibitz.engine.registry import get_rules
from kibitz.engine.search import Limit
from kibitz.vision.picture import read_picture
from kibitz.vision.types import Frame

SIZE = (1120, 700)
WAIT_SECONDS = 20.0
TRIES = 6


def scene_of(checked: Checked, frame: Frame, language: str, large: bool) -> Scene:
    """What the window shows of a table that was read and advised."""
    said, judged = words(language), checked.judged
    move = judged.advice.move if judged.advice is not None else None
    marked = Marked(frame.picture, checked_drawing(said, checked))
    keys = said.text("watch-keys-short" if large else "watch-keys")
    board = BoardScene(judged.position, move)
    return Scene(frame.picture, marked, True, board, advice_lines(said, judged), said.text("watch-still"), keys)


def photograph(scene: Scene, view: View, target: Path) -> None:
    """Shows a scene in a real window and writes what is then on the screen.

    Raises:
        OSError: there is no screen, or it stays black.
    """
    # Without a window manager Qt now and then misses that its window is on the screen, and paints nothing.
    for _ in range(TRIES):
        window = Window("Kibitz", SIZE)
        try:
            deadline = time.monotonic() + WAIT_SECONDS
            while window.shown < 30 and time.monotonic() < deadline:
                window.show(view.compose(scene, window.size))
                window.key(20)
            subprocess.run(["import", "-window", "root", str(target)], check=True)
        finally:
            window.close()
        if read_picture(target).picture.mean() > 1:
            # A palette without dither: small files whose letters stay clear.
            palette = ["-trim", "+repage", "+dither", "-colors", "128"]
            subprocess.run(["convert", str(target), *palette, f"PNG8:{target}"], check=True)
            return
    raise OSError(f"the screen stays black; {target} shows nothing")


def main(image: Path, folder: Path) -> None:
    """Writes the four pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    frame, rules, reader = read_picture(image), get_rules("klondike"), make_reader()
    for language in LANGUAGES:
        checked = Checker(rules, words(language), Limit(seconds=3)).look(reader, frame)
        for large in (False, True):
            name = f"window-{language}{'-large' if large else ''}.png"
            view = View(words(language), rules.plan(), large)
            photograph(scene_of(checked, frame, language, large), view, folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "docs/pictures"))
