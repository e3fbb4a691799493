"""A disk without room, under the whole daemon and under whatever else is written: what was shown is kept,
people are told, and with room again it goes on by itself.

Three disks that are truly full: a small one in memory (needs root), one on which no file may grow, and a
database that may have no more pages.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from calibration.errors import ProfileError
from calibration.profile import load, save
from firmware.config import load_config
from firmware.config.reading import ConfigError
from firmware.config.writing import saved
from firmware.daemon.ledger import RETRY_S
from firmware.journal import Journal, JournalError, JournalReader
from firmware.texts import match_unkept
from firmware.umpire.observations import PlacementSeen
from firmware.voice import VoiceError, make_names
from tests.calibration.test_profile import calibration
from tests.faults.bench import ENGLISH, RETURNED, SERVED, Bench
from tests.faults.test_kill import without_notice
from tests.faults.test_write_steps import calibrated, configured, reviewed, spoken, two_reviews
from tests.firmware.journal.made import began, cut_off, played
from tests.firmware.test_match import rest

HOME = Path(__file__).parents[2]
MOST_REFUSED = 6
"""Strokes until a full disk refuses one: what is half empty takes a few."""
TOLD = match_unkept("full", ENGLISH)


class Disk(NamedTuple):
    """One that can be filled, and given room again."""

    fill: Callable[[], object]
    make_room: Callable[[], object]


@contextmanager
def no_growing() -> Iterator[Disk]:
    """No file of this process grows (EFBIG, as with a quota)."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))

    try:
        yield Disk(lambda: limit(0), lambda: limit(before))
    finally:
        limit(before)


def pages_of(bench: Bench) -> Disk:
    """SQLite itself refuses (SQLITE_FULL)."""

    def most(pages: int) -> None:
        bench.journal._connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()

    return Disk(lambda: most(1), lambda: most(2**30))


def filled(folder: Path) -> Disk:
    """A file takes all the room (ENOSPC)."""
    filler = folder / "filler"

    def fill() -> None:
        with filler.open("ab", buffering=0) as file:
            for size in (65536, 512, 1):
                with suppress(OSError):
                    while True:
                        file.write(bytes(size))

    return Disk(fill, filler.unlink)


def full_in_a_match(folder: Path, disk_of: Callable[[Bench], Disk]) -> None:
    """Scoring waits and says so; what is done meanwhile does not count; then it goes on."""
    bench = Bench(folder)
    disk = disk_of(bench)
    bench.play(SERVED)
    disk.fill()
    for _ in range(MOST_REFUSED):
        bench.turn()
        shown, said = bench.board, list(bench.voice.said)
        bench.play(RETURNED)
        if bench.daemon.paused:
            break
    kept = bench.strokes
    assert bench.daemon.paused, "it was not full"
    assert bench.notice() == TOLD
    assert without_notice(bench.board) == without_notice(shown)
    assert bench.voice.said == said, "something was announced that is not kept"
    bench.press("A", "confirm", for_s=2.5)
    bench.play(SERVED)
    bench.see(PlacementSeen(0.0, 1, None, rest(RETURNED)))  # and put back
    bench.turn(10 * RETRY_S)
    assert bench.strokes == kept
    assert bench.notice() == TOLD
    assert len(bench.troubles("journal")) == 1, "told once, however often it was tried"
    disk.make_room()
    bench.turn(RETRY_S + 0.2)
    assert not bench.daemon.paused
    assert bench.notice() is None
    assert bench.strokes == kept + 1
    for _ in range(MOST_REFUSED):
        bench.play(None)
    assert bench.strokes == kept + 1 + MOST_REFUSED
    state = bench.daemon.chair.match.state
    bench.drop()
    again = Bench(folder)
    assert again.journal.warnings == []
    assert again.daemon.chair.match.state == state


def cut_off_while_full(folder: Path, disk_of: Callable[[Bench], Disk]) -> None:
    """Power goes while the disk is full: there is all that was shown; the rest had not been."""
    bench = Bench(folder)
    disk = disk_of(bench)
    bench.play(SERVED)
    disk.fill()
    for _ in range(MOST_REFUSED):
        shown = bench.daemon.chair.match.state.strokes
        bench.play(RETURNED)
        if bench.daemon.paused:
            break
    assert bench.daemon.paused, "it was not full"
    bench.drop()
    disk.make_room()
    again = Bench(folder)
    assert not again.journal.mended
    there = again.daemon.chair.match.state.strokes
    # What was refused may be there: some of the write that failed had come to the disk.
    assert there[: len(shown)] == shown
    assert len(there) - len(shown) in (0, 1)
    again.play(RETURNED)
    assert not again.daemon.paused


def full_from_the_start(folder: Path, disk: Disk) -> None:
    """Nothing can be begun: that is said, and nothing is left in the way."""
    disk.fill()
    with pytest.raises(JournalError, match="the disk is full; free some space there") as caught:
        Journal.open(folder)
    assert caught.value.kind == "full"
    disk.make_room()
    bench = Bench(folder)
    assert bench.journal.warnings == []
    bench.play(SERVED)
    assert bench.strokes == 1


def looked_at(folder: Path, disk: Disk) -> None:
    """A match that was cut off can be looked at, though SQLite has no room for what it needs to read."""
    cut_off(folder / "elsewhere", played()[:6]).put(folder)
    disk.fill()
    with JournalReader.open(folder) as reader:
        assert reader.records(1) == (began(), *played()[:6])
        assert reader.warnings == []
    disk.make_room()


def other_files(folder: Path, disk: Disk) -> None:
    """Calibration, configuration, clips and pictures: the old ones stand, and nothing is left beside them."""
    for prepare in (calibrated, configured, spoken, two_reviews):
        prepare(folder / prepare.__name__)
    there = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    disk.fill()
    with pytest.raises(ProfileError, match="cannot be written"):
        save(calibration(3), folder / "calibrated" / "calibration.json")
    with pytest.raises(ConfigError, match="free some room"):
        saved(folder / "configured" / "setmatch.toml", {"match.language": "fr"})
    with pytest.raises(VoiceError):
        make_names(folder / "spoken" / "voice", "en", ["Ann"], str(folder / "spoken" / "speaks"))
    names: list[str] = []
    reviewed(folder / "two_reviews", names.append)
    assert names == [], "a picture is named that is not kept"
    disk.make_room()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == there
    save(calibration(3), folder / "calibrated" / "calibration.json")
    assert load(folder / "calibrated" / "calibration.json").layout == calibration(3).layout
    saved(folder / "configured" / "setmatch.toml", {"match.language": "fr"})
    assert load_config(folder / "configured" / "setmatch.toml").match.language == "fr"
    reviewed(folder / "two_reviews", names.append)
    assert len(names) == 3


def test_the_database_may_have_no_more_pages(tmp_path: Path) -> None:
    full_in_a_match(tmp_path, pages_of)


@pytest.mark.parametrize("happens", [full_in_a_match, cut_off_while_full])
def test_no_file_may_grow(happens: Callable[[Path, Callable[[Bench], Disk]], None], tmp_path: Path) -> None:
    with no_growing() as disk:
        happens(tmp_path, lambda _: disk)


@pytest.mark.parametrize("happens", [full_from_the_start, looked_at, other_files])
def test_no_file_may_grow_from_the_start(happens: Callable[[Path, Disk], None], tmp_path: Path) -> None:
    with no_growing() as disk:
        happens(tmp_path, disk)


WAITS = """
import resource, sys
from firmware import cli
from firmware.daemon import opening
from tests.faults.test_full_disk import no_growing
with no_growing() as disk:
    disk.fill()
    show = opening._show
    def shown(*told):
        show(*told)
        print("shown", flush=True)
        disk.make_room()
    opening._show = shown
    sys.exit(cli.main(sys.argv[1:]))
"""


def test_the_program_waits_for_room_and_then_plays(tmp_path: Path) -> None:
    words = [
        "run",
        "--rig",
        "simulated",
        "--autoplay",
        "--speed",
        "0",
        "--json",
        "--state",
        str(tmp_path / "state"),
    ]
    with subprocess.Popen(
        [sys.executable, "-c", WAITS, *words], stdout=subprocess.PIPE, text=True, cwd=HOME
    ) as running:
        assert running.stdout is not None
        lines = [running.stdout.readline() for _ in range(6)]
        running.terminate()
        running.stdout.read()
    assert running.returncode == 0
    assert "free some space" in lines[0]
    assert lines[1] == "shown\n"
    kinds = [json.loads(line)["kind"] for line in lines[2:]]
    assert kinds[0] == "well"
    assert {"began", "stroke"} <= set(kinds)


ON_A_SMALL_DISK = {each.__name__: each for each in (full_in_a_match, cut_off_while_full)}
FROM_THE_START = {each.__name__: each for each in (full_from_the_start, looked_at, other_files)}


def on_a_small_disk(what: str, folder: Path) -> None:
    """In a process with mounts of its own."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", folder], check=True)
    state, disk = folder / "state", filled(folder)
    state.mkdir()
    if what in ON_A_SMALL_DISK:
        ON_A_SMALL_DISK[what](state, lambda _: disk)
    else:
        FROM_THE_START[what](state, disk)


@pytest.mark.parametrize("what", [*ON_A_SMALL_DISK, *FROM_THE_START])
def test_a_small_disk_is_full(what: str, tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "--mount", "true"], capture_output=True).returncode != 0:
        pytest.skip("a small disk cannot be mounted here: it needs `unshare --mount`, as root")
    code = f"from tests.faults.test_full_disk import *; on_a_small_disk({what!r}, Path({str(tmp_path)!r}))"
    done = subprocess.run(
        [unshare, "--mount", sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=HOME,
        env={**os.environ, "PYTHONPATH": str(HOME)},
    )
    assert done.returncode == 0, done.stderr
