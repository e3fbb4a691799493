"""The frames that are measured on, with their exact truth: stills of a resting ball, and clips.

Reads files and truth only. What a method says of a frame is compared elsewhere.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.camera import Camera
from hardware.cameras import open_camera

Image = NDArray[np.uint8]
Point = tuple[float, float]
Truth = dict[str, Any]

_OWN = Path(__file__).parents[1] / "footage"
_SIBLING = Path(__file__).parents[3] / "shared" / "footage"
DATASHEET = 1.005
"""The focal length is given half a per cent off, as a datasheet is; it is good to about 1 %."""


@dataclass(frozen=True, slots=True)
class TrueBall:
    """Where the ball lies: dot and disc in mm in the printed frame of the dot's half, and the disc in
    pixels. `others_mm`: discs of other balls in the picture."""

    dot_mm: Point
    disc_mm: Point
    disc_px: Point
    others_mm: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A picture or video with its truth."""

    path: Path
    truth: Truth

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem

    @property
    def focal_px(self) -> float:
        """The focal length that the calibration is told."""
        return DATASHEET * float(self.truth["setup"]["camera"]["K"][0][0])

    def open(self) -> Camera:
        """The file as a camera."""
        return open_camera(str(self.path))

    def printed(self, at_mm: Point, half: str) -> Point:
        """A point of the board in the frame of a half's artwork, which may lie shifted and turned."""
        place = self.truth["setup"]["halves"][half]
        turn = np.deg2rad(place["rot_deg"])
        x, y = at_mm[0] - place["dx_mm"], at_mm[1] - place["dy_mm"]
        return (
            float(np.cos(turn) * x + np.sin(turn) * y),
            float(np.cos(turn) * y - np.sin(turn) * x),
        )


def stills() -> list[Source]:
    """All pictures of a resting ball: the repository's few, or the forty of a footage folder beside it."""
    return _sources("rest/*.jpg")


def clips() -> list[Source]:
    """All clips: the repository's own, or those of a footage folder beside it."""
    return _sources("*.mp4")


def _sources(pattern: str) -> list[Source]:
    folder = _SIBLING if any(_SIBLING.glob(pattern)) else _OWN
    return [
        Source(path, json.loads(path.with_suffix(".truth.json").read_text()))
        for path in sorted(folder.glob(pattern))
    ]


def ball_of_still(source: Source) -> TrueBall:
    """The ball of a still."""
    truth = source.truth
    others = [tuple(place) for place in truth["second_balls_mm"]]
    return TrueBall(
        tuple(truth["at_printed_mm"]),
        tuple(truth["disc_printed_mm"]),
        tuple(truth["disc_px"]),
        tuple(source.printed(place, "A" if place[0] < 0 else "B") for place in others),
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """What is true in one frame of a clip. `lies`: the ball lies on the board with no hand in view."""

    lies: bool
    moves: bool
    dot_mm: Point
    disc_mm: Point


def moments(source: Source) -> Iterator[Moment]:
    """The truth of every frame of a clip, positions on the board in mm (0, 0 where there is no ball)."""
    for frame in source.truth["per_frame"]:
        there = frame["ball_mm"] is not None
        lies = there and not frame["moving"] and frame["hand"] is None and frame["z_mm"] == 0
        place = tuple(frame["ball_mm"]) if there else (0.0, 0.0)
        dot = tuple(frame["dot_mm"]) if there else (0.0, 0.0)
        yield Moment(lies, bool(frame["moving"]), dot, place)
