"""`setmatch matches` and `setmatch replay`: what the journal keeps, for people and for other programs.

Both only look; they may be used while a match is played. How a journal is read is in `firmware.journal`.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from firmware.commands.options import add_json_option, add_state_option
from firmware.errors import InputError
from firmware.report import Line, score_names
from firmware.rules import State
from firmware.texts import LANGUAGES, Texts, load, outcome_sentence, waiting_sentence

if TYPE_CHECKING:
    from calibration.edition import Edition
    from firmware.journal import JournalReader, MatchBegan, Record, Reviewed, Summary

_LATEST = 20
_PLACES = ("from_mm", "dot_mm", "disc_mm")
_PAIRS = ("points", "games", "sets")
_COLUMNS = (
    *("number", "seat", "wall_time", "captured_at", "started_at", "rested_at"),
    *(f"{place[:-3]}_{axis}_mm" for place in _PLACES for axis in "xy"),
    *("sigma_mm", "off_board", "call", "points", "margin_mm", "certain", "ruled", "marker", "rally_winner"),
    *(f"score_{of}_{side}" for of in _PAIRS for side in "ab"),
)
"""The columns of the strokes in CSV. Positions in mm, times in seconds of the camera's clock but for
`wall_time` (UTC); the marker and the score are those after the stroke."""
_HEADINGS = ("#", "began (UTC)", "table", "board", "level", "players", "strokes", "score", "state")
_NUMBERS = ("#", "strokes")


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add both commands to the command line's `subparsers`."""
    listing = subparsers.add_parser(
        "matches",
        help="list the matches that were played",
        description="Lists the matches that the journal keeps, the latest last.",
    )
    add_state_option(listing)
    listing.add_argument(
        "--all",
        action="store_true",
        help=f"list every match (default: the latest {_LATEST}; each is counted anew, which takes time)",
    )
    add_json_option(listing, "a match (default: a table)")
    listing.set_defaults(run=run_matches)
    replay = subparsers.add_parser(
        "replay",
        help="count a match that was played again, and print its calls",
        description="Counts a match that the journal keeps again, from its first stroke, and prints its "
        "calls as they stand in the end and what is due or who won.",
    )
    replay.add_argument(
        "match", type=_number, metavar="N", help="the match, as `setmatch matches` numbers it"
    )
    form = replay.add_mutually_exclusive_group()
    form.add_argument(
        "--json",
        action="store_true",
        help="everything that was announced, one JSON object a line (default: a table)",
    )
    form.add_argument(
        "--export",
        choices=("json", "csv"),
        help="the strokes as data, on standard output (default: a table for people)",
    )
    replay.add_argument(
        "--board",
        metavar="NAME|FILE",
        help="the board, if it is no longer where it was (default: the match's)",
    )
    replay.add_argument(
        "--language", choices=LANGUAGES, help="the language of sentences (default: the match's)"
    )
    add_state_option(replay)
    replay.set_defaults(run=run_replay)


def run_matches(args: argparse.Namespace) -> int:
    """Print the matches. JournalError if there is no journal."""
    with _journal(args) as journal:
        summaries = journal.matches(None if args.all else _LATEST)
        _tell(journal.warnings)
    if args.json:
        for summary in summaries:
            print(msgspec.json.encode(summary_line(summary)).decode())
    elif summaries:
        _print_table([_cells(summary) for summary in summaries])
    else:
        print("No match has been begun yet.", file=sys.stderr)
    return 0


def run_replay(args: argparse.Namespace) -> int:
    """Print a match. JournalError if it is not there, InputError if its board is not."""
    from firmware.journal import MatchBegan, board_warning

    with _journal(args) as journal:
        records = journal.records(args.match)
        summary = journal.summary(args.match)
        _tell(journal.warnings)
    began = records[0]
    assert isinstance(began, MatchBegan)
    edition = _edition(args.board, began)
    warning = board_warning(edition, records)
    if warning is not None:
        _tell([warning])
    told = replay_lines(edition, records, load(args.language or began.language))
    if args.json:
        for line in (summary_line(summary), *told):
            print(msgspec.json.encode(line).decode())
    elif args.export is not None:
        _export(args.export, summary, told)
    else:
        _print_for_people(told)
    return 0


def summary_line(summary: "Summary") -> Line:
    """A match for other programs; `began` is UTC, ISO 8601."""
    line: Line = msgspec.to_builtins(summary)
    return {"kind": "summary", **line, "score": score_names(summary.score)}


def replay_lines(edition: "Edition", records: "Sequence[Record]", texts: Texts) -> Iterator[Line]:
    """What was announced in a match, and what it waited for after each action, as `judge` tells it. The
    line of a stroke also has when it was made, `wall_time` (UTC) and `captured_at` (the camera's)."""
    from firmware.journal import Acted, LetStand, MatchLeft, Reviewed, replayed

    made: dict[int, Line] = {}
    for record, match, lines in replayed(edition, records):
        match record:
            case Acted():
                for line in lines:
                    if line["kind"] != "stroke":
                        yield line
                        continue
                    number = line["number"]
                    # A stroke that is called anew keeps the time at which it was played.
                    if record.measured is not None:
                        made[number] = {"wall_time": _time(record), "captured_at": record.captured_at}
                    yield {**line, **made[number]}
                yield {**match.waiting_line(), "text": _due(match.state, texts)}
            case Reviewed():
                yield {"kind": "review", **_fields(record)}
            case LetStand():
                yield {"kind": "let-stand", **_fields(record)}
            case MatchLeft():
                yield {"kind": "left", **_fields(record)}


def _export(form: str, summary: "Summary", told: Iterable[Line]) -> None:
    lines = list(told)
    strokes = _standing(lines)
    if form == "json":
        reviews = [line for line in lines if line["kind"] in ("review", "let-stand")]
        whole = {"match": summary_line(summary), "strokes": strokes, "reviews": reviews}
        print(msgspec.json.format(msgspec.json.encode(whole), indent=1).decode())
        return
    writer = csv.DictWriter(sys.stdout, _COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(map(_flat, strokes))


def _flat(stroke: Line) -> Line:
    """A stroke's line with a name for each number in it."""
    flat = {key: _plain(value) for key, value in stroke.items()}
    for place in _PLACES:
        for axis, value in zip("xy", stroke[place] or (None, None), strict=True):
            flat[f"{place[:-3]}_{axis}_mm"] = value
    for of in _PAIRS:
        for side, value in zip("ab", stroke["score"][of], strict=True):
            flat[f"score_{of}_{side}"] = value
    return flat


def _plain(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _print_for_people(told: Iterable[Line]) -> None:
    from firmware.terminal import print_calls

    lines = list(told)
    print_calls(_standing(lines))
    for line in lines:
        if line["kind"] == "review":
            print(_review_text(line))
        elif line["kind"] == "let-stand":
            print(f"Stroke {line['number']}: {line['by']} let the first call stand")
    due = [line for line in lines if line["kind"] in ("waiting", "outcome")]
    left = [line for line in lines if line["kind"] == "left"]
    if left:
        print(f"The match was left: {left[-1]['reason']}.")
    elif due:
        print(due[-1]["text"])


def _standing(lines: Iterable[Line]) -> list[Line]:
    """The strokes as they stand in the end."""
    strokes: dict[int, Line] = {}
    for line in lines:
        if line["kind"] == "stroke":
            strokes[line["number"]] = line
        elif line["kind"] == "undone" and line["number"] is not None:
            strokes.pop(line["number"])
    return list(strokes.values())


def _review_text(review: Line) -> str:
    before, after = review["before"], review["after"]
    change = f", {before['call']}"
    if review["outcome"] == "overturned":
        change = f", {before['call']} becomes {after['call']}"
    margin_mm = after["margin_mm"]
    margin = "" if margin_mm is None else f", margin {margin_mm:.2f} mm"
    pictures = f" ({', '.join(review['pictures'])})" if review["pictures"] else ""
    stroke = f"Review of stroke {review['number']} for {review['by']}"
    return f"{stroke}: {review['outcome']}{change}{margin}{pictures}"


def _due(state: State, texts: Texts) -> str:
    """Who has to do what, or who won."""
    if state.waiting is not None:
        return waiting_sentence(state.waiting, texts, state.setup)
    assert state.outcome is not None
    return outcome_sentence(state.outcome, texts)


def _cells(summary: "Summary") -> tuple[str, ...]:
    score = score_names(summary.score)
    state = {"over": "over", "left": f"left: {summary.left}", "open": "open"}[summary.ending]
    if summary.outcome is not None:
        state = f"{summary.outcome.winner} won"
    return (
        str(summary.id),
        f"{summary.began:%Y-%m-%d %H:%M}",
        summary.table or "",
        summary.board,
        f"{summary.setup.preset}{', doubles' if summary.setup.doubles else ''}",
        ", ".join(name for name in (*summary.side_names, *summary.names) if name),
        str(summary.strokes),
        "  ".join("-".join(map(str, score[of])) for of in _PAIRS),
        state if summary.fault is None else f"{state} (damaged)",
    )


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(_HEADINGS, *rows, strict=True)]
    for row in (_HEADINGS, *rows):
        cells = (
            cell.rjust(width) if heading in _NUMBERS else cell.ljust(width)
            for heading, cell, width in zip(_HEADINGS, row, widths, strict=True)
        )
        print("  ".join(cells).rstrip())


def _journal(args: argparse.Namespace) -> "JournalReader":
    from firmware.journal import JournalReader, default_directory

    return JournalReader.open(default_directory() if args.state is None else args.state)


def _edition(given: str | None, began: "MatchBegan") -> "Edition":
    from calibration.edition import load_edition
    from calibration.errors import EditionError

    try:
        return load_edition(given or began.board, require_zones=True)
    except EditionError as error:
        if given is not None:
            raise
        raise InputError(
            f"the match was played on the board {began.board!r}, which cannot be read ({error}); "
            "give its file with --board"
        ) from error


def _fields(record: "Reviewed | Record") -> Line:
    fields: Line = msgspec.to_builtins(record)
    del fields["record"]
    return fields


def _time(record: "Record") -> str:
    text: str = msgspec.to_builtins(record.wall_time)
    return text


def _tell(warnings: Iterable[str]) -> None:
    for warning in warnings:
        print(f"Warning: {warning}", file=sys.stderr)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a match; `setmatch matches` lists them")
    return int(text)
