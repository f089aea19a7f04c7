"""The icons of the app package: a speech bubble with lines in it, drawn here and written as PNG. Pure."""

import struct
import zlib
from collections.abc import Callable
from functools import cache

ACCENT = (0x1F, 0x5F, 0x6B)
"""The colour behind the bubble."""
COLOR, OUTLINE = 192, 32
"""Sides of the icons in pixels, as Teams wants them."""
_WHITE = (255, 255, 255)
_SAMPLES = 3
"""Points a pixel is sampled at, each way."""

Pixel = tuple[int, int, int, int]
_Box = tuple[float, float, float, float]

_BUBBLE: _Box = (0.0, 0.0, 96.0, 72.0)
_TAIL = ((20.0, 70.0), (20.0, 96.0), (48.0, 70.0))
_LINES: tuple[_Box, ...] = ((18.0, 16.0, 78.0, 23.0), (18.0, 32.5, 78.0, 39.5), (18.0, 49.0, 56.0, 56.0))
"""The symbol, on a square of 96."""


@cache
def color() -> bytes:
    """The coloured icon: a white bubble, with a quarter of the side around it, which Teams may cut off."""

    def pixel(inside: float) -> Pixel:
        red, green, blue = (round(back + (front - back) * inside) for back, front in zip(ACCENT, _WHITE, strict=True))
        return red, green, blue, 255

    return _png(COLOR, _drawn(COLOR, 48.0, pixel))


@cache
def outline() -> bytes:
    """The outline: white, on nothing, up to its borders."""
    return _png(OUTLINE, _drawn(OUTLINE, 0.0, lambda inside: (*_WHITE, round(255 * inside))))


def _drawn(side: int, margin: float, pixel: Callable[[float], Pixel]) -> list[Pixel]:
    """The pixels, row by row. margin: in pixels, around the symbol."""
    scale = 96.0 / (side - 2 * margin)
    steps = [(step + 0.5) / _SAMPLES - margin for step in range(_SAMPLES)]

    def inside(x: int, y: int) -> float:
        if not (margin <= x < side - margin and margin <= y < side - margin):
            return 0.0
        return sum(_symbol((x + dx) * scale, (y + dy) * scale) for dy in steps for dx in steps) / len(steps) ** 2

    return [pixel(inside(x, y)) for y in range(side) for x in range(side)]


def _symbol(x: float, y: float) -> bool:
    if any(_rounded(x, y, line, 3.5) for line in _LINES):
        return False
    return _rounded(x, y, _BUBBLE, 14.0) or _triangle(x, y)


def _rounded(x: float, y: float, box: _Box, radius: float) -> bool:
    """Whether a point lies in a rectangle with round corners."""
    left, top, right, bottom = box
    dx = max(left + radius - x, 0.0, x - right + radius)
    dy = max(top + radius - y, 0.0, y - bottom + radius)
    return dx * dx + dy * dy <= radius * radius


def _triangle(x: float, y: float) -> bool:
    """Whether a point lies in the bubble's tail."""
    turns = [
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        for (ax, ay), (bx, by) in zip(_TAIL, (*_TAIL[1:], _TAIL[0]), strict=True)
    ]
    return all(turn <= 0 for turn in turns) or all(turn >= 0 for turn in turns)


def _png(side: int, pixels: list[Pixel]) -> bytes:
    """The pixels of a square as a PNG of eight bits a channel."""
    rows = (pixels[start : start + side] for start in range(0, side * side, side))
    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
