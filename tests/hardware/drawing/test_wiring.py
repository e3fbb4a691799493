"""The drawing of the wiring: nothing lies over anything else, every wire is there, and it is well-formed.

That the picture in the repository is that of the example of a configuration is tested with the papers.
"""

from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.button import BUTTONS
from hardware.drawing.wiring import wiring_svg
from hardware.panel import I2cBus, PanelSpec, SpiBus
from hardware.pins import Part, wiring

SVG = "{http://www.w3.org/2000/svg}"
FREE = (4, 5, 6, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 26, 27)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Part, ...]:
    """Any buttons and lamps on any free pins, and up to two panels on each bus."""
    pins = draw(st.permutations(FREE))
    some = draw(st.lists(st.sampled_from(BUTTONS), unique=True))
    lit = draw(st.lists(st.sampled_from(some), unique=True)) if some else []
    at = iter(pins)
    panels = [
        ("game", PanelSpec("ssd1306", I2cBus(1, 0x3C + number))) for number in range(draw(st.integers(0, 2)))
    ]
    panels += [
        ("in-rally", PanelSpec("ssd1322", SpiBus(0, number, reset_pin=25 if number == 0 else None)))
        for number in range(draw(st.integers(0, 2)))
    ]
    return wiring(
        panels,
        {button: next(at) for button in some},
        {button: next(at) for button in lit},
        pull_up=draw(st.booleans()),
    )


def drawn(parts: tuple[Part, ...]) -> ElementTree.Element:
    return ElementTree.fromstring(wiring_svg(parts, "Wiring"))


def label_boxes(svg: ElementTree.Element) -> list[tuple[float, float, float, float, str]]:
    """Where words are: left, top, right, bottom. Letters of the font are
    0.49 to 0.54 of their size wide, on average over a label."""
    boxes = []
    for text in svg.iter(f"{SVG}text"):
        words, size = text.text or "", float(text.get("font-size", "0"))
        x, y = float(text.get("x", "0")), float(text.get("y", "0"))
        width = 0.56 * size * len(words)
        left = {"start": x, "middle": x - width / 2, "end": x - width}[text.get("text-anchor", "start")]
        boxes.append((left, y - 0.73 * size, left + width, y, words))
    return boxes


@given(tables())
@settings(max_examples=40)
def test_no_words_lie_over_others_or_leave_the_sheet(parts: tuple[Part, ...]) -> None:
    svg = drawn(parts)
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    boxes = label_boxes(svg)
    for left, top, right, bottom, words in boxes:
        assert left >= 0, words
        assert right <= width, words
        assert top >= 0, words
        assert bottom <= height, words
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


@given(tables())
@settings(max_examples=40)
def test_wires_of_different_pins_never_share_a_way(parts: tuple[Part, ...]) -> None:
    """Lines may cross, but two of them never run along the same line: which is which would be lost."""
    stretches: list[tuple[bool, float, float, float, str]] = []
    for line in drawn(parts).iter(f"{SVG}polyline"):
        if line.get("stroke-width") != "3":
            continue
        corners = [tuple(map(float, pair.split(","))) for pair in line.get("points", "").split()]
        pin = str(corners[0])
        for (x0, y0), (x1, y1) in pairwise(corners):
            if x0 == x1 and y0 != y1:
                stretches.append((True, x0, min(y0, y1), max(y0, y1), pin))
            elif x0 != x1:
                stretches.append((False, y0, min(x0, x1), max(x0, x1), pin))
    for one, other in combinations(stretches, 2):
        if one[:2] == other[:2] and one[4] != other[4]:
            assert one[3] <= other[2] or other[3] <= one[2], (one, other)


@given(tables())
@settings(max_examples=20)
def test_no_wire_is_drawn_over_words(parts: tuple[Part, ...]) -> None:
    """Wires have a margin of paper, so that one that crosses another is seen to: it would cut words, too."""
    drawn_in_order = list(drawn(parts))
    wires = [at for at, thing in enumerate(drawn_in_order) if thing.get("stroke-width") == "3"]
    named = [at for at, thing in enumerate(drawn_in_order) if (thing.text or "").startswith("GPIO")]
    assert not wires or max(wires) < min(named)


def test_every_wire_begins_at_its_pin_and_ends_at_its_part() -> None:
    pins = dict(zip(BUTTONS, (17, 27, 22, 23), strict=True))
    parts = wiring([("game", PanelSpec("ssd1322", SpiBus()))], pins, {})
    svg = drawn(parts)
    ways = [line for line in svg.iter(f"{SVG}polyline") if line.get("stroke-width") == "3"]
    assert len(ways) == sum(len(part.wires) for part in parts)
    numbers = {words for *_, words in label_boxes(svg)}
    assert {str(number) for number in range(1, 41)} <= numbers
    assert {"SCLK, D0", "GPIO22  B confirm", "GPIO8  CS"} <= numbers


@pytest.mark.parametrize("pull_up", [True, False])
def test_the_circuit_has_what_the_table_needs(pull_up: bool) -> None:
    pins = dict(zip(BUTTONS, (17, 27, 22, 23), strict=True))
    lamps = dict(zip(BUTTONS, (5, 6, 12, 13), strict=True))
    words = [words for *_, words in label_boxes(drawn(wiring([], pins, lamps, pull_up=pull_up)))]
    assert words.count("1 kΩ") == words.count("100 nF") == words.count("330 Ω") == 4
    assert "4 x 1 kΩ and 4 x 100 nF, at the Pi's end." in words
    assert words.count("3.3 V") == (2 if pull_up else 3)
