"""The cameras that a Raspberry Pi takes, as data: pixels, lens, modes; and what a lens makes of them.

Figures and formulas only: nothing here opens a camera, and nothing knows a board.
Lengths before the lens are in mm from its principal plane, which lies inside it.
"""

import math
from dataclasses import dataclass
from typing import Literal

from hardware.errors import OpticsError

Focus = Literal["motor", "ring", "fixed"]

_VIEW_MM = (555.0, 392.0)
"""Across and along: what a camera over the printed board has to see, the board and its margin under a few
degrees of tilt. `setmatch camera-height` computes it exactly."""
_MARKS = ("_noir", "_mono")
"""What libcamera puts behind the name of the same sensor without a filter."""
_MARKED_SIGMA = 0.02


@dataclass(frozen=True, slots=True)
class SensorMode:
    """A mode that sees all of the sensor; `fps` is the most frames a second it gives."""

    width: int
    height: int
    fps: float


@dataclass(frozen=True, slots=True)
class CameraModule:
    """A camera as it is sold.

    `sensor`: libcamera's name of it. `pitch_um`: from pixel to pixel of the full array `array_px`, which is
    (width, height). `modes`: those that crop nothing, the one to play with first. `lens_mm`, `f_number`:
    of the lens that is built in; None where lenses are exchanged. `focal_sigma`: the standard deviation, as
    a share, of the true focal length about the one that is written on the lens.
    """

    sensor: str
    name: str
    pitch_um: float
    array_px: tuple[int, int]
    modes: tuple[SensorMode, ...]
    focus: Focus
    lens_mm: float | None = None
    f_number: float | None = None
    focal_sigma: float = _MARKED_SIGMA

    @property
    def play_mode(self) -> SensorMode:
        """The mode to play with."""
        return self.modes[0]

    def pitch_in_mm(self, width: int) -> float:
        """From pixel to pixel, mm on the sensor, of pictures `width` pixels wide that show all of it."""
        return self.pitch_um / 1000.0 * self.array_px[0] / width


CAMERAS: tuple[CameraModule, ...] = (
    CameraModule(
        sensor="imx296",
        name="Global Shutter Camera",
        pitch_um=3.45,
        array_px=(1456, 1088),
        modes=(SensorMode(1456, 1088, 60.0),),
        focus="ring",
    ),
    CameraModule(
        sensor="imx477",
        name="High Quality Camera",
        pitch_um=1.55,
        array_px=(4056, 3040),
        modes=(SensorMode(2028, 1520, 40.0), SensorMode(4056, 3040, 10.0)),
        focus="ring",
    ),
    # Focal length and angles of view in its documentation (66 by 41 degrees) do not agree to better than
    # 2 to 4 per cent; the lens moves with focus, which `focal_px` reckons with.
    CameraModule(
        sensor="imx708",
        name="Camera Module 3",
        pitch_um=1.4,
        array_px=(4608, 2592),
        modes=(SensorMode(2304, 1296, 56.0), SensorMode(4608, 2592, 14.0)),
        focus="motor",
        lens_mm=4.74,
        f_number=1.8,
    ),
    CameraModule(
        sensor="imx708_wide",
        name="Camera Module 3 Wide",
        pitch_um=1.4,
        array_px=(4608, 2592),
        modes=(SensorMode(2304, 1296, 56.0), SensorMode(4608, 2592, 14.0)),
        focus="motor",
        lens_mm=2.75,
        f_number=2.2,
    ),
    # Its two angles of view (62.2 by 48.8 degrees) give 3.04 mm to a third of a per cent.
    CameraModule(
        sensor="imx219",
        name="Camera Module 2",
        pitch_um=1.12,
        array_px=(3280, 2464),
        modes=(SensorMode(1640, 1232, 41.0), SensorMode(3280, 2464, 21.0)),
        focus="ring",
        lens_mm=3.04,
        f_number=2.0,
        focal_sigma=0.01,
    ),
)
"""Source: the hardware specification and the lens table of Raspberry Pi's camera documentation; the modes as
libcamera lists them with the full array as their crop. The standard deviations are our own judgement: how
well the figures agree with each other, and the one to five per cent that makers of C/CS lenses allow
themselves."""


def camera_module(sensor: str) -> CameraModule | None:
    """The camera whose sensor libcamera calls so (with or without `_noir`, `_mono`); None for another."""
    for mark in _MARKS:
        sensor = sensor.removesuffix(mark)
    return next((camera for camera in CAMERAS if camera.sensor == sensor), None)


def lens_of(camera: CameraModule, lens_mm: float | None) -> float:
    """The focal length, mm, of the camera's own lens, or of `lens_mm` on its mount.

    `OpticsError` where a lens has to be named and is not, where one is named that cannot be, or is no lens.
    """
    if camera.lens_mm is None:
        if lens_mm is None:
            raise OpticsError(
                f"the {camera.name} has no lens of its own; say which is on it, "
                "by the millimetres that are written on the lens"
            )
        if not 1.0 <= lens_mm <= 100.0:
            raise OpticsError(
                f"a lens of {lens_mm:g} mm is none for a board; write the millimetres on it, 1 to 100"
            )
        return lens_mm
    if lens_mm is not None and abs(lens_mm / camera.lens_mm - 1.0) > 0.05:
        raise OpticsError(
            f"the {camera.name} has a lens of {camera.lens_mm:g} mm built in, {lens_mm:g} mm was given; "
            "leave the lens out"
        )
    return camera.lens_mm


def usual_distance_mm(camera: CameraModule, lens_mm: float | None) -> float:
    """How far a camera hangs over a board, where nobody has said: as near as it sees all of it.

    Half as far again makes the focal length of any lens shorter by 0.3 per cent. `OpticsError` as `lens_of`.
    """
    width, height = (side * camera.pitch_um / 1000.0 for side in camera.array_px)
    return lens_of(camera, lens_mm) * max(_VIEW_MM[0] / width, _VIEW_MM[1] / height)


def image_distance_mm(lens_mm: float, distance_mm: float) -> float:
    """How far behind its principal plane a lens draws what is sharp at `distance_mm`: f Z / (Z - f).

    `OpticsError` for what is nearer than the lens can draw.
    """
    if distance_mm <= lens_mm:
        raise OpticsError(
            f"nothing at {distance_mm:g} mm is sharp through a lens of {lens_mm:g} mm; go further away"
        )
    return lens_mm * distance_mm / (distance_mm - lens_mm)


def focal_px(
    camera: CameraModule,
    lens_mm: float | None,
    width: int,
    distance_mm: float | None = None,
) -> float:
    """The focal length in pixels, for a calibration, of pictures `width` wide that show the whole sensor.

    That is the image's distance over the pixels' pitch, focused on `distance_mm`, the usual one if it is not
    given: a lens that is focused on a board draws further back
    than its nominal focal length, by 1 per cent with 6 mm at 600 mm. As good as `camera.focal_sigma`.
    `OpticsError` as `lens_of`.
    """
    lens = lens_of(camera, lens_mm)
    distance = usual_distance_mm(camera, lens_mm) if distance_mm is None else distance_mm
    return image_distance_mm(lens, distance) / camera.pitch_in_mm(width)


def blur_mm(lens_mm: float, f_number: float, focus_mm: float, point_mm: float) -> float:
    """The diameter on the sensor of the disc as which a point at `point_mm` is drawn, focused on `focus_mm`,
    which may be infinite.

    Through an aperture D, focused on s, a point at Z gives D f |Z - s| / (Z (s - f)).
    """
    aperture = lens_mm / f_number
    if math.isinf(focus_mm):
        return aperture * lens_mm / point_mm
    return aperture * lens_mm * abs(point_mm - focus_mm) / (point_mm * (focus_mm - lens_mm))


def f_number_for(lens_mm: float, near_mm: float, far_mm: float, most_blur_mm: float) -> tuple[float, float]:
    """The smallest f-number at which all from `near_mm` to `far_mm` is blurred by no more than `most_blur_mm`
    on the sensor, and the distance to focus on for it: where both ends are alike, 2 N F / (N + F)."""
    focus = 2.0 * near_mm * far_mm / (near_mm + far_mm)
    return blur_mm(lens_mm, 1.0, focus, far_mm) / most_blur_mm, focus


def hyperfocal_mm(lens_mm: float, f_number: float, blur_mm: float) -> float:
    """The distance to focus on so that all from half of it to the stars is blurred by no more than `blur_mm`
    on the sensor: f^2 / (N c) + f."""
    return lens_mm**2 / (f_number * blur_mm) + lens_mm
