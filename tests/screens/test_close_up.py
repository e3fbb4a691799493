"""A review's picture: recorded pixel by pixel, and what must be true of any of them.

SETMATCH_RECORD=1 records the pictures anew; look at every one of them then.
"""

from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from calibration.edition import load_edition
from firmware.rules.landing import BoxSide, Side
from firmware.screens import wording
from firmware.screens.close_up import close_up
from firmware.screens.deciding_line import DecidingLine, deciding_line
from firmware.screens.scoreboard import CALL_NAMES, Called, CallName
from firmware.texts import LANGUAGES, Language, load
from tests.screens.recorded import FOLDER, check
from tests.screens.test_deciding_line import Lying, facts_of

CLASSIC = load_edition("classic")
MONO: dict[str, Any] = {"size": (128, 64), "mode": "1"}
GREY: dict[str, Any] = {"size": (256, 64), "mode": "L"}
UPRIGHT: dict[str, Any] = {"size": (64, 128), "mode": "1"}
TALL: dict[str, Any] = {"size": (64, 256), "mode": "L"}
KINDS = {"mono": MONO, "grey": GREY, "upright": UPRIGHT, "tall": TALL}
every_kind = pytest.mark.parametrize("panel", KINDS.values(), ids=KINDS)


class Review(NamedTuple):
    """A call to be drawn. `fact`: the landing's margin that it hung on."""

    call: CallName
    place: Lying
    striker: Side
    box: BoxSide | None
    fact: str
    sigma_mm: float
    points: int | None
    end: wording.ReviewEnd

    @property
    def line(self) -> DecidingLine:
        found = deciding_line(
            CLASSIC, self.place, self.call, self.margin_mm, striker=self.striker, box=self.box
        )
        assert found is not None
        return found

    @property
    def margin_mm(self) -> float:
        value: Any = facts_of(CLASSIC, self.place, self.striker)
        for part in self.fact.split("."):
            value = value[int(part)] if part.isdigit() else getattr(value, part)
        return float(value)

    def words(self, language: Language) -> dict[str, Any]:
        """What the panels write beside the picture."""
        texts = load(language)
        called = Called("A1", self.call, self.points)
        certain = abs(self.margin_mm) >= 3 * self.sigma_mm
        note = wording.review_note(self.end, texts, certain=certain)
        return {"title": wording.review_title(called, texts), "note": note}

    def drawn(self, language: Language = "en", **panel: Any) -> Image.Image:
        return close_up(
            CLASSIC,
            self.place,
            self.line,
            sigma_mm=self.sigma_mm,
            **(self.words(language) | panel),
        )


def lying(x: float, y: float) -> Lying:
    return Lying((x - 0.08, y + 0.1), (x, y))


REVIEWS = {
    "out-by-a-tenth": Review("out", lying(150.1, -87.1), "A", None, "in_singles_mm", 0.02, None, "stands"),
    "on-the-baseline": Review("in", lying(230.7, 40.1), "A", None, "in_singles_mm", 0.04, 0, "overturned"),
    "too-close": Review("in", lying(-150.0, 87.1), "B", None, "in_singles_mm", 0.05, 2, "stands"),
    "out-too-close": Review("out", lying(-150.0, 87.2), "B", None, "in_singles_mm", 0.15, None, "let-stand"),
    "zone": Review("in", lying(-60.1, 46.3), "B", None, "worth_mm.0", 0.02, 1, "stands"),
    "zone-corner": Review("in", lying(199.9, 52.4), "A", None, "worth_mm.1", 0.05, 2, "overturned"),
    "short-of-the-net": Review(
        "net", Lying((1.2, 30.0), (1.3, 30.0)), "A", None, "passed_net_mm", 0.03, 0, "overturned"
    ),
    "let": Review("let", lying(12.1, 50.2), "A", "left", "touches_net_mm", 0.03, None, "stands"),
    "ace": Review("ace", lying(101.4, 59.4), "A", "left", "left.ace_mm", 0.03, None, "stands"),
    "fault": Review("fault", lying(60.0, 12.7), "A", "right", "right.touched_mm", 0.03, 0, "overturned"),
    "double-fault": Review(
        "double-fault", lying(-129.1, -49.8), "B", "left", "left.touched_mm", 0.03, 0, "let-stand"
    ),
    "winner": Review("winner", lying(-199.9, -52.4), "B", None, "worth_mm.1", 0.05, 2, "stands"),
    "far-out": Review("out", lying(235.0, -98.0), "A", None, "in_singles_mm", 0.1, None, "stands"),
}
PICTURES: dict[str, tuple[Review, Language, dict[str, Any]]] = {
    f"{name}.{kind}.{language}.png": (review, language, panel)
    for name, review in REVIEWS.items()
    for kind, panel in KINDS.items()
    for language in LANGUAGES
}


@pytest.mark.parametrize("name", PICTURES)
def test_close_up_is_as_recorded(name: str, tmp_path: Path) -> None:
    review, language, panel = PICTURES[name]
    check(f"close_up/{name}", review.drawn(language, **panel), tmp_path)


def test_every_recorded_picture_is_of_a_review_here() -> None:
    assert {path.name for path in (FOLDER / "close_up").glob("*.png")} == set(PICTURES)


def pixels(image: Image.Image) -> NDArray[np.bool_]:
    return np.asarray(image.convert("L")) > 0


def test_every_end_of_a_review_and_every_call_that_hangs_on_an_edge_has_a_picture() -> None:
    assert {review.call for review in REVIEWS.values()} == set(CALL_NAMES) - {"flick-fault"}
    assert {review.end for review in REVIEWS.values()} == set(get_args(wording.ReviewEnd))
    notes = {review.words("en")["note"] for review in REVIEWS.values()}
    assert wording.too_close() in notes


@every_kind
def test_size_and_mode_are_the_panels(panel: dict[str, Any]) -> None:
    image = REVIEWS["zone"].drawn(**panel)
    assert image.size == panel["size"]
    assert image.mode == panel["mode"]


def test_a_larger_doubt_is_drawn_thicker() -> None:
    sure, unsure = (REVIEWS["zone"]._replace(sigma_mm=sigma).drawn(**GREY) for sigma in (0.01, 0.12))
    brightest = [int((np.asarray(image)[:, 82:188] == 255).sum()) for image in (sure, unsure)]
    assert brightest[1] > brightest[0] + 20


def test_a_band_that_reaches_over_the_edge_is_dark_on_lit() -> None:
    """The line of small letters under the margin: most of it is lit then."""
    review = REVIEWS["zone"]
    for sigma, low, high in ((0.3, 0.0, 0.5), (0.34, 0.5, 1.0)):
        sigma_mm = abs(review.margin_mm) * sigma
        line = pixels(review._replace(sigma_mm=sigma_mm).drawn(**MONO))[39:48, 74:118]
        assert low < line.mean() < high


def test_an_upright_panel_shows_the_board_a_quarter_turn_from_the_lying_one() -> None:
    """End A at the foot instead of at the left: what is right of it on the board is above it, and what lies
    towards +y, above on the lying panel, is at the left. Neither is mirrored."""
    words: dict[str, Any] = {"title": "", "note": ""}
    beyond_the_baseline = Review("out", lying(231.3, 20.0), "A", None, "in_singles_mm", 0.001, None, "stands")
    beyond_the_sideline = Review("out", lying(150.0, 87.4), "A", None, "in_singles_mm", 0.001, None, "stands")
    for review in (beyond_the_baseline, beyond_the_sideline):
        lying_down = np.asarray(review.drawn(**words, size=(256, 64), mode="L"))[:, 82:188]
        upright = np.asarray(review.drawn(**words, size=(64, 256), mode="L"))[33:171]
        # The dots of the court's inside are dim: all on one side of the edge.
        right, down = _middle_of(lying_down == 32)
        right_upright, down_upright = _middle_of(upright == 32)
        if review is beyond_the_baseline:
            assert right < -0.2
            assert down_upright > 0.2
        else:
            assert down > 0.2
            assert right_upright > 0.2


def _middle_of(lit: NDArray[np.bool_]) -> tuple[float, float]:
    """Of what is lit: how far right of the picture's middle and below it, -0.5 to 0.5."""
    rows, columns = np.nonzero(lit)
    return float(columns.mean() / lit.shape[1] - 0.5), float(rows.mean() / lit.shape[0] - 0.5)


def test_the_gauge_shows_on_which_side_of_the_edge_the_margin_is() -> None:
    """Good to the right of the post in the middle, for the same place seen as good and as bad."""
    for panel, top, left, middle in ((MONO, 49, 62, 32), (UPRIGHT, 112, 0, 31)):
        for name, right in (("on-the-baseline", True), ("out-by-a-tenth", False)):
            image = REVIEWS[name]._replace(sigma_mm=0.001).drawn(**panel)
            tall = np.flatnonzero(pixels(image)[top : top + 7, left:].all(axis=0)).tolist()
            assert {middle - 1, middle, middle + 1} <= set(tall)
            marks = [column for column in tall if abs(column - middle) > 2]
            assert marks
            assert all((column > middle) == right for column in marks)


@every_kind
def test_without_a_line_there_are_words_alone(panel: dict[str, Any]) -> None:
    image = close_up(CLASSIC, lying(0, 0), None, sigma_mm=0.1, title="OUT", note="ruled", **panel)
    lit = np.argwhere(pixels(image))
    assert abs(lit[:, 1].mean() - panel["size"][0] / 2) < 6
    assert abs(lit[:, 0].mean() - panel["size"][1] / 2) < 26
    assert image.size == panel["size"]


def test_whatever_the_words_they_stay_in_their_fields() -> None:
    long: dict[str, Any] = {
        "title": "A VERY LONG TITLE INDEED " * 3,
        "note": "and a note that never ends " * 3,
    }
    fields = (
        (MONO, np.s_[:, 0:60]),
        (GREY, np.s_[:, 82:188]),
        (UPRIGHT, np.s_[17:69]),
        (TALL, np.s_[33:171]),
    )
    for panel, picture in fields:
        with_words, without = (
            np.asarray(REVIEWS["zone"].drawn(**panel, **words)) for words in (long, {"title": "", "note": ""})
        )
        assert (with_words[picture] == without[picture]).all()


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ((127, 64), "needs 128x64"),
        ((128, 63), "needs 128x64"),
        ((63, 128), "needs 64x128"),
        ((64, 127), "needs 64x128"),
    ],
)
def test_a_panel_too_small_is_refused(size: tuple[int, int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        REVIEWS["zone"].drawn(size=size)


@pytest.mark.parametrize("sigma", [-0.1, float("nan"), float("inf")])
def test_a_deviation_that_is_none_is_refused(sigma: float) -> None:
    with pytest.raises(ValueError, match="standard deviation"):
        REVIEWS["zone"]._replace(sigma_mm=sigma).drawn()
