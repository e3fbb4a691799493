"""Whole calibrations on drawn pictures; recorded ones are in tests/footage."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.calibrate import calibrate
from calibration.drift import refit
from calibration.edition import BOARDS, load_edition
from calibration.errors import RefusedError
from calibration.overlay import draw_court, draw_refused
from calibration.profile import Calibration
from tests.calibration.scenes import CLASSIC, errors_mm, layout_of, picture, scene

Picture = NDArray[np.uint8]
SIZE = (1456, 1088)


@pytest.fixture(scope="module")
def calibrated() -> Calibration:
    return calibrate(picture(2), CLASSIC, focal_px=scene(2).camera.focal_px * 1.006)


def test_finds_the_board_to_a_few_hundredths_of_a_millimetre(calibrated: Calibration) -> None:
    errors = errors_mm(layout_of(scene(2)), calibrated.layout, 6.0)
    assert np.sqrt(np.mean(errors**2)) < 0.03
    assert errors.max() < 0.08
    assert calibrated.residual_px < 0.1
    assert len(calibrated.regions) == 6
    assert all(region.places > 50 and region.rms_mm < 0.05 for region in calibrated.regions)
    assert calibrated.focal_known


@pytest.mark.parametrize("seed", [4, 9, 24])
def test_any_camera_with_a_hand_on_the_board(seed: int) -> None:
    found = calibrate(picture(seed, hand=True), CLASSIC, focal_px=scene(seed).camera.focal_px * 0.995)
    errors = errors_mm(layout_of(scene(seed)), found.layout, 6.0)
    doubt = [found.sigma_mm("B", [point], 6.0) for point in ((20.0, 0.0), (220.0, 110.0))]
    assert errors.max() < 3.5 * max(doubt)
    assert max(doubt) < 0.06


@pytest.mark.parametrize("seed", [0, 2])
def test_without_a_focal_length_the_doubt_says_so(seed: int) -> None:
    """Scene 0 is seen straight from above, scene 2 at 4 degrees."""
    found = calibrate(picture(seed), CLASSIC)
    errors = errors_mm(layout_of(scene(seed)), found.layout, 6.0)
    worst = found.sigma_mm("B", [(240.0, 115.0)], 6.0)
    assert errors.max() < 3 * worst
    assert worst > 0.05
    assert not found.focal_known


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_picture_gives_the_same_places(calibrated: Calibration, turns: int) -> None:
    turned = np.ascontiguousarray(np.rot90(picture(2), turns))
    found = calibrate(turned, CLASSIC, focal_px=scene(2).camera.focal_px * 1.006)
    width, height = SIZE
    for half, point in (("A", (-150.0, 60.0)), ("B", (30.0, -90.0))):
        x, y = calibrated.layout.project(half, [point], 6.0)[0]  # type: ignore[arg-type]
        pixel = {1: (y, width - 1 - x), 2: (width - 1 - x, height - 1 - y), 3: (height - 1 - y, x)}[turns]
        board = found.model.locate([pixel], 6.0)
        placed = found.layout.half(half).to_printed(board)[0]  # type: ignore[arg-type]
        assert placed == pytest.approx(point, abs=0.03)


def test_side_a_is_told_by_the_scorer_band_and_can_be_swapped(calibrated: Calibration) -> None:
    truth = layout_of(scene(2))
    assert calibrated.layout.project("A", [(-200.0, 0.0)]) == pytest.approx(
        truth.project("A", [(-200.0, 0.0)]), abs=0.5
    )
    swapped = calibrate(picture(2), CLASSIC, focal_px=scene(2).camera.focal_px, swap_ends=True)
    assert swapped.layout.project("B", [(200.0, 0.0)]) == pytest.approx(
        truth.project("A", [(-200.0, 0.0)]), abs=0.5
    )


def test_says_when_the_halves_do_not_meet() -> None:
    truth = layout_of(scene(7))
    ends = np.array([[0.0, -102.0], [0.0, 102.0]])
    apart = np.hypot(*(truth.half_b.to_board(ends) - truth.half_a.to_board(ends)).T).max()
    assert apart > 0.55, "the scene no longer shows what this test is about"
    found = calibrate(picture(7), CLASSIC, focal_px=scene(7).camera.focal_px)
    (warning,) = [w for w in found.warnings if "halves" in w]
    assert f"{apart:.1f} mm at the net" in warning


def wall() -> Picture:
    shade = np.linspace(90, 170, SIZE[0])[None, :, None] + np.zeros((SIZE[1], 1, 3))
    return np.asarray(shade, dtype=np.uint8)


def chessboard() -> Picture:
    squares = (np.indices((SIZE[1], SIZE[0])) // 110).sum(axis=0) % 2
    return np.asarray(cv2.merge([squares * 180 + 40] * 3), dtype=np.uint8)


def football_pitch() -> Picture:
    pitch = np.full((SIZE[1], SIZE[0], 3), (60, 140, 60), np.uint8)
    white = (235, 240, 240)
    cv2.rectangle(pitch, (150, 150), (1300, 940), white, 8)
    cv2.line(pitch, (725, 150), (725, 940), white, 8)
    cv2.circle(pitch, (725, 545), 110, white, 8)
    for x in (150, 1110):
        cv2.rectangle(pitch, (x, 330), (x + 190, 760), white, 8)
    return pitch


NOTHING = {
    "black": lambda: np.zeros((SIZE[1], SIZE[0], 3), np.uint8),
    "white": lambda: np.full((SIZE[1], SIZE[0], 3), 255, np.uint8),
    "noise": lambda: np.random.default_rng(0).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8),
    "wall": wall,
    "chessboard": chessboard,
    "football": football_pitch,
}
REASONS = {"black": "too dark", "white": "overexposed", "wall": "no line is sharp"}
KINDS = {"black": "too-dark", "white": "too-bright", "wall": "out-of-focus"}


@pytest.mark.parametrize("name", sorted(NOTHING))
def test_what_is_no_board_is_refused(name: str) -> None:
    with pytest.raises(RefusedError, match=REASONS.get(name, "no whole court")) as refused:
        calibrate(NOTHING[name](), CLASSIC)
    assert refused.value.kind == KINDS.get(name, "not-found")


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_board_cut_by_the_pictures_edge_is_refused(side: str) -> None:
    """Shifted so that a sixth of the board leaves the picture, the rest filled as a table would."""
    corners = layout_of(scene(2)).camera.project([[x, y, 0] for x in (-250, 250) for y in (-125, 225)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    reach = (high - low) / 6
    move = {
        "left": (-low[0] - reach[0], 0.0),
        "right": (SIZE[0] - high[0] + reach[0], 0.0),
        "top": (0.0, -low[1] - reach[1]),
        "bottom": (0.0, SIZE[1] - high[1] + reach[1]),
    }[side]
    shift = np.array([[1.0, 0.0, move[0]], [0.0, 1.0, move[1]]])
    cut = cv2.warpAffine(picture(2), shift, SIZE, borderMode=cv2.BORDER_REPLICATE)
    with pytest.raises(RefusedError, match="whole") as refused:
        calibrate(cut, CLASSIC, focal_px=scene(2).camera.focal_px)
    assert refused.value.kind == "not-whole"


@pytest.mark.parametrize("blur", [4.0, 6.0, 8.0, 10.0, 12.0, 20.0])
def test_out_of_focus_is_refused_by_name(blur: float) -> None:
    """However far: lines that are not seen for it are no sign of another board."""
    soft = cv2.GaussianBlur(picture(2), (0, 0), blur)
    with pytest.raises(RefusedError, match="focus") as refused:
        calibrate(soft, CLASSIC, focal_px=scene(2).camera.focal_px)
    assert refused.value.kind == "out-of-focus"


def test_a_refusal_knows_where_the_board_was_thought_to_be(calibrated: Calibration) -> None:
    soft = cv2.GaussianBlur(picture(2), (0, 0), 5.0)
    with pytest.raises(RefusedError) as refused:
        calibrate(soft, CLASSIC, focal_px=scene(2).camera.focal_px)
    seen_px = np.concatenate(refused.value.seen_px)
    corners = calibrated.layout.project("A", [[-218.5, -90.0], [-218.5, 90.0]])
    for corner in corners:
        assert np.hypot(*(seen_px - corner).T).min() < 8.0
    drawn = draw_refused(soft, refused.value)
    changed = (drawn != soft).any(axis=2)
    assert 0.002 < changed.mean() < 0.1
    with pytest.raises(RefusedError) as nothing:
        calibrate(football_pitch(), CLASSIC)
    assert nothing.value.seen_px == ()
    assert np.array_equal(draw_refused(soft, nothing.value), soft)


def test_another_board_is_refused(tmp_path: Path) -> None:
    """The same kind of board with other proportions; only its court is given."""
    text = (BOARDS / "classic.toml").read_text().split("[[zone]]")[0]
    for ours, other in (("singles = 76", "singles = 84"), ("service_line = 118", "service_line = 100")):
        assert ours in text
        text = text.replace(ours, other)
    path = tmp_path / "other.toml"
    path.write_text(text)
    with pytest.raises(RefusedError):
        calibrate(picture(2), load_edition(str(path)), focal_px=scene(2).camera.focal_px)


def test_a_picture_too_small_is_refused() -> None:
    with pytest.raises(RefusedError, match="too small") as refused:
        calibrate(np.zeros((120, 160, 3), np.uint8), CLASSIC)
    assert refused.value.kind == "too-small"


@pytest.mark.parametrize(
    "knock",
    [(5, -3, 0.2), (-14, 9, -0.6), (6, 0, 0.0), (-10, 0, 0.0), (0, 10, 0.0), (18, 0, 0.0)],
)
def test_a_knock_is_followed_on_the_lines(calibrated: Calibration, knock: tuple[float, float, float]) -> None:
    """The picture shifted by px and turned by degrees: what was seen at a pixel is seen at its image."""
    dx, dy, turn = knock
    move = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    move[:, 2] += (dx, dy)
    knocked = cv2.warpAffine(picture(2), move, SIZE, flags=cv2.INTER_CUBIC)
    after = refit(calibrated, CLASSIC, knocked)
    assert after is not None
    for point in ((200.0, 90.0), (20.0, -80.0)):
        x, y = calibrated.layout.project("B", [point], 6.0)[0]
        placed = after.layout.half("B").to_printed(after.model.locate([move @ [x, y, 1.0]], 6.0))[0]
        assert placed == pytest.approx(point, abs=0.06)
    assert after.made_at == calibrated.made_at


def test_no_refit_where_the_board_is_not(calibrated: Calibration) -> None:
    assert refit(calibrated, CLASSIC, wall()) is None
    assert refit(calibrated, CLASSIC, picture(2)[:544, :728].copy()) is None


def test_the_overlay_draws_on_the_lines_and_not_beside(calibrated: Calibration) -> None:
    blank = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    drawn = draw_court(blank, calibrated, CLASSIC)
    assert not blank.any()
    on = calibrated.layout.project("B", [(218.5, y) for y in np.linspace(-90, 90, 40)])
    beside = calibrated.layout.project("B", [(209.0, y) for y in np.linspace(-90, 90, 40)])
    assert all(drawn[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2].any() for x, y in on)
    assert sum(drawn[round(y), round(x)].any() for x, y in beside) < 8
