"""People at the simulated table around a whole daemon: table, players and umpire do as they are told."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from calibration.edition import load_edition
from firmware.daemon.parts import Found
from firmware.daemon.stopping import StoppedError
from firmware.display import Draw
from firmware.live.agreement import Agreement, true_call
from firmware.live.fingers import Fingers, Pressing
from firmware.live.onlookers import Onlooker
from firmware.live.people import MISSED_AFTER_S, LiveMatch, People, Point
from firmware.match import Match
from firmware.report import Line
from firmware.rules import Setup, State, choose
from firmware.screens.menu_page import MenuPage
from firmware.screens.scoreboard import Scoreboard
from firmware.terminal import Stroke as StrokeLine
from firmware.texts import Texts, load
from firmware.umpire.observations import (
    Observation,
    PlacementSeen,
    StrokeSeen,
)
from firmware.umpire.rest import Rest
from hardware.camera import Frame
from hardware.simulated.players import Situation
from hardware.simulated.table import BallSpot, PlacementTruth, Side, StrokeTruth
from tests.faults import bench as faults
from tests.faults.bench import PICTURE, TURN_S, Clock

CLASSIC = load_edition("classic", require_zones=True)
ENGLISH = load("en")
SERVE: dict[Side, Point] = {"A": (-235.0, -34.0), "B": (235.0, 34.0)}
"""From the right; from the left y is turned."""
GOOD_SERVE = (70.0, 54.0)
SHORT = (-50.0, 0.0)
DOUBLES = Setup(doubles=True)


@dataclass(frozen=True)
class Place:
    dot_mm: Point
    disc_mm: Point
    sigma_mm: float = 0.02
    half: str = "A"

    @property
    def dot_sigma_mm(self) -> float:
        return self.sigma_mm

    @property
    def disc_sigma_mm(self) -> float:
        return self.sigma_mm


def spot(at: Point) -> BallSpot:
    return BallSpot(at, at, "A" if at[0] < 0 else "B", at, at, False)


def rest(at: Point, sigma_mm: float = 0.02) -> Rest:
    place = Place(at, at, sigma_mm)
    return Rest(at, at, 0.05, 0.05, 30.0, 5, 0.0, 0.2, about_mm=at, position=place)


def seen(truth: StrokeTruth, end: Point | None = None, sigma_mm: float = 0.02) -> StrokeSeen:
    """The stroke as an umpire sees it; `end`: where it takes the ball to lie, if not rightly."""
    at = end or truth.end.dot_mm
    touched, rested = truth.touched_at, truth.rested_at
    start = rest(truth.start.dot_mm)
    return StrokeSeen(rested + 0.2, 1, touched, rested, start, rest(at, sigma_mm), False, False)


class Table:
    """Its time is the daemon's clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.carried: list[tuple[Side, Point]] = []

    @property
    def now(self) -> float:
        return self._clock.now

    def carry(self, side: Side, dot_to_mm: Point) -> PlacementTruth:
        self.carried.append((side, dot_to_mm))
        return PlacementTruth(side, self.now, self.now, spot(dot_to_mm), spot(dot_to_mm))


class Players:
    """Every stroke takes a second, starts where the last one ended, and ends as the script says."""

    def __init__(self, table: Table, ends: list[Point]) -> None:
        self.table = table
        self.ends = deque(ends)
        self.told: list[tuple[Situation, Point | None]] = []
        self.strokes: list[StrokeTruth] = []

    def play(self, situation: Situation, aim_mm: Point | None = None) -> StrokeTruth:
        self.told.append((situation, aim_mm))
        x, y = SERVE[situation.striker]
        start = (x, -y) if situation.box == "right" else (x, y)
        if situation.box is None and self.strokes:
            start = self.strokes[-1].end.dot_mm
        end = self.ends.popleft() if self.ends else SHORT
        if situation.striker == "B" and end == SHORT:
            end = (-SHORT[0], -SHORT[1])
        now = self.table.now
        number = len(self.strokes) + 1
        ends = (spot(start), spot(end))
        truth = StrokeTruth(number, situation.striker, now, now + 0.5, now + 1.0, *ends)
        self.strokes.append(truth)
        return truth


class Display:
    def __init__(self) -> None:
        self.calls: list[StrokeLine] = []
        self.boards: list[Scoreboard] = []
        self.pages: list[MenuPage] = []
        self.said: list[str] = []
        self.panels: list[str] = []
        self.balls: list[tuple[Point | None, bool]] = []

    def call(self, stroke: StrokeLine) -> None:
        self.calls.append(stroke)

    def menu(self, page: MenuPage) -> None:
        self.pages.append(page)

    def show(self, board: Scoreboard, texts: Texts | None = None) -> None:
        self.boards.append(board)

    def panel(self, role: str, draw: Draw) -> None:
        self.panels.append(role)

    def ball(self, at_mm: Point | None, lying: bool) -> None:
        self.balls.append((at_mm, lying))

    def say(self, text: str) -> None:
        self.said.append(text)

    def ask(self, question: str) -> str:
        raise EOFError

    def close(self) -> None:
        pass


class Bench:
    """People at a whole daemon whose umpire sees what the test says. Time passes when told."""

    def __init__(
        self,
        folder: Path,
        *ends: Point,
        games: int | None = None,
        aims: Sequence[Point | Pressing | None] = (),
        setup: Setup | None = None,
    ) -> None:
        self.display = Display()
        self.states: list[State] = []
        self.lines: list[Line] = []
        self._aims = deque(aims)
        self.live: LiveMatch | None = None
        self.whole = faults.Bench(folder, setup=setup or Setup(), tell=self._tell)
        clock = self.whole.clock
        self.table = Table(clock)
        self.players = Players(self.table, list(ends))
        daemon = self.whole.daemon
        self.onlooker = Onlooker(self.display, CLASSIC)
        self.onlooker.watch(daemon)
        people = People(
            CLASSIC, self.table, self.players, Fingers(self.whole.buttons, clock), self._aim, self.display
        )
        self.live = LiveMatch(people, self.onlooker, games)
        self.live.begin(daemon)

    def _tell(self, line: Line) -> None:
        self.lines.append(line)
        if self.live is not None:
            self.live.tell(line)

    def _aim(self, state: State) -> Point | Pressing | None:
        self.states.append(state)
        return self._aims.popleft() if self._aims else None

    def frame(self, seconds: float = 1.2, *observations: Observation) -> None:
        """So much time passes, and then a frame is seen."""
        self.wait(seconds)
        self.whole.umpire.lots.append(list(observations))
        self.whole.frames.waiting.append(Frame(PICTURE, self.whole.clock.now, 0))
        self._turn()

    def wait(self, seconds: float) -> None:
        """So much time passes, in which nothing is seen."""
        until = self.whole.clock.now + seconds
        while self.whole.clock.now < until - 1e-9:
            self.whole.clock.now = min(self.whole.clock.now + TURN_S, until)
            self._turn()

    def _turn(self) -> None:
        assert self.live is not None
        self.whole.daemon.turn(0.0)
        self.live.turned()

    @property
    def last(self) -> StrokeTruth:
        return self.players.strokes[-1]

    @property
    def notice(self) -> str | None:
        """What is shown of what there is to be told."""
        return self.whole.board.notice

    @property
    def people(self) -> LiveMatch:
        assert self.live is not None
        return self.live


def test_the_first_serve_is_asked_for_and_shown(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert bench.players.told == [(Situation("A", "left", 0), None)]
    assert bench.whole.board.to_play == "A1"


def test_a_call_leads_to_the_other_sides_turn_with_the_marker(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE)
    bench.frame(1.2, seen(bench.last))
    assert [call["call"] for call in bench.display.calls] == ["in"]
    assert bench.players.told[-1][0] == Situation("B", None, 1)
    assert bench.whole.board.to_play == "B1"
    assert bench.people.agreement == Agreement(agreed=1, measured=1)


def test_nothing_is_asked_for_while_a_stroke_is_awaited(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE)
    for _ in range(5):
        bench.frame(0.5)
    assert len(bench.players.told) == 1


def test_a_certain_call_that_differs_from_the_truth_is_told_and_counted(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE)
    bench.frame(1.2, seen(bench.last, end=(70.0, 20.0)))
    agreement = bench.people.agreement
    assert (agreement.agreed, agreement.differing) == (0, 1)
    assert (agreement.measured, agreement.total_error_mm, agreement.max_error_mm) == (1, 34.0, 34.0)
    assert not agreement.good
    assert any("table knows better: in, points 1, margin -7.50 mm" in text for text in bench.display.said)


def test_a_call_announced_as_too_close_may_differ(tmp_path: Path) -> None:
    bench = Bench(tmp_path, (70.0, 46.7))
    bench.frame(1.2, seen(bench.last, end=(70.0, 45.4), sigma_mm=0.6))
    agreement = bench.people.agreement
    assert bench.display.calls[0]["certain"] is False
    assert agreement.agreed + agreement.close == 1
    assert agreement.good


def test_the_place_of_a_ball_beside_the_board_is_not_measured_by() -> None:
    """It lies lower than the sheet; the call is compared all the same."""
    start, end = spot(SERVE["A"]), replace(spot((290.0, 40.0)), off_board=True)
    truth = StrokeTruth(1, "A", 0.0, 0.5, 1.0, start, end)
    stroke = replace(seen(truth, (290.9, 40.1)), off_board=True)
    match = Match(CLASSIC, Setup())
    before = match.state
    (line,) = match.take(stroke)
    assert line["dot_mm"] == [290.9, 40.1]
    true = true_call(CLASSIC, before, truth)
    assert true is not None
    agreement = Agreement().with_call(line, true, truth)
    assert agreement == Agreement(agreed=1)


def test_a_stroke_that_is_not_called_is_put_back_and_played_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE, GOOD_SERVE)
    bench.frame(1.0 + MISSED_AFTER_S - 0.1)
    assert bench.table.carried == []
    bench.frame(0.2)
    assert bench.table.carried == [("A", SERVE["A"])]
    assert [situation for situation, _ in bench.players.told] == [Situation("A", "left", 0)] * 2
    bench.frame(1.2, seen(bench.last))
    assert bench.people.agreement == Agreement(agreed=1, missed=1, measured=1)
    assert not bench.people.agreement.good


def test_an_umpire_that_sees_nothing_any_more_ends_the_match(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for _ in range(9):
        bench.frame(1.1 + MISSED_AFTER_S)
    bench.frame(1.2, seen(bench.last))
    frames = 0
    while not bench.people.over:
        bench.frame(1.1 + MISSED_AFTER_S)
        frames += 1
    assert frames == 10, "a call in between starts the count anew"
    assert "10 strokes in a row were not called" in bench.display.said[-1]
    assert len(bench.players.told) == 20, "nobody plays on"
    assert bench.people.result() == "Stopped at sets 0-0, games 0-0, points 0-0."
    assert not bench.people.agreement.good


def test_a_call_without_a_stroke_is_counted_as_invented(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE)
    early = replace(seen(bench.last), started_at=bench.last.touched_at - 2.0)
    bench.frame(0.1, early)
    assert bench.people.agreement.invented == 1
    assert not bench.people.agreement.good
    assert any("no such stroke" in text for text in bench.display.said)
    assert len(bench.players.told) == 1, "the real stroke is still to come"


def test_it_ends_after_the_games_that_were_wanted(tmp_path: Path) -> None:
    """Every serve ends short of the net, so the server loses the game in eight strokes."""
    bench = Bench(tmp_path, games=1)
    while not bench.people.over:
        bench.frame(1.2, seen(bench.last))
    assert len(bench.display.calls) == 8
    assert bench.display.said[-1] == "Game to B. Games 0-1."
    assert bench.people.result() == "Stopped at sets 0-0, games 0-1, points 0-0."
    assert len(bench.players.told) == 8, "nobody plays on"


def test_it_ends_with_the_match(tmp_path: Path) -> None:
    """Receivers win all games, so sets go to whoever receives in the fifth."""
    bench = Bench(tmp_path)
    while not bench.people.over:
        bench.frame(1.2, seen(bench.last))
    winner = bench.whole.board.outcome
    assert winner is not None
    assert bench.display.said[-1].startswith(f"Game, set and match to {winner.winner}. ")
    assert bench.people.result().startswith(f"{winner.winner} wins the match, ")
    assert bench.people.agreement.good


def test_a_call_that_was_overturned_is_confirmed_before_anybody_plays_on(tmp_path: Path) -> None:
    """No stroke counts before; nobody at the keyboard has an answer."""
    bench = Bench(tmp_path, GOOD_SERVE, (-240.0, 20.0), aims=[None, None, Pressing("challenge", "B")])
    for _ in range(2):
        bench.frame(1.2, seen(bench.last))
    bench.wait(1.0)
    bench.whole.answer = Place((-230.0, 20.0), (-230.0, 20.0))
    bench.whole.work.pop()()
    bench.wait(2.0)
    assert bench.whole.board.last is not None
    assert bench.whole.board.last.call == "in"
    assert bench.players.told[-1][0] == Situation("A", None, -1)
    assert bench.people.agreement.missed == 0


def placed(at: Point) -> PlacementSeen:
    return PlacementSeen(1.0, 1, None, rest(at))


ZERO = CLASSIC.zero_mm("left")


def at_the_zero(tmp_path: Path) -> Bench:
    """A beginner missed both serves."""
    bench = Bench(tmp_path, setup=Setup("discovery"))
    for _ in range(2):
        bench.frame(1.2, seen(bench.last))
    return bench


def test_a_beginner_lays_the_ball_on_the_0_and_the_receiver_plays(tmp_path: Path) -> None:
    bench = at_the_zero(tmp_path)
    assert bench.table.carried == [("B", ZERO)], "a hand of the half on which it lies"
    assert len(bench.players.told) == 2
    notices = [bench.notice]
    bench.frame(1.0, placed(ZERO))
    assert bench.players.told[-1][0] == Situation("B", None, 0)
    notices.append(bench.notice)
    assert notices == ["A, ball on the 0 of the left box.", None]
    assert bench.display.said == ["Ball on the 0, laid by A. Play."]
    assert bench.people.agreement.good


def test_a_ball_that_misses_the_0_is_laid_again(tmp_path: Path) -> None:
    bench = at_the_zero(tmp_path)
    bench.frame(1.0, placed((ZERO[0] + 20.0, ZERO[1])))
    assert bench.table.carried == [("B", ZERO)] * 2
    assert len(bench.players.told) == 2


def test_a_ball_whose_laying_nobody_saw_is_laid_again_and_then_both_play_on(tmp_path: Path) -> None:
    """No match waits for ever for what the umpire does not see."""
    bench = at_the_zero(tmp_path)
    for _ in range(2):
        bench.frame(MISSED_AFTER_S + 0.1)
    assert bench.table.carried == [("B", ZERO)] * 3
    bench.frame(MISSED_AFTER_S + 0.1)
    bench.wait(1.5)
    assert len(bench.table.carried) == 3
    assert "Agreed. Play on." in bench.display.said
    assert bench.players.told[-1][0] == Situation("B", None, 0)


def test_a_ball_that_seems_to_have_been_moved_in_a_rally_is_put_back(tmp_path: Path) -> None:
    """The umpire takes it for moved, and nobody did: the stroke from there does not count."""
    bench = Bench(tmp_path, GOOD_SERVE, (-150.0, 68.0))
    bench.frame(1.2, seen(bench.last))
    bench.frame(0.1, placed((80.0, 54.0)))
    assert bench.notice is not None
    assert bench.notice.startswith("Ball moved. B, put it back")
    bench.frame(1.2, replace(seen(bench.last), from_rest=rest((80.0, 54.0))))
    assert [call["number"] for call in bench.display.calls] == [1]
    assert bench.people.agreement.missed == 1
    assert bench.table.carried == [("B", GOOD_SERVE)]
    bench.frame(1.0, placed(GOOD_SERVE))
    assert bench.players.told[-1][0] == Situation("B", None, 1)


def test_a_stroke_from_where_the_ball_belongs_shows_that_it_is_back(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE, (-150.0, 68.0))
    bench.frame(1.2, seen(bench.last))
    bench.frame(0.1, placed((80.0, 54.0)))
    bench.frame(1.2, seen(bench.last))
    assert [call["number"] for call in bench.display.calls] == [1, 2]
    assert bench.people.agreement.good


def test_a_server_who_is_sent_to_the_other_side_serves_once_the_ball_lies_there(tmp_path: Path) -> None:
    """The ball seems to lie on the wrong side; the server is in the middle of serving rightly."""
    bench = Bench(tmp_path, GOOD_SERVE)
    bench.frame(0.1, placed((-235.0, 34.0)))
    assert bench.notice == "A, ball behind the baseline, on the right."
    bench.frame(0.1, placed(SERVE["A"]))
    assert len(bench.players.told) == 1, "the serve goes on that was begun"
    bench.frame(1.0, seen(bench.last))
    assert [call["call"] for call in bench.display.calls] == ["in"]


def test_a_serve_from_the_wrong_side_is_served_again_from_the_right_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE, GOOD_SERVE)
    wrong = replace(seen(bench.last), from_rest=rest((-235.0, 34.0)))
    bench.frame(1.2, wrong)
    assert bench.display.calls == []
    assert bench.people.agreement.missed == 1, "it was served from the right side"
    assert bench.players.told == [(Situation("A", "left", 0), None)] * 2
    bench.frame(1.2, placed(SERVE["A"]), seen(bench.last))
    assert [call["call"] for call in bench.display.calls] == ["in"]


def test_a_server_whom_the_umpire_never_sees_in_the_right_place_may_serve_in_the_end(tmp_path: Path) -> None:
    bench = Bench(tmp_path, *[GOOD_SERVE] * 4)
    for _ in range(4):
        bench.frame(1.2, replace(seen(bench.last), from_rest=rest((-235.0, 34.0))))
    assert "Agreed. Play on." in bench.display.said
    assert [call["call"] for call in bench.display.calls] == ["in"]
    assert bench.people.agreement.missed == 3


def test_four_players_strike_in_turn_from_their_sides_ends(tmp_path: Path) -> None:
    bench = Bench(
        tmp_path, GOOD_SERVE, (-150.0, 20.0), (150.0, 20.0), (-150.0, 20.0), setup=Setup(doubles=True)
    )
    for _ in range(4):
        bench.frame(1.2, seen(bench.last))
    assert [call["seat"] for call in bench.display.calls] == ["A1", "B1", "A2", "B2"]
    assert [told.striker for told, _ in bench.players.told] == ["A", "B", "A", "B", "A"]


def test_after_a_change_of_ends_the_sides_play_from_the_other_ends(tmp_path: Path) -> None:
    """A lost its service game: ends change, and B serves from A's end."""
    setup = Setup(chosen=choose("confirmed", {"change_ends": True}))
    bench = Bench(tmp_path, *[SHORT] * 8, GOOD_SERVE, setup=setup)
    for _ in range(8):
        bench.frame(1.2, seen(bench.last))
    assert "Change ends." in bench.display.said
    assert bench.whole.board.ends_changed
    assert bench.players.told[-1][0] == Situation("A", "left", 0)
    bench.frame(1.2, seen(bench.last))
    assert (bench.display.calls[-1]["seat"], bench.display.calls[-1]["call"]) == ("B1", "in")
    assert bench.whole.daemon.chair.match.state.marker < 0
    assert bench.players.told[-1][0] == Situation("B", None, 1), "the players know ends, not sides"


def test_aims_are_asked_of_the_caller_and_passed_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE, aims=[(70.0, 40.0)])
    assert bench.players.told == [(Situation("A", "left", 0), (70.0, 40.0))]
    assert bench.states[0].server == "A1"


def test_a_button_that_is_wished_for_is_pressed_and_then_it_is_asked_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE, aims=[Pressing("confirm", "A"), (70.0, 40.0)])
    assert bench.players.told == []
    bench.frame(1.0)
    assert [line["press"] for line in bench.lines if line["kind"] == "press"] == ["confirm"]
    assert bench.players.told == [(Situation("A", "left", 0), (70.0, 40.0))]


def test_after_an_undo_the_stroke_is_played_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE, GOOD_SERVE, aims=[None, Pressing("undo", "B")])
    bench.frame(1.2, seen(bench.last))
    assert len(bench.display.calls) == 1
    bench.wait(3.0)
    assert bench.players.told[-1] == (Situation("A", "left", 0), None)
    bench.frame(1.2, seen(bench.last))
    assert [call["number"] for call in bench.display.calls] == [1, 1]
    assert bench.people.agreement == Agreement(agreed=2, measured=2)


def test_a_flick_fault_that_nobody_contests_is_confirmed(tmp_path: Path) -> None:
    """The hands at the table have no say in it; a person who plays both sides may type it."""
    bench = Bench(tmp_path, GOOD_SERVE, aims=[None, Pressing("flick-fault", "B")])
    bench.frame(1.2, seen(bench.last))
    bench.wait(3.0)
    assert [line["press"] for line in bench.lines if line["kind"] == "press"] == ["flick-fault", "confirm"]
    assert bench.whole.daemon.chair.match.state.strokes[0].called.call == "fault"
    assert bench.players.told[-1][0].striker == "A", "the second serve"


def test_people_wait_while_nothing_can_be_kept_and_nothing_was_missed(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE, (-150.0, 20.0))
    bench.whole.journal.full = 3
    bench.frame(1.2, seen(bench.last))
    assert bench.display.calls == []
    assert len(bench.players.told) == 1
    bench.wait(3.5)
    assert [call["call"] for call in bench.display.calls] == ["in"]
    bench.frame(1.2, seen(bench.last))
    assert [call["call"] for call in bench.display.calls] == ["in", "in"]
    assert bench.people.agreement == Agreement(agreed=2, measured=2)


def test_in_a_rally_that_was_cut_off_the_ball_is_laid_back_first(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE)
    bench.frame(1.2, seen(bench.last))
    bench.whole.drop()
    again = Bench(tmp_path, (-150.0, 20.0))
    assert again.table.carried == [("B", GOOD_SERVE)]
    assert again.players.told == []
    again.frame(0.5, placed(GOOD_SERVE))
    again.wait(MISSED_AFTER_S + 0.2)
    assert again.players.told == [(Situation("B", None, 1), None)]


def test_whoever_types_can_stop(tmp_path: Path) -> None:
    def leave(state: State) -> Point | None:
        raise StoppedError

    bench = Bench(tmp_path)
    people = replace(bench.people._people, aim=leave)
    with pytest.raises(StoppedError):
        LiveMatch(people, bench.onlooker).begin(bench.whole.daemon)


def test_nobody_plays_on_while_the_board_is_sought(tmp_path: Path) -> None:
    bench = Bench(tmp_path, GOOD_SERVE)
    bench.whole.daemon.calibrate()
    for _ in range(50):
        bench.frame(0.5)
    assert len(bench.players.strokes) == 1
    bench.whole.finder.results.append(Found("anew"))  # type: ignore[arg-type]  # only ever handed on
    bench.whole.work.pop()()
    bench.wait(1.0)
    assert len(bench.players.strokes) == 2, "what was played meanwhile is played again"
    assert bench.people.agreement == Agreement(), "nobody was to call it"
    bench.frame(1.2, seen(bench.last))
    assert bench.people.agreement.agreed == 1


def test_the_summary_counts_everything() -> None:
    agreement = Agreement(7, 1, 2, 3, 4, measured=2, total_error_mm=0.04, max_error_mm=0.03)
    text = agreement.summary()
    for part in (
        "7 of 10 calls",
        "1 too close",
        "2 wrong",
        "3 missed",
        "4 invented",
        "0.020 mm",
        "0.030 at most",
    ):
        assert part in text
    assert Agreement(agreed=5).summary() == "5 of 5 calls agree with the table's own truth."
