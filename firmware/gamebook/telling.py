"""Games that were kept, told: a list of them, and one again from its first action. For people and programs:
lines and plain values; nothing is printed here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from firmware.gamebook.reading import Kept
from firmware.gamebook.records import Seated
from firmware.texts import Texts, set_sentence

_SENTENCES: Final[Mapping[str, Callable[[Any, Sequence[str], Texts], str]]] = {"set": set_sentence}
"""What is said of an event, by game."""


def in_a_line(kept: Kept) -> str:
    """A game in a list: number, when it was begun, who played, how many actions stand, scores, its end."""
    players = ", ".join(name or "-" for name in names_of(kept))
    scores = "-".join(map(str, getattr(kept.states[-1], "scores", ())))
    ending = kept.left or ("over" if kept.over else "open")
    damaged = "" if kept.fault is None else " (damaged)"
    head = f"{kept.id:>4}  {kept.began:%Y-%m-%d %H:%M}  {kept.game:<8}"
    return f"{head}  {players}  {len(kept.actions)} actions  {scores}  {ending}{damaged}"


def as_summary(kept: Kept) -> dict[str, Any]:
    """The same for programs. The seed of a game that is still on is left out: it is the order of the deck."""
    state = kept.states[-1]
    setup = msgspec.to_builtins(kept.setup)
    if kept.left is None and not kept.over:
        setup.pop("seed", None)
    return {
        "kind": "game",
        "id": kept.id,
        "game": kept.game,
        "began": kept.began.isoformat(),
        "setup": setup,
        "players": list(names_of(kept)),
        "actions": len(kept.actions),
        "scores": list(getattr(state, "scores", ())),
        "outcome": msgspec.to_builtins(state.outcome),
        "left": kept.left,
        "fault": kept.fault,
    }


def retold(kept: Kept, texts: Texts) -> Iterator[str]:
    """What was announced, one sentence a line, with the number of the action that led to it."""
    names, sentence = names_of(kept), _SENTENCES.get(kept.game)
    for number, (action, events) in enumerate(zip(kept.actions, kept.events, strict=True), start=1):
        if not events or sentence is None:
            yield f"{number:>4}  {msgspec.json.encode(action).decode()}"
            continue
        for event in events:
            yield f"{number:>4}  {sentence(event, names, texts)}"


def as_actions(kept: Kept) -> Iterator[dict[str, Any]]:
    """The same for programs: every action with what it announced."""
    for number, (action, events) in enumerate(zip(kept.actions, kept.events, strict=True), start=1):
        yield {
            "kind": "action",
            "position": number,
            "action": msgspec.to_builtins(action),
            "events": [msgspec.to_builtins(event) for event in events],
        }


def names_of(kept: Kept) -> tuple[str, ...]:
    """What the seats are called, in order; empty of one that nobody has."""
    return tuple(kept.seats.get(seat, Seated()).name for seat in range(1, kept.places + 1))
