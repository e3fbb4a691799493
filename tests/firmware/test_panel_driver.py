"""The panels' threads: what is called returns at once, and what hangs holds nobody up."""

import threading

import pytest
from PIL import Image

from firmware.panel_bus import HANGS_S, PanelCare, Placed
from firmware.panel_driver import PanelDriver
from hardware.panel import PanelSpec
from hardware.simulated.panel import SimulatedPanel
from tests.firmware.test_panel_bus import GREY, MONO, OTHER, Clock, a_picture, drawing, shows

LONG_S = 20.0  # for tests that wait for another thread: it only ever runs out when they fail


class Signalling(SimulatedPanel):
    """Says when it shows something, and waits there while it is held."""

    def __init__(self, spec: PanelSpec) -> None:
        super().__init__(spec)
        self.shown = threading.Semaphore(0)
        self.entered = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()
        self.threads: set[str] = set()

    def show(self, image: Image.Image) -> None:
        self.threads.add(threading.current_thread().name)
        self.entered.set()
        self.go_on.wait()
        super().show(image)
        self.shown.release()


def test_threads_show_and_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.panel_bus.REFRESH_S", 1e6)  # nothing but a picture wakes them
    monkeypatch.setattr("firmware.panel_driver._LONGEST_WAIT_S", 1e6)
    clock = Clock()
    panels = [Signalling(MONO), Signalling(OTHER), Signalling(GREY)]
    placed = [Placed("game", panel) for panel in panels]
    with PanelDriver(placed, PanelCare(idle_after_s=1e6), clock=clock) as driver:
        for number in (1, 2):
            clock.spend(1.0)
            driver.show("game", drawing(number))
            for panel in panels:
                assert panel.shown.acquire(timeout=LONG_S)
                assert shows(panel, number)
        assert [status.is_up for status in driver.status] == [True] * 3
    assert [panel.is_lit for panel in panels] == [False] * 3
    assert panels[0].threads == panels[1].threads == {"panels-i2c:1"}
    assert panels[2].threads == {"panels-spi:0"}
    assert driver.news() == []


def test_a_panel_that_hangs_holds_up_neither_the_caller_nor_other_buses_nor_the_end() -> None:
    hanging, other = Signalling(MONO), Signalling(GREY)
    hanging.go_on.clear()
    driver = PanelDriver([Placed("game", hanging), Placed("game", other)])
    driver.start()
    driver.show("game", drawing(1))
    assert hanging.entered.wait(LONG_S)
    for number in range(2, 40):
        driver.show("game", drawing(number))
    while not shows(other, 39):
        assert other.shown.acquire(timeout=LONG_S)
    assert driver.stop(timeout_s=0.01) == ("panels-i2c:1",)
    hanging.go_on.set()
    assert driver.stop(timeout_s=LONG_S) == ()
    assert not hanging.is_lit


def test_news_is_handed_over_once() -> None:
    told = threading.Event()

    class Broken(SimulatedPanel):
        tries = 0

        def open(self) -> None:
            self.tries += 1
            if self.tries > 2:  # the second attempt has been told by now
                told.set()
            super().open()

    panel = Broken(MONO)
    panel.unplug()
    with PanelDriver([Placed("game", panel)]) as driver:
        assert told.wait(LONG_S)
        assert [news.kind for news in driver.news()] == ["gone"]
        assert driver.news() == []


def test_without_panels_there_is_nothing_to_do() -> None:
    with PanelDriver([]) as driver:
        driver.show("game", drawing(1))
    assert driver.status == ()
    assert driver.stop() == ()


def test_they_are_woken_from_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has changed in the picture, and nothing else would be due."""
    monkeypatch.setattr("firmware.panel_bus.REFRESH_S", 1e6)
    monkeypatch.setattr("firmware.panel_driver._LONGEST_WAIT_S", 1e6)
    bright = threading.Event()

    class Watched(Signalling):
        def contrast(self, level: int) -> None:
            super().contrast(level)
            if self.level == care.bright:
                bright.set()

    clock, panel, care = Clock(), Watched(MONO), PanelCare(shift_every_s=1e6)
    with PanelDriver([Placed("game", panel)], care, clock=clock) as driver:
        driver.show("game", drawing(1))
        assert panel.shown.acquire(timeout=LONG_S)
        clock.spend(care.idle_after_s + 1.0)
        driver.show("game", a_picture(1, (128, 64), "1"))  # the same: whoever shows it has the thread look
        for _ in range(1000):
            if panel.level == care.dim:
                break
            threading.Event().wait(LONG_S / 1000)
        assert panel.level == care.dim
        bright.clear()
        driver.wake()
        assert bright.wait(LONG_S)


def test_a_role_works_while_a_panel_of_it_can_be_read_on_whatever_bus() -> None:
    told = threading.Event()

    class Gone(SimulatedPanel):
        tries = 0

        def open(self) -> None:
            self.tries += 1
            if self.tries > 2:  # the second attempt has been told by now
                told.set()
            super().open()

    gone, there = Gone(MONO, plugged=False), SimulatedPanel(GREY)
    placed = [Placed("in-rally", gone), Placed("game", gone), Placed("game", there)]
    with PanelDriver(placed) as driver:
        assert told.wait(LONG_S)
        assert not driver.works("in-rally")
        assert driver.works("game")
        assert not driver.works("link")


def test_a_role_whose_bus_hangs_does_not_work_until_it_goes_on() -> None:
    clock, hanging, other = Clock(), Signalling(MONO), SimulatedPanel(GREY)
    hanging.go_on.clear()
    driver = PanelDriver([Placed("in-rally", hanging), Placed("game", other)], clock=clock)
    driver.start()
    driver.show("in-rally", drawing(1))
    assert hanging.entered.wait(LONG_S)
    assert driver.works("in-rally"), "a picture takes its time"
    clock.spend(HANGS_S + 0.1)
    assert not driver.works("in-rally")
    assert driver.works("game")
    hanging.go_on.set()
    for _ in range(1000):
        if driver.works("in-rally"):
            break
        threading.Event().wait(LONG_S / 1000)
    assert driver.works("in-rally")
    assert driver.stop(timeout_s=LONG_S) == ()
