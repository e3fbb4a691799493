"""Sentences for reviews and overruling: which text says what; no wording."""

from collections.abc import Sequence

import msgspec

from firmware.rules import Called, Side
from firmware.texts.announcing import call_said
from firmware.texts.codes import Trouble
from firmware.texts.table import Texts


def review_asked(side: Side, texts: Texts) -> str:
    """A side asks for a review."""
    return texts.say("review.asked", side=texts.side(side))


def review_stands(called: Called, texts: Texts) -> str:
    """The call was measured again, and is the same."""
    return texts.say("review.stands", call=call_said(called, texts))


def review_overturned(called: Called, side: Side, texts: Texts) -> str:
    """It is another; `side` has to agree."""
    return texts.say("review.overturned", call=call_said(called, texts), side=texts.side(side))


def review_let_stand(called: Called, texts: Texts) -> str:
    """It is another, but the first one is kept."""
    return texts.say("review.let-stand", call=call_said(called, texts))


def no_reviews_left(side: Side, texts: Texts) -> str:
    """A side has lost as many reviews as were agreed."""
    return texts.say("review.none-left", side=texts.side(side))


def nothing_to_review(texts: Texts) -> str:
    """There is no call that could be looked at again."""
    return texts.say("review.nothing")


def press_again(texts: Texts) -> str:
    """The call that CHALLENGE was pressed for is not the last any more."""
    return texts.say("review.another-call")


def hold_again(texts: Texts) -> str:
    """What CONFIRM was held for, to undo it, is not the last that was done any more."""
    return texts.say("review.another-deed")


def review_unclear(trouble: Trouble, texts: Texts) -> str:
    """Why the rest could not be looked at again."""
    return texts.say(f"review.unclear.{trouble}")


def overruling_choice(called: Called, texts: Texts, agreed: Sequence[Side] = ()) -> str:
    """The call that two sides are about to agree on, and which of them has; how well it was measured is
    no matter then."""
    call = call_said(msgspec.structs.replace(called, certain=True), texts)
    if not agreed:
        return texts.say("review.overrule", number=called.number, call=call)
    return texts.say("review.overrule-agreed", number=called.number, call=call, side=texts.side(agreed[0]))
