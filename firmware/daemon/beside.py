"""How it stands at the table, beside an open menu: what it has to know of match and link. Values only."""

from dataclasses import dataclass

from firmware.chair.chair import Chair
from firmware.menus import LinkGame


@dataclass(frozen=True, slots=True)
class Beside:
    """`match_on`: a match would be left by a new one; `kept`: one could begin; `scores`: what is played is
    scored; `asks`: the panels ask for something that only buttons answer; `undone`: something was, and can be
    done again; `link`: the games on the link, if the board has one."""

    match_on: bool
    kept: bool
    scores: bool
    asks: bool
    undone: bool = False
    link: LinkGame | None = None


def is_on(chair: Chair) -> bool:
    """Whether people look for the match: it goes on, or is over and its last call is disputed."""
    state = chair.match.state
    return bool(state.strokes) and (state.waiting is not None or chair.review is not None or chair.asks)


def would_be_lost(chair: Chair) -> bool:
    """Whether people would lose something who left the match: it is on, or was won and its last call may yet
    be disputed, since a side has not accepted it."""
    unaccepted = any(confirm for confirm, _ in chair.lights().values())
    return is_on(chair) or (bool(chair.match.state.strokes) and unaccepted)
