"""`setmatch umpire` beyond its calls: table, notices, the annotated video, and lines of each kind."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.edition import load_edition
from firmware.commands import referee
from firmware.commands.options import setup_from
from firmware.commands.referee import Refereeing
from firmware.errors import InputError
from firmware.match import Match
from firmware.rules import Setup, choose
from firmware.umpire.observations import (
    BumpSeen,
    NoticeSeen,
    Observation,
    PlacementSeen,
    RestSeen,
    StrokeSeen,
)
from firmware.umpire.rest import Rest
from hardware.camera import Frame
from tests.firmware.places import Place
from tests.shared import (
    FOOTAGE,
    Ended,
    Image,
    focal_px,
    picture,
    setmatch,
    true_layout,
    truth_of,
    write_video,
)

CLIP = FOOTAGE / "figure-j.mp4"
FRAMES = 160
"""Of the clip: its first two strokes, the second at rest from frame 124 on."""
CLASSIC = load_edition("classic", require_zones=True)


def frames_of(path: Path) -> list[Image]:
    video, images = cv2.VideoCapture(str(path)), []
    while len(images) < FRAMES:
        there, image = video.read()
        if not there:
            break
        images.append(np.asarray(image, dtype=np.uint8))
    video.release()
    return images


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("referee")


@pytest.fixture(scope="module")
def clip(folder: Path) -> Path:
    """The start of the clip, nearly as it was: a fresh encoder must not soften it."""
    path = folder / "start.avi"
    images = frames_of(CLIP)
    size = (images[0].shape[1], images[0].shape[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), truth_of(CLIP)["fps"], size)
    writer.set(cv2.VIDEOWRITER_PROP_QUALITY, 95)
    for image in images:
        writer.write(image)
    writer.release()
    return path


@pytest.fixture(scope="module")
def ended(clip: Path, folder: Path) -> Ended:
    """Refereed for a person, with the annotated video."""
    return setmatch(
        "umpire", "--camera", clip, "--focal-px", focal_px(CLIP), "--annotate", folder / "seen.mp4"
    )


def test_a_person_reads_a_table(ended: Ended) -> None:
    assert ended.code == 0, ended.err
    rows = [row.split() for row in ended.out.splitlines() if row.strip()]
    strokes = [row for row in rows if row[0].isdigit()]
    true = truth_of(CLIP)["strokes"][:2]
    assert len(strokes) == 2
    for number, (row, stroke) in enumerate(zip(strokes, true, strict=True), 1):
        assert row[0] == str(number)
        assert f"{stroke['player']}1" in row
        assert stroke["call"] in row
    # A progress bar is for terminals alone, and there was nothing to notice.
    assert ended.err == ""


def test_the_annotated_video_has_every_frame_with_the_court_on_it(
    ended: Ended, folder: Path, clip: Path
) -> None:
    assert ended.code == 0, ended.err
    drawn, plain = frames_of(folder / "seen.mp4"), frames_of(clip)
    assert len(drawn) == len(plain) == FRAMES
    truth = true_layout(truth_of(CLIP))
    court = CLASSIC.court
    middle = court.baseline_mm - CLASSIC.lines.court_mm / 2
    across = [truth.project(h, [[s * middle, y]])[0] for h, s in (("A", -1), ("B", 1)) for y in (-60, 60)]
    for number in (0, FRAMES // 2, FRAMES - 1):
        assert drawn[number].shape == plain[number].shape
        away = np.abs(drawn[number].astype(int) - plain[number]).max(axis=2)
        for x, y in across:
            near = away[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3]
            assert near.max() > 60, (number, x, y)
        # What is not drawn on is the picture as it was, but for the encoder.
        assert np.median(away) < 12


def test_the_annotated_video_shows_the_ball_and_the_call(ended: Ended, folder: Path, clip: Path) -> None:
    assert ended.code == 0, ended.err
    truth = truth_of(CLIP)
    drawn, plain = frames_of(folder / "seen.mp4"), frames_of(clip)
    number = truth["strokes"][1]["rest_frame"] + 20
    away = np.abs(drawn[number].astype(int) - plain[number]).max(axis=2)
    x, y = (
        truth["strokes"][1].get("disc_px")
        or true_layout(truth).camera.project([[*truth["strokes"][1]["disc_mm"], CLASSIC.ball.height_mm]])[0]
    )
    size = 60
    around = away[round(y) - size : round(y) + size, round(x) - size : round(x) + size]
    assert (around > 60).sum() > 100
    corner = away[:30, :400]
    assert (corner > 60).sum() > 200
    before = np.abs(drawn[5].astype(int) - plain[5]).max(axis=2)[:30, :400]
    assert (before > 60).sum() < (corner > 60).sum() / 4


def test_an_annotated_video_that_cannot_be_written(clip: Path, tmp_path: Path) -> None:
    ended = setmatch(
        "umpire", "--camera", clip, "--focal-px", focal_px(CLIP),
        "--annotate", tmp_path / "none" / "seen.mp4",
    )  # fmt: skip
    ended.refuses("seen.mp4", "folder that exists")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--preset", "wimbledon"], ["wimbledon", "confirmed"]),
        (["--sets", "9"], ["--sets"]),
        ([], ["--camera"]),
    ],
)
def test_usage(options: list[str], words: list[str]) -> None:
    source = ["--camera", str(CLIP)] if options else []
    setmatch("umpire", "--json", *source, *options).refuses(*words, "--help")


def test_the_recording_is_never_the_annotated_video(clip: Path) -> None:
    before = clip.read_bytes()
    beside = clip.parent / ".." / clip.parent.name / clip.name
    setmatch("umpire", "--camera", clip, "--annotate", beside).refuses("--annotate", "another name")
    assert clip.read_bytes() == before


@pytest.mark.parametrize("source", ["usb:0", "usb", "simulated", "pi"])
def test_a_camera_that_goes_on_for_ever_is_refused(source: str) -> None:
    setmatch("umpire", "--camera", source).refuses(source, "recordings", "setmatch run")


def test_a_single_picture_is_refused() -> None:
    still = FOOTAGE / "rest" / "rest25.jpg"
    setmatch("umpire", "--json", "--camera", still).refuses("single picture", "setmatch locate")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_video_without_a_stroke_says_so(options: list[str], tmp_path: Path) -> None:
    still = FOOTAGE / "rest" / "rest25.jpg"
    video = write_video(tmp_path / "still.mp4", [picture(still)] * 3)
    ended = setmatch("umpire", "--camera", video, "--focal-px", focal_px(still), *options)
    assert ended.code == 0, ended.err
    assert ended.err == "No stroke was seen.\n"
    assert [line["kind"] for line in ended.lines] == (["calibration"] if options else [])


def test_the_warnings_of_the_calibration_are_told(tmp_path: Path) -> None:
    """The halves of this still lie 0.9 mm apart."""
    still = FOOTAGE / "rest" / "rest21.jpg"
    video = write_video(tmp_path / "still.mp4", [picture(still)] * 3)
    ended = setmatch("umpire", "--camera", video, "--focal-px", focal_px(still))
    assert ended.code == 0, ended.err
    assert "Warning: the halves do not meet" in ended.err


TOLD = {
    "kind": "stroke",
    "number": 1,
    "seat": "A1",
    "started_at": 1.5,
    "call": "in",
    "points": 2,
    "margin_mm": 1.4,
    "certain": True,
    "ruled": False,
    "marker": 2,
    "rally_winner": None,
    "score": {"points": ["0", "0"], "games": [0, 0], "sets": [0, 0]},
}


@pytest.mark.parametrize(
    ("error", "code"), [(InputError("the pictures changed; start again"), 2), (KeyboardInterrupt(), 130)]
)
def test_what_was_called_before_an_end_is_told(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lines(args: Namespace) -> Iterator[dict[str, Any]]:
        yield TOLD
        raise error

    monkeypatch.setattr(referee, "_lines", lines)
    ended = setmatch("umpire", "--camera", CLIP)
    assert ended.code == code
    assert "1.40 mm" in ended.out


def test_a_person_is_told_who_won(monkeypatch: pytest.MonkeyPatch) -> None:
    won = {"kind": "match", "outcome": {"winner": "B", "reason": "sets"}, "score": {"sets": [1, 2]}}

    def lines(args: Namespace) -> Iterator[dict[str, Any]]:
        yield from (TOLD, won)

    monkeypatch.setattr(referee, "_lines", lines)
    ended = setmatch("umpire", "--camera", CLIP)
    assert ended.code == 0
    assert ended.out.splitlines()[-1] == "B wins the match, 1-2 in sets."


# From observations to lines


class Seen:
    """An umpire that has seen these things, one list a frame."""

    def __init__(self, *frames: list[Observation], at_the_end: list[Observation] | None = None) -> None:
        self.frames, self.at_the_end = list(frames), at_the_end or []

    def see(self, frame: Frame) -> list[Observation]:
        return self.frames[frame.number]

    def finish(self) -> list[Observation]:
        return self.at_the_end


def rest(x: float, y: float) -> Rest:
    return Rest(
        dot_px=(0.0, 0.0),
        disc_px=(0.0, 0.0),
        dot_sigma_px=0.05,
        disc_sigma_px=0.05,
        radius_px=30.0,
        frames=5,
        first_at=1.0,
        last_at=1.2,
        about_mm=(x, y),
        position=Place((x, y), (x, y)),
    )


def frame(number: int) -> Frame:
    return Frame(np.zeros((2, 2, 3), np.uint8), number / 30.0, number)


DOUBLE_FAULT = (
    StrokeSeen(3.0, 1, 1.5, 2.5, rest(-235.0, -32.0), rest(-30.0, 9.0), False, False),
    StrokeSeen(6.0, 1, 4.5, 5.5, rest(-235.0, -32.0), rest(-40.0, 12.0), False, False),
)
OTHER_SIDE = tuple(
    replace(stroke, from_rest=rest(-235.0, 32.0), rest=rest(-30.0, -9.0)) for stroke in DOUBLE_FAULT
)


def refereeing(umpire: Seen, sets: int = 1) -> Refereeing:
    setup = Setup(chosen=choose("confirmed", {"free_serve_position": True}), sets_to_win=sets)
    return Refereeing(umpire, Match(CLASSIC, setup))  # type: ignore[arg-type]


def test_a_rally_follows_the_stroke_that_ended_it() -> None:
    match = refereeing(Seen([DOUBLE_FAULT[0]], [DOUBLE_FAULT[1]]))
    (first,) = match.see(frame(0))
    assert (first["kind"], first["call"], first["rally_winner"]) == ("stroke", "fault", None)
    second, rally = match.see(frame(1))
    assert (second["call"], second["rally_winner"]) == ("double-fault", "B")
    assert rally["kind"] == "rally"
    assert rally["winner"] == "B"


def test_placements_bumps_and_notices_are_told_and_rests_are_not() -> None:
    lies = rest(-100.0, 20.0)
    match = refereeing(
        Seen(
            [RestSeen(0.1, 1, lies), PlacementSeen(0.2, 1, None, lies)],
            [BumpSeen(0.3, 1, lies, replace(lies, position=None))],
            [NoticeSeen(0.4, "too-dark")],
            at_the_end=[DOUBLE_FAULT[0]],
        )
    )
    assert match.see(frame(0)) == [{"kind": "placement", "at": 0.2, "dot_mm": [-100.0, 20.0]}]
    assert match.see(frame(1)) == [{"kind": "bump", "at": 0.3, "dot_mm": None}]
    text = "Too dark to see the board: switch a lamp on; scoring waits."
    assert match.see(frame(2)) == [{"kind": "notice", "at": 0.4, "code": "too-dark", "text": text}]
    assert [line["kind"] for line in match.finish()] == ["stroke"]


def test_a_stroke_after_the_match_counts_for_nothing() -> None:
    """Every rally is lost by a double fault, until a side has its one set."""
    match = refereeing(Seen([]))
    umpire = match.umpire
    number = 0
    while match.match.state.outcome is None:
        assert number < 400
        served = DOUBLE_FAULT if number // 2 % 2 == 0 else OTHER_SIDE
        stroke = served[number % 2]
        umpire.frames = [[_served(stroke, match)]]  # type: ignore[attr-defined]
        lines = match.see(frame(0))
        number += 1
    assert [line["kind"] for line in lines][-3:] == ["game", "set", "match"]
    umpire.frames = [[DOUBLE_FAULT[0]]]  # type: ignore[attr-defined]
    (line,) = match.see(frame(0))
    assert (line["kind"], line["code"]) == ("notice", "match-over")


def test_a_recorded_stroke_that_was_played_from_elsewhere_counts_and_a_notice_says_so() -> None:
    """The ball was moved in the rally, and nobody put it back: the placement is told, what the rules
    asked for, a notice when play went on all the same, and the stroke."""
    good = rest(70.0, 54.0)
    serve = replace(DOUBLE_FAULT[0], rest=good)
    moved = rest(60.0, 20.0)
    answer = replace(serve, at=9.0, from_rest=moved, rest=rest(-150.0, 68.0))
    match = refereeing(Seen([serve], [PlacementSeen(7.0, 1, None, moved)], [answer]))
    match.see(frame(0))
    placement, asked = match.see(frame(1))
    assert (placement["kind"], placement["dot_mm"]) == ("placement", [60.0, 20.0])
    assert (asked["kind"], asked["reason"], asked["at_mm"]) == ("placement-asked", "moved", [70.0, 54.0])
    notice, stroke = match.see(frame(2))
    assert (notice["kind"], notice["code"], notice["at"]) == ("notice", "played-on", 9.0)
    assert (stroke["kind"], stroke["seat"], stroke["call"]) == ("stroke", "B1", "in")


def test_a_ball_that_is_laid_on_the_0_or_put_back_needs_no_notice() -> None:
    discovery = Match(CLASSIC, Setup("discovery", choose("discovery", {"free_serve_position": True})))
    x, y = CLASSIC.zero_mm("left")
    laid = PlacementSeen(7.0, 1, None, rest(x, y))
    answer = replace(DOUBLE_FAULT[0], from_rest=rest(x, y), rest=rest(-150.0, 68.0))
    match = Refereeing(Seen([*DOUBLE_FAULT], [laid], [answer]), discovery)  # type: ignore[arg-type]
    kinds = [[line["kind"] for line in match.see(frame(number))] for number in range(3)]
    assert kinds == [["stroke", "stroke", "placement-asked"], ["placement", "placed"], ["stroke"]]


def test_a_person_is_told_of_notices_beside_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    notice = {"kind": "notice", "at": 9.0, "code": "played-on", "text": "Stroke 1 was played from elsewhere."}

    def lines(args: Namespace) -> Iterator[dict[str, Any]]:
        yield from (notice, TOLD)

    monkeypatch.setattr(referee, "_lines", lines)
    ended = setmatch("umpire", "--camera", CLIP)
    assert ended.err == "    9.00 s  Stroke 1 was played from elsewhere.\n"


@pytest.mark.parametrize(
    ("args", "setup"),
    [
        (["--preset", "advanced", "--doubles"], Setup("advanced", doubles=True)),
        (
            ["--games", "6", "--sets", "3", "--first-server", "B"],
            Setup(games_to_set=6, sets_to_win=3, first_server="B"),
        ),
        (["--option", "aces=off"], Setup(chosen=choose("confirmed", {"aces": False}))),
    ],
)
def test_the_rules_are_taken_from_the_command(
    args: list[str], setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Setup] = []

    def lines(args: Namespace) -> Iterator[dict[str, Any]]:
        taken.append(setup_from(args))
        yield TOLD

    monkeypatch.setattr(referee, "_lines", lines)
    assert setmatch("umpire", "--camera", CLIP, *args).code == 0
    assert taken == [setup]


def _served(stroke: StrokeSeen, match: Refereeing) -> StrokeSeen:
    """The stroke as the side that is to serve makes it: half a turn for B."""
    if match.match.scoreboard().to_play == "A1":
        return stroke
    turned = [
        rest(-r.position.dot_mm[0], -r.position.dot_mm[1])
        for r in (stroke.from_rest, stroke.rest)
        if r is not None and r.position is not None
    ]
    return replace(stroke, from_rest=turned[0], rest=turned[1])
