"""What the ball's printed top looks like: a colour with its spread, named, given or learnt.

Lives here: the look and how well a colour agrees with it. Shape, and looking for it, do not. Lamps
and white balance shift every colour, so a colour is a chromaticity with a wide tolerance and a
lightness that counts little; the shape of the ball has the last word.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from firmware.errors import InputError

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

_NAMED_BGR: dict[str, tuple[int, int, int]] = {
    "yellow": (60, 185, 222),
    "orange": (45, 125, 230),
    "red": (50, 50, 195),
    "pink": (165, 115, 230),
    "purple": (150, 65, 120),
    "blue": (185, 100, 45),
    "cyan": (200, 180, 60),
    "green": (75, 150, 60),
    "brown": (50, 85, 130),
    "white": (228, 234, 236),
    "grey": (128, 128, 128),
    "black": (38, 38, 38),
}

_TINT_SPREAD = 0.055
"""Standard deviation of a print's chromaticity over lamps and white balances (r and b of r + g + b
= 1)."""
_LEARNT_SPREAD = 0.04
"""The same once the ball has been seen under the lamp of the day."""
_ANY_COLOUR = 0.5
_LIGHT_SPREAD = 0.55
"""Standard deviation of the logarithm of lightness: shade to glare is a factor of four."""
_DARK = 24.0
"""Levels added to each channel before chromaticity is taken: tint means little in the dark."""


@dataclass(frozen=True, slots=True)
class BallLook:
    """The colour of the ball's top. `bgr`: as a camera gives it, 0..255. `spread`: standard
    deviation of its chromaticity from picture to picture."""

    bgr: tuple[float, float, float] = (60.0, 185.0, 222.0)
    spread: float = _TINT_SPREAD

    default: ClassVar["BallLook"]
    """The yellow ball of the classic edition."""

    @classmethod
    def named(cls, name: str) -> "BallLook":
        """The look of a ball of a common colour. Raises `InputError` for a name it does not
        know."""
        bgr = _NAMED_BGR.get(name.strip().lower())
        if bgr is None:
            raise InputError(
                f"no ball colour is called {name!r}: use #rrggbb or one of {', '.join(sorted(_NAMED_BGR))}"
            )
        return cls.from_bgr(bgr)

    @classmethod
    def parse(cls, text: str) -> "BallLook":
        """The look that a setting means: a name or `#rrggbb`. Raises `InputError`."""
        digits = text.strip().removeprefix("#")
        if not text.strip().startswith("#"):
            return cls.named(text)
        try:
            red, green, blue = bytes.fromhex(digits)
        except ValueError:
            raise InputError(f"{text!r} is no colour: write it as #rrggbb or by its name") from None
        return cls.from_bgr((blue, green, red))

    @classmethod
    def from_bgr(cls, bgr: tuple[float, float, float]) -> "BallLook":
        """The look of a given blue, green, red, each 0..255. Raises `InputError` outside of
        that."""
        if len(bgr) != 3 or not all(0 <= value <= 255 for value in bgr):
            raise InputError(f"a ball's colour is three values of 0 to 255, not {bgr}")
        blue, green, red = (float(value) for value in bgr)
        return cls((blue, green, red))

    @classmethod
    def of_patch(cls, pixels: Image) -> "BallLook":
        """The look learnt from pixels of the top, shape (n, 3), blue-green-red: their median."""
        blue, green, red = np.median(pixels.reshape(-1, 3), axis=0).tolist()
        return cls((blue, green, red), _LEARNT_SPREAD)

    @classmethod
    def any_colour(cls) -> "BallLook":
        """The look of a ball of which only the shape is known."""
        return cls((128.0, 128.0, 128.0), _ANY_COLOUR)

    @property
    def dark_dot(self) -> bool:
        """Whether the dot must be darker than the top; on a black ball it may be either."""
        return sum(self.bgr) > 3 * 70 and self.spread < _ANY_COLOUR

    def agreement(self, colours: Array) -> Array:
        """How well colours, shape (n, 3) blue-green-red, agree with the look: 1 equal, 0 not at
        all.

        Neutral looks are told by lightness as well, since chromaticity cannot tell white from
        black.
        """
        tint, light = _tint(colours)
        own_tint, own_light = _tint(np.array([self.bgr]))
        away = np.sum(((tint - own_tint) / self.spread) ** 2, axis=1)
        chroma = float(np.abs(own_tint - 1 / 3).max())
        light_weight = 1.0 if chroma < 0.05 else 0.35
        if self.spread >= _ANY_COLOUR:
            light_weight = 0.0
        away = away + light_weight * ((light - own_light) / _LIGHT_SPREAD) ** 2
        return np.asarray(np.exp(-0.5 * away))

    def table(self) -> NDArray[np.uint8]:
        """`agreement` x 255 of every colour of five bits a channel, shape (32768,): index
        BBBBBGGGGGRRRRR."""
        levels = np.arange(32.0) * 8 + 4
        blue, green, red = np.meshgrid(levels, levels, levels, indexing="ij")
        colours = np.stack((blue, green, red), axis=-1).reshape(-1, 3)
        return np.round(self.agreement(colours) * 255).astype(np.uint8)


BallLook.default = BallLook()


def _tint(colours: Array) -> tuple[Array, Array]:
    """Chromaticity (n, 2), blue and red shares, and logarithm of lightness (n,), of colours (n,
    3)."""
    lifted = colours + _DARK / 3
    total = lifted.sum(axis=1)
    return lifted[:, [0, 2]] / total[:, None], np.log(total)
