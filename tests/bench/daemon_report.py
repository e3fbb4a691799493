"""The daemon's part of the benchmark's page: its share of a core, its answers, its memory.

Layout only; every number comes measured.
"""

import math
from collections.abc import Sequence

import numpy as np

from tests.bench.daemon import PRESSES, DaemonCosts
from tests.bench.elsewhere import FPS
from tests.bench.endurance import FIRST, Look
from tests.bench.late import LateCosts
from tests.bench.panel_costs import PanelCosts
from tests.bench.report import Target

_FLAT_MB, _FLAT_SHARE = 5.0, 0.03
_CALL_MS = 250.0


def print_shares(costs: Sequence[DaemonCosts]) -> None:
    """Processor time at rest and in play, beside the peer on every frame."""
    head = "core, %  a frame, ms  umpire  keeping   rest   HoughCircles, ms  daemon / Hough"
    print(f"\nShare of one core at {FPS:.0f} fps" + " " * 13 + head)
    for each in costs:
        for name, share in (("nobody there", each.rest), ("in play", each.play)):
            what = f"{each.size[0]}x{each.size[1]}, {name}"
            others_ms = share.whole_ms - share.umpire_ms - share.keeping_ms
            print(
                f"  {what:<36} {100 * share.share:8.1f} {share.whole_ms:12.2f} {share.umpire_ms:7.2f} "
                f"{share.keeping_ms:8.2f} {others_ms:6.2f} {each.hough.mean:18.1f} "
                f"{share.whole_ms / each.hough.mean:15.3f}"
            )
    print("  Keeping: the frames for reviews. Rest: loop, buttons, journal, drawing, luma's bytes.")


def print_panels(costs: Sequence[DaemonCosts], panels: Sequence[PanelCosts]) -> None:
    """What a picture costs, and how many are sent."""
    print("\nA panel's picture, ms" + " " * 20 + "drawn  luma's redraw  drawn / luma")
    for each in panels:
        ours, theirs = each.drawn_ms, each.luma_ms
        print(f"  {each.name:<36} {ours:8.2f} {theirs:14.2f} {ours / theirs:13.2f}")
    for cost in costs:
        rest, play = (60 * share.pictures / share.seconds for share in (cost.rest, cost.play))
        print(
            f"  Sent to two panels at {cost.size[0]}x{cost.size[1]}: {rest:.0f} pictures a minute with "
            f"nobody there, {play:.0f} in play"
        )


def print_answers(costs: Sequence[DaemonCosts]) -> None:
    """How soon something is seen on a panel."""
    print("\nUntil it is on the panel, ms" + " " * 12 + "    min  median     max   of")
    for each in costs:
        at = f"{each.size[0]}x{each.size[1]}"
        presses, stops = each.presses, each.stops
        _answer(f"{at}, CONFIRM let go", presses.confirm_ms, 2 * PRESSES)
        _answer(f"{at}, CHALLENGE pressed", presses.challenge_ms, PRESSES)
        _answer(f"{at}, ball stopped: told", stops.told_ms, stops.true)
        _answer(f"{at}, ball stopped: shown", stops.shown_ms, stops.true)
        if stops.disturbed:
            print(f"    without {stops.disturbed} strokes in which this machine gave frames late")
    print("  CHALLENGE waits 500 ms for a second press. 24 ms of each are the picture's way over the wires.")


def print_late(late: LateCosts) -> None:
    """What a long match costs at its end."""
    print(f"\nLate in {late.name}, {late.strokes} strokes, ms" + "    chair   rules alone  chair / rules")
    for name, cost in (("a stroke", late.stroke), ("undo", late.undo), ("overruling", late.overruling)):
        print(
            f"  {name:<44} {cost.chair_ms:12.2f} {cost.rules_ms:13.2f} {cost.chair_ms / cost.rules_ms:14.2f}"
        )
    kept = late.kept_ms
    print(
        f"  {'making the scoreboard':<44} {late.scoreboard_ms:12.3f}\n"
        f"  {'the match read again, after a power cut':<44} {late.resumed_ms:12.1f}\n"
        f"  A record is on the disk after {kept.percentile(50):.1f} ms, {kept.percentile(100):.1f} at most, "
        f"by the clock; all of them take {late.journal_bytes / 1e6:.1f} MB."
    )


def print_memory(looks: Sequence[Look]) -> None:
    """Memory beside what happened."""
    head = "resident MB  history MB  strokes  placed  pressed  reviews  matches"
    print("\nMemory of the daemon   frames  " + head)
    for each in looks:
        print(
            f"  {each.frames:27} {each.resident_mb:12.1f} {each.history_mb:11.2f} {each.called:8} "
            f"{each.placements:7} {each.presses:8} {each.reviews:8} {each.matches:8}"
        )


def daemon_targets(costs: Sequence[DaemonCosts], looks: Sequence[Look]) -> list[Target]:
    """What we hold ourselves to, and where we are."""
    out = []
    shown = [ms for each in costs for ms in each.stops.shown_ms]
    told = [ms for each in costs for ms in each.stops.told_ms]
    for what, after in (("told", told), ("on the panel", shown)):
        latest = max(after, default=float("inf"))
        out.append(
            Target(
                f"call {what} within {_CALL_MS:.0f} ms of the ball's stopping",
                f"{latest:.0f} ms at most",
                latest <= _CALL_MS,
            )
        )
    missed = sum(each.stops.true - each.stops.disturbed - len(each.stops.shown_ms) for each in costs)
    out.append(Target("every stroke told and shown", f"{missed} missed", missed == 0))
    unanswered = sum(each.presses.unanswered for each in costs)
    out.append(Target("every press answered on a panel", f"{unanswered} missed", unanswered == 0))
    first, last = next(each for each in looks if each.frames == FIRST), looks[-1]
    more_mb = last.resident_mb - first.resident_mb
    flat = more_mb < _FLAT_MB or more_mb < _FLAT_SHARE * first.resident_mb
    out.append(
        Target(f"memory flat from {FIRST} to {last.frames} frames (5 MB or 3 %)", f"{more_mb:+.1f} MB", flat)
    )
    return out


def _answer(name: str, ms: Sequence[float], of: int) -> None:
    numbers = (min(ms), float(np.median(ms)), max(ms)) if ms else (math.nan,) * 3
    print(f"  {name:<37} " + "".join(f"{number:8.0f}" for number in numbers) + f" {len(ms):3} / {of}")
