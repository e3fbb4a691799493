"""Buttons watched while people press them, on the simulated buttons and a clock that is the test's."""

from collections.abc import Mapping
from math import inf

import pytest

from firmware.doctor.parts import Press
from firmware.doctor.pressing import TURN_S, watch
from hardware.button import BUTTONS, Button
from hardware.errors import ButtonError
from hardware.simulated.buttons import SimulatedButtons

A_CONFIRM, A_CHALLENGE, B_CONFIRM, B_CHALLENGE = BUTTONS


class Table:
    """Four buttons, each opened by itself; time passes by `sleep` only."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ports = {button: SimulatedButtons(lambda: self.now) for button in BUTTONS}
        self.closed: list[Button] = []
        self.told: list[Button] = []
        self.lit: list[frozenset[Button]] = []
        """What was lit in each turn."""
        self.missing: set[Button] = set()

    def press(self, button: Button, at_s: float, for_s: float = 0.15) -> None:
        self.ports[button].press(button, at_s, for_s)

    def watch(self, seconds: float, *buttons: Button) -> Mapping[Button, Press]:
        return watch(
            dict.fromkeys(buttons or BUTTONS, True),
            self._open,
            seconds,
            lambda: self.now,
            self._sleep,
            self.told.append,
        )

    def _open(self, button: Button) -> SimulatedButtons:
        if button in self.missing:
            raise ButtonError(f"{button} does not open; see to its pin")
        return self.ports[button]

    def _sleep(self, seconds: float) -> None:
        self.lit.append(frozenset().union(*(port.lit for port in self.ports.values())))
        self.now += seconds

    @property
    def dark(self) -> bool:
        return not any(port.lit for port in self.ports.values())


@pytest.fixture
def table() -> Table:
    return Table()


def test_all_are_pressed_and_nobody_waits_longer(table: Table) -> None:
    for number, button in enumerate(BUTTONS):
        table.press(button, 1.0 + number)
    seen = table.watch(20.0)
    assert seen == dict.fromkeys(BUTTONS, Press(presses=1))
    assert table.told == list(BUTTONS)
    assert 4.15 < table.now < 4.15 + 0.1


def test_a_lamp_is_lit_until_its_button_is_pressed(table: Table) -> None:
    table.press(A_CONFIRM, 1.0)
    table.press(B_CONFIRM, 2.0)
    table.watch(20.0, A_CONFIRM, B_CONFIRM)
    changes = [lit for n, lit in enumerate(table.lit) if n == 0 or lit != table.lit[n - 1]]
    assert changes == [frozenset((A_CONFIRM, B_CONFIRM)), frozenset((B_CONFIRM,)), frozenset()]
    assert table.dark


def test_nobody_presses(table: Table) -> None:
    assert table.watch(5.0) == dict.fromkeys(BUTTONS, Press())
    assert table.now == pytest.approx(5.0, abs=2 * TURN_S)
    assert table.told == []
    assert table.dark


def test_bounces_are_one_press_and_two_presses_are_two(table: Table) -> None:
    table.press(A_CONFIRM, 1.0)
    table.press(A_CONFIRM, 2.0)
    table.press(B_CONFIRM, 3.0)
    seen = table.watch(20.0, A_CONFIRM, B_CONFIRM)
    assert seen == {A_CONFIRM: Press(presses=2), B_CONFIRM: Press(presses=1)}


def test_a_contact_that_sticks(table: Table) -> None:
    table.press(A_CONFIRM, 0.0, inf)
    table.press(B_CONFIRM, 1.0, inf)
    table.now = 0.5
    seen = table.watch(5.0, A_CONFIRM, B_CONFIRM)
    assert seen[A_CONFIRM] == Press(began_down=True, ended_down=True)
    assert seen[B_CONFIRM] == Press(presses=1, ended_down=True)


def test_a_button_that_is_let_go_and_pressed_again(table: Table) -> None:
    table.press(A_CONFIRM, 0.0, 1.0)
    table.press(A_CONFIRM, 2.0)
    table.now = 0.5
    assert table.watch(20.0, A_CONFIRM) == {A_CONFIRM: Press(presses=1, began_down=True)}


def test_a_button_that_does_not_open_hides_no_other(table: Table) -> None:
    table.missing = {A_CHALLENGE}
    table.press(A_CONFIRM, 1.0)
    seen = table.watch(20.0, A_CHALLENGE, A_CONFIRM)
    assert list(seen) == [A_CHALLENGE, A_CONFIRM]
    assert seen[A_CHALLENGE] == Press(error="A's CHALLENGE does not open; see to its pin")
    assert seen[A_CONFIRM] == Press(presses=1)


def test_none_opens_and_nobody_waits(table: Table) -> None:
    table.missing = set(BUTTONS)
    assert all(press.error for press in table.watch(20.0).values())
    assert table.now == 0.0


def test_a_pin_that_fails_meanwhile(table: Table) -> None:
    table.ports[A_CONFIRM].lose(A_CONFIRM)
    table.press(B_CONFIRM, 1.0)
    with pytest.raises(ButtonError):
        table.ports[A_CONFIRM].down()
    seen = table.watch(20.0, A_CONFIRM, B_CONFIRM)
    assert "cannot be read" in seen[A_CONFIRM].error
    assert seen[B_CONFIRM] == Press(presses=1)


def test_without_a_wait_only_what_is_down_now_is_told(table: Table) -> None:
    table.press(A_CONFIRM, 0.0, inf)
    seen = table.watch(0.0, A_CONFIRM, B_CONFIRM)
    assert seen[A_CONFIRM] == Press(began_down=True, ended_down=True)
    assert seen[B_CONFIRM] == Press()


def test_no_lamp_is_lit_where_nobody_is_asked(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    lit: list[Button] = []
    monkeypatch.setattr(SimulatedButtons, "light", lambda port, button, on: lit.append(button))
    table.watch(0.0)
    assert lit == []
    table.watch(1.0, A_CONFIRM)
    assert lit == [A_CONFIRM]


def test_a_lamp_that_a_button_does_not_have_is_left_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lit: list[Button] = []
    monkeypatch.setattr(SimulatedButtons, "light", lambda port, button, on: lit.append(button))
    lamps = {A_CONFIRM: True, B_CONFIRM: False}
    watch(lamps, table._open, 1.0, lambda: table.now, table._sleep, table.told.append)
    assert lit == [A_CONFIRM]


def test_a_lamp_that_cannot_be_switched(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(port: SimulatedButtons, button: Button, on: bool) -> None:
        raise ButtonError("the lamp cannot be switched; see to it")

    monkeypatch.setattr(SimulatedButtons, "light", fails)
    table.press(A_CONFIRM, 0.5)
    seen = table.watch(2.0, A_CONFIRM)
    assert seen == {A_CONFIRM: Press(presses=1, dark="the lamp cannot be switched; see to it")}
