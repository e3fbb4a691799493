"""Frames of a simulated scene: what moves is composed over what stands still, then developed to 8
bits.

The still part is rendered once and developed a few times with different noise; a frame copies
one of those and re-renders only the windows in which something is. `render_still` is the whole
of it for one picture, with its truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from hardware.camera import Frame
from hardware.simulated.artwork import artwork_of
from hardware.simulated.backdrop import albedo_picture, whole
from hardware.simulated.hand_painter import hand_layers, hand_window
from hardware.simulated.hands import HandPose
from hardware.simulated.lighting import Lighting
from hardware.simulated.palettes import colour
from hardware.simulated.projection import Window
from hardware.simulated.scene import TABLE_Z_MM, BallPose, BallStyle, Instant, Pawn, Scene
from hardware.simulated.sensor import Developer, Picture, banded
from hardware.simulated.solids import (
    Layers,
    Solid,
    blurred,
    mean_layers,
    reach_px,
    solid_layers,
)

Float32 = NDArray[np.float32]

_STILL_SAMPLES = 3
_NOISE_PICTURES = 8
"""How often the still part is developed: averaging more frames than this removes no more of its
noise."""

_SHARPEN_MARGIN_PX = 6  # sharpening sees 4 pixels far, demosaicing 1; even, to keep the mosaic
_RESTS_KEPT = 4
_BLUR_STEP_PX = 1.5  # a moving ball is drawn again each time it has gone this far


@dataclass(frozen=True, slots=True)
class BallTruth:
    """A ball of a still: dot and disc in the world, in the print of the half named, and in pixels.

    The pixels are projections of the two centres at the height of the printed face.
    """

    dot_mm: tuple[float, float]
    disc_mm: tuple[float, float]
    half: str
    dot_printed_mm: tuple[float, float]
    disc_printed_mm: tuple[float, float]
    dot_px: tuple[float, float]
    disc_px: tuple[float, float]
    top_mm: float


@dataclass(frozen=True, slots=True)
class StillTruth:
    """What is in a still: the scene (camera, halves) and its balls, the one in play first."""

    scene: Scene
    balls: tuple[BallTruth, ...]


class Renderer:
    """Renders frames of one scene. `seed` fixes the noise; the same calls give the same pixels."""

    def __init__(self, scene: Scene, seed: int = 0) -> None:
        self.scene = scene
        self._seed = seed
        self._artwork = artwork_of(scene.edition, scene.palette, scene.art_seed)
        self._developer = Developer(scene.sensor, scene.size, seed)
        self._model: CameraModel | None = None
        self._set: tuple[object, ...] | None = None

    def expose(self, instants: Sequence[Instant], number: int) -> Picture:
        """Frame `number` (which picks its noise) of an exposure through `instants`, evenly spread.

        Lamps, pawns and camera are those of the first instant.
        """
        first = instants[0]
        self._set_stage(first)
        random = np.random.default_rng((self._seed, number))
        picture = self._still_picture(int(random.integers(_NOISE_PICTURES))).copy()
        layers = self._moving_layers(instants)
        for window in _joined([part.window for part in layers]):
            roomy = window.grown(_SHARPEN_MARGIN_PX, self.scene.size)
            light = self._light[roomy.slices].copy()
            for part in layers:
                _apply_within(part, light, roomy)
            fresh = self._developer.develop(light, roomy, random)
            rows = slice(window.y0 - roomy.y0, window.y1 - roomy.y0)
            columns = slice(window.x0 - roomy.x0, window.x1 - roomy.x0)
            picture[window.slices] = fresh[rows, columns]
        return banded(picture, self.scene.sensor, first.time_s)

    def _set_stage(self, instant: Instant) -> None:
        """Bring what stands still up to date with the instant's camera, lamps and pawns."""
        model = instant.camera or self.scene.camera
        if model != self._model:
            self._model = model
            self._albedo = albedo_picture(self.scene, model, self._artwork)
            self._lighting = Lighting(self.scene, model)
            self._set = None
        stage = (instant.lamp_weights, instant.pawns)
        if stage == self._set:
            return
        self._set = stage
        light = self._albedo * self._lighting.irradiance(instant)
        light += self._lighting.gloss(instant)
        for pawn in instant.pawns:
            part = self._solid_layers([_pawn_solid(pawn)], instant)
            if part is not None:
                part.applied(light)
        self._light = light
        self._pictures: dict[int, Picture] = {}
        self._resting: dict[BallPose, Layers | None] = {}

    def _still_picture(self, index: int) -> Picture:
        if not self.scene.sensor.noisy:
            index = 0
        if index not in self._pictures:
            random = np.random.default_rng((self._seed, index, 0xB6))
            self._pictures[index] = self._developer.develop(self._light, whole(self.scene.size), random)
        return self._pictures[index]

    def _moving_layers(self, instants: Sequence[Instant]) -> list[Layers]:
        """Layers of balls and hands, in the order in which they lie above one another."""
        first = instants[0]
        layers = []
        for index in range(len(first.balls)):
            poses = [instant.balls[index] for instant in instants if index < len(instant.balls)]
            part = self._ball_layers(poses, first)
            if part is not None:
                layers.append(part)
        assert self._model is not None
        for index, hand in enumerate(first.hands):
            last = instants[-1].hands[index] if index < len(instants[-1].hands) else hand
            light = self._lighting.at((hand.tip_mm[0], hand.tip_mm[1], 0.0), first)
            window = hand_window(self._model, hand, light, self.scene.size)
            if window.empty:
                continue
            from_px, to_px = self._model.project([hand.tip_mm, last.tip_mm])
            moved = (float(to_px[0] - from_px[0]), float(to_px[1] - from_px[1]))
            layers.append(hand_layers(self._model, hand, light, window, moved))
        return layers

    def _ball_layers(self, poses: list[BallPose], instant: Instant) -> Layers | None:
        """A ball through the exposure; one that lies still is drawn once."""
        if poses[0] != poses[-1]:
            return self._solid_layers([ball_solid(self.scene, pose) for pose in poses], instant)
        if poses[0] not in self._resting:
            if len(self._resting) > _RESTS_KEPT:
                self._resting.clear()
            still = [ball_solid(self.scene, poses[0])]
            self._resting[poses[0]] = self._solid_layers(still, instant)
        return self._resting[poses[0]]

    def _solid_layers(self, solids: list[Solid], instant: Instant) -> Layers | None:
        """One solid through the exposure, or None when it is out of the picture."""
        assert self._model is not None
        model, first, last = self._model, solids[0], solids[-1]
        blur = self.scene.sensor.blur_px
        light = self._lighting.at((*first.centre_mm, first.top_mm), instant)
        windows = [reach_px(model, solid, light, self.scene.size, 3 * blur + 2) for solid in (first, last)]
        windows = [window for window in windows if not window.empty]
        if not windows:
            return None
        window = windows[0].joined(windows[-1])
        way = model.project([(*first.centre_mm, first.top_mm), (*last.centre_mm, last.top_mm)])
        gone_px = float(np.hypot(*(way[1] - way[0])))
        if gone_px < 0.05:
            return blurred(solid_layers(model, first, light, window, _STILL_SAMPLES), blur)
        steps = min(len(solids), int(np.ceil(gone_px / _BLUR_STEP_PX)) + 1)
        chosen = [solids[i] for i in np.linspace(0, len(solids) - 1, steps).round().astype(int)]
        samples = _STILL_SAMPLES if steps <= 2 else 1
        parts = [solid_layers(model, solid, light, window, samples) for solid in chosen]
        return blurred(mean_layers(parts), blur)


def ball_solid(scene: Scene, pose: BallPose) -> Solid:
    """The ball as a solid; over the board or, beyond its edge, over the table."""
    style = scene.ball
    return Solid(
        centre_mm=pose.disc_mm,
        radius_mm=style.radius_mm,
        bottom_mm=pose.bottom_mm,
        top_mm=pose.bottom_mm + style.height_mm,
        ground_mm=min(ground_under(scene, pose.disc_mm), pose.bottom_mm),
        wall=colour(style.wall),
        rim=colour(style.wall),
        face=colour(style.face),
        face_radius_mm=style.print_radius_mm,
        dot=colour(style.dot),
        dot_mm=pose.dot_mm(style),
        dot_radius_mm=style.dot_diameter_mm / 2,
    )


def ground_under(scene: Scene, point_mm: tuple[float, float]) -> float:
    """Height in mm of what a ball at this point lies on: board or table."""
    (x0, x1), (y0, y1) = scene.edition.extent_x_mm, scene.edition.extent_y_mm
    on_board = x0 <= point_mm[0] <= x1 and y0 <= point_mm[1] <= y1
    return 0.0 if on_board else TABLE_Z_MM


def render_still(
    scene: Scene,
    balls: Sequence[BallPose] = (),
    hand: HandPose | None = None,
    *,
    seed: int = 0,
    frames: int = 1,
) -> tuple[Frame, StillTruth]:
    """One picture of `scene` with `balls` (the one in play first) and perhaps a hand; and its
    truth.

    The mean of `frames` frames with independent noise on whatever moves. `ball_with_dot_at`
    places a ball by its dot. A ball's `bottom_mm` of 0 becomes the table's height beyond the
    board's edge.
    """
    grounded = tuple(
        replace(ball, bottom_mm=ground_under(scene, ball.disc_mm)) if ball.bottom_mm == 0 else ball
        for ball in balls
    )
    instant = Instant(grounded, () if hand is None else (hand,), (), scene.pawns)
    renderer = Renderer(scene, seed)
    if frames == 1:
        image = renderer.expose([instant], 0)
    else:
        total = sum(renderer.expose([instant], n).astype(np.float32) for n in range(frames))
        image = np.rint(total / frames).astype(np.uint8)
    truth = StillTruth(scene, tuple(ball_truth(scene, ball) for ball in grounded))
    return Frame(image, 0.0, 0), truth


def ball_truth(scene: Scene, pose: BallPose) -> BallTruth:
    """Where a ball is, in every frame of reference."""
    dot, disc = pose.dot_mm(scene.ball), pose.disc_mm
    top = pose.bottom_mm + scene.ball.height_mm
    half = scene.half_b if scene.half_at(dot) == "B" else scene.half_a
    pixels = scene.camera.project([(*dot, top), (*disc, top)])
    return BallTruth(
        dot_mm=dot,
        disc_mm=disc,
        half=scene.half_at(dot),
        dot_printed_mm=_pair(half.to_printed(dot)),
        disc_printed_mm=_pair(half.to_printed(disc)),
        dot_px=_pair(pixels[0]),
        disc_px=_pair(pixels[1]),
        top_mm=top,
    )


def _pawn_solid(pawn: Pawn) -> Solid:
    paint = colour(pawn.paint)
    return Solid(
        pawn.at_mm,
        pawn.radius_mm,
        0.0,
        pawn.height_mm,
        0.0,
        wall=0.7 * paint,
        rim=0.9 * paint,
        face=paint,
        face_radius_mm=pawn.radius_mm - 1.0,
        dot=paint,
        dot_mm=pawn.at_mm,
        dot_radius_mm=0.0,
    )


def _joined(windows: list[Window]) -> list[Window]:
    """Windows that cover the same pixels, none overlapping another."""
    done: list[Window] = []
    for window in windows:
        merged = window
        while True:
            near = [other for other in done if _overlap(merged, other)]
            if not near:
                break
            for other in near:
                done.remove(other)
                merged = merged.joined(other)
        done.append(merged)
    return done


def _overlap(a: Window, b: Window) -> bool:
    room = 2 * _SHARPEN_MARGIN_PX
    return a.x0 < b.x1 + room and b.x0 < a.x1 + room and a.y0 < b.y1 + room and b.y0 < a.y1 + room


def _apply_within(part: Layers, light: Float32, window: Window) -> None:
    """Apply a layer to the piece of light that shows `window`; the layer may lie elsewhere."""
    inner = part.window
    if inner.x0 < window.x0 or inner.x1 > window.x1 or inner.y0 < window.y0 or inner.y1 > window.y1:
        return
    rows = slice(inner.y0 - window.y0, inner.y1 - window.y0)
    columns = slice(inner.x0 - window.x0, inner.x1 - window.x0)
    light[rows, columns] *= part.passed
    light[rows, columns] += part.added


def _pair(values: NDArray[np.float64]) -> tuple[float, float]:
    return (float(values[0]), float(values[1]))


__all__ = ["BallStyle", "BallTruth", "Renderer", "StillTruth", "ball_truth", "render_still"]
