"""Scenes at random, wide enough to hold what makers build: cameras, lamps, inks, balls, hands.

Only choices live here; each is a pure function of its seed.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.edition import Edition, load_edition
from hardware.simulated.band import scattered_pawns
from hardware.simulated.hands import HandLook, HandPose
from hardware.simulated.palettes import BALLS, GLOVES, PALETTES, PAWNS, SKINS, SLEEVES, TABLES, WOOD
from hardware.simulated.scene import (
    BallPose,
    BallStyle,
    HalfShift,
    Lamp,
    Scene,
    Sensor,
    camera_over,
    reach_to_mm,
)

_CLASSIC_LENGTH_MM = 500.0
_FOCAL_PX = (1000.0, 2000.0)  # for a picture 1456 pixels wide
_LIGHTS = ("soft", "side", "two", "glare", "dim")


def random_scene(
    seed: int,
    *,
    edition: Edition | None = None,
    size: tuple[int, int] = (1456, 1088),
    ball: str | None = None,
    light: str | None = None,
) -> Scene:
    """A scene of that `edition` (default: classic), all of the board in the picture.

    `ball`: a name of `palettes.BALLS`; default: usually yellow. `light`: "soft", "side" (a low
    lamp), "two" (lamps), "glare" (a lamp mirrored in the board) or "dim"; default: any.
    """
    random = np.random.default_rng((seed, 0x5CE2E))
    board = edition if edition is not None else load_edition("classic")
    kind = light if light is not None else str(random.choice(_LIGHTS))
    camera = _camera(board, size, random)
    style = _ball(board, ball, random)
    lamps, ambient = _lamps(board, camera, kind, random)
    halves = _halves(random)
    sensor = Sensor(
        exposure=float(random.uniform(0.25, 0.4) if kind == "dim" else random.uniform(0.8, 1.1)),
        exposure_s=float(random.choice([0.004, 0.006, 0.01])),
        blur_px=float(random.uniform(0.45, 1.0)),
        vignette=float(random.uniform(0.1, 0.4)),
        full_well=float(random.uniform(6000, 12000)),
        white_balance=_three(random.uniform(0.93, 1.07, 3)),
        bayer=bool(random.random() < 0.5),
        sharpen=float(random.uniform(0.0, 0.4)),
    )
    return Scene(
        edition=board,
        camera=camera,
        size=size,
        half_a=halves[0],
        half_b=halves[1],
        palette=PALETTES[str(random.choice(list(PALETTES)))],
        table=str(random.choice(list(TABLES))),
        ambient=ambient,
        lamps=lamps,
        gloss=float(random.uniform(0.01, 0.05)) * (2.5 if kind == "glare" else 1.0),
        ball=style,
        sensor=sensor,
        art_seed=int(random.integers(1 << 16)),
        pawns=scattered_pawns(board, str(random.choice(PAWNS)), random),
    )


def random_ball(scene: Scene, seed: int, *, margin_mm: float = 2.0) -> BallPose:
    """A ball lying anywhere on the scene's board below the scorer band, any way round."""
    random = np.random.default_rng((seed, 0xBA11))
    inset = scene.ball.radius_mm + margin_mm
    (x0, x1), y0 = scene.edition.extent_x_mm, scene.edition.extent_y_mm[0]
    x, y = random.uniform(x0 + inset, x1 - inset), random.uniform(y0 + inset, -y0 - inset)
    return BallPose((float(x), float(y)), 0.0, float(random.uniform(0, 2 * np.pi)))


def random_hand_look(seed: int) -> HandLook:
    """Skin or glove, sleeve (perhaps of a ball's colour), size and handedness."""
    random = np.random.default_rng((seed, 0x4A2D))
    skin = str(random.choice(GLOVES if random.random() < 0.25 else SKINS))
    return HandLook(
        skin=skin,
        sleeve=str(random.choice(SLEEVES)),
        sleeve_from_mm=float(random.uniform(10, 150)),
        scale=float(random.uniform(0.85, 1.1)),
        left_handed=bool(random.random() < 0.15),
    )


def random_hand(scene: Scene, seed: int) -> HandPose:
    """A hand that came in from one of the players' ends and rests or hovers over the board."""
    random = np.random.default_rng((seed, 0x4A2E))
    x1, (y0, y1) = scene.edition.extent_x_mm[1], scene.edition.extent_y_mm
    side = -1.0 if random.random() < 0.5 else 1.0
    tip_x, tip_y = side * random.uniform(-0.1, 0.9) * x1, random.uniform(0.8 * y0, 0.9 * y1)
    elbow = (side * reach_to_mm(scene), float(tip_y + random.uniform(-150, 150)))
    heading = np.arctan2(tip_y - elbow[1], tip_x - elbow[0]) + random.uniform(-0.5, 0.5)
    return HandPose(
        tip_mm=(float(tip_x), float(tip_y), float(random.uniform(7, 40))),
        heading_rad=float(heading),
        elbow_mm=elbow,
        reach=float(random.uniform(0, 1)),
        look=random_hand_look(seed),
    )


def _camera(board: Edition, size: tuple[int, int], random: np.random.Generator) -> CameraModel:
    """One that sees the whole board, with a lens that is still one-to-one in the corners."""
    scale = size[0] / 1456.0
    length = (board.extent_x_mm[1] - board.extent_x_mm[0]) / _CLASSIC_LENGTH_MM
    while True:
        k1 = float(random.uniform(-0.35, 0.1))
        # Real lenses bend back: k2 is mostly of the other sign.
        k2 = float(random.uniform(-0.15, 0.35) * abs(k1) + random.normal(0, 0.005))
        p1, p2 = (float(v) for v in random.normal(0, 0.0004, 2))
        model = camera_over(
            board,
            size,
            tilt_deg=float(random.uniform(0, 12)),
            turn_deg=float(random.choice([0, 90, 180, 270]) + random.normal(0, 6))
            if random.random() < 0.7
            else float(random.uniform(0, 360)),
            distortion=(k1, k2, p1, p2),
            height_mm=float(random.uniform(500, 750)) * length,
            lean_deg=float(random.uniform(0, 360)),
            fill=float(random.uniform(0.86, 0.97)),
        )
        offset = random.normal(0, 6 * scale, 2)
        centre = (model.centre_px[0] + float(offset[0]), model.centre_px[1] + float(offset[1]))
        model = replace(model, centre_px=centre)
        low, high = (limit * scale for limit in _FOCAL_PX)
        if low <= model.focal_px <= high and _one_to_one(model, size):
            return model


def _one_to_one(model: CameraModel, size: tuple[int, int]) -> bool:
    corners = np.array([[0, 0], [size[0], 0], [0, size[1]], [size[0], size[1]]], dtype=float)
    seen = model.locate(corners)
    if not np.isfinite(seen).all():
        return False
    again = model.project(np.column_stack((seen, np.zeros(4))))
    k1, k2 = model.distortion[:2]
    # The undistorted radius at the corners, from which the slope of the radial law follows.
    rays = (np.column_stack((seen, np.zeros(4))) - model.position_mm) @ model.rotation_matrix.T
    r2 = ((rays[:, :2] / rays[:, 2:]) ** 2).sum(axis=1)
    slope = 1 + 3 * k1 * r2 + 5 * k2 * r2 * r2
    return bool(np.abs(again - corners).max() < 1e-3 and slope.min() > 0.35)


def _ball(board: Edition, name: str | None, random: np.random.Generator) -> BallStyle:
    if name is None:
        name = "yellow" if random.random() < 0.6 else str(random.choice(list(BALLS)))
    radius = board.ball.diameter_mm / 2
    away, angle = random.uniform(0, 0.2) * radius / 11, random.uniform(0, 2 * np.pi)
    return BallStyle(
        radius_mm=radius,
        height_mm=board.ball.height_mm,
        print_radius_mm=float(radius * random.uniform(10.4, 11.0) / 11),
        dot_diameter_mm=board.ball.dot_diameter_mm,
        face=_varied(BALLS[name], random),
        wall=_varied(WOOD if random.random() < 0.7 else BALLS[name], random),
        dot_offset_mm=(float(away * np.cos(angle)), float(away * np.sin(angle))),
    )


def _varied(srgb_hex: str, random: np.random.Generator) -> str:
    parts = [int(srgb_hex[i : i + 2], 16) for i in (0, 2, 4)]
    return "".join(f"{int(np.clip(part + random.normal(0, 7), 0, 255)):02x}" for part in parts)


def _lamps(
    board: Edition, camera: CameraModel, kind: str, random: np.random.Generator
) -> tuple[tuple[Lamp, ...], float]:
    (x0, x1), (y0, y1) = board.extent_x_mm, board.extent_y_mm
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])

    def lamp(away: tuple[float, float], high: tuple[float, float], strength: float) -> Lamp:
        angle, reach = random.uniform(0, 2 * np.pi), random.uniform(*away)
        x, y = middle + reach * np.array([np.cos(angle), np.sin(angle)])
        warm = float(random.uniform(0.75, 1.1))
        centre = (float(x), float(y), float(random.uniform(*high)))
        return Lamp(centre, float(random.uniform(60, 220)), strength, (warm, 1.0, 2.0 - warm))

    ambient = float(random.uniform(0.2, 0.4))
    match kind:
        case "side":
            return (lamp((500, 750), (350, 550), 0.8),), ambient
        case "two":
            first = lamp((200, 500), (900, 1200), 0.6)
            return (first, replace(lamp((300, 600), (600, 1200), 0.45), group=1)), ambient
        case "glare":
            # The mirror image of the camera in the board, seen from a spot on the board.
            spot = np.array([random.uniform(x0, x1) * 0.7, random.uniform(y0, -y0) * 0.7])
            eye = camera.position_mm
            high = float(random.uniform(800, 1200))
            x, y = spot + (spot - eye[:2]) * high / eye[2]
            return (Lamp((float(x), float(y), high), 150.0, 0.7),), ambient
        case "soft" | "dim":
            return (lamp((150, 500), (950, 1250), 0.65),), ambient
        case _:
            raise ValueError(f"no light is called {kind!r}; choose one of: {', '.join(_LIGHTS)}")


def _halves(random: np.random.Generator) -> tuple[HalfShift, HalfShift]:
    if random.random() < 0.4:
        return HalfShift(), HalfShift()

    def shift(sign: float) -> HalfShift:
        # Boards are pushed together, so the gap is opened more often than closed.
        dx = sign * float(abs(random.normal(0, 0.25)))
        return HalfShift(dx, float(random.normal(0, 0.25)), float(random.normal(0, 0.05)))

    return shift(-1.0), shift(1.0)


def _three(values: NDArray[np.float64]) -> tuple[float, float, float]:
    a, b, c = (float(v) for v in values)
    return (a, b, c)
