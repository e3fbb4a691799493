"""The link in `setmatch run`: its option, the link beside a match, and the board without a camera."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.errors import InputError
from hardware.errors import SerialPortError

if TYPE_CHECKING:
    from firmware.config import Config
    from firmware.daemon.daemon import Daemon
    from firmware.daemon.linking import Linked, Wanted
    from firmware.daemon.lobby_menu import LobbyMenu
    from firmware.daemon.parts import Panels
    from firmware.daemon.stopping import Stop
    from firmware.display import Display
    from firmware.report import Line

NO_TABLE: Final = "none"
"""The rig that has no camera and no table."""
_OF_A_TABLE: Final = {
    "autoplay": "--autoplay",
    "play": "--play",
    "games": "--games",
    "speed": "--speed",
    "seed": "--seed",
    "new_match": "--new-match",
}


def add_link_option(group: "argparse._ArgumentGroup") -> None:
    """Add --link."""
    group.add_argument(
        "--link",
        action="append",
        metavar="PORT",
        help="serve controllers there, repeatable: a serial device, a URL of pyserial's, auto for all "
        "serial ports on USB as they are plugged in, or tcp:PORT for programs on this computer (default: as "
        "the configuration says, or nowhere)",
    )


def link_wanted(args: argparse.Namespace, config: "Config") -> "Wanted":
    """What is to be served. InputError for what cannot be."""
    from firmware.daemon.linking import wanted_of

    try:
        wanted = wanted_of(args.link, config.link.ports, config.link.tcp)
    except ValueError as error:
        raise InputError(f"--link: {error}") from error
    if config.camera.source != NO_TABLE:
        return wanted
    given = next(
        (flag for name, flag in _OF_A_TABLE.items() if getattr(args, name) not in (None, False)), None
    )
    if given is not None:
        raise InputError(f"{given} is for a match at a table; leave it out, or play with another --rig")
    if not wanted.anything:
        raise InputError(
            "without a camera only games on the link are played; give --link auto, or --link PORT"
        )
    return wanted


def line_teller(display: "Display", as_json: bool) -> Callable[[str], None]:
    """What has a line of the link's be read: by people, or as JSON by programs."""

    def tell(text: str) -> None:
        if as_json:
            print(json.dumps({"kind": "link", "text": text}), flush=True)
        display.say(text)

    return tell


class LinkBeside:
    """The link beside a match, whose panels it may have."""

    def __init__(
        self,
        panels: "Panels",
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock`: seconds that never go back, of those who look at the panels."""
        from firmware.daemon.linking import SharedPanels

        self.panels: SharedPanels = SharedPanels(panels)
        """To be given to the match."""
        self.linked: Linked | None = None
        self._tell = tell
        self._clock = clock

    def heard(self, line: "Line") -> None:
        """The match told this. A stroke or a press is about the match: its panels are back."""
        if line["kind"] in ("stroke", "press"):
            self.panels.touched()

    def open(self, wanted: "Wanted", state: Path) -> None:
        """Serve it, if anything is wanted. What cannot be is said, and tried again: the match goes on."""
        if wanted.anything:
            from firmware.daemon.linking import Linked

            self.linked = Linked.open(wanted, state, waits=True)

    def look(self, daemon: "Daemon") -> None:
        """Between the match's turns: what the link said, and who has the panels."""
        if self.linked is None:
            return
        from firmware.daemon.beside import is_on

        for line in self.linked.look():
            self._tell(line)
        self.panels.look(self.linked.shown, match_on=is_on(daemon.chair), now=self._clock())

    def close(self) -> None:
        """Serve it no more."""
        if self.linked is not None:
            self.linked.close()


def host(args: argparse.Namespace, config: "Config", state: Path, stop: "Stop", wanted: "Wanted") -> int:
    """Host the link's games on a board without a camera, until it is stopped."""
    from firmware.daemon.hosting import host_games
    from firmware.daemon.linking import Linked
    from firmware.daemon.supervision import Supervision
    from firmware.display import PlainDisplay, SilentDisplay
    from firmware.live.pace import sleeping
    from firmware.panel_bus import Placed
    from firmware.panel_driver import PanelDriver
    from hardware.luma_panel import LumaPanel

    display: Display = SilentDisplay() if args.json else PlainDisplay(sys.stdout, texts=config.texts())
    try:
        linked = Linked.open(wanted, state)
    except SerialPortError as error:
        raise InputError(f"--link: {error}") from error
    panels = PanelDriver([Placed(role, LumaPanel(spec)) for role, spec in config.panels()], config.care())
    panels.start()
    tell = line_teller(display, args.json)
    host_games(
        linked,
        panels,
        config.texts(),
        stop,
        tell=tell,
        sleep=sleeping(stop),
        supervision=Supervision.of_this_process(),
        menu=_menu(config, linked, panels.wake, tell),
    )
    return 0


def _menu(
    config: "Config", linked: "Linked", touched: Callable[[], None], tell: Callable[[str], None]
) -> "LobbyMenu | None":
    """What the board's buttons walk; None for a board that has none."""
    from firmware.daemon.hosting import trouble_line
    from firmware.daemon.late_buttons import LateButtons
    from firmware.daemon.lobby_menu import LobbyMenu
    from firmware.daemon.troubles import Troubles
    from hardware.gpio_buttons import GpioButtons

    pins, lamps, pull_up = config.pins(), config.lamps(), config.buttons.pull_up
    if not pins:
        return None
    buttons = LateButtons(lambda: GpioButtons(pins, lamps, pull_up=pull_up))
    troubles = Troubles(lambda line: tell(trouble_line(line)))
    return LobbyMenu(buttons, linked, config, config.texts(), troubles, touched)
