"""Whatever happens at a table, in any order: it is kept once, told in known words, and goes on as it was."""

from collections.abc import Sequence
from copy import copy
from typing import get_args

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from firmware.chair.chair import Chair
from firmware.chair.notices import NOTICE_S
from firmware.chair.outgoing import Outgoing
from firmware.chair.reviews import Review
from firmware.gestures import TWICE_S, Gesture
from firmware.journal import Acted, LetStand
from firmware.match import Match
from firmware.rules import Lay, ReturnAwaited, ServeAwaited, Setup
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import LANGUAGES, Language, Trouble, load
from firmware.umpire.observations import BumpSeen, RestSeen
from firmware.umpire.rest import Point
from firmware.voice import clips_of, every_clip, marked
from tests.firmware.chair.at_the_table import (
    ANYWHERE,
    CLASSIC,
    DARK,
    IN_BY_1,
    OUT_BY_1,
    SERVE_FROM,
    SERVED,
    AtTheTable,
)
from tests.firmware.test_match import rest

UNMARKED = str.maketrans("", "", "\x02\x03\x1f")
"""The marks of the voice's texts."""
PLACES: Sequence[Point] = (SERVE_FROM, SERVED, IN_BY_1, OUT_BY_1, (70.0, 88.0), (0.0, 0.0), (-70.0, -54.0))
places = st.sampled_from(PLACES)
strokes = st.builds(
    lambda start, end, off: ("stroke", start, None if off else end),
    st.one_of(st.none(), st.none(), st.none(), places),
    places,
    st.sampled_from([False] * 7 + [True]),
)
laid = st.tuples(st.sampled_from(["lay", "bump", "rest"]), places)
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
undone = st.builds(
    lambda between, last: [("press", "A", "undo"), *between, last],
    st.lists(laid, max_size=1),
    st.sampled_from([("redo",), ("press", "B", "undo")]),
)
single = st.one_of(strokes, strokes, laid, presses, presses, answers).map(lambda one: [one])
happenings = st.lists(
    st.one_of(single, single, single, reviews, overrulings, undone), min_size=8, max_size=30
).map(lambda several: [one for some in several for one in some])
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
        case ("press", side, meaning):
            return table.press(None if meaning == "overrule" else side, meaning)  # type: ignore[arg-type]
        case ("redo",):
            return table.take(table.chair.redo(table.now_s, table.wall_time))
        case ("answer", again, back) if len(table.wanted) >= back:  # type: ignore[operator]
            return table.answer(again, nth=-back)  # type: ignore[arg-type, operator]
    return None


@given(the_setups, st.sampled_from([None, 1]), st.sampled_from(LANGUAGES), happenings)
def test_whatever_happens_is_kept_once_and_goes_on_as_it_was(
    setup: Setup, limit: int | None, language: Language, happened: list[tuple[object, ...]]
) -> None:
    table = AtTheTable(setup, limit)
    texts = load(language)
    table.chair.speak(texts, marked(texts))
    known = every_clip(language)
    for what in happened:
        state = table.chair.match.state
        out = happen(table, what)
        if out is None:
            continue
        changed = table.chair.match.state is not state
        acted = [record for record in out.records if isinstance(record, Acted)]
        # Every change is kept, once; what is announced is kept, too. Who leads the match back to a rest may
        # find the ball elsewhere, which is kept with it; so may who lets a call stand.
        let_stand = [record for record in out.records if isinstance(record, LetStand)]
        assert len(out.records) in (len(let_stand) + len(acted), 1)
        if what == ("redo",):  # of an agreement, both sides' with the place
            assert len(acted) <= 4
        else:
            assert len(let_stand) + len(acted) <= 2
            assert all(isinstance(record.action, Lay) for record in acted[1 - len(let_stand) :])
        assert acted if changed or out.lines else not acted
        assert bool(out.lines) == bool(out.events)
        for said, spoken in zip(out.said, out.spoken, strict=True):
            # All of it can be said by the voice, in the same words.
            assert said
            assert known.keys() >= set(clips_of(spoken, texts))
            assert spoken.translate(UNMARKED) == said
        board = table.chair.scoreboard(table.now_s)
        assert board.notice is None or board.notice.strip()
        review, dialog, lit = table.chair.review, table.chair.overruling, table.chair.lights()
        # A question that buttons answer has a lamp, and the panels ask it.
        if dialog is not None or (review is not None and review.now is not None):
            assert any(True in lamps for lamps in lit.values())
            assert board.notice is not None
        if review is not None:
            assert table.chair.match.state.strokes[-1] == review.stroke
    table.check()
    resumed = table.resumed()
    assert resumed._reviews._lost == table.chair._reviews._lost


def aside(chair: Chair) -> Chair:
    """The same chair once more: what is done with it leaves the first as it is."""
    other = copy(chair)
    other.match, other._mouth, other._reviews = map(copy, (chair.match, chair._mouth, chair._reviews))
    other._meant, other._contested_s = copy(chair._meant), dict(chair._contested_s)
    other._meant._standing = dict(chair._meant._standing)
    other._taken_back, other._whereabouts = copy(chair._taken_back), copy(chair._whereabouts)
    other._taken_back._measured = dict(chair._taken_back._measured)
    other.match._strokes = dict(chair.match._strokes)
    return other


def shown(board: Scoreboard) -> Scoreboard:
    """What panels show of the match itself."""
    return msgspec.structs.replace(board, notice=None)


def asked_of(review: Review | None) -> tuple[object, ...] | None:
    """What a review that waits for an answer is about."""
    if review is None or review.now is None:
        return None
    return review.stroke, review.by, review.now.call, review.now.points, review.ruling


def is_as_kept(table: AtTheTable, kept: Match, asked_again: Review | None) -> None:
    """A chair that goes on with what is kept is as this one, but for what has not led to anything yet: an
    overruling, a review that is being measured, and `asked_again`, one whose answer was there already. Who
    wants them begins them anew."""
    chair, resumed = table.chair, table.resumed()
    assert shown(chair.scoreboard(table.now_s)) == shown(kept.scoreboard())
    assert resumed.match.state == chair.match.state == kept.state
    assert resumed._reviews._lost == chair._reviews._lost
    answered = chair.review if chair.review is not None and chair.review.now is not None else None
    if chair.overruling is None and (answered is None or answered is not asked_again):
        assert asked_of(resumed.review) == asked_of(answered)
        assert resumed.lights() == chair.lights()
        # How well a second reading was measured is not kept.
        is_certain = answered is None or answered.now is None or answered.now.certain
        if chair.review is answered and is_certain:
            later = table.now_s + NOTICE_S  # what passes has passed
            assert resumed.scoreboard(later) == chair.scoreboard(later)


def is_lit_for_who_may_press(table: AtTheTable) -> None:
    """Every lamp that is lit waits for a press that does something, and play itself lights none. After it the
    last call is to be accepted."""
    chair = table.chair
    for side, lit in chair.lights().items():
        for meaning, is_lit in zip(("confirm", "challenge"), lit, strict=True):
            if not is_lit:
                continue
            other = aside(chair)
            at_s = table.now_s + TWICE_S  # no more the second press of an answer that was given
            out = other.press(Gesture(meaning, side, at_s), at_s, table.wall_time)  # type: ignore[arg-type]
            assert out.records or (other.review, other.overruling) != (chair.review, chair.overruling)
    asked = chair.overruling is not None or (chair.review is not None and chair.review.now is not None)
    if not asked and isinstance(chair.match.state.waiting, ServeAwaited | ReturnAwaited):
        assert chair.lights() == DARK


@given(the_setups, st.booleans(), st.sampled_from([None, 1]), happenings)
def test_after_every_record_a_chair_could_go_on_as_this_one_does(
    setup: Setup, as_played: bool, limit: int | None, happened: list[tuple[object, ...]]
) -> None:
    table, kept = AtTheTable(setup, limit, as_played), Match(CLASSIC, setup)
    asked_again = None
    for what in happened:
        before, out = table.chair.review, happen(table, what)
        if out is None:
            continue
        review = table.chair.review
        if review is not None and review.now is not None and review is not before and not out.records:
            asked_again = review
        for record in out.records:
            if isinstance(record, Acted):
                kept.act(record.action, record.measured)
        if out.records:
            is_as_kept(table, kept, asked_again)
        is_lit_for_who_may_press(table)
        # What is shown never runs ahead of what is kept, not even where nothing was kept.
        assert shown(table.chair.scoreboard(table.now_s)) == shown(kept.scoreboard())
