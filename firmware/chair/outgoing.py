"""What comes of something that happens at the table: what is to be kept, said, told and measured."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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

    def after(self, led: Sequence["Outgoing"]) -> "Outgoing":
        """This, with what came of that which led to it, and is neither said nor shown by itself."""
        records = tuple(record for each in led for record in each.records)
        lines = tuple(line for each in led for line in each.lines)
        return replace(self, records=records + self.records, lines=lines + self.lines)
