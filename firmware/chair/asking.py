"""What is asked of the sides of a match: which lamps are lit, and the words beside them.

Read off the rules' state, a review and an overruling; nothing is changed, and no time is known here.
"""

from firmware.chair.notices import Saying
from firmware.chair.overruling import Overruling
from firmware.chair.reviews import Review
from firmware.match import BOTH_SIDES
from firmware.rules import DecisionAwaited, PlacementAwaited, ServeAwaited, Side, State, side_of
from firmware.rules.buttons import refusal
from firmware.rules.setup import opponent_of
from firmware.texts import Texts, overruling_choice, review_asked, review_overturned, waiting_sentence

Lamps = dict[Side, tuple[bool, bool]]
"""For each side, whether a press of CONFIRM and of CHALLENGE is awaited."""


def lamps(state: State, review: Review | None, overruling: Overruling | None) -> Lamps:
    """Who may answer something now: nobody else has a lamp lit."""
    waiting = state.waiting
    lit: Lamps = {"A": (False, False), "B": (False, False)}
    if overruling is not None:
        for side in BOTH_SIDES:
            lit[side] = (side not in overruling.agreed, True)
    elif review is not None and review.now is not None:
        lit[opponent_of(review.by)] = (True, True)
    elif isinstance(waiting, DecisionAwaited):
        lit[side_of(waiting.seat)] = (True, True)
    elif isinstance(waiting, PlacementAwaited):
        for side in BOTH_SIDES:
            lit[side] = (side not in waiting.agreed, False)
    elif state.outcome is not None:
        # The last call of a match is accepted by each side, before another match takes its place.
        for side in BOTH_SIDES:
            lit[side] = (refusal(state, "confirm", side) is None, False)
    return lit


def serves(state: State, side: Side | None) -> bool:
    """Whether a serve is due, and a server of this side's."""
    return isinstance(state.waiting, ServeAwaited) and side_of(state.waiting.seat) == side


def told(
    state: State,
    review: Review | None,
    overruling: Overruling | None,
    passing: Saying | None,
    texts: Texts,
) -> str | None:
    """What stands on the panels; `passing`: the notice that does now. Choices are seen as long as people step
    through them."""
    asked = question(review, overruling, texts)
    if asked is not None and (passing is None or overruling is not None):
        return asked
    return awaited(state, review, texts) if passing is None else passing(texts)


def question(review: Review | None, overruling: Overruling | None, texts: Texts) -> str | None:
    """What the sides are asked about a call; None if nothing. It comes before all else that is told, since
    nobody should press buttons unseeing."""
    if overruling is not None:
        return overruling_choice(overruling.choice.called, texts, overruling.agreed)
    if review is not None and review.now is not None:
        return review_overturned(review.now, opponent_of(review.by), texts)
    return None


def awaited(state: State, review: Review | None, texts: Texts) -> str | None:
    """What is waited for and has to be said: a review, a ball that is to be laid, a decision."""
    if review is not None:
        return review_asked(review.by, texts)
    waiting = state.waiting
    if isinstance(waiting, PlacementAwaited | DecisionAwaited):
        return waiting_sentence(waiting, texts, state.setup)
    return None
