"""The camera port: what a frame is and what every camera adapter does. No vendor library lives here."""

from dataclasses import dataclass
from typing import Protocol

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
