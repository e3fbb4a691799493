"""Which texts a language has to have, and which placeholders each. Keys only, no wording.

Keys come from the types of the rules and of `codes.py` wherever they can, so that a new call, reason or
option without a text is met when the tables are loaded.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, get_args

from firmware.rules import OPTION_NAMES, PRESETS, OptionName, PlacementReason, Reason, Seat, Side
from firmware.rules.events import Call
from firmware.texts import controller_schema, games_schema
from firmware.texts.codes import NoticeCode, Trouble, TroubleCode, Unfound, Unkept

NUMBERS: Final = ("one", "other")
"""The forms of a counted text, which has the number as {n}: the first for the language's `singular`
numbers, the second for all others."""
TOPICS: Final = (
    "match",
    "serve",
    "fault",
    "ace",
    "rally",
    "bonus",
    "game",
    "set",
    "order",
    "place",
    "buttons",
)
"""The parts of the rules in words, in the order in which they are told."""
IDLE_OPTIONS: Final[tuple[OptionName, ...]] = (
    "second_serve_ace_pressure",
    "advantage",
    "tie_break",
    "aces",
    "change_ends",
)
"""The options that `idle_options` can find without effect."""

_PLAIN: Final = (
    "called.in-for-nothing",
    "called.in-at-point",
    "called.ace-at-point",
    "score.deuce",
    "score.forty-all",
    "score.love-all",
    "told.ends-changed",
    "placement-agreed.both",
    "review.nothing",
    "review.another-call",
    "review.another-deed",
    "ends.changed",
    "goes-on.anywhere",
    "panel.ready",
    "panel.too-close",
    "panel.flick-fault-asked",
    "panel.review.stands",
    "panel.review.overturned",
    "panel.review.let-stand",
    "panel.heading.sets",
    "panel.heading.games",
    "panel.heading.points",
    "panel.heading.tie-break",
    "lay-back.title",
    "lay-back.net",
    "lay-back.service",
    "lay-back.baseline",
    "lay-back.centre",
    "lay-back.singles",
    "lay-back.doubles",
    "rules.match.singles",
    "rules.serve.box",
    "rules.serve.court",
    "rules.serve.let",
    "rules.serve.points",
    "rules.serve.first-bonus",
    "rules.serve.pressure",
    "rules.fault.two",
    "rules.fault.double-fault",
    "rules.ace.wins",
    "rules.ace.pressure",
    "rules.ace.none",
    "rules.rally.good",
    "rules.rally.lines",
    "rules.rally.dot",
    "rules.rally.net",
    "rules.rally.marker",
    "rules.rally.faults",
    "rules.bonus.crosscourt",
    "rules.bonus.dropshot",
    "rules.bonus.net",
    "rules.bonus.sum",
    "rules.bonus.none",
    "rules.game.tennis",
    "rules.game.advantage",
    "rules.game.no-advantage",
    "rules.set.clear",
    "rules.order.games",
    "rules.order.tie-break",
    "rules.order.simplified",
    "rules.place.serve",
    "rules.place.free",
    "rules.place.change-ends",
    "rules.place.same-ends",
    "rules.buttons.confirm",
    "rules.buttons.challenge",
    "rules.buttons.flick-fault",
    "rules.buttons.review",
    "rules.buttons.undo",
    "rules.buttons.overrule",
    "rules.buttons.menu",
    "rules.buttons.correct",
)
_FILLED: Final[Mapping[str, tuple[str, ...]]] = {
    "called.too-close": ("call",),
    "called.unseen": ("call",),
    "score.points": ("a", "b"),
    "score.all": ("n",),
    "score.advantage": ("side",),
    "score.games": ("a", "b"),
    "score.sets": ("a", "b"),
    "won.rally": ("side",),
    "won.game": ("side",),
    "won.game-with-games": ("side", "a", "b"),
    "won.set": ("side", "a", "b"),
    "won.match-by-sets": ("side", "a", "b"),
    "won.match-by-points": ("side", "a", "b"),
    "told.tie-break": ("goal",),
    "placement-agreed.one": ("side",),
    "told.server-ready": ("seat",),
    "told.call-accepted": ("side",),
    "told.flick-fault-called": ("seat",),
    "told.flick-fault-contested": ("score",),
    "corrected.stands": ("number", "call"),
    "corrected.changed": ("number", "call"),
    "corrected.changed-with-score": ("number", "call", "score"),
    "undone.stroke": ("number", "score"),
    "undone.correction": ("score",),
    "undone.flick-fault": ("score",),
    "undone.agreement": ("score",),
    "review.asked": ("side",),
    "review.stands": ("call",),
    "review.let-stand": ("call",),
    "review.overturned": ("call", "side"),
    "review.none-left": ("side",),
    "review.overrule": ("number", "call"),
    "review.overrule-agreed": ("number", "call", "side"),
    "trouble.button-stuck.confirm": ("side",),
    "trouble.button-stuck.challenge": ("side",),
    "trouble.calibration-kept": ("why",),
    "goes-on.ball": ("side", "spot"),
    "spot.middle": ("x",),
    "spot.left": ("x", "y"),
    "spot.right": ("x", "y"),
    "waiting.put-back.moved": ("seat", "spot"),
    "waiting.put-back.again": ("seat", "spot"),
    "asked.serve-position.right": ("seat",),
    "asked.serve-position.left": ("seat",),
    "asked.zero.right": ("seat",),
    "asked.zero.left": ("seat",),
    "asked.moved": ("seat",),
    "asked.again": ("seat",),
    "waiting.return": ("seat",),
    "waiting.return-under-pressure": ("seat",),
    "waiting.agreed": ("asked", "side"),
    "waiting.decision": ("seat",),
    "panel.wins": ("side",),
    "panel.serves": ("seat",),
    "panel.plays": ("seat",),
    "panel.under-pressure": ("seat",),
    "panel.places": ("seat",),
    "panel.decides": ("seat",),
    "panel.rally": ("side",),
    "panel.final-sets": ("a", "b"),
    "panel.final-points": ("a", "b"),
    "panel.foot.first.right": ("seat",),
    "panel.foot.first.left": ("seat",),
    "panel.foot.second.right": ("seat",),
    "panel.foot.second.left": ("seat",),
    "panel.foot.rally": ("side",),
    "panel.foot.race": ("goal",),
    "panel.foot.won": ("side",),
    "panel.foot.won-because": ("side", "reason"),
    "lay-back.end": ("side",),
    "outcome.sets": ("side",),
    "outcome.points": ("side", "goal"),
    "outcome.accept": ("won",),
    "outcome.next": ("won",),
    "rules.match.doubles": ("order",),
    "rules.match.first-server": ("seat",),
    "rules.match.simplified": ("goal",),
    "rules.fault.zero": ("mm",),
    "rules.game.simplified": ("goal",),
    "rules.set.games": ("n",),
    "rules.set.decider": ("n",),
    "rules.set.tie-break": ("n", "goal"),
    "rules.place.tolerance": ("mm",),
    "rules.place.moved": ("mm",),
    "rules.heading.singles": ("preset",),
    "rules.heading.doubles": ("preset",),
    "rules.heading.options": ("options",),
    "rules.heading.no-options": (),
    "rules.heading.idle": ("option", "why"),
    "menu.name": ("place",),
    "menu.note.idle": ("why",),
    "menu.note.seated": ("n",),
}
_MENU: Final = (
    "title",
    "back",
    "waits",
    "on",
    "off",
    "new-match",
    "redo",
    "level",
    "options",
    "length",
    "sets",
    "games",
    "first-server",
    "players",
    "singles",
    "doubles",
    "names",
    "language",
    "own-language",
    "sound",
    "calibrate",
    "shut-down",
    "link",
    "link-game",
    "seats",
    "who-comes",
    "start",
    "pause",
    "resume",
    "end-game",
    "sure.link-end",
    "note.ends-game",
    "sure.new-match",
    "sure.shut-down",
    "spelling.done",
    "spelling.space",
    "spelling.delete",
    "note.next-match",
    "note.at-once",
    "note.no-sets",
    "note.leaves-match",
    "note.redoes",
    "note.calibrates",
    "note.shuts-down",
    "note.unkept",
)
_COUNTED: Final = ("called.in", "called.winner", "panel.foot.sets", "rules.match.sets")


def required() -> Mapping[str, frozenset[str]]:
    """Every key, and the placeholders its text has in every language."""
    found = {key: frozenset(names) for key, names in _all()}
    return MappingProxyType(found)


def _all() -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from games_schema.keys()
    yield from controller_schema.keys()
    yield from ((key, ()) for key in _PLAIN)
    yield from ((f"menu.{key}", ()) for key in _MENU)
    yield from _FILLED.items()
    for key in _COUNTED:
        yield from ((f"{key}.{form}", ("n",)) for form in NUMBERS)
    for side in get_args(Side):
        yield f"names.{side}", ()
    for seat in get_args(Seat):
        yield f"names.{seat}", ()
    for call in get_args(Call):
        if call not in ("in", "winner"):  # these tell their points: see _COUNTED
            yield f"called.{call}", ()
        if call != "void":  # a stroke that does not count leaves the call before it on the panels
            yield f"panel.call.{call}", ()
    for reason in get_args(PlacementReason):
        yield f"placed.{reason}", ("seat",)
        yield f"stroke-refused.{reason}", ()
        yield f"played-on.{reason}", ("number",)
    for attempt in ("first", "second"):
        for side in ("right", "left"):
            yield f"waiting.serve-from.{side}.{attempt}", ("seat",)
            yield f"waiting.serve-into.{side}.{attempt}", ("seat",)
        yield f"waiting.serve-anywhere.{attempt}", ("seat",)
    for refused in get_args(Reason):
        yield f"reason.{refused}", ()
    for preset in PRESETS:
        yield f"preset.{preset}", ()
    for option in OPTION_NAMES:
        yield f"option.{option}", ()
    for option in IDLE_OPTIONS:
        yield f"idle.{option}", ()
    for noticed in get_args(NoticeCode):
        yield f"notice.{noticed}", ()
    for unclear in get_args(Trouble):
        yield f"review.unclear.{unclear}", ()
    for code in get_args(TroubleCode):
        yield f"trouble.{code}", ()
    for unfound in get_args(Unfound):
        yield f"trouble.board.{unfound}", ()
    for unkept in get_args(Unkept):
        yield f"trouble.unkept.{unkept}", ()
    for topic in TOPICS:
        yield f"topic.{topic}", ()
