"""Settings that are to hold: what is set for them, and which frames were taken otherwise."""

import pytest

from hardware.locking import Lock

LOCK = Lock(10_000.0, 2.0, (1.8, 2.2), 1.7)
TAKEN = {"ExposureTime": 9_993, "AnalogueGain": 1.99, "ColourGains": (1.8, 2.2), "LensPosition": 1.72}


def test_what_is_set() -> None:
    assert LOCK.controls() == {
        "AeEnable": False,
        "ExposureTime": 10_000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.8, 2.2),
        "LensPosition": 1.7,
    }
    assert Lock(8_333.3, 1.0).controls() == {"AeEnable": False, "ExposureTime": 8_333, "AnalogueGain": 1.0}


def test_a_frame_within_the_steps_of_the_sensor_was_taken_so() -> None:
    assert LOCK.deviations(TAKEN) == ()
    assert Lock(500.0, 1.0).deviations({"ExposureTime": 445, "AnalogueGain": 1.0}) == ()


def test_the_coarse_gains_of_camera_module_2_are_near_enough() -> None:
    """libcamera's cam_helper_imx219.cpp: a whole code n for a gain of 256 / (256 - n), rounded down."""
    for gain in (1.0 + step / 100 for step in range(967)):
        seen = 256 / (256 - int(256 - 256 / gain))
        assert Lock(10_000.0, gain).deviations({"ExposureTime": 10_000, "AnalogueGain": seen}) == ()


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ({"ExposureTime": 9_850}, "an exposure of 9850 us instead of 10000"),
        ({"ExposureTime": 20_000}, "an exposure of 20000 us instead of 10000"),
        ({"AnalogueGain": 2.2}, "a gain of 2.2 instead of 2.00"),
        ({"ColourGains": (1.7, 2.2)}, "colour gains of 1.7 and 2.2 instead of 1.80 and 2.20"),
        ({"ColourGains": (1.8, 2.4)}, "colour gains of 1.8 and 2.4 instead of 1.80 and 2.20"),
        ({"LensPosition": 1.0}, "a focus of 1 instead of 1.70 dioptres"),
    ],
)
def test_what_was_otherwise_is_told(seen: dict[str, object], told: str) -> None:
    assert LOCK.deviations(TAKEN | seen) == (told,)


@pytest.mark.parametrize("missing", list(TAKEN))
def test_a_frame_that_does_not_tell_cannot_be_believed(missing: str) -> None:
    (told,) = LOCK.deviations({key: value for key, value in TAKEN.items() if key != missing})
    assert "unknown" in told


def test_what_is_not_locked_may_be_anything() -> None:
    taken = {"ExposureTime": 10_000, "AnalogueGain": 2.0, "ColourGains": (9.0, 9.0), "LensPosition": 9.0}
    assert Lock(10_000.0, 2.0).deviations(taken) == ()
