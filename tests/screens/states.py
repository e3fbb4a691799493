"""What the panels have to say, all of it: every call, and every sentence that can stand in a call's place.

Made from the codes that the program has, so that a new one is here without being asked.
"""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from firmware.rules import (
    Call,
    CallAccepted,
    Called,
    Corrected,
    DecisionAwaited,
    Outcome,
    PlacementAwaited,
    PlacementReason,
    Reason,
    Score,
    ServerReady,
    Side,
    Undone,
    Waiting,
)
from firmware.screens import scoreboard
from firmware.screens.scoreboard import CALL_NAMES, CallName, Scoreboard, Serve
from firmware.texts import (
    NoticeCode,
    Texts,
    Trouble,
    TroubleCode,
    Unfound,
    Unkept,
    board_unfound,
    button_stuck,
    calibration_kept,
    explain_reason,
    hold_again,
    match_goes_on,
    match_unkept,
    next_match,
    no_reviews_left,
    nothing_to_review,
    overruling_choice,
    press_again,
    review_asked,
    review_let_stand,
    review_overturned,
    review_stands,
    review_unclear,
    sentence,
    trouble_sentence,
    umpire_notice,
    waiting_sentence,
)

Sentences = Mapping[str, str]
SIDES: tuple[Side, ...] = get_args(Side)
SPOT = (-150.3, 40.2)

_EARNING: tuple[CallName, ...] = ("in", "winner")
_BOARD = Scoreboard(
    marker=-1, points=("30", "40"), games=(2, 1), to_play="B1", last=scoreboard.Called("A1", "in", 1)
)


def calls() -> dict[str, Scoreboard]:
    """Every call, certain and too close, with the points that it can have."""
    found = {}
    for call in CALL_NAMES:
        for certain in (True, False):
            for points in (0, 2) if call in _EARNING else (None,):
                last = scoreboard.Called("A1", call, points, certain)
                name = f"{call}{'' if points is None else f' +{points}'}{'' if certain else ' too close'}"
                serve = Serve(2, "left") if call in ("let", "fault") else None
                found[name] = Scoreboard(last=last, to_play="A1" if serve else "B1", serve=serve, marker=1)
    return found


def with_notice(notice: str) -> Scoreboard:
    """A match in which this is told."""
    return msgspec.structs.replace(_BOARD, notice=notice)


def asked(texts: Texts) -> Sentences:
    """What is waited for while nobody may play, also after the end."""
    placements = [
        PlacementAwaited("A1", reason, side, box, at_mm, agreed)
        for reason in get_args(PlacementReason)
        for side, box, at_mm in _places(reason)
        for agreed in ((), ("B",))
    ]
    waits: list[Waiting] = [*placements, DecisionAwaited("B2", 7)]
    return {
        **dict(_numbered((str(type(wait).__name__), waiting_sentence(wait, texts)) for wait in waits)),
        "next match": next_match(Outcome("A", "sets"), texts, accepted=True),
        "next race": next_match(Outcome("B", "points"), texts, accepted=True),
        "last call": next_match(Outcome("A", "sets"), texts, accepted=False),
        "last call of a race": next_match(Outcome("B", "points"), texts, accepted=False),
    }


def _places(reason: PlacementReason) -> list[tuple[Any, Any, Any]]:
    match reason:
        case "serve-position":
            return [("right", None, None), ("left", None, None)]
        case "zero":
            return [(None, "right", None), (None, "left", None)]
        case "moved" | "again":
            return [(None, None, SPOT), (None, None, None)]


def umpire(texts: Texts) -> Sentences:
    """What the umpire notices."""
    return {code: umpire_notice(code, texts) for code in get_args(NoticeCode)}


def troubles(texts: Texts) -> Sentences:
    """What goes wrong at a table, and how a match goes on."""
    return {
        **{code: trouble_sentence(code, texts) for code in get_args(TroubleCode)},
        **{f"board {why}": board_unfound(why, texts) for why in get_args(Unfound)},
        **{f"kept {why}": calibration_kept(why, texts) for why in get_args(Unfound)},
        **{f"unkept {why}": match_unkept(why, texts) for why in get_args(Unkept)},
        "stuck confirm": button_stuck("A", "confirm", texts),
        "stuck challenge": button_stuck("B", "challenge", texts),
        "goes on": match_goes_on(None, texts),
        "goes on at": match_goes_on(SPOT, texts),
    }


def reviews(texts: Texts) -> Sentences:
    """What is told of a review, and of overruling."""
    found = {
        "asked": review_asked("A", texts),
        "nothing": nothing_to_review(texts),
        "none left": no_reviews_left("B", texts),
        "pressed too early": press_again(texts),
        "held too early": hold_again(texts),
        **{f"unclear {trouble}": review_unclear(trouble, texts) for trouble in get_args(Trouble)},
    }
    for called in _called():
        found |= {
            f"{called.call} stands": review_stands(called, texts),
            f"{called.call} overturned": review_overturned(called, "B", texts),
            f"{called.call} kept": review_let_stand(called, texts),
            f"{called.call} overrule": overruling_choice(called, texts),
            f"{called.call} agreed": overruling_choice(called, texts, ("A",)),
        }
    close = next(_called(certain=False))
    return found | {"stands too close": review_stands(close, texts)}


def _called(certain: bool = True) -> Iterator[Called]:
    for call in (
        call for call in get_args(Call) if call != "void"
    ):  # which is neither reviewed nor overruled: it is played again
        points = 2 if call in _EARNING else None
        yield Called(123, "A1", call, points, 0.1, certain, 1, None, Score())


def refusals(texts: Texts) -> Sentences:
    """Why something may not be done."""
    return {reason: explain_reason(reason, texts) for reason in get_args(Reason)}


def taken(texts: Texts) -> Sentences:
    """That a press was taken of which nothing else is to be seen, or nothing that was not seen before."""
    (last, *_), score = _called(), Score((3, 2), (2, 1), (1, 0))
    return {
        "ready": sentence(ServerReady("A2"), texts),
        "accepted": sentence(CallAccepted("B", 7), texts),
        "left as it is": sentence(Corrected(last, last, (), score), texts),
        "undone": sentence(Undone("stroke", 123, score), texts),
        "correction undone": sentence(Undone("correction", None, score), texts),
        "decision undone": sentence(Undone("flick-fault", None, score), texts),
        "agreement undone": sentence(Undone("agreement", None, score), texts),
    }


def _numbered(named: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for number, (name, said) in enumerate(named, start=1):
        yield f"{name.removesuffix('Awaited')} {number}", said


GROUPS = {
    "asked": asked,
    "umpire": umpire,
    "troubles": troubles,
    "reviews": reviews,
    "refusals": refusals,
    "taken": taken,
}
"""Every group of sentences that can stand on the in-rally panel, by its name."""
