"""Checks of the service: whether it runs, and what it says of the parts that it holds. Pure."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from firmware.doctor.findings import Finding, State, broken, ok, told, warning
from hardware.programs import Service

UNIT: Final = "setmatch.service"
_LOG: Final = f"journalctl -u {UNIT} -n 50"
_WAIT: Final = f"ask again in a minute; if it stays so: `sudo systemctl restart {UNIT}`"
_STOP: Final = f"to have it looked at here: `sudo systemctl stop {UNIT}`, then ask again"
_MINOR: Final = ("reviews", "match", "umpire", "calibration", "speaker", "mqtt")
"""Parts in the daemon's words that players can do without, or that were wrong for a moment."""


def check_service(service: Service | None, log: tuple[str, ...] | None = None) -> Finding:
    """How the unit is. `log`: the last lines of its last run."""
    if service is None:
        then = "start the board by hand with `setmatch run --config FILE`"
        return warning("service", "systemd does not run this computer, so nothing starts the board", then)
    if not service.installed:
        then = "install it with `sudo bash systemd/install.sh`, or play with `setmatch run`"
        return warning(
            "service", f"{UNIT} is not installed: the board does not start with the computer", then
        )
    said = _last_words(log)
    if service.active == "failed":
        why = f"ended with {service.code}" if service.result == "exit-code" else service.result
        then = f"mend what `{_LOG}` says, then `sudo systemctl restart {UNIT}`"
        return broken("service", f"failed ({why}){said}", then)
    if service.active != "active" and service.step == "auto-restart":
        return broken("service", f"stops and is started again{said}", f"mend what `{_LOG}` says")
    if not service.runs:
        start = "start" if service.enabled else "enable --now"
        then = f"start it with `sudo systemctl {start} {UNIT}`"
        return warning("service", "stopped", then)
    text = f"runs: {service.status}" if service.status else "runs"
    if not service.enabled:
        then = f"have it start with the computer: `sudo systemctl enable {UNIT}`"
        return warning("service", f"{text}; it does not start with the computer", then)
    if service.restarts > 0:
        then = f"see with `{_LOG}` why it stopped"
        return warning("service", f"{text}; it was started again {_times(service.restarts)}", then)
    return ok("service", text)


def check_program(process: int, parts: Iterable[str]) -> tuple[Finding, ...]:
    """A board's program that runs and is not the service's, and the `parts` that it holds."""
    text = f"`setmatch run` runs, process {process}, and prints how it is"
    held = f"held by process {process}"
    then = "to have it looked at here: stop that, then ask again"
    return (ok("program", text), *(ok(part, held, then) for part in parts))


def troubles_in(log: Iterable[str]) -> Mapping[str, str]:
    """What is wrong with each part at the end of a service's log, and has not been said to be well since.

    The daemon's lines are JSON: {"kind": "trouble", "part": ..., "text": ...}, {"kind": "well", "part": ...}.
    """
    standing: dict[str, str] = {}
    for line in log:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        match event:
            case {"kind": "trouble", "part": str(part), "text": str(text)}:
                standing[part] = text
            case {"kind": "well", "part": str(part)}:
                standing.pop(part, None)
            case _:
                continue
    return standing


def check_held(
    parts: Mapping[str, Collection[str]], troubles: Mapping[str, str] | None
) -> tuple[Finding, ...]:
    """What a running board says of the parts that it holds, and of others that it finds wrong. `parts`: what
    it calls each. `troubles`: by `troubles_in`, None if its log cannot be read."""
    if troubles is None:
        then = "ask again with sudo: only some users may read the log"
        text = "held by the running board; what it says of it cannot be read"
        return tuple(warning(part, text, then) for part in parts)
    findings, left = [], dict(troubles)
    for part, names in parts.items():
        own = [told(part, left.pop(name), _weight(name), _WAIT) for name in names if name in left]
        findings += own or [ok(part, "held by the running board, which finds nothing wrong", _STOP)]
    return (*findings, *(told(part, text, _weight(part), _WAIT) for part, text in left.items()))


def _weight(part: str) -> State:
    return "warning" if part in _MINOR else "broken"


def _last_words(log: tuple[str, ...] | None) -> str:
    """What the program said when it ended: errors are one line, after its name."""
    words = [line.removeprefix("setmatch: ") for line in log or () if line.startswith("setmatch: ")]
    return f": {words[-1]}" if words else ""


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
