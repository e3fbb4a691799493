"""What panels show of the link: the lobby, the table, or that the game waits.

Which picture it is, from what everybody may see; how it is drawn, `firmware.screens` knows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from firmware.games.catalogue import GAMES
from firmware.link.host import Shown
from firmware.link.messages import SeatTold
from firmware.texts import Texts, option_in_brief, seats_named

if TYPE_CHECKING:
    from PIL.Image import Image as Drawn

    from firmware.screens.lobby import LobbyPage
    from firmware.screens.panels import Mode


@dataclass(frozen=True, slots=True)
class LinkDrawing:
    """The link as the panels of a role show it; called in the panels' thread. Equal ones look alike."""

    role: str
    shown: Shown
    texts: Texts

    def __call__(self, size: tuple[int, int], mode: "Mode") -> "Drawn":
        """The picture. ValueError for a size that is not one of `screens.panels.SIZES`."""
        from firmware.screens.lobby import lobby_panel

        lobby, view = self.shown.lobby, self.shown.view
        if view is None or lobby.game not in _TABLES:
            return lobby_panel(lobby_page(self.shown, self.texts), size, mode)
        return _TABLES[lobby.game](self, size, mode)


def names_by_seat(shown: Shown) -> tuple[str, ...]:
    """What the players are called, by seat; empty for a seat that nobody has."""
    named = {seat.seat: seat.name for seat in shown.lobby.table}
    return tuple(named.get(number, "") for number in range(1, max(named, default=0) + 1))


def notice(shown: Shown, texts: Texts) -> str | None:
    """What is to be told of a game beside what happens in it: that it waits, and what somebody asks for."""
    lobby = shown.lobby
    names = names_by_seat(shown)
    if lobby.status == "paused":
        return texts.say(f"games.lobby.paused.{lobby.why_paused or 'asked'}")
    for asked, seats in (("end", lobby.end), ("undo", lobby.undo)):
        if seats:
            return texts.say(f"games.lobby.{asked}", seats=seats_named(seats, names, texts))
    return None


def lobby_page(shown: Shown, texts: Texts) -> "LobbyPage":
    """The lobby as it is drawn: of the options those that are not as usual."""
    from firmware.screens.lobby import LobbyPage, Sitting

    lobby = shown.lobby
    game = GAMES.get(lobby.game)
    options = () if game is None else game.options
    most = lobby.seats or (len(lobby.table) if game is None else game.seats[1])
    chosen = tuple(
        option_in_brief(lobby.game, option, lobby.options[option.name], texts)
        for option in options
        if lobby.options.get(option.name, option.default) != option.default
    )
    return LobbyPage(
        title=lobby.game if game is None else game.title,
        taken=texts.say("games.lobby.taken", n=len(lobby.table), of=most),
        seats=tuple(Sitting(_called(seat, texts), seat.present) for seat in lobby.table),
        chosen=chosen,
        note=texts.say("games.lobby.nobody"),
    )


def _called(seat: SeatTold, texts: Texts) -> str:
    named = seat.name or texts.say("games.seat", n=seat.seat)
    return named if seat.bot is None else f"{named} {texts.say(f'games.strength.{seat.bot}')}"


def _set(drawing: LinkDrawing, size: tuple[int, int], mode: "Mode") -> "Drawn":
    from firmware.screens.set_panels import set_cards_panel, set_scores_panel

    shown, texts = drawing.shown, drawing.texts
    names, said = names_by_seat(shown), notice(shown, texts)
    if drawing.role == "in-rally":
        # While the game waits nobody is to look for sets: the cards are covered.
        covered = said if shown.lobby.status == "paused" else None
        return set_cards_panel(shown.view, names, texts, size, mode, covered)
    return set_scores_panel(shown.view, names, texts, size, mode, said)


_TABLES: Final[dict[str, Callable[[LinkDrawing, tuple[int, int], "Mode"], "Drawn"]]] = {"set": _set}
"""The games' tables, by name."""
