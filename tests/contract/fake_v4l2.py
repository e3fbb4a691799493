"""A USB camera as OpenCV's V4L2 backend has it: `get` is -1 for a control that it has not, `set` False.

Source: OpenCV's cap_v4l.cpp, and the kernel's reference of V4L2's camera controls: exposure in units of 100
microseconds, by hand when V4L2_CID_EXPOSURE_AUTO is 1, and what is set while the camera exposes by itself is
ignored. Many devices do not tell what they chose by themselves.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np

ALL_CONTROLS = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
    cv2.CAP_PROP_EXPOSURE: 157.0,
    cv2.CAP_PROP_GAIN: 32.0,
    cv2.CAP_PROP_AUTO_WB: 1.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    cv2.CAP_PROP_AUTOFOCUS: 1.0,
    cv2.CAP_PROP_FOCUS: 40.0,
}
_OF = {
    cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0),
    cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 0.0),
    cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 0.0),
}
"""Which control has to have which value before another is heard."""


@dataclass
class FakeCapture:
    """cv2.VideoCapture. `light`: how bright the scene is, 1 exposes to the middle at 10 ms. `now`: when the
    last picture came, seconds; while the camera exposes by itself only `auto_fps` come a second."""

    light: float = 1.0
    fps: float = 30.0
    auto_fps: float = 30.0
    now: float = 0.0
    size: tuple[int, int] = (160, 120)
    controls: dict[int, float] = field(default_factory=lambda: dict(ALL_CONTROLS))
    ignores: set[int] = field(default_factory=set)
    """Controls that are taken and not kept."""
    refuses: set[int] = field(default_factory=set)
    """Controls that are there, and cannot be set."""
    steps: dict[int, float] = field(default_factory=dict)
    """Controls that have only multiples of something, to which the driver rounds without a word."""
    unplugged: bool = False
    opened: bool = True
    released: int = 0
    frames: int = 0

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return self.opened

    def get(self, control: int) -> float:
        if control == cv2.CAP_PROP_FPS:
            return self.fps
        return self.controls.get(control, -1.0)

    def set(self, control: int, value: float) -> bool:
        if control not in self.controls or control in self.refuses:
            return False
        if control in self.ignores:
            return True
        needs = _OF.get(control)
        if needs is None or self.controls.get(needs[0], needs[1]) == needs[1]:
            step = self.steps.get(control)
            self.controls[control] = value if step is None else round(value / step) * step
        return True

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.unplugged:
            return False, None
        self.frames += 1
        by_hand = self.controls.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0
        self.now += 1.0 / (self.fps if by_hand else self.auto_fps)
        exposed = self.controls[cv2.CAP_PROP_EXPOSURE] / 100 * self.light if by_hand else 1.0
        level = min(255.0, 110.0 * exposed**0.6)
        noise = np.random.default_rng(self.frames).integers(0, 3, (self.size[1], self.size[0], 3))
        return True, np.clip(level + noise - 1, 0, 255).astype(np.uint8)

    def release(self) -> None:
        self.released += 1
