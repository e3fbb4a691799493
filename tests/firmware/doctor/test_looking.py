"""A camera's first pictures: of a recording, of a camera with its own pace, of one that fails or hangs."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from firmware.doctor.looking import look
from hardware.camera import Frame
from hardware.camera_facts import CameraFacts
from hardware.errors import CameraError


class Scripted:
    """A camera that gives frames of these levels, a thirtieth of a second apart, then ends or fails."""

    size, fps, frame_count = (64, 48), 30.0, None

    def __init__(self, levels: list[int], failure: Exception | None = None) -> None:
        self._frames = self._all(levels)
        self._failure = failure
        self.closed = threading.Event()

    def _all(self, levels: list[int]) -> Iterator[Frame]:
        for number, level in enumerate(levels):
            yield Frame(np.full((48, 64, 3), level, dtype=np.uint8), 7.0 + number / 30, number)

    def read(self) -> Frame | None:
        frame = next(self._frames, None)
        if frame is None and self._failure is not None:
            raise self._failure
        return frame

    def close(self) -> None:
        self.closed.set()


class Telling(Scripted):
    """One that says how it works."""

    def facts(self) -> CameraFacts:
        return CameraFacts(model="imx296")


def test_the_mean_of_the_first_pictures_and_the_brightness_of_more() -> None:
    camera = Telling([10] * 8 + [90] * 30)
    shown = look(lambda: camera, live=True)
    assert shown.size == (64, 48)
    assert (shown.picture == 10).all()
    assert shown.brightness == (10.0,) * 8 + (90.0,) * 4
    assert shown.rate == pytest.approx(30.0)
    assert shown.facts.model == "imx296"
    assert camera.closed.is_set()


def test_a_single_picture() -> None:
    shown = look(lambda: Scripted([50]), live=False)
    assert shown.brightness == (50.0,)
    assert shown.rate is None
    assert shown.facts == CameraFacts()


def test_a_recordings_pace_says_nothing_of_a_camera() -> None:
    assert look(lambda: Scripted([50] * 20), live=False).rate is None


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (None, "sends no picture"),
        (CameraError("it is gone; plug it in"), "it is gone; plug it in"),
        (RuntimeError("a bug"), "RuntimeError.*tell the makers"),
    ],
)
def test_a_camera_without_a_picture_is_given_back(failure: Exception | None, words: str) -> None:
    camera = Scripted([], failure)
    with pytest.raises(CameraError, match=words):
        look(lambda: camera, live=True)
    assert camera.closed.is_set()


def test_a_camera_that_does_not_open() -> None:
    def opener() -> Scripted:
        raise CameraError("there is no camera; plug one in")

    with pytest.raises(CameraError, match="there is no camera"):
        look(opener, live=True)


def test_a_camera_that_hangs() -> None:
    release = threading.Event()

    class Hanging(Scripted):
        def read(self) -> Frame | None:
            release.wait()
            return super().read()

    camera = Hanging([50])
    try:
        with pytest.raises(CameraError, match=r"has not answered for 0 s; unplug it"):
            look(lambda: camera, live=True, patience_s=0.05)
        assert not camera.closed.is_set()
    finally:
        release.set()
    assert camera.closed.wait(10.0)


def test_a_camera_that_fails_only_when_it_is_given_back() -> None:
    class Failing(Scripted):
        def close(self) -> None:
            super().close()
            raise CameraError("stop() never came back; restart")

    assert look(lambda: Failing([50]), live=True).brightness == (50.0,)
