"""Power that goes at any instant, and a disk without room: what was said to be kept is there."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.journal import Journal
from firmware.journal.files import NAME
from firmware.keeping.files import log_of
from firmware.keeping.pages import CUT_OFF
from tests.firmware.journal.made import began, kept, played

WRITER = """
import sys
from pathlib import Path
from firmware.journal import Journal
from firmware.keeping.pages import CUT_OFF
from tests.firmware.journal.made import NOON, began, played
journal = Journal.open(Path(sys.argv[1]))
# A kill in the very moment of a write is told, and is no damage.
assert all(CUT_OFF in warning for warning in journal.warnings) and not journal.mended, journal.warnings
print("ready", flush=True)
while True:
    match = journal.begin(began())
    print(match, 1, flush=True)
    for number, record in enumerate(played(), start=2):
        journal.append(match, record)
        print(match, number, flush=True)
"""
ROUNDS = 20


def test_a_writer_that_is_killed_has_kept_all_that_it_said(tmp_path: Path) -> None:
    """Twenty times in one journal: `kill -9` after a random number of records, wherever the writer is by
    then in its next."""
    luck = random.Random("journal")
    said: dict[int, int] = {}
    for _ in range(ROUNDS):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        assert writer.stderr is not None
        lines = [writer.stdout.readline() for _ in range(luck.randint(1, 60))]
        # What it does until it dies is not the same twice: so many steps of this loop later.
        for _ in range(luck.randint(0, 200_000)):
            pass
        writer.kill()
        # Not `communicate`: what `readline` has read ahead would be lost to it.
        with writer:
            rest, errors = writer.stdout.read(), writer.stderr.read()
        assert "Error" not in errors, errors
        lines += rest.splitlines(keepends=True)
        assert lines[0] == "ready\n"
        for line in lines[1:]:
            if line.endswith("\n"):
                match, number = map(int, line.split())
                said[match] = max(said.get(match, 0), number)
    assert len(said) >= ROUNDS - 1
    with Journal.open(tmp_path) as journal:
        assert all(CUT_OFF in warning for warning in journal.warnings)
        assert not journal.mended
        for match, number in said.items():
            records = journal.records(match)
            # One more than was said may be there: it was kept, and its writer died before it said so.
            assert len(records) in (number, number + 1)
            assert records == (began(), *played())[: len(records)]


def test_every_record_is_on_disk_before_it_is_said_to_be_kept(tmp_path: Path) -> None:
    """What no killed program can show: SQLite is told to have each commit on the disk itself."""
    kept(tmp_path, played()[:1])
    with Journal.open(tmp_path) as journal:
        assert journal._connection.execute("PRAGMA journal_mode").fetchone() == (b"wal",)
        assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


LIMITED = """
import resource, sys
from pathlib import Path
from firmware.journal import Journal, JournalError
from tests.firmware.journal.made import began, played
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
def room(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
journal = Journal.open(Path(sys.argv[1]))
match = journal.begin(began())
room(int(sys.argv[2]))
refused = 0
for record in played():
    try:
        journal.append(match, record)
    except JournalError as error:
        text = str(error)
        room(most)
        assert len(journal.records(match)) == 1 + played().index(record), "claimed what was refused"
        journal.append(match, record)
        refused += 1
        room(int(sys.argv[2]) + 50_000 * refused)
print(refused, text)
"""


def test_a_file_that_may_not_grow_keeps_what_it_has_and_goes_on_when_it_may(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path), "60000"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    refused, _, text = done.stdout.partition(" ")
    assert int(refused) >= 1
    assert "full" in text
    with Journal.open(tmp_path) as journal:
        assert journal.warnings == []
        assert journal.records(1) == (began(), *played())


FULL = """
import os, subprocess, sys
from pathlib import Path
from firmware.journal import Journal, JournalError
from tests.firmware.journal.made import began, played
disk = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", disk], check=True)
filler = disk / "filler"
def fill():
    with open(filler, "ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
journal = Journal.open(disk / "state")
match = journal.begin(began())
journal.append(match, played()[0])
fill()
done, refused = 1, 0
for record in played()[1:40]:
    try:
        journal.append(match, record)
    except JournalError as error:
        text = str(error)
        assert len(journal.records(match)) == 1 + done
        os.truncate(filler, max(0, filler.stat().st_size - 60_000))
        journal.append(match, record)
        refused += 1
        fill()
    done += 1
journal.close()
# A damaged journal on a full disk: nothing is given up for want of room to mend it.
fill()
path = disk / "state" / "journal.sqlite"
damaged = b"not SQLite" + path.read_bytes()[10:]
with open(path, "r+b") as file:
    file.write(damaged[:16])
names = sorted(each.name for each in path.parent.iterdir())
try:
    Journal.open(disk / "state")
except JournalError as error:
    text += " | " + str(error)
assert path.read_bytes() == damaged
assert sorted(each.name for each in path.parent.iterdir()) == names, list(path.parent.iterdir())
filler.unlink()
with Journal.open(disk / "state") as journal:
    assert journal.records(match) == (began(), *played()[:40])
print(refused, text)
"""


def test_a_full_disk_is_told_and_nothing_kept_is_lost(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "--mount", "true"], capture_output=True).returncode != 0:
        pytest.skip("a small disk cannot be mounted here: it needs `unshare --mount`, as root")
    done = subprocess.run(
        [unshare, "--mount", sys.executable, "-c", FULL, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    refused, _, text = done.stdout.partition(" ")
    assert int(refused) >= 1
    assert text.count("the disk is full; free some space") == 2


class PowerGoneError(BaseException):
    """Nothing that comes after this is done."""


@pytest.mark.parametrize("dies_at", range(5))
def test_mending_that_is_cut_off_is_finished_later(
    tmp_path: Path, dies_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever write step the power goes before: the next start has every record, and the damaged file.

    The steps are those that change names, each of which is whole or not done at all.
    """
    kept(tmp_path, played()[:5])
    path = tmp_path / NAME
    damaged = b"not SQLite" + path.read_bytes()[10:]
    path.write_bytes(damaged)
    log_of(path).write_bytes(b"of no use")
    steps = iter(range(dies_at))

    def dying(real: Callable[..., None]) -> Callable[..., None]:
        def step(*args: object, **kwargs: object) -> None:
            if next(steps, None) is None:
                raise PowerGoneError
            real(*args, **kwargs)

        return step

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", dying(os.link))
        patch.setattr(os, "replace", dying(os.replace))
        # Tidying up after an error is not done either when the power is gone.
        patch.setattr(Path, "unlink", lambda path, missing_ok=False: path.exists() and dying(os.unlink)(path))
        with pytest.raises(PowerGoneError):
            Journal.open(tmp_path)
    for _ in range(2):
        with Journal.open(tmp_path) as journal:
            assert journal.records(1) == (began(), *played()[:5])
    aside = [each.read_bytes() for each in tmp_path.glob("journal.damaged-*.sqlite")]
    assert damaged in aside
