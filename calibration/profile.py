"""The calibration as a value: where a pixel lies on the printed board and how sure that is; kept on disk.

A file of another schema, picture size or rotation is refused, never rescaled.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from calibration.camera_model import Array, CameraModel, rotation_vector
from calibration.edition import Edition
from calibration.errors import ProfileError
from calibration.files import replace_file
from calibration.fit import KNOWN_FOCAL_SIGMA
from calibration.layout import BallSize
from calibration.parameters import COUNT, Half, HalfShift, Layout

SCHEMA = 1
Rotation = Literal[0, 90, 180, 270]

_MODEL_SIGMA_MM = 0.01
"""What remains when all is fitted: lenses are not quite Brown's, prints not quite the drawing."""
_STEP = 1e-6
_ONE_LENS_SIGMAS = 4.0


@dataclass(frozen=True, slots=True)
class Region:
    """The fit's residuals in one part of the board: how many places, root mean square in px and mm."""

    name: str
    places: int
    rms_px: float
    rms_mm: float


@dataclass(frozen=True, slots=True)
class Position:
    """A ball's place in the printed frame of the half on which its dot lies.

    Each standard deviation is that of the place across a line of the worst direction, in mm, and
    includes the calibration's own.
    """

    half: Half
    dot_mm: tuple[float, float]
    disc_mm: tuple[float, float]
    dot_sigma_mm: float
    disc_sigma_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Where the board lies in pictures of one size and rotation.

    `covariance` (19, 19) is in the order of `calibration.parameters`. `focal_known` tells whether the
    focal length came from outside. `made_at` is UTC, ISO 8601. `warnings` are sentences for people.
    """

    edition: str
    edition_digest: str
    size: tuple[int, int]
    rotation: Rotation
    layout: Layout
    covariance: Array
    ball: BallSize
    focal_known: bool
    residual_px: float
    residual_mm: float
    regions: tuple[Region, ...]
    blur_px: float
    warnings: tuple[str, ...]
    made_at: str

    @property
    def model(self) -> CameraModel:
        """The camera over the board."""
        return self.layout.camera

    def half_at(self, board_mm: tuple[float, float]) -> Half:
        """The half that carries a point of the board: A at x < 0."""
        return "A" if board_mm[0] < 0 else "B"

    def place(
        self,
        dot_px: tuple[float, float],
        disc_px: tuple[float, float],
        dot_sigma_px: float,
        disc_sigma_px: float,
    ) -> Position:
        """Where a ball lies whose dot and disc have these centres of area in the picture."""
        ball = self.ball
        dot = self.model.locate_circle(dot_px, ball.dot_diameter_mm / 2, ball.height_mm)
        disc = self.model.locate_circle(disc_px, ball.diameter_mm / 2, ball.height_mm)
        half = self.half_at((float(dot[0]), float(dot[1])))
        shift = self.layout.half(half)
        dot_printed, disc_printed = shift.to_printed([dot, disc])
        return Position(
            half,
            (float(dot_printed[0]), float(dot_printed[1])),
            (float(disc_printed[0]), float(disc_printed[1])),
            self.sigma_mm(half, dot_printed, ball.height_mm, dot_sigma_px),
            self.sigma_mm(half, disc_printed, ball.height_mm, disc_sigma_px),
        )

    def sigma_mm(self, half: Half, printed_mm: ArrayLike, height_mm: float, sigma_px: float = 0.0) -> float:
        """Standard deviation, mm, in the worst direction, of a point seen with `sigma_px` in the
        picture: the calibration's own and the point's."""
        spread = self.layout.spread_mm2(self.covariance, half, printed_mm, height_mm, sigma_px)
        worst = float(np.linalg.eigvalsh(spread)[-1])
        return float(np.sqrt(worst + _MODEL_SIGMA_MM**2))

    def with_focal(self, focal_px: float, sigma: float = KNOWN_FOCAL_SIGMA) -> "Calibration":
        """The calibration after hearing of its focal length, good to `sigma` of it, from elsewhere.

        A Kalman step along the fit's own covariance, which moves the height with the focal length.
        `ProfileError` if it lies beyond what the two allow.
        """
        self.require_focal(focal_px, sigma)
        apart = float(np.log(focal_px / self.model.focal_px))
        known = self.covariance[0, 0] + sigma**2
        gain = self.covariance[:, 0] / known
        return replace(
            self,
            layout=Layout.from_vector(self.layout.vector() + gain * apart),
            covariance=self.covariance - np.outer(gain, self.covariance[0]),
            focal_known=True,
        )

    def require_focal(self, focal_px: float, sigma: float = KNOWN_FOCAL_SIGMA) -> None:
        """Raise `ProfileError` if pictures through a lens of `focal_px`, good to `sigma` of it, are not those
        that the profile was made for: of another lens, another camera, or a mode that shows less."""
        apart = abs(float(np.log(focal_px / self.model.focal_px)))
        if apart > _ONE_LENS_SIGMAS * np.sqrt(self.covariance[0, 0] + sigma**2):
            raise ProfileError(
                f"the calibration has a focal length of {self.model.focal_px:.0f} px, {focal_px:.0f} px "
                "was given: that is another lens; leave one of them out, or calibrate again"
            )

    def with_ends_swapped(self) -> "Calibration":
        """The same board with side A at the other end."""
        turned = half_turned(self.layout)
        vector = self.layout.vector()
        jacobian = np.empty((COUNT, COUNT))
        for i in range(COUNT):
            step = np.zeros(COUNT)
            step[i] = _STEP
            ahead = half_turned(Layout.from_vector(vector + step)).vector()
            behind = half_turned(Layout.from_vector(vector - step)).vector()
            jacobian[:, i] = (ahead - behind) / (2 * _STEP)
        return replace(self, layout=turned, covariance=jacobian @ self.covariance @ jacobian.T)

    def require(self, size: tuple[int, int], rotation: Rotation, edition: Edition) -> None:
        """Raise `ProfileError` unless the profile was made for such pictures and such a board."""
        if self.size != size:
            raise ProfileError(
                f"the calibration was made for pictures of {self.size[0]}x{self.size[1]}, "
                f"these are {size[0]}x{size[1]}; calibrate this camera mode again"
            )
        if self.rotation != rotation:
            raise ProfileError(
                f"the calibration was made for pictures turned by {self.rotation} degrees, "
                f"these are turned by {rotation}; calibrate again"
            )
        if self.edition != edition.name:
            raise ProfileError(
                f"the calibration was made for the board {self.edition!r}, not {edition.name!r}; "
                "calibrate this board, or name the other with --board"
            )
        if self.edition_digest != edition.digest:
            raise ProfileError(
                f"the calibration was made for another board of the name {edition.name!r}: its file has "
                "changed since; calibrate again"
            )


def half_turned(layout: Layout) -> Layout:
    """The same camera and sheets with both board axes reversed: side A becomes side B."""
    camera = layout.camera
    rotation = camera.rotation_matrix @ np.diag([-1.0, -1.0, 1.0])

    def turned(shift: HalfShift) -> HalfShift:
        return HalfShift(-shift.dx_mm, -shift.dy_mm, shift.turn_rad)

    return Layout(
        replace(camera, rotation=rotation_vector(rotation)), turned(layout.half_b), turned(layout.half_a)
    )


class _Record(msgspec.Struct, forbid_unknown_fields=True):
    """The file, schema 1."""

    schema: int
    edition: str
    edition_digest: str
    size: tuple[int, int]
    rotation: Rotation
    made_at: str
    camera: CameraModel
    half_a: HalfShift
    half_b: HalfShift
    covariance: list[list[float]]
    ball: BallSize
    focal_known: bool
    residual_px: float
    residual_mm: float
    blur_px: float
    regions: tuple[Region, ...]
    warnings: tuple[str, ...]


def save(calibration: Calibration, path: Path) -> None:
    """Write a profile, replacing an older one in one step: a power cut leaves the old or the new.

    The older one is kept beside it under its date, the last five of them.
    """
    layout = calibration.layout
    record = _Record(
        schema=SCHEMA,
        edition=calibration.edition,
        edition_digest=calibration.edition_digest,
        size=calibration.size,
        rotation=calibration.rotation,
        made_at=calibration.made_at,
        camera=layout.camera,
        half_a=layout.half_a,
        half_b=layout.half_b,
        covariance=[[float(value) for value in row] for row in calibration.covariance],
        ball=calibration.ball,
        focal_known=calibration.focal_known,
        residual_px=calibration.residual_px,
        residual_mm=calibration.residual_mm,
        blur_px=calibration.blur_px,
        regions=calibration.regions,
        warnings=calibration.warnings,
    )
    text = msgspec.json.format(msgspec.json.encode(record), indent=1)
    try:
        replace_file(path, text)
    except OSError as error:
        raise ProfileError(
            f"{path}: the calibration cannot be written ({error.strerror}); "
            "choose a folder that exists and can be written to"
        ) from error


def load(path: Path) -> Calibration:
    """Read a profile; `ProfileError` if there is none, it is damaged, or of another schema."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ProfileError(
            f"{path}: the calibration cannot be read ({error.strerror}); "
            "make one with `setmatch calibrate --save`"
        ) from error
    try:
        schema = msgspec.json.decode(data, type=dict[str, msgspec.Raw]).get("schema")
        number = msgspec.json.decode(schema, type=int) if schema is not None else None
        if number != SCHEMA:
            raise ProfileError(
                f"{path}: schema {number} is not {SCHEMA}, which this version reads; calibrate again"
            )
        record = msgspec.json.decode(data, type=_Record)
    except msgspec.MsgspecError as error:
        raise ProfileError(f"{path}: not a calibration ({error}); calibrate again") from error
    if not _sensible(record):
        raise ProfileError(f"{path}: its camera is damaged; calibrate again")
    covariance = np.array(record.covariance, dtype=float)
    if covariance.shape != (COUNT, COUNT) or not np.isfinite(covariance).all():
        raise ProfileError(f"{path}: its covariance is damaged; calibrate again")
    return Calibration(
        edition=record.edition,
        edition_digest=record.edition_digest,
        size=record.size,
        rotation=record.rotation,
        layout=Layout(record.camera, record.half_a, record.half_b),
        covariance=covariance,
        ball=record.ball,
        focal_known=record.focal_known,
        residual_px=record.residual_px,
        residual_mm=record.residual_mm,
        regions=record.regions,
        blur_px=record.blur_px,
        warnings=record.warnings,
        made_at=record.made_at,
    )


def _sensible(record: _Record) -> bool:
    """Whether the figures can be a camera's: finite, and those that are divided by above zero."""
    camera, ball = record.camera, record.ball
    lengths = (camera.focal_px, camera.translation_mm[2], *record.size)
    sizes = (ball.diameter_mm, ball.height_mm, ball.dot_diameter_mm)
    figures = (
        *(*camera.centre_px, *camera.distortion, *camera.rotation, *camera.translation_mm),
        *(record.half_a.dx_mm, record.half_a.dy_mm, record.half_a.turn_rad),
        *(record.half_b.dx_mm, record.half_b.dy_mm, record.half_b.turn_rad),
    )
    return min(*lengths, *sizes) > 0 and bool(np.isfinite((*lengths, *sizes, *figures)).all())
