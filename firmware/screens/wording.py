"""The panels' words: what each part of the scoreboard is called there. Words only, no drawing.

The wording itself stands in the tables of texts; without one it is English, players by their seats.
"""

from typing import Literal

from firmware.screens.scoreboard import Called, Scoreboard, Seat, Side
from firmware.texts import Texts, load

ReviewEnd = Literal["stands", "overturned", "let-stand"]
"""A call that was looked at again is the same; is another; or would be another, and was kept."""


def title(board: Scoreboard, texts: Texts | None = None) -> str:
    """In-rally panel, middle: the match's winner, else a flick fault that is in question, else the last
    call, else that play may begin."""
    texts = texts or load("en")
    if board.outcome is not None:
        return texts.say("panel.wins", side=texts.side(board.outcome.winner))
    if board.deciding:
        return texts.say("panel.flick-fault-asked")
    if board.last is not None:
        return texts.say(f"panel.call.{board.last.call}")
    return texts.say("panel.ready") if board.to_play is not None else ""


def review_title(called: Called, texts: Texts | None = None) -> str:
    """A review's picture: the call, with its points where it has some to show."""
    name = (texts or load("en")).say(f"panel.call.{called.call}")
    points = points_title(Scoreboard(last=called))
    return f"{name} {points}" if points else name


def review_note(end: ReviewEnd, texts: Texts | None = None, *, certain: bool = True) -> str:
    """A review's picture: what became of the call; that it stands since it is too close, where it was not
    `certain` the second time either."""
    if end == "stands" and not certain:
        return too_close(texts)
    return (texts or load("en")).say(f"panel.review.{end}")


def points_title(board: Scoreboard) -> str:
    """The last stroke's points ("+2"); empty where a call has none to show."""
    last = board.last
    if board.outcome is not None or board.deciding or last is None or last.points is None:
        return ""
    return f"+{last.points}" if last.call in ("in", "winner") else ""


def too_close(texts: Texts | None = None) -> str:
    """What is said of a call that was too close to be certain, in two words."""
    return (texts or load("en")).say("panel.too-close")


def is_too_close(board: Scoreboard) -> bool:
    """Whether the panel has to say that the call it shows was too close to be certain."""
    shown = board.outcome is None and not board.deciding
    return shown and board.last is not None and not board.last.certain


def is_under_pressure(board: Scoreboard) -> bool:
    """Whether the awaited stroke is a return that must earn points (SM-08)."""
    return board.pressure and board.outcome is None and board.to_play is not None


def who_plays(board: Scoreboard, texts: Texts | None = None) -> str:
    """In-rally panel, foot: the final sets or points, else who has to do what, else the rally's end."""
    texts = texts or load("en")
    if board.outcome is not None:
        race = board.points_to_win is not None
        a, b = board.points if race else board.sets
        return texts.say("panel.final-points" if race else "panel.final-sets", a=a, b=b)
    if board.to_play is not None:
        return texts.say(f"panel.{_deed(board)}", seat=player(board.to_play, texts))
    if board.rally_winner is not None:
        return texts.say("panel.rally", side=texts.side(board.rally_winner))
    return ""


def player(seat: Seat, texts: Texts) -> str:
    """What a player is called: by name, else by the side's name, which is all that singles have."""
    named, side = texts.table[f"names.{seat}"], side_of(seat)
    return named if named != seat or texts.side(side) == side else texts.side(side)


def side_of(seat: Seat) -> Side:
    """The side that a seat belongs to."""
    return "A" if seat in ("A1", "A2") else "B"


def _deed(board: Scoreboard) -> str:
    """The key of what the awaited player has to do."""
    if board.deciding:
        return "decides"
    if board.placing:
        return "places"
    if board.serve is not None:
        return "serves"
    return "under-pressure" if is_under_pressure(board) else "plays"


def sets_heading(texts: Texts | None = None) -> str:
    """Game panel, above the sets, in at most four letters."""
    return (texts or load("en")).say("panel.heading.sets")


def games_heading(texts: Texts | None = None) -> str:
    """Game panel, above the games, in at most five letters."""
    return (texts or load("en")).say("panel.heading.games")


def points_heading(board: Scoreboard, texts: Texts | None = None) -> str:
    """Game panel, above the points of the game, in at most seven letters."""
    return (texts or load("en")).say(f"panel.heading.{'tie-break' if board.tie_break else 'points'}")


def footer(board: Scoreboard, texts: Texts | None = None) -> str:
    """Game panel, last line: the match's end, else the awaited serve, the rally's end, the goal."""
    texts = texts or load("en")
    if board.outcome is not None:
        side, reason = texts.side(board.outcome.winner), board.outcome.reason
        if reason:
            return texts.say("panel.foot.won-because", side=side, reason=reason)
        return texts.say("panel.foot.won", side=side)
    if board.serve is not None:
        attempt = "first" if board.serve.attempt == 1 else "second"
        key = f"panel.foot.{attempt}.{board.serve.side}"
        return texts.say(key, seat=player(board.server, texts))
    if board.rally_winner is not None:
        return texts.say("panel.foot.rally", side=texts.side(board.rally_winner))
    if board.points_to_win is not None:
        return texts.say("panel.foot.race", goal=board.points_to_win)
    return texts.count("panel.foot.sets", board.sets_to_win)
