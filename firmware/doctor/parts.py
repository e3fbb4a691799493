"""Checks of what is wired to the board: panels, buttons, speaker and voice. Pure: values in, findings out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.doctor.findings import Finding, broken, ok, told, warning
from hardware.button import Button
from hardware.panel import I2cBus, PanelSpec

PANEL_ADDRESSES: Final = (0x3C, 0x3D)
"""What nearly all panels have."""
HEADER_BUS: Final = 1
"""The I2C bus on a Pi's header; others are the screen's and the camera's."""


@dataclass(frozen=True, slots=True)
class Press:
    """What was seen of a button. `began_down`, `ended_down`: at either end of the time it was watched.
    `error`: why it cannot be read, `dark`: why its lamp cannot be switched; empty where they can."""

    presses: int = 0
    began_down: bool = False
    ended_down: bool = False
    error: str = ""
    dark: str = ""


def check_panel(role: str, spec: PanelSpec, error: str, answers: Sequence[int] | None) -> Finding:
    """A configured panel. `error`: why it is not to be reached, empty if it is. `answers`: the addresses at
    which somebody answers on its I2C bus, None if that cannot be told."""
    part = f"panel {role}"
    if not error:
        if isinstance(spec.bus, I2cBus):
            return ok(part, f"{spec.name} answers")
        return ok(part, f"{spec.name} is written to", "see that it lights up: nobody answers on SPI")
    finding = told(part, error)
    if answers is None or not isinstance(spec.bus, I2cBus) or spec.bus.address in answers:
        return finding
    if not answers:
        return broken(part, f"{finding.text} (nobody answers on bus {spec.bus.port})", finding.next)
    others = ", ".join(f"{address:#04x}" for address in answers)
    then = f"{finding.next}; or give it the address at which it is"
    return broken(part, f"{finding.text} (on bus {spec.bus.port} answer: {others})", then)


def check_unnamed_panels(named: Collection[PanelSpec], answers: Sequence[int]) -> tuple[Finding, ...]:
    """Panels that answer on the header's bus and are in no configuration."""
    ours = {
        spec.bus.address for spec in named if isinstance(spec.bus, I2cBus) and spec.bus.port == HEADER_BUS
    }
    left = [f"{address:#04x}" for address in answers if address in PANEL_ADDRESSES and address not in ours]
    if left:
        then = "have it written to: add a [[panel]] with a role and this address to the configuration"
        return (
            warning(
                "panels", f"a panel seems to answer at {' and '.join(left)}, and is not configured", then
            ),
        )
    return () if named else (ok("panels", "none is configured, and none answers"),)


def check_button(button: Button, pin: int, press: Press, watched_s: float) -> tuple[Finding, ...]:
    """A configured button on GPIO `pin`, and its lamp. `watched_s`: for how long people were to press it."""
    return (_button(button, pin, press, watched_s), *_lamp(button, press))


def _button(button: Button, pin: int, press: Press, watched_s: float) -> Finding:
    part, place = str(button), f"GPIO {pin}"
    if press.error:
        return told(part, press.error)
    if press.began_down and press.ended_down and not press.presses:
        then = f"free it; if nothing lies on it, look for a short at {place}, and at pull_up under [buttons]"
        if watched_s > 0:
            return broken(part, f"{place} was down all the time: it is stuck, or wired otherwise", then)
        return warning(part, f"{place} is down", then)
    if press.presses:
        return ok(part, f"{place}: pressed {_times(press.presses)}")
    if watched_s > 0:
        then = f"ask again and press it; if it is not seen then, check its wires to {place} and to ground"
        return warning(part, f"{place}: no press was seen in {watched_s:.0f} s", then)
    return ok(part, f"{place} can be read and is up", "to see it pressed: `setmatch doctor --seconds 20`")


def _lamp(button: Button, press: Press) -> tuple[Finding, ...]:
    return (told(f"{button}, lamp", press.dark),) if press.dark else ()


def check_speaker(device: str, error: str, cards: Sequence[str] | None, names: Sequence[str]) -> Finding:
    """The configured sound device. `error`: why silence cannot be played on it, empty if it can. `cards`: the
    computer's, None if it has none or that is not told; `names`: what `aplay -L` lists."""
    if not error:
        return ok("speaker", f"{device!r} plays; {_listed(cards)}")
    finding = told("speaker", error, "warning")  # play goes on without a voice
    near = [name for name in names if name.startswith(("plughw:", "sysdefault:"))][:3]
    hint = f": {', '.join(near)}" if near else ""
    return warning("speaker", f"{finding.text}; {_listed(cards)}", f"{finding.next}{hint}")


def check_voice(folder: Path, language: str, missing: int, needed: int, owner: str | None = None) -> Finding:
    """The clips of what is said. `missing` of `needed` files are not there. `owner`: whose the folder is, or
    would be, if another user's than this one."""
    then = f"have them made: `{f'sudo -u {owner} ' if owner else ''}setmatch voice --out {folder}`"
    if missing >= needed:
        return warning("voice", f"there are no clips of {language!r} in {folder}: nothing is said", then)
    if missing:
        return warning("voice", f"{missing} of {needed} clips of {language!r} are missing in {folder}", then)
    return ok("voice", f"all {needed} clips of {language!r} are in {folder}")


def _listed(cards: Sequence[str] | None) -> str:
    return f"sound cards: {', '.join(cards)}" if cards else "there is no sound card"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
