"""`setmatch wiring`: which wire of a configuration's parts goes to which pin, as a table and as a drawing.

The command only; what goes where is in `hardware.pins`, how it is drawn in `hardware.drawing`.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from firmware.commands.outputs import check_output, replacing
from firmware.errors import InputError

_COLUMNS = ("part", "terminal", "wire", "pin")
_TITLE = "Set & Match smart board: wiring"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "wiring",
        help="which pin each wire goes to, as a table and a drawing",
        description="Prints how the panels, buttons and lamps of a configuration are wired to the Pi's "
        "header. A pin is named as GPIO number and, in brackets, place on the header.",
    )
    parser.add_argument(
        "--config", required=True, type=Path, metavar="FILE", help="the configuration that names the parts"
    )
    parser.add_argument(
        "--out", type=Path, metavar="OUT.svg", help="where the drawing goes (default: nowhere)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a wire (default: a table)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the wires and draw them; `InputError` where nothing is wired."""
    from firmware.config import load_config
    from hardware.drawing.wiring import wiring_svg
    from hardware.pins import wiring, wiring_table

    config = load_config(args.config)
    parts = wiring(config.panels(), config.pins(), config.lamps(), pull_up=config.buttons.pull_up)
    if not parts:
        raise InputError(
            f"{args.config} names no panels and no buttons; take their lines from "
            "firmware/setmatch.example.toml, without the # before them"
        )
    if args.out is not None:
        check_output("--out", args.out, [args.config])
        drawing = wiring_svg(parts, _TITLE)
        with replacing(args.out) as new:
            new.write_text(drawing, encoding="utf-8")
    rows = wiring_table(parts)
    if args.json:
        for row in rows:
            print(json.dumps({"kind": "wire", **dict(zip(_COLUMNS, row, strict=True))}))
    else:
        print(*_lines([_COLUMNS, *rows]), sep="\n")
    return 0


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
