"""Gestures against a second, timeless account of the same presses, and on contacts that bounce.

Presses are given in whole milliseconds that never meet a limit exactly: what happens then is tested alone.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from firmware.gestures import HOLD_S, STUCK_S, TWICE_S, Gesture, Gestures, Meaning
from firmware.match import BOTH_SIDES
from firmware.rules import Side
from hardware.button import BUTTONS, Button, Edge
from hardware.debounce import Debouncer
from hardware.simulated.buttons import SimulatedButtons

A_CONFIRM, A_CHALLENGE, B_CONFIRM, B_CHALLENGE = BUTTONS
UNTIMED = settings(deadline=None)
HOLD_MS, TWICE_MS, STUCK_MS = round(HOLD_S * 1000), round(TWICE_S * 1000), round(STUCK_S * 1000)
PRESSES: dict[Meaning, int] = {
    "confirm": 1,
    "challenge": 1,
    "undo": 1,
    "flick-fault": 2,
    "overrule": 2,
    "menu": 2,
}
"""How many presses each gesture is made of."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press from `at_ms` until `until_ms`."""

    button: Button
    at_ms: int
    until_ms: int


def edges_of(presses: Sequence[Pressed]) -> list[Edge]:
    edges = [Edge(p.button, True, p.at_ms / 1000) for p in presses]
    edges += [Edge(p.button, False, p.until_ms / 1000) for p in presses]
    return sorted(edges, key=lambda edge: edge.at_s)


def fed(edges: Sequence[Edge], looks_s: Sequence[float], immediate: Sequence[Side] = ()) -> list[Gesture]:
    """The gestures of edges that are fetched at these times."""
    gestures, left, found = Gestures(), list(edges), []
    for look_s in sorted(looks_s):
        now = [edge for edge in left if edge.at_s <= look_s]
        left = left[len(now) :]
        found += gestures.feed(now, look_s, immediate=immediate)
        assert gestures.feed((), look_s, immediate=immediate) == ()
    assert not left
    return found


def every(step_s: float, until_s: float) -> list[float]:
    return [n * step_s for n in range(int(until_s / step_s) + 2)]


def meant(presses: Sequence[Pressed]) -> Counter[Gesture]:
    """What these presses mean, without any clock: from all that happened, looked at from afterwards."""
    gestures: Counter[Gesture] = Counter()
    singles: dict[Side, list[Pressed]] = {"A": [], "B": []}
    confirms: dict[Side, list[Pressed]] = {"A": [], "B": []}
    for button in BUTTONS:
        mine = sorted((p for p in presses if p.button == button), key=lambda p: p.at_ms)
        while mine:
            press = mine.pop(0)
            if button.kind == "confirm":
                confirms[button.side].append(press)
            elif mine and mine[0].at_ms - press.at_ms < TWICE_MS:
                mine.pop(0)
                gestures[Gesture("flick-fault", button.side, press.at_ms / 1000)] += 1
            else:
                singles[button.side].append(press)
    gestures += taken_together("menu", confirms, 2 * HOLD_MS)  # later, the first was an undo at HOLD_MS
    gestures += taken_together("overrule", singles, STUCK_MS)
    for press in confirms["A"] + confirms["B"]:
        meaning: Meaning = "undo" if press.until_ms - press.at_ms > HOLD_MS else "confirm"
        gestures[Gesture(meaning, press.button.side, press.at_ms / 1000)] += 1
    for single in singles["A"] + singles["B"]:
        if single.until_ms - single.at_ms < STUCK_MS:
            gestures[Gesture("challenge", single.button.side, single.at_ms / 1000)] += 1
    return gestures


def taken_together(meaning: Meaning, by_side: dict[Side, list[Pressed]], within_ms: int) -> Counter[Gesture]:
    """What both sides hold, taken out of `by_side`: long enough, and before the first of the two presses
    counts otherwise, `within_ms` after it began."""
    gestures: Counter[Gesture] = Counter()
    pairs = [(max(a.at_ms, b.at_ms), a, b) for a in by_side["A"] for b in by_side["B"]]
    for later_ms, a, b in sorted(pairs, key=lambda pair: pair[0]):
        enough = min(a.until_ms, b.until_ms, a.at_ms + within_ms, b.at_ms + within_ms)
        if a in by_side["A"] and b in by_side["B"] and later_ms + HOLD_MS < enough:
            by_side["A"].remove(a)
            by_side["B"].remove(b)
            gestures[Gesture(meaning, None, later_ms / 1000)] += 1
    return gestures


def tens(longest: int) -> st.SearchStrategy[int]:
    """Tens of milliseconds: taps, and whatever is near the limits of two presses and of a hold."""
    near = [st.integers(1, 45), st.integers(40, 60), st.integers(190, 210), st.integers(210, 600)]
    return st.one_of(near) if longest > 210 else st.integers(1, longest)


@st.composite
def hands(draw: st.DrawFn, shortest: int = 1, longest: int = 600) -> list[Pressed]:
    """Presses of both sides; how long they last and how far they lie apart, in tens of ms."""
    presses: list[Pressed] = []
    each = tens(longest).map(lambda ten: max(ten, shortest))
    for n, button in enumerate(BUTTONS):
        at = n
        for nth, (apart, lasts) in enumerate(draw(st.lists(st.tuples(each, each), max_size=5))):
            begins = at + 10 * apart + 4 * (nth % 2)  # so that no two begin a round 500 ms apart
            presses.append(Pressed(button, begins, begins + 10 * lasts + 5 - begins % 10 + n % 5))
            at = (presses[-1].until_ms // 10 + 1) * 10 + n
    return presses


steps = st.sampled_from([0.02, 0.033, 0.3, 1.1, 4.9])


def end_s(presses: Sequence[Pressed]) -> float:
    return max((p.until_ms for p in presses), default=0) / 1000 + TWICE_S


@UNTIMED
@given(hands(), steps, st.lists(st.floats(0.0, 30.0), max_size=10))
def test_gestures_are_what_the_presses_mean_however_often_one_looks(
    presses: list[Pressed], step_s: float, more_s: list[float]
) -> None:
    found = fed(edges_of(presses), every(step_s, end_s(presses)) + more_s)
    assert Counter(found) == meant(presses)


@UNTIMED
@given(hands())
def test_every_press_is_of_exactly_one_gesture(presses: list[Pressed]) -> None:
    found = fed(edges_of(presses), every(0.25, end_s(presses)))
    assert sum(PRESSES[gesture.meaning] for gesture in found) == len(presses)
    begun = {(gesture.side, gesture.pressed_at_s) for gesture in found if gesture.side is not None}
    assert begun <= {(press.button.side, press.at_ms / 1000) for press in presses}


@UNTIMED
@given(hands(), st.integers(0, 3))
def test_looking_only_when_due_finds_all_of_it_and_nothing_comes_early(
    presses: list[Pressed], hair: int
) -> None:
    gestures, found = Gestures(), []
    edges = edges_of(presses)
    while edges or gestures.next_due_s() is not None:
        due_s = gestures.next_due_s()
        if due_s is not None and (not edges or due_s <= edges[0].at_s):
            assert gestures.feed((), due_s - 1e-5) == ()
            found += gestures.feed((), due_s + hair * 1e-6)
            assert gestures.next_due_s() != due_s
        else:
            edge = edges.pop(0)
            found += gestures.feed([edge], edge.at_s)
    assert Counter(found) == meant(presses)


@UNTIMED
@given(hands())
def test_a_side_alone_does_what_it_does_in_company_but_for_what_both_hold(
    presses: list[Pressed],
) -> None:
    assume(not any(gesture.side is None for gesture in meant(presses)))
    looks_s = every(0.2, end_s(presses))
    both = fed(edges_of(presses), looks_s)
    for side in ("A", "B"):
        alone = fed(edges_of([p for p in presses if p.button.side == side]), looks_s)
        mine = [gesture for gesture in both if gesture.side == side]
        assert Counter(alone) == Counter(mine)
        # An undo may wait for the other side's CONFIRM to be let go; all else keeps its order.
        assert [g for g in alone if g.meaning != "undo"] == [g for g in mine if g.meaning != "undo"]


@UNTIMED
@given(hands())
def test_turning_the_board_around_turns_the_gestures(presses: list[Pressed]) -> None:
    other: dict[Side, Side] = {"A": "B", "B": "A"}
    looks_s = every(0.2, end_s(presses))
    turned = [Edge(Button(other[e.button.side], e.button.kind), e.pressed, e.at_s) for e in edges_of(presses)]
    expected = Counter(
        Gesture(g.meaning, None if g.side is None else other[g.side], g.pressed_at_s)
        for g in fed(edges_of(presses), looks_s)
    )
    assert Counter(fed(turned, looks_s)) == expected


@UNTIMED
@given(hands(), steps)
def test_at_once_a_challenge_counts_when_it_is_let_go(presses: list[Pressed], step_s: float) -> None:
    found = fed(edges_of(presses), every(step_s, end_s(presses)), immediate=BOTH_SIDES)
    assert not any(gesture.meaning == "flick-fault" for gesture in found)
    assert sum(PRESSES[gesture.meaning] for gesture in found) == len(presses)
    confirms = ("undo", "confirm", "menu")
    held = Counter(g for g in meant(presses).elements() if g.meaning in confirms)
    assert Counter(g for g in found if g.meaning in confirms) == held


@UNTIMED
@given(hands(longest=170), st.data())
def test_a_clock_that_jumps_an_hour_makes_no_gesture(presses: list[Pressed], data: st.DataObject) -> None:
    """Presses well away from the limits by more than a look: a leap hides as much time."""
    assume(all(abs(p.until_ms - p.at_ms - TWICE_MS) > 50 for p in presses))
    by_button = [[p for p in presses if p.button == button] for button in BUTTONS]
    for mine in by_button:
        for first, second in pairwise(mine):
            assume(abs(second.at_ms - first.at_ms - TWICE_MS) > 50)
    jump_s = data.draw(st.floats(0.0, end_s(presses)))

    def told(at_s: float) -> float:
        return at_s + 3600.0 if at_s >= jump_s else at_s

    edges = [Edge(e.button, e.pressed, told(e.at_s)) for e in edges_of(presses)]
    found = fed(edges, [told(at_s) for at_s in every(0.02, end_s(presses) + 0.1)])
    wanted = Counter(Gesture(g.meaning, g.side, told(g.pressed_at_s)) for g in meant(presses).elements())
    assert Counter(found) == wanted


@UNTIMED
@given(hands(shortest=7), st.integers(0, 6), st.sampled_from([0.01, 0.033, 0.2]))
def test_contacts_that_bounce_make_the_same_gestures(
    presses: list[Pressed], bounces: int, turn_s: float
) -> None:
    now = 0.0
    contacts = SimulatedButtons(lambda: now)
    for press in presses:
        lasts_s = press.until_ms / 1000 - press.at_ms / 1000
        contacts.press(press.button, press.at_ms / 1000, lasts_s, bounces=bounces)
    debouncer, gestures, found = Debouncer(), Gestures(), []
    for now in every(turn_s, end_s(presses) + 0.1):
        found += gestures.feed(debouncer.feed(contacts.drain(), now), now)
    assert Counter(found) == meant(presses)


# Each rule by itself, at its limits.


def press(button: Button, at_s: float, lasts_s: float) -> list[Edge]:
    return [Edge(button, True, at_s), Edge(button, False, at_s + lasts_s)]


def test_confirm_counts_when_it_is_let_go() -> None:
    gestures = Gestures()
    down, up = press(A_CONFIRM, 1.0, 1.9)
    assert gestures.feed([down], 1.0) == ()
    assert gestures.feed((), 2.8) == ()
    assert gestures.feed([up], 2.9) == (Gesture("confirm", "A", 1.0),)


def test_confirm_held_is_one_undo_at_two_seconds_and_its_release_is_nothing() -> None:
    gestures = Gestures()
    gestures.feed([Edge(B_CONFIRM, True, 0.0)], 0.0)
    assert gestures.next_due_s() == HOLD_S
    assert gestures.feed((), 1.999) == ()
    assert gestures.feed((), 2.0) == (Gesture("undo", "B", 0.0),)
    for n in range(1000):
        assert gestures.feed((), 2.0 + n / 50) == ()
    assert gestures.feed([Edge(B_CONFIRM, False, 25.0)], 25.0) == ()


def test_let_go_at_exactly_two_seconds_is_held() -> None:
    assert fed(press(A_CONFIRM, 0.0, 2.0), [3.0]) == [Gesture("undo", "A", 0.0)]


def test_challenge_counts_when_no_second_can_come() -> None:
    gestures = Gestures()
    assert gestures.feed(press(A_CHALLENGE, 1.0, 0.1), 1.2) == ()
    assert gestures.next_due_s() == 1.5
    assert gestures.feed((), 1.499) == ()
    assert gestures.feed((), 1.5) == (Gesture("challenge", "A", 1.0),)
    assert gestures.next_due_s() is None


def test_a_long_challenge_counts_when_it_is_let_go() -> None:
    for lasts_s in (0.6, 3.0, 29.0):
        gestures = Gestures()
        down, up = press(A_CHALLENGE, 0.0, lasts_s)
        assert gestures.feed([down], 0.0) == ()
        for look_s in every(0.5, lasts_s - 1.0):
            assert gestures.feed((), look_s) == ()
        assert gestures.feed([up], lasts_s) == (Gesture("challenge", "A", 0.0),)


def test_challenge_twice_is_a_flick_fault_at_the_second_press() -> None:
    gestures = Gestures()
    gestures.feed(press(B_CHALLENGE, 1.0, 0.1), 1.1)
    second, release = press(B_CHALLENGE, 1.3, 5.0)
    assert gestures.feed([second], 1.3) == (Gesture("flick-fault", "B", 1.0),)
    assert gestures.feed((), 4.0) == ()
    assert gestures.feed([release], 6.3) == ()
    assert gestures.next_due_s() is None


def test_three_challenges_are_a_flick_fault_and_a_challenge_and_four_are_two() -> None:
    taps = [edge for n in range(4) for edge in press(A_CHALLENGE, 0.2 * n, 0.1)]
    assert [g.meaning for g in fed(taps[:6], [2.0])] == ["flick-fault", "challenge"]
    assert [g.meaning for g in fed(taps, [2.0])] == ["flick-fault", "flick-fault"]


def test_the_two_presses_of_a_flick_fault_are_one_sides() -> None:
    edges = press(A_CHALLENGE, 0.0, 0.1) + press(B_CHALLENGE, 0.2, 0.1)
    assert [(g.meaning, g.side) for g in fed(edges, [2.0])] == [("challenge", "A"), ("challenge", "B")]


def test_both_hold_challenge_once() -> None:
    gestures = Gestures()
    gestures.feed([Edge(A_CHALLENGE, True, 0.0)], 0.0)
    gestures.feed([Edge(B_CHALLENGE, True, 1.0)], 1.0)
    assert gestures.feed((), 2.999) == ()
    assert gestures.feed((), 3.0) == (Gesture("overrule", None, 1.0),)
    for n in range(500):
        assert gestures.feed((), 3.0 + n / 50) == ()
    assert gestures.feed([Edge(A_CHALLENGE, False, 13.0)], 13.0) == ()
    # A presses again while B still holds on from the last time: B's hold has counted.
    assert gestures.feed([Edge(A_CHALLENGE, True, 14.0)], 14.0) == ()
    assert gestures.feed((), 17.0) == ()
    assert gestures.feed([Edge(B_CHALLENGE, False, 17.5)], 17.5) == ()
    assert gestures.feed([Edge(A_CHALLENGE, False, 18.0)], 18.0) == (Gesture("challenge", "A", 14.0),)


def test_both_hold_confirm_once_and_neither_is_an_undo() -> None:
    gestures = Gestures()
    gestures.feed([Edge(A_CONFIRM, True, 0.0)], 0.0)
    gestures.feed([Edge(B_CONFIRM, True, 1.9)], 1.9)
    assert gestures.next_due_s() == 3.9
    assert gestures.feed((), 3.899) == ()
    assert gestures.feed((), 3.9) == (Gesture("menu", None, 1.9),)
    for n in range(500):
        assert gestures.feed((), 3.9 + n / 50) == ()
    releases = [Edge(B_CONFIRM, False, 14.0), Edge(A_CONFIRM, False, 14.5)]
    assert gestures.feed(releases, 15.0) == ()


def test_who_comes_after_an_undo_comes_too_late_for_the_menu() -> None:
    gestures = Gestures()
    gestures.feed([Edge(A_CONFIRM, True, 0.0)], 0.0)
    assert gestures.feed([Edge(B_CONFIRM, True, 2.0)], 2.0) == (Gesture("undo", "A", 0.0),)
    assert gestures.feed((), 3.999) == ()
    assert gestures.feed((), 4.0) == (Gesture("undo", "B", 2.0),)


def test_both_hold_confirm_and_one_lets_go_early() -> None:
    """Each is what it is by itself: the one that goes on is an undo at once if it has been down so long,
    or when it has; the one that was let go is an undo if it had been, else a CONFIRM."""
    down = [Edge(A_CONFIRM, True, 0.0), Edge(B_CONFIRM, True, 1.5)]
    gestures = Gestures()
    assert gestures.feed(down, 2.4) == ()
    found = gestures.feed([Edge(B_CONFIRM, False, 2.5)], 2.5)
    assert found == (Gesture("confirm", "B", 1.5), Gesture("undo", "A", 0.0))
    assert gestures.feed([Edge(A_CONFIRM, False, 9.0)], 9.0) == ()

    gestures = Gestures()
    gestures.feed(down, 2.4)
    assert gestures.feed([Edge(A_CONFIRM, False, 2.5)], 2.5) == (Gesture("undo", "A", 0.0),)
    assert gestures.feed((), 3.499) == ()
    assert gestures.feed((), 3.5) == (Gesture("undo", "B", 1.5),)

    gestures = Gestures()
    gestures.feed(down, 1.6)
    assert gestures.feed([Edge(A_CONFIRM, False, 1.7)], 1.7) == (Gesture("confirm", "A", 0.0),)
    assert gestures.feed([Edge(B_CONFIRM, False, 1.8)], 9.0) == (Gesture("confirm", "B", 1.5),)


def test_a_challenge_is_no_part_of_the_menu() -> None:
    gestures = Gestures()
    gestures.feed([Edge(A_CONFIRM, True, 0.0), Edge(B_CHALLENGE, True, 0.0)], 0.0)
    assert gestures.feed((), 4.0) == (Gesture("undo", "A", 0.0),)


def test_both_sides_at_the_same_instant() -> None:
    together = [Edge(button, down, at) for down, at in ((True, 0.0), (False, 0.1)) for button in BUTTONS]
    assert Counter(fed(together, [1.0])) == Counter(
        Gesture(button.kind, button.side, 0.0) for button in BUTTONS
    )
    for kind, meaning in (("challenge", "overrule"), ("confirm", "menu")):
        held = [Edge(button, True, 0.0) for button in BUTTONS if button.kind == kind]
        assert [(g.meaning, g.side) for g in fed(held, [2.0])] == [(meaning, None)]


def test_edges_told_twice_and_releases_of_nothing_do_no_harm() -> None:
    down, up = press(A_CONFIRM, 0.0, 0.2)
    again = Edge(A_CONFIRM, True, 0.1)
    assert fed([up, down, down, again, up, up], [1.0]) == [Gesture("confirm", "A", 0.0)]


def test_a_stuck_button_is_told_and_never_counts() -> None:
    gestures = Gestures()
    gestures.feed([Edge(A_CHALLENGE, True, 0.0)], 0.0)
    for look_s in every(1.0, STUCK_S - 2.0):
        assert gestures.feed((), look_s) == ()
        assert gestures.stuck() == ()
    assert gestures.feed((), STUCK_S) == ()
    assert gestures.stuck() == (A_CHALLENGE,)
    # The other side's hold alone overrules nothing.
    assert gestures.feed([Edge(B_CHALLENGE, True, 31.0)], 31.0) == ()
    assert gestures.feed((), 34.0) == ()
    assert gestures.feed([Edge(B_CHALLENGE, False, 35.0)], 35.0) == (Gesture("challenge", "B", 31.0),)
    assert gestures.feed([Edge(A_CHALLENGE, False, 36.0)], 36.0) == ()
    assert gestures.stuck() == ()
    assert fed(press(A_CHALLENGE, 37.0, 0.1), [37.0, 38.0]) == [Gesture("challenge", "A", 37.0)]


def test_a_stuck_confirm_has_undone_once_and_is_told() -> None:
    gestures, found = Gestures(), []
    found += gestures.feed([Edge(A_CONFIRM, True, 0.0)], 0.0)
    for look_s in every(1.0, 100.0):
        found += gestures.feed((), look_s)
    assert found == [Gesture("undo", "A", 0.0)]
    assert gestures.stuck() == (A_CONFIRM,)


def test_a_menu_that_opens_takes_the_waiting_challenge_at_once() -> None:
    gestures = Gestures()
    assert gestures.feed(press(A_CHALLENGE, 0.0, 0.1), 0.15) == ()
    assert gestures.feed((), 0.2, immediate=BOTH_SIDES) == (Gesture("challenge", "A", 0.0),)
    edges = press(A_CHALLENGE, 0.3, 0.1)
    assert gestures.feed(edges[:1], 0.3, immediate=BOTH_SIDES) == ()
    assert gestures.feed(edges[1:], 0.4, immediate=BOTH_SIDES) == (Gesture("challenge", "A", 0.3),)
    assert gestures.feed(press(A_CHALLENGE, 0.5, 0.05), 0.55) == ()
    assert gestures.feed((), 1.0) == (Gesture("challenge", "A", 0.5),)


def test_only_a_side_that_is_asked_presses_at_once() -> None:
    """The other's two presses are a flick fault as ever."""
    gestures = Gestures()
    twice = press(A_CHALLENGE, 0.0, 0.1) + press(B_CHALLENGE, 0.0, 0.1)
    again = press(A_CHALLENGE, 0.25, 0.1) + press(B_CHALLENGE, 0.25, 0.1)
    found = [*gestures.feed(twice, 0.15, immediate="B"), *gestures.feed(again, 0.4, immediate="B")]
    assert sorted(found, key=lambda g: (g.side or "", g.pressed_at_s)) == [
        Gesture("flick-fault", "A", 0.0),
        Gesture("challenge", "B", 0.0),
        Gesture("challenge", "B", 0.25),
    ]


def test_a_clock_that_stands_still_holds_nothing() -> None:
    gestures = Gestures()
    gestures.feed([Edge(A_CONFIRM, True, 5.0)], 5.0)
    for _ in range(1000):
        assert gestures.feed((), 5.0) == ()
    assert gestures.feed([Edge(A_CONFIRM, False, 5.0)], 5.0) == (Gesture("confirm", "A", 5.0),)


def test_an_hour_that_never_was_undoes_nothing() -> None:
    gestures = Gestures()
    gestures.feed([Edge(A_CONFIRM, True, 5.0)], 5.0)
    assert gestures.feed((), 3605.0) == ()
    assert gestures.next_due_s() == 3607.0
    assert gestures.feed([Edge(A_CONFIRM, False, 3605.2)], 3605.2) == (Gesture("confirm", "A", 5.0),)


def test_an_edge_stamped_before_the_last_look_counts_from_its_stamp() -> None:
    gestures = Gestures()
    gestures.feed((), 10.0)
    assert gestures.feed([Edge(A_CONFIRM, True, 9.75)], 10.0) == ()
    assert gestures.next_due_s() == 11.75
    assert gestures.feed((), 11.7) == ()
    assert gestures.feed((), 11.75) == (Gesture("undo", "A", 9.75),)
