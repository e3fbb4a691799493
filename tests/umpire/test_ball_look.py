"""The look: names, and learning it from a picture."""

import numpy as np
import pytest

from firmware.errors import InputError
from firmware.umpire.ball import BallFinder, BallLook, BallView
from tests.umpire.drawn_balls import BALL, SIZE, DrawnBall, camera, draw, middle_px

CAMERA = camera()
VIEW = BallView.from_camera(CAMERA, BALL, SIZE)
PURPLE = DrawnBall((4.0, -6.0), (4.05, -6.1), face=(150, 70, 120))


def _agreement(look: BallLook, bgr: tuple[float, float, float]) -> float:
    return float(look.agreement(np.array([bgr]))[0])


def test_every_name_prefers_its_own_colour() -> None:
    names = ["yellow", "red", "pink", "blue", "green", "white", "black"]
    looks = {name: BallLook.named(name) for name in names}
    for name, look in looks.items():
        others = {other: _agreement(looks[other], look.bgr) for other in names}
        assert max(others, key=lambda other: others[other]) == name
        assert others[name] > 0.95


@pytest.mark.parametrize("factor", [0.5, 0.75, 1.1])
def test_a_darker_lamp_is_forgiven_more_than_another_tint(factor: float) -> None:
    blue, green, red = BallLook.default.bgr
    dimmed = _agreement(BallLook.default, (blue * factor, green * factor, red * factor))
    assert dimmed > 0.5
    assert dimmed > 3 * _agreement(BallLook.default, (red * factor, green * factor, blue * factor))


def test_a_name_is_read_as_people_write_it() -> None:
    assert BallLook.parse(" Yellow ") == BallLook.named("yellow")
    assert BallLook.parse("#00ff00") == BallLook.from_bgr((0, 255, 0))


@pytest.mark.parametrize("text", ["yelow", "#12", "#gg0000", "#12345678", ""])
def test_a_colour_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        BallLook.parse(text)


@pytest.mark.parametrize("told", [True, False])
def test_a_learnt_ball_is_the_likelier_one(told: bool) -> None:
    image = draw(CAMERA, [PURPLE], noise=2.0)
    at = middle_px(CAMERA, PURPLE.disc_mm, 11.0) if told else None
    look = BallFinder(BallLook.default, VIEW).learn(image, at)
    assert np.allclose(look.bgr, PURPLE.face, atol=4)
    both = draw(CAMERA, [PURPLE, DrawnBall((-35.0, 5.0), (-35.0, 5.0))], noise=2.0)
    first, second = BallFinder(look, VIEW).find(both)
    purple = middle_px(CAMERA, PURPLE.disc_mm, 11.0)
    assert np.hypot(first.disc_px[0] - purple[0], first.disc_px[1] - purple[1]) < 1.0
    assert first.likeness > 1.5 * second.likeness


def test_learning_wants_one_ball() -> None:
    finder = BallFinder(BallLook.default, VIEW)
    with pytest.raises(InputError, match="no balls"):
        finder.learn(draw(CAMERA, [], noise=1.0))
    two = [PURPLE, DrawnBall((-35.0, 5.0), (-35.0, 5.0))]
    with pytest.raises(InputError, match="2 balls"):
        finder.learn(draw(CAMERA, two, noise=1.0))
