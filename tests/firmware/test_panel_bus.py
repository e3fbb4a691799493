"""The panels of a bus: what is shown when, and what becomes of panels that fail."""

import threading
from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from firmware.errors import InputError
from firmware.panel_bus import (
    LONGEST_PAUSE_S,
    MOST_PER_S,
    REFRESH_S,
    PanelBus,
    PanelCare,
    PanelNews,
    Picture,
    Placed,
)
from hardware.errors import PanelError
from hardware.luma_panel import LumaPanel
from hardware.panel import I2cBus, Mode, PanelSpec, Size, SpiBus
from hardware.simulated.panel import SimulatedPanel
from tests.contract.oled_chips import MonoChip, Ssd1322, Wires, wire_up

MONO = PanelSpec("ssd1306", I2cBus())
OTHER = PanelSpec("sh1106", I2cBus(address=0x3D))
GREY = PanelSpec("ssd1322", SpiBus())


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def spend(self, seconds: float) -> None:
        self.now += seconds


class Watched(SimulatedPanel):
    """Notes when it was opened and written to, and by whom."""

    def __init__(self, spec: PanelSpec, clock: Clock, *, plugged: bool = True) -> None:
        super().__init__(spec, plugged=plugged, spend=clock.spend)
        self.clock = clock
        self.opened_at: list[float] = []
        self.shown_at: list[float] = []
        self.threads: set[int] = set()

    def open(self) -> None:
        self.opened_at.append(self.clock.now)
        self.threads.add(threading.get_ident())
        super().open()

    def show(self, image: Image.Image) -> None:
        self.shown_at.append(self.clock.now)
        self.threads.add(threading.get_ident())
        super().show(image)


class Bench:
    """A bus with panels, a clock, and what was told."""

    def __init__(self, *specs: PanelSpec, roles: tuple[str, ...] = (), care: PanelCare | None = None) -> None:
        self.clock = Clock()
        self.news: list[PanelNews] = []
        self.panels = [Watched(spec, self.clock) for spec in specs]
        roles = roles or ("game",) * len(specs)
        placed = [Placed(role, panel) for role, panel in zip(roles, self.panels, strict=True)]
        self.bus = PanelBus(placed, care or PanelCare(), self.news.append, self.clock)
        self.pictures: dict[str, Picture] = {}

    def run(self, seconds: float) -> None:
        """Let time pass, with a step whenever the bus asked for one."""
        end = self.clock.now + seconds
        due_at = self.bus.step(self.pictures)
        while due_at <= end:
            self.clock.now = max(self.clock.now, due_at)
            due_at = self.bus.step(self.pictures)
        self.clock.now = max(self.clock.now, end)

    def show(self, picture: Picture, role: str = "game") -> None:
        self.pictures[role] = picture
        self.run(0.0)

    @property
    def kinds(self) -> list[str]:
        return [news.kind for news in self.news]


def a_picture(number: int = 0, size: Size = (128, 64), mode: Mode = "1") -> Image.Image:
    image = Image.new(mode, size)
    draw = ImageDraw.Draw(image)
    draw.rectangle((10, 10, 50, 30), fill=255)
    draw.point([(60 + bit, 40) for bit in range(12) if number >> bit & 1], fill=255)
    return image


def drawing(number: int = 0) -> Callable[[Size, Mode], Image.Image]:
    return lambda size, mode: a_picture(number, size, mode)


def shows(panel: SimulatedPanel, number: int) -> bool:
    return panel.glass.tobytes() == a_picture(number, panel.size, panel.mode).tobytes()


def test_a_picture_goes_to_every_panel_of_its_role_and_to_no_other() -> None:
    bench = Bench(MONO, OTHER, GREY, roles=("game", "in-rally", "game"))
    bench.show(drawing(1), "game")
    bench.show(drawing(2), "in-rally")
    bench.show(drawing(3), "link")
    assert [shows(panel, number) for panel, number in zip(bench.panels, (1, 2, 1), strict=True)] == [True] * 3
    assert bench.news == []


def test_a_panel_nobody_has_drawn_for_stays_dark() -> None:
    bench = Bench(MONO)
    bench.run(100.0)
    assert not bench.panels[0].is_lit
    assert bench.news == []


def test_at_most_ten_pictures_a_second_and_the_last_one_stays() -> None:
    bench = Bench(MONO, OTHER)
    began_at = bench.clock.now
    for number in range(1, 91):  # three seconds of a loop at 30 fps
        bench.show(drawing(number))
        bench.run(1 / 30)
    bench.run(1.0)
    for panel in bench.panels:
        assert shows(panel, 90)
        assert all(later - earlier >= 1 / MOST_PER_S - 1e-9 for earlier, later in pairwise(panel.shown_at))
        assert 25 <= panel.frame_count <= 1 + (panel.shown_at[-1] - began_at) * MOST_PER_S


def test_the_first_picture_after_a_quiet_second_is_shown_at_once() -> None:
    bench = Bench(MONO)
    bench.show(drawing(1))
    bench.run(1.0)
    asked_at = bench.clock.now
    bench.show(drawing(2))
    assert bench.panels[0].shown_at[-1] == asked_at


def test_identical_pictures_are_sent_once() -> None:
    bench = Bench(MONO)
    for _ in range(50):
        bench.show(a_picture(5))
        bench.run(0.1)
    assert bench.panels[0].frame_count == 1


def test_a_missing_panel_is_told_once_and_shows_when_it_comes() -> None:
    bench = Bench(MONO, OTHER)
    panel, other = bench.panels
    panel.unplug()
    bench.show(drawing(1))
    bench.run(3600.0)
    bench.show(drawing(2))
    bench.run(0.1)  # its idle picture may have moved just now
    assert [(news.kind, news.panel, news.role) for news in bench.news] == [("gone", panel.name, "game")]
    assert "check its" in bench.news[0].reason
    assert shows(other, 2), "the others do not wait for it"
    panel.plug_in()
    bench.run(LONGEST_PAUSE_S + 1)
    assert [news.kind for news in bench.news] == ["gone", "back"]
    assert shows(panel, 2)


def test_attempts_to_reach_a_panel_become_rarer_up_to_a_bound() -> None:
    bench = Bench(MONO)
    bench.panels[0].unplug()
    bench.run(24 * 3600.0)
    pauses = [later - earlier for earlier, later in pairwise(bench.panels[0].opened_at)]
    assert all(later >= earlier - 1e-6 for earlier, later in pairwise(pauses))
    assert pauses[0] < 0.2
    assert pauses[-1] == pytest.approx(LONGEST_PAUSE_S, abs=0.01)


def test_a_panel_that_fails_every_20th_write_shows_everything_and_is_not_told() -> None:
    bench = Bench(MONO)
    panel = bench.panels[0]
    panel.fail_every(20)
    for number in range(1, 200):
        bench.show(drawing(number))
        bench.run(0.5)
        assert shows(panel, number)
    assert bench.news == []
    assert bench.bus.status[0].failures >= 9
    assert bench.bus.status[0].is_up


def test_one_that_vanishes_in_play_is_told_and_comes_back_with_the_latest() -> None:
    bench = Bench(MONO)
    panel = bench.panels[0]
    bench.show(drawing(1))
    panel.unplug()
    for number in range(2, 30):
        bench.show(drawing(number))
        bench.run(0.3)
    assert bench.kinds == ["gone"]
    assert not bench.bus.status[0].is_up
    panel.plug_in()
    bench.run(LONGEST_PAUSE_S + 1)
    assert bench.kinds == ["gone", "back"]
    assert shows(panel, 29)
    assert panel.level == PanelCare().bright


def test_one_that_vanishes_while_nothing_changes_is_noticed_and_comes_back_bright() -> None:
    bench = Bench(MONO)
    panel = bench.panels[0]
    bench.show(drawing(1))
    bench.run(PanelCare().idle_after_s + 1)
    panel.unplug()
    bench.run(REFRESH_S + 1)
    assert bench.kinds == ["gone"]
    panel.plug_in()
    bench.run(LONGEST_PAUSE_S + 1)
    assert bench.kinds == ["gone", "back"]
    assert panel.level == PanelCare().bright
    assert shows(panel, 1)


def test_what_is_due_by_itself_keeps_to_ten_a_second_as_well() -> None:
    """A picture comes just before the panel is written anew; an idle one moves just after."""
    bench = Bench(MONO, care=PanelCare(idle_after_s=2 * REFRESH_S + 0.13, shift_every_s=REFRESH_S))
    panel = bench.panels[0]
    bench.show(drawing(1))
    bench.run(REFRESH_S - 0.06)
    bench.show(drawing(2))
    bench.run(10 * REFRESH_S)
    assert panel.frame_count >= 15
    assert all(later - earlier >= 1 / MOST_PER_S - 1e-9 for earlier, later in pairwise(panel.shown_at))
    bench.run(1.0)
    left, top, _, _ = panel.glass.getbbox() or (0, 0, 0, 0)
    assert (left, top) != (10, 10), "it moved all the same"


@pytest.mark.parametrize("spec", [MONO, GREY])
def test_power_lost_between_two_pictures_is_mended(spec: PanelSpec) -> None:
    bench = Bench(spec)
    panel = bench.panels[0]
    bench.show(drawing(1))
    panel.unplug()
    panel.plug_in()
    assert not panel.is_lit
    bench.run(REFRESH_S + 1)
    assert shows(panel, 1)
    assert panel.level == PanelCare().bright
    assert bench.news == []


def test_it_is_dimmed_when_idle_and_bright_at_the_next_change() -> None:
    care = PanelCare(bright=200, dim=7, idle_after_s=120.0, shift_every_s=30.0)
    bench = Bench(MONO, care=care)
    panel = bench.panels[0]
    bench.show(drawing(1))
    for _ in range(11):
        bench.run(10.0)
        bench.show(drawing(1))  # drawn anew, and the same
        assert panel.level == 200
        assert shows(panel, 1)
    bench.run(11.0)
    assert panel.level == 7
    assert shows(panel, 1)
    bench.show(drawing(2))
    assert panel.level == 200
    assert shows(panel, 2)


def test_woken_it_is_bright_with_the_picture_in_its_place_and_idle_again_as_long_after() -> None:
    care = PanelCare(idle_after_s=120.0, shift_every_s=30.0)
    bench = Bench(MONO, care=care)
    panel = bench.panels[0]
    bench.show(drawing(1))
    bench.run(155.0)
    assert panel.level == care.dim
    assert not shows(panel, 1), "it has moved"
    bench.bus.wake()
    bench.run(0.0)
    assert panel.level == care.bright
    assert shows(panel, 1)
    bench.run(119.0)
    assert panel.level == care.bright
    bench.run(2.0)
    assert panel.level == care.dim


def test_woken_before_it_was_ever_there_it_is_as_it_would_have_been() -> None:
    bench = Bench(MONO)
    bench.panels[0].unplug()
    bench.show(drawing(1))
    bench.bus.wake()
    bench.run(60.0)
    bench.panels[0].plug_in()
    bench.run(LONGEST_PAUSE_S + 1)
    assert shows(bench.panels[0], 1)


def test_a_role_works_until_all_its_panels_were_told_gone() -> None:
    bench = Bench(MONO, OTHER, GREY, roles=("in-rally", "in-rally", "game"))
    assert bench.bus.works("in-rally"), "nobody has looked for them yet"
    assert not bench.bus.works("link"), "there is none"
    bench.show(drawing(1), "in-rally")
    bench.panels[0].unplug()
    bench.run(60.0)
    assert bench.kinds == ["gone"]
    assert bench.bus.works("in-rally"), "there is another"
    bench.panels[1].unplug()
    bench.run(60.0)
    assert bench.kinds == ["gone"] * 2
    assert not bench.bus.works("in-rally")
    assert bench.bus.works("game")
    bench.panels[0].plug_in()
    bench.run(LONGEST_PAUSE_S + 1)
    assert bench.bus.works("in-rally")


def test_a_role_whose_pictures_cannot_be_drawn_does_not_work() -> None:
    bench = Bench(MONO)

    def undrawable(size: Size, mode: Mode) -> Image.Image:
        raise ValueError("no layout of that size")

    bench.show(undrawable)
    assert bench.kinds == ["not-drawn"]
    assert not bench.bus.works("game")
    bench.run(1.0)
    bench.show(drawing(1))
    assert bench.bus.works("game")


def test_a_disturbed_write_does_not_make_an_idle_panel_bright() -> None:
    bench = Bench(MONO)
    panel = bench.panels[0]
    bench.show(drawing(1))
    bench.run(400.0)
    panel.fail_every(7)
    for _ in range(20):
        bench.run(REFRESH_S)
        assert panel.level == PanelCare().dim
    assert bench.bus.status[0].failures > 3


def test_an_idle_picture_wanders_by_a_pixel_at_a_time_and_comes_home() -> None:
    care = PanelCare(idle_after_s=60.0, shift_every_s=30.0)
    bench = Bench(MONO, care=care)
    panel = bench.panels[0]
    bench.show(drawing(0))
    bench.run(59.0)
    places = []
    for _ in range(70):
        bench.run(30.0)
        left, top, _, _ = panel.glass.getbbox() or (0, 0, 0, 0)
        places.append((left - 10, top - 10))
    swing = (-2, -1, 0, 1, 2)
    assert set(places) == {(across, down) for across in swing for down in swing}
    for (across, down), (next_across, next_down) in pairwise(places):
        assert abs(next_across - across) + abs(next_down - down) in (1, 2)
    bench.show(drawing(1))
    assert shows(panel, 1)


def test_care_spares_the_panel() -> None:
    """A clock-hour of one picture of thin lines: pixels that stay lit wear out first."""
    lines = Image.new("1", (128, 64))
    for row in range(5, 60, 10):
        ImageDraw.Draw(lines).line((0, row, 127, row), fill=1)

    def most_worn_s(care: PanelCare) -> float:
        bench = Bench(MONO, care=care)
        bench.show(lines)
        for _ in range(360):
            bench.panels[0].pass_time(10.0)
            bench.run(10.0)
        return float(bench.panels[0].wear_s.max())

    dimmed_only = most_worn_s(PanelCare(idle_after_s=1.0, shift_every_s=1e9))
    moved_only = most_worn_s(PanelCare(dim=0xCF, idle_after_s=1.0, shift_every_s=20.0))
    careless = most_worn_s(PanelCare(dim=0xCF, idle_after_s=1e9))
    assert careless == pytest.approx(3600 * 0xCF / 255, rel=0.01)
    assert dimmed_only < careless / 5
    assert moved_only < careless / 2


def test_a_picture_that_cannot_be_drawn_is_told_once_and_costs_no_other() -> None:
    bench = Bench(MONO)
    panel = bench.panels[0]
    bench.show(drawing(1))

    def broken(size: Size, mode: Mode) -> Image.Image:
        raise RuntimeError("no such word")

    for _ in range(3):
        bench.run(1.0)
        bench.show(lambda size, mode: broken(size, mode))
        assert shows(panel, 1)
    assert bench.news == [PanelNews("not-drawn", "game", panel.name, "no such word")]
    bench.run(1.0)
    bench.show(a_picture(2, size=(64, 64)))
    assert bench.kinds == ["not-drawn", "not-drawn"]
    assert "draw it as 128x64" in bench.news[1].reason
    bench.run(1.0)
    bench.show(drawing(3))
    assert shows(panel, 3)
    bench.run(1.0)
    bench.show(a_picture(2, size=(64, 64)))
    assert bench.kinds == ["not-drawn"] * 3, "told again after it had been mended"
    assert bench.bus.status[0].failures == 0


class Buggy(Watched):
    def show(self, image: Image.Image) -> None:
        raise ZeroDivisionError("a bug")

    def hide(self) -> None:
        raise ZeroDivisionError("a bug")


def test_a_bug_in_one_panels_adapter_costs_that_panel_alone() -> None:
    bench = Bench(OTHER)
    buggy = Buggy(MONO, bench.clock)
    panels = [Placed("game", buggy), Placed("game", bench.panels[0])]
    bench.bus = PanelBus(panels, PanelCare(), bench.news.append, bench.clock)
    for number in range(1, 5):
        bench.show(drawing(number))
        bench.run(1.0)
        assert shows(bench.panels[0], number)
    assert [(news.kind, news.panel) for news in bench.news] == [("gone", buggy.name)]
    bench.bus.close()
    assert not bench.panels[0].is_lit


def test_closing_makes_panels_dark_even_if_one_fails() -> None:
    bench = Bench(MONO, OTHER)
    bench.show(drawing(1))
    bench.panels[0].unplug()
    bench.bus.close()
    assert not bench.panels[1].is_lit
    with pytest.raises(PanelError, match="open it first"):
        bench.panels[1].show(a_picture())


def test_panels_on_spi_that_share_a_pin_are_all_made_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    """RPi.GPIO refuses a pin that was given back, be it by another panel."""
    chips = [Ssd1322(), Ssd1322()]
    wires = [Wires(chip) for chip in chips]
    panels = []
    for wire in wires:
        wire_up(wire, monkeypatch)
        panels.append(LumaPanel(PanelSpec("ssd1322", SpiBus(device=len(panels)))))
        panels[-1].open()
    given_back: list[Wires] = []
    for wire in wires:
        sending, closing = wire.send, wire.close

        def send(is_command: bool, sent: bytes, sending: Callable[[bool, bytes], None] = sending) -> None:
            if given_back:
                raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
            sending(is_command, sent)

        def close(closing: Callable[[], None] = closing, wire: Wires = wire) -> None:
            given_back.append(wire)
            closing()

        monkeypatch.setattr(wire, "send", send)
        monkeypatch.setattr(wire, "close", close)
    clock, news = Clock(), list[PanelNews]()
    bus = PanelBus([Placed("game", panel) for panel in panels], PanelCare(), news.append, clock)
    bus.step({"game": drawing(1)})
    assert [chip.is_lit for chip in chips] == [True, True]
    bus.close()
    assert [chip.is_lit for chip in chips] == [False, False]
    assert given_back == wires


def test_the_real_adapter_through_a_disturbed_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    wires = Wires(MonoChip())
    wire_up(wires, monkeypatch)
    clock, news, pictures = Clock(), list[PanelNews](), dict[str, Picture]()
    bus = PanelBus([Placed("game", LumaPanel(MONO))], PanelCare(), news.append, clock)
    wires.fail_every = 20
    for number in range(1, 100):
        pictures["game"] = drawing(number)
        for _ in range(10):
            bus.step(pictures)
            clock.spend(0.1)
        assert np.array_equal(wires.chip.glass() > 0, np.asarray(a_picture(number)))
    assert news == []
    assert bus.status[0].failures > 10
    wires.unplug()
    for _ in range(300):
        bus.step(pictures)
        clock.spend(0.1)
    wires.plug_in()
    for _ in range(300):
        bus.step(pictures)
        clock.spend(0.1)
    assert [told.kind for told in news] == ["gone", "back"]
    assert np.array_equal(wires.chip.glass() > 0, np.asarray(a_picture(99)))


ACTS = st.one_of(
    st.tuples(st.just("show"), st.integers(0, 4000)),
    st.tuples(st.just("wait"), st.integers(0, 400)),
    st.tuples(st.just("unplug"), st.just(0)),
    st.tuples(st.just("plug in"), st.just(0)),
    st.tuples(st.just("fail every"), st.integers(1, 9)),
)


@given(st.lists(ACTS, max_size=30))
def test_whatever_happens_the_last_picture_is_shown_in_the_end(acts: list[tuple[str, int]]) -> None:
    bench = Bench(MONO)
    panel = bench.panels[0]
    bench.show(drawing(4001))
    last = 4001
    for act, number in acts:
        match act:
            case "show":
                bench.show(drawing(number))
                last = number
            case "wait":
                bench.run(number)
            case "unplug":
                panel.unplug()
            case "plug in":
                panel.plug_in()
            case _:
                panel.fail_every(number)
    panel.fail_every(None)
    panel.plug_in()
    bench.run(LONGEST_PAUSE_S + REFRESH_S + 1)
    assert panel.is_lit
    seen, wanted = panel.glass, a_picture(last)
    if panel.level == PanelCare().dim:  # idle: it may have moved, by a picture's margin at most
        seen, wanted = seen.crop(seen.getbbox()), wanted.crop(wanted.getbbox())
    assert seen.tobytes() == wanted.tobytes()
    assert bench.bus.status[0].is_up
    assert bench.kinds == ["gone", "back"] * (len(bench.kinds) // 2)
    assert all(later - earlier >= 1 / MOST_PER_S - 1e-6 for earlier, later in pairwise(panel.shown_at))


@pytest.mark.parametrize(
    "care",
    [{"dim": -1}, {"bright": 256}, {"bright": 5, "dim": 6}, {"idle_after_s": 0.0}, {"shift_every_s": -1.0}],
)
def test_impossible_care_is_refused(care: Mapping[str, float]) -> None:
    with pytest.raises(InputError, match=r"take times above 0|go from 0 to 255"):
        PanelCare(**care)  # type: ignore[arg-type]
