"""A finding: a part, how it is, and what to do next. What is found is not known here."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "broken"]
"""`warning`: play goes on, or goes on for now. `broken`: something that is configured does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a doctor's. `next`: what to do, empty where nothing is to be done."""

    part: str
    state: State
    text: str
    next: str = ""


def ok(part: str, text: str, then: str = "") -> Finding:
    """The part is well."""
    return Finding(part, "ok", text, then)


def warning(part: str, text: str, then: str) -> Finding:
    """Something about the part should be seen to."""
    return Finding(part, "warning", text, then)


def broken(part: str, text: str, then: str) -> Finding:
    """The part does not work."""
    return Finding(part, "broken", text, then)


def told(
    part: str, message: str, state: State = "broken", otherwise: str = "see to it, and ask again"
) -> Finding:
    """What an error's message says, or a warning's: what is wrong, then, after the last semicolon, what to
    do next. `otherwise`: that, where the message does not say."""
    text, separator, then = " ".join(message.split()).rpartition("; ")
    if not separator:
        text, then = then, otherwise
    return Finding(part, state, text, then)


def unreadable(part: str, error: PermissionError) -> Finding:
    """What another user may look at."""
    then = "ask again as the user that the board runs as, or with sudo"
    return warning(part, f"this user may not read {error.filename or 'it'}", then)


def all_alike(part: str, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """One finding of `part` for several that say the same of parts beside each other, else them all."""
    first = findings[0] if findings else None
    if (
        first is None
        or len(findings) == 1
        or any((f.text, f.next) != (first.text, first.next) for f in findings)
    ):
        return findings
    return (Finding(part, first.state, first.text, first.next),)
