"""`python -m tests.bench`: measure, then print. The order of the work only."""

import os

# One core for every method alike; must be said before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import platform
import sys
from importlib.metadata import version

import chess
import cv2
import numpy as np
import shapely

from calibration.edition import Edition, load_edition
from hardware.recorded import quieten_opencv
from tests.bench import daemon, daemon_report, endurance, engine_report, games_report, report
from tests.bench.chess_games import measure_chess
from tests.bench.command import CommandError, fastest_help, fastest_import, run_setmatch, watch_memory
from tests.bench.engine import measure_geometry, measure_long, measure_matches
from tests.bench.footage import Source, clips, stills
from tests.bench.late import measure_late
from tests.bench.link_crowd import measure_beside, measure_storm
from tests.bench.link_fuzz import measure_fuzz
from tests.bench.measuring import Bench, measure_stills
from tests.bench.panel_costs import measure_panels
from tests.bench.set_search import measure_searches
from tests.bench.tape import recorded
from tests.bench.watching import Calls, watch_clip


def main() -> int:
    """Run the benchmarks; 0 if they ran, whatever they say."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=main.__doc__)
    parser.add_argument("--only", choices=("umpire", "rules", "games", "daemon"), help="run one of the parts")
    parser.add_argument(
        "--frames",
        type=int,
        default=endurance.FRAMES,
        metavar="N",
        help=f"over how many frames the daemon's memory is watched; {endurance.FRAMES} unless told",
    )
    options = parser.parse_args()
    if options.frames <= endurance.FIRST:
        parser.error(f"--frames {options.frames} is too few: take more than {endurance.FIRST}")
    quieten_opencv()
    cv2.setNumThreads(1)
    edition = load_edition("classic", require_zones=True)
    try:
        if options.only in (None, "umpire"):
            _run_umpire(edition)
        if options.only in (None, "rules"):
            _run_rules(edition)
        if options.only in (None, "games"):
            _run_games(edition)
        if options.only in (None, "daemon"):
            _run_daemon(edition, options.frames)
    except CommandError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


def _run_umpire(edition: Edition) -> None:
    bench = Bench(edition)
    calls = Calls(bench.no_errors())
    pictures, films = stills(), clips()
    _say(f"measuring on {len(pictures)} stills and {len(films)} clips; takes a few minutes")
    measure_stills(bench, pictures)
    decoding = [watch_clip(bench, calls, clip) for clip in films]
    weights = [clip.truth["frames"] for clip in films]
    _say("running the command")
    read = [_film(clip) for clip in films]
    helped, imported = fastest_help(), fastest_import()
    print(
        f"{bench.frames} frames of a resting ball ({bench.stills} stills, {bench.frames - bench.stills} of "
        f"{len(films)} clips); {_machine()}; OpenCV {cv2.__version__}, numpy {np.__version__}"
    )
    report.print_times(bench, float(np.average(decoding, weights=weights)))
    report.print_errors(bench, calls)
    report.print_calls(calls)
    report.print_command(read, helped, imported)
    report.print_targets(report.targets(bench, calls, read))


def _run_rules(edition: Edition) -> None:
    _say("playing matches and games of chess; takes half a minute")
    matches, long = measure_matches(edition), measure_long(edition)
    geometry, chess_costs = measure_geometry(edition), measure_chess()
    print(
        f"\nThe rules, {sum(each.matches for each in matches)} matches; {_machine()}; "
        f"Python {platform.python_version()}, python-chess {chess.__version__}, shapely {shapely.__version__}"
    )
    engine_report.print_matches(matches)
    engine_report.print_peer(matches, long[0], chess_costs)
    engine_report.print_geometry(geometry)
    engine_report.print_long(long)


def _run_games(edition: Edition) -> None:
    _say("looking for sets; takes seconds")
    searches = measure_searches()
    print(f"\nThe link's games; {_machine()}; Python {platform.python_version()}")
    games_report.print_searches(searches)
    _say("feeding the link's parser; takes seconds")
    fuzzed = measure_fuzz()
    games_report.print_fuzz(fuzzed)
    _say("having twenty controllers claim at once; takes two minutes and a half")
    stormed, beside = measure_storm(), measure_beside(edition)
    games_report.print_crowd(stormed, beside)
    targets = games_report.search_targets(searches) + games_report.fuzz_targets(fuzzed)
    report.print_targets(targets + games_report.crowd_targets(stormed, beside))


def _run_daemon(edition: Edition, frames: int) -> None:
    costs = []
    for size in daemon.SIZES:
        _say(f"drawing a match at {size[0]}x{size[1]}, and watching the daemon at it; takes minutes")
        costs.append(daemon.measure_daemon(edition, recorded(size, daemon.PLAY_S)))
    _say("playing the longest match; takes half a minute")
    late = measure_late(edition)
    panels = measure_panels(late.board)
    _say(f"watching its memory over {frames} frames; takes minutes")
    looks = watch_memory(frames)
    print(
        f"\nThe daemon, {daemon.PLAY_S:.0f} s of play at each size; {_machine()}; "
        f"Python {platform.python_version()}, OpenCV {cv2.__version__}, luma.oled {version('luma.oled')}"
    )
    daemon_report.print_shares(costs)
    daemon_report.print_panels(costs, panels)
    daemon_report.print_answers(costs)
    daemon_report.print_late(late)
    daemon_report.print_memory(looks)
    report.print_targets(daemon_report.daemon_targets(costs, looks))


def _machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def _film(clip: Source) -> report.Film:
    options = ["umpire", "--camera", str(clip.path), "--focal-px", f"{clip.focal_px:.2f}", "--json"]
    return report.Film(clip.name, clip.truth["frames"] / clip.truth["fps"], run_setmatch(options))


def _say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
