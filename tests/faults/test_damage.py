"""A journal that is damaged, or was cut off in the middle of a write, under the whole daemon: what is
readable goes on, and people are asked to check a score only where something may be missing."""

from pathlib import Path

from firmware.journal.files import NAME
from firmware.keeping.files import log_of
from firmware.texts import trouble_sentence
from tests.faults.bench import ENGLISH, RETURNED, SERVED, Bench

FRAME = 24 + 4096


def cut_off(folder: Path) -> Bench:
    """A table whose power went after two strokes."""
    bench = Bench(folder)
    bench.play(SERVED)
    bench.play(RETURNED)
    bench.drop()
    return bench


def test_damage_is_said_and_what_is_readable_goes_on(tmp_path: Path) -> None:
    cut_off(tmp_path)
    with (tmp_path / NAME).open("r+b") as file:
        file.write(b"not SQLite")
    again = Bench(tmp_path)
    assert again.strokes == 2
    again.turn()
    assert again.notice() == trouble_sentence("journal-mended", ENGLISH)
    (told,) = again.troubles("journal")
    assert "3 readable records are kept" in told
    assert "journal.damaged-" in told
    again.play(SERVED)
    assert again.strokes == 3


def test_a_write_that_was_cut_off_is_logged_and_alarms_nobody(tmp_path: Path) -> None:
    cut_off(tmp_path)
    log = log_of(tmp_path / NAME)
    with log.open("r+b") as file:
        # Half of a stroke that nobody was told of: its frame's head, and a page that is not its own.
        head = file.read()[-FRAME:][:24]
        file.seek(0, 2)
        file.write(head + bytes(4096))
    again = Bench(tmp_path)
    assert again.strokes == 2
    again.turn()
    assert again.notice() != trouble_sentence("journal-mended", ENGLISH)
    (told,) = again.troubles("journal")
    assert "in the middle of a write" in told
    again.play(SERVED)
    assert again.strokes == 3
