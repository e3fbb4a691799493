"""A review's picture: recorded pixel by pixel, and what must be true of any of them.

SETMATCH_RECORD=1 records the pictures anew; look at every one of them then.
"""

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from calibration.edition import load_edition
from firmware.rules.events import Call
from firmware.rules.landing import BoxSide, Side
from firmware.screens import wording
from firmware.screens.close_up import close_up
from firmware.screens.deciding_line import DecidingLine, deciding_line
from firmware.screens.scoreboard import Called, CallName
from firmware.texts import load
from tests.screens.test_deciding_line import Lying, facts_of
from tests.screens.test_golden import difference

FOLDER = Path(__file__).parents[1] / "golden" / "close_up"
RECORD = os.environ.get("SETMATCH_RECORD") == "1"
CLASSIC = load_edition("classic")
MONO: dict[str, Any] = {"size": (128, 64), "mode": "1"}
GREY: dict[str, Any] = {"size": (256, 64), "mode": "L"}


class Review(NamedTuple):
    """A call to be drawn. `fact`: the landing's margin that it hung on."""

    call: Call
    place: Lying
    striker: Side
    box: BoxSide | None
    fact: str
    sigma_mm: float
    title: str
    note: str

    @property
    def line(self) -> DecidingLine:
        value: Any = facts_of(CLASSIC, self.place, self.striker)
        for part in self.fact.split("."):
            value = value[int(part)] if part.isdigit() else getattr(value, part)
        found = deciding_line(CLASSIC, self.place, self.call, value, striker=self.striker, box=self.box)
        assert found is not None
        return found

    def drawn(self, **panel: Any) -> Image.Image:
        return close_up(
            CLASSIC,
            self.place,
            self.line,
            sigma_mm=self.sigma_mm,
            title=self.title,
            note=self.note,
            **panel,
        )


def lying(x: float, y: float) -> Lying:
    return Lying((x - 0.08, y + 0.1), (x, y))


def in_french(call: CallName, points: int | None, end: wording.ReviewEnd) -> tuple[str, str]:
    """What the panels write beside the picture."""
    texts = load("fr")
    return wording.review_title(Called("A1", call, points), texts), wording.review_note(end, texts)


REVIEWS = {
    "out-by-a-tenth": Review("out", lying(150.1, -87.1), "A", None, "in_singles_mm", 0.02, "OUT", "stands"),
    "on-the-baseline": Review("in", lying(230.7, 40.1), "A", None, "in_singles_mm", 0.04, "IN", "overturned"),
    "too-close": Review("in", lying(-150.0, 87.1), "B", None, "in_singles_mm", 0.05, "IN", "too close"),
    "zone": Review("in", lying(-60.1, 46.3), "B", None, "worth_mm.0", 0.05, "IN +1", "stands"),
    "zone-corner": Review("in", lying(199.9, 52.4), "A", None, "worth_mm.1", 0.05, "IN +2", "stands"),
    "short-of-the-net": Review(
        "net", Lying((1.2, 30.0), (1.3, 30.0)), "A", None, "passed_net_mm", 0.03, "NET", "overturned"
    ),
    "let": Review("let", lying(12.1, 50.2), "A", "left", "touches_net_mm", 0.03, "LET", "stands"),
    "ace": Review("ace", lying(101.4, 59.4), "A", "left", "left.ace_mm", 0.03, "ACE!", "stands"),
    "double-fault": Review(
        "double-fault", lying(-129.1, -49.8), "B", "left", "left.touched_mm", 0.03, "DOUBLE FAULT", "stands"
    ),
    "faute-francaise": Review(
        "fault", lying(60.0, 12.7), "A", "right", "right.touched_mm", 0.03, "FAUTE", "annulée"
    ),
    "bonne-corrigee": Review(
        "in", lying(199.9, 52.4), "A", None, "worth_mm.1", 0.05, *in_french("in", 2, "overturned")
    ),
    "dehors-maintenu": Review(
        "out", lying(150.1, -87.1), "A", None, "in_singles_mm", 0.02, *in_french("out", None, "stands")
    ),
    "double-faute-gardee": Review(
        "double-fault",
        lying(-129.1, -49.8),
        "B",
        "left",
        "left.touched_mm",
        0.03,
        *in_french("double-fault", None, "let-stand"),
    ),
    "far-out": Review("out", lying(235.0, -98.0), "A", None, "in_singles_mm", 0.1, "OUT", "stands"),
}
PICTURES = {
    f"{name}.{'grey' if panel is GREY else 'mono'}.png": (review, panel)
    for name, review in REVIEWS.items()
    for panel in (MONO, GREY)
}


@pytest.mark.parametrize("name", PICTURES)
def test_close_up_is_as_recorded(name: str, tmp_path: Path) -> None:
    review, panel = PICTURES[name]
    got = review.drawn(**panel)
    recorded = FOLDER / name
    if RECORD:
        FOLDER.mkdir(exist_ok=True)
        got.save(recorded)
        pytest.skip(f"recorded {recorded.name}; look at it")
    assert recorded.exists(), f"{name} has never been recorded; run with SETMATCH_RECORD=1"
    with Image.open(recorded) as expected:
        changed = difference(expected.convert(got.mode), got)
    if changed is not None:
        got.save(tmp_path / f"got.{name}")
        changed.save(tmp_path / f"difference.{name}")
        pytest.fail(f"{name} differs from the recorded picture; see {tmp_path}")


def test_every_recorded_picture_is_of_a_review_here() -> None:
    assert {path.name for path in FOLDER.glob("*.png")} == set(PICTURES)


def pixels(image: Image.Image) -> NDArray[np.bool_]:
    return np.asarray(image.convert("L")) > 0


@pytest.mark.parametrize("panel", [MONO, GREY])
def test_size_and_mode_are_the_panels(panel: dict[str, Any]) -> None:
    image = REVIEWS["zone"].drawn(**panel)
    assert image.size == panel["size"]
    assert image.mode == panel["mode"]


def test_a_larger_doubt_is_drawn_thicker() -> None:
    sure, unsure = (REVIEWS["zone"]._replace(sigma_mm=sigma).drawn(**GREY) for sigma in (0.01, 0.12))
    brightest = [int((np.asarray(image)[:, 70:188] == 255).sum()) for image in (sure, unsure)]
    assert brightest[1] > brightest[0] + 20


def test_the_gauge_shows_on_which_side_of_the_edge_the_margin_is() -> None:
    """Good to the right of the post in the middle, for the same place seen as good and as bad."""
    rows = slice(17 + 32, 17 + 32 + 7)
    for name, right in (("on-the-baseline", True), ("out-by-a-tenth", False)):
        lit = pixels(REVIEWS[name]._replace(sigma_mm=0.001).drawn(**MONO))[rows, 62:]
        tall = np.flatnonzero(lit.all(axis=0))
        middle = 66 // 2 - 1
        assert {middle - 1, middle, middle + 1} <= set(tall.tolist())
        marks = [column for column in tall.tolist() if abs(column - middle) > 2]
        assert marks
        assert all((column > middle) == right for column in marks)


def test_without_a_line_there_are_words_alone() -> None:
    for panel in (MONO, GREY):
        image = close_up(CLASSIC, lying(0, 0), None, sigma_mm=0.1, title="OUT", note="ruled", **panel)
        lit = np.argwhere(pixels(image))
        middle = lit[:, 1].mean()
        assert abs(middle - panel["size"][0] / 2) < 6
        assert image.size == panel["size"]


def test_whatever_the_words_they_stay_in_their_column() -> None:
    long = REVIEWS["zone"]._replace(
        title="A VERY LONG TITLE INDEED " * 3, note="and a note that never ends " * 3
    )
    short = REVIEWS["zone"]._replace(title="", note="")
    for panel, picture in ((MONO, slice(0, 60)), (GREY, slice(68, 186))):
        with_words, without = (np.asarray(review.drawn(**panel)) for review in (long, short))
        assert (with_words[:, picture] == without[:, picture]).all()


@pytest.mark.parametrize("size", [(127, 64), (128, 63), (64, 128)])
def test_a_panel_too_small_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="needs 128x64"):
        REVIEWS["zone"].drawn(size=size)


@pytest.mark.parametrize("sigma", [-0.1, float("nan"), float("inf")])
def test_a_deviation_that_is_none_is_refused(sigma: float) -> None:
    with pytest.raises(ValueError, match="standard deviation"):
        REVIEWS["zone"]._replace(sigma_mm=sigma).drawn()
