"""How hypothesis makes scoreboards: the bounds stand in annotations that it does not read."""

from typing import get_args

from hypothesis import strategies as st

from firmware.screens.scoreboard import (
    Called,
    CallName,
    Scoreboard,
    Seat,
    Serve,
    Side,
    Won,
)


def _one_of(choices: object) -> st.SearchStrategy[str]:
    return st.sampled_from(get_args(choices))


def _pair(values: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, object]]:
    return st.tuples(values, values)


_CALLS = st.builds(
    Called,
    seat=_one_of(Seat),
    call=_one_of(CallName),
    points=st.none() | st.integers(0, 9),
    certain=st.booleans(),
)
_SERVES = st.builds(Serve, st.sampled_from((1, 2)), st.sampled_from(("right", "left")))

_NUMBERS = _pair(st.integers(0, 99).map(str))
_POINTS = _pair(st.sampled_from(("0", "15", "30", "40", "AD"))) | _NUMBERS


def _boards(race: bool) -> st.SearchStrategy[Scoreboard]:
    return st.builds(
        Scoreboard,
        server=_one_of(Seat),
        to_play=st.none() | _one_of(Seat),
        serve=st.none() | _SERVES,
        marker=st.integers(-3, 3),
        pressure=st.booleans(),
        placing=st.booleans(),
        deciding=st.booleans(),
        last=st.none() | _CALLS,
        rally_winner=st.none() | _one_of(Side),
        points=_NUMBERS if race else _POINTS,
        games=_pair(st.integers(0, 99)),
        sets=_pair(st.integers(0, 3)),
        sets_to_win=st.integers(1, 3),
        tie_break=st.booleans(),
        points_to_win=st.integers(1, 99) if race else st.none(),
        ends_changed=st.booleans(),
        outcome=st.none() | st.builds(Won, _one_of(Side), st.text(max_size=60)),
        notice=st.none() | st.text(min_size=1, max_size=200),
    )


st.register_type_strategy(Scoreboard, _boards(race=False) | _boards(race=True))
