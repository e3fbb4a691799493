"""Exposures that see whole periods of the lamps, and when the light has changed for good."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.exposure import CALM_GAIN, MOST_GAIN, LightWatch, MainsHz, steady_exposure, steady_times_us


@pytest.mark.parametrize(
    ("mains_hz", "fps", "times"),
    [
        (50, 30.0, (10_000, 20_000, 30_000)),
        (60, 30.0, (8_333.3, 16_666.7, 25_000)),
        (50, 60.0, (10_000,)),
        (60, 100.0, (8_333.3,)),
        (50, 100.0, ()),  # the frame is as long as a period, and some of it is spent reading
    ],
)
def test_the_exposures_that_fit_between_frames(
    mains_hz: MainsHz, fps: float, times: tuple[float, ...]
) -> None:
    assert steady_times_us(mains_hz, fps) == pytest.approx(times, abs=0.1)


@given(
    light_us=st.floats(1.0, 1e7),
    mains_hz=st.sampled_from((50, 60)),
    least=st.floats(1.0, 1.5),
    most=st.floats(2.0, 250.0),
)
def test_the_picture_is_as_bright_where_that_can_be_and_steady(
    light_us: float, mains_hz: MainsHz, least: float, most: float
) -> None:
    exposure = steady_exposure(light_us, mains_hz, 30.0, (least, most))
    times = steady_times_us(mains_hz, 30.0)
    assert least <= exposure.gain <= min(most, MOST_GAIN)
    made = exposure.time_us * exposure.gain
    if light_us < 0.75 * times[0] * least:
        assert exposure.time_us < times[0], "daylight"
        assert made == pytest.approx(light_us)
        return
    assert exposure.time_us in times
    if made != pytest.approx(light_us):
        brighter = light_us < times[0] * least and made <= light_us / 0.75 * 1.0001
        spent = exposure == steady_exposure(1e9, mains_hz, 30.0, (least, most))
        assert brighter or spent


@given(light_us=st.floats(10_000.0, 110_000.0))
def test_the_exposure_is_no_longer_than_noise_makes_it(light_us: float) -> None:
    """A ball that rolls is smeared by every millisecond more."""
    exposure = steady_exposure(light_us, 50, 30.0)
    shorter = exposure.time_us - 10_000
    assert exposure.gain <= CALM_GAIN
    assert shorter == 0 or light_us / shorter > CALM_GAIN


def test_between_frames_shorter_than_a_period_all_of_them_is_exposed() -> None:
    exposure = steady_exposure(50_000.0, 50, 120.0)
    assert 7_000 < exposure.time_us < 8_333
    assert exposure.time_us * exposure.gain == pytest.approx(50_000)


def of(level: int, burnt_part: float = 0.0) -> np.ndarray:
    image = np.full((320, 320, 3), level, np.uint8)
    image[: round(320 * burnt_part)] = 255
    return image


def alarms(watch: LightWatch, image: np.ndarray, since: float, until: float, **told: bool) -> list[float]:
    times = np.arange(since, until, 1 / 30)
    return [float(at) for at in times if watch.changed(image, float(at), **told)]


@pytest.mark.parametrize("wrong", [of(20), of(120, burnt_part=0.4)], ids=["dim", "burnt"])
def test_a_light_that_is_wrong_for_5_s_is_told_and_then_ever_more_seldom(wrong: np.ndarray) -> None:
    watch = LightWatch()
    assert alarms(watch, of(120), 0.0, 10.0) == []
    times = alarms(watch, wrong, 10.0, 300.0)
    assert times[0] == pytest.approx(10.0 + LightWatch.LASTING_S, abs=LightWatch.EVERY_S)
    pauses = np.diff(times)
    assert len(pauses) >= 3
    assert (pauses[1:] > 1.8 * pauses[:-1]).all()


def test_what_passes_is_no_change_of_light() -> None:
    watch = LightWatch()
    for start in range(0, 60, 6):
        assert alarms(watch, of(20), start, start + 4.5) == []
        assert alarms(watch, of(120), start + 4.5, start + 6.0) == []


@pytest.mark.parametrize("image", [of(120), of(120, burnt_part=0.2), of(65)])
def test_a_picture_that_will_do(image: np.ndarray) -> None:
    assert alarms(LightWatch(), image, 0.0, 60.0) == []


def test_where_no_more_exposure_is_to_be_had_a_dim_picture_is_left_as_it_is() -> None:
    watch = LightWatch()
    assert alarms(watch, of(20), 0.0, 60.0, brightest=True) == []
    assert len(alarms(watch, of(255), 60.0, 70.0, brightest=True)) == 1


def test_after_a_light_that_was_well_the_next_change_is_told_as_soon() -> None:
    watch = LightWatch()
    alarms(watch, of(20), 0.0, 200.0)
    alarms(watch, of(120), 200.0, 900.0)
    first, *_ = alarms(watch, of(20), 900.0, 960.0)
    assert first == pytest.approx(905.0, abs=LightWatch.EVERY_S)
