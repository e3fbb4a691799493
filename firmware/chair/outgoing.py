"""What comes of something that happens at the table: what is to be kept, said, told and measured."""

from dataclasses import dataclass

from firmware.chair.reviews import ReviewWanted
from firmware.journal import Later
from firmware.report import Line
from firmware.rules import Event


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What comes of something. `records` are kept first, in order; then `said` is announced, the
    `lines` told to other programs, and the panels drawn anew from the chair.

    `spoken` is `said` once more, made of the voice's texts: for `Voice.clips`. `events`: what the rules
    announced.
    """

    records: tuple[Later, ...] = ()
    lines: tuple[Line, ...] = ()
    events: tuple[Event, ...] = ()
    said: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    review: ReviewWanted | None = None
