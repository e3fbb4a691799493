"""What a camera says of itself, for people who look for what is wrong: an optional part of the camera port.
No camera is opened or set here."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from hardware.camera import Camera


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """How a camera works now, by its last frame. None, or nothing, where it does not say.

    `model`: as people call it. `mode`: the sensor's size and rate, in words. `exposure_us`: microseconds.
    `gain`: of 1 and more. `focus_dioptres`: 1/metres, of a lens that a motor moves. `locked`: whether
    exposure, gain, colours and focus hold. `remarks`: sentences on what it cannot do.
    """

    model: str | None = None
    mode: str | None = None
    exposure_us: float | None = None
    gain: float | None = None
    focus_dioptres: float | None = None
    locked: bool | None = None
    remarks: tuple[str, ...] = ()


@runtime_checkable
class TellsFacts(Protocol):
    """A camera that says how it works."""

    def facts(self) -> CameraFacts:
        """By the last frame that was read; never waits."""
        ...


def facts_of(camera: Camera) -> CameraFacts:
    """What `camera` says of itself; nothing, for one that says nothing."""
    return camera.facts() if isinstance(camera, TellsFacts) else CameraFacts()
