"""The umpire's chair: what is kept before it is shown, what is shown when, and who has the last word."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.edition import load_edition
from firmware.chair import Chair, Outgoing
from firmware.gestures import Gesture, Meaning
from firmware.journal import Acted, Later, MatchBegan, Reading, Record, Reviewed, replayed
from firmware.match import Match
from firmware.notices import NOTICE_S, Notices
from firmware.report import Line
from firmware.reviews import ReviewWanted
from firmware.rules import (
    Call,
    Called,
    Correct,
    Corrected,
    DecisionAwaited,
    Lay,
    PlacementAwaited,
    Press,
    ReturnAwaited,
    ServeAwaited,
    Setup,
    Side,
    choose,
)
from firmware.texts import Trouble, load
from firmware.umpire.observations import (
    BumpSeen,
    NoticeCode,
    NoticeSeen,
    Observation,
    PlacementSeen,
    RestSeen,
    StrokeSeen,
)
from firmware.umpire.rest import Point
from firmware.voice import clips_of, every_clip, marked
from tests.firmware.test_match import Place, rest, stroke

CLASSIC = load_edition("classic", require_zones=True)
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
TEXTS = load("en")
ANYWHERE = Setup("confirmed", chosen=choose("confirmed", {"free_serve_position": True}))

SERVE_FROM: Point = (-235.0, -34.0)
SERVED: Point = (70.0, 54.0)
"""A first serve of A's worth 1."""
IN_BY_1: Point = (-230.0, 20.0)
"""1 mm inside A's baseline, worth 2; from the serve a return of B's."""
OUT_BY_1: Point = (-232.0, 20.0)

Lamps = dict[Side, tuple[bool, bool]]
DARK: Lamps = {"A": (False, False), "B": (False, False)}


@dataclass
class AtTheTable:
    """A chair, and a driver that does with what comes out what a driver has to: keeps it first."""

    setup: Setup = ANYWHERE
    limit: int | None = None
    chair: Chair = field(init=False)
    records: list[Later] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    wanted: list[ReviewWanted] = field(default_factory=list)
    now_s: float = 100.0

    def __post_init__(self) -> None:
        self.chair = Chair(Match(CLASSIC, self.setup), TEXTS, voice=marked(TEXTS), review_limit=self.limit)

    @property
    def wall_time(self) -> datetime:
        return NOON + timedelta(seconds=self.now_s)

    @property
    def kept(self) -> tuple[Record, ...]:
        began = MatchBegan(self.setup, "classic", CLASSIC.digest, "yellow", "en", NOON)
        # As they come back from where they are kept.
        stored = msgspec.json.encode([began, *self.records])
        return msgspec.json.decode(stored, type=tuple[Record, ...])

    def take(self, out: Outgoing) -> Outgoing:
        self.records += out.records
        self.lines += out.lines
        if out.review is not None:
            self.wanted.append(out.review)
        assert len(out.said) == len(out.spoken)
        self.now_s += 0.01
        return out

    def see(self, seen: Observation) -> Outgoing:
        return self.take(self.chair.observe(replace(seen, at=self.now_s), self.now_s, self.wall_time))

    def play(self, to_mm: Point | None, from_mm: Point | None = None) -> Outgoing:
        """A stroke from where the ball lies, or from a place to serve."""
        waiting = self.chair.match.state.waiting
        lies = waiting.from_mm if isinstance(waiting, ReturnAwaited) else None
        start = rest(from_mm or lies or SERVE_FROM)
        return self.see(stroke(start, None if to_mm is None else rest(to_mm)))

    def lay(self, at_mm: Point) -> Outgoing:
        return self.see(PlacementSeen(0.0, 1, None, rest(at_mm)))

    def press(self, side: Side | None, meaning: Meaning) -> Outgoing:
        return self.take(self.chair.press(Gesture(meaning, side, self.now_s), self.now_s, self.wall_time))

    def answer(self, again: Point | Place | Trouble, *, nth: int = -1, sigma_mm: float = 0.02) -> Outgoing:
        """The review that was asked for last is over: the ball lies there, or cannot be measured."""
        at = Place(again, again, sigma_mm, sigma_mm) if isinstance(again, tuple) else again
        return self.take(self.chair.reviewed(self.wanted[nth], at, self.now_s, self.wall_time, ("a.png",)))

    def overrule(self) -> Outgoing:
        return self.press(None, "overrule")

    @property
    def notice(self) -> str | None:
        return self.chair.scoreboard(self.now_s).notice

    @property
    def last(self) -> Called:
        return self.chair.match.state.strokes[-1].called

    def resumed(self) -> Chair:
        return Chair.resumed(CLASSIC, self.kept, TEXTS, voice=marked(TEXTS), review_limit=self.limit)

    def check(self) -> None:
        """What was kept makes the same match and tells it in the same words."""
        lines = [line for _, _, told in replayed(CLASSIC, self.kept) for line in told]
        assert lines == self.lines
        assert self.resumed().match.state == self.chair.match.state


def rallying(*, limit: int | None = None) -> AtTheTable:
    """A has served 1; B returns it just out."""
    table = AtTheTable(limit=limit)
    table.play(SERVED)
    table.play(OUT_BY_1)
    assert table.last.call == "out"
    return table


def is_nothing(out: Outgoing) -> bool:
    return out == Outgoing()


# ------------------------------------------------------------------ what is kept


def test_a_stroke_is_kept_with_what_was_measured_and_when() -> None:
    table = AtTheTable()
    out = table.play(SERVED)
    (record,) = out.records
    assert isinstance(record, Acted)
    assert record.measured is not None
    assert record.measured.dot_mm == SERVED
    assert record.captured_at == 100.0
    assert record.wall_time == NOON + timedelta(seconds=100)
    assert out.said == ("In, 1 point.",)
    assert [line["kind"] for line in out.lines] == ["stroke"]
    table.check()


def test_a_ball_laid_where_it_lies_is_nothing_and_one_laid_elsewhere_is_kept() -> None:
    table = AtTheTable()
    table.play(SERVED)
    assert is_nothing(table.lay(SERVED))
    moved = table.lay((0.0, 0.0))
    (record,) = moved.records
    assert isinstance(record, Acted)
    assert isinstance(record.action, Lay)
    assert table.notice == "Ball moved. B, put it back, or both confirm."
    # Once more in a wrong place: nothing is said, but agreement now is about that place.
    again = table.lay((30.0, 0.0))
    assert len(again.records) == 1
    assert again.said == ()
    assert table.lay(SERVED).said == ("Ball back. B to play.",)
    table.check()


def test_what_the_rules_refuse_is_told_and_not_kept() -> None:
    table = AtTheTable()
    out = table.press("B", "confirm")
    assert out.records == ()
    assert out.said == ("Nothing waits for your confirmation. Play on.",)
    assert table.notice == out.said[0]
    table.check()


def test_a_press_that_is_only_announced_is_kept_too() -> None:
    """Who replays a match is told that the server was ready, as the players were."""
    table = AtTheTable()
    out = table.press("A", "confirm")
    assert len(out.records) == 1
    assert out.said == ("A is ready to serve.",)
    table.check()


def test_a_ball_without_a_place_changes_nothing() -> None:
    table = AtTheTable()
    assert is_nothing(table.see(PlacementSeen(0.0, 1, None, rest((0.0, 0.0), placed=False))))


def test_an_undo_of_a_stroke_a_decision_and_across_a_game() -> None:
    table = AtTheTable()
    while not any(table.chair.match.state.score.games):
        table.play(None)  # double faults of A's: B wins the game
    assert table.chair.match.state.score.games == (0, 1)
    undone = table.press("B", "undo")
    assert len(undone.records) == 1
    assert "undone" in undone.said[0]
    assert table.chair.match.state.score.games == (0, 0)
    assert table.chair.match.state.score.points == (0, 3)
    while table.chair.match.state.strokes:
        table.press("A", "undo")
    assert table.press("A", "undo").said == ("Nothing is left to undo. Play on.",)
    table.check()


# ------------------------------------------------------------------ notices


def test_a_notice_passes_and_an_action_takes_it_away_before() -> None:
    table = AtTheTable()
    table.press("B", "confirm")
    table.now_s += NOTICE_S - 0.1
    assert table.notice is not None
    table.now_s += 0.2
    assert table.notice is None
    table.press("B", "confirm")
    table.play(SERVED)
    assert table.notice is None


def test_what_is_waited_for_comes_back_after_a_notice() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.lay((0.0, 0.0))
    asked = table.notice
    assert table.chair.lights() == {"A": (True, False), "B": (True, False)}
    table.press("A", "confirm")
    assert table.notice == f"{asked} Agreed to play on: A."
    assert table.chair.lights() == {"A": (False, False), "B": (True, False)}
    table.press("A", "confirm")
    assert table.notice == "You have agreed already. Wait for the other side, or put the ball back."
    table.now_s += NOTICE_S
    assert table.notice == f"{asked} Agreed to play on: A."


def trouble(code: NoticeCode) -> NoticeSeen:
    return NoticeSeen(0.0, code, f"It is {code}.")


ENDS: list[tuple[NoticeCode, NoticeCode | None]] = [
    ("too-dark", "sight-back"),
    ("covered", "sight-back"),
    ("board-moved", "board-found"),
    ("out-of-focus", None),
    ("ball-lost", None),
]


def test_every_notice_of_the_umpire_has_an_end() -> None:
    told = {code for code, _ in ENDS} | {end for _, end in ENDS if end is not None}
    assert told == set(get_args(NoticeCode))


@pytest.mark.parametrize(("code", "end"), ENDS)
def test_a_trouble_stands_until_it_ends(code: NoticeCode, end: NoticeCode | None) -> None:
    """The end of the last two is not told: a ball that is seen is neither lost nor out of sight."""
    table = AtTheTable()
    assert is_nothing(table.see(trouble(code)))
    table.now_s += 1000.0
    assert table.notice == f"It is {code}."
    others = {"sight-back", "board-found"} - {end}
    for other in sorted(others):
        table.see(NoticeSeen(0.0, other, ""))  # type: ignore[arg-type]
        assert table.notice == f"It is {code}."
    table.play(SERVED)
    assert (table.notice is None) == (end is None)
    if end is not None:
        table.see(trouble(end))
    assert table.notice is None


def test_the_end_of_one_trouble_is_not_the_end_of_another() -> None:
    table = AtTheTable()
    table.see(trouble("board-moved"))
    table.see(trouble("too-dark"))
    assert table.notice == "It is too-dark."
    table.see(trouble("sight-back"))
    assert table.notice == "It is board-moved."
    table.see(trouble("board-found"))
    assert table.notice is None


def test_a_trouble_that_is_told_again_is_the_latest() -> None:
    table = AtTheTable()
    for code in ("out-of-focus", "board-moved", "out-of-focus"):
        table.see(trouble(code))  # type: ignore[arg-type]
    assert table.notice == "It is out-of-focus."


def test_a_notice_is_over_when_its_time_is() -> None:
    notices = Notices()
    notices.tell("Out.", 10.0)
    assert notices.passing(10.0) == "Out."
    assert notices.passing(10.0 + NOTICE_S) is None


def test_a_trouble_hides_the_call_and_nothing_else() -> None:
    table = rallying()
    table.see(trouble("covered"))
    before = table.chair.scoreboard(table.now_s)
    assert before.points == ("15", "0")
    # Buttons count as ever, and a question that is answered with them is seen.
    table.press("B", "challenge")
    assert table.notice == "It is covered."
    table.answer(IN_BY_1)
    assert table.notice is not None
    assert table.notice.startswith("Overturned")
    table.press("A", "confirm")
    assert table.notice == "It is covered."
    assert table.last.call == "in"
    table.press("B", "undo")
    table.overrule()
    assert table.notice is not None
    assert table.notice.startswith("Stroke 2")
    table.check()


# ------------------------------------------------------------------ flick faults


def test_a_flick_fault_that_the_striker_confirms() -> None:
    table = AtTheTable()
    table.play(SERVED)
    asked = table.press("B", "flick-fault")
    assert asked.said == ("Flick fault? A, confirm, or challenge to contest.",)
    assert table.chair.lights() == {"A": (True, True), "B": (False, False)}
    table.press("A", "confirm")
    assert table.last.call == "fault"
    assert table.chair.lights() == DARK
    table.check()


def test_a_flick_fault_that_is_contested_is_played_again() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    table.press("A", "flick-fault")
    assert isinstance(table.chair.match.state.waiting, DecisionAwaited)
    contested = table.press("B", "challenge")
    assert len(contested.records) == 1
    assert contested.review is None
    assert isinstance(table.chair.match.state.waiting, PlacementAwaited)
    assert table.chair.lights() == {"A": (True, False), "B": (True, False)}
    table.lay(SERVED)
    table.play(IN_BY_1)
    assert table.last.call == "in"
    table.check()


def test_who_called_a_flick_fault_can_ask_for_no_review_and_overrule_nothing_meanwhile() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.press("B", "flick-fault")
    for press in (table.press("B", "challenge"), table.overrule()):
        assert press.records == ()
        assert press.said == ("A flick fault is in question. The striker confirms or contests it first.",)
    assert table.wanted == []
    assert not table.chair.choosing


def test_a_flick_fault_of_ones_own_is_refused_and_told() -> None:
    """What a player who wants a review does by pressing twice."""
    table = rallying()
    out = table.press("B", "flick-fault")
    assert out.records == ()
    assert out.said == ("Your own stroke. Only your opponent calls its flick fault.",)


# ------------------------------------------------------------------ reviews


def test_a_review_that_stands() -> None:
    table = rallying()
    asked = table.press("B", "challenge")
    assert asked.records == ()
    assert asked.said == ("B asks for a review.",)
    assert table.notice == "B asks for a review."
    table.now_s += 60.0
    assert table.notice == "B asks for a review."  # it takes as long as it takes
    (wanted,) = table.wanted
    assert (wanted.number, wanted.by) == (2, "B")
    assert wanted.stroke.rest is not None
    assert wanted.stroke.rest.about_mm == OUT_BY_1
    out = table.answer((-231.7, 20.0), sigma_mm=0.01)
    assert out.said == ("The call stands. Out.",)
    (record,) = out.records
    assert isinstance(record, Reviewed)
    assert (record.number, record.by, record.outcome) == (2, "B", "stands")
    assert record.before.call == record.after.call == "out"
    assert record.before.margin_mm == pytest.approx(-1.0)
    assert record.after.margin_mm == pytest.approx(-0.7)
    assert (record.before.sigma_mm, record.after.sigma_mm) == (0.02, 0.01)
    assert record.pictures == ("a.png",)
    assert table.chair.review is None
    assert table.chair.lights() == DARK
    table.check()


def test_a_review_overturned_and_confirmed_by_the_opponent_alone() -> None:
    table = rallying()
    table.press("B", "challenge")
    out = table.answer(IN_BY_1)
    assert [record.outcome for record in out.records if isinstance(record, Reviewed)] == ["overturned"]
    assert out.said == ("Overturned: In, 2 points. A, confirm or challenge.",)
    assert table.notice == out.said[0]
    assert table.chair.lights() == {"A": (True, True), "B": (False, False)}
    assert table.last.call == "out"
    assert is_nothing(table.press("B", "confirm"))
    assert is_nothing(table.press("B", "challenge"))
    ruled = table.press("A", "confirm")
    (record,) = ruled.records
    assert isinstance(record, Acted)
    assert record.action == Correct(2, "in", 2)
    assert any(isinstance(event, Corrected) for event in ruled.events)
    assert ruled.said == ("Correction of stroke 2. In, 2 points. Love all. Games 0-0.",)
    assert (table.last.call, table.last.ruled) == ("in", True)
    assert isinstance(table.chair.match.state.waiting, ReturnAwaited)
    assert table.chair.lights() == DARK
    assert table.notice is None
    table.check()


def test_a_review_is_of_the_points_too_and_disc_and_dot_have_their_own_say_and_doubt() -> None:
    """The disc lies out however the dot lies, unless it is in doubt; the dot earns the points."""
    for at, said in (
        (Place(IN_BY_1, OUT_BY_1), "The call stands. Out."),
        (
            Place((-231.5, 20.0), (-231.5, 20.0), 0.02, 0.4),
            "Overturned: In, 2 points. Too close to be certain. A, confirm or challenge.",
        ),
    ):
        table = rallying()
        table.press("B", "challenge")
        assert table.answer(at).said == (said,)
    table = AtTheTable()
    table.play(SERVED)
    table.play((-200.0, 20.0))
    assert (table.last.call, table.last.points) == ("in", 1)
    table.press("A", "challenge")
    doubtful = Place((-201.3, 20.0), (-201.3, 20.0), 0.1, 0.02)
    assert table.answer(doubtful).said[0].startswith("Overturned: In, 2 points. Too close")
    table.press("B", "confirm")
    assert (table.last.call, table.last.points) == ("in", 2)
    table.check()


def test_an_answer_that_comes_twice_is_one() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    assert is_nothing(table.answer(OUT_BY_1))
    table.press("A", "confirm")
    assert is_nothing(table.answer(OUT_BY_1))
    assert table.last.call == "in"
    table.check()


def test_a_stroke_of_some_strokes_ago_is_reviewed_once_it_is_the_last_again() -> None:
    table = rallying()
    for _ in range(2):
        table.play(SERVED, from_mm=SERVE_FROM)
    for _ in range(2):
        table.press("A", "undo")
    assert table.press("B", "challenge").review is not None
    table.answer(IN_BY_1)
    table.press("A", "confirm")
    assert (table.last.number, table.last.call) == (2, "in")
    table.check()


def test_a_stroke_played_again_after_an_undo_has_a_review_of_its_own() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(OUT_BY_1)
    table.press("B", "undo")
    table.play((-240.0, 20.0))
    assert table.press("B", "challenge").review is not None


def test_a_review_overturned_and_let_stand() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    out = table.press("A", "challenge")
    assert out.records == ()
    assert out.said == ("The first call stands. Out.",)
    assert table.last.call == "out"
    assert table.chair.review is None
    table.check()


def test_a_review_lapses_with_the_next_stroke_before_and_after_its_answer() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.play(SERVED)
    assert table.chair.review is None
    assert is_nothing(table.answer(IN_BY_1))
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.play(SERVED)
    assert table.notice is None
    assert table.chair.lights() == DARK
    assert table.chair.match.state.strokes[1].called.call == "out"
    table.check()


def test_a_stroke_that_does_not_count_leaves_a_review_as_it_is() -> None:
    """The next stroke ends it; that was none."""
    table = AtTheTable(Setup("confirmed"))
    table.play(SERVED)
    table.play(OUT_BY_1)
    table.press("B", "challenge")
    table.play((60.0, 60.0), from_mm=(100.0, 0.0))  # no place to serve from
    assert len(table.chair.match.state.strokes) == 2
    assert table.answer(IN_BY_1).records
    assert table.notice is not None
    table.press("A", "confirm")
    assert table.last.call == "in"
    table.check()


def test_a_review_ends_when_its_stroke_is_undone_and_its_answer_is_of_no_other() -> None:
    table = rallying()
    table.press("B", "challenge")
    assert len(table.press("B", "undo").records) == 1
    assert table.chair.review is None
    assert is_nothing(table.answer(IN_BY_1))
    table.play((-240.0, 20.0))
    table.press("B", "challenge")
    assert is_nothing(table.answer(IN_BY_1, nth=0))  # the answer that comes late
    assert table.chair.review is not None
    assert table.answer((-240.0, 20.0)).said == ("The call stands. Out.",)
    table.check()


def test_an_undo_and_a_flick_fault_count_while_an_overturned_call_waits() -> None:
    table = AtTheTable()
    table.play((70.0, 88.0))  # A's serve, a fault
    assert table.last.call == "fault"
    table.press("A", "challenge")
    table.answer((70.0, 80.0))
    assert table.chair.review is not None
    refused = table.press("B", "flick-fault")
    assert refused.said == ("That stroke is a fault already. Play on.",)
    assert table.notice == refused.said[0]
    table.now_s += NOTICE_S
    assert table.notice is not None
    assert table.notice.startswith("Overturned")
    table.press("B", "undo")
    assert table.chair.review is None
    assert table.chair.match.state.strokes == ()
    table.check()


def test_a_flick_fault_takes_the_place_of_a_review() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.press("A", "challenge")
    table.press("B", "flick-fault")
    assert table.chair.review is None
    assert is_nothing(table.answer((70.0, 62.0)))
    table.press("A", "challenge")  # contests it; no review is asked for
    assert len(table.wanted) == 1
    assert table.last.call == "void"
    table.check()


@pytest.mark.parametrize("why", get_args(Trouble))
def test_a_review_that_cannot_be_measured_costs_nothing(why: Trouble) -> None:
    table = rallying(limit=1)
    table.press("B", "challenge")
    out = table.answer(why)
    assert out.records == ()
    assert out.said == (TEXTS.say(f"review.unclear.{why}"),)
    assert table.chair.review is None
    assert table.press("B", "challenge").review is not None
    table.check()


def test_a_place_that_is_not_a_number_is_a_ball_that_was_not_found() -> None:
    table = rallying()
    table.press("B", "challenge")
    assert table.answer((float("nan"), 20.0)).said == (TEXTS.say("review.unclear.not-found"),)
    assert table.chair.review is None


def test_a_ball_that_never_came_to_rest_in_sight_cannot_be_found_again() -> None:
    table = AtTheTable()
    table.play(None)
    out = table.press("A", "challenge")
    assert out.review is None
    assert out.said == (TEXTS.say("review.unclear.not-found"),)


def test_there_is_nothing_to_review_before_a_stroke_or_of_one_that_was_ruled_on() -> None:
    table = AtTheTable()
    nothing = (TEXTS.say("review.nothing"),)
    assert table.press("A", "challenge").said == nothing
    assert table.overrule().said == nothing
    table.play(SERVED)
    table.press("B", "flick-fault")
    table.press("A", "confirm")
    assert table.press("A", "challenge").said == nothing


def test_a_challenge_pressed_twice_is_one_and_both_sides_at_once_are_the_firsts() -> None:
    table = rallying(limit=1)
    table.press("B", "challenge")
    assert is_nothing(table.press("B", "challenge"))
    assert is_nothing(table.press("A", "challenge"))
    assert len(table.wanted) == 1
    table.answer(IN_BY_1)
    assert table.chair.lights()["A"] == (True, True)
    table.check()


def test_a_stroke_that_was_reviewed_is_measured_only_once_and_costs_only_once() -> None:
    table = rallying(limit=1)
    table.press("B", "challenge")
    table.answer(OUT_BY_1)
    for side in get_args(Side):
        again = table.press(side, "challenge")
        assert again.said == ("The call stands. Out.",)
        assert again.records == ()
    assert len(table.wanted) == 1


def test_an_overturned_call_that_was_let_stand_is_asked_about_anew() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.press("A", "challenge")
    assert table.press("A", "challenge").said == ("Overturned: In, 2 points. B, confirm or challenge.",)
    assert len(table.wanted) == 1
    table.press("B", "confirm")
    assert table.last.call == "in"
    table.check()


def test_a_second_reading_that_is_too_close_says_so() -> None:
    table = rallying()
    table.press("B", "challenge")
    out = table.answer((-231.05, 20.0), sigma_mm=0.1)
    assert out.said == ("Overturned: In, 2 points. Too close to be certain. A, confirm or challenge.",)


def lose_a_review(table: AtTheTable, side: Side) -> None:
    """A fault of the server's, challenged in vain."""
    table.play((70.0, 100.0))
    assert table.press(side, "challenge").review is not None
    table.answer((70.0, 100.0))


def test_as_many_reviews_as_were_agreed_can_be_lost_by_each_side() -> None:
    table = AtTheTable(limit=2)
    for _ in range(2):
        lose_a_review(table, "A")
    table.play((70.0, 100.0))
    refused = table.press("A", "challenge")
    assert refused.review is None
    assert refused.said == ("A has no review left.",)
    assert table.press("B", "challenge").review is not None
    table.check()


def test_players_who_agreed_on_no_reviews_have_none() -> None:
    table = rallying(limit=0)
    assert table.press("B", "challenge").said == ("B has no review left.",)
    assert table.wanted == []


def test_a_review_that_was_right_costs_nothing_whatever_the_opponent_makes_of_it() -> None:
    table = rallying(limit=1)
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.press("A", "challenge")
    lose_a_review(table, "B")
    table.play((70.0, 100.0))
    assert table.press("B", "challenge").said == ("B has no review left.",)


def test_reviews_are_there_again_with_the_next_set_and_its_last_stroke_is_of_the_former() -> None:
    table = AtTheTable(limit=1)
    lose_a_review(table, "A")
    while not any(table.chair.match.state.score.sets):
        table.play((70.0, 100.0), from_mm=SERVE_FROM)
    assert table.press("A", "challenge").said == ("A has no review left.",)
    assert table.press("B", "challenge").review is not None
    table.answer((70.0, 100.0))
    table.play((70.0, 100.0))
    assert table.press("A", "challenge").review is not None
    table.answer((70.0, 100.0))
    table.play((70.0, 100.0))
    assert table.press("A", "challenge").said == ("A has no review left.",)
    assert table.press("B", "challenge").review is not None
    table.check()


def test_the_last_stroke_of_a_match_is_reviewed_and_the_match_goes_on() -> None:
    setup = msgspec.structs.replace(ANYWHERE, sets_to_win=1)
    table = AtTheTable(setup)
    while table.chair.match.state.waiting is not None:
        table.play((70.0, 88.0), from_mm=SERVE_FROM)
    assert table.last.seat == "A1"
    table.press("A", "challenge")
    table.play(SERVED)  # somebody plays with the ball: told, and no stroke of the match
    table.answer((70.0, -80.0))  # the last serve came from the left
    table.press("B", "confirm")
    assert isinstance(table.chair.match.state.waiting, ReturnAwaited)
    assert table.chair.match.state.score.points == (0, 3)
    table.check()


# ------------------------------------------------------------------ overruling


def test_both_sides_step_to_another_call_and_agree() -> None:
    table = rallying()
    assert is_nothing(table.overrule())
    assert table.chair.choosing
    assert table.chair.lights() == {"A": (True, True), "B": (True, True)}
    assert table.notice == "Stroke 2: Out. CHALLENGE: next. CONFIRM: agree; held: leave."
    table.press("A", "challenge")
    table.press("B", "challenge")
    assert table.notice == "Stroke 2: In, 1 point. CHALLENGE: next. CONFIRM: agree; held: leave."
    assert is_nothing(table.press("B", "confirm"))
    assert table.notice == "Stroke 2: In, 1 point. Agreed: B. CONFIRM: agree, too."
    assert table.chair.lights() == {"A": (True, True), "B": (False, True)}
    assert is_nothing(table.press("B", "confirm"))
    out = table.press("A", "confirm")
    assert [record.action for record in out.records if isinstance(record, Acted)] == [Correct(2, "in", 1)]
    assert (table.last.call, table.last.points) == ("in", 1)
    assert not table.chair.choosing
    assert table.chair.lights() == DARK
    table.check()


def test_a_changed_mind_takes_the_agreement_back() -> None:
    table = rallying()
    table.overrule()
    table.press("B", "confirm")
    table.press("B", "challenge")
    table.press("A", "confirm")
    assert table.chair.choosing
    assert table.records[-1:] == table.records[1:2]
    table.press("B", "confirm")
    assert (table.last.call, table.last.points) == ("in", 0)


def test_the_present_call_agreed_upon_stands_and_is_told() -> None:
    table = rallying()
    table.overrule()
    table.press("A", "confirm")
    assert table.press("B", "confirm").said == ("Stroke 2 stands. Out.",)
    table.check()


def test_an_overruling_is_left_by_a_hold_which_undoes_nothing() -> None:
    table = rallying()
    state = table.chair.match.state
    table.overrule()
    assert is_nothing(table.press("A", "undo"))
    assert not table.chair.choosing
    assert table.chair.match.state is state
    assert table.notice is None


def test_two_presses_that_began_before_the_overruling_are_two_steps() -> None:
    table = rallying()
    table.overrule()
    table.press("A", "flick-fault")
    assert table.chair.overruling is not None
    assert table.chair.overruling.at == 2


def test_holding_again_goes_on_with_the_same_overruling() -> None:
    table = rallying()
    table.overrule()
    table.press("A", "challenge")
    table.overrule()
    assert table.chair.overruling is not None
    assert table.chair.overruling.at == 1


def test_an_overruling_ends_a_review_and_the_next_stroke_ends_both() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.overrule()
    assert is_nothing(table.answer(IN_BY_1))
    assert table.chair.choosing
    table.play(SERVED)
    assert not table.chair.choosing
    assert table.notice is None


def test_a_ball_that_is_laid_leaves_an_overruling_as_it_is() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.overrule()
    assert table.lay((0.0, 0.0)).records
    assert table.chair.choosing
    table.check()


def test_an_overruled_call_can_be_undone_and_a_match_that_is_over_overruled() -> None:
    table = AtTheTable(msgspec.structs.replace(ANYWHERE, sets_to_win=1))
    while table.chair.match.state.waiting is not None:
        table.play(None)
    table.overrule()
    table.press("A", "challenge")
    table.press("A", "confirm")
    table.press("B", "confirm")
    assert table.chair.match.state.waiting is not None
    table.press("A", "undo")
    assert table.chair.match.state.waiting is None
    table.check()


# ------------------------------------------------------------------ where the ball lies


def test_a_match_that_goes_on_asks_for_the_ball_where_it_lay() -> None:
    table = AtTheTable()
    table.play(SERVED)
    chair = table.resumed()
    elsewhere = RestSeen(1.0, 4, rest((150.0, 0.0)))
    out = chair.observe(elsewhere, 1.0, NOON)
    assert out.said == ("Ball moved. B, put it back, or both confirm.",)
    assert chair.match.wanted_mm() == SERVED
    # A second ball that comes to lie there is no matter.
    assert is_nothing(chair.observe(RestSeen(1.5, 5, rest((30.0, 0.0))), 1.5, NOON))
    there = PlacementSeen(2.0, 4, None, rest(SERVED))
    assert chair.observe(there, 2.0, NOON).said == ("Ball back. B to play.",)


def test_a_match_that_goes_on_with_the_ball_in_its_place_says_nothing() -> None:
    table = AtTheTable()
    table.play(SERVED)
    assert is_nothing(table.resumed().observe(RestSeen(1.0, 4, rest((70.4, 54.3))), 1.0, NOON))


def test_a_ball_that_a_knock_moved_is_put_back_unless_it_is_another() -> None:
    table = AtTheTable()
    table.play(SERVED)
    knocked = BumpSeen(0.0, 1, rest(SERVED), rest((80.0, 54.0)))
    assert is_nothing(table.see(replace(knocked, ball=2)))
    assert table.see(knocked).said == ("Ball moved. B, put it back, or both confirm.",)
    # Another ball is played with from now on.
    table.see(PlacementSeen(0.0, 2, None, rest(SERVED)))
    assert is_nothing(table.see(knocked))
    assert table.see(replace(knocked, ball=2)).said
    table.see(PlacementSeen(0.0, 2, None, rest(SERVED)))
    table.see(replace(stroke(rest(SERVED), rest(IN_BY_1)), ball=3))
    moved = rest((-220.0, 20.0))
    assert is_nothing(table.see(BumpSeen(0.0, 2, rest(IN_BY_1), moved)))
    assert table.see(BumpSeen(0.0, 3, rest(IN_BY_1), moved)).said
    table.check()


# ------------------------------------------------------------------ going on


def test_lost_reviews_are_lost_after_a_restart_too() -> None:
    table = AtTheTable(limit=1)
    lose_a_review(table, "A")
    chair = table.resumed()
    assert chair.press(Gesture("challenge", "A", 1.0), 1.0, NOON).said == ("The call stands. Fault.",)
    chair.observe(stroke(rest(SERVE_FROM), rest((70.0, 100.0))), 2.0, NOON)
    assert chair.press(Gesture("challenge", "A", 3.0), 3.0, NOON).said == ("A has no review left.",)


def test_an_overturned_call_waits_for_its_answer_after_a_restart_too() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    chair = table.resumed()
    assert chair.scoreboard(0.0) == table.chair.scoreboard(table.now_s)
    assert chair.lights() == table.chair.lights()
    assert chair.press(Gesture("confirm", "A", 1.0), 1.0, NOON).records
    assert chair.match.state.strokes[-1].called.call == "in"


@pytest.mark.parametrize(("number", "call"), [(99, "in"), (0, "in"), (2, "let")])
def test_a_review_that_is_none_by_these_rules_is_as_if_it_had_not_been(number: int, call: Call) -> None:
    """A file from another version, or one that was mended."""
    table = rallying()
    reading = Reading(call, 0, None)
    table.records.append(Reviewed(number, "B", "overturned", reading, reading, NOON))
    chair = table.resumed()
    assert chair.review is None
    asked = chair.press(Gesture("challenge", "B", 1.0), 1.0, NOON)
    assert asked.said == (TEXTS.say("review.unclear.too-few-frames"),)


def test_an_answer_that_was_given_is_not_waited_for_after_a_restart() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.press("A", "confirm")
    assert table.resumed().review is None


def test_a_stroke_of_before_the_restart_has_no_frames_any_more() -> None:
    table = rallying()
    out = table.resumed().press(Gesture("challenge", "B", 1.0), 1.0, NOON)
    assert out.review is None
    assert out.said == (TEXTS.say("review.unclear.too-few-frames"),)


def test_a_match_without_a_record_yet_goes_on_from_its_beginning() -> None:
    table = AtTheTable()
    assert table.resumed().match.state == table.chair.match.state


# ------------------------------------------------------------------ whatever happens

PLACES: Sequence[Point] = (SERVE_FROM, SERVED, IN_BY_1, OUT_BY_1, (70.0, 88.0), (0.0, 0.0), (-70.0, -54.0))
places = st.sampled_from(PLACES)
strokes = st.builds(
    lambda start, end, off: ("stroke", start, None if off else end),
    st.one_of(st.none(), st.none(), st.none(), places),
    places,
    st.sampled_from([False] * 7 + [True]),
)
laid = st.tuples(st.sampled_from(["lay", "bump", "rest"]), places)
troubles = st.tuples(st.just("notice"), st.sampled_from(get_args(NoticeCode)))
presses = st.tuples(
    st.just("press"),
    st.sampled_from(["A", "B"]),
    st.sampled_from(["confirm", "confirm", "challenge", "challenge", "flick-fault", "undo", "overrule"]),
)
answers = st.tuples(
    st.just("answer"), st.one_of(places, st.sampled_from(get_args(Trouble))), st.integers(1, 2)
)
# What people do one after the other, which single happenings in any order would seldom make.
reviews = st.builds(
    lambda side, place, then: [("press", side, "challenge"), ("answer", place, 1), then],
    st.sampled_from(["A", "B"]),
    places,
    presses,
)
overrulings = st.builds(
    lambda steps, last: [
        ("press", "A", "overrule"),
        *[("press", "B", "challenge")] * steps,
        ("press", "A", "confirm"),
        last,
    ],
    st.integers(0, 12),
    st.one_of(st.just(("press", "B", "confirm")), presses, strokes),
)
single = st.one_of(strokes, strokes, laid, troubles, presses, presses, answers).map(lambda one: [one])
happenings = st.lists(st.one_of(single, single, single, reviews, overrulings), min_size=8, max_size=30).map(
    lambda several: [one for some in several for one in some]
)
the_setups = st.sampled_from(
    [
        ANYWHERE,
        Setup("confirmed"),
        Setup("discovery"),
        Setup("advanced", doubles=True),
        Setup("children"),
        msgspec.structs.replace(ANYWHERE, sets_to_win=1),
    ]
)


def happen(table: AtTheTable, what: tuple[object, ...]) -> Outgoing | None:
    match what:
        case ("stroke", start, end):
            return table.play(end, start)  # type: ignore[arg-type]
        case ("lay", at):
            return table.lay(at)  # type: ignore[arg-type]
        case ("bump", at):
            return table.see(BumpSeen(0.0, 1, rest(SERVED), rest(at)))  # type: ignore[arg-type]
        case ("rest", at):
            return table.see(RestSeen(0.0, 1, rest(at)))  # type: ignore[arg-type]
        case ("notice", code):
            return table.see(trouble(code))  # type: ignore[arg-type]
        case ("press", side, meaning):
            return table.press(None if meaning == "overrule" else side, meaning)  # type: ignore[arg-type]
        case ("answer", again, back) if len(table.wanted) >= back:  # type: ignore[operator]
            return table.answer(again, nth=-back)  # type: ignore[arg-type, operator]
    return None


@given(the_setups, st.sampled_from([None, 1]), happenings)
def test_whatever_happens_is_kept_once_and_goes_on_as_it_was(
    setup: Setup, limit: int | None, happened: list[tuple[object, ...]]
) -> None:
    table = AtTheTable(setup, limit)
    known = every_clip("en")
    for what in happened:
        state = table.chair.match.state
        out = happen(table, what)
        if out is None:
            continue
        changed = table.chair.match.state is not state
        acted = [record for record in out.records if isinstance(record, Acted)]
        # Every change is kept, once; what is announced is kept, too.
        assert len(out.records) <= 1
        assert len(acted) == 1 if changed or out.lines else acted == []
        assert bool(out.lines) == bool(out.events)
        for said in out.spoken:
            assert known.keys() >= set(clips_of(said, TEXTS))
        board = table.chair.scoreboard(table.now_s)
        assert board.notice is None or board.notice.strip()
        review, dialog, lit = table.chair.review, table.chair.overruling, table.chair.lights()
        # A question that buttons answer has a lamp, and the panels ask it.
        if dialog is not None or (review is not None and review.now is not None):
            assert any(True in lamps for lamps in lit.values())
            assert board.notice is not None
        assert dialog is None or review is None
        if review is not None:
            assert table.chair.match.state.strokes[-1] == review.stroke
    table.check()
    resumed = table.resumed()
    assert resumed._reviews._lost == table.chair._reviews._lost


def test_a_press_is_the_rules_when_nothing_else_wants_it() -> None:
    table = AtTheTable()
    table.play(SERVED)
    out = table.press("B", "confirm")
    assert [record.action for record in out.records if isinstance(record, Acted)] == [Press("confirm", "B")]
    assert out.said == ("Call accepted by B.",)


def test_before_anything_the_serve_is_waited_for_in_the_dark() -> None:
    table = AtTheTable()
    assert isinstance(table.chair.match.state.waiting, ServeAwaited)
    assert table.chair.lights() == DARK
    assert table.notice is None


def test_an_uncertain_stroke_stays_uncertain_after_its_review() -> None:
    table = AtTheTable()
    seen = stroke(rest(SERVE_FROM), rest(SERVED), uncertain=True)
    assert isinstance(seen, StrokeSeen)
    table.see(seen)
    table.press("B", "challenge")
    assert table.answer(SERVED).said == ("The call stands. In, 1 point. Not seen well enough to be certain.",)
