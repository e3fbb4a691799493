"""`setmatch judge`: landings in, stroke lines out. The rules and the board's geometry, no camera.

Reads one landing a line and answers it before reading the next, so that another program can play.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from math import dist
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from firmware.errors import InputError
from firmware.options import add_board_option, add_match_options
from firmware.report import stroke_line
from firmware.rules import Called, IllegalAction, Setup, Stroke, start, step

if TYPE_CHECKING:
    from calibration.edition import Edition

_Millimetres = Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]
"""Ten metres: far beyond any table, and finite."""
_Sigma = Annotated[float, msgspec.Meta(ge=0, le=1_000)]
_Point = tuple[_Millimetres, _Millimetres]

_EXAMPLE = '{"from_mm":[-235,-34],"dot_mm":[70,54],"disc_mm":[70,54],"off_board":false}'


class _Landed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of input. Positions in mm, in the frame of the printed half on which the dot
    lies."""

    from_mm: _Point
    dot_mm: _Point | None = None
    disc_mm: _Point | None = None
    off_board: bool = False
    sigma_mm: _Sigma = 0.0
    """Standard deviation of dot and disc; positions are exact unless it is given."""

    def __post_init__(self) -> None:
        if not self.off_board and (self.dot_mm is None or self.disc_mm is None):
            raise ValueError("`dot_mm` and `disc_mm` are needed unless `off_board` is true")


def judge(lines: Iterable[str], setup: Setup, edition: "Edition") -> Iterator[dict[str, Any]]:
    """The stroke line of each landing in `lines` (JSON, one a line; blank lines are passed over).

    InputError, with the line's number, for a line that is no landing and for a landing after the
    end of the match.
    """
    # Imported late: the geometry needs numpy, and the command line builds its parsers without it.
    from firmware.landings import landing_of

    state = start(setup)
    for number, line in _numbered(lines):
        landed = _parsed(line, number, edition.ball.diameter_mm / 2)
        landing = landing_of(
            edition,
            landed.from_mm,
            landed.dot_mm or landed.from_mm,
            landed.disc_mm or landed.from_mm,
            off_board=landed.off_board,
            dot_sigma_mm=landed.sigma_mm,
            disc_sigma_mm=landed.sigma_mm,
        )
        try:
            after = step(state, Stroke(landing))
        except IllegalAction as error:
            raise InputError(f"line {number}: {error}") from None
        state = after.state
        # A stroke is always answered by its call, and first by it.
        called = next(event for event in after.events if isinstance(event, Called))
        yield stroke_line(
            called,
            started_at=None,
            rested_at=None,
            from_mm=landed.from_mm,
            dot_mm=landed.dot_mm,
            disc_mm=landed.disc_mm,
            sigma_mm=None if landed.dot_mm is None else landed.sigma_mm,
            off_board=landed.off_board,
        )


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `judge` to the command line."""
    parser = subparsers.add_parser(
        "judge",
        help="call and score landings that are read from standard input",
        description=f"Reads one landing a line, for example {_EXAMPLE} and calls and scores it.",
    )
    add_match_options(parser)
    add_board_option(parser)
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line (default: a table at the end)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge standard input. InputError for a line or an option that cannot be used."""
    from calibration.edition import load_edition
    from firmware.terminal import print_calls

    setup = Setup(preset=args.preset, sets_to_win=args.sets)
    edition = load_edition(args.board, require_zones=True)
    # A closed standard input is no stream at all; its bytes are decoded a line at a time, so that an
    # error names the line that has it.
    if sys.stdin is None:
        raise InputError("standard input is closed; give the landings there, one a line")
    strokes = judge(_decoded(sys.stdin.buffer), setup, edition)
    if args.json:
        for stroke in strokes:
            print(msgspec.json.encode(stroke).decode(), flush=True)
    else:
        print_calls(strokes)
    return 0


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


def _parsed(line: str, number: int, radius_mm: float) -> _Landed:
    try:
        landed = msgspec.json.decode(line, type=_Landed)
        if landed.dot_mm and landed.disc_mm and dist(landed.dot_mm, landed.disc_mm) > radius_mm:
            raise msgspec.ValidationError("`dot_mm` lies outside the ball around `disc_mm`")
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise InputError(f"line {number}: {error}; a landing looks like {_EXAMPLE}") from None
    return landed
