"""What the board's own menu has to do with the games on the link: how they stand, and what it asks of them.

The link is another thread's, and a stuck one must not keep the match waiting.
"""

from collections.abc import Mapping
from typing import Final, Protocol

from firmware.daemon.troubles import Troubles, coded
from firmware.link.host import Shown
from firmware.link.messages import Refused
from firmware.link.wire import Params
from firmware.menus import LinkAsked, LinkGame

_PART: Final = "link"


class LinkPort(Protocol):
    """What is asked of the link; `firmware.daemon.linking.Linked`."""

    @property
    def shown(self) -> Shown | None:
        """What everybody may see; None while it is not served."""
        ...

    def command(self, method: str, params: Params) -> Params:
        """What the board itself asks for. Refused, with words for people; TimeoutError."""
        ...


def game_beside(link: LinkPort | None) -> LinkGame | None:
    """The link's game as the menu has to know it; None without a link."""
    shown = None if link is None else link.shown
    if shown is None:
        return None
    lobby = shown.lobby
    options: Mapping[str, object] = lobby.options
    return LinkGame(lobby.status, lobby.game, lobby.seats, options, len(lobby.table))


def ask(link: LinkPort | None, asked: LinkAsked, troubles: Troubles, now: float) -> bool:
    """Ask it; whether it is done. Why it may not be is told for a moment."""
    if link is None:
        return False
    try:
        link.command(asked.method, dict(asked.params))
    except (Refused, TimeoutError) as error:
        troubles.say(_PART, f"{asked.method}: {error}", coded("link-refused"), now)
        return False
    return True
