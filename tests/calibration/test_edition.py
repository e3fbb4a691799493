"""Board files: what is read from them, and the line and reason of everything that can be wrong."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.edition import BOARDS, Edition, edition_names, load_edition
from calibration.errors import EditionError
from calibration.layout import Figure
from tests.shared import shared_footage

CLASSIC = (BOARDS / "classic.toml").read_text(encoding="utf-8")

SMALL = """\
name = "small"
extent = { x = [-250, 250], y = [-125, 225] }
[ball]
diameter = 22
height = 6
dot_diameter = 3
[lines]
court = 3
zone = 1
net = 3
[court]
baseline = 220
singles = 76
doubles = 102
service_line = 118
[[zone]]
points = 1
polygon = [
  [0, -76],
  [110, -76],  # a comment with [brackets] and "quotes"
  [110, 76],
  [0, 76],
]
[[zone]]
points = 2
polygon = [[110, -76], [220, -76], [220, 76], [110, 76]]
[[ace]]
polygon = [[118, 76], [118, 58], [100, 76]]
[[bonus]]
name = "dropshot"
printed = true
polygon = [[0, -76], [34, -76], [34, 76], [0, 76]]
[[bonus]]
name = "crosscourt"
polygon = [[0, 46], [220, 46], [220, 76], [0, 76]]
[[bonus]]
name = "crosscourt"
polygon = [[0, -76], [220, -76], [220, -46], [0, -46]]
[figures]
height = 6
one = [[50, 20]]
two = [[150, 20], [150, -20]]
"""


def loaded(tmp_path: Path, text: str) -> Edition:
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    return load_edition(str(path))


def edited(old: str, new: str) -> str:
    assert SMALL.count(old) >= 1, f"the small board has no {old!r}"
    return SMALL.replace(old, new, 1)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_classic_is_known_by_name() -> None:
    classic = load_edition("classic", require_zones=True)
    assert "classic" in edition_names()
    assert classic.name == "classic"
    assert classic.ball.diameter_mm == 22.0
    assert [zone.points for zone in classic.zones] == [0, 1, 2]
    assert len(classic.aces) == 2
    assert classic.lines.zone_dash_mm is None
    assert Figure(2, (210.0, 24.0)) in classic.figures


def test_the_editions_that_come_with_the_package() -> None:
    assert edition_names() == ("classic", "classic-gap", "maxi")
    for name in edition_names():
        board = load_edition(name, require_zones=True)
        assert board.name == name
        text = (BOARDS / f"{name}.toml").read_text(encoding="utf-8")
        assert "estimate" in text.split("name =")[0].lower(), name
        assert not any(line.strip() for line in text.split("name =")[0].splitlines() if line[:1] != "#")
    assert load_edition("classic-gap").gap_mm == 8.0
    assert load_edition("maxi").ball.diameter_mm == 44.0


def test_a_name_that_no_file_can_have_is_refused_as_any_other() -> None:
    for name in ("x" * 5000, "a\0b"):
        with pytest.raises(EditionError, match="no board is called"):
            load_edition(name)


def test_an_edition_is_a_value(tmp_path: Path) -> None:
    assert loaded(tmp_path, SMALL) == loaded(tmp_path, SMALL)
    assert loaded(tmp_path, SMALL) != loaded(tmp_path, edited("singles = 76", "singles = 76.0001"))
    assert len({loaded(tmp_path, SMALL), loaded(tmp_path, SMALL)}) == 1


def test_everything_optional(tmp_path: Path) -> None:
    text = edited("net = 3\n", "net = 3\nzone_dash = [4, 2.5]\n").replace(
        "[ball]", "gap = 12\nmirror = true\nhalf_turn = true\njoin = 'net'\n[ball]", 1
    )
    text = text.replace("service_line = 118", "service_line = 118\ncentre_mark = 9", 1)
    text = text.replace("printed = true", "printed = true\nlabel = [20, 3]", 1)
    edition = loaded(tmp_path, text)
    assert edition.gap_mm == 12.0
    assert edition.lines.zone_dash_mm == (4.0, 2.5)
    assert edition.court.centre_mark_mm == 9.0
    assert edition.bonuses[0].label == (20.0, 3.0)


def test_twice_the_size(tmp_path: Path) -> None:
    doubled = re.sub(
        r"(?<![\w.])-?\d+(\.\d+)?",
        lambda number: f"{2 * float(number[0]):g}",
        SMALL.split("[[zone]]")[0],
    )
    assert loaded(tmp_path, doubled).ball.diameter_mm == 44.0


@pytest.mark.parametrize("name", ["wedges", "discs", "uneven"])
def test_other_boards(name: str) -> None:
    board = load_edition(str(shared_footage("layouts", name, "board.toml")), require_zones=True)
    court = load_edition(str(shared_footage("layouts", name, "court.toml")))
    assert board.court == court.court
    assert board.zones
    assert not court.zones


def test_a_court_alone_is_no_board_to_judge_on(tmp_path: Path) -> None:
    path = tmp_path / "court.toml"
    path.write_text(SMALL.split("[[zone]]")[0], encoding="utf-8")
    assert load_edition(str(path)).zones == ()
    with pytest.raises(EditionError, match=r"court\.toml.*no point zones.*\[\[zone\]\]"):
        load_edition(str(path), require_zones=True)


def test_unknown_names_and_paths(tmp_path: Path) -> None:
    with pytest.raises(EditionError, match=r"'klassic'.*classic"):
        load_edition("klassic")
    with pytest.raises(EditionError, match=r"absent\.toml.*cannot be read.*check the path"):
        load_edition(str(tmp_path / "absent.toml"))
    with pytest.raises(EditionError, match="cannot be read"):
        load_edition(str(tmp_path))
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(EditionError, match="not a text in UTF-8"):
        load_edition(str(tmp_path / "picture.toml"))
    (tmp_path / "broken.toml").write_text('name = "x\n', encoding="utf-8")
    with pytest.raises(EditionError, match=r"broken\.toml.*not valid TOML.*line 1"):
        load_edition(str(tmp_path / "broken.toml"))


FAULTS = {
    # what to change: (old, new, where the fault is reported, what is said)
    "misspelt key": ("singles = 76", "single = 76", "single = 76", "did you mean 'singles'"),
    "unknown key": (
        "net = 3",
        "net = 3\nsheen = 1",
        "sheen = 1",
        "not a known key.*allowed: .*zone_dash",
    ),
    "unknown table": ("[figures]", "[colours]\nred = 1\n[figures]", "[colours]", "not a known key"),
    "missing key": ("service_line = 118\n", "", "[court]", "no key 'service_line'"),
    "missing table": ("[lines]\ncourt = 3\nzone = 1\nnet = 3\n", "", "name =", "no key 'lines'"),
    "text for number": ("height = 6", 'height = "6"', 'height = "6"', "must be a number"),
    "truth for number": ("height = 6", "height = true", "height = true", "must be a number"),
    "not a number": ("height = 6", "height = nan", "height = nan", "must be a number"),
    "negative width": ("zone = 1", "zone = -1", "zone = -1", "more than 0"),
    "zero width": ("court = 3", "court = 0", "court = 0", "more than 0"),
    "huge ball": ("diameter = 22", "diameter = 2200", "diameter = 2200", "at most 200"),
    "dot over ball": ("dot_diameter = 3", "dot_diameter = 22", "dot_diameter = 22", "less than"),
    "name": ('name = "small"', 'name = ""', 'name = ""', "1 to 64 characters"),
    "extent without net": ("x = [-250, 250]", "x = [10, 250]", "extent", "net lies at 0"),
    "three numbers": ("x = [-250, 250]", "x = [-250, 0, 250]", "extent", "two numbers"),
    "half turn": ("[ball]", "half_turn = false\n[ball]", "half_turn", "only half turns"),
    "join": ("[ball]", 'join = "edge"\n[ball]', "join", "allowed: net"),
    "number for truth": ("[ball]", "mirror = 1\n[ball]", "mirror", "true or false"),
    "gap beyond": ("[ball]", "gap = 118\n[ball]", "gap", "less than the service line"),
    "negative gap": ("[ball]", "gap = -1\n[ball]", "gap", "at least 0"),
    "dash": ("net = 3", "net = 3\nzone_dash = [4, 0]", "zone_dash", "more than 0"),
    "service line": ("service_line = 118", "service_line = 219", "service_line", "at most 217"),
    "baseline": ("baseline = 220", "baseline = 251", "baseline = 251", "at most 250"),
    "singles": ("singles = 76", "singles = 101", "singles = 101", "at most 99"),
    "doubles": ("doubles = 102", "doubles = 126", "doubles = 126", "at most 125"),
    "mark": ("baseline = 220", "centre_mark = 2\nbaseline = 220", "centre_mark", "between 3 and"),
    "points too high": ("points = 2", "points = 10", "points = 10", "from 0 to 9"),
    "points negative": ("points = 2", "points = -1", "points = -1", "from 0 to 9"),
    "points broken": ("points = 2", "points = 1.5", "points = 1.5", "whole number"),
    "two corners": (
        "polygon = [[118, 76], [118, 58], [100, 76]]",
        "polygon = [[118, 76], [118, 58]]",
        "polygon = [[118, 76]",
        "at least 3 points",
    ),
    "text for point": ("  [110, 76],", '  ["110", 76],', '  ["110"', "must be a number"),
    "point far away": ("  [110, 76],", "  [110, 7600],", "  [110, 7600]", "within 5000"),
    "zone leaves court": ("  [110, 76],", "  [110, 77],", "  [110, 77]", "outside the singles"),
    "repeated corner": (
        "  [110, 76],",
        "  [110, -76],\n  [110, 76],",
        "  [110, -76],\n",
        "repeats",
    ),
    "edges cross": (
        "[[110, -76], [220, -76], [220, 76], [110, 76]]",
        "[[110, -76], [220, 76], [220, -76], [110, 76]]",
        "polygon = [[110, -76], [220",
        "let no edges cross",
    ),
    "gap between zones": (
        "[[110, -76], [220, -76], [220, 76], [110, 76]]",
        "[[111, -76], [220, -76], [220, 76], [111, 76]]",
        "[[zone]]",
        r"leave \[110.50, -75.99\] of the half court free",
    ),
    "zones overlap": (
        "[[110, -76], [220, -76], [220, 76], [110, 76]]",
        "[[109, -76], [220, -76], [220, 76], [109, 76]]",
        "polygon = [[109",
        "overlaps zone 1",
    ),
    "not mirrored": (
        "[ball]",
        "mirror = true\n[ball]",
        "mirror",
        "worth",
    ),
    "hole unfilled": (
        "points = 2\n",
        "points = 2\nholes = [[[150, 0], [160, 0], [160, 9]]]\n",
        "holes =",
        "filled by no zone",
    ),
    "ace leaves box": ("[100, 76]]", "[100, 77]]", "polygon = [[118", "outside the service box"),
    "bonus name": ('"dropshot"', '"dropshop"', '"dropshop"', "did you mean 'dropshot'"),
    "bonus twice": (
        'name = "dropshot"',
        'name = "dropshot"\npolygon = [[0, -76], [9, -76], [9, 76]]\n[[bonus]]\nname = "dropshot"',
        None,
        "once too often",
    ),
    "one crosscourt": (
        '[[bonus]]\nname = "crosscourt"\npolygon = [[0, -76], [220, -76], [220, -46], [0, -46]]\n',
        "",
        'name = "crosscourt"',
        "a left and a right",
    ),
    "right before left": (
        "polygon = [[0, 46], [220, 46], [220, 76], [0, 76]]",
        "polygon = [[0, -70], [220, -70], [220, -76], [0, -76]]",
        "polygon = [[0, -70]",
        "list the left",
    ),
    "outline not printed": (
        'name = "crosscourt"\n',
        'name = "crosscourt"\noutline = [[[0, 46], [9, 46]]]\n',
        "outline",
        "printed is not true",
    ),
    "label off the board": (
        "printed = true",
        "printed = true\nlabel = [300, 0]",
        "label",
        "outside the printed board",
    ),
    "figure in another zone": (
        "one = [[50, 20]]",
        "one = [[120, 20]]",
        "one = [[",
        "zone of 2 points",
    ),
    "figure off the court": (
        "one = [[50, 20]]",
        "one = [[50, 90]]",
        "one = [[",
        "outside the singles",
    ),
    "figure of ten": ("one = [[50, 20]]", "ten = [[50, 20]]", "ten =", "not a known key"),
    "no tables": ("[[ace]]", "[ace]", "[ace]", r"\[\[ace\]\]"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_told_with_its_line(tmp_path: Path, fault: str) -> None:
    old, new, where, said = FAULTS[fault]
    text = edited(old, new)
    if fault == "not mirrored":
        text = text.replace("  [110, 76],", "  [90, 76],", 1).replace(
            "[220, 76], [110, 76]]", "[220, 76], [90, 76]]", 1
        )
    with pytest.raises(EditionError, match=said) as caught:
        loaded(tmp_path, text)
    told = str(caught.value)
    assert "\n" not in told
    line = int(re.search(r"board\.toml, line (\d+): ", told)[1])  # type: ignore[index]
    if where is None:
        where = 'name = "dropshot"\nprinted'
    assert line == line_of(text, where), told


def test_a_hole_must_be_filled_by_an_earlier_zone(tmp_path: Path) -> None:
    first, second = (part for part in CLASSIC.split("[[zone]]\n")[1:3])
    swapped = CLASSIC.replace(first, "@", 1).replace(second, first, 1).replace("@", second, 1)
    with pytest.raises(EditionError, match=r"zone\[1\]\.holes.*listed later") as caught:
        loaded(tmp_path, swapped)
    assert f"line {line_of(swapped, 'holes')}:" in str(caught.value)


def test_lines_are_those_of_the_nth_zone_and_corner(tmp_path: Path) -> None:
    text = edited("  [110, 76],", "  [110, 76.5],")
    with pytest.raises(EditionError, match=r"line 21: zone\[1\]\.polygon\[3\] is \[110, 76.5\]"):
        loaded(tmp_path, text)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, SMALL.count("\n") - 1),
    st.sampled_from(["", "x = 1", "]", "polygon = 3", "=", '"""']),
)
def test_no_damage_ends_in_anything_but_an_edition_error(
    tmp_path_factory: pytest.TempPathFactory, line: int, instead: str
) -> None:
    lines = SMALL.split("\n")
    lines[line] = instead
    path = tmp_path_factory.mktemp("damaged") / "board.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    try:
        told = load_edition(str(path)).name + str(path)
    except EditionError as error:
        told = str(error)
    assert str(path) in told
