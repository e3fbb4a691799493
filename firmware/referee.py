"""`setmatch umpire`: a recorded match in, every stroke out, called and scored. The command only."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.rules import PRESETS, Setup
from firmware.rules.setup import MOST_SETS
from firmware.setting_up import (
    add_ball_option,
    add_calibration_option,
    add_sight_options,
    ball_look,
    calibration_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.annotate import Annotator
    from firmware.match import Match
    from firmware.rules import Event
    from firmware.terminal import Advance
    from firmware.umpire.observations import Observation
    from firmware.umpire.umpire import Umpire
    from hardware.camera import Camera, Frame

Line = dict[str, Any]


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "umpire",
        help="referee a recorded match",
        description="Watches a video of a match and calls and scores every stroke. Without --calibration "
        "the board is found in the video's first pictures.",
    )
    parser.add_argument("--camera", required=True, metavar="FILE", help="the video")
    add_sight_options(parser)
    add_ball_option(parser)
    add_calibration_option(parser)
    parser.add_argument("--preset", choices=sorted(PRESETS), default="confirmed")
    parser.add_argument(
        "--sets", type=int, choices=range(1, MOST_SETS + 1), default=2, help="sets that win"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--annotate", type=Path, metavar="OUT.mp4", help="the video with court, ball, calls and score"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Referee the video; 0, or an error that says why it cannot be done."""
    from firmware.terminal import print_calls

    lines = _lines(args)
    if args.json:
        for line in lines:
            print(json.dumps(line), flush=True)
        return 0
    told = []
    for line in lines:
        told.append(line)
        if line["kind"] == "notice":
            print(f"{line['at']:8.2f} s  {line['text']}", file=sys.stderr)
    print_calls(line for line in told if line["kind"] == "stroke")
    return 0


def _lines(args: argparse.Namespace) -> "Iterator[Line]":
    """Set up and watch: the calibration's line, then what becomes certain, in order."""
    from calibration.drift import refit
    from calibration.edition import load_edition
    from firmware.annotate import Annotator
    from firmware.calibrate import calibration_line
    from firmware.match import Match
    from firmware.terminal import progress
    from firmware.umpire.umpire import Umpire
    from hardware.cameras import open_camera

    edition = load_edition(args.board, require_zones=True)
    look = ball_look(args.ball, edition, args.focal_px)
    camera = open_camera(args.camera, args.rotate)
    try:
        calibration, _ = calibration_for(
            camera,
            edition,
            args.calibration,
            focal_px=args.focal_px,
            rotation=args.rotate,
            swap_ends=args.swap_ends,
        )
    finally:
        camera.close()
    yield calibration_line(calibration)
    known = calibration
    umpire = Umpire(calibration, edition, look, lambda image: refit(known, edition, image))
    refereeing = Refereeing(umpire, Match(edition, Setup(args.preset, args.sets)))
    # The first pictures were used up by the calibration: the match is watched from its first frame.
    camera = open_camera(args.camera, args.rotate)
    annotator = Annotator(args.annotate, camera, edition) if args.annotate else None
    try:
        with progress(camera.frame_count, "watching") as advance:
            yield from _watched(camera, refereeing, annotator, advance)
    finally:
        camera.close()
        if annotator is not None:
            annotator.close()


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
                yield self.match.take(seen)
                for event in self.match.events[1:]:
                    yield _event_line(event)
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
            case NoticeSeen():
                yield {
                    "kind": "notice",
                    "at": round(seen.at, 4),
                    "code": seen.code,
                    "text": seen.text,
                }


def _event_line(event: "Event") -> Line:
    """A rally, game, set or match that was won, for other programs."""
    import msgspec

    kind = type(event).__name__.removesuffix("Won").lower()
    fields: Line = msgspec.to_builtins(event)
    return {**fields, "kind": kind}
