"""`setmatch umpire`: a recorded match in, every stroke out, called and scored. The command only."""

import argparse
import json
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.commands.options import (
    add_ball_sight_options,
    add_json_option,
    add_match_options,
    calibrated,
    setup_from,
)
from firmware.commands.outputs import check_output
from firmware.errors import InputError
from firmware.report import Line, calibration_line, result_text, tell_warnings
from firmware.setting_up import ball_look, umpire_for
from firmware.texts import load, umpire_notice

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from firmware.commands.annotate import Annotator
    from firmware.match import Match
    from firmware.terminal import Advance
    from firmware.umpire.observations import Observation
    from firmware.umpire.umpire import Umpire
    from hardware.camera import Camera, Frame


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "umpire",
        help="referee a recorded match",
        description="Watches a video of a match and calls and scores every stroke. Without --calibration "
        "the board is found in the video's first pictures.",
    )
    parser.add_argument("--camera", required=True, metavar="FILE", help="the video")
    add_ball_sight_options(parser)
    add_match_options(parser)
    add_json_option(parser, "a line (default: a table at the end)")
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="OUT.mp4",
        help="where the video goes with court, ball, calls and score drawn over it (default: nowhere)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Referee the video; 0, or an error that says why it cannot be done. What was called before an
    error or an interrupt is told."""
    from hardware.cameras import is_live

    if is_live(args.camera):
        raise InputError(
            f"{args.camera} goes on for ever, and umpire is for recordings: record a video and give its "
            "file; `setmatch run` plays live"
        )
    if args.annotate is not None:
        check_output("--annotate", args.annotate, [args.camera, args.board, args.ball, args.calibration])
    with closing(_lines(args)) as lines:
        strokes = _print_json(lines) if args.json else _print_table(lines)
    if strokes == 0:
        print("No stroke was seen.", file=sys.stderr)
    return 0


def _print_json(lines: "Iterator[Line]") -> int:
    """Print each line; how many strokes there were."""
    strokes = 0
    for line in lines:
        print(json.dumps(line), flush=True)
        strokes += line["kind"] == "stroke"
    return strokes


def _print_table(lines: "Iterator[Line]") -> int:
    """Print a table of the strokes and who won, and notices as they come; how many strokes there were."""
    from firmware.terminal import print_calls

    strokes: list[Line] = []
    won: Line | None = None
    try:
        for line in lines:
            match line["kind"]:
                case "stroke":
                    strokes.append(line)
                case "match":
                    won = line
                case "notice":
                    print(f"{line['at']:8.2f} s  {line['text']}", file=sys.stderr)
    finally:
        if strokes:
            print_calls(strokes)
        if won is not None:
            print(result_text(won["outcome"], won["score"]))
    return len(strokes)


def _lines(args: argparse.Namespace) -> "Generator[Line, None, None]":
    """Set up and watch: the calibration's line, then what becomes certain, in order."""
    from calibration.edition import load_edition
    from firmware.commands.annotate import annotating
    from firmware.match import Match
    from firmware.terminal import progress
    from hardware.cameras import open_camera

    setup = setup_from(args)
    edition = load_edition(args.board, require_zones=True)
    look = ball_look(args.ball, edition, args.focal_px)
    with ExitStack() as stack:
        first = stack.enter_context(closing(open_camera(args.camera, args.rotate)))
        if first.frame_count == 1:
            raise InputError(
                f"{args.camera} is a single picture; `setmatch locate` is for pictures, umpire for videos"
            )
        # Opened before the board is looked for: a name that will not do is told at once.
        annotator = stack.enter_context(annotating(args.annotate, first, edition)) if args.annotate else None
        calibration, _ = calibrated(args, first, edition)
        first.close()
        tell_warnings(calibration)
        yield calibration_line(calibration, edition)
        umpire = umpire_for(calibration, edition, look)
        refereeing = Refereeing(umpire, Match(edition, setup))
        # The first pictures were used up by the calibration: the match is watched from its first frame.
        camera = stack.enter_context(closing(open_camera(args.camera, args.rotate)))
        with progress(camera.frame_count, "watching") as advance:
            yield from _watched(camera, refereeing, annotator, advance)


def _watched(
    camera: "Camera", refereeing: "Refereeing", annotator: "Annotator | None", advance: "Advance"
) -> "Iterator[Line]":
    while (frame := camera.read()) is not None:
        lines = refereeing.see(frame)
        yield from lines
        if annotator is not None:
            annotator.add(frame, refereeing.umpire, refereeing.match, lines)
        advance(frame.number + 1)
    yield from refereeing.finish()


class Refereeing:
    """A match that is watched: frames in, lines for people and programs out."""

    def __init__(self, umpire: "Umpire", match: "Match") -> None:
        self.umpire = umpire
        self.match = match

    def see(self, frame: "Frame") -> list[Line]:
        """The lines that became certain with this frame."""
        return [line for seen in self.umpire.see(frame) for line in self._told(seen)]

    def finish(self) -> list[Line]:
        """The lines that the end of a recording still gives."""
        return [line for seen in self.umpire.finish() for line in self._told(seen)]

    def _told(self, seen: "Observation") -> "Iterator[Line]":
        from firmware.umpire.observations import BumpSeen, NoticeSeen, PlacementSeen, StrokeSeen

        match seen:
            case StrokeSeen() if self.match.state.outcome is None:
                yield from self.match.take_as_played(seen)
            case StrokeSeen():
                text = "A stroke after the end of the match: it counts for nothing."
                yield {"kind": "notice", "at": round(seen.at, 4), "code": "match-over", "text": text}
            case PlacementSeen() | BumpSeen():
                position = seen.rest.position
                yield {
                    "kind": "placement" if isinstance(seen, PlacementSeen) else "bump",
                    "at": round(seen.at, 4),
                    "dot_mm": None if position is None else [round(v, 4) for v in position.dot_mm],
                }
                if isinstance(seen, PlacementSeen):
                    yield from self.match.take_placement(seen)
            case NoticeSeen():
                yield {
                    "kind": "notice",
                    "at": round(seen.at, 4),
                    "code": seen.code,
                    "text": umpire_notice(seen.code, load("en")),
                }
