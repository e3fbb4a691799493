"""The rules engine's part of the benchmark's page: its costs beside those of chess.

Layout only; every number comes measured.
"""

from collections.abc import Sequence

from tests.bench.chess_games import ChessCosts
from tests.bench.engine import CORRECTIONS, STRETCH, GeometryCosts, LongMatch, MatchCosts


def print_matches(costs: Sequence[MatchCosts]) -> None:
    """What matches take, by how they are played."""
    head = "strokes  a rally  rules alone, ms  matches/s  with landings, ms  matches/s"
    print("\nMatches on the classic board" + " " * 10 + head)
    for each in costs:
        print(
            f"  {each.name:<34} {each.strokes:8.0f} {each.strokes / each.rallies:8.1f} {each.alone_ms:16.2f} "
            f"{1e3 / each.alone_ms:10.1f} {each.landings_ms:18.1f} {1e3 / each.landings_ms:10.2f}"
        )


def print_peer(costs: Sequence[MatchCosts], long: LongMatch, chess: ChessCosts) -> None:
    """Ours beside chess, by the action."""
    actions = sum(each.actions for each in costs)
    alone = sum(each.alone_ms for each in costs) / actions
    listed = sum(each.listed_ms for each in costs) / actions
    moves = chess.moves / chess.games
    print("\nAn action of ours, a move of chess" + " " * 11 + "ours    chess  ours / chess")
    for name, ours, theirs in (
        ("validate, make, ask, us", alone, chess.checked_ms),
        ("the same, former states kept, us", alone, chess.kept_ms),
        ("list all that is legal, make, ask, us", listed, chess.listed_ms),
    ):
        print(f"  {name:<38} {1e3 * ours:8.1f} {1e3 * theirs:8.1f} {ours / theirs:13.2f}")
    print(
        f"  {'undo at the end, us':<38} {1e3 * long.undo_ms:8.0f} {1e3 * chess.undo_ms:8.1f} "
        f"{long.undo_ms / chess.undo_ms:13.0f}"
    )
    ratio = long.growth_bytes / chess.growth_bytes
    print(f"  {'memory, bytes':<38} {long.growth_bytes:8.0f} {chess.growth_bytes:8.0f} {ratio:13.2f}")
    print(
        f"  Chess: {chess.games} random games of {moves:.0f} moves on average, "
        f"{1e3 / (chess.checked_ms * moves):.1f} games/s"
    )


def print_geometry(geometry: GeometryCosts) -> None:
    """A landing's facts beside shapely's."""
    ours, theirs = geometry.ours_ms, geometry.shapely_ms
    print("\nThe facts of a landing" + " " * 23 + "ours  shapely  ours / shapely")
    what = f"mean of {geometry.landings}, us"
    print(f"  {what:<38} {1e3 * ours:8.0f} {1e3 * theirs:8.1f} {ours / theirs:15.1f}")


def print_long(long: Sequence[LongMatch]) -> None:
    """What the length of a match does."""
    print("\nLong matches" + " " * 27 + "".join(f"{each.name:>25}" for each in long))
    for name, cells in (
        ("strokes", [f"{each.strokes}" for each in long]),
        ("memory of the state, kB", [f"{each.memory_bytes / 1e3:.0f}" for each in long]),
        ("  growth a stroke, bytes", [f"{each.growth_bytes:.0f}" for each in long]),
        ("the state as JSON, kB", [f"{each.json_bytes / 1e3:.0f}" for each in long]),
        ("  growth a stroke, bytes", [f"{each.json_growth_bytes:.0f}" for each in long]),
        (f"a step, first {STRETCH}, ms", [f"{each.first_ms:.4f}" for each in long]),
        (f"a step, last {STRETCH}, ms", [f"{each.last_ms:.4f}" for each in long]),
        ("  of that without what came before", [f"{each.last_ms / each.fresh_ms:.2f}" for each in long]),
        ("the match replayed, ms", [f"{each.replay_ms:.1f}" for each in long]),
        ("one undo at its end, ms", [f"{each.undo_ms:.1f}" for each in long]),
        ("first stroke corrected at its end, ms", [f"{each.correction_ms:.1f}" for each in long]),
        (f"one undo after {CORRECTIONS} corrections, ms", [f"{each.corrected_undo_ms:.0f}" for each in long]),
    ):
        print(f"  {name:<37}" + "".join(f"{cell:>25}" for cell in cells))
