"""Pictures that are not the board: walls and other games, drawn at half the camera's size."""

import cv2
import numpy as np

from tests.shared import Image

WIDTH, HEIGHT = 728, 544
WHITE = (240, 240, 240)


def plain(colour: tuple[int, int, int]) -> Image:
    """One colour all over, blue-green-red."""
    return np.full((HEIGHT, WIDTH, 3), colour, np.uint8)


def black() -> Image:
    return plain((0, 0, 0))


def noise() -> Image:
    return np.random.default_rng(5).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def wall() -> Image:
    """Plaster: even, lit from one side, with grain."""
    light = np.linspace(60, 200, WIDTH)[None, :, None]
    grain = np.random.default_rng(6).normal(0, 4, (HEIGHT, WIDTH, 1))
    return (light + grain).clip(0, 255).astype(np.uint8).repeat(3, 2)


def bricks() -> Image:
    image = plain((60, 70, 150))
    for row, y in enumerate(range(0, HEIGHT, 30)):
        cv2.line(image, (0, y), (WIDTH, y), (190, 190, 190), 3)
        for x in range(row % 2 * 35, WIDTH, 70):
            cv2.line(image, (x, y), (x, y + 30), (190, 190, 190), 3)
    return image


def chessboard() -> Image:
    image = plain((60, 110, 80))
    for column in range(8):
        for row in range(8):
            colour = WHITE if (column + row) % 2 else (30, 30, 30)
            corner = (144 + 55 * column, 52 + 55 * row)
            cv2.rectangle(image, corner, (corner[0] + 54, corner[1] + 54), colour, -1)
    return image


def race_game() -> Image:
    """Four homes in the corners and a cross of small squares."""
    image = plain((200, 220, 230))
    colours = ((0, 0, 200), (0, 180, 0), (200, 0, 0), (0, 200, 220))
    homes = ((114, 24), (414, 24), (114, 324), (414, 324))
    for (x, y), colour in zip(homes, colours, strict=True):
        cv2.rectangle(image, (x, y), (x + 195, y + 195), colour, -1)
        cv2.rectangle(image, (x + 30, y + 30), (x + 165, y + 165), (255, 255, 255), -1)
    for step in range(15):
        for lane in range(3):
            for x, y in ((114 + 33 * step, 225 + 33 * lane), (313 + 33 * lane, 24 + 33 * step)):
                cv2.rectangle(image, (x, y), (x + 33, y + 33), (0, 0, 0), 2)
    return image


def football() -> Image:
    """A pitch: white lines in a rectangle, with a middle line and boxes, as a court has."""
    image = plain((50, 130, 50))
    cv2.rectangle(image, (60, 75), (668, 469), WHITE, 3)
    cv2.line(image, (364, 75), (364, 469), WHITE, 3)
    cv2.circle(image, (364, 272), 55, WHITE, 3)
    for end, inward in ((60, 1), (668, -1)):
        for depth, reach in ((95, 120), (35, 55)):
            cv2.rectangle(image, (end, 272 - reach), (end + inward * depth, 272 + reach), WHITE, 3)
    return image


def badminton() -> Image:
    """The nearest kin: doubles and singles lines, service lines, a centre line, no zones."""
    image = plain((60, 120, 60))
    cv2.rectangle(image, (50, 130), (670, 412), WHITE, 3)
    for y in (151, 391):
        cv2.line(image, (50, y), (670, y), WHITE, 3)
    for x in (85, 268, 360, 452, 635):
        cv2.line(image, (x, 130), (x, 412), WHITE, 3)
    cv2.line(image, (50, 271), (268, 271), WHITE, 3)
    cv2.line(image, (452, 271), (670, 271), WHITE, 3)
    return image
