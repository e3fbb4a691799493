"""SET as a player has it in a terminal: the table drawn, what keys do, and what to say.

No rule of the game is known here; the board tells what is legal.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from firmware.controller.keys import CARD_KEYS, ROWS, card_key
from firmware.controller.styled import LARGE, SMALL, WRITTEN, Form, Line, width_of
from firmware.games.setgame.state import ClaimFailed, Code, Event, SetTaken, View
from firmware.link.messages import GameTold, LobbyTold
from firmware.texts import Texts, seat_named, set_act, set_outcome, set_sentence

_BAR: Final = 20
Action = dict[str, Any]


class SetHand:
    """One player's eyes and fingers."""

    def __init__(self) -> None:
        self._picked: list[Code] = []
        self._claim: tuple[int, float] | None = None
        """Who names a set, and since when we know."""

    def told(self, told: GameTold, now: float) -> View:
        """The view of what the board told. msgspec.ValidationError if it is none."""
        view = msgspec.convert(told.view, View)
        if view.claimed is None:
            self._claim = None
        elif self._claim is None or self._claim[0] != view.claimed:
            self._claim = view.claimed, now
        if view.claimed is None or view.claimed != view.seat:
            self._picked = []
        if view.table:  # else it is covered while the game waits
            self._picked = [card for card in self._picked if card in view.table]
        return view

    @property
    def time_runs(self) -> bool:
        """Whether the picture moves by itself."""
        return self._claim is not None

    # ------------------------------------------------------------ keys

    def pressed(self, key: str, view: View) -> Action | None:
        """What a key does: an action for the board, or nothing yet."""
        match key:
            case "space" if "claim" in view.may:
                return {"kind": "claim"}
            case "0" if "withdraw" in view.may:
                return {"kind": "withdraw"}
            case "0" if "agree-none" in view.may:
                return {"kind": "agree-none"}
            case "enter" if "deal" in view.may:
                return {"kind": "deal"}
            case "escape":
                self._picked = []
            case _ if "name" in view.may and CARD_KEYS.get(key, 81) < len(view.table):
                return self._pick(view.table[CARD_KEYS[key]])
        return None

    def keys(self, view: View, texts: Texts) -> list[tuple[str, str]]:
        """The keys that do something now, and what."""
        keys = []
        space, enter = texts.say("controller.cap.space"), texts.say("controller.cap.enter")
        if "claim" in view.may:
            keys.append((space, set_act("claim", texts)))
        if "name" in view.may:
            first, last = card_key(0), card_key(max(0, len(view.table) - 1))
            keys.append((f"{first}…{last}", texts.say("controller.key.card")))
            keys.append((texts.say("controller.cap.escape"), texts.say("controller.key.clear")))
        if "withdraw" in view.may:
            keys.append(("0", set_act("withdraw", texts)))
        elif "agree-none" in view.may:
            keys.append(("0", set_act("agree-none", texts)))
        if "deal" in view.may:
            keys.append((enter, set_act("deal", texts)))
        return keys

    def _pick(self, card: Code) -> Action | None:
        if card in self._picked:
            self._picked.remove(card)
            return None
        self._picked.append(card)
        if len(self._picked) < 3:
            return None
        picked, self._picked = self._picked, []
        return {"kind": "name", "cards": picked}

    # ------------------------------------------------------------ words

    def title(self, view: View, texts: Texts) -> str:
        """What is played, and how far it is."""
        values = {"hand": view.hand, "hands": view.hands, "deck": view.in_deck}
        return texts.say("controller.title.game", game="SET", **values)

    def status(self, view: View, names: Sequence[str], texts: Texts, now: float) -> Line:
        """What is due."""
        if view.outcome is not None:
            return ((set_outcome(view.outcome, names, texts), "bold"),)
        if view.claimed is not None and self._claim is not None:
            left = max(0.0, 1 - (now - self._claim[1]) / view.naming_s)
            lit = round(_BAR * left)
            bar: Line = (("█" * lit, "alarm"), ("░" * (_BAR - lit), "dim"), (" ", ""))
            if view.claimed == view.seat:
                return (*bar, (texts.say("controller.your-set"), "bold"))
            who = seat_named(view.claimed, names, texts)
            return (*bar, (texts.say("games.set.told.claimed", seat=who), "bold"))
        if view.seat is None:
            return ((texts.say("controller.looking-on"), ""),)
        if view.locked == view.seat:
            return ((texts.say("games.set.reason.locked-out"), "alarm"),)
        if "deal" in view.may:
            return ((texts.say("controller.deal-due"), "bold"),)
        if not view.dealt:
            return ((texts.say("games.set.reason.hand-is-over"), ""),)
        return ((texts.say("controller.claim-due"), ""),)

    # ------------------------------------------------------------ the table

    def table(self, view: View, width: int, height: int, pictures: bool) -> list[Line]:
        """The cards, as large as they can be in so many characters."""
        columns = -(-len(view.table) // ROWS)
        forms = (LARGE, SMALL, WRITTEN) if pictures else (WRITTEN,)
        for form in forms:
            if columns * form.width <= width and ROWS * form.height <= height:
                return self._drawn(view.table, form, columns)
        a_band = max(1, width // WRITTEN.width)
        lines: list[Line] = []
        for first in range(0, columns, a_band):
            lines += self._drawn(view.table, WRITTEN, min(columns, first + a_band), first)
        return lines

    def _drawn(self, table: Sequence[Code], form: Form, columns: int, first: int = 0) -> list[Line]:
        lines: list[Line] = []
        for row in range(ROWS):
            places = [
                place for column in range(first, columns) if (place := column * ROWS + row) < len(table)
            ]
            cards = [form.card(table[at], card_key(at), table[at] in self._picked) for at in places]
            lines += [tuple(span for part in parts for span in part) for parts in zip(*cards, strict=True)]
        return lines


def event_sentences(told: GameTold, names: Sequence[str], texts: Texts) -> list[str]:
    """What happened, in words, with the cards that it was about. msgspec.ValidationError for an event that is
    none."""
    said = []
    for event in (msgspec.convert(event, Event) for event in told.events):
        cards = event.cards or () if isinstance(event, SetTaken | ClaimFailed) else ()
        said.append("  ".join((set_sentence(event, names, texts), " ".join(cards))).rstrip())
    return said


def names_of(lobby: LobbyTold | None) -> list[str]:
    """The seats' names, from the first seat on; empty where nobody sits."""
    table = () if lobby is None else lobby.table
    names = [""] * max((seat.seat for seat in table), default=0)
    for seat in table:
        names[seat.seat - 1] = seat.name
    return names


def centred(lines: Sequence[Line], width: int) -> list[Line]:
    """Lines in the middle of so many characters."""
    widest = max(map(width_of, lines), default=0)
    return [((" " * max(0, (width - widest) // 2), ""), *line) for line in lines]
