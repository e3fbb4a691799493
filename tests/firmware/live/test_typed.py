"""What a person types who cannot type, or is not there."""

import pytest

from calibration.edition import load_edition
from firmware.daemon.stopping import StoppedError
from firmware.live.fingers import Pressing
from firmware.live.typed import typed_aim
from firmware.match import Match
from firmware.rules import Setup
from tests.firmware.live.test_people import Display

CLASSIC = load_edition("classic", require_zones=True)
WAITING = Match(CLASSIC, Setup()).state
NO_TEXT = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")


class Keyboard(Display):
    """A display at whose question each of these lines is typed, or this happens."""

    def __init__(self, *typed: str | Exception) -> None:
        super().__init__()
        self.typed = list(typed)

    def ask(self, question: str) -> str:
        line = self.typed.pop(0)
        if isinstance(line, Exception):
            raise line
        return line


def test_what_is_no_text_and_no_aim_is_asked_for_again() -> None:
    keyboard = Keyboard(NO_TEXT, "9" * 5000, "somewhere", " b  CHALLENGE ")
    assert typed_aim(WAITING, CLASSIC, keyboard) == Pressing("challenge", "B")
    assert keyboard.typed == []
    assert len(keyboard.said) == 3
    assert "type" in keyboard.said[0]


@pytest.mark.parametrize("leaves", ["q", " Quit ", EOFError(), RuntimeError("input(): lost sys.stdin")])
def test_who_leaves_or_is_not_there_stops(leaves: str | Exception) -> None:
    with pytest.raises(StoppedError):
        typed_aim(WAITING, CLASSIC, Keyboard(leaves))


def test_the_hand_chooses_for_who_types_nothing() -> None:
    assert typed_aim(WAITING, CLASSIC, Keyboard("  ")) is None
