"""Shapes on 1-bit and grey pictures, filled row by row so that every Pillow draws the same pixels.

Shapes only: no text and no scoreboard.
"""

from math import isqrt

from PIL import Image

LIT, DARK = 255, 0
"""The values of a 1-bit picture, and the ends of a grey one's. Pillow takes 1 as well, and then
two lit pixels would differ."""


def draw_disc(image: Image.Image, x: int, y: int, radius: int, level: int = LIT) -> None:
    """Fill the disc of `radius` pixels around the middle of pixel (`x`, `y`)."""
    for dy in range(-radius, radius + 1):
        # radius * (radius + 1) instead of the square takes off the single pixels at the four ends.
        reach = isqrt(max(radius * (radius + 1) - dy * dy, 0))
        image.paste(level, (x - reach, y + dy, x + reach + 1, y + dy + 1))


def draw_ring(image: Image.Image, x: int, y: int, radius: int, level: int = LIT) -> None:
    """Draw a ring one pixel wide around the middle of pixel (`x`, `y`), dark inside."""
    draw_disc(image, x, y, radius, level)
    draw_disc(image, x, y, radius - 1, DARK)


def draw_arrow(image: Image.Image, left: int, top: int, height: int, to_right: bool) -> None:
    """Fill an arrowhead as high as `height` (odd) and as wide as that, pointing left or right."""
    half = height // 2
    for row in range(height):
        length = 2 * (half - abs(row - half)) + 1
        start = left if to_right else left + height - length
        image.paste(LIT, (start, top + row, start + length, top + row + 1))


def draw_box(
    image: Image.Image, left: int, top: int, width: int, height: int, filled: bool, level: int = LIT
) -> None:
    """Draw a rectangle in pixels: filled, or one pixel of outline, dark inside."""
    image.paste(level, (left, top, left + width, top + height))
    if not filled:
        image.paste(DARK, (left + 1, top + 1, left + width - 1, top + height - 1))
