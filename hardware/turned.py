"""A camera that hangs another way round: its pictures turned by a quarter, half or three quarters."""

from dataclasses import replace
from typing import Literal

import cv2
import numpy as np

from hardware.camera import Camera, FocalLength, Frame, focal_length_of
from hardware.camera_facts import CameraFacts, facts_of

QuarterTurns = Literal[90, 180, 270]

_CODES: dict[QuarterTurns, int] = {
    90: cv2.ROTATE_90_CLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}


class TurnedCamera:
    """Another camera's frames turned clockwise by `degrees`."""

    def __init__(self, camera: Camera, degrees: QuarterTurns) -> None:
        self._camera = camera
        self._code = _CODES[degrees]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, after turning."""
        width, height = self._camera.size
        return (width, height) if self._code == cv2.ROTATE_180 else (height, width)

    @property
    def fps(self) -> float:
        """Frames a second, as the other camera has it."""
        return self._camera.fps

    @property
    def frame_count(self) -> int | None:
        """How many frames there are in all, as the other camera has it."""
        return self._camera.frame_count

    @property
    def focal_length(self) -> FocalLength | None:
        """As the other camera knows it: pixels are square."""
        return focal_length_of(self._camera)

    def read(self) -> Frame | None:
        """The next frame, turned, or None at the end."""
        frame = self._camera.read()
        if frame is None:
            return None
        return replace(frame, image=np.asarray(cv2.rotate(frame.image, self._code), dtype=np.uint8))

    def facts(self) -> CameraFacts:
        """What the other camera says of itself."""
        return facts_of(self._camera)

    def close(self) -> None:
        """Give the other camera back."""
        self._camera.close()
