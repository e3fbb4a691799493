"""Colours of boards, tables, balls and hands as data. Nothing is drawn here.

House data: chosen by eye to span what printers, dyers and skins do; no measurement stands behind
them. Written as sRGB hex, handed out as linear blue-green-red albedo, since light adds up
linearly.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Colour = NDArray[np.float32]
"""Linear albedo, shape (3,), blue-green-red, 0..1."""


@cache
def colour(srgb_hex: str) -> Colour:
    """The linear blue-green-red albedo of an sRGB colour such as "c86432" (IEC 61966-2-1)."""
    red, green, blue = (int(srgb_hex[i : i + 2], 16) / 255.0 for i in (0, 2, 4))
    coded = np.array([blue, green, red])
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    albedo: Colour = linear.astype(np.float32)
    albedo.setflags(write=False)  # every user of the colour holds the same array
    return albedo


@dataclass(frozen=True, slots=True)
class Palette:
    """A board's inks as sRGB hex: inside and around the court, scorer band, lines, net, tints."""

    ground: str
    surround: str
    band: str
    band_ink: str
    line: str
    zone_line: str
    net: str
    ace: str
    emblem: str


PALETTES: dict[str, Palette] = {
    "clay": Palette("bf5f3a", "a84b30", "ddd6c8", "4a3c40", "f0ece8", "f2e2d4", "221e20", "9a3b2c", "e8dcb8"),
    "clay-dark": Palette(
        "b24a30", "963e2c", "2c2424", "ece4dc", "f4efe9", "efd9c4", "1c1a1c", "8a2f26", "c8962c"
    ),
    "brick": Palette(
        "c9713c", "a8442c", "7c2c22", "f2e8dc", "f6f0e8", "f0dcc0", "201c1c", "a4452a", "3c2020"
    ),
    "blue": Palette("44609c", "48806a", "363c52", "f0ecf4", "f2eef4", "d8d4ec", "26262c", "354c84", "d8d43c"),
    "green": Palette(
        "4a8a3c", "3c7434", "e0dcc8", "5c5648", "f4f2ea", "dcecc8", "2a2c2a", "36702c", "e4dca0"
    ),
    "violet": Palette(
        "6a4f96", "584080", "d8d2dc", "40384c", "f4eefa", "dccdf0", "1e1a24", "54397e", "e0d0e8"
    ),
    "cream-lines": Palette(
        "b0553a", "93432f", "d4c8ae", "54402c", "e8dcae", "e4d49c", "2a2422", "8c3a2a", "cc9c30"
    ),
}

TABLES: dict[str, tuple[str, str]] = {
    "wood": ("8c6f4c", "6c5032"),
    "oak": ("b89468", "a07c50"),
    "grey": ("8a8c8e", "808284"),
    "dark": ("2c2e34", "26282c"),
}
"""Two tones between which a table's texture runs."""

BALLS: dict[str, str] = {
    "yellow": "e0be2c",
    "orange": "dc7a24",
    "red": "c03028",
    "green": "58a03c",
    "blue": "3468b4",
    "white": "e4e0d8",
    "pink": "d87898",
}

SKINS: tuple[str, ...] = ("e8bea0", "d8a482", "c08a64", "9a6a48", "70482e", "4c3224")
GLOVES: tuple[str, ...] = ("e8e6e0", "2a2a2e", "d8b428", "3c6ca8")
SLEEVES: tuple[str, ...] = ("2c4468", "6c6c70", "e0be2c", "b83830", "e8e4dc", "242426", "4c7c44")

WOOD = "c8a878"
DOT = "161414"
PAWNS: tuple[str, ...] = ("d8d8d4", "c8ccd0", "2c2a2a", "a87c50")
BOARD_EDGE = "8c8478"
