"""Buttons that cannot be opened at first: told, waited for, and lit as they were meant to be."""

import pytest

from firmware.daemon.late_buttons import AGAIN_S, LateButtons
from hardware.button import Button
from hardware.errors import ButtonError
from hardware.simulated.buttons import SimulatedButtons

A_CONFIRM = Button("A", "confirm")


class Bench:
    """Buttons whose pins are busy as long as `busy` says why."""

    def __init__(self, busy: str) -> None:
        self.now, self.busy, self.attempts = 100.0, busy, 0
        self.twin = SimulatedButtons(lambda: self.now)
        self.late = LateButtons(self.opened, lambda: self.now)

    def opened(self) -> SimulatedButtons:
        self.attempts += 1
        if self.busy:
            raise ButtonError(self.busy)
        return self.twin


def test_they_are_tried_again_every_few_seconds_and_the_reason_is_told_in_between() -> None:
    bench = Bench("GPIO 17 is busy; end what uses it")
    for _ in range(10):
        with pytest.raises(ButtonError, match="GPIO 17 is busy"):
            bench.late.drain()
    with pytest.raises(ButtonError, match="GPIO 17 is busy"):
        bench.late.down()
    assert bench.attempts == 1
    bench.now, bench.busy = bench.now + AGAIN_S, "there is no gpiochip; wait"
    with pytest.raises(ButtonError, match="no gpiochip"):
        bench.late.drain()
    assert (bench.attempts, bench.late.dropped) == (2, 0)


def test_once_they_are_there_they_press_and_are_lit_as_was_asked() -> None:
    bench = Bench("busy")
    bench.late.light(A_CONFIRM, True)
    bench.now, bench.busy = bench.now + AGAIN_S, ""
    assert bench.late.drain() == ()
    assert bench.twin.lit == {A_CONFIRM}
    bench.twin.press(A_CONFIRM, bench.now, 0.1, bounces=0)
    bench.now += 0.05
    assert bench.late.down() == {A_CONFIRM}
    bench.now += 0.1
    assert [edge.pressed for edge in bench.late.drain()] == [True, False]
    bench.late.light(A_CONFIRM, False)
    assert bench.twin.lit == frozenset()
    bench.now += 10 * AGAIN_S
    bench.late.drain()
    assert bench.attempts == 2


def test_after_closing_nobody_tries_any_more() -> None:
    bench = Bench("busy")
    bench.late.close()
    bench.late.close()
    bench.now, bench.busy = bench.now + AGAIN_S, ""
    assert (bench.late.drain(), bench.late.down(), bench.attempts) == ((), frozenset(), 1)
