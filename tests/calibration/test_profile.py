import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.drift import refit
from calibration.edition import Edition
from calibration.errors import ProfileError
from calibration.parameters import HalfShift, Layout
from calibration.profile import Calibration, Region, Rotation, load, save
from tests.calibration.scenes import CLASSIC, errors_mm, layout_of, picture, scene

POINT = (120.0, -40.0)


def calibration(seed: int = 2) -> Calibration:
    layout = layout_of(scene(seed))
    rng = np.random.default_rng(seed)
    root = rng.normal(0, 1e-4, (19, 19))
    return Calibration(
        edition="classic",
        edition_digest=CLASSIC.digest,
        size=(1456, 1088),
        rotation=0,
        layout=Layout(layout.camera, HalfShift(0.3, -0.2, 0.001), HalfShift(-0.3, 0.2, -0.001)),
        covariance=root @ root.T,
        ball=CLASSIC.ball,
        focal_known=True,
        residual_px=0.03,
        residual_mm=0.01,
        regions=(Region("A back", 100, 0.03, 0.01),),
        blur_px=0.8,
        warnings=("a warning",),
        made_at="2026-01-02T03:04:05+00:00",
    )


def test_a_saved_profile_is_read_back_whole(tmp_path: Path) -> None:
    kept, path = calibration(), tmp_path / "cal.json"
    save(kept, path)
    again = load(path)
    assert again.layout == kept.layout
    assert again.covariance == pytest.approx(kept.covariance, abs=0)
    for name in ("edition", "size", "rotation", "ball", "focal_known", "regions", "warnings", "made_at"):
        assert getattr(again, name) == getattr(kept, name)


def test_places_a_ball_in_the_frame_of_its_half() -> None:
    kept = calibration()
    for half, x in (("B", 120.0), ("A", -120.0)):
        outline = kept.layout.half(half).to_board([[x, POINT[1]]])[0]  # type: ignore[arg-type]
        disc = kept.model.circle_px(outline, CLASSIC.ball.diameter_mm / 2, CLASSIC.ball.height_mm)
        dot = kept.model.circle_px(outline, CLASSIC.ball.dot_diameter_mm / 2, CLASSIC.ball.height_mm)
        place = kept.place(tuple(dot.mean(0)), tuple(disc.mean(0)), 0.05, 0.1)
        assert place.half == half
        assert place.dot_mm == pytest.approx((x, POINT[1]), abs=0.03)
        assert place.disc_mm == pytest.approx((x, POINT[1]), abs=0.03)
        assert place.disc_sigma_mm > place.dot_sigma_mm > 0.05 * 0.3


def test_the_standard_deviation_is_that_of_sampled_calibrations() -> None:
    """Against layouts drawn from the covariance: no formula shared."""
    kept = calibration()
    rng = np.random.default_rng(5)
    pixel = kept.layout.project("B", [POINT], 6.0)
    vector = kept.layout.vector()
    places = []
    for draw in rng.multivariate_normal(np.zeros(19), kept.covariance, 3000):
        layout = Layout.from_vector(vector + draw)
        places.append(layout.half("B").to_printed(layout.camera.locate(pixel, 6.0))[0])
    worst = np.sqrt(np.linalg.eigvalsh(np.cov(np.array(places).T))[-1])
    told = kept.sigma_mm("B", [POINT], 6.0)
    assert told == pytest.approx(np.hypot(worst, 0.01), rel=0.08)


def test_swapping_ends_turns_places_and_keeps_their_doubt() -> None:
    kept = calibration()
    turned = kept.with_ends_swapped()
    dot = tuple(kept.layout.project("B", [POINT], 6.0)[0])
    here, there = kept.place(dot, dot, 0.05, 0.05), turned.place(dot, dot, 0.05, 0.05)
    assert (here.half, there.half) == ("B", "A")
    assert there.dot_mm == pytest.approx((-here.dot_mm[0], -here.dot_mm[1]), abs=1e-6)
    assert there.dot_sigma_mm == pytest.approx(here.dot_sigma_mm, rel=1e-3)
    back = turned.with_ends_swapped().place(dot, dot, 0.05, 0.05)
    assert back.dot_mm == pytest.approx(here.dot_mm, abs=1e-6)


def test_a_focal_length_from_elsewhere_sharpens_an_unknown_one() -> None:
    kept = calibrate(picture(0), CLASSIC)
    focal = scene(0).camera.focal_px * 1.004
    assert abs(kept.model.focal_px / focal - 1) > 0.02, "the scene no longer shows what this is about"
    told = kept.with_focal(focal)
    corner = [(218.0, 100.0)]
    assert told.sigma_mm("B", corner, 6.0) < 0.25 * kept.sigma_mm("B", corner, 6.0)
    fitted = refit(told, CLASSIC, picture(0))
    assert fitted is not None
    assert errors_mm(layout_of(scene(0)), fitted.layout, 6.0).max() < 0.1
    with pytest.raises(ProfileError, match="another lens"):
        fitted.with_focal(focal * 1.2)


@pytest.mark.parametrize(
    ("size", "rotation", "edition", "reason"),
    [
        ((1456, 1088), 180, CLASSIC, "turned by 0"),
        ((728, 544), 0, CLASSIC, "1456x1088"),
        ((1088, 1456), 0, CLASSIC, "1088x1456"),
        ((1456, 1088), 0, replace(CLASSIC, name="maxi"), "'maxi'"),
        ((1456, 1088), 0, replace(CLASSIC, ball=replace(CLASSIC.ball, height_mm=12.0)), "has changed"),
    ],
)
def test_a_profile_for_something_else_is_refused(
    size: tuple[int, int], rotation: Rotation, edition: Edition, reason: str
) -> None:
    with pytest.raises(ProfileError, match=reason):
        calibration().require(size, rotation, edition)
    calibration().require((1456, 1088), 0, CLASSIC)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda d: d | {"schema": 99}, "schema 99"),
        (lambda d: {k: v for k, v in d.items() if k != "schema"}, "schema None"),
        (lambda d: d | {"colour": 1}, "colour"),
        (lambda d: {k: v for k, v in d.items() if k != "camera"}, "camera"),
        (lambda d: d | {"covariance": [[1.0]]}, "covariance is damaged"),
        (lambda d: d | {"size": "large"}, "size"),
        (lambda d: d | {"camera": d["camera"] | {"focal_px": 0.0}}, "camera is damaged"),
        (lambda d: d | {"camera": d["camera"] | {"translation_mm": [0, 0, -5.0]}}, "camera is damaged"),
    ],
)
def test_a_damaged_profile_is_refused(tmp_path: Path, damage: object, reason: str) -> None:
    path = tmp_path / "cal.json"
    save(calibration(), path)
    data = damage(msgspec.json.decode(path.read_bytes()))  # type: ignore[operator]
    path.write_bytes(msgspec.json.encode(data))
    with pytest.raises(ProfileError, match=reason):
        load(path)


def test_half_a_file_no_file_and_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "cal.json"
    save(calibration(), path)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(ProfileError, match="not a calibration"):
        load(path)
    with pytest.raises(ProfileError, match="setmatch calibrate"):
        load(tmp_path / "none.json")
    with pytest.raises(ProfileError, match="cannot be written"):
        save(calibration(), tmp_path / "none" / "cal.json")


def test_a_failed_write_leaves_the_old_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cal.json"
    save(calibration(), path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    for call in ("fsync", "replace"):
        with monkeypatch.context() as broken:
            broken.setattr(os, call, lambda *a: full(0))
            with pytest.raises(ProfileError, match="No space left"):
                save(replace(calibration(), residual_px=9.0), path)
        assert path.read_bytes() == before
        assert not list(tmp_path.glob("*.new"))


def test_former_profiles_are_kept_by_date(tmp_path: Path) -> None:
    path = tmp_path / "cal.json"
    for day in range(1, 9):
        save(replace(calibration(), residual_px=float(day)), path)
        noon = datetime(2026, 1, day, 12, tzinfo=UTC).timestamp()
        os.utime(path, (noon, noon))
    former = sorted(tmp_path.glob("cal.2026*.json"))
    assert [file.name for file in former] == [f"cal.2026010{day}T120000.json" for day in range(3, 8)]
    assert [load(file).residual_px for file in former] == [3.0, 4.0, 5.0, 6.0, 7.0]
    assert load(path).residual_px == 8.0
