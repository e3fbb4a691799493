"""What people at a terminal see of a daemon's match."""

import io
from pathlib import Path

import pytest

from firmware.config import Config
from firmware.daemon.frames import CameraNews
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.parts import BoardDrawing, MenuDrawing
from firmware.display import PlainDisplay
from firmware.journal import JournalError
from firmware.live.onlookers import Onlooker, ShownPanels
from firmware.menus import Menu, opened
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import load
from tests.faults import bench as faults
from tests.faults.bench import CLASSIC, ENGLISH, RETURNED, SERVED
from tests.firmware.live.test_people import Display


class Panels:
    """Panels that only note."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, object]] = []
        self.woken = 0

    def wake(self) -> None:
        self.woken += 1

    def works(self, role: str) -> bool:
        return role == "game"

    def show(self, role: str, picture: object) -> None:
        self.shown.append((role, picture))

    def news(self) -> list[object]:
        return ["news"]

    def stop(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        return (f"stopped in {timeout_s} s",)


def watched(folder: Path) -> tuple[faults.Bench, Display]:
    display = Display()
    onlooker = Onlooker(display, CLASSIC)
    bench = faults.Bench(folder, tell=onlooker.tell)
    onlooker.watch(bench.daemon)
    return bench, display


def test_calls_presses_and_what_is_announced_are_told_and_what_stands_on_the_panels_is_not(
    tmp_path: Path,
) -> None:
    bench, display = watched(tmp_path)
    bench.play(SERVED)
    bench.play(RETURNED)
    bench.press("A", "confirm", for_s=2.3)
    assert [call["call"] for call in display.calls] == ["in", "in"]
    assert [said.strip() for said in display.said if said.startswith(" ")] == ["-- A: CONFIRM held"]
    assert "undone" in display.said[-1].lower(), "the ball that is asked for then is told on the panels"
    told = len(display.said)
    bench.press("A", "challenge")
    bench.press("A", "challenge", for_s=0.1, then_s=0.1)
    assert all(said.startswith(" ") for said in display.said[told:]), "a review is told on the panels"


def test_why_a_part_is_not_well_is_told_as_the_panels_have_no_room_for_it(tmp_path: Path) -> None:
    bench, display = watched(tmp_path)
    missing = "there is no camera usb:0 (/dev/video0 is missing); plug it in"
    bench.frames.told.append(CameraNews("gone", missing))
    bench.turn()
    bench.frames.told.append(CameraNews("back"))
    bench.turn()
    assert [said.strip() for said in display.said if said.startswith(" ")] == [
        f"-- camera: {missing}",
        "-- camera: well again",
    ]


def test_a_match_that_goes_on_is_told(tmp_path: Path) -> None:
    bench, _ = watched(tmp_path)
    bench.play(SERVED)
    bench.drop()
    display = Display()
    faults.Bench(tmp_path, tell=Onlooker(display, CLASSIC).tell)
    assert display.said == ["The board is found to 0.02 mm; play.", "Match 1 goes on after 1 strokes."]


def test_a_match_that_was_won_stands_and_one_that_goes_on_late_is_not_announced_again(tmp_path: Path) -> None:
    bench, _ = watched(tmp_path)
    while not bench.daemon.over:
        bench.play(None)
    strokes = bench.strokes
    bench.drop()
    display = Display()
    onlooker = Onlooker(display, CLASSIC)
    unread = [JournalError("it is held", "busy")]
    again = faults.Bench(tmp_path, tell=onlooker.tell, unread=unread)
    onlooker.watch(again.daemon)
    again.turn(RETRY_S + 0.5)
    again.press("A", "confirm", for_s=0.1)
    told = f"Match 1 was won after {strokes} strokes; it stands until another is begun."
    assert [said for said in display.said if not said.startswith(" ")] == [
        "The board is found to 0.02 mm; play.",
        told,
    ]


@pytest.mark.parametrize(
    ("balls", "shown"),
    [
        ([], (None, False)),
        ([((1.0, 2.0), True)], ((1.0, 2.0), True)),
        ([((1.0, 2.0), False), ((9.0, 9.0), True)], ((1.0, 2.0), False)),
        ([((float("inf"), 2.0), True)], (None, False)),
    ],
)
def test_the_ball_is_shown_where_the_umpire_sees_it(
    tmp_path: Path, balls: list[tuple[tuple[float, float], bool]], shown: tuple[object, bool]
) -> None:
    class Model:
        def locate(self, at_px: list[tuple[float, float]], height_mm: float) -> list[tuple[float, float]]:
            assert height_mm == CLASSIC.ball.height_mm
            return at_px

    class Calibration:
        model = Model()

    display = Display()
    onlooker = Onlooker(display, CLASSIC)
    onlooker.look()
    bench = faults.Bench(tmp_path)
    bench.umpire.balls, bench.umpire.calibration = balls, Calibration()  # type: ignore[assignment]
    onlooker.watch(bench.daemon)
    onlooker.look()
    assert display.balls == [(None, False), shown]


def test_what_the_panels_show_is_shown_at_the_terminal_too() -> None:
    panels, out = Panels(), io.StringIO()
    shown = ShownPanels(panels, PlainDisplay(out))  # type: ignore[arg-type]
    board = BoardDrawing("in-rally", Scoreboard(notice="too dark"), ENGLISH)
    shown.show("in-rally", board)
    shown.show("game", BoardDrawing("game", Scoreboard(notice="too dark"), ENGLISH))
    assert panels.shown[0] == ("in-rally", board)
    assert len(panels.shown) == 2
    assert out.getvalue().count("-- too dark") == 1
    french = BoardDrawing("in-rally", Scoreboard(games=(1, 0)), load("fr"))
    shown.show("in-rally", french)
    assert "JEUX" in out.getvalue(), "in the words of the match"
    assert shown.news() == ["news"]
    assert [shown.works(role) for role in ("in-rally", "game")] == [False, True]
    shown.wake()
    assert panels.woken == 1
    assert shown.stop(0.5) == ("stopped in 0.5 s",)


def test_a_walk_of_the_menu_is_told_in_lines() -> None:
    panels, out = Panels(), io.StringIO()
    shown = ShownPanels(panels, PlainDisplay(out))  # type: ignore[arg-type]
    menu: Menu | None = opened(Config(), match_on=False, can=frozenset(), now_s=0.0)
    for meaning in ("challenge", "confirm", "undo", *["challenge"] * 4, "confirm", "confirm"):
        assert menu is not None
        menu, _ = menu.after(meaning, 0.0)  # type: ignore[arg-type]
        assert menu is not None
        for role in ("in-rally", "game"):
            shown.show(role, MenuDrawing(menu.page(ENGLISH)))
    told = out.getvalue().splitlines()
    assert told[:2] == [
        "     -- Menu 2/10: Level (Confirmed). For the next match.",
        "     -- Level 2/7: Confirmed. For the next match.",
    ]
    assert told[-2:] == [
        "     -- Names 1/3: A (-). For the next match.",
        "     -- Name of A 1/12: A B C D E F []",
    ]
