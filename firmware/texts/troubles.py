"""Sentences for what goes wrong at a table, and for a match that goes on: which text says what; no wording.

What is wrong comes as a code or a value. When it is told, and to whom, is not known here.
"""

from typing import Literal

from firmware.rules import Side
from firmware.texts.announcing import Point, spot_said
from firmware.texts.codes import TroubleCode, Unfound, Unkept
from firmware.texts.table import Texts


def trouble_sentence(code: TroubleCode, texts: Texts) -> str:
    """What is wrong, what to do, and whether the score waits for it."""
    return texts.say(f"trouble.{code}")


def board_unfound(why: Unfound, texts: Texts) -> str:
    """Why no board is found, and what to do."""
    return texts.say(f"trouble.board.{why}")


def calibration_kept(why: Unfound, texts: Texts) -> str:
    """The board was not found anew, and is taken to lie where it did."""
    return texts.say("trouble.calibration-kept", why=board_unfound(why, texts))


def match_unkept(why: Unkept, texts: Texts) -> str:
    """Scoring waits, since nothing can be kept; what to do."""
    return texts.say(f"trouble.unkept.{why}")


def button_stuck(side: Side, kind: Literal["confirm", "challenge"], texts: Texts) -> str:
    """A button has been down for so long that nobody presses it."""
    return texts.say(f"trouble.button-stuck.{kind}", side=texts.side(side))


def match_goes_on(at_mm: Point | None, texts: Texts, *, ends_changed: bool = False) -> str:
    """A match goes on, and where the ball has to be laid: `at_mm`, in board axes, as its dot lay; None where
    that is not known, or no matter. `ends_changed`: A plays at B's end."""
    if at_mm is None:
        return texts.say("goes-on.anywhere")
    side: Side = "A" if (at_mm[0] < 0) != ends_changed else "B"
    return texts.say("goes-on.ball", side=texts.side(side), spot=spot_said(at_mm, texts))
