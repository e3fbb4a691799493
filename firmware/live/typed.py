"""A person at the simulated table, who types where to aim and which buttons to press."""

from typing import Final, Literal

from calibration.edition import Edition
from firmware.daemon.stopping import Stop, StoppedError
from firmware.display import Display
from firmware.errors import InputError
from firmware.live.aiming import aim_help, aim_point
from firmware.live.fingers import HELP, Pressing, pressing
from firmware.live.people import Aim, Point, serve_box
from firmware.rules import ReturnAwaited, State, end_of, side_of

_STOP_WORDS: Final = ("q", "quit", "exit")


def person_at(side: Literal["A", "B", "both"], edition: Edition, display: Display, stop: Stop) -> Aim:
    """Who plays a side, or both. StoppedError, at any time, when the person leaves or `stop` is set."""

    def aim(state: State) -> Point | Pressing | None:
        waiting = state.waiting
        if waiting is None or side not in ("both", side_of(waiting.seat)):
            return None
        with stop.breaking():
            return typed_aim(state, edition, display)

    return aim


def typed_aim(state: State, edition: Edition, display: Display) -> Point | Pressing | None:
    """The aim that a person types for the awaited stroke, mm in board axes, or a button to press first; None
    if left empty.

    Asks again until it is one of them. StoppedError when the person leaves.
    """
    waiting = state.waiting
    if waiting is None:
        return None
    box = serve_box(waiting)
    end = end_of(side_of(waiting.seat), state.standing.ends_changed)
    pressed = isinstance(waiting, ReturnAwaited) and waiting.pressure
    plays = "plays under pressure" if pressed else "plays"
    what = plays if box is None else f"serves to the {box} box"
    question = (
        f"{waiting.seat} {what}. Aim: {aim_help(edition, box)}\n  Buttons: {HELP}\n"
        "  (Enter: the hand chooses; q: stop) > "
    )
    while True:
        try:
            text = display.ask(question).strip()
        except (EOFError, RuntimeError):
            # RuntimeError is what input() makes of a standard input that was closed.
            raise StoppedError from None
        except UnicodeDecodeError:
            display.say("that was no text; type it again")
            continue
        if text.lower() in _STOP_WORDS:
            raise StoppedError
        if not text:
            return None
        try:
            buttons = pressing(text, side_of(waiting.seat))
            return aim_point(text, edition, end, box) if buttons is None else buttons
        except InputError as error:
            display.say(str(error))
