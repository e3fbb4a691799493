"""`setmatch calibrate`: find the board in a camera's picture, save where it lies, say how well."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.errors import InputError
from firmware.setting_up import add_sight_options

if TYPE_CHECKING:
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
        "--camera", required=True, metavar="SOURCE", help="a video or image file, usb:0, or simulated"
    )
    add_sight_options(parser)
    parser.add_argument(
        "--save", required=True, type=Path, metavar="CAL.json", help="where the calibration goes"
    )
    parser.add_argument(
        "--overlay", type=Path, metavar="OUT.png", help="the picture with the fitted court drawn over it"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate; 0, or an error that says why the picture will not do."""
    from calibration.edition import load_edition
    from calibration.overlay import draw_court
    from calibration.profile import save
    from firmware.setting_up import self_calibrated
    from hardware.cameras import open_camera

    edition = load_edition(args.board)
    camera = open_camera(args.camera, args.rotate)
    try:
        calibration, picture = self_calibrated(
            camera,
            edition,
            focal_px=args.focal_px,
            rotation=args.rotate,
            swap_ends=args.swap_ends,
        )
    finally:
        camera.close()
    save(calibration, args.save)
    if args.overlay is not None:
        write_picture(args.overlay, draw_court(picture, calibration, edition))
    if args.json:
        print(json.dumps(calibration_line(calibration)))
    else:
        _tell(calibration, args.save)
    return 0


def write_picture(path: Path, image: Any) -> None:
    """Write a picture; InputError if its name or folder will not do."""
    import cv2

    try:
        written = cv2.imwrite(str(path), image)
    except cv2.error:
        written = False
    if not written:
        raise InputError(f"{path} cannot be written; name a .png in a folder that exists")


def calibration_line(calibration: "Calibration") -> dict[str, Any]:
    """The calibration for other programs: where the camera is, how well the lines fit, how sure it is."""
    layout, camera = calibration.layout, calibration.model
    return {
        "kind": "calibration",
        "board": calibration.edition,
        "size": list(calibration.size),
        "rotation": calibration.rotation,
        "focal_px": round(camera.focal_px, 3),
        "focal_known": calibration.focal_known,
        "centre_px": [round(v, 3) for v in camera.centre_px],
        "distortion": [round(v, 6) for v in camera.distortion],
        "rotation_vector": [round(v, 7) for v in camera.rotation],
        "translation_mm": [round(v, 4) for v in camera.translation_mm],
        "halves": {
            half: {
                "dx_mm": round(shift.dx_mm, 4),
                "dy_mm": round(shift.dy_mm, 4),
                "turn_rad": round(shift.turn_rad, 7),
            }
            for half, shift in (("A", layout.half_a), ("B", layout.half_b))
        },
        "residual_px": round(calibration.residual_px, 4),
        "residual_mm": round(calibration.residual_mm, 4),
        "regions": [
            {
                "name": region.name,
                "places": region.places,
                "rms_px": round(region.rms_px, 4),
                "rms_mm": round(region.rms_mm, 4),
            }
            for region in calibration.regions
        ],
        "sigma_mm": {name: round(value, 4) for name, value in _sigmas(calibration).items()},
        "blur_px": round(calibration.blur_px, 3),
        "warnings": list(calibration.warnings),
    }


def _sigmas(calibration: "Calibration") -> dict[str, float]:
    """Standard deviation of a ball's place that the calibration brings along, mm."""
    height = calibration.ball.height_mm
    return {
        "net": calibration.sigma_mm("B", [[2.0, 0.0]], height),
        "corner": calibration.sigma_mm("B", [[218.0, 100.0]], height),
    }


def _tell(calibration: "Calibration", path: Path) -> None:
    camera, sigmas = calibration.model, _sigmas(calibration)
    x, y, z = camera.position_mm
    known = "given" if calibration.focal_known else "fitted"
    print(f"Board {calibration.edition!r} found, saved to {path}.")
    print(f"  Lines fit to {calibration.residual_px:.3f} px, {calibration.residual_mm:.3f} mm:")
    for region in calibration.regions:
        print(
            f"    {region.name:<15} {region.rms_px:.3f} px  {region.rms_mm:.3f} mm  "
            f"({region.places} places)"
        )
    print(f"  Camera {z:.0f} mm above the board, over x {x:.0f}, y {y:.0f} mm;", end=" ")
    print(f"focal length {camera.focal_px:.0f} px ({known}).")
    print(
        f"  A ball's place is then known to {sigmas['net']:.3f} mm at the net "
        f"and {sigmas['corner']:.3f} mm in a corner (one standard deviation)."
    )
    for warning in calibration.warnings:
        print(f"  Warning: {warning}", file=sys.stderr)
