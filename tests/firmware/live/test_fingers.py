"""Fingers: what a person types becomes presses that gestures take for what was meant."""

import pytest

from firmware.errors import InputError
from firmware.gestures import Gestures
from firmware.live.fingers import Fingers, Pressing, pressing
from hardware.debounce import Debouncer
from hardware.simulated.buttons import SimulatedButtons


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("meaning", ["confirm", "challenge", "flick-fault", "undo", "overrule", "menu"])
def test_what_is_typed_is_what_the_gestures_make_of_the_presses(meaning: str, side: str) -> None:
    clock = Clock()
    buttons, debouncer, gestures = SimulatedButtons(clock), Debouncer(), Gestures()
    wanted = pressing(f"{side.lower()} {meaning}", "A")
    assert wanted is not None
    until = Fingers(buttons, clock).do(wanted)
    made = []
    while clock.now < until:
        clock.now += 0.02
        made += gestures.feed(debouncer.feed(buttons.drain(), clock.now), clock.now)
    both = meaning in ("overrule", "menu")
    assert [(each.meaning, each.side) for each in made] == [(meaning, None if both else side)]
    clock.now += 5.0
    assert gestures.feed(debouncer.feed(buttons.drain(), clock.now), clock.now) == ()


def test_without_a_side_it_is_the_button_of_who_types() -> None:
    assert pressing("CHALLENGE", "B") == Pressing("challenge", "B")
    assert pressing("overrule", "B") == Pressing("overrule", None)


@pytest.mark.parametrize("text", ["", "2 left", "70 54", "a 2", "dropshot", "a"])
def test_anything_else_is_no_button(text: str) -> None:
    assert pressing(text, "A") is None


@pytest.mark.parametrize("text", ["confirm now", "a undo twice"])
def test_a_button_with_more_behind_it_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="flick-fault"):
        pressing(text, "A")
