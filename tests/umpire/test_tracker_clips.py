"""Recorded clips in, observations out: every stroke, no other, at its place and time; and faults."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.edition import load_edition
from firmware.errors import InputError
from firmware.umpire.observations import (
    BumpSeen,
    NoticeSeen,
    Observation,
    PlacementSeen,
    RestSeen,
    StrokeSeen,
)
from firmware.umpire.umpire import Umpire
from hardware.camera import Frame
from tests.shared import FOOTAGE, shared_footage, truth_of

Image = NDArray[np.uint8]
Point = tuple[float, float]

EDITION = load_edition("classic")


@dataclass(frozen=True)
class Place:
    half: str
    dot_mm: Point
    disc_mm: Point
    dot_sigma_mm: float
    disc_sigma_mm: float


@dataclass(frozen=True)
class TrueCamera:
    """A calibration that knows the truth; the printed halves lie in their places."""

    model: CameraModel

    def place(self, dot_px: Point, disc_px: Point, dot_sigma: float, disc_sigma: float) -> Place:
        ball = EDITION.ball
        dot = self.model.locate_circle(dot_px, ball.dot_diameter_mm / 2, ball.height_mm)
        disc = self.model.locate_circle(disc_px, ball.diameter_mm / 2, ball.height_mm)
        x, y = (float(v) for v in dot)
        return Place("A" if x < 0 else "B", (x, y), (float(disc[0]), float(disc[1])), 0.02, 0.02)


class Clip:
    def __init__(self, name: str) -> None:
        own = FOOTAGE / f"{name}.mp4"
        self.path = own if own.exists() else shared_footage(f"{name}.mp4")
        self.truth = truth_of(self.path)
        self.fps = float(self.truth["fps"])
        camera = self.truth["cameras"][0]
        K = camera["K"]
        rotation = cv2.Rodrigues(np.array(camera["R_world_to_camera"]))[0].ravel()
        self.model = CameraModel(
            K[0][0],
            (K[0][2], K[1][2]),
            tuple(camera["dist_k1_k2_p1_p2_k3"][:4]),
            tuple(float(v) for v in rotation),
            tuple(camera["t_mm"]),
        )

    def frames(self, limit: int | None = None) -> Iterator[Frame]:
        video = cv2.VideoCapture(str(self.path))
        number = 0
        while limit is None or number < limit:
            there, image = video.read()
            if not there:
                break
            yield Frame(image, number / self.fps, number)
            number += 1
        video.release()

    def watch(
        self,
        change: Callable[[Frame], Frame | None] = lambda frame: frame,
        limit: int | None = None,
        **options: object,
    ) -> list[Observation]:
        umpire = Umpire(TrueCamera(self.model), EDITION, **options)
        told: list[Observation] = []
        for frame in self.frames(limit):
            changed = change(frame)
            if changed is not None:
                told += umpire.see(changed)
        return told + umpire.finish()

    def check(self, told: list[Observation], limit: int | None = None) -> None:
        """Strokes and placements against the truth, with a table of what was seen."""
        end = self.truth["frames"] if limit is None else limit
        strokes = [o for o in told if isinstance(o, StrokeSeen)]
        true = [s for s in self.truth["strokes"] if s["rest_frame"] < end - 10]
        for stroke in strokes:
            place = stroke.rest.position.dot_mm if stroke.rest else None
            print(f"{stroke.started_at:7.2f} s  {stroke.from_rest.position.dot_mm} -> {place}")
        assert len(strokes) == len(true)
        for stroke, s in zip(strokes, true, strict=True):
            assert stroke.rest is not None
            assert not stroke.uncertain
            assert not stroke.off_board
            assert math.dist(stroke.from_rest.position.dot_mm, s["from_mm"]) < 0.1
            assert math.dist(stroke.rest.position.dot_mm, s["at_mm"]) < 0.1
            assert abs(stroke.started_at * self.fps - s["touch_frame"]) < 2
            assert abs(stroke.rested_at * self.fps - s["rest_frame"]) < 2.5
            assert stroke.at - s["rest_frame"] / self.fps < 0.25
        placed = [o.rest.position.dot_mm for o in told if isinstance(o, PlacementSeen)]
        events = [e for e in self.truth["events"] if e["kind"] == "placement"]
        to = [e["to_mm"] for e in events if e["frames"][1] + 15 < end]
        assert len(placed) == len(to)
        assert all(math.dist(a, b) < 0.1 for a, b in zip(placed, to, strict=True))
        assert not any(isinstance(o, BumpSeen) for o in told)


@pytest.fixture(scope="module")
def rally() -> Clip:
    return Clip("figure-j")


@pytest.mark.parametrize("name", ["figure-j", "serves", "lamp"])
def test_a_clip(name):
    clip = Clip(name)
    told = clip.watch()
    clip.check(told)
    assert not [o for o in told if isinstance(o, NoticeSeen)]


SHORT = 200


def bands(frame: Frame) -> Frame:
    rows = np.arange(frame.image.shape[0])[:, None, None]
    light = 0.9 + 0.09 * np.sin(rows / 110 + 2.3 * frame.number)
    return replace(frame, image=(frame.image * light).astype(np.uint8))


def every_other(frame: Frame) -> Frame | None:
    return frame if frame.number % 2 == 0 else None


def some_dropped(frame: Frame) -> Frame | None:
    return frame if frame.number * 7919 % 101 > 30 else None


def lamp_off_and_on(frame: Frame) -> Frame:
    dim = frame.number // 23 % 2
    return replace(frame, image=(frame.image * (0.55 if dim else 1.0)).astype(np.uint8))


@pytest.mark.parametrize("change", [bands, every_other, some_dropped, lamp_off_and_on])
def test_light_and_dropped_frames_change_nothing(rally, change):
    told = rally.watch(change, SHORT)
    strokes = [o for o in told if isinstance(o, StrokeSeen)]
    true = [s for s in rally.truth["strokes"] if s["rest_frame"] < SHORT - 10]
    assert len(strokes) == len(true)
    for stroke, s in zip(strokes, true, strict=True):
        assert math.dist(stroke.rest.position.dot_mm, s["at_mm"]) < 0.1


def test_half_a_turn_of_the_picture_gives_the_same_strokes(rally):
    width, height = 1456, 1088
    model = rally.model
    # Turning the picture turns the camera about its axis; the principal point is mirrored in the
    # middle of the picture.
    half = np.diag([-1.0, -1.0, 1.0])
    turned = replace(
        model,
        centre_px=(width - 1 - model.centre_px[0], height - 1 - model.centre_px[1]),
        rotation=tuple(cv2.Rodrigues(half @ model.rotation_matrix)[0].ravel().tolist()),
        translation_mm=tuple((half @ np.array(model.translation_mm)).tolist()),
    )
    umpire = Umpire(TrueCamera(turned), EDITION)
    told: list[Observation] = []
    for frame in rally.frames(140):
        told += umpire.see(replace(frame, image=np.ascontiguousarray(frame.image[::-1, ::-1])))
    strokes = [o for o in told if isinstance(o, StrokeSeen)]
    true = rally.truth["strokes"][:2]
    assert len(strokes) == 2
    for stroke, s in zip(strokes, true, strict=True):
        assert math.dist(stroke.rest.position.dot_mm, s["at_mm"]) < 0.1


KNOCK_AT, SHIFT = 90, (5.0, -3.0)


def knocked(frame: Frame) -> Frame:
    if frame.number < KNOCK_AT:
        return frame
    matrix = np.array([[1, 0, SHIFT[0]], [0, 1, SHIFT[1]]])
    size = (frame.image.shape[1], frame.image.shape[0])
    return replace(frame, image=cv2.warpAffine(frame.image, matrix, size, borderMode=1))


def test_a_knocked_camera_is_fitted_again_before_the_next_call(rally):
    moved = replace(
        rally.model,
        centre_px=(rally.model.centre_px[0] + SHIFT[0], rally.model.centre_px[1] + SHIFT[1]),
    )
    asked = []

    def refit(image: Image) -> TrueCamera:
        asked.append(image.shape)
        return TrueCamera(moved)

    told = rally.watch(knocked, SHORT, refit=refit)
    assert len(asked) == 1
    rally.check(told, SHORT)


def test_without_a_new_fit_calls_are_withheld_and_people_are_told(rally):
    told = rally.watch(knocked, SHORT)
    strokes = [o for o in told if isinstance(o, StrokeSeen)]
    assert [o.at < KNOCK_AT / 30 for o in strokes] == [True]
    assert [o.code for o in told if isinstance(o, NoticeSeen)] == ["board-moved"]


def test_a_lens_covered_for_a_while_pauses_and_resumes(rally):
    def cover(frame: Frame) -> Frame:
        hidden = 72 < frame.number < 100 or 150 < frame.number < 157
        return replace(frame, image=np.full_like(frame.image, 60)) if hidden else frame

    told = rally.watch(cover, SHORT)
    rally.check(told, SHORT)
    assert [o.code for o in told if isinstance(o, NoticeSeen)] == ["covered", "sight-back"]


def test_a_camera_that_was_turned_away_calls_nothing(rally):
    def turned_away(frame: Frame) -> Frame:
        if frame.number < KNOCK_AT:
            return frame
        return replace(frame, image=np.ascontiguousarray(frame.image[:, ::-1]))

    told = rally.watch(turned_away, 260)
    assert [o.at < KNOCK_AT / 30 for o in told if isinstance(o, StrokeSeen)] == [True]
    assert "board-moved" in [o.code for o in told if isinstance(o, NoticeSeen)]


@pytest.mark.parametrize("kind", ["black", "noise", "wall", "empty board"])
def test_pictures_without_a_ball_give_no_stroke(rally, kind):
    random = np.random.default_rng(5)
    first = next(rally.frames(1)).image
    pictures = {
        "black": np.zeros_like(first),
        "noise": random.integers(0, 255, first.shape, dtype=np.uint8),
        "wall": np.full_like(first, (150, 170, 180)),
        "empty board": first.copy(),
    }
    # The ball of the first frame, painted over with the clay beside it.
    pictures["empty board"][735:800, 75:140] = first[640:705, 75:140]
    umpire = Umpire(TrueCamera(rally.model), EDITION)
    told: list[Observation] = []
    for number in range(25):
        told += umpire.see(Frame(pictures[kind], number / 30, number))
    told += umpire.finish()
    assert not any(isinstance(o, StrokeSeen | PlacementSeen | RestSeen) for o in told)
    codes = [o.code for o in told if isinstance(o, NoticeSeen)]
    assert codes == (["too-dark"] if kind == "black" else [])


def test_another_picture_size_is_refused(rally):
    umpire = Umpire(TrueCamera(rally.model), EDITION)
    frame = next(rally.frames(1))
    umpire.see(frame)
    with pytest.raises(InputError, match="one camera mode"):
        umpire.see(Frame(np.ascontiguousarray(frame.image[::2, ::2]), 1.0, 1))


def test_a_frame_of_the_past_is_passed_over(rally):
    umpire = Umpire(TrueCamera(rally.model), EDITION)
    frame = next(rally.frames(1))
    umpire.see(frame)
    assert umpire.see(frame) == []
