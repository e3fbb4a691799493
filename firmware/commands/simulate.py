"""`setmatch simulate`: whole matches of a game between computer players, and what came of them.

Counting and layout only: the matches are played in `firmware.games.simulating`, in a time of their own.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from firmware.errors import InputError

if TYPE_CHECKING:
    from firmware.games.catalogue import Game
    from firmware.games.protocol import Strength
    from firmware.games.simulating import Match

_STRENGTHS = ("easy", "fair", "strong")
"""As `firmware.games.protocol.STRENGTHS`, which is not loaded before it is needed."""
_MOST_MATCHES = 100_000
_SURE = 1.96
"""So many standard errors hold the truth in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean with its standard error; the error is None where one match tells none."""

    mean: float
    error: float | None

    def __str__(self) -> str:
        if self.error is None:
            return f"{self.mean:.2f}"
        return f"{self.mean:.2f} +/- {_SURE * self.error:.2f}"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "simulate",
        help="play whole matches of a link game between computer players",
        description="Plays whole matches between computer players, faster than anybody could look, and "
        "prints how each ended and what happens how often. The same options give the same, to the letter.",
    )
    parser.add_argument("game", metavar="GAME", help="the game; `setmatch games` lists them")
    parser.add_argument(
        "--seats", type=_whole, default=3, metavar="N", help="how many play (default: %(default)s)"
    )
    parser.add_argument(
        "--matches",
        type=_whole,
        default=10,
        metavar="M",
        help=f"how many matches, up to {_MOST_MATCHES} (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", default="1", metavar="S", help="what the chances come from (default: %(default)s)"
    )
    parser.add_argument(
        "--strength",
        type=_strengths,
        default=("fair",),
        metavar="S[,S...]",
        help=f"how well they play: {', '.join(_STRENGTHS)}; several are dealt out to the seats, another way "
        "round in each match (default: fair)",
    )
    parser.add_argument(
        "--option",
        action="append",
        type=_option,
        default=[],
        dest="choices",
        metavar="NAME=VALUE",
        help="an option of the game; may be repeated (default: as the game has them)",
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a match, and one of the rates (default: tables)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, and print. InputError for a game, or options of one, that there are not."""
    import msgspec

    from firmware.games.catalogue import game_named
    from firmware.games.protocol import SetupError

    if not args.matches <= _MOST_MATCHES:
        raise InputError(f"--matches {args.matches} is too many; give at most {_MOST_MATCHES}")
    try:
        game = game_named(args.game)
        # Looked at before the first match, so that nothing is printed of a game that cannot be.
        game.setup(args.seats, args.seed, dict(args.choices))
    except SetupError as error:
        raise InputError(str(error)) from error
    if len(args.strength) > args.seats:
        raise InputError(
            f"{len(args.strength)} strengths for {args.seats} seats; give at most one for each seat"
        )
    matches = []
    for number, match in enumerate(_matches(game, args), start=1):
        matches.append(match)
        if args.json:
            print(msgspec.json.encode(match_line(number, match)).decode())
        else:
            print(match_told(number, match))
    if args.json:
        print(msgspec.json.encode(rates_line(game, matches)).decode())
    else:
        print()
        print("\n".join(rates_told(game, matches)))
    return 0


def _matches(game: "Game", args: argparse.Namespace) -> Iterator["Match"]:
    from firmware.games.simulating import played

    given: Sequence[Strength] = args.strength
    for number in range(1, args.matches + 1):
        # Turned from match to match, so that no strength has the better seat.
        strengths = [given[(seat + number) % len(given)] for seat in range(args.seats)]
        setup = game.setup(args.seats, f"{args.seed}/{number}", dict(args.choices))
        yield played(game, setup, strengths)


# ---------------------------------------------------------------- a match


def match_told(number: int, match: "Match") -> str:
    """A match as a line to read: its length, the scores by seat with the strengths, who won."""
    minutes, seconds = divmod(round(match.length_s), 60)
    scores = {each.seat: each.score for each in match.outcome.ranking}
    told = "  ".join(f"{match.strengths[seat - 1]} {score:>3}" for seat, score in sorted(scores.items()))
    winners = match.outcome.winners
    seats = f"seat{'s' if len(winners) > 1 else ''} {', '.join(map(str, winners))}" if winners else "nobody"
    return f"{number:>6}  {minutes:>3}:{seconds:02}  {told}  won by {seats} ({match.outcome.reason})"


def match_line(number: int, match: "Match") -> dict[str, Any]:
    """A match for other programs. Lists are by seat."""
    scores = {each.seat: each.score for each in match.outcome.ranking}
    return {
        "kind": "match",
        "number": number,
        "seed": match.seed,
        "strengths": list(match.strengths),
        "scores": [scores[seat] for seat in sorted(scores)],
        "winners": list(match.outcome.winners),
        "reason": match.outcome.reason,
        "length_s": match.length_s,
        "actions": match.actions,
        "events": dict(match.events),
    }


# ---------------------------------------------------------------- rates


def rates(game: "Game", matches: Sequence["Match"]) -> dict[str, Rate]:
    """Of a match: its length in minutes, and how often what the game counts happened."""
    found = {"minutes": rate([match.length_s / 60 for match in matches])}
    for name, kind in game.counts.items():
        found[name] = rate([match.events.get(kind, 0) for match in matches])
    return found


def rates_by_strength(game: "Game", matches: Sequence["Match"]) -> dict[str, dict[str, Rate]]:
    """The same of a seat of each strength: its share of the wins (a shared win is shared), its score, and
    what events tell of a seat. Seats of one match hang together; their mean counts once."""
    found: dict[str, dict[str, Rate]] = {}
    for strength in _played(matches):
        told: dict[str, list[float]] = {"wins": [], "score": [], **{name: [] for name in game.counts}}
        for match in matches:
            seats = [seat for seat, its in enumerate(match.strengths, start=1) if its == strength]
            if not seats:
                continue
            scores = {each.seat: each.score for each in match.outcome.ranking}
            winners = match.outcome.winners
            won = sum(seat in winners for seat in seats) / max(len(winners), 1)
            told["wins"].append(won / len(seats))
            told["score"].append(sum(scores[seat] for seat in seats) / len(seats))
            for name, kind in game.counts.items():
                counted = sum(match.by_seat[seat - 1].get(kind, 0) for seat in seats)
                told[name].append(counted / len(seats))
        # What never tells a seat, such as cards for all, says nothing of one.
        anybodys = {name for name, kind in game.counts.items() if not _tells_a_seat(matches, kind)}
        found[strength] = {name: rate(values) for name, values in told.items() if name not in anybodys}
    return found


def rate(values: Sequence[float]) -> Rate:
    """The mean of one or more values, and its standard error."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return Rate(mean, None)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Rate(mean, math.sqrt(variance / len(values)))


def rates_told(game: "Game", matches: Sequence["Match"]) -> Iterator[str]:
    """The rates as lines to read, each with the half width of its 95 % interval."""
    plural = "" if len(matches) == 1 else "es"
    yield f"{len(matches)} match{plural} of {game.title}; +/- is half the width of the 95 % interval"
    yield from _table("a match", {"": rates(game, matches)})
    yield ""
    yield from _table("a seat", rates_by_strength(game, matches))


def rates_line(game: "Game", matches: Sequence["Match"]) -> dict[str, Any]:
    """The rates for other programs: means with their standard errors, null where one match tells none."""
    return {
        "kind": "rates",
        "game": game.name,
        "matches": len(matches),
        "match": _as_json(rates(game, matches)),
        "seat": {strength: _as_json(told) for strength, told in rates_by_strength(game, matches).items()},
    }


def _played(matches: Sequence["Match"]) -> list[str]:
    there = {strength for match in matches for strength in match.strengths}
    return [strength for strength in _STRENGTHS if strength in there]


def _tells_a_seat(matches: Sequence["Match"], kind: str) -> bool:
    return any(kind in counted for match in matches for counted in match.by_seat) or not any(
        kind in match.events for match in matches
    )


def _as_json(told: dict[str, Rate]) -> dict[str, dict[str, float | None]]:
    return {name.replace(" ", "_"): {"mean": r.mean, "error": r.error} for name, r in told.items()}


def _table(corner: str, rows: dict[str, dict[str, Rate]]) -> Iterator[str]:
    names = list(next(iter(rows.values())))
    width = max(len(corner), *map(len, rows)) + 2
    cells = {row: [str(rate) for rate in told.values()] for row, told in rows.items()}
    widths = [
        max(len(name), *(len(told[column]) for told in cells.values())) for column, name in enumerate(names)
    ]
    heads = "  ".join(name.rjust(wide) for name, wide in zip(names, widths, strict=True))
    yield f"{corner:<{width}}{heads}"
    for row, told in cells.items():
        line = "  ".join(cell.rjust(wide) for cell, wide in zip(told, widths, strict=True))
        yield f"{row:<{width}}{line}"


# ---------------------------------------------------------------- what is given


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= len(text) <= 9 and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def _strengths(text: str) -> tuple[str, ...]:
    given = tuple(part.strip() for part in text.split(","))
    for each in given:
        if each not in _STRENGTHS:
            raise argparse.ArgumentTypeError(f"{each!r} is no strength; choose from: {', '.join(_STRENGTHS)}")
    return given


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}: write NAME=VALUE; `setmatch games` lists the options")
    return name.strip().replace("-", "_"), value.strip()
