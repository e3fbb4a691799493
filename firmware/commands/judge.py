"""`setmatch judge`: landings, presses and rulings in; calls and what is waited for out. The rules and
the board's geometry, no camera.

Reads one line and answers it before reading the next, so that another program can play.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from math import dist
from typing import TYPE_CHECKING, Annotated

import msgspec

from firmware.commands.options import (
    add_board_option,
    add_json_option,
    add_language_option,
    add_match_options,
    setup_from,
)
from firmware.errors import InputError
from firmware.report import Line
from firmware.rules import Button, Call, Correct, IllegalAction, Press, Setup, Side, State, StrokeRefused
from firmware.texts import Texts, explain_reason, load, outcome_sentence, sentence, waiting_sentence

if TYPE_CHECKING:
    from calibration.edition import Edition
    from firmware.match import Match

_Millimetres = Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]
"""Ten metres: far beyond any table, and finite."""
_Sigma = Annotated[float, msgspec.Meta(ge=0, le=1_000)]
_Point = tuple[_Millimetres, _Millimetres]

_EXAMPLES = {
    "from_mm": '{"from_mm":[-235,-34],"dot_mm":[70,54],"disc_mm":[70,54],"off_board":false}',
    "placed_mm": '{"placed_mm":[-235,-34]}',
    "press": '{"press":"confirm","side":"A"}',
    "correct": '{"correct":7,"call":"out"}',
}
"""The kinds of line, by the key that only they have."""


class _Landed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stroke. Positions in mm, in the frame of the printed half on which the dot lies."""

    from_mm: _Point
    dot_mm: _Point | None = None
    disc_mm: _Point | None = None
    off_board: bool = False
    sigma_mm: _Sigma = 0.0
    """Standard deviation of dot and disc; positions are exact unless it is given."""

    def __post_init__(self) -> None:
        if not self.off_board and (self.dot_mm is None or self.disc_mm is None):
            raise ValueError("`dot_mm` and `disc_mm` are needed unless `off_board` is true")


class _Placed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand laid the ball there."""

    placed_mm: _Point


class _Pressed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side pressed a button."""

    press: Button
    side: Side


class _Ruled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The players ruled on a stroke, by its number."""

    correct: Annotated[int, msgspec.Meta(ge=1)]
    call: Call | None = None
    points: int | None = None

    def __post_init__(self) -> None:
        if self.call is None and self.points is None:
            raise ValueError("`call` or `points` is needed")


_Entry = _Landed | _Placed | _Pressed | _Ruled
_ENTRIES: dict[str, type[_Entry]] = {
    "from_mm": _Landed,
    "placed_mm": _Placed,
    "press": _Pressed,
    "correct": _Ruled,
}


def judge(lines: Iterable[str], setup: Setup, edition: "Edition", texts: Texts) -> Iterator[Line]:
    """What each line of `lines` (JSON; blank lines are passed over) leads to: the lines of what is
    announced, and then what the match waits for, or its outcome. A stroke from where the ball may not be
    played says so in the words of `texts`.

    What may not be done now is answered with a line of kind `refused`, in the words of `texts`, and
    changes nothing. InputError, with the line's number, for a line that says nothing known.
    """
    # Imported late: the geometry needs numpy, and the command line builds its parsers without it.
    from firmware.match import Match

    match = Match(edition, setup)
    for number, line in _numbered(lines):
        entry = _parsed(line, number, edition.ball.diameter_mm / 2)
        try:
            for answer in _answered(match, entry):
                # A stroke that was not counted is the one event that somebody may miss in a table.
                refused = answer["kind"] == "stroke-refused"
                yield {**answer, "line": number, "text": _told(match, texts)} if refused else answer
        except IllegalAction as error:
            text = explain_reason(error.reason, texts)
            yield {"kind": "refused", "line": number, "reason": error.reason, "text": text}
        yield {**match.waiting_line(), "text": _due(match.state, texts)}


def _answered(match: "Match", entry: _Entry) -> list[Line]:
    from firmware.match import Measured

    match entry:
        case _Landed():
            measured = Measured(
                from_mm=entry.from_mm,
                dot_mm=entry.dot_mm,
                disc_mm=entry.disc_mm,
                sigma_mm=None if entry.dot_mm is None else entry.sigma_mm,
                off_board=entry.off_board,
            )
            return match.stroke(measured)
        case _Placed():
            return match.lay(entry.placed_mm)
        case _Pressed():
            return match.act(Press(entry.press, entry.side))
        case _Ruled():
            return match.act(Correct(entry.correct, entry.call, entry.points))


def _told(match: "Match", texts: Texts) -> str:
    """Why the stroke that was just made does not count."""
    event = next(event for event in match.events if isinstance(event, StrokeRefused))
    return sentence(event, texts, match.state.setup)


def _due(state: State, texts: Texts) -> str:
    """Who has to do what, or who won."""
    if state.outcome is not None and state.waiting is None:
        return outcome_sentence(state.outcome, texts)
    assert state.waiting is not None
    return waiting_sentence(state.waiting, texts, state.setup)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `judge` to the command line."""
    parser = subparsers.add_parser(
        "judge",
        help="call and score landings that are read from standard input",
        description="Reads one JSON object a line, and calls and scores it: a stroke, for example "
        f"{_EXAMPLES['from_mm']}, a ball that was laid down, {_EXAMPLES['placed_mm']}, a button, "
        f"{_EXAMPLES['press']} (confirm, challenge, flick-fault, undo), or what the players say that a "
        f"stroke was, {_EXAMPLES['correct']} (or points).",
    )
    add_match_options(parser)
    add_board_option(parser)
    add_language_option(parser)
    add_json_option(parser, "a line (default: a table at the end)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge standard input. InputError for a line or an option that cannot be used."""
    from calibration.edition import load_edition

    setup, texts = setup_from(args), load(args.language)
    edition = load_edition(args.board, require_zones=True)
    # A closed standard input is no stream at all; its bytes are decoded a line at a time, so that an
    # error names the line that has it.
    if sys.stdin is None:
        raise InputError("standard input is closed; give the landings there, one a line")
    told = judge(_decoded(sys.stdin.buffer), setup, edition, texts)
    if args.json:
        for line in told:
            print(msgspec.json.encode(line).decode(), flush=True)
    else:
        _print_for_people(told)
    return 0


def _print_for_people(told: Iterable[Line]) -> None:
    """Print the calls as they stand in the end, and what is due or who won; what was refused goes to
    stderr at once. What came before an error is printed."""
    from firmware.terminal import print_calls

    strokes: dict[int, Line] = {}
    last: Line | None = None
    try:
        for line in told:
            match line["kind"]:
                case "stroke":
                    strokes[line["number"]] = line
                case "undone" if line["number"] is not None:
                    strokes.pop(line["number"])
                case "refused" | "stroke-refused":
                    print(f"line {line['line']}: {line['text']}", file=sys.stderr)
                case "waiting" | "outcome":
                    last = line
    finally:
        if strokes:
            print_calls(strokes.values())
    if last is not None:
        print(last["text"])


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, line


def _decoded(lines: Iterable[bytes]) -> Iterator[str]:
    """The lines as text; InputError with the number of the one that is none."""
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"line {number} is not text in UTF-8; save it as UTF-8") from None


def _parsed(line: str, number: int, radius_mm: float) -> _Entry:
    kind = "from_mm"
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        known = next((key for key in _ENTRIES if key in fields), None)
        if known is None:
            raise msgspec.ValidationError(f"none of {', '.join(_ENTRIES)} is in it")
        kind = known
        entry = msgspec.json.decode(line, type=_ENTRIES[kind])
        if (
            isinstance(entry, _Landed)
            and entry.dot_mm
            and entry.disc_mm
            and dist(entry.dot_mm, entry.disc_mm) > radius_mm
        ):
            raise msgspec.ValidationError("`dot_mm` lies outside the ball around `disc_mm`")
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise InputError(f"line {number}: {error}; such a line looks like {_EXAMPLES[kind]}") from None
    return entry
