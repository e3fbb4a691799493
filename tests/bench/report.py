"""The benchmark's printed page: tables of ours beside the peers, and which targets are met.

Layout only; every number comes measured.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tests.bench import measuring, watching
from tests.bench.command import Run
from tests.bench.figures import Errors
from tests.bench.measuring import Bench
from tests.bench.watching import Calls

HOUGH = ("HoughCircles", "HoughCircles ALT")


@dataclass(frozen=True, slots=True)
class Film:
    """A clip read by the command."""

    name: str
    film_s: float
    run: Run


@dataclass(frozen=True, slots=True)
class Target:
    """Something to reach: what, the value, and whether that is good enough."""

    what: str
    value: str
    met: bool


def print_times(bench: Bench, decoding_ms: float) -> None:
    """Time a frame, beside the peers."""
    peers = [bench.times[name] for name in measuring.PEERS]
    heads = [f"/ {name}" for name in measuring.PEERS]
    print("\nTime a frame, ms of one core" + " " * 12 + "mean  median     p95   mean " + "  ".join(heads))
    ours = (
        (watching.LYING, bench.times[watching.LYING]),
        (watching.STOPPING, bench.times[watching.STOPPING]),
        (measuring.MEASURE, bench.times[measuring.MEASURE]),
        (measuring.FIND, bench.times[measuring.FIND]),
        (watching.MOVING, bench.times[watching.MOVING]),
        (watching.OTHER, bench.times[watching.OTHER]),
        (f"{watching.ALL}, all frames", bench.times[watching.ALL]),
    )
    for name, times in ours:
        _row(name, (times.mean, times.percentile(50), times.percentile(95)), ".2f")
        print("  " + _ratios((times.mean / peer.mean for peer in peers), heads))
    whole = bench.times[watching.ALL].mean + decoding_ms
    _row("the same with decoding", (whole,), ".2f")
    print(" " * 18 + _ratios((whole / peer.mean for peer in peers), heads))
    for name, peer in zip(measuring.PEERS, peers, strict=True):
        _row(name, (peer.mean, peer.percentile(50), peer.percentile(95)), ".2f")
        print()


def print_errors(bench: Bench, calls: Calls) -> None:
    """Position errors, beside the peers."""
    head = "median     p95     max  outliers   / HoughCircles  / HSV threshold"
    print("\nPosition error, mm" + " " * 22 + head)
    peers = [bench.errors["HoughCircles"], bench.errors["HSV threshold"]]
    for name in (measuring.DOT, measuring.DISC, measuring.LOST):
        _error_row(f"ours: {name}", bench.errors[name], peers)
    _error_row("ours: dot as called, averaged", calls.rests, peers)
    for name in measuring.PEERS:
        _error_row(f"{name}, z = 0", bench.errors[name], ())
    for name in measuring.PEERS:
        _error_row(f"{name}, told the height", bench.raised[name], ())
    print("  Outliers: the ball was not found. Errors are of the other frames. z = 0: the board's plane.")


def print_calls(calls: Calls) -> None:
    """From the ball's stopping to the call."""
    after = calls.after_ms
    spread = f"{min(after):.0f} / {np.median(after):.0f} / {max(after):.0f} ms" if after else "no call"
    print(
        f"\nFrom stop to call, min / median / max: {spread}; {len(after)} of {calls.true} strokes called, "
        f"{calls.invented} invented"
    )


def print_command(films: Sequence[Film], helped: Run, imported: Run) -> None:
    """The command in a process of its own."""
    print("\nThe command, two cores                film s  wall s   cpu s  film / wall  film / cpu  peak MB")
    for film in films:
        run = film.run
        print(
            f"  umpire {film.name:<27} {film.film_s:7.1f} {run.wall_s:7.1f} {run.cpu_s:7.1f} "
            f"{film.film_s / run.wall_s:12.2f} {film.film_s / run.cpu_s:11.2f} {run.peak_mb:8.0f}"
        )
    for name, run in (("--help", helped), ("imports of umpire", imported)):
        print(f"  {name:<34} {'':7} {run.wall_s:7.2f} {run.cpu_s:7.2f} {'':24} {run.peak_mb:8.0f}")


def targets(bench: Bench, calls: Calls, films: Sequence[Film]) -> list[Target]:
    """What we hold ourselves to, and where we are."""
    out = []
    hough = bench.times["HoughCircles"]
    ours = bench.times[watching.LYING]
    for statistic, ratio in (
        ("median", ours.percentile(50) / hough.percentile(50)),
        ("mean", ours.mean / hough.mean),
    ):
        what = f"{watching.LYING}: <= 0.1 of HoughCircles' {statistic} time"
        out.append(Target(what, f"{ratio:.3f}", ratio <= 0.1))
    for peer in HOUGH:
        ratio = bench.errors[measuring.DOT].percentile(50) / bench.errors[peer].percentile(50)
        out.append(
            Target(f"dot, ball known: <= 0.1 of the median error of {peer}", f"{ratio:.3f}", ratio <= 0.1)
        )
    wrong = bench.errors[measuring.DOT].outliers + bench.errors[measuring.LOST].outliers
    theirs = bench.errors["HoughCircles"].outliers
    out.append(Target("no outlier where HoughCircles has some", f"{wrong} against {theirs}", wrong == 0))
    latest = max(calls.after_ms, default=float("inf"))
    out.append(Target("call within 250 ms of the ball's stopping", f"{latest:.0f} ms at most", latest <= 250))
    slowest = min(films, key=lambda film: film.film_s / film.run.wall_s)
    pace, cores = slowest.film_s / slowest.run.wall_s, slowest.run.cpu_s / slowest.run.wall_s
    # On a busy machine the clock says more of the others: tell how much of the two cores was to be had.
    out.append(
        Target("umpire at least twice as fast as filmed", f"{pace:.2f} on {cores:.1f} cores", pace >= 2)
    )
    return out


def print_targets(reached: Sequence[Target]) -> None:
    """Met or not."""
    print("\nTargets")
    for target in reached:
        print(f"  {target.what:<63} {target.value:<16} {'met' if target.met else 'NOT MET'}")


def _row(name: str, values: Iterable[float], form: str) -> None:
    cells = "".join(f"{value:8{form}}" for value in values)
    print(f"  {name:<36}{cells}", end="")


def _ratios(ratios: Iterable[float], heads: Sequence[str]) -> str:
    cells = (f"{ratio:{len(head) + 2}.3f}" for ratio, head in zip(ratios, heads, strict=True))
    return "   " + "".join(cells)


def _error_row(name: str, errors: Errors, peers: Sequence[Errors]) -> None:
    found, all_frames = len(errors.mm), len(errors.mm) + errors.outliers
    _row(name, (errors.percentile(50), errors.percentile(95), errors.percentile(100)), ".3f")
    print(f"  {errors.outliers:>3} / {all_frames:<4}", end="")
    for peer in peers:
        print(f"{errors.percentile(50) / peer.percentile(50):16.3f}" if found else f"{'-':>16}", end="")
    print()
