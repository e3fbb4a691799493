"""How much light falls where: lamps, room, lens vignette, and the lamps' gloss on the print.

In here light has no objects in its way; shadows are cast by what stands on the board (solids.py).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from hardware.simulated.scene import Instant, Lamp, Scene
from hardware.simulated.sensor import WHITE_LEVEL

Array = NDArray[np.float64]
Float32 = NDArray[np.float32]

_COARSE_PX = 8  # irradiance has no detail finer than this, so it is computed on every eighth pixel
_WHITE_ALBEDO = 0.85
_ROUGHNESS_RAD = 0.16  # half width of the gloss lobe of matt print, beside the lamp's own size


@dataclass(frozen=True, slots=True)
class LocalLight:
    """Light at one spot, in full-scale units for albedo 1, blue-green-red: the room's and each
    lamp's."""

    ambient: Float32
    lamps: tuple[tuple[Lamp, Float32], ...]

    @property
    def total(self) -> Float32:
        """All of it, shape (3,)."""
        whole = self.ambient.copy()
        for _, part in self.lamps:
            whole += part
        return whole


class Lighting:
    """The light of one scene as one camera meets it."""

    def __init__(self, scene: Scene, model: CameraModel) -> None:
        self._scene, self._model = scene, model
        (x0, x1), (y0, y1) = scene.edition.extent_x_mm, scene.edition.extent_y_mm
        self._middle = np.array([[(x0 + x1) / 2, (y0 + y1) / 2, 0.0]])
        total = scene.ambient + sum(lamp.strength for lamp in scene.lamps)
        self._gain = scene.sensor.exposure * WHITE_LEVEL / (_WHITE_ALBEDO * total)
        points_px, self._coarse = self._coarse_grid()
        on_board = model.locate(points_px, 0.0)
        self._points = np.column_stack((on_board, np.zeros(len(on_board))))
        self._dimming = self._vignette(points_px)

    def irradiance(self, instant: Instant) -> Float32:
        """For albedo 1, (height, width, 3), vignette and exposure included."""
        light = np.full((len(self._points), 3), self._scene.ambient)
        for lamp in self._scene.lamps:
            strength = instant.weight(lamp.group) * self._falloff(lamp, self._points)
            light += strength[:, None] * np.asarray(lamp.tint)
        return self._spread(light * (self._gain * self._dimming)[:, None])

    def gloss(self, instant: Instant) -> Float32:
        """What the print mirrors of the lamps, (height, width, 3), as `irradiance` scaled."""
        eye = self._model.position_mm
        view = eye - self._points
        view /= np.linalg.norm(view, axis=1, keepdims=True)
        mirrored = view * np.array([-1.0, -1.0, 1.0])
        shine = np.zeros((len(self._points), 3))
        for lamp in self._scene.lamps:
            to_lamp = np.asarray(lamp.centre_mm) - self._points
            far = np.linalg.norm(to_lamp, axis=1)
            angle = np.arccos(np.clip((to_lamp * mirrored).sum(axis=1) / far, -1, 1))
            width = _ROUGHNESS_RAD + 0.5 * lamp.size_mm / far
            lobe = np.exp(-((angle / width) ** 2)) * instant.weight(lamp.group) * lamp.strength
            shine += (self._scene.gloss * 8.0 * lobe)[:, None] * np.asarray(lamp.tint)
        return self._spread(shine * (self._gain * self._dimming)[:, None])

    def at(self, point_mm: tuple[float, float, float], instant: Instant) -> LocalLight:
        """The light that meets a level surface at this point."""
        place = np.array([point_mm])
        pixel = self._model.project(place)
        scale = float(self._gain * self._vignette(pixel)[0])
        ambient = np.full(3, self._scene.ambient * scale, dtype=np.float32)
        lamps: list[tuple[Lamp, Float32]] = []
        for lamp in self._scene.lamps:
            strength = instant.weight(lamp.group) * float(self._falloff(lamp, place)[0])
            if strength > 0:
                lamps.append((lamp, (scale * strength * np.asarray(lamp.tint)).astype(np.float32)))
        return LocalLight(ambient, tuple(lamps))

    def _falloff(self, lamp: Lamp, points_mm: Array) -> Array:
        """Strength at points (n, 3): inverse square, the cosines at the lamp and on the board."""

        def plain(points: Array) -> Array:
            to_lamp = np.asarray(lamp.centre_mm) - points
            squared = (to_lamp**2).sum(axis=1)
            axis = np.asarray(lamp.centre_mm) - self._middle[0]
            axis /= np.linalg.norm(axis)
            at_lamp = np.maximum(to_lamp @ axis, 0) / np.sqrt(squared)
            arriving: Array = np.maximum(to_lamp[:, 2], 0) / np.sqrt(squared) * at_lamp / squared
            return arriving

        strength: Array = lamp.strength * plain(points_mm) / plain(self._middle)[0]
        return strength

    def _vignette(self, points_px: Array) -> Array:
        centre = np.asarray(self._model.centre_px)
        reach = float(np.hypot(*centre))
        share = ((points_px - centre) ** 2).sum(axis=1) / reach**2
        kept: Array = 1.0 - self._scene.sensor.vignette * share
        return kept

    def _coarse_grid(self) -> tuple[Array, tuple[int, int]]:
        width, height = self._scene.size
        across, down = -(-width // _COARSE_PX), -(-height // _COARSE_PX)
        # cv2.resize puts the centre of a coarse cell at the centre of the pixels it becomes.
        columns = (np.arange(across) + 0.5) * (width / across) - 0.5
        rows = (np.arange(down) + 0.5) * (height / down) - 0.5
        x, y = np.meshgrid(columns, rows)
        return np.column_stack((x.ravel(), y.ravel())), (across, down)

    def _spread(self, coarse: Array) -> Float32:
        across, down = self._coarse
        image = coarse.reshape(down, across, 3).astype(np.float32)
        spread = cv2.resize(image, self._scene.size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(spread, dtype=np.float32)
