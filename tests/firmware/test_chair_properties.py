"""Whatever happens at a table, in any order: it is kept once, told in known words, and goes on as it was."""

from collections.abc import Sequence
from typing import get_args

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from firmware.chair import Outgoing
from firmware.journal import Acted
from firmware.rules import Setup
from firmware.texts import Trouble
from firmware.umpire.observations import BumpSeen, NoticeCode, RestSeen
from firmware.umpire.rest import Point
from firmware.voice import clips_of, every_clip
from tests.firmware.at_the_table import (
    ANYWHERE,
    IN_BY_1,
    OUT_BY_1,
    SERVE_FROM,
    SERVED,
    TEXTS,
    AtTheTable,
    trouble,
)
from tests.firmware.test_match import rest

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
