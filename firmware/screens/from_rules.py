"""The scoreboard of a match, from the rules' state. Translation only."""

import msgspec

from firmware.rules import Called, DecisionAwaited, PlacementAwaited, ReturnAwaited, ServeAwaited, State
from firmware.rules.setup import SIMPLIFIED_GOAL
from firmware.screens.scoreboard import Called as ShownCall
from firmware.screens.scoreboard import CallName, GamePoints, Scoreboard, Serve, Won


def scoreboard_of(state: State, notice: str | None = None) -> Scoreboard:
    """What the panels show of `state`.

    After the end of a rally the marker stays where the rally left it, to be seen, until the next
    stroke: the state has it back at neutral already.
    """
    called = next((played.called for played in reversed(state.strokes) if _counts(played.called)), None)
    waiting, setup = state.waiting, state.setup
    serve = None
    if isinstance(waiting, ServeAwaited):
        serve = Serve(attempt=1 if waiting.attempt == 1 else 2, side=waiting.side)
    rally_winner = None if called is None else called.rally_winner
    return Scoreboard(
        server=state.server,
        to_play=None if waiting is None else waiting.seat,
        serve=serve,
        marker=state.marker if called is None or rally_winner is None else called.marker,
        pressure=isinstance(waiting, ReturnAwaited) and waiting.pressure,
        placing=isinstance(waiting, PlacementAwaited),
        deciding=isinstance(waiting, DecisionAwaited),
        last=None if called is None else shown_call(called),
        rally_winner=rally_winner,
        points=_game_points(state),
        tie_break=state.score.counting == "tie-break",
        games=state.score.games,
        sets=state.score.sets,
        sets_to_win=setup.sets_to_win,
        points_to_win=SIMPLIFIED_GOAL if setup.simplified else None,
        ends_changed=state.standing.ends_changed,
        outcome=None if state.outcome is None else Won(state.outcome.winner),
        notice=notice,
    )


def _counts(called: Called) -> bool:
    return called.call != "void"


def _game_points(state: State) -> tuple[GamePoints, GamePoints]:
    # Read through the scoreboard's own check: a name the panels cannot show is met here, not there.
    return msgspec.convert(state.score.point_names, tuple[GamePoints, GamePoints])


def shown_call(called: Called) -> ShownCall:
    """A call as the panels show it. A void one is none."""
    return ShownCall(
        seat=called.seat,
        call=msgspec.convert(called.call, CallName),
        points=called.points,
        certain=called.certain,
    )
