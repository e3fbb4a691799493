"""The panels' words: what each part of the scoreboard is called there. Words only, no drawing."""

from firmware.screens.scoreboard import Scoreboard

_TITLES = {
    "in": "IN",
    "out": "OUT",
    "net": "NET",
    "let": "LET",
    "ace": "ACE!",
    "fault": "FAULT",
    "double-fault": "DOUBLE FAULT",
    "winner": "WINNER!",
    "flick-fault": "FLICK FAULT",
}


def title(board: Scoreboard) -> str:
    """In-rally panel, middle: the match's winner, else a flick fault that is in question, else the last
    call, else that play may begin."""
    if board.outcome is not None:
        return f"{board.outcome.winner} WINS"
    if board.deciding:
        return "FLICK FAULT?"
    if board.last is not None:
        return _TITLES[board.last.call]
    return "READY" if board.to_play is not None else ""


def points_title(board: Scoreboard) -> str:
    """The last stroke's points ("+2"); empty where a call has none to show."""
    last = board.last
    if board.outcome is not None or board.deciding or last is None or last.points is None:
        return ""
    return f"+{last.points}" if last.call in ("in", "winner") else ""


def is_too_close(board: Scoreboard) -> bool:
    """Whether the panel has to say that the call it shows was too close to be certain."""
    shown = board.outcome is None and not board.deciding
    return shown and board.last is not None and not board.last.certain


def is_under_pressure(board: Scoreboard) -> bool:
    """Whether the awaited stroke is a return that must earn points (SM-08)."""
    return board.pressure and board.outcome is None and board.to_play is not None


def who_plays(board: Scoreboard) -> str:
    """In-rally panel, foot: the final sets or points, else who has to do what, else the rally's end."""
    if board.outcome is not None:
        if board.points_to_win is not None:
            return f"{board.points[0]} : {board.points[1]}"
        return f"{board.sets[0]} : {board.sets[1]} SETS"
    if board.to_play is not None:
        return f"{board.to_play} {_deed(board)}"
    return f"RALLY TO {board.rally_winner}" if board.rally_winner is not None else ""


def _deed(board: Scoreboard) -> str:
    if board.deciding:
        return "DECIDES"
    if board.placing:
        return "PLACES THE BALL"
    if board.serve is not None:
        return "SERVES"
    return "UNDER PRESSURE" if is_under_pressure(board) else "PLAYS"


def points_heading(board: Scoreboard) -> str:
    """Game panel, above the points of the game, in at most seven letters."""
    return "T-BREAK" if board.tie_break else "POINTS"


def footer(board: Scoreboard) -> str:
    """Game panel, last line: the match's end, else the awaited serve, the rally's end, the goal."""
    if board.outcome is not None:
        reason = board.outcome.reason
        return f"{board.outcome.winner} wins" + (f": {reason}" if reason else " the match")
    if board.serve is not None:
        attempt = "1st" if board.serve.attempt == 1 else "2nd"
        return f"{board.server} {attempt} serve, {board.serve.side} side"
    if board.rally_winner is not None:
        return f"rally to {board.rally_winner}"
    if board.points_to_win is not None:
        return f"first to {board.points_to_win} points"
    return f"first to {board.sets_to_win} set{'s' if board.sets_to_win > 1 else ''}"
