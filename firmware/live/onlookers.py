"""What people at a terminal see of a match that a daemon keeps: calls, what is announced, panels, court.

Lines and pictures pass through here; nothing is decided. How a terminal shows them is in `display`.
"""

import math
from typing import TYPE_CHECKING, Final, Protocol

from calibration.edition import Edition
from firmware.chair.chair import Chair
from firmware.daemon.parts import BoardDrawing, MenuDrawing, Panels, Watcher
from firmware.display import Display
from firmware.report import Line
from firmware.rules import Event
from firmware.rules.events import (
    CallAccepted,
    Called,
    FlickFaultCalled,
    PlacementAsked,
    RallyWon,
    ServerReady,
)
from firmware.texts import sentence

if TYPE_CHECKING:
    from firmware.panel_bus import PanelNews, Picture

_TOLD_OTHERWISE: Final = (Called, RallyWon, PlacementAsked, FlickFaultCalled, ServerReady, CallAccepted)
"""A call has a line of its own, with the rally's end in it; what is asked stands on the panels."""
_OF_THE_TABLE: Final = ("trouble", "well", "press", "notice", "settings", "board-found")
"""Lines that tell nothing of the match, and may come while something of it waits to be kept."""
_PRESSES: Final = {
    "confirm": "{side}: CONFIRM",
    "challenge": "{side}: CHALLENGE",
    "flick-fault": "{side}: CHALLENGE twice",
    "undo": "{side}: CONFIRM held",
    "overrule": "both: CHALLENGE held",
    "menu": "both: CONFIRM held",
}


class Watched(Protocol):
    """What is asked of the daemon."""

    @property
    def chair(self) -> Chair:
        """Of the match that is on."""
        ...

    @property
    def umpire(self) -> Watcher | None:
        """Who sees; None while the board is sought."""
        ...


class Onlooker:
    """Shows a daemon's match on a display: hand `tell` to the daemon, and call `look` after each turn."""

    def __init__(self, display: Display, edition: Edition) -> None:
        self._display = display
        self._edition = edition
        self._daemon: Watched | None = None
        self._events: tuple[Event, ...] = ()

    def watch(self, daemon: Watched) -> None:
        """From now on it is this daemon's match."""
        self._daemon = daemon
        self._events = daemon.chair.match.events

    def tell(self, line: Line) -> tuple[Event, ...]:
        """Show a line of the daemon's; the events that the rules announced since the last line."""
        match line["kind"]:
            case "stroke":
                self._display.call(line)
            case "press":
                self._display.say(f"     -- {_PRESSES[line['press']].format(side=line['side'])}")
            case "board-found":
                self._display.say(f"The board is found to {line['residual_mm']:.2f} mm; play.")
            case "trouble":  # the panels have room for what people do about it, not for why
                self._display.say(f"     -- {line['part']}: {line['text']}")
            case "well":
                self._display.say(f"     -- {line['part']}: well again")
            case "resumed":
                self._display.say(_resumed(line))
                if self._daemon is not None:  # what it announced last was announced before
                    self._events = self._daemon.chair.match.events
            case _:
                pass
        if self._daemon is None or line["kind"] in _OF_THE_TABLE:
            return ()  # what is not kept yet has happened for nobody
        chair = self._daemon.chair
        match_ = chair.match
        if match_.events is self._events:
            return ()
        self._events = match_.events
        for event in self._events:
            if not isinstance(event, _TOLD_OTHERWISE):
                self._display.say(sentence(event, chair.texts, match_.state.setup))
        return self._events

    def look(self) -> None:
        """Show where the ball is seen."""
        umpire = None if self._daemon is None else self._daemon.umpire
        if umpire is None or not umpire.balls:
            self._display.ball(None, lying=False)
            return
        at_px, lying = umpire.balls[0]
        place = umpire.calibration.model.locate([at_px], self._edition.ball.height_mm)[0]
        x, y = float(place[0]), float(place[1])
        known = math.isfinite(x) and math.isfinite(y)
        self._display.ball((x, y) if known else None, lying=lying and known)


def _resumed(line: Line) -> str:
    number, strokes = line["match"], line["strokes"]
    if line["over"]:
        return f"Match {number} was won after {strokes} strokes; it stands until another is begun."
    return f"Match {number} goes on after {strokes} strokes."


class ShownPanels:
    """Panels whose pictures a display shows as well."""

    def __init__(self, panels: Panels, display: Display) -> None:
        self._panels = panels
        self._display = display

    def show(self, role: str, picture: "Picture") -> None:
        """Have the panels of a role show this, and the display too."""
        if callable(picture):
            self._display.panel(role, picture)
        if role == "in-rally":
            match picture:
                case BoardDrawing():
                    self._display.show(picture.board, picture.texts)
                case MenuDrawing():
                    self._display.menu(picture.page)
                case _:
                    pass
        self._panels.show(role, picture)

    def wake(self) -> None:
        """Wake the panels."""
        self._panels.wake()

    def works(self, role: str) -> bool:
        """Whether a panel of this role can be read."""
        return self._panels.works(role)

    def news(self) -> "list[PanelNews]":
        """Of the panels."""
        return self._panels.news()

    def stop(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        """Stop the panels."""
        return self._panels.stop(timeout_s)
