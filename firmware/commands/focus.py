"""`setmatch focus`: how sharp a camera sees, again and again, for who turns the ring of its lens.

The command only: how sharp a picture is, is measured in `calibration.focus`. No board is needed.
"""

import argparse
import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from firmware.commands.options import add_json_option, add_picture_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.camera import Camera

_EVERY_S: Final = 0.5
"""Slow enough to be read, quick enough for a ring that is turned slowly."""
_MOST_S: Final = 3600.0
_SHARP_PX: Final = 0.75
"""What a picture in focus has: the longest bar."""
_BAR: Final = 40


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "focus",
        help="tell how sharp the camera sees while its lens is being focused",
        description="Tells twice a second how wide the strongest edges in the picture are, in pixels (one "
        "standard deviation of their blur), and the narrowest so far. Turn the ring of the lens until the "
        "number is as small as it gets; below 1 is good. No board has to be found; let something with clear "
        "edges lie where the board will, best the board itself. Ctrl-C ends it.",
    )
    parser.add_argument(
        "--camera", required=True, metavar="SOURCE", help="pi, usb:0, simulated, or a video or image file"
    )
    add_picture_options(parser)
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=math.inf,
        metavar="N",
        help="how long to go on, in seconds of the camera's time (default: until Ctrl-C)",
    )
    add_json_option(parser, "a line (default: text for people)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Tell it until the time is up, or a recording has ended; 0."""
    from calibration.focus import edge_width_px
    from firmware.errors import InputError
    from hardware.cameras import open_camera

    camera = open_camera(args.camera, mains_hz=args.mains_hz, size=args.size)
    best = math.inf
    told = False
    try:
        for picture in _pictures(camera, args.seconds):
            told = True
            width = edge_width_px(picture)
            best = min(best, math.inf if width is None else width)
            if args.json:
                line = {"kind": "focus", "edge_px": width, "best_px": None if math.isinf(best) else best}
                print(json.dumps(line), flush=True)
            else:
                print(_line(width, best), flush=True)
    finally:
        camera.close()
    if not told:
        raise InputError(f"{args.camera} shows no picture; check the camera, or name another source")
    return 0


def _pictures(camera: "Camera", seconds: float) -> "Iterator[NDArray[np.uint8]]":
    """The mean of some pictures twice a second, for so many seconds of the camera's time; one at the least,
    of a camera that shows anything."""
    from firmware.setting_up import MeanPicture

    mean = MeanPicture()
    first_at = last_at = None
    while (frame := camera.read()) is not None:
        first_at = frame.captured_at if first_at is None else first_at
        last_at = frame.captured_at if last_at is None else last_at
        if frame.captured_at - last_at >= _EVERY_S:
            if (picture := mean.picture()) is not None:
                yield picture
            mean, last_at = MeanPicture(), frame.captured_at
        if frame.captured_at - first_at >= seconds:
            break
        if not mean.full:
            mean.add(frame.image)
    if (picture := mean.picture()) is not None:
        yield picture


def _line(width: float | None, best: float) -> str:
    if width is None:
        return "no edges are seen: switch a lamp on, take the lens cap off, or turn the ring a long way"
    bar = "#" * round(_BAR * min(1.0, _SHARP_PX / max(width, 1e-6)))
    return f"edges are {width:5.2f} px wide  (narrowest so far {best:5.2f})  {bar}"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MOST_S:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to {_MOST_S:.0f}")
    return seconds
