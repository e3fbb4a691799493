"""Sentences for what stops the umpire from seeing, and for its end: which text says what; no wording."""

from typing import Literal

from firmware.texts.table import Texts

NoticeCode = Literal[
    "too-dark",
    "covered",
    "out-of-focus",
    "sight-back",
    "board-moved",
    "board-found",
    "ball-lost",
]
"""What the umpire notices; its own names."""


def umpire_notice(code: NoticeCode, texts: Texts) -> str:
    """What is told of it, and what to do."""
    return texts.say(f"notice.{code}")
