"""What the umpire's eyes tell apart: hands from light, a knock from a hand, a board from none."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.umpire.anchors import Anchors
from firmware.umpire.motion import Change, ChangeWatch, boxes_of

Image = NDArray[np.uint8]
SIZE = (728, 544)


@pytest.fixture(scope="module")
def board() -> Image:
    """Clay, lines and print-like specks, with the noise of a sensor left out."""
    random = np.random.default_rng(8)
    picture = np.full((SIZE[1], SIZE[0], 3), (75, 100, 185), np.uint8)
    for x in range(40, 720, 95):
        cv2.line(picture, (x, 20), (x + 9, 520), (225, 230, 235), 4, cv2.LINE_AA)
    for y in range(50, 540, 80):
        cv2.line(picture, (15, y), (710, y - 6), (225, 230, 235), 4, cv2.LINE_AA)
    for x, y in random.integers((20, 20), (700, 520), (160, 2)).tolist():
        cv2.circle(picture, (x, y), 4, (40, 45, 60), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


def noisy(picture: Image | NDArray[np.float64], seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2.0, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def watch(pictures: list[Image | NDArray[np.float64]]) -> list[Change]:
    eyes = ChangeWatch(SIZE)
    return [eyes.see(noisy(p, n), n / 30, [], []) for n, p in enumerate(pictures)]


def test_a_board_alone_is_not_foreign_and_does_not_move(board):
    for change in watch([board] * 12)[1:]:
        assert change.sight == "clear"
        assert not change.foreign.any()
        assert not change.moving.any()


def lamp(board: Image, gain: float) -> NDArray[np.float64]:
    x = np.linspace(-1, 1, SIZE[0])[None, :, None]
    y = np.linspace(-1, 1, SIZE[1])[:, None, None]
    return board * gain * (1 + 0.25 * x - 0.1 * y) * np.array([0.85, 1.0, 1.08])


@pytest.mark.parametrize("gain", [0.5, 0.7, 1.1])
def test_a_lamp_is_not_a_hand(board, gain):
    dim = board * 0.75
    for change in watch([dim] * 5 + [lamp(board, gain)] * 10)[1:]:
        assert change.foreign.mean() < 0.002
        assert change.sight == "clear"


def test_mains_bands_are_not_a_hand(board):
    rows = np.arange(SIZE[1])[:, None, None]
    pictures = [board * (0.8 + 0.09 * np.sin(rows / 55 + 0.8 * n)) for n in range(20)]
    assert max(c.foreign.mean() for c in watch(pictures)[1:]) < 0.002


@pytest.mark.parametrize("colour", [(120, 160, 215), (40, 190, 225), (235, 235, 235), (30, 30, 30)])
def test_a_hand_is_foreign_whatever_its_colour_and_under_any_lamp(board, colour):
    hand = board.copy()
    cv2.ellipse(hand, (300, 250), (110, 45), 20, 0, 360, colour, -1)
    changes = watch([board] * 5 + [hand] * 5 + [lamp(hand, 0.7)] * 5)
    for change in changes[5:]:
        assert change.part_over((300.0, 250.0), 0.0, 40.0) > 0.7
        assert change.part_over((600.0, 450.0), 0.0, 40.0) < 0.05
    assert changes[5].moves_in((300.0, 250.0), 40.0)
    assert not changes[8].moving.any()


def test_what_stays_becomes_board_but_not_where_a_ball_may_be_hidden(board):
    pawn = board.copy()
    cv2.circle(pawn, (200, 120), 20, (240, 240, 240), -1)
    cv2.circle(pawn, (500, 400), 20, (240, 240, 240), -1)
    eyes = ChangeWatch(SIZE)
    hidden = [(500.0, 400.0, 40.0)]
    for n in range(5):
        eyes.see(board, n / 30, [], [])
    last = [eyes.see(pawn, (5 + n) / 30, [], hidden) for n in range(90)][-1]
    assert last.part_over((200.0, 120.0), 0.0, 15.0) == 0.0
    assert last.part_over((500.0, 400.0), 0.0, 15.0) > 0.9


def test_the_board_under_a_ball_is_unknown_until_it_is_seen(board):
    ball = board.copy()
    cv2.circle(ball, (364, 272), 12, (40, 200, 235), -1)
    eyes = ChangeWatch(SIZE)
    there = [(364.0, 272.0, 24.0)]
    lying = [eyes.see(ball, n / 30, there, []) for n in range(5)][-1]
    assert lying.known_part((364.0, 272.0), 12.0) == 0.0
    gone = [eyes.see(board, (5 + n) / 30, [], []) for n in range(40)][-1]
    assert gone.known_part((364.0, 272.0), 12.0) == 1.0
    assert not gone.foreign.any()


@pytest.mark.parametrize(("picture", "sight"), [("black", "too-dark"), ("grey", "covered")])
def test_a_covered_lens_and_darkness_are_told(board, picture, sight):
    blank = np.full_like(board, 0 if picture == "black" else 95)
    changes = watch([board] * 5 + [blank] * 5 + [board] * 5)
    assert [c.sight for c in changes] == ["clear"] * 5 + [sight] * 5 + ["clear"] * 5


@pytest.mark.parametrize("level", [0, 95])
def test_a_start_in_the_dark_or_under_a_cover_is_got_over(board, level):
    blank = np.full_like(board, level)
    changes = watch([blank] * 10 + [board] * 120)
    assert changes[-1].sight == "clear"
    assert not changes[-1].foreign.any()
    assert changes[-1].known.all()


def test_boxes_hold_what_moved(board):
    mask = np.zeros((136, 182), dtype=np.bool_)
    mask[10:14, 20:25] = True
    mask[100:120, 50:90] = True
    small, large = boxes_of(mask, 4, 10.0)
    assert small[0] <= 70
    assert small[2] >= 110
    assert large[1] <= 390
    assert large[3] >= 490


NOWHERE = np.zeros((136, 182), dtype=np.bool_)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.6, -0.4), (3.3, 2.2), (-9.4, 7.7)])
def test_anchors_measure_a_shift(board, shift):
    anchors = Anchors(board, NOWHERE, 4)
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], dtype=np.float64)
    moved = cv2.warpAffine(board, matrix, SIZE, flags=cv2.INTER_CUBIC, borderValue=(75, 100, 185))
    seen = anchors.compare(noisy(moved * 0.8, 1), NOWHERE)
    assert anchors.usable
    assert seen.median_px == pytest.approx(shift, abs=0.2)
    assert seen.knocked == (shift != (0.0, 0.0))


def test_a_turn_about_the_middle_is_a_knock_too(board):
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), 0.4, 1.0)
    moved = cv2.warpAffine(board, matrix, SIZE, flags=cv2.INTER_CUBIC)
    assert Anchors(board, NOWHERE, 4).compare(moved, NOWHERE).knocked


def test_a_hand_over_half_of_the_board_is_no_knock(board):
    hand = board.copy()
    hand[:, 300:] = (120, 160, 215)
    seen = Anchors(board, NOWHERE, 4).compare(hand, NOWHERE)
    assert not seen.knocked


def test_lost_focus_is_told(board):
    anchors = Anchors(board, NOWHERE, 4)
    assert not anchors.compare(noisy(board, 2), NOWHERE).soft
    assert anchors.compare(cv2.GaussianBlur(board, (0, 0), 4.0), NOWHERE).soft


def test_a_bare_table_has_no_anchors():
    assert not Anchors(np.full((SIZE[1], SIZE[0], 3), 120, np.uint8), NOWHERE, 4).usable
