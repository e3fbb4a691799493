"""The debouncer against contacts that bounce in every way, against the system, and against the clock."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.button import BUTTONS, Button, Edge
from hardware.debounce import CHATTER_S, SETTLED_S, Debouncer
from hardware.steady import JUMP_S, SteadyClock

A_CONFIRM, A_CHALLENGE, B_CONFIRM, B_CHALLENGE = BUTTONS
UNTIMED = settings(deadline=None)
BOUNCE_MS = 20
"""The bounces of these tests end within this."""
STILL_MS = BOUNCE_MS + 30
"""A contact that did not move for so long after its first edge has settled."""


def edges_of(button: Button, *levels_at_ms: tuple[bool, float]) -> list[Edge]:
    return [Edge(button, pressed, ms / 1000) for pressed, ms in levels_at_ms]


def down_up(*at_ms: float, button: Button = A_CONFIRM) -> list[Edge]:
    """Edges that alternate, a closing first."""
    return [Edge(button, n % 2 == 0, ms / 1000) for n, ms in enumerate(at_ms)]


def cleaned(raw: Sequence[Edge], looks_s: Sequence[float] = (), end_s: float = 1e9) -> list[Edge]:
    """What comes of raw edges that are fetched at these times and in the end."""
    debouncer, left, clean = Debouncer(), list(raw), []
    for look_s in [*sorted(looks_s), end_s]:
        now = [edge for edge in left if edge.at_s <= look_s]
        left = left[len(now) :]
        clean += debouncer.feed(now, look_s)
        assert debouncer.feed((), look_s) == ()  # looking again brings nothing
    if raw:
        # The end is a leap, which is no time at all; then the last burst settles.
        clean += debouncer.feed((), end_s + 1.0)
    return clean


bounces = st.lists(st.integers(1, BOUNCE_MS * 10 - 1), max_size=6, unique=True).map(
    lambda tenths: [t / 10 for t in sorted(tenths)[: len(tenths) // 2 * 2]]
)
"""Instants of bounces after an edge, ms: an even number, so that the contact ends as it began."""


@st.composite
def contacts(draw: st.DrawFn, shortest_ms: int = STILL_MS) -> tuple[list[Edge], list[Edge]]:
    """Raw edges of a few buttons in time order, and the ideal ones."""
    raw: list[Edge] = []
    ideal: list[Edge] = []
    for button in draw(st.sets(st.sampled_from(BUTTONS), min_size=1)):
        at = draw(st.integers(0, 100))
        for _ in range(draw(st.integers(1, 4))):
            held = draw(st.integers(shortest_ms, 400))
            closing, opening = draw(bounces), draw(bounces)
            raw += down_up(at, *(at + b for b in closing if b < held), button=button)
            if not raw[-1].pressed:
                raw.pop()  # let go in the middle of a bounce
            raw += [
                Edge(button, not edge.pressed, edge.at_s)
                for edge in down_up(at + held, *(at + held + b for b in opening), button=button)
            ]
            ideal += edges_of(button, (True, at), (False, at + held))
            at += held + draw(st.integers(STILL_MS, 400))
    return sorted(raw, key=lambda edge: edge.at_s), sorted(ideal, key=lambda edge: edge.at_s)


looks = st.lists(st.floats(0.0, 4.0), max_size=30)


def of(button: Button, edges: Sequence[Edge]) -> list[Edge]:
    return [edge for edge in edges if edge.button == button]


@UNTIMED
@given(contacts(), looks)
def test_bounces_within_the_window_leave_the_ideal_edges(
    contact: tuple[list[Edge], list[Edge]], looks_s: list[float]
) -> None:
    raw, ideal = contact
    clean = cleaned(raw, looks_s)
    for button in BUTTONS:
        assert of(button, clean) == of(button, ideal)


@UNTIMED
@given(contacts(shortest_ms=1), looks)
def test_a_press_shorter_than_its_bounces_is_a_press(
    contact: tuple[list[Edge], list[Edge]], looks_s: list[float]
) -> None:
    raw, ideal = contact
    clean = cleaned(raw, looks_s)
    for button in BUTTONS:
        told, meant = of(button, clean), of(button, ideal)
        assert [edge.pressed for edge in told] == [edge.pressed for edge in meant]
        for got, wanted in zip(told, meant, strict=True):
            if wanted.pressed:
                assert got.at_s == wanted.at_s
            else:
                assert wanted.at_s <= got.at_s <= wanted.at_s + BOUNCE_MS / 1000


@UNTIMED
@given(contacts(), st.data())
def test_edges_told_twice_change_nothing(contact: tuple[list[Edge], list[Edge]], data: st.DataObject) -> None:
    raw, _ = contact
    doubled = [edge for edge in raw for _ in range(data.draw(st.integers(1, 3)))]
    assert cleaned(doubled) == cleaned(raw)


@UNTIMED
@given(contacts(), st.data())
def test_bounces_that_the_system_lost_change_nothing(
    contact: tuple[list[Edge], list[Edge]], data: st.DataObject
) -> None:
    raw, ideal = contact
    kept = list(raw)
    moves = {(edge.button, edge.at_s) for edge in ideal}
    for _ in range(data.draw(st.integers(0, 3))):
        pairs = [
            (first, second)
            for button in BUTTONS
            for first, second in pairwise(of(button, kept))
            if not {(button, first.at_s), (button, second.at_s)} & moves
        ]
        if pairs:
            for edge in data.draw(st.sampled_from(pairs)):
                kept.remove(edge)
    for button in BUTTONS:
        assert of(button, cleaned(kept)) == of(button, ideal)


@UNTIMED
@given(contacts(), st.data())
def test_a_clock_that_jumps_an_hour_at_any_edge_or_look_changes_no_press(
    contact: tuple[list[Edge], list[Edge]], data: st.DataObject
) -> None:
    raw, ideal = contact
    end_s = raw[-1].at_s + 1.0
    jump_s = data.draw(st.sampled_from(raw)).at_s + data.draw(st.floats(-0.03, 0.03))
    by_s = data.draw(st.sampled_from([3600.0, -3600.0]))

    def told(at_s: float) -> float:
        return at_s + by_s if at_s >= jump_s else at_s

    debouncer, clean = Debouncer(), []
    for tick in range(int(end_s / 0.002) + 20):
        at_s = tick * 0.002
        now = [edge for edge in raw if at_s - 0.002 < edge.at_s <= at_s]
        moved = [Edge(edge.button, edge.pressed, told(edge.at_s)) for edge in now]
        clean += debouncer.feed(moved, told(at_s))
    for button in BUTTONS:
        wanted = [Edge(e.button, e.pressed, told(e.at_s)) for e in of(button, ideal)]
        assert of(button, clean) == wanted


def test_five_bounces_in_8_ms_are_one_press() -> None:
    raw = down_up(0, 0.5, 1.9, 2.6, 4.0, 4.7, 5.8, 6.2, 7.0, 7.4, 8.0)
    assert len(raw) == 11
    assert cleaned(raw) == [raw[0]]


def test_presses_300_ms_apart_are_two() -> None:
    raw = down_up(0, 2, 3, 100, 101, 102, 300, 302, 305, 400)
    assert [edge.at_s for edge in cleaned(raw)] == [0.0, 0.1, 0.3, 0.4]


def test_a_press_is_told_at_its_first_edge() -> None:
    first, *_ = raw = down_up(100, 101, 102)
    assert Debouncer().feed(raw[:1], 0.1) == (first,)


def test_a_release_is_told_at_once_when_the_contact_had_settled() -> None:
    debouncer = Debouncer()
    debouncer.feed(down_up(0), 0.0)
    release = Edge(A_CONFIRM, False, 0.1)
    assert debouncer.feed([release], 0.1) == (release,)


def test_the_release_of_a_short_press_is_told_when_the_debouncer_said_it_would_be() -> None:
    debouncer = Debouncer()
    assert debouncer.next_due_s() is None
    assert len(debouncer.feed(down_up(0, 3), 0.004)) == 1
    due_s = debouncer.next_due_s()
    assert due_s is not None
    assert abs(due_s - (0.003 + SETTLED_S)) < 1e-9
    assert debouncer.feed((), due_s - 1e-5) == ()
    assert debouncer.feed((), due_s) == (Edge(A_CONFIRM, False, 0.003),)
    assert debouncer.next_due_s() is None


def test_a_stuck_contact_is_down_and_the_others_work_on() -> None:
    stuck = down_up(0, button=B_CHALLENGE)
    raw = stuck + down_up(5000, 5100)
    assert cleaned(raw, [float(s) for s in range(10)]) == raw


def test_a_release_without_a_press_is_nothing() -> None:
    assert cleaned(edges_of(A_CONFIRM, (False, 10), (False, 500))) == []


def test_a_loose_contact_is_never_held_and_may_press_again_once_it_is_still() -> None:
    raw = down_up(*range(0, 3000, 10))
    clean = cleaned(raw, [n / 50 for n in range(200)])
    assert [edge.pressed for edge in clean] == [True, False]
    assert CHATTER_S <= clean[1].at_s <= CHATTER_S + 0.02
    later = down_up(4000, 4100)
    assert cleaned(raw + later, [n / 50 for n in range(300)]) == [*clean, *later]


def test_a_loose_contact_that_comes_to_rest_closed_is_a_press_from_then_on() -> None:
    raw = down_up(*range(0, 1001, 10))
    assert raw[-1].pressed
    assert cleaned(raw, [n / 50 for n in range(100)])[-1] == raw[-1]


def test_a_clock_that_stands_still_presses_once() -> None:
    debouncer = Debouncer()
    raw = down_up(0, 0, 0, 0)
    assert debouncer.feed(raw, 0.0) == (raw[0],)
    for _ in range(1000):
        assert debouncer.feed((), 0.0) == ()
    assert debouncer.feed((), SETTLED_S + 0.001) == (Edge(A_CONFIRM, False, 0.0),)


instants = st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=50)


@UNTIMED
@given(instants)
def test_the_steady_clock_never_runs_back_nor_faster_than_the_other(told: list[float]) -> None:
    clock, last = SteadyClock(), told[0]
    for instant in told:
        before = clock.steady_s
        clock.at(instant)
        assert 0.0 <= clock.steady_s - before <= max(0.0, instant - last) + 1e-9
        assert clock.steady_s - before <= JUMP_S
        last = min(last, instant) if instant < last - 0.5 else max(last, instant)


@UNTIMED
@given(st.lists(st.floats(0.001, JUMP_S - 0.001), min_size=1, max_size=20), st.floats(-1e6, 1e6))
def test_without_leaps_the_steady_clock_is_the_other(steps: list[float], start_s: float) -> None:
    clock, now = SteadyClock(), start_s
    clock.at(now)
    for step in steps:
        now += step
        steady = clock.at(now)
        assert abs(steady - (now - start_s)) < 1e-6
        assert abs(clock.told(steady + 1.5) - (now + 1.5)) < 1e-6
