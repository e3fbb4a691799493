"""`setmatch calibrate`: find the board in a camera's picture, save where it lies, say how well."""

import argparse
import json
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.commands.options import add_json_option, add_lens_options, add_sight_options
from firmware.commands.outputs import check_output, replacing
from firmware.errors import InputError
from firmware.report import calibration_line, calibration_sigmas_mm, tell_warnings

if TYPE_CHECKING:
    from calibration.edition import Edition
    from calibration.errors import RefusedError
    from calibration.profile import Calibration


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "calibrate",
        help="find the board in the picture and save where it lies",
        description="Finds the board under any rotation and a tilt of up to 12 degrees, measures all its "
        "lines and saves the calibration. A ball, pawns or a hand may lie on the board.",
    )
    parser.add_argument(
        "--camera",
        required=True,
        metavar="SOURCE",
        help="a video or image file, pi, usb:0, or simulated",
    )
    add_lens_options(parser)
    add_sight_options(parser)
    parser.add_argument(
        "--save", required=True, type=Path, metavar="CAL.json", help="where the calibration goes"
    )
    parser.add_argument(
        "--overlay",
        type=Path,
        metavar="OUT.png",
        help="where the picture goes with the fitted court drawn over it; without a court if none is found "
        "(default: nowhere)",
    )
    add_json_option(parser, "(default: text for people)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate; 0, or an error that says why the picture will not do."""
    from calibration.edition import load_edition
    from calibration.errors import RefusedError
    from calibration.overlay import draw_court
    from calibration.profile import save
    from firmware.setting_up import self_calibrated
    from hardware.cameras import open_camera

    check_output("--save", args.save, [args.camera, args.board])
    if args.overlay is not None:
        check_output("--overlay", args.overlay, [args.camera, args.board, args.save])
        _require_picture_name(args.overlay)
    edition = load_edition(args.board)
    camera = open_camera(
        args.camera,
        args.rotate,
        args.board,
        lens_mm=args.lens_mm,
        mains_hz=args.mains_hz,
        size=args.size,
    )
    pictures: deque[Any] = deque(maxlen=1)
    try:
        calibration, picture = self_calibrated(
            camera,
            edition,
            focal_px=args.focal_px,
            rotation=args.rotate,
            swap_ends=args.swap_ends,
            looked_at=pictures.append,
        )
    except RefusedError as error:
        raise _refused(error, pictures[-1], args.overlay) from error
    finally:
        camera.close()
    if args.overlay is not None:
        _write_picture(args.overlay, draw_court(picture, calibration, edition))
    save(calibration, args.save)
    if args.json:
        print(json.dumps(calibration_line(calibration, edition)))
    else:
        _tell(calibration, edition, args.save)
    tell_warnings(calibration)
    return 0


def _refused(error: "RefusedError", picture: Any, overlay: Path | None) -> "RefusedError":
    """The error, with where to see why: whoever aims and focuses a camera has no other picture of it."""
    from calibration.errors import RefusedError
    from calibration.overlay import draw_refused

    if overlay is None:
        return RefusedError(f"{error}; --overlay check.png writes what the camera sees", error.kind)
    _write_picture(overlay, draw_refused(picture, error))
    drawn = ", with the lines drawn where they were thought to be" if error.seen_px else ""
    return RefusedError(f"{error}; {overlay} is what the camera sees{drawn}", error.kind)


def _require_picture_name(path: Path) -> None:
    import cv2

    if not cv2.haveImageWriter(str(path)):
        raise InputError(f"{path} names no kind of picture that can be written; name a .png")


def _write_picture(path: Path, image: Any) -> None:
    import cv2

    with replacing(path) as new:
        try:
            written = cv2.imwrite(str(new), image)
        except cv2.error:
            written = False
        if not written:
            raise InputError(f"{path} cannot be written; name a .png on a disk with room for it")


def _tell(calibration: "Calibration", edition: "Edition", path: Path) -> None:
    camera, sigmas = calibration.model, calibration_sigmas_mm(calibration, edition)
    x, y, z = camera.position_mm
    known = "given" if calibration.focal_known else "fitted"
    print(f"Board {calibration.edition!r} found, saved to {path}.")
    print(f"  Lines fit to {calibration.residual_px:.3f} px, {calibration.residual_mm:.3f} mm:")
    for region in calibration.regions:
        print(
            f"    {region.name:<15} {region.rms_px:.3f} px  {region.rms_mm:.3f} mm  ({region.places} places)"
        )
    print(f"  Camera {z:.0f} mm above the board, over x {x:.0f}, y {y:.0f} mm;", end=" ")
    print(f"focal length {camera.focal_px:.0f} px ({known}).")
    print(
        f"  A ball's place is then known to {sigmas['net']:.3f} mm at the net "
        f"and {sigmas['corner']:.3f} mm in a corner (one standard deviation)."
    )
