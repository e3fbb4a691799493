"""The checks of what is seen, on pictures of the simulated table: as it is, dark, burnt out, soft, moved."""

from dataclasses import replace
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from calibration.drift import refit
from calibration.edition import Edition
from calibration.errors import Refusal, RefusedError
from calibration.profile import Calibration
from firmware.doctor import sight
from firmware.doctor.sight import Image, Shown
from hardware.camera_facts import CameraFacts
from tests.firmware.doctor.test_checks_of_the_computer import is_

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


def shown(picture: Image, facts: CameraFacts | None = None, rate: float | None = 30.0) -> Shown:
    size = (picture.shape[1], picture.shape[0])
    return Shown(facts or CameraFacts(), size, picture, (100.0, 100.5, 99.5), 30.0, rate)


def moved(picture: Image, dx: float, dy: float) -> Image:
    by = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, by, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


# ---------------------------------------------------------------- the camera


def test_a_camera_that_tells_everything(picture: Image) -> None:
    facts = CameraFacts("Camera Module 3", "2304x1296 at 56 fps", 20_000.0, 2.5, 1.6, locked=True)
    (finding,) = sight.check_camera("pi", shown(picture, facts))
    words = (
        "pi (Camera Module 3), 2304x1296 at 56 fps, exposure 20.0 ms, gain 2.5, focus at 1.60 dioptres "
        "(625 mm), all of it locked"
    )
    is_(finding, "camera", "ok", words)


def test_a_camera_that_tells_nothing(picture: Image) -> None:
    (finding,) = sight.check_camera("usb:0", shown(picture))
    assert (finding.state, finding.text) == ("ok", "usb:0, 728x544 at 30 frames a second")


@pytest.mark.parametrize(
    ("facts", "rate", "state", "words", "then"),
    [
        (CameraFacts(locked=False), 30.0, "warning", "do not hold", "light steady"),
        (CameraFacts(), 24.0, "warning", "only 24 frames a second come", "more light"),
        (CameraFacts(), 25.0, "ok", "usb:0", ""),
        (CameraFacts(focus_dioptres=0.0), None, "ok", "focus at 0.00 dioptres", ""),
    ],
)
def test_a_camera(
    picture: Image, facts: CameraFacts, rate: float | None, state: str, words: str, then: str
) -> None:
    (finding,) = sight.check_camera("usb:0", shown(picture, facts, rate))
    is_(finding, "camera", state, words, then)


def test_what_a_camera_cannot_do(picture: Image) -> None:
    facts = CameraFacts(remarks=("its exposure cannot be set; keep the light steady",))
    camera, remark = sight.check_camera("usb:0", shown(picture, facts))
    assert camera.state == "ok"
    is_(remark, "camera", "warning", "its exposure cannot be set", "keep the light steady")


# ---------------------------------------------------------------- the light


def gleaming(picture: Image) -> Image:
    with_gleam = picture.copy()
    with_gleam[100:300, 100:300] = 255
    return with_gleam


@pytest.mark.parametrize(
    ("light", "state", "words", "then"),
    [
        (lambda picture: picture, "ok", "levels from", ""),
        (lambda picture: picture // 3, "warning", "dim", "lamp"),
        (lambda picture: picture // 8, "broken", "too dark to see a board", "lamp"),
        (lambda picture: picture // 100, "broken", "too dark", "lamp"),
        (lambda picture: 220 + picture // 10, "broken", "overexposed", "lower the exposure"),
        (gleaming, "warning", "is white and shows nothing", "mirrored"),
    ],
    ids=["as it is", "dim", "dark", "night", "glaring", "gleam"],
)
def test_the_light(picture: Image, light: object, state: str, words: str, then: str) -> None:
    assert callable(light)
    is_(sight.check_light(shown(light(picture))), "light", state, words, then)


def test_a_few_bright_pixels_in_the_dark_are_no_light_for_the_umpire(picture: Image) -> None:
    """The calibration's measure, by the brightest hundredth, says yes; the umpire's says no."""
    lamp_only = picture // 20
    lamp_only[200:230, 200:450] = 220
    is_(sight.check_light(shown(lamp_only)), "light", "broken", "too dark for the umpire", "lamp")


def test_light_that_flickers(picture: Image) -> None:
    swinging = replace(shown(picture), brightness=(100.0, 110.0, 90.0, 105.0))
    is_(sight.check_light(swinging), "light", "warning", "flickers by 7%", "mains_hz")
    assert sight.flicker((100.0,)) == sight.flicker((0.0, 0.0)) == 0.0


# ---------------------------------------------------------------- sharpness, board, calibration


def test_sharpness(found: Calibration, edition: Edition, picture: Image) -> None:
    sharp = sight.check_sharpness(found, None, edition, picture, "pi")
    is_(sharp, "sharpness", "ok", f"edges are {found.blur_px:.1f} px wide")
    # A picture of half the pixels: 0.76 mm each, and no board is found beyond 1.2 mm.
    soft = sight.check_sharpness(replace(found, blur_px=1.3), found, edition, picture, "pi")
    is_(
        soft,
        "sharpness",
        "warning",
        f"1.3 px wide, {found.blur_px:.1f} px when it was calibrated: soft",
        "setmatch focus --camera pi",
    )


@pytest.mark.parametrize(
    ("kind", "blur_px", "state", "words", "then"),
    [
        ("out-of-focus", 6.0, "broken", "px wide: out of focus", "`setmatch focus --camera pi`"),
        ("not-found", 6.0, "warning", "px wide: soft", "`setmatch focus --camera pi`"),
        ("not-whole", 0.0, "ok", "the strongest edges in the picture are 0.4 px wide", ""),
    ],
)
def test_sharpness_needs_no_board(
    picture: Image, edition: Edition, kind: Refusal, blur_px: float, state: str, words: str, then: str
) -> None:
    seen = picture if blur_px == 0 else cv2.GaussianBlur(picture, (0, 0), blur_px)
    refused = RefusedError("it will not do; look", kind)
    is_(sight.check_sharpness(refused, None, edition, seen, "pi"), "sharpness", state, words, then)


def test_sharpness_of_nothing(edition: Edition, picture: Image) -> None:
    refused = RefusedError("the picture is too dark; switch a lamp on", "too-dark")
    finding = sight.check_sharpness(refused, None, edition, np.zeros_like(picture), "pi")
    is_(finding, "sharpness", "warning", "shows no edges", "light first")


def test_sharpness_of_a_picture_with_many_pixels(
    found: Calibration, edition: Edition, picture: Image
) -> None:
    near = replace(found, layout=replace(found.layout, camera=replace(found.model, focal_px=4000.0)))
    for blur_px, state in ((1.5, "ok"), (1.6, "warning")):
        finding = sight.check_sharpness(replace(near, blur_px=blur_px), None, edition, picture, "pi")
        assert finding.state == state


def test_the_board(found: Calibration) -> None:
    (finding,) = sight.check_board(found)
    is_(finding, "board", "warning", "too coarse", "camera-height")  # half a camera's picture
    fine = replace(
        found, layout=replace(found.layout, camera=replace(found.model, focal_px=2 * found.model.focal_px))
    )
    (finding,) = sight.check_board(fine)
    is_(finding, "board", "ok", "'classic' is found, its lines fit to")
    apart = replace(fine, warnings=("the halves do not meet; push them together",))
    _, warned = sight.check_board(apart)
    is_(warned, "board", "warning", "the halves do not meet", "push them together")
    (refused,) = sight.check_board(RefusedError("no whole court was found; put it in view"))
    is_(refused, "board", "broken", "no whole court was found", "put it in view")


def test_a_pixel_in_millimetres(found: Calibration) -> None:
    """By the length of the court in the picture."""
    ends = found.model.project([[-200.0, 0.0, 0.0], [200.0, 0.0, 0.0]])
    assert sight.mm_per_px(found) == pytest.approx(400.0 / np.hypot(*(ends[1] - ends[0])), rel=0.02)


@pytest.mark.parametrize(
    ("made_at", "words"),
    [
        ("2026-05-08T11:00:00+00:00", "12 days old"),
        ("2026-05-20T01:00:00", "made today"),
        ("2026-05-19T11:00:00+00:00", "made yesterday"),
        ("2027-01-01T00:00:00+00:00", "made on 2027-01-01, which is yet to come"),
        ("once upon a time", "of an unknown day"),
    ],
)
def test_a_calibrations_age(found: Calibration, made_at: str, words: str) -> None:
    assert sight.age(replace(found, made_at=made_at), NOW).startswith(words)


def test_drift(found: Calibration, picture: Image, edition: Edition) -> None:
    """A picture shifted by 3 and 4 pixels is 5 pixels off, wherever it is looked at."""
    fitted = refit(found, edition, moved(picture, 3.0, 4.0))
    assert fitted is not None
    px, mm = sight.drift(found, fitted, edition)
    assert px == pytest.approx(5.0, abs=0.3)
    assert mm == pytest.approx(5.0 * sight.mm_per_px(found), rel=0.1)
    assert sight.drift(found, found, edition) == (0.0, 0.0)
    finding = sight.check_calibration(found, fitted, edition, NOW)
    is_(finding, "calibration", "ok", f"12 days old; since then the picture has moved by up to {px:.1f} px")


def test_a_picture_that_has_moved_far(found: Calibration, edition: Edition) -> None:
    x, y, z = found.model.translation_mm
    away = replace(found.layout.camera, translation_mm=(x + 11.0, y, z))
    strayed = replace(found, layout=replace(found.layout, camera=away))
    finding = sight.check_calibration(found, strayed, edition, NOW)
    is_(finding, "calibration", "warning", "11.0 mm: a little more", "Calibrate in the menu")


def test_a_board_that_lies_elsewhere(found: Calibration, edition: Edition) -> None:
    finding = sight.check_calibration(found, None, edition, NOW)
    is_(finding, "calibration", "warning", "does not lie where it lay", "Calibrate in the menu")
