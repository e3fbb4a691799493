"""Who serves, from which side and into which box. Order of service only; nothing is scored here."""

from firmware.rules.landing import BoxSide
from firmware.rules.score import Score
from firmware.rules.setup import Seat, Setup, next_seat


def server(setup: Setup, score: Score, game_server: Seat) -> Seat:
    """Whose serve is next, when `game_server` served first in this game.

    A game is served by one player; in a tie-break the first serves once, and then each twice
    (SM-14); in a simplified match each serves twice, so that the server changes at every even
    total (SM-16).
    """
    played = sum(score.points)
    match score.counting:
        case "tennis":
            return game_server
        case "tie-break":
            return next_seat(setup, game_server, (played + 1) // 2)
        case "simplified":
            return next_seat(setup, game_server, played // 2)


def service_side(score: Score) -> BoxSide:
    """On which side of the centre mark the server stands: the right at even points (SM-13)."""
    return "right" if sum(score.points) % 2 == 0 else "left"


def target_box(side: BoxSide) -> BoxSide:
    """The box diagonally opposite, as the server sees the far half."""
    return "left" if side == "right" else "right"
