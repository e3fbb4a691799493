"""The simulated camera: frames are a function of the simulated table, and time passes with them."""

from dataclasses import replace

import numpy as np
import pytest

from hardware.camera import Frame
from hardware.simulated.camera import SimulatedCamera, simulated_scene
from hardware.simulated.motion import launch_to
from hardware.simulated.scene import Scene, camera_over, default_scene
from hardware.simulated.table import SimulatedTable

SMALL = (364, 272)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return simulated_scene(default_scene(size=SMALL))


def read(camera: SimulatedCamera) -> Frame:
    frame = camera.read()
    assert frame is not None
    return frame


def changed(one: Frame, two: Frame) -> float:
    """Share of pixels that differ by more than noise."""
    apart = np.abs(one.image.astype(int) - two.image).max(axis=2)
    return float((apart > 40).mean())


def test_time_passes_on_the_table(scene: Scene) -> None:
    table = SimulatedTable(scene)
    camera = SimulatedCamera(table, fps=50.0)
    assert [round(read(camera).captured_at, 9) for _ in range(4)] == [0.0, 0.02, 0.04, 0.06]
    assert table.now == pytest.approx(0.08)


def test_only_what_happens_on_the_table_is_seen(scene: Scene) -> None:
    table = SimulatedTable(scene, 1)
    camera = SimulatedCamera(table)
    first = read(camera)
    assert changed(first, read(camera)) == 0.0
    stroke = table.flick("A", launch_to(table.ball.disc_mm, (70.0, 54.0)))
    seen = {}
    while table.now < stroke.rested_at + 1.0:
        frame = read(camera)
        seen[frame.captured_at] = changed(first, frame)
    before = [share for at, share in seen.items() if at < stroke.hand_at]
    during = [share for at, share in seen.items() if stroke.hand_at < at < stroke.rested_at]
    assert max(before) == 0.0
    assert max(during) > 0.004
    # Where the ball was, and where it is now.
    assert 0.001 < list(seen.values())[-1] < 0.02


def test_the_director_is_asked_before_each_frame(scene: Scene) -> None:
    asked: list[float] = []

    def direct(table: SimulatedTable) -> None:
        asked.append(table.now)
        if not table.busy:
            table.flick("A", launch_to(table.ball.disc_mm, (70.0, 54.0)))

    table = SimulatedTable(scene, 2)
    camera = SimulatedCamera(table, before_frame=direct, frame_count=5)
    while camera.read() is not None:
        pass
    assert len(asked) == 5
    assert table.busy


def test_lamps_and_knocks_show(scene: Scene) -> None:
    table = SimulatedTable(scene, 3)
    camera = SimulatedCamera(table)
    first = read(camera)
    table.switch_lamps((0.5,))
    dim = read(camera)
    assert dim.image.mean() < 0.9 * first.image.mean()
    table.switch_lamps((1.0,))
    elsewhere = replace(
        camera_over(scene.edition, SMALL, tilt_deg=5.0, turn_deg=2.0),
        focal_px=scene.camera.focal_px,
    )
    table.knock_camera(elsewhere)
    assert changed(first, read(camera)) > 0.02


def test_the_same_seed_gives_the_same_film(scene: Scene) -> None:
    def film(seed: int) -> list[bytes]:
        table = SimulatedTable(scene, seed)
        table.flick("A", launch_to(table.ball.disc_mm, (70.0, 54.0)))
        camera = SimulatedCamera(table, seed=seed)
        return [read(camera).image.tobytes() for _ in range(40)]

    assert film(4) == film(4)
    assert film(4) != film(5)


def test_a_rate_out_of_reach_is_refused(scene: Scene) -> None:
    with pytest.raises(ValueError, match="1 to 240"):
        SimulatedCamera(SimulatedTable(scene), fps=0.0)
