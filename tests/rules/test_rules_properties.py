"""Laws of the engine that hold for every match, by every preset and option, whatever the ball and the
players do."""

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules import (
    Action,
    Called,
    Correct,
    Corrected,
    DecisionAwaited,
    Event,
    IllegalAction,
    Lay,
    PlacementAwaited,
    Press,
    Reason,
    Seat,
    Setup,
    State,
    Step,
    Stroke,
    View,
    legal,
    replay,
    side_of,
    start,
    step,
    view,
)
from firmware.rules.buttons import BUTTONS
from firmware.rules.corrections import recounted
from firmware.rules.setup import next_seat, opponent_of
from tests.rules.builder import ELSEWHERE, mirrored, mirrored_place, stroke
from tests.rules.strategies import ACTIONS, end_of_walk, setups, walk

FEW = settings(max_examples=80, deadline=None)


@FEW
@given(setups(), ACTIONS)
def test_replay_equals_live(setup: Setup, actions: list[Action]) -> None:
    """From what was done, without what was refused, undone or had no effect."""
    live = end_of_walk(setup, actions)
    assert replay(setup, live.actions).state == live


@FEW
@given(setups(), ACTIONS)
def test_replay_gives_the_same_events(setup: Setup, actions: list[Action]) -> None:
    taken = [(t.action, t.after.events) for t in walk(setup, actions) if isinstance(t.after, Step)]
    again = replay(setup, [action for action, _ in taken])
    assert again.events == tuple(event for _, events in taken for event in events)


@FEW
@given(setups(), ACTIONS)
def test_undo_after_a_step_is_identity(setup: Setup, actions: list[Action]) -> None:
    """Of everything that can be undone; the rest (a ball that was laid, an accepted call) leaves what
    there is to undo as it was."""
    for before, action, after in walk(setup, actions):
        if not isinstance(after, Step) or action in (Press("undo", "A"), Press("undo", "B")):
            continue
        if len(after.state.undoable) > len(before.undoable):
            assert step(after.state, Press("undo", "A")).state == before
        else:
            assert after.state.undoable == before.undoable


@FEW
@given(setups(), ACTIONS)
def test_counting_a_match_anew_gives_what_it_came_to(setup: Setup, actions: list[Action]) -> None:
    """Without what no stroke tells: where a hand laid the ball, and which call was accepted."""
    live = end_of_walk(setup, actions)
    standing, strokes, _ = recounted(setup, live.strokes)
    assert strokes == live.strokes
    before = msgspec.structs.replace(live.standing, ball_mm=None, hold=None, accepted=())
    if standing.phase == "ball on the 0" and before.phase == "return":
        before = msgspec.structs.replace(before, phase=standing.phase, to_play=standing.to_play)
    assert msgspec.structs.replace(standing, ball_mm=None) == before


@FEW
@given(setups(), ACTIONS)
def test_undone_to_the_end_a_match_stands_at_its_start(setup: Setup, actions: list[Action]) -> None:
    state = end_of_walk(setup, actions)
    for _ in state.undoable:
        state = step(state, Press("undo", "B")).state
    assert (state.strokes, state.undoable) == ((), ())
    assert (state.score, state.marker, state.outcome) == (start(setup).score, 0, None)


@FEW
@given(setups(), ACTIONS, st.booleans())
def test_correcting_a_call_to_itself_changes_nothing(
    setup: Setup, actions: list[Action], with_points: bool
) -> None:
    state = end_of_walk(setup, actions)
    for played in state.strokes:
        now = played.called
        points = now.points if with_points else None
        if now.call == "void" or "correct" not in legal(state, "A1"):
            continue
        after = step(state, Correct(now.number, now.call, points))
        assert after == Step(state, (Corrected(now, now, (), state.score),))


@FEW
@given(setups(), ACTIONS)
def test_correcting_there_and_back_leaves_the_calls_as_they_were(setup: Setup, actions: list[Action]) -> None:
    """But for that they are now the players' own."""
    state = end_of_walk(setup, actions)
    for played in state.strokes:
        was = played.called
        other = Correct(was.number, points=(was.points or 0) + 1)
        back = Correct(was.number, was.call, was.points)
        try:
            there = step(state, other).state
        except IllegalAction:
            continue
        again = step(there, back).state
        assert [s.called.call for s in again.strokes] == [s.called.call for s in state.strokes]
        assert again.score == state.score


def swapped(value: Any, seats: dict[str, str], key: str = "") -> Any:
    """A value of the match, told by the other side: seats and sides change names, the board is turned
    by half."""
    match value:
        case dict():
            names = {"by_a": "by_b", "by_b": "by_a"}
            return {names.get(k, k): swapped(v, seats, k) for k, v in value.items()}
        case [int(), int()] if key in ("points", "games", "sets"):
            return value[::-1]
        case [float(x), float(y)] if key.endswith("_mm") and key != "worth_mm":
            return [-x, -y]
        case list():
            return [swapped(item, seats, key) for item in value]
        case int() if key == "marker":
            return -value
        case str():
            return {"A": "B", "B": "A", **seats}.get(value, value)
    return value


def plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def by_the_other(action: Action) -> Action:
    match action:
        case Stroke(landing):
            return Stroke(mirrored(landing))
        case Lay(place):
            return Lay(mirrored_place(place))
        case Press(button, side):
            return Press(button, opponent_of(side))
        case Correct():
            return action


@FEW
@given(setups(), ACTIONS)
def test_swapping_the_sides_swaps_the_match(setup: Setup, actions: list[Action]) -> None:
    other = msgspec.structs.replace(setup, first_server=opponent_of(setup.first_server))
    order = setup.order
    shift = 1 if setup.first_server == "A" else -1
    seats: dict[str, str] = {s: order[(order.index(s) + shift) % len(order)] for s in order}
    there = walk(other, [by_the_other(action) for action in actions])
    for here, mirror in zip(walk(setup, actions), there, strict=True):
        if isinstance(here.after, IllegalAction):
            assert isinstance(mirror.after, IllegalAction)
            assert mirror.after.reason == here.after.reason
        else:
            assert isinstance(mirror.after, Step)
            assert plain(mirror.after) == swapped(plain(here.after), seats)


@FEW
@given(setups(), ACTIONS)
def test_json_and_back(setup: Setup, actions: list[Action]) -> None:
    way = walk(setup, actions)
    events = tuple(event for t in way if isinstance(t.after, Step) for event in t.after.events)
    state = end_of_walk(setup, actions)
    for value, of in (
        (state, State),
        (events, tuple[Event, ...]),
        (actions, list[Action]),
        (view(state, "B1"), View),
        (setup, Setup),
    ):
        assert msgspec.json.decode(msgspec.json.encode(value), type=of) == value


@FEW
@given(setups(), ACTIONS)
def test_what_is_refused_has_a_known_reason_and_changes_nothing(setup: Setup, actions: list[Action]) -> None:
    for before, action, after in walk(setup, actions):
        if isinstance(after, IllegalAction):
            assert after.reason in get_args(Reason)
            with pytest.raises(IllegalAction, match=after.reason):
                step(before, action)


@FEW
@given(setups(), ACTIONS)
def test_legal_and_view_say_what_step_accepts(setup: Setup, actions: list[Action]) -> None:
    state = end_of_walk(setup, actions)
    for seat in setup.order:
        acts, seen = legal(state, seat), view(state, seat)
        refused = {refusal.button: refusal.reason for refusal in seen.may_not}
        assert (*seen.may_press, *refused) == tuple(sorted(BUTTONS, key=lambda b: b in refused))
        for button in BUTTONS:
            press = Press(button, side_of(seat))
            assert (button in acts) == (button in seen.may_press)
            if button in acts:
                step(state, press)
            else:
                with pytest.raises(IllegalAction, match=refused[button]):
                    step(state, press)


@FEW
@given(setups(), ACTIONS)
def test_legal_says_whether_strokes_and_rulings_are_taken(setup: Setup, actions: list[Action]) -> None:
    state = end_of_walk(setup, actions)
    acts = {act for seat in setup.order for act in legal(state, seat)}
    assert taken(state, Stroke(stroke(1))) == ("stroke" in acts)
    assert taken(state, Lay(ELSEWHERE))
    assert "lay" in acts
    rulings = [Correct(played.called.number, points=1) for played in state.strokes]
    assert any(taken(state, ruling) for ruling in rulings) == ("correct" in acts)


def taken(state: State, action: Action) -> bool:
    try:
        step(state, action)
    except IllegalAction:
        return False
    return True


@FEW
@given(setups(), ACTIONS)
def test_exactly_one_seat_is_waited_for_until_the_end(setup: Setup, actions: list[Action]) -> None:
    for _, _, after in walk(setup, actions):
        if not isinstance(after, Step):
            continue
        state = after.state
        waiting = state.waiting
        yours: list[Seat] = [seat for seat in setup.order if view(state, seat).yours]
        strikers: list[Seat] = [seat for seat in setup.order if "stroke" in legal(state, seat)]
        if waiting is None:
            assert state.outcome is not None
            assert (yours, strikers) == ([], [])
            continue
        assert yours == [waiting.seat]
        if isinstance(waiting, DecisionAwaited):
            assert strikers == []
        elif isinstance(waiting, PlacementAwaited) and waiting.reason == "zero":
            # The server lays the ball there, and the next seat plays it.
            assert strikers == [next_seat(setup, waiting.seat)]
        else:
            assert strikers == [waiting.seat]


@FEW
@given(setups(), ACTIONS)
def test_the_marker_moves_by_the_points_and_keeps_in_range(setup: Setup, actions: list[Action]) -> None:
    for before, action, after in walk(setup, actions):
        if not (isinstance(after, Step) and isinstance(action, Stroke)):
            continue
        called = after.events[0]
        if not isinstance(called, Called):
            continue
        towards = 1 if side_of(called.seat) == "A" else -1
        reach = before.marker + towards * (called.points or 0)
        if called.call == "ace" and called.rally_winner is None:
            reach = 3 * towards
        assert called.marker == max(-3, min(3, reach))
        assert after.state.marker == (0 if called.rally_winner else called.marker)
        assert called.score == after.state.score
        assert (called.call == "winner") <= (called.marker == 3 * towards)


@FEW
@given(setups(), ACTIONS)
def test_the_score_only_grows_but_by_the_players_own_ruling(setup: Setup, actions: list[Action]) -> None:
    for before, action, after in walk(setup, actions):
        if not isinstance(after, Step) or not isinstance(action, (Stroke, Lay)):
            continue
        old, new = before.score, after.state.score
        for side in (0, 1):
            was = (old.sets[side], old.games[side], old.points[side])
            now = (new.sets[side], new.games[side], new.points[side])
            assert now >= was or sum(new.sets) > sum(old.sets) or sum(new.games) > sum(old.games)
        assert sum(new.sets) - sum(old.sets) in (0, 1)
        won = [event for event in after.events if isinstance(event, Called) and event.rally_winner]
        assert (old != new) == bool(won)


@FEW
@given(setups(), ACTIONS)
def test_only_what_is_awaited_can_happen_next(setup: Setup, actions: list[Action]) -> None:
    """Strokes are numbered through; a stroke is that of the seat that was waited for, or of the next
    one once the ball lies on the 0."""
    for before, action, after in walk(setup, actions):
        if not (isinstance(after, Step) and isinstance(action, Stroke)):
            continue
        called = after.events[0]
        if isinstance(called, Called):
            waiting = before.waiting
            assert waiting is not None
            assert called.number == len(before.strokes) + 1
            if not (isinstance(waiting, PlacementAwaited) and waiting.reason == "zero"):
                assert called.seat == waiting.seat
