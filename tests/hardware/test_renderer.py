"""The renderer against the camera model on scenes at random: what is drawn lies where it should."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.simulated.hands import HandPose
from hardware.simulated.projection import PlaneMap, Window, tiles
from hardware.simulated.random_scenes import random_ball, random_hand, random_scene
from hardware.simulated.renderer import Renderer, render_still
from hardware.simulated.scene import BallPose, HalfShift, Instant, Scene, Sensor, ball_with_dot_at

Array = NDArray[np.float64]
SEEDS = range(4)
SMALL = (728, 544)
LIGHTS = ("soft", "two", "side")


def noise_free(scene: Scene) -> Scene:
    """The scene through a sensor that adds nothing of its own, and without gleams."""
    sensor = Sensor(noisy=False, blur_px=scene.sensor.blur_px, exposure=0.9)
    return replace(scene, sensor=sensor, gloss=0.0)


def area_centre(outline: Array) -> Array:
    """Centre of area of a closed polygon, shape (n, 2)."""
    moments = cv2.moments((outline - outline[0]).astype(np.float32).reshape(-1, 1, 2))
    middle = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    return np.asarray(middle + outline[0])


def dark_centroid(image: NDArray[np.uint8], near_px: Array, reach_px: float) -> Array:
    """Centre of what is darker than the plane through a ring of the surroundings, in luminance."""
    x0, y0 = (near_px - reach_px - 3).astype(int)
    side = int(2 * reach_px) + 8
    patch = image[y0 : y0 + side, x0 : x0 + side, 1].astype(float)
    y, x = np.mgrid[y0 : y0 + side, x0 : x0 + side]
    away = np.hypot(x - near_px[0], y - near_px[1])
    ring = (away > reach_px - 1.0) & (away < reach_px + 1.0)
    plane = np.column_stack((x[ring], y[ring], np.ones(ring.sum())))
    fit = np.linalg.lstsq(plane, patch[ring], rcond=None)[0]
    weight = np.where(away < reach_px, fit[0] * x + fit[1] * y + fit[2] - patch, 0.0)
    return np.array([(weight * x).sum() / weight.sum(), (weight * y).sum() / weight.sum()])


@pytest.mark.parametrize("seed", SEEDS)
def test_dot_and_lines_are_drawn_where_the_camera_model_puts_them(seed: int) -> None:
    scene = noise_free(random_scene(seed, light=LIGHTS[seed % 3], ball="yellow"))
    frame, truth = render_still(scene, [random_ball(scene, seed)])

    ball, radius = truth.balls[0], scene.ball.dot_diameter_mm / 2
    outline = scene.camera.circle_px(ball.dot_mm, radius, ball.top_mm)
    reach = np.ptp(outline, axis=0).max() / 2 + 3.5 * scene.sensor.blur_px + 1.5
    found = dark_centroid(frame.image, np.array(ball.dot_px), reach)
    assert found == pytest.approx(area_centre(outline), abs=0.03)

    green = frame.image[..., 1].astype(np.float32)
    errors = []
    for line in scene.edition.printed_lines:
        if line.kind == "court":
            half = scene.half_a if line.half == "A" else scene.half_b
            errors += middle_errors_px(scene, half, green, line.points_mm)
    assert len(errors) > 100
    # The print is grainy: single places scatter, their mean tells of a bias.
    assert abs(np.mean(errors)) < 0.015
    assert np.percentile(np.abs(errors), 95) < 0.08


def middle_errors_px(
    scene: Scene, half: HalfShift, green: NDArray[np.float32], points_mm: Array
) -> list[float]:
    """How far the middles of a bright line lie off its printed middle, along its length."""
    start, end = points_mm[0], points_mm[-1]
    normal = np.array([start[1] - end[1], end[0] - start[0]]) / np.linalg.norm(end - start)
    across = np.linspace(-3.6, 3.6, 73)
    found = []
    for share in np.linspace(0.1, 0.9, 17):
        places = half.to_world(start + share * (end - start) + across[:, None] * normal)
        px = scene.camera.project(np.column_stack((places, np.zeros(73)))).astype(np.float32)
        level = cv2.remap(green, px[:, :1].copy(), px[:, 1:].copy(), cv2.INTER_CUBIC).ravel()
        beside = np.concatenate((level[:8], level[-8:]))
        if beside.std() > 3 or level.max() - beside.mean() < 25:
            continue  # something else is printed here too
        above = level - (level.max() + beside.mean()) / 2
        inside = np.flatnonzero(above > 0)
        first, last = inside[0], inside[-1]
        if first == 0 or last == 72 or len(inside) != last - first + 1:
            continue
        rise = across[first] - 0.1 * above[first] / (above[first] - above[first - 1])
        fall = across[last] + 0.1 * above[last] / (above[last] - above[last + 1])
        px_per_mm = float(np.linalg.norm(px[-1] - px[0])) / 7.2
        found.append((rise + fall) / 2 * px_per_mm)
    return found


def test_the_top_of_the_ball_has_its_parallax() -> None:
    scene = noise_free(random_scene(1, light="soft", ball="yellow", size=SMALL))
    flat = replace(scene, ball=replace(scene.ball, height_mm=0.5))
    pose = BallPose((200.0, -90.0))
    centres = []
    for shown in (scene, flat):
        with_ball, truth = render_still(shown, [pose])
        without, _ = render_still(shown)
        assert not np.array_equal(with_ball.image, without.image)
        centres.append(truth.balls[0].disc_px)
        x, y = (round(v) for v in truth.balls[0].disc_px)
        blue, green, red = (int(v) for v in with_ball.image[y + 4, x + 4])
        assert red > blue + 60
        assert green > blue + 60
    middle = np.array([(scene.size[0] - 1) / 2, (scene.size[1] - 1) / 2])
    out = [float(np.linalg.norm(np.array(centre) - middle)) for centre in centres]
    assert out[0] > out[1] + 0.5


@pytest.mark.parametrize("seed", [2, 7])
def test_the_fast_map_agrees_with_the_camera_model(seed: int) -> None:
    scene = random_scene(seed)
    worst = 0.0
    for window in tiles(scene.size)[::17]:
        columns, rows = (
            np.linspace(window.x0, window.x1 - 1, 5),
            np.linspace(window.y0, window.y1 - 1, 5),
        )
        x, y = PlaneMap(scene.camera, window, 6.0).at(columns, rows)
        grid = np.column_stack([part.ravel() for part in np.meshgrid(columns, rows)])
        exact = scene.camera.locate(grid, 6.0)
        apart = np.hypot(x.ravel() - exact[:, 0], y.ravel() - exact[:, 1])
        worst = max(worst, float(apart.max()))
    assert worst < 1e-3


def test_a_ball_changes_nothing_far_from_it() -> None:
    scene = noise_free(random_scene(3, light="soft", size=SMALL))
    with_ball, truth = render_still(scene, [BallPose((100.0, 20.0))])
    without, _ = render_still(scene)
    changed = np.argwhere((with_ball.image != without.image).any(axis=2))
    x, y = truth.balls[0].disc_px
    assert len(changed) > 150
    assert np.abs(changed - [y, x]).max() < 60


def test_a_patch_is_what_the_whole_picture_would_be() -> None:
    """Composing windows leaves no seam: sharpening and mosaic see beyond the window's edge."""
    scene = random_scene(4, light="soft", size=SMALL)
    sensor = replace(scene.sensor, noisy=False, bayer=True, sharpen=0.4)
    scene = replace(scene, sensor=sensor)
    still = Renderer(scene).expose([Instant()], 0)
    renderer = Renderer(scene)
    renderer.expose([Instant()], 0)
    window = Window(200, 150, 260, 210)
    roomy = window.grown(6, scene.size)
    light = renderer._light[roomy.slices]
    fresh = renderer._developer.develop(light, roomy, np.random.default_rng(0))
    assert np.array_equal(fresh[6:-6, 6:-6], still[window.slices])


def test_a_moving_ball_is_smeared_along_its_way() -> None:
    scene = noise_free(random_scene(5, light="soft", ball="yellow", size=SMALL))
    way = [Instant((BallPose((80.0 + step, 0.0)),)) for step in np.linspace(0, 8, 9)]
    renderer = Renderer(scene)
    without = renderer.expose([Instant()], 0).astype(int)
    start, end = scene.camera.project([(80.0, 0.0, 6.0), (88.0, 0.0, 6.0)])
    ahead = (end - start) / np.linalg.norm(end - start)

    def reach(instants: list[Instant], along: Array) -> float:
        changed = np.abs(renderer.expose(instants, 0) - without).sum(axis=2) > 12
        return float(np.ptp(np.argwhere(changed)[:, ::-1] @ along))

    way_px = float(np.linalg.norm(end - start))
    assert reach(way, ahead) - reach(way[:1], ahead) > 0.6 * way_px
    aside = np.array([-ahead[1], ahead[0]])
    assert abs(reach(way, aside) - reach(way[:1], aside)) < 0.2 * way_px


def test_hands_cover_the_ball_and_cast_shadows() -> None:
    scene = noise_free(random_scene(6, light="two", ball="yellow", size=SMALL))
    ball = BallPose((0.0, 0.0))
    over = HandPose((10.0, 0.0, 16.0), 0.0, (-500.0, 0.0), 1.0)
    bare, truth = render_still(scene, [ball])
    covered, _ = render_still(scene, [ball], over)
    x, y = (round(v) for v in truth.balls[0].disc_px)
    assert np.abs(covered.image[y, x - 4].astype(int) - bare.image[y, x - 4]).max() > 25
    darker = (covered.image.astype(int).sum(axis=2) - bare.image.astype(int).sum(axis=2)) < -30
    assert darker.sum() > 500


def test_noise_follows_the_light() -> None:
    scene = random_scene(8, light="soft", size=SMALL)
    plain = replace(scene, sensor=Sensor(full_well=8000.0, read_noise=4.0), gloss=0.0)
    renderer = Renderer(plain, 1)
    ball = (BallPose((100.0, 0.0)),)
    frames = np.stack([renderer.expose([Instant(ball)], n) for n in range(10)]).astype(float)
    quiet = replace(plain, sensor=replace(plain.sensor, noisy=False))
    expected = Renderer(quiet).expose([Instant(ball)], 0).astype(float)
    bias = (frames.mean(axis=0) - expected)[50:-50, 50:-50]
    assert abs(bias.mean()) < 0.15
    spread = frames.std(axis=0).mean()
    assert 0.5 < spread < 6.0


@pytest.mark.parametrize("away", [(900.0, 40.0), (-1500.0, -300.0), (0.0, 1400.0)])
def test_what_lies_far_outside_is_not_seen(away: tuple[float, float]) -> None:
    """A strong barrel lens folds distant points back into the picture: they must not be drawn."""
    scene = noise_free(random_scene(2, size=SMALL))
    assert scene.camera.distortion[0] < -0.25
    bare = Renderer(scene).expose([Instant()], 0)
    hand = HandPose((away[0], away[1], 30.0), 0.0, (2 * away[0], 2 * away[1]))
    image = Renderer(scene).expose([Instant((BallPose(away),), (hand,))], 0)
    assert np.array_equal(image, bare)


def test_an_arm_is_drawn_on_its_own_side() -> None:
    scene = noise_free(random_scene(2, size=SMALL))
    bare = Renderer(scene).expose([Instant()], 0).astype(int)
    arm = HandPose((120.0, 0.0, 8.0), np.pi, (1100.0, 0.0))
    image = Renderer(scene).expose([Instant((), (arm,))], 0)
    changed = np.argwhere(np.abs(image - bare).max(axis=2) > 30)[:, ::-1]
    seen = scene.camera.locate(changed.astype(float))
    assert len(seen) > 1000
    assert (seen[:, 0] > 60).all()


def test_mains_lamps_make_bands_that_move() -> None:
    scene = noise_free(random_scene(8, light="soft", size=SMALL))
    flicker = replace(scene.sensor, mains_depth=0.2, exposure_s=0.002)
    steady = Renderer(scene).expose([Instant()], 0).astype(float)
    renderer = Renderer(replace(scene, sensor=flicker))
    rows = []
    for time_s in (0.0, 1 / 300):
        lit = renderer.expose([Instant(time_s=time_s)], 0).astype(float)
        rows.append(lit.mean(axis=(1, 2)) / steady.mean(axis=(1, 2)))
    for row in rows:
        assert 1.02 < row.max() < 1.12
        assert 0.88 < row.min() < 0.98
    # A third of a period later the bands stand elsewhere.
    assert abs(int(rows[0].argmax()) - int(rows[1].argmax())) > 40


def test_the_same_seed_gives_the_same_pixels_and_another_seed_other_noise() -> None:
    scene = random_scene(9, light="soft", size=SMALL)
    pose = random_ball(scene, 9)
    one, two = (render_still(scene, [pose], seed=1)[0].image for _ in range(2))
    other = render_still(scene, [pose], seed=2)[0].image
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_scenes_at_random_show_the_whole_board() -> None:
    for seed in range(40):
        scene = random_scene(seed)
        (x0, x1), (y0, y1) = scene.edition.extent_x_mm, scene.edition.extent_y_mm
        corners = np.array([[x, y, 0.0] for x in (x0, x1) for y in (y0, y1)])
        pixels = scene.camera.project(corners)
        assert (pixels > 0).all()
        assert (pixels < scene.size).all()
        assert random_scene(seed) == scene
        hand = random_hand(scene, seed)
        assert abs(hand.elbow_mm[0]) > x1


@pytest.mark.parametrize("light", ["soft", "side", "two", "glare", "dim"])
def test_every_light_leaves_a_picture(light: str) -> None:
    scene = random_scene(10, light=light, size=SMALL)
    image = render_still(scene, [random_ball(scene, 1)])[0].image
    assert 8 < image.mean() < 235
    assert (image == 255).mean() < 0.2


def test_an_unknown_light_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of: soft"):
        random_scene(1, light="disco")


def test_a_dot_can_be_asked_for() -> None:
    scene = random_scene(12)
    pose = ball_with_dot_at((33.0, -20.0), scene.ball, turn_rad=2.0)
    assert pose.dot_mm(scene.ball) == pytest.approx((33.0, -20.0))
