"""Wakes a window that stays black: Qt now and then misses that its window has come up (seen without window manager).

On X11 such a window is taken off the screen and put back, which Qt notices. Nothing happens where libX11 is missing.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Iterator
from typing import Any

DEPTH = 4
"""Levels of windows in which ours is looked for: a window manager puts it into a frame of its own."""
POINTS = ((0.02, 0.02), (0.3, 0.02), (0.98, 0.98), (0.5, 0.5), (0.25, 0.3))
"""Places, as shares of the size, that are not all black in a window that was painted: the tool bar is light."""
VIEWABLE, Z_PIXMAP, ALL_PLANES = 2, 2, 0xFFFFFFFFFFFFFFFF


class _Attributes(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ("x", "y", "width", "height", "border", "depth")),
        ("visual", ctypes.c_void_p),
        ("root", ctypes.c_ulong),
        *((name, ctypes.c_int) for name in ("kind", "bit_gravity", "win_gravity", "backing_store")),
        ("backing_planes", ctypes.c_ulong),
        ("backing_pixel", ctypes.c_ulong),
        ("save_under", ctypes.c_int),
        ("colormap", ctypes.c_ulong),
        *((name, ctypes.c_int) for name in ("map_installed", "map_state")),
        *((name, ctypes.c_long) for name in ("all_events", "your_events", "no_propagate")),
        ("override", ctypes.c_int),
        ("screen", ctypes.c_void_p),
    ]


def wake(title: str) -> bool:
    """Puts the window of that title up anew if it is black; True when it had to."""
    name = ctypes.util.find_library("X11")
    if name is None:
        return False
    x11 = _prepared(ctypes.CDLL(name))
    display = x11.XOpenDisplay(None)
    if not display:
        return False
    # X11's own answer to an error ends the process.
    quiet = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda display, event: 0)
    before = x11.XSetErrorHandler(quiet)
    try:
        window = _find(x11, display, title)
        if window is None or not _is_black(x11, display, window):
            return False
        x11.XUnmapWindow(display, window)
        x11.XSync(display, 0)
        x11.XMapWindow(display, window)
        x11.XSync(display, 0)
        return True
    finally:
        x11.XCloseDisplay(display)
        x11.XSetErrorHandler(before)


def _prepared(x11: Any) -> Any:
    """The library with the types of what is used of it."""
    pointer, number = ctypes.c_void_p, ctypes.c_ulong
    x11.XOpenDisplay.restype = x11.XGetImage.restype = x11.XSetErrorHandler.restype = pointer
    x11.XDefaultRootWindow.restype = x11.XGetPixel.restype = number
    x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
    x11.XSetErrorHandler.argtypes = [pointer]
    for function in (x11.XDefaultRootWindow, x11.XCloseDisplay):
        function.argtypes = [pointer]
    for function in (x11.XUnmapWindow, x11.XMapWindow):
        function.argtypes = [pointer, number]
    x11.XSync.argtypes = [pointer, ctypes.c_int]
    x11.XQueryTree.argtypes = [pointer, number, *[pointer] * 4]
    x11.XFetchName.argtypes = [pointer, number, pointer]
    x11.XFree.argtypes = [pointer]
    x11.XGetWindowAttributes.argtypes = [pointer, number, pointer]
    x11.XGetImage.argtypes = [pointer, number, *[ctypes.c_int] * 2, *[ctypes.c_uint] * 2, number, ctypes.c_int]
    x11.XGetPixel.argtypes = [pointer, *[ctypes.c_int] * 2]
    x11.XDestroyImage.argtypes = [pointer]
    return x11


def _find(x11: Any, display: Any, title: str) -> int | None:
    """The viewable window of that title."""
    for window in _windows(x11, display, x11.XDefaultRootWindow(display), DEPTH):
        name = ctypes.c_char_p()
        if x11.XFetchName(display, window, ctypes.byref(name)) and name.value == title.encode():
            return window
    return None


def _windows(x11: Any, display: Any, parent: int, depth: int) -> Iterator[int]:
    root, above, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
    children = ctypes.POINTER(ctypes.c_ulong)()
    asked = [ctypes.byref(value) for value in (root, above, children, count)]
    if depth == 0 or not x11.XQueryTree(display, parent, *asked):
        return
    found = [int(children[k]) for k in range(count.value)]
    if found:
        x11.XFree(children)
    for window in found:
        yield window
        yield from _windows(x11, display, window, depth - 1)


def _is_black(x11: Any, display: Any, window: int) -> bool:
    """Whether the window is up and black at all places that are looked at; False where it cannot be seen."""
    attributes = _Attributes()
    if not x11.XGetWindowAttributes(display, window, ctypes.byref(attributes)) or attributes.map_state != VIEWABLE:
        return False
    for x, y in POINTS:
        at = int(x * (attributes.width - 1)), int(y * (attributes.height - 1))
        image = x11.XGetImage(display, window, *at, 1, 1, ALL_PLANES, Z_PIXMAP)
        if not image:
            return False
        pixel = x11.XGetPixel(image, 0, 0)
        x11.XDestroyImage(image)
        if pixel & 0xFFFFFF:
            return False
    return True
