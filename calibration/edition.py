"""A board edition: what is printed on a board, as data, and how it is read from its file.

The file's schema is told in boards/README.md. Nothing in here knows one edition's shapes, sees a
picture or judges a ball.
"""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import msgspec

from calibration.box_zero import zero_of_box
from calibration.edition_checks import check_shapes, check_values
from calibration.edition_file import DIGITS, Table, read_table
from calibration.errors import EditionError
from calibration.layout import BallSize, Bonus, BonusName, Court, Figure, Layout, LineWidths, Zone
from calibration.polygons import Point
from calibration.printed_lines import PrintedLine, printed_lines
from calibration.zones import BOX_SIDES, BoxSide, ZoneMap

BOARDS = Path(__file__).parent / "boards"
_KEYS = {
    "": (
        "name",
        "extent",
        "join",
        "half_turn",
        "mirror",
        "gap",
        "ball",
        "lines",
        "court",
        "zone",
        "ace",
        "bonus",
        "figures",
    ),
    "extent": ("x", "y"),
    "ball": ("diameter", "height", "dot_diameter"),
    "lines": ("court", "zone", "net", "zone_dash"),
    "court": ("baseline", "singles", "doubles", "service_line", "centre_mark"),
    "zone": ("points", "polygon", "holes"),
    "ace": ("polygon",),
    "bonus": ("name", "polygon", "printed", "outline", "label"),
    "figures": ("height", *DIGITS),
}
_BONUS_NAMES: dict[str, BonusName] = {
    "dropshot": "dropshot",
    "backcourt": "backcourt",
    "crosscourt": "crosscourt",
}


@dataclass(frozen=True)
class Edition(Layout):
    """A board, and what follows from its layout, each worked out when it is first asked for."""

    @cached_property
    def zone_map(self) -> ZoneMap:
        """Where the point values of this edition change."""
        return ZoneMap(self)

    @cached_property
    def printed_lines(self) -> tuple[PrintedLine, ...]:
        """Everything printed as a line, on both halves; crossings are left in."""
        return printed_lines(self, self.zone_map)

    def zero_mm(self, side: BoxSide) -> Point:
        """Where the 0 of a service box of the half x > 0 is (see `zero_of_box`); the right box is
        the one at y < 0, on the right of who plays into it."""
        return self._zeros_mm[side]

    @cached_property
    def digest(self) -> str:
        """Tells boards apart that are not the same in every figure, whatever they are called."""
        data = msgspec.json.encode(replace(self, name=""))
        return hashlib.sha256(data).hexdigest()[:16]

    @cached_property
    def _zeros_mm(self) -> dict[BoxSide, Point]:
        return {side: zero_of_box(self, self.zone_map, side) for side in BOX_SIDES}


def edition_names() -> tuple[str, ...]:
    """The editions that come with the package."""
    return tuple(sorted(path.stem for path in BOARDS.glob("*.toml")))


def load_edition(name_or_path: str, *, require_zones: bool = False) -> Edition:
    """The edition of that name from the package, or the one in that file.

    A file without zones is a court alone; with `require_zones` it is refused. `EditionError` names
    the file, the line and what would be right.
    """
    path, known = Path(name_or_path), edition_names()
    if name_or_path in known:
        path = BOARDS / f"{name_or_path}.toml"
    elif path.suffix != ".toml" and not _exists(path):
        raise EditionError(
            f"no board is called {name_or_path!r}; known: {', '.join(known)}; or give a file NAME.toml"
        )
    top = read_table(path, _KEYS[""])
    edition = _edition(top)
    if require_zones and not edition.zones:
        top.source.fail((), "has no point zones; describe each under a line [[zone]]")
    check_shapes(edition, top.source.fail)
    check_values(edition, edition.zone_map, top.source.fail)
    return edition


def _exists(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have names none."""
    try:
        return path.exists()
    except OSError:
        return False


def _edition(top: Table) -> Edition:
    extent = top.table("extent", _KEYS["extent"])
    extent_x, extent_y = extent.pair("x"), extent.pair("y")
    if top.has("join"):
        top.text("join", ("net",))
    if not top.flag("half_turn", True):
        top.fail("half_turn", "is false; only half turns are known, leave it out")
    figures, height = _figures(top)
    return Edition(
        name=top.text("name"),
        extent_x_mm=extent_x,
        extent_y_mm=extent_y,
        ball=_ball(top.table("ball", _KEYS["ball"])),
        lines=_lines(top.table("lines", _KEYS["lines"])),
        court=_court(top.table("court", _KEYS["court"])),
        zones=tuple(_zone(table) for table in top.tables("zone", _KEYS["zone"])),
        aces=tuple(table.points("polygon", 3) for table in top.tables("ace", _KEYS["ace"])),
        bonuses=tuple(_bonus(table) for table in top.tables("bonus", _KEYS["bonus"])),
        figures=figures,
        figure_height_mm=height,
        gap_mm=top.number("gap", above=False) if top.has("gap") else 0.0,
        mirror=top.flag("mirror", False),
    )


def _ball(table: Table) -> BallSize:
    ball = BallSize(
        table.number("diameter", high=200.0),
        table.number("height", high=100.0),
        table.number("dot_diameter", high=100.0),
    )
    if ball.dot_diameter_mm >= ball.diameter_mm:
        table.fail("dot_diameter", f"must be less than the ball's diameter, {ball.diameter_mm:g}")
    return ball


def _lines(table: Table) -> LineWidths:
    dash = table.pair("zone_dash", positive=True) if table.has("zone_dash") else None
    return LineWidths(
        table.number("court", high=50.0),
        table.number("zone", high=50.0),
        table.number("net", high=50.0),
        dash,
    )


def _court(table: Table) -> Court:
    mark = table.number("centre_mark") if table.has("centre_mark") else None
    return Court(
        table.number("baseline"),
        table.number("singles"),
        table.number("doubles"),
        table.number("service_line"),
        mark,
    )


def _zone(table: Table) -> Zone:
    return Zone(table.whole("points", 0, 9), table.points("polygon", 3), table.lists_of_points("holes", 3))


def _bonus(table: Table) -> Bonus:
    bonus = Bonus(
        _BONUS_NAMES[table.text("name", _BONUS_NAMES)],
        table.points("polygon", 3),
        table.flag("printed", False),
        table.lists_of_points("outline", 2),
        table.pair("label") if table.has("label") else None,
    )
    if bonus.outline and not bonus.printed:
        table.fail("outline", "lists printed lines, but printed is not true; set it or drop the lines")
    return bonus


def _figures(top: Table) -> tuple[tuple[Figure, ...], float | None]:
    if not top.has("figures"):
        return (), None
    table = top.table("figures", _KEYS["figures"])
    height = table.number("height", high=100.0)
    found = tuple(
        Figure(points, at)
        for points, digit in enumerate(DIGITS)
        if table.has(digit)
        for at in table.points(digit, 1)
    )
    return found, height
