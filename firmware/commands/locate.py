"""`setmatch locate`: where every ball in a picture lies on the printed board. The command only."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from firmware.commands.options import add_ball_sight_options, add_json_option, calibrated
from firmware.errors import REPORTED
from firmware.report import tell_warnings
from firmware.setting_up import ball_look

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.edition import Edition
    from calibration.profile import Calibration
    from firmware.umpire.ball import BallLook


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "locate",
        help="say where the balls in pictures lie",
        description="Tells every ball in each picture, the likeliest in play first. Without --calibration "
        "each picture calibrates itself.",
    )
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="pictures of the board")
    add_ball_sight_options(parser)
    add_json_option(parser, "a picture (default: a table)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Locate in each picture; 2 if one of them would not do, after the others were done."""
    from calibration.edition import load_edition
    from hardware.cameras import open_camera

    edition = load_edition(args.board)
    look = ball_look(args.ball, edition, args.focal_px)
    failed = False
    for name in args.images:
        try:
            camera = open_camera(name, args.rotate, args.board)
            try:
                calibration, picture = calibrated(args, camera, edition)
            finally:
                camera.close()
            balls = located(picture, calibration, edition, look)
        except REPORTED as error:
            failed = True
            print(f"setmatch: {name}: {' '.join(str(error).split())}", file=sys.stderr)
            continue
        tell_warnings(calibration, name)
        if args.json:
            line = {"image": name, "balls": balls, "warnings": list(calibration.warnings)}
            print(json.dumps(line), flush=True)
        else:
            print("\n".join(_table(name, balls)), flush=True)
    return 2 if failed else 0


def _table(name: str, balls: list[dict[str, Any]]) -> list[str]:
    """A picture's balls for people: mm, the value under the dot, and how like the ball each looks."""
    if not balls:
        return [f"{name}: no ball"]
    rows = [f"{name}:", "   #      x mm      y mm  sigma mm  half  points  likeness"]
    for number, ball in enumerate(balls, start=1):
        (x, y), points = ball["dot_mm"], "-" if ball["points"] is None else ball["points"]
        rows.append(
            f"{number:>4}{x:>10.2f}{y:>10.2f}{ball['sigma_mm']:>10.3f}{ball['half']:>6}"
            f"{points:>8}{ball['likeness']:>10.2f}"
        )
    return rows


def located(
    picture: "NDArray[np.uint8]",
    calibration: "Calibration",
    edition: "Edition",
    look: "BallLook",
) -> list[dict[str, Any]]:
    """Every ball in a picture, the likeliest in play first, ready for JSON."""
    import numpy as np

    from firmware.landings import zone_points
    from firmware.umpire.ball import BallFinder, BallView, likeliest_in_play
    from firmware.umpire.sighting import Sighting

    size = (picture.shape[1], picture.shape[0])
    finder = BallFinder(look, BallView.from_camera(calibration.model, edition.ball, size))

    def off_court_mm(sighting: Sighting) -> float:
        x, y = np.abs(calibration.model.locate(sighting.disc_px, edition.ball.height_mm)[0])
        reach = edition.ball.diameter_mm / 2
        beyond_x = max(0.0, x - edition.court.baseline_mm - reach)
        beyond_y = max(0.0, y - edition.court.doubles_mm - reach)
        return float(np.hypot(beyond_x, beyond_y))

    balls = []
    for sighting in likeliest_in_play(finder.find(picture), off_court_mm):
        place = calibration.place(
            sighting.dot_px, sighting.disc_px, sighting.dot_sigma_px, sighting.disc_sigma_px
        )
        balls.append(
            {
                "dot_mm": [round(v, 4) for v in place.dot_mm],
                "disc_mm": [round(v, 4) for v in place.disc_mm],
                "sigma_mm": round(place.dot_sigma_mm, 4),
                "points": zone_points(edition, place.dot_mm) if edition.zones else None,
                "half": place.half,
                "likeness": round(sighting.likeness, 3),
            }
        )
    return balls
