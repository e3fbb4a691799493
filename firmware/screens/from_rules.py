"""The scoreboard of a match, from the rules' state and the last call. Translation only."""

import msgspec

from firmware.rules import Called, RallyWon, ServeAwaited, State
from firmware.rules.events import Event
from firmware.screens.scoreboard import Called as ShownCall
from firmware.screens.scoreboard import GamePoints, Scoreboard, Serve, Won


def scoreboard_of(state: State, last_events: tuple[Event, ...] = (), notice: str | None = None) -> Scoreboard:
    """What the panels show of `state`; `last_events` are what the step to it announced.

    After the end of a rally the marker stays where the rally left it, to be seen, until the next
    stroke: the state has it back at neutral already.
    """
    called = next((event for event in last_events if isinstance(event, Called)), None)
    rally = next((event for event in last_events if isinstance(event, RallyWon)), None)
    waiting = state.waiting
    serve = None
    if isinstance(waiting, ServeAwaited):
        serve = Serve(attempt=1 if waiting.attempt == 1 else 2, side=waiting.side)
    return Scoreboard(
        server=state.server,
        to_play=None if waiting is None else waiting.seat,
        serve=serve,
        marker=state.marker if called is None else called.marker,
        last=None if called is None else _shown(called),
        rally_winner=None if rally is None else rally.winner,
        points=_game_points(state),
        games=state.score.games,
        sets=state.score.sets,
        sets_to_win=state.setup.sets_to_win,
        outcome=None if state.outcome is None else Won(state.outcome.winner),
        notice=notice,
    )


def _game_points(state: State) -> tuple[GamePoints, GamePoints]:
    # Read through the scoreboard's own check: a name the panels cannot show is met here, not there.
    return msgspec.convert(state.score.point_names, tuple[GamePoints, GamePoints])


def _shown(called: Called) -> ShownCall:
    return ShownCall(seat=called.seat, call=called.call, points=called.points, certain=called.certain)
