"""The maker's papers: what they show of pins and measures is what the program reads and computes.

SETMATCH_RECORD=1 writes the generated parts anew; look at the drawing then.
"""

import os
import re
import shlex
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

import pytest

from firmware import cli
from firmware.config import config_from
from hardware.drawing.arm import WIRES_MM
from hardware.drawing.wiring import wiring_svg
from hardware.optics import CAMERAS
from hardware.pins import Part, wiring, wiring_table
from tests.shared import setmatch

ROOT = Path(__file__).parents[2]
README = ROOT / "hardware" / "README.md"
ARM = ROOT / "hardware" / "arm.svg"
RECORD = os.environ.get("SETMATCH_RECORD") == "1"
EXAMPLE = Path(str(files("firmware") / "setmatch.example.toml"))


def parts_of(text: str, path: Path) -> tuple[Part, ...]:
    config = config_from(text, path)
    return wiring(config.panels(), config.pins(), config.lamps(), pull_up=config.buttons.pull_up)


def parts_of_the_example() -> tuple[Part, ...]:
    """The example with its commented keys in force: those that have no default, such as pins."""
    text = re.sub(r"^# ?(?=\[|\w+ = )", "", EXAMPLE.read_text(encoding="utf-8"), flags=re.M)
    return parts_of(text, EXAMPLE)


def parts_of_the_recommended_build() -> tuple[Part, ...]:
    """The configuration that the README has."""
    (text,) = re.findall(r"^```toml\n(.*?)^```$", README.read_text(encoding="utf-8"), flags=re.M | re.S)
    return parts_of(text, README)


@pytest.mark.parametrize(
    ("name", "parts"),
    [("wiring", parts_of_the_example), ("wiring-recommended", parts_of_the_recommended_build)],
)
def test_drawings_show_the_configurations_they_stand_by(
    name: str, parts: Callable[[], tuple[Part, ...]]
) -> None:
    drawing = README.with_name(f"{name}.svg")
    wanted = wiring_svg(parts(), "Set & Match smart board: wiring")
    if RECORD:
        drawing.write_text(wanted, encoding="utf-8")
    assert drawing.read_text(encoding="utf-8") == wanted


def shown_between(name: str, wanted: str) -> str:
    """What the README shows between two marks; `wanted` is written there when recording."""
    text = README.read_text(encoding="utf-8")
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, rest = text.split(start)
    shown, after = rest.split(end)
    if RECORD:
        README.write_text(before + start + wanted + end + after, encoding="utf-8")
        return wanted
    return shown


def table(*rows: Sequence[str]) -> str:
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def test_the_table_shows_the_example_of_a_configuration() -> None:
    rows = wiring_table(parts_of_the_example())
    wanted = table(("Part", "Terminal", "Wire", "Pin"), *rows)
    assert shown_between("wiring", wanted) == wanted
    assert len(rows) == 4 + 7 + 5 + 5


def test_the_heights_are_those_that_the_command_computes() -> None:
    names = {camera.sensor: camera.name for camera in CAMERAS}
    rows = [
        (
            names[row["camera"]],
            f"{row['lens_mm']:g} mm",
            f"{row['height_mm']:.0f} mm",
            "{:.2f} to {:.2f}".format(*row["mm_per_px"]),
            f"{row['parallax_mm']:.1f} mm",
            f"{row['sigma_known_mm']:.2f} mm",
            f"{row['sigma_unknown_mm']:.2f} mm",
        )
        for row in setmatch("camera-height", "--json").lines
    ]
    head = ("Camera", "Lens", "Height", "mm a pixel", "Parallax", "Sd, lens known", "Sd, unknown")
    wanted = table(head, *rows)
    assert shown_between("heights", wanted) == wanted


def test_the_arm_is_drawn_for_the_recommended_camera(tmp_path: Path) -> None:
    drawn = tmp_path / "arm.svg"
    options = ("--camera", "imx296", "--lens-mm", "6", "--tilt", "4", "--out", drawn)
    assert setmatch("camera-height", *options).code == 0
    if RECORD:
        ARM.write_bytes(drawn.read_bytes())
    assert ARM.read_text(encoding="utf-8") == drawn.read_text(encoding="utf-8")


def test_the_wires_that_are_bought_are_those_that_the_arm_is_drawn_for() -> None:
    text = " ".join(README.read_text(encoding="utf-8").split())
    (bought,) = re.findall(r"\| Jumper wires \|.*?\|$", README.read_text(encoding="utf-8"), flags=re.M)
    first, second = (f"{wire / 10:g} cm" for wire in WIRES_MM)
    assert re.findall(r"\d+ cm", bought) == [first, second]
    assert f"{first} of wire from the Pi to the breadboard and {second} from there" in text
    # What the small print and the list of troubles say that I2C bears.
    longest = f"{sum(WIRES_MM) / 10:g} cm"
    assert f"{longest} in all" in text
    assert f"Wires no longer than {longest}" in text
    assert f"a wire longer than {longest}" in text


def test_commands_and_keys_of_the_papers_exist() -> None:
    text = README.read_text(encoding="utf-8")
    commands = re.findall(r"(?:^       \$ |`)(?:sudo (?:-u \w+ )?)?(setmatch [^`\n]+)", text, flags=re.M)
    assert len(commands) >= 10
    for command in commands:
        words = shlex.split(command)
        if not words[1].startswith("-"):
            assert callable(cli.parser().parse_args(words[1:]).run), command
    example = EXAMPLE.read_text(encoding="utf-8")
    for key in ("lens_mm", "mains_hz", "pull_up", "rotation", "source"):
        assert f"{key} = " in example
        assert f"`{key}" in text
