"""Sentences for what a match waits for, why something may not be done, and how it ended."""

from firmware.rules import (
    DecisionAwaited,
    OptionName,
    Outcome,
    PlacementAwaited,
    PlacementReason,
    Reason,
    ReturnAwaited,
    ServeAwaited,
    Setup,
    Waiting,
)
from firmware.rules.setup import SIMPLIFIED_GOAL
from firmware.texts.announcing import PLAIN, placement_said, spot_said
from firmware.texts.table import Language, Texts, load


def waiting_sentence(waiting: Waiting, texts: Texts | Language, setup: Setup = PLAIN) -> str:
    """Who has to do what; `setup` is the match's (see `announcing.sentence`)."""
    texts = load(texts) if isinstance(texts, str) else texts
    seat = texts.seat(waiting.seat, setup)
    match waiting:
        case ServeAwaited():
            return texts.say(_serve_key(waiting, setup), seat=seat)
        case ReturnAwaited(pressure=pressure):
            return texts.say("waiting.return-under-pressure" if pressure else "waiting.return", seat=seat)
        case PlacementAwaited(agreed=agreed):
            asked = _placement(waiting, texts, setup)
            if not agreed:
                return asked
            return texts.say("waiting.agreed", asked=asked, side=texts.side(agreed[0]))
        case DecisionAwaited():
            return texts.say("waiting.decision", seat=seat)


def explain_reason(reason: Reason, texts: Texts | Language) -> str:
    """Why an action may not be done, and what to do instead."""
    texts = load(texts) if isinstance(texts, str) else texts
    return texts.say(f"reason.{reason}")


def stroke_played_on(number: int, reason: PlacementReason, texts: Texts | Language) -> str:
    """A stroke counts though the ball did not lie where it should, since both sides agreed to it."""
    texts = load(texts) if isinstance(texts, str) else texts
    return texts.say(f"played-on.{reason}", number=number)


def explain_idle(option: OptionName, texts: Texts | Language) -> str:
    """Why an option that is on changes nothing; for those that `rules.idle_options` names."""
    texts = load(texts) if isinstance(texts, str) else texts
    return texts.say(f"idle.{option}")


def outcome_sentence(outcome: Outcome, texts: Texts | Language) -> str:
    """Who won the match, and by what."""
    texts = load(texts) if isinstance(texts, str) else texts
    side = texts.side(outcome.winner)
    if outcome.reason == "points":
        return texts.say("outcome.points", side=side, goal=SIMPLIFIED_GOAL)
    return texts.say("outcome.sets", side=side)


def next_match(outcome: Outcome, texts: Texts, *, accepted: bool) -> str:
    """Who won the match, and what leads to the next one. `accepted`: both sides have accepted its last call;
    else that is asked for."""
    key = "outcome.next" if accepted else "outcome.accept"
    return texts.say(key, won=outcome_sentence(outcome, texts))


def _placement(waiting: PlacementAwaited, texts: Texts, setup: Setup) -> str:
    """What is asked for, with the place where no line of the board tells it."""
    if waiting.at_mm is None or waiting.reason not in ("moved", "again"):
        return placement_said(waiting, texts, setup)
    spot = spot_said(waiting.at_mm, texts)
    return texts.say(f"waiting.put-back.{waiting.reason}", seat=texts.seat(waiting.seat, setup), spot=spot)


def _serve_key(waiting: ServeAwaited, setup: Setup) -> str:
    attempt = "first" if waiting.attempt == 1 else "second"
    if not setup.options.free_serve_position:
        return f"waiting.serve-from.{waiting.side}.{attempt}"
    # Where anybody may serve from anywhere the box is what is left to say (SM-13).
    if waiting.box is None:
        return f"waiting.serve-anywhere.{attempt}"
    return f"waiting.serve-into.{waiting.box}.{attempt}"
