"""`setmatch camera-height`: how high a camera hangs over a board, and what it sees from there.

Joins the cameras' figures with the projection over a board; computes nothing of its own, opens no camera.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.commands.options import add_board_option, focal_length, picture_size
from firmware.commands.outputs import check_output, replacing
from firmware.errors import InputError

if TYPE_CHECKING:
    from calibration.edition import Edition
    from calibration.vantage import Vantage
    from hardware.optics import CameraModule

_USUAL_LENSES_MM = (6.0, 8.0, 12.0, 16.0)
_TILTS_DEG = (0.0, 2.0, 4.0, 6.0, 8.0, 10.0)
"""What `setmatch calibrate` finds a board under, with two degrees left for an arm that sags."""
_MOST_TILT_DEG = 12.0
_USUAL_TILT_DEG = 4.0
_USUAL_MARGIN_MM = 20.0
_UNKNOWN_FOCAL_SIGMA, _GIVEN_FOCAL_SIGMA = 0.35, 0.01
_COARSE_MM_PER_PX = 0.4
"""The project's figures are from 0.3 to 0.4 mm a pixel; beyond, an edge of the ball is guessed at."""
_LOW_MM = 400.0
"""Under a lower camera a reaching hand and the head over it are in the way."""
_ENOUGH = 1.1
"""A tilt whose standard deviation is so near the least of all is as good."""
_USUAL_F_NUMBER = 2.0
"""Of C/CS lenses, which are made from f/1.2 on."""
_COLUMNS = ("camera", "lens", "tilt", "height", "over y", "mm/px", "parallax", "sd known", "sd unknown")
_LEGEND = """\
Height: mm from the board up to the middle of the lens. Over y: where a plumb line from the lens meets the
board; x is 0 there, and y grows towards the scorers. mm/px: in the middle of the court, and where it is
coarsest. Parallax: how far beside its place the ball's top is seen in a corner of the court, mm. Sd: how
well the ball's place is then known there after `setmatch calibrate`, one standard deviation in mm, if the
lens's focal length is known, and if not."""


@dataclass(frozen=True, slots=True)
class _Rig:
    """A camera with a lens on it. `module` is None for a camera that the options describe."""

    name: str
    module: "CameraModule | None"
    lens_mm: float | None
    size: tuple[int, int]
    focal_px: float | None
    focal_sigma: float

    def focal_px_at(self, distance_mm: float) -> float:
        """The focal length in pixels when it is focused on `distance_mm`."""
        from hardware.optics import focal_px

        if self.module is None:
            assert self.focal_px is not None
            return self.focal_px
        return focal_px(self.module, self.lens_mm, self.size[0], distance_mm)


@dataclass(frozen=True, slots=True)
class _Hung:
    """A rig in its place, and what it sees."""

    rig: _Rig
    tilt_deg: float
    vantage: "Vantage"
    mm_per_px: tuple[float, float]
    sigma_known_mm: float
    sigma_unknown_mm: float


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "camera-height",
        help="how high to hang which camera over a board, and how well it sees from there",
        description="For each of the Pi's cameras and the usual lenses, or for one camera: the lowest place "
        "from which the whole printed board and a margin are in the picture, and what a calibration from "
        "there will be worth. With one camera and lens it compares tilts.",
    )
    add_board_option(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--camera",
        metavar="MODEL",
        help="a camera by its sensor: imx296, imx477, imx708, imx708_wide, imx219 (default: all of them)",
    )
    which.add_argument(
        "--focal-px",
        type=focal_length,
        metavar="F",
        help="another camera, by its focal length in pixels: half the picture's width over the tangent of "
        "half its horizontal angle of view; needs --size",
    )
    parser.add_argument(
        "--size", type=picture_size, metavar="WxH", help="the other camera's pictures, such as 1920x1080"
    )
    parser.add_argument(
        "--lens-mm",
        type=float,
        metavar="MM",
        help="the focal length that is written on a C/CS lens (default: 6, 8, 12 and 16)",
    )
    parser.add_argument(
        "--tilt",
        type=_within(0.0, _MOST_TILT_DEG, "degrees"),
        metavar="DEG",
        help=f"how far it looks sideways, 0 to {_MOST_TILT_DEG:g} degrees (default: {_USUAL_TILT_DEG:g}; "
        "with one camera and lens all of them)",
    )
    parser.add_argument(
        "--margin",
        type=_within(0.0, 500.0, "mm"),
        default=_USUAL_MARGIN_MM,
        metavar="MM",
        help=f"how much is seen around the board, mm (default: {_USUAL_MARGIN_MM:g})",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="OUT.svg",
        help="where a drawing of an arm for it goes, with measures; needs a camera, lens and tilt "
        "(default: nowhere)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a row (default: a table)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the places; InputError for a camera that is not known, OpticsError for a lens that is none."""
    from calibration.edition import load_edition

    edition, rigs = load_edition(args.board), _rigs(args)
    one = len(rigs) == 1
    tilts = (args.tilt,) if args.tilt is not None else _TILTS_DEG if one else (_USUAL_TILT_DEG,)
    hung = [_hung(rig, edition, tilt, args.margin) for rig in rigs for tilt in tilts]
    if args.out is not None:
        _draw_arm(args.out, hung)
    if args.json:
        for row in hung:
            print(json.dumps(_as_json(row, args.margin)))
        return 0
    (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
    print(
        f"Board {edition.name!r}, {x1 - x0:g} x {y1 - y0:g} mm, and {args.margin:g} mm around it; "
        "the picture's longer side along the court."
    )
    print()
    print(*_table([_row(row) for row in hung]), sep="\n")
    print()
    print(_LEGEND)
    if one:
        print()
        print(*_advice(hung), sep="\n")
    for warning in _warnings(hung):
        print(f"Warning: {warning}", file=sys.stderr)
    return 0


def _draw_arm(path: Path, hung: Sequence[_Hung]) -> None:
    from hardware.drawing.arm import ArmMeasures, arm_svg

    if len(hung) != 1:
        raise InputError(
            "an arm is drawn for one camera: give --camera, --tilt and, for a C/CS mount, --lens-mm"
        )
    (one,) = hung
    rig, vantage = one.rig, one.vantage
    name = "a camera" if rig.module is None else f"the {rig.module.name}"
    measures = ArmMeasures(
        name if rig.lens_mm is None else f"{name} with {rig.lens_mm:g} mm",
        vantage.edition.name,
        vantage.height_mm,
        vantage.foot_mm[1],
        one.tilt_deg,
        vantage.edition.extent_x_mm,
        vantage.edition.extent_y_mm,
    )
    check_output("--out", path)
    if not measures.can_be_built:
        raise InputError(
            f"no arm on a table carries a camera {measures.height:.0f} mm up, over y {measures.over_y:.0f}, "
            "and a Pi that its ribbon reaches; take a shorter lens or another tilt, or hang it from the "
            "ceiling"
        )
    with replacing(path) as new:
        new.write_text(arm_svg(measures), encoding="utf-8")


def _rigs(args: argparse.Namespace) -> list[_Rig]:
    from hardware.optics import CAMERAS, camera_module, lens_of

    if (args.focal_px is None) != (args.size is None):
        raise InputError("--focal-px and --size describe another camera together; give both or neither")
    if args.focal_px is not None:
        if args.lens_mm is not None:
            raise InputError("--focal-px says already what the lens makes; leave --lens-mm out")
        return [_Rig("given", None, None, args.size, args.focal_px, _GIVEN_FOCAL_SIGMA)]
    chosen = CAMERAS
    if args.camera is not None:
        module = camera_module(args.camera)
        if module is None:
            known = ", ".join(f"{camera.sensor} ({camera.name})" for camera in CAMERAS)
            raise InputError(f"no camera {args.camera!r} is known; choose from: {known}")
        chosen = (module,)
    elif args.lens_mm is not None:
        chosen = tuple(camera for camera in CAMERAS if camera.lens_mm is None)
    rigs = []
    for camera in chosen:
        usual = _USUAL_LENSES_MM if camera.lens_mm is None else (camera.lens_mm,)
        for lens in usual if args.lens_mm is None else (args.lens_mm,):
            mode = camera.play_mode
            size = (mode.width, mode.height)
            rigs.append(_Rig(camera.sensor, camera, lens_of(camera, lens), size, None, camera.focal_sigma))
    return rigs


def _hung(rig: _Rig, edition: "Edition", tilt_deg: float, margin_mm: float) -> _Hung:
    from calibration.vantage import lowest_vantage

    vantage = lowest_vantage(edition, rig.size, rig.focal_px_at, tilt_deg=tilt_deg, margin_mm=margin_mm)
    return _Hung(
        rig,
        tilt_deg,
        vantage,
        vantage.mm_per_px(),
        vantage.corner_sigma_mm(rig.focal_sigma),
        vantage.corner_sigma_mm(_UNKNOWN_FOCAL_SIGMA),
    )


def _row(hung: _Hung) -> tuple[str, ...]:
    lens = "-" if hung.rig.lens_mm is None else f"{hung.rig.lens_mm:g} mm"
    return (
        hung.rig.name,
        lens,
        f"{hung.tilt_deg:g}",
        f"{hung.vantage.height_mm:.0f}",
        f"{hung.vantage.foot_mm[1]:.0f}",
        "{:.2f}-{:.2f}".format(*hung.mm_per_px),
        f"{hung.vantage.parallax_mm():.1f}",
        f"{hung.sigma_known_mm:.3f}",
        f"{hung.sigma_unknown_mm:.3f}",
    )


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(_COLUMNS, *rows, strict=True)]
    for row in (_COLUMNS, *rows):
        cells = [
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _advice(hung: Sequence[_Hung]) -> Iterator[str]:
    """What to do with one camera: how far to tilt it, what to focus on, and what if it is not focused."""
    rig = hung[0].rig
    if len(hung) > 1:
        known = next(
            row for row in hung if row.sigma_known_mm <= _ENOUGH * min(r.sigma_known_mm for r in hung)
        )
        unknown = min(hung, key=lambda row: row.sigma_unknown_mm)
        yield (
            f"Tilt: {known.tilt_deg:g} degrees if the focal length is known, to {100 * rig.focal_sigma:g} %; "
            f"more gains little. {unknown.tilt_deg:g} degrees if it is not."
        )
    if rig.module is None or rig.lens_mm is None:
        return
    from hardware.optics import blur_mm, f_number_for

    pitch = rig.module.pitch_in_mm(rig.size[0])
    row, opened = hung[-1], rig.module.f_number or _USUAL_F_NUMBER
    number, focus = f_number_for(rig.lens_mm, *row.vantage.depths_mm(), pitch)
    unfocused_px = blur_mm(rig.lens_mm, opened, math.inf, focus) / pitch
    yield (
        f"Focus: on the board, {focus:.0f} mm away. Tilted by {row.tilt_deg:g} degrees, it is all sharp, "
        f"to a pixel, from f/{number:.1f} on."
    )
    yield f"Focused on what is far away, all of it is blurred over {unfocused_px:.0f} pixels at f/{opened:g}."


def _warnings(hung: Sequence[_Hung]) -> Iterator[str]:
    for row in hung:
        lens = "" if row.rig.lens_mm is None else f" with {row.rig.lens_mm:g} mm"
        name = f"{row.rig.name}{lens}, tilted by {row.tilt_deg:g} degrees"
        coarsest, height = row.mm_per_px[1], row.vantage.height_mm
        if round(coarsest, 2) > _COARSE_MM_PER_PX:
            yield (
                f"{name}: {coarsest:.2f} mm a pixel is coarser than {_COARSE_MM_PER_PX:g}; "
                "take more pixels, less margin or less tilt"
            )
        if height < _LOW_MM:
            yield f"{name}: {height:.0f} mm is so low that hands and heads come before it; take a longer lens"


def _as_json(hung: _Hung, margin_mm: float) -> dict[str, Any]:
    rig, vantage = hung.rig, hung.vantage
    return {
        "kind": "camera-height",
        "board": vantage.edition.name,
        "margin_mm": margin_mm,
        "camera": rig.name,
        "lens_mm": rig.lens_mm,
        "size": list(rig.size),
        "focal_px": round(vantage.camera.focal_px, 1),
        "focal_sigma": rig.focal_sigma,
        "tilt_deg": hung.tilt_deg,
        "height_mm": round(vantage.height_mm, 1),
        "over_mm": [round(value, 1) + 0.0 for value in vantage.foot_mm],
        "focus_mm": round(vantage.distance_mm, 1),
        "mm_per_px": [round(value, 4) for value in hung.mm_per_px],
        "parallax_mm": round(vantage.parallax_mm(), 3),
        "sigma_known_mm": round(hung.sigma_known_mm, 4),
        "sigma_unknown_mm": round(hung.sigma_unknown_mm, 4),
        "warnings": list(_warnings([hung])),
    }


def _within(low: float, high: float, unit: str) -> Callable[[str], float]:
    def value(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: write {low:g} to {high:g} {unit}")
        return number

    return value
