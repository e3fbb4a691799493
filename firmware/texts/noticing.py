"""Sentences for what stops the umpire from seeing, and for its end, and for a change of ends: which text says
what; no wording."""

from firmware.texts.codes import NoticeCode
from firmware.texts.table import Texts


def umpire_notice(code: NoticeCode, texts: Texts) -> str:
    """What is told of it, and what to do."""
    return texts.say(f"notice.{code}")


def ends_changed(texts: Texts) -> str:
    """What the players do who change ends, or change back after an undo: each side keeps its buttons."""
    return texts.say("ends.changed")
