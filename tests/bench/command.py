"""What runs in a process of its own. The command as people run it: how long, how much processor and memory.

Wall-clock time, on two cores and with all threads, unlike everything else here.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tests.bench.endurance import Look

_SETMATCH = "import sys; from firmware.cli import main; sys.exit(main())"
_IMPORTS = (
    "import firmware.commands.annotate, firmware.umpire.umpire, calibration.calibrate, hardware.cameras"
)
_TELLING_ITS_PEAK = """
import pathlib, re, sys
try:
    exec(sys.argv.pop(1))
finally:
    status = pathlib.Path("/proc/self/status").read_text()
    print(re.search(r"VmHWM:\\s*(\\d+) kB", status).group(1), file=sys.stderr)
"""
"""The kernel's own figure for a finished child, ru_maxrss, still holds what this process had when it
forked."""
_TRIES = 3


class CommandError(Exception):
    """The command failed; its own words are in the message."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: seconds on the clock and of the processor, and the peak of resident memory in MB."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def run_setmatch(args: Sequence[str]) -> Run:
    """Run `setmatch ARGS` on two cores; `CommandError` if it fails."""
    return _run(_SETMATCH, *args)


def fastest_help() -> Run:
    """`setmatch --help`: the fastest of three."""
    return min((run_setmatch(["--help"]) for _ in range(_TRIES)), key=lambda run: run.wall_s)


def fastest_import() -> Run:
    """Importing all that `umpire` needs, the interpreter's own start included: the fastest of three."""
    runs = (_run(_IMPORTS) for _ in range(_TRIES))
    return min(runs, key=lambda run: run.wall_s)


def watch_memory(frames: int) -> list[Look]:
    """Watch a daemon's memory over so many frames; `CommandError` if it fails."""
    command = [sys.executable, "-m", "tests.bench.endurance", str(frames)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CommandError(f"watching the memory ended with {done.returncode}: {done.stderr}")
    return [msgspec.json.decode(line, type=Look) for line in done.stdout.splitlines()]


def _run(code: str, *args: str) -> Run:
    command = [sys.executable, "-c", _TELLING_ITS_PEAK, code, *args]
    allowed = sorted(os.sched_getaffinity(0))
    start = time.monotonic()
    os.sched_setaffinity(0, allowed[:2])
    try:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    finally:
        os.sched_setaffinity(0, allowed)
    assert process.stderr is not None
    with process.stderr as stderr:
        said = stderr.read()
    # wait4 tells what this child alone has used; Popen's own wait would throw that away.
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise CommandError(f"{' '.join(args) or code} ended with {process.returncode}: {said}")
    return Run(wall_s, usage.ru_utime + usage.ru_stime, int(said.split()[-1]) / 1024)
