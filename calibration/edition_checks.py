"""Whether an edition makes sense: sizes that fit one another, zones that tile, figures in place.

Each fault is told through `fail(path, reason)`, which knows the file and its lines.
"""

from collections.abc import Callable
from typing import NoReturn

import numpy as np

from calibration.edition_file import DIGITS, KeyPath
from calibration.layout import Layout
from calibration.polygons import (
    Array,
    Point,
    Rings,
    Segments,
    area_mm2,
    atoms,
    clipped,
    edges_of,
    first_crossing,
    holds,
    joined,
)
from calibration.zones import ZoneMap

Fail = Callable[[KeyPath, str], NoReturn]

_CLOSE_MM = 0.02
_LEAST_AREA_MM2 = 0.01


def check_shapes(layout: Layout, fail: Fail) -> None:
    """Tell the first fault of sizes and shapes; return when there is none: zones can be worked out then."""
    _check_sizes(layout, fail)
    for i, zone in enumerate(layout.zones):
        _check_polygon(zone.polygon, ("zone", i, "polygon"), fail)
        _check_in_court(layout, zone.polygon, ("zone", i, "polygon"), fail)
        for j, hole in enumerate(zone.holes):
            _check_polygon(hole, ("zone", i, "holes", j), fail)
    if layout.zones:
        _check_tiling(layout, fail)
    _check_aces(layout, fail)
    _check_bonuses(layout, fail)


def check_values(layout: Layout, zones: ZoneMap, fail: Fail) -> None:
    """Tell the first place whose value is not as the file says: what a mirror shows, and printed figures."""
    if not layout.zones:
        return
    if layout.mirror:
        _check_mirror(zones, fail)
    _check_figures(layout, zones, fail)


def _check_sizes(layout: Layout, fail: Fail) -> None:
    court, lines = layout.court, layout.lines
    (x0, x1), (y0, y1) = layout.extent_x_mm, layout.extent_y_mm
    if not (x0 < 0.0 < x1 and abs(x0 + x1) <= _CLOSE_MM):
        fail(("extent", "x"), f"is [{x0:g}, {x1:g}]; the net lies at 0, in the middle of the two")
    if not y0 < 0.0 < y1:
        fail(("extent", "y"), f"is [{y0:g}, {y1:g}]; the court's middle, 0, must lie between")
    rules = (
        ("service_line", court.service_line_mm, court.baseline_mm - lines.court_mm, "the baseline"),
        ("baseline", court.baseline_mm, x1, "the printed board's end"),
        ("singles", court.singles_mm, court.doubles_mm - lines.court_mm, "the doubles line"),
        ("doubles", court.doubles_mm, min(-y0, y1), "the printed board's side"),
    )
    for key, value, most, beyond in rules:
        if value > most:
            fail(("court", key), f"is {value:g}; it must be at most {most:g} to keep within {beyond}")
    for key, value in (("service_line", court.service_line_mm), ("singles", court.singles_mm)):
        if value <= 2.0 * lines.court_mm + lines.net_mm:
            fail(("court", key), f"is {value:g}; too short beside lines {lines.court_mm:g} wide")
    mark = court.centre_mark_mm
    if mark is not None and not lines.court_mm < mark < court.baseline_mm - court.service_line_mm:
        least, most = lines.court_mm, court.baseline_mm - court.service_line_mm
        fail(("court", "centre_mark"), f"is {mark:g}; it must be between {least:g} and {most:g}")
    if layout.gap_mm >= court.service_line_mm:
        fail(("gap",), f"is {layout.gap_mm:g}; it must be less than the service line's distance")


def _check_polygon(polygon: "tuple[Point, ...]", path: KeyPath, fail: Fail) -> None:
    corners = np.array(polygon)
    steps = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if steps.min() <= 1e-6:
        i = int(np.argmin(steps))
        reason = "repeats the one before it; polygons close by themselves"
        fail((*path, (i + 1) % len(corners)), reason)
    crossing = first_crossing(corners)
    if crossing is not None:
        i, j = crossing
        fail((*path, i), f"begins an edge that meets the edge from point {j + 1}; let no edges cross")
    if abs(area_mm2(corners)) < _LEAST_AREA_MM2:
        fail(path, "encloses nothing; give its corners in order")


def _check_in_court(layout: Layout, polygon: "tuple[Point, ...]", path: KeyPath, fail: Fail) -> None:
    court = layout.court
    for i, (x, y) in enumerate(polygon):
        if not (-_CLOSE_MM <= x <= court.baseline_mm + _CLOSE_MM and abs(y) <= court.singles_mm + _CLOSE_MM):
            fail(
                (*path, i),
                f"is [{x:g}, {y:g}], outside the singles half court: x 0 to {court.baseline_mm:g}, "
                f"y -{court.singles_mm:g} to {court.singles_mm:g}",
            )


def _check_tiling(layout: Layout, fail: Fail) -> None:
    """Every place of the half court in exactly one zone. Each region between edges is looked into
    from beside all of its edges, so none is missed that is wider than two hundredths of a
    millimetre."""
    court, gap = layout.court, layout.gap_mm
    box_x, box_y = (gap, court.baseline_mm), (-court.singles_mm, court.singles_mm)
    border = [(gap, box_y[0]), (box_x[1], box_y[0]), (box_x[1], box_y[1]), (gap, box_y[1])]
    rings = [zone.polygon for zone in layout.zones]
    holes = [hole for zone in layout.zones for hole in zone.holes]
    pieces = clipped(atoms(joined(edges_of(ring) for ring in (*rings, *holes, border))), box_x, box_y)
    probes = np.concatenate(pieces.sides())
    near = 0.5 * _CLOSE_MM * 0.9
    inside = (
        (probes[:, 0] > gap + near)
        & (probes[:, 0] < box_x[1] - near)
        & (np.abs(probes[:, 1]) < box_y[1] - near)
    )
    probes = probes[inside]
    outer = Rings(rings).hold(probes)
    owned = outer.copy()
    for i, zone in enumerate(layout.zones):
        for hole in zone.holes:
            owned[i] &= ~holds(hole, probes)
    owners = owned.sum(axis=0)
    for k in np.flatnonzero(owners != 1):
        x, y = probes[k]
        if owners[k] == 0:
            _tell_uncovered(layout, probes[k], fail)
        first, second = np.flatnonzero(owned[:, k]).tolist()[:2]
        fail(
            ("zone", second, "polygon"),
            f"overlaps zone {first + 1} at [{x:.2f}, {y:.2f}]; cut a hole or move the edge",
        )
    wrong = np.flatnonzero(outer.argmax(axis=0) != owned.argmax(axis=0))
    if len(wrong):
        k = wrong[0]
        x, y = probes[k]
        over, under = int(outer[:, k].argmax()), int(owned[:, k].argmax())
        fail(
            ("zone", over, "holes"),
            f"is filled at [{x:.2f}, {y:.2f}] by zone {under + 1}, listed later; list it earlier",
        )


def _tell_uncovered(layout: Layout, place: Array, fail: Fail) -> NoReturn:
    where = f"[{place[0]:.2f}, {place[1]:.2f}]"
    for i, zone in enumerate(layout.zones):
        for j, hole in enumerate(zone.holes):
            if holds(hole, place)[0]:
                fail(("zone", i, "holes", j), f"is filled by no zone at {where}; list that zone too")
    fail(("zone",), f"polygons leave {where} of the half court free; they must tile it")


def _check_mirror(zones: ZoneMap, fail: Fail) -> None:
    pieces, flip = zones.pieces, (1.0, -1.0)
    both = atoms(joined((pieces, Segments(pieces.starts * flip, pieces.ends * flip))))
    probes = np.concatenate(both.sides())
    here = zones.values_at(probes)
    there = zones.values_at(probes * flip)
    for k in np.flatnonzero(here != there):
        x, y = probes[k]
        fail(
            ("mirror",),
            f"is true, but [{x:.2f}, {y:.2f}] is worth {here[k]} and [{x:.2f}, {-y:.2f}] is worth "
            f"{there[k]}; set it to false or correct the zones",
        )


def _check_aces(layout: Layout, fail: Fail) -> None:
    court = layout.court
    for i, polygon in enumerate(layout.aces):
        path: KeyPath = ("ace", i, "polygon")
        _check_polygon(polygon, path, fail)
        for j, (x, y) in enumerate(polygon):
            if not (
                -_CLOSE_MM <= x <= court.service_line_mm + _CLOSE_MM
                and -_CLOSE_MM <= y <= court.singles_mm + _CLOSE_MM
            ):
                fail(
                    (*path, j),
                    f"is [{x:g}, {y:g}], outside the service box: x 0 to "
                    f"{court.service_line_mm:g}, "
                    f"y 0 to {court.singles_mm:g}",
                )


def _check_bonuses(layout: Layout, fail: Fail) -> None:
    (x0, x1), (y0, y1) = layout.extent_x_mm, layout.extent_y_mm
    seen: dict[str, int] = {}
    for i, bonus in enumerate(layout.bonuses):
        _check_polygon(bonus.polygon, ("bonus", i, "polygon"), fail)
        _check_in_court(layout, bonus.polygon, ("bonus", i, "polygon"), fail)
        for j, line in enumerate(bonus.outline):
            _check_in_court(layout, line, ("bonus", i, "outline", j), fail)
        seen[bonus.name] = seen.get(bonus.name, 0) + 1
        if seen[bonus.name] > (2 if bonus.name == "crosscourt" else 1):
            most = "two crosscourt zones" if bonus.name == "crosscourt" else f"one {bonus.name} zone"
            fail(("bonus", i, "name"), f"is {bonus.name!r} once too often; a half has at most {most}")
        if bonus.label is not None and not (x0 <= bonus.label[0] <= x1 and y0 <= bonus.label[1] <= y1):
            fail(("bonus", i, "label"), "lies outside the printed board")
    pair = [(i, bonus) for i, bonus in enumerate(layout.bonuses) if bonus.name == "crosscourt"]
    if len(pair) == 1:
        fail(
            ("bonus", pair[0][0], "name"),
            "is the only crosscourt zone; there must be a left and a right",
        )
    if len(pair) == 2:
        left, right = (float(np.mean(np.array(bonus.polygon)[:, 1])) for _, bonus in pair)
        if left <= right:
            fail(
                ("bonus", pair[0][0], "polygon"),
                "is the right one of the pair; list the left (y > 0) first",
            )


def _check_figures(layout: Layout, zones: ZoneMap, fail: Fail) -> None:
    counts = dict.fromkeys(range(len(DIGITS)), -1)
    for figure in layout.figures:
        counts[figure.points] += 1
        x, y = figure.at_mm
        path: KeyPath = ("figures", DIGITS[figure.points], counts[figure.points])
        _check_in_court(layout, (figure.at_mm,), path[:2], fail)
        value = int(zones.values_at(np.array([figure.at_mm]))[0])
        if value != figure.points:
            fail(
                path,
                f"is [{x:g}, {y:g}], which lies in a zone of {value} points; move it into its own",
            )
