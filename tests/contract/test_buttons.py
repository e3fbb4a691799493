"""The button port's contract, run on the simulated buttons and on gpiozero's mock pins.

The mock pins are driven with the edges that the simulated contacts make, each stamped as the kernel
stamps them; what a test calls the present is the clock of the adapter.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from threading import Thread
from types import SimpleNamespace
from typing import Any, Protocol

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hardware.button import BUTTONS, QUEUED_EDGES, Button, Buttons, Edge, EdgeQueue
from hardware.debounce import Debouncer
from hardware.errors import ButtonError
from hardware.gpio_buttons import GpioButtons
from hardware.simulated.buttons import SimulatedButtons, contact_times

A_CONFIRM, A_CHALLENGE, B_CONFIRM, B_CHALLENGE = BUTTONS
PINS = {A_CONFIRM: 17, A_CHALLENGE: 27, B_CONFIRM: 22, B_CHALLENGE: 23}
LEDS = {A_CONFIRM: 5, B_CONFIRM: 6}
LAMPS = frozenset(LEDS)


class Rig(Protocol):
    """Buttons that a test can work. `fingers` plans presses; `pass_to` lets time go on."""

    buttons: Buttons
    fingers: SimulatedButtons

    def pass_to(self, at_s: float) -> None: ...

    def lose(self, button: Button) -> None: ...

    def mend(self, button: Button) -> None: ...

    def lit(self) -> frozenset[Button]: ...


class Simulated:
    """The twin itself."""

    def __init__(self) -> None:
        self.now = 0.0
        self.buttons = self.fingers = SimulatedButtons(lambda: self.now, lamps=LAMPS)

    def pass_to(self, at_s: float) -> None:
        self.now = at_s

    def lose(self, button: Button) -> None:
        self.fingers.lose(button)

    def mend(self, button: Button) -> None:
        self.fingers.mend(button)

    def lit(self) -> frozenset[Button]:
        return self.fingers.lit


class StampedPin(MockPin):  # type: ignore[misc]
    """A mock pin whose edges carry the stamp of the kernel's clock, and that can fail."""

    stamp_s = 0.0
    fails = False
    deaf = False

    def _call_when_changed(self) -> None:
        if not self.deaf:
            PiPin._call_when_changed(self, StampedPin.stamp_s, self._state)

    def _get_state(self) -> bool:
        if self.fails:
            raise LostDeviceError("the chip is gone")
        return bool(super()._get_state())

    def _set_state(self, value: bool) -> None:
        if self.fails:
            raise LostDeviceError("the chip is gone")
        super()._set_state(value)


class LostDeviceError(Exception):
    """What a pin library raises; no error of gpiozero's nor of Python's."""


class StampedFactory(MockFactory):  # type: ignore[misc]
    """Mock pins on a clock that the test sets."""

    now = 0.0

    def __init__(self) -> None:
        super().__init__(pin_class=StampedPin)

    @staticmethod
    def ticks() -> float:
        return StampedFactory.now


class MockedPins:
    """The real adapter on mock pins: a finger pulls a pin to ground."""

    def __init__(self, pull_up: bool = True) -> None:
        StampedFactory.now = StampedPin.stamp_s = 0.0
        self.pull_up = pull_up
        self.factory = StampedFactory()
        self.buttons = GpioButtons(
            PINS,
            LEDS,
            pull_up=pull_up,
            pin_factory=self.factory,
            clock=lambda: 1000.0 + StampedFactory.now,
        )
        self.fingers = SimulatedButtons(lambda: StampedFactory.now)

    def pin(self, number: int) -> Any:
        return self.factory.pin(number)

    def pass_to(self, at_s: float) -> None:
        """All edges until then, each at its time."""
        while StampedFactory.now < at_s:
            heard_at_s = min(StampedFactory.now + 1.0, at_s)
            StampedFactory.now = heard_at_s
            for edge in self.fingers.drain():
                self.drive(edge, heard_at_s)

    def drive(self, edge: Edge, heard_at_s: float) -> None:
        """An edge of the contact, and Python hearing of it later."""
        StampedPin.stamp_s, StampedFactory.now = edge.at_s, heard_at_s
        pin = self.pin(PINS[edge.button])
        if edge.pressed == self.pull_up:
            pin.drive_low()
        else:
            pin.drive_high()

    def lose(self, button: Button) -> None:
        self.pin(PINS[button]).fails = True
        self.pin(LEDS[button]).fails = True

    def mend(self, button: Button) -> None:
        self.pin(PINS[button]).fails = False
        self.pin(LEDS[button]).fails = False

    def lit(self) -> frozenset[Button]:
        return frozenset(button for button, led in LEDS.items() if self.pin(led)._state)


def simulated() -> Rig:
    return Simulated()


def mocked_pins() -> Rig:
    return MockedPins()


def mocked_pins_to_3v3() -> Rig:
    return MockedPins(pull_up=False)


@pytest.fixture(params=[simulated, mocked_pins, mocked_pins_to_3v3], ids=lambda make: make.__name__)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    make: Callable[[], Rig] = request.param
    opened = make()
    yield opened
    opened.buttons.close()


def plain(edges: tuple[Edge, ...]) -> list[tuple[Button, bool]]:
    return [(edge.button, edge.pressed) for edge in edges]


def since(edges: tuple[Edge, ...]) -> list[float]:
    """The edges' times after the first of them, whose zero is the adapter's own."""
    return [edge.at_s - edges[0].at_s for edge in edges]


def test_nobody_presses(rig: Rig) -> None:
    rig.pass_to(5.0)
    assert rig.buttons.drain() == ()
    assert rig.buttons.dropped == 0


@pytest.mark.parametrize("button", BUTTONS, ids=str)
def test_a_press_is_a_closing_and_an_opening_of_that_button(rig: Rig, button: Button) -> None:
    rig.fingers.press(button, 1.0, 0.2, bounces=0)
    rig.pass_to(1.1)
    first = rig.buttons.drain()
    assert plain(first) == [(button, True)]
    rig.pass_to(2.0)
    second = rig.buttons.drain()
    assert plain(second) == [(button, False)]
    assert since(first + second) == pytest.approx([0.0, 0.2])


def test_the_clock_is_the_cameras(rig: Rig) -> None:
    zero = 1000.0 if isinstance(rig, MockedPins) else 0.0
    rig.fingers.press(A_CONFIRM, 1.25, 0.5, bounces=0)
    rig.pass_to(3.0)
    assert [edge.at_s - zero for edge in rig.buttons.drain()] == pytest.approx([1.25, 1.75])


def test_who_is_down_is_told_and_costs_no_edge(rig: Rig) -> None:
    rig.fingers.press(A_CONFIRM, 1.0, 0.5)
    rig.fingers.press(B_CHALLENGE, 1.2, 0.1)
    told = []
    for at_s in (0.5, 1.1, 1.25, 1.4, 2.0):
        rig.pass_to(at_s)
        told.append(rig.buttons.down())
    both = frozenset((A_CONFIRM, B_CHALLENGE))
    assert told == [frozenset(), frozenset((A_CONFIRM,)), both, frozenset((A_CONFIRM,)), frozenset()]
    edges = Debouncer().feed(rig.buttons.drain(), 1002.0)
    assert [edge.button for edge in edges if edge.pressed] == [A_CONFIRM, B_CHALLENGE]


def test_who_is_down_cannot_be_told_of_a_pin_that_is_lost(rig: Rig) -> None:
    rig.lose(B_CONFIRM)
    with pytest.raises(ButtonError, match="B's CONFIRM"):
        rig.buttons.down()
    rig.mend(B_CONFIRM)
    assert rig.buttons.down() == frozenset()
    rig.buttons.close()
    assert rig.buttons.down() == frozenset()


def test_each_edge_is_given_once(rig: Rig) -> None:
    rig.fingers.press(A_CONFIRM, 1.0)
    rig.pass_to(2.0)
    assert rig.buttons.drain()
    assert rig.buttons.drain() == ()
    assert rig.buttons.drain() == ()


def test_bounces_are_told_as_the_contact_made_them(rig: Rig) -> None:
    rig.fingers.press(B_CHALLENGE, 1.0, 0.3, bounces=5)
    rig.pass_to(2.0)
    edges = rig.buttons.drain()
    assert len(edges) == 22
    assert [edge.pressed for edge in edges] == [True, False] * 11
    assert all(a.at_s < b.at_s for a, b in pairwise(edges))
    closing = since(edges)[:11]
    assert closing[-1] == pytest.approx(0.008)
    gaps = [b - a for a, b in pairwise(closing[1::2])]
    assert all(a > b for a, b in pairwise(gaps))  # as a ball's flights get shorter


def test_five_bounces_in_8_ms_are_one_press_and_300_ms_apart_are_two(rig: Rig) -> None:
    rig.fingers.press(A_CHALLENGE, 1.0, 0.1, bounces=5, bounce_s=0.008)
    rig.fingers.press(A_CHALLENGE, 1.3, 0.1, bounces=5, bounce_s=0.008)
    rig.pass_to(2.0)
    zero = 1000.0 if isinstance(rig, MockedPins) else 0.0
    clean = Debouncer().feed(rig.buttons.drain(), zero + 2.0)
    assert plain(clean) == [(A_CHALLENGE, True), (A_CHALLENGE, False)] * 2
    assert [edge.at_s - zero for edge in clean] == pytest.approx([1.0, 1.1, 1.3, 1.4])


def test_a_loop_that_was_held_up_learns_when_each_press_was(rig: Rig) -> None:
    for n in range(5):
        rig.fingers.press(A_CONFIRM, 1.0 + 0.4 * n, 0.1)
        rig.fingers.press(B_CONFIRM, 1.2 + 0.4 * n, 0.1)
    rig.pass_to(4.0)
    clean = Debouncer().feed(rig.buttons.drain(), 1004.0)
    presses = tuple(edge for edge in clean if edge.pressed)
    assert [edge.button for edge in presses] == [A_CONFIRM, B_CONFIRM] * 5
    assert since(presses) == pytest.approx([0.2 * n for n in range(10)])


def test_a_contact_that_chatters_costs_its_own_oldest_edges_only(rig: Rig) -> None:
    rig.fingers.press(B_CONFIRM, 0.5, 0.2, bounces=0)
    for n in range(300):
        rig.fingers.press(A_CONFIRM, 1.0 + 0.02 * n, 0.01, bounces=0)
    rig.fingers.press(A_CONFIRM, 8.0, 9.0, bounces=0)
    rig.pass_to(10.0)
    edges = rig.buttons.drain()
    told = Counter(edge.button for edge in edges)
    assert told == {B_CONFIRM: 2, A_CONFIRM: QUEUED_EDGES}
    assert rig.buttons.dropped == 601 - QUEUED_EDGES
    assert edges[-1].pressed
    rig.pass_to(20.0)
    assert plain(rig.buttons.drain()) == [(A_CONFIRM, False)]
    assert rig.buttons.dropped == 601 - QUEUED_EDGES


def test_lamps_are_lit_and_put_out_alone(rig: Rig) -> None:
    assert rig.lit() == frozenset()
    rig.buttons.light(A_CONFIRM, True)
    assert rig.lit() == {A_CONFIRM}
    rig.buttons.light(B_CONFIRM, True)
    rig.buttons.light(A_CONFIRM, False)
    assert rig.lit() == {B_CONFIRM}


def test_a_button_without_a_lamp_stays_dark(rig: Rig) -> None:
    rig.buttons.light(A_CHALLENGE, True)
    rig.buttons.light(A_CHALLENGE, False)
    assert rig.lit() == frozenset()


def test_a_lost_button_raises_after_what_came_before_and_comes_back(rig: Rig) -> None:
    rig.fingers.press(B_CONFIRM, 1.0, 0.1, bounces=0)
    rig.pass_to(2.0)
    rig.lose(A_CONFIRM)
    assert plain(rig.buttons.drain()) == [(B_CONFIRM, True), (B_CONFIRM, False)]
    for _ in range(2):
        with pytest.raises(ButtonError, match=r"A's CONFIRM .*cannot be read.*; \w+"):
            rig.buttons.drain()
    rig.fingers.press(B_CONFIRM, 3.0, 0.1, bounces=0)
    rig.pass_to(4.0)
    assert plain(rig.buttons.drain()) == [(B_CONFIRM, True), (B_CONFIRM, False)]
    rig.mend(A_CONFIRM)
    rig.fingers.press(A_CONFIRM, 5.0, 0.1, bounces=0)
    rig.pass_to(6.0)
    assert plain(rig.buttons.drain()) == [(A_CONFIRM, True), (A_CONFIRM, False)]


def test_a_lost_lamp_raises(rig: Rig) -> None:
    rig.lose(A_CONFIRM)
    with pytest.raises(ButtonError, match=r"lamp of A's CONFIRM .*cannot be switched.*; \w+"):
        rig.buttons.light(A_CONFIRM, True)
    rig.mend(A_CONFIRM)
    rig.buttons.light(A_CONFIRM, True)
    assert rig.lit() == {A_CONFIRM}


def test_closed_buttons_are_dark_and_say_nothing(rig: Rig) -> None:
    rig.buttons.light(A_CONFIRM, True)
    rig.buttons.close()
    rig.buttons.close()
    assert rig.lit() == frozenset()
    rig.buttons.light(B_CONFIRM, True)
    rig.fingers.press(A_CONFIRM, 1.0)
    rig.pass_to(2.0)
    assert rig.buttons.drain() == ()
    assert rig.lit() == frozenset()


# What only the real adapter can meet.


def test_what_is_down_at_opening_counts_once_it_was_let_go() -> None:
    factory = StampedFactory()
    pin = factory.pin(17)
    StampedPin.stamp_s = StampedFactory.now = 0.0

    class StuckPin(StampedPin):
        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            self._state = False

    del factory.pins[pin.info]
    factory.pin(17, pin_class=StuckPin)
    buttons = GpioButtons(PINS, pin_factory=factory, clock=lambda: StampedFactory.now)
    assert [buttons.drain() for _ in range(3)] == [(), (), ()]
    StampedPin.stamp_s = StampedFactory.now = 1.0
    factory.pin(17).drive_high()
    assert plain(buttons.drain()) == [(A_CONFIRM, False)]
    factory.pin(17).drive_low()
    assert plain(buttons.drain()) == [(A_CONFIRM, True)]
    buttons.close()


def test_an_edge_that_the_system_lost_is_found_at_the_second_look() -> None:
    rig = MockedPins()
    rig.drive(Edge(A_CONFIRM, True, 1.0), 1.0)
    assert plain(rig.buttons.drain()) == [(A_CONFIRM, True)]
    rig.pin(17).deaf = True
    rig.drive(Edge(A_CONFIRM, False, 1.1), 1.1)
    assert rig.buttons.drain() == ()
    StampedFactory.now = 1.2
    assert rig.buttons.drain() == (Edge(A_CONFIRM, False, 1001.2),)
    assert rig.buttons.drain() == ()
    rig.pin(17).deaf = False
    rig.drive(Edge(A_CONFIRM, True, 1.5), 1.5)
    edges = rig.buttons.drain() + rig.buttons.drain()
    assert plain(edges) == [(A_CONFIRM, True)]
    rig.drive(Edge(A_CONFIRM, False, 1.7), 1.7)
    assert plain(rig.buttons.drain()) == [(A_CONFIRM, False)]
    rig.buttons.close()


def test_a_stamp_of_another_clock_is_not_believed() -> None:
    rig = MockedPins()
    rig.drive(Edge(A_CONFIRM, True, 1.7e9), 2.0)  # UTC, as early kernels stamp
    rig.drive(Edge(A_CONFIRM, False, -1.7e9), 3.0)
    assert [edge.at_s for edge in rig.buttons.drain()] == [1002.0, 1003.0]
    rig.buttons.close()


@pytest.mark.parametrize(
    ("pins", "leds", "words"),
    [
        ({A_CONFIRM: 17, B_CONFIRM: 17}, {}, "GPIO 17 is given to A's CONFIRM and to B's CONFIRM"),
        ({A_CONFIRM: 17}, {A_CONFIRM: 17}, "GPIO 17 is given to A's CONFIRM and to the lamp of"),
        ({A_CONFIRM: 99}, {}, r"A's CONFIRM \(GPIO 99\) does not open"),
        ({A_CONFIRM: 17}, {B_CONFIRM: 98}, r"lamp of B's CONFIRM \(GPIO 98\) does not open"),
        ({A_CONFIRM: 17}, {B_CONFIRM: 4}, r"lamp of B's CONFIRM \(GPIO 4\) does not open"),
    ],
)
def test_pins_that_do_not_open(pins: dict[Button, int], leds: dict[Button, int], words: str) -> None:
    from gpiozero import DigitalInputDevice

    factory = StampedFactory()
    other = DigitalInputDevice(4, pin_factory=factory)
    with pytest.raises(ButtonError, match=words) as kept:
        GpioButtons(pins, leds, pin_factory=factory)
    # Nothing stayed open, even while what failed is held by its error.
    GpioButtons({A_CONFIRM: 17}, pin_factory=factory).close()
    assert kept.tb is not None
    other.close()


def pi_with(monkeypatch: pytest.MonkeyPatch, open_pins: Callable[[], object] | None) -> None:
    """A computer whose lgpio opens its pins so; None is one without lgpio."""
    module = None if open_pins is None else SimpleNamespace(LGPIOFactory=open_pins)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)


def test_without_the_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    pi_with(monkeypatch, None)
    with pytest.raises(ButtonError, match=r"sudo apt install .*lgpio"):
        GpioButtons(PINS)


def test_a_board_without_buttons_needs_no_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    pi_with(monkeypatch, None)
    buttons = GpioButtons({})
    buttons.light(A_CONFIRM, True)
    assert buttons.drain() == ()
    buttons.close()


def test_without_pins_the_error_says_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_chip() -> object:
        raise LostDeviceError("can not open gpiochip")

    pi_with(monkeypatch, no_chip)
    with pytest.raises(ButtonError, match=r"can not open gpiochip.*Raspberry Pi.*group `gpio`"):
        GpioButtons(PINS)


def test_the_pis_own_pins_are_opened_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = StampedFactory()
    closed: list[bool] = []
    monkeypatch.setattr(factory, "close", lambda: closed.append(True))
    pi_with(monkeypatch, lambda: factory)
    buttons = GpioButtons(PINS)
    factory.pin(17).drive_low()
    assert plain(buttons.drain()) == [(A_CONFIRM, True)]
    buttons.close()
    buttons.close()
    assert closed == [True]


def test_threads_lose_no_edge() -> None:
    queue = EdgeQueue()
    presses = QUEUED_EDGES // 2

    def work(button: Button) -> None:
        for n in range(presses):
            queue.put(Edge(button, True, n))
            queue.put(Edge(button, False, n + 0.5))

    threads = [Thread(target=work, args=(button,)) for button in BUTTONS]
    for thread in threads:
        thread.start()
    edges: list[Edge] = []
    while any(thread.is_alive() for thread in threads):
        edges += queue.drain()
    edges += queue.drain()
    for thread in threads:
        thread.join()
    assert queue.dropped == 0
    for button in BUTTONS:
        mine = [edge for edge in edges if edge.button == button]
        assert [edge.at_s for edge in mine] == [n / 2 for n in range(2 * presses)]
        assert [edge.pressed for edge in mine] == [True, False] * presses


# What only the twin can be asked.


def test_a_finger_cannot_press_what_is_down_or_was() -> None:
    rig = Simulated()
    rig.fingers.press(A_CONFIRM, 1.0, 0.5)
    with pytest.raises(ValueError, match="down already"):
        rig.fingers.press(A_CONFIRM, 1.2)
    rig.pass_to(3.0)
    with pytest.raises(ValueError, match="past"):
        rig.fingers.press(A_CONFIRM, 2.9)
    with pytest.raises(ValueError, match="lasts some time"):
        rig.fingers.press(A_CONFIRM, 4.0, 0.0)


def test_a_contact_sticks_until_it_is_let_go() -> None:
    rig = Simulated()
    rig.fingers.press(A_CONFIRM, 1.0, float("inf"), bounces=0)
    rig.pass_to(100.0)
    assert plain(rig.buttons.drain()) == [(A_CONFIRM, True)]
    rig.fingers.let_go(A_CONFIRM)
    assert rig.buttons.drain() == (Edge(A_CONFIRM, False, 100.0),)
    with pytest.raises(ValueError, match="does not stick"):
        rig.fingers.let_go(A_CONFIRM)


def test_a_press_shorter_than_its_bounces_ends_open() -> None:
    for for_s in (0.0005, 0.002, 0.003, 0.0079):
        rig = Simulated()
        rig.fingers.press(A_CONFIRM, 1.0, for_s, bounces=5)
        rig.pass_to(2.0)
        edges = rig.buttons.drain()
        assert not edges[-1].pressed
        opening = contact_times(1.0 + for_s, 5)
        assert {edge.at_s for edge in edges if edge.at_s > 1.0 + for_s} <= set(opening)
        clean = Debouncer().feed(edges, 2.0)
        assert plain(clean) == [(A_CONFIRM, True), (A_CONFIRM, False)]
        assert clean[0].at_s == 1.0


def test_what_happened_while_a_button_was_lost_nobody_saw() -> None:
    rig = Simulated()
    rig.fingers.press(A_CONFIRM, 1.0, 2.0, bounces=0)
    rig.pass_to(1.5)
    assert plain(rig.buttons.drain()) == [(A_CONFIRM, True)]
    rig.lose(A_CONFIRM)
    rig.pass_to(4.0)
    with pytest.raises(ButtonError):
        rig.buttons.drain()
    rig.mend(A_CONFIRM)
    assert rig.buttons.drain() == (Edge(A_CONFIRM, False, 4.0),)
