"""Buttons and lamps as a loop has them: presses become gestures, what is wrong is told once."""

import math

import pytest

from firmware.daemon.pressing import Lamps, Presses
from firmware.daemon.troubles import Troubles
from firmware.gestures import STUCK_S, Gesture
from firmware.match import BOTH_SIDES
from firmware.report import Line
from hardware.button import Button
from hardware.errors import ButtonError
from hardware.simulated.buttons import SimulatedButtons

CONFIRM, CHALLENGE = Button("A", "confirm"), Button("B", "challenge")


class Table:
    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[Line] = []
        self.touched: list[float] = []
        self.buttons = SimulatedButtons(lambda: self.now)
        troubles = Troubles(self.lines.append)
        self.presses = Presses(self.buttons, troubles, lambda: self.touched.append(self.now))
        self.lamps = Lamps(self.buttons, troubles)

    def until(self, end: float) -> list[Gesture]:
        found: list[Gesture] = []
        while self.now < end:
            self.now += 0.05
            found += self.presses.gestures(self.now, immediate=BOTH_SIDES)
        return found

    def told(self) -> list[tuple[str, str]]:
        return [(line["kind"], line["part"]) for line in self.lines]


def test_each_press_is_one_gesture() -> None:
    table = Table()
    table.buttons.press(CONFIRM, 0.1)
    table.buttons.press(CHALLENGE, 0.2)
    assert [(each.meaning, each.side) for each in table.until(1.0)] == [("confirm", "A"), ("challenge", "B")]
    assert table.lines == []


def test_whoever_has_to_be_awake_hears_of_a_press_as_it_begins() -> None:
    table = Table()
    table.until(1.0)
    assert table.touched == []
    table.buttons.press(CONFIRM, 1.2, 3.0)
    table.until(1.5)
    assert min(table.touched) <= 1.3


def test_a_button_that_sticks_is_told_until_it_is_free() -> None:
    table = Table()
    table.buttons.press(CONFIRM, 0.1, math.inf)
    table.until(STUCK_S + 1.0)
    assert table.told() == [("trouble", str(CONFIRM))]
    assert "free it" in table.lines[0]["text"]
    table.buttons.let_go(CONFIRM)
    table.until(STUCK_S + 2.0)
    assert table.told() == [("trouble", str(CONFIRM)), ("well", str(CONFIRM))]


def test_buttons_that_cannot_be_read_are_told_once() -> None:
    table = Table()
    table.buttons.lose(CONFIRM)
    assert table.until(1.0) == []
    table.buttons.mend(CONFIRM)
    table.until(2.0)
    assert table.told() == [("trouble", "buttons"), ("well", "buttons")]


def test_a_bug_in_an_adapter_is_told_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(table.buttons, "drain", broken)
    monkeypatch.setattr(table.buttons, "light", broken)
    assert table.until(1.0) == []
    table.lamps.light(CONFIRM, True, 1.0)
    table.lamps.light(CONFIRM, False, 1.0)
    assert table.told() == [("trouble", "buttons"), ("trouble", "lamps")]


def test_a_lamp_is_told_when_it_is_to_be_another(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    told: list[tuple[Button, bool]] = []

    def light(button: Button, on: bool) -> None:
        told.append((button, on))
        raise ButtonError("its pin fails")  # which is for who reads the pins to tell

    monkeypatch.setattr(table.buttons, "light", light)
    for on in (False, False, True, True, False):
        table.lamps.light(CONFIRM, on, 1.0)
    assert told == [(CONFIRM, False), (CONFIRM, True), (CONFIRM, False)]
    assert table.lines == []
