"""The camera port: what a frame is and what every camera adapter does. No vendor library lives here."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture. `image`: (height, width, 3) uint8, blue-green-red. `captured_at`: the camera's
    monotonic time in seconds (a recording counts from 0). `number`: counted from 0, gaps mean drops."""

    image: NDArray[np.uint8]
    captured_at: float
    number: int


class Camera(Protocol):
    """A source of frames. Errors are `hardware.errors.CameraError`, which say what to do next."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    @property
    def fps(self) -> float:
        """Frames a second, as configured or recorded."""
        ...

    @property
    def frame_count(self) -> int | None:
        """How many frames there are in all; None for a camera that goes on."""
        ...

    def read(self) -> Frame | None:
        """The next frame, or None when a recording has ended. Blocks until there is one."""
        ...

    def close(self) -> None:
        """Give the device back. Safe to call twice."""
        ...


@dataclass(frozen=True, slots=True)
class FocalLength:
    """Of a lens, before a board is seen. `px`: in pixels; `sigma`: its standard deviation, a share of it."""

    px: float
    sigma: float


@runtime_checkable
class KnowsItsLens(Protocol):
    """A camera that knows what it looks through."""

    @property
    def focal_length(self) -> FocalLength | None:
        """Of its pictures; None if the lens is not known after all."""
        ...


def focal_length_of(camera: Camera) -> FocalLength | None:
    """What `camera` knows of its lens; None for one that knows nothing."""
    return camera.focal_length if isinstance(camera, KnowsItsLens) else None
