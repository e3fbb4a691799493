"""The sliding ball obeys physics: energy falls, it stops after v * v / 2a, spin makes an arc."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulated.motion import Launch, Slide, launch_to

speeds = st.floats(60.0, 2000.0)
frictions = st.floats(800.0, 3000.0)
headings = st.floats(-math.pi, math.pi)
bends = st.floats(-0.003, 0.003)
places = st.tuples(st.floats(-250, 250), st.floats(-125, 125))


def slides(bend: st.SearchStrategy[float] = bends) -> st.SearchStrategy[Slide]:
    launches = st.builds(Launch, headings, speeds, bend, st.floats(-0.01, 0.01))
    return st.builds(Slide, places, launches, frictions)


@given(slides())
def test_stopping_distance_along_the_way(slide: Slide) -> None:
    v, a = slide.launch.speed_mm_s, slide.friction_mm_s2
    steps = 2000
    times = [slide.duration_s * i / steps for i in range(steps + 1)]
    way = [slide.place_at(t) for t in times]
    length = sum(math.dist(p, q) for p, q in pairwise(way))
    assert length == pytest.approx(v * v / (2 * a), rel=1e-4)
    assert slide.duration_s == pytest.approx(v / a, rel=1e-6)


@given(slides(), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_energy_only_falls(slide: Slide, one: float, other: float) -> None:
    early, late = sorted((one * slide.duration_s, other * slide.duration_s))
    assert slide.speed_at(late) <= slide.speed_at(early) <= slide.launch.speed_mm_s


@given(slides(), st.floats(0.05, 0.95))
def test_speed_is_the_rate_at_which_it_moves(slide: Slide, share: float) -> None:
    at, brief = share * slide.duration_s, 1e-5
    moved = math.dist(slide.place_at(at - brief), slide.place_at(at + brief))
    assert moved / (2 * brief) == pytest.approx(slide.speed_at(at), rel=1e-3, abs=0.5)


@given(slides())
def test_it_lies_where_it_stopped(slide: Slide) -> None:
    assert slide.place_at(slide.duration_s) == pytest.approx(slide.end_mm, abs=1e-9)
    assert slide.place_at(slide.duration_s + 5.0) == slide.place_at(slide.duration_s + 50.0)
    assert slide.speed_at(slide.duration_s + 1e-9) == 0.0


@given(slides(st.just(0.0)), st.floats(0.0, 1.0))
def test_without_spin_it_runs_straight(slide: Slide, share: float) -> None:
    x, y = slide.place_at(share * slide.duration_s)
    across = (y - slide.start_mm[1]) * math.cos(slide.launch.heading_rad) - (
        x - slide.start_mm[0]
    ) * math.sin(slide.launch.heading_rad)
    assert across == pytest.approx(0.0, abs=1e-6)


@given(places, places, st.floats(-12.0, 12.0))
def test_a_flick_ends_at_its_target(
    start: tuple[float, float], target: tuple[float, float], bend: float
) -> None:
    if math.dist(start, target) < 20:
        return
    slide = Slide(start, launch_to(start, target, bend_mm=bend))
    assert slide.end_mm == pytest.approx(target, abs=1e-6)
    # The middle of the way lies `bend` to the right of the chord.
    length = slide.length_mm / 2
    v, a = slide.launch.speed_mm_s, slide.friction_mm_s2
    half_way = (v - math.sqrt(v * v - 2 * a * length)) / a
    x, y = slide.place_at(half_way)
    chord = math.dist(start, target)
    dx, dy = (target[0] - start[0]) / chord, (target[1] - start[1]) / chord
    right = (x - start[0]) * dy - (y - start[1]) * dx
    assert right == pytest.approx(bend, abs=1e-6)


@given(slides(st.just(0.0)), st.floats(0.2, 0.9))
def test_an_obstacle_ends_it_at_contact(slide: Slide, share: float) -> None:
    if slide.length_mm < 60:
        return
    x, y = slide.place_at(slide.duration_s * share)
    ahead = slide.launch.heading_rad
    wall = ((x + 17 * math.cos(ahead), y + 17 * math.sin(ahead)), 17.0)
    stopped = slide.cut_at((wall,))
    if math.dist(slide.start_mm, wall[0]) < 17.0 or math.dist(slide.start_mm, (x, y)) < 2:
        return
    gap = math.dist(stopped.end_mm, wall[0]) - 17.0
    assert -1e-6 <= gap <= 1.5
    assert stopped.duration_s < slide.duration_s
    assert stopped.place_at(0.01) == pytest.approx(slide.place_at(0.01), abs=2.0)
