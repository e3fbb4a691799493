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
    """Whether people would lose something who left the match: it goes on, or is over and its last call is
    disputed, or may be, since a side has not accepted it."""
    state = chair.match.state
    settled = state.waiting is None and not any(confirm for confirm, _ in chair.lights().values())
    return bool(state.strokes) and not (settled and chair.review is None and not chair.asks)
