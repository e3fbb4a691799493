"""Files that are not as they were written: what is readable is kept, the rest is moved aside and said."""

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.journal import Journal, JournalError, JournalReader
from firmware.journal.files import NAME
from firmware.keeping.files import log_of
from firmware.keeping.pages import PAGE_SIZE, fault_of_log, rows_in
from firmware.rules import Press
from tests.firmware.journal.made import Files, act, began, cut_off, disputed, kept, played
from tests.firmware.keeping.by_hand import by_hand, lose

_MATCHES = (played()[:25], disputed(), played()[:12])


@cache
def whole() -> Files:
    """Three matches, of which the last two are in the log alone."""
    with tempfile.TemporaryDirectory() as directory:
        return cut_off(Path(directory), *_MATCHES, in_database=1)


def stored(path: Path) -> dict[int, bytes]:
    """The rows that are in a journal, read by SQLite alone."""
    with by_hand(path) as connection:
        connection.text_factory = bytes
        return dict(connection.execute("SELECT id, body FROM records ORDER BY id"))


@cache
def all_rows() -> dict[int, bytes]:
    with tempfile.TemporaryDirectory() as directory:
        return stored(whole().put(Path(directory)))


class Damage(NamedTuple):
    """Bytes of one of the files that are now others."""

    log: bool
    at: int
    data: bytes

    def done_to(self, files: Files) -> Files:
        old = files.log if self.log else files.database
        new = old[: self.at] + self.data + old[self.at + len(self.data) :]
        return Files(files.database, new) if self.log else Files(new, files.log)


@st.composite
def damages(draw: st.DrawFn) -> Damage:
    """A few bytes, a sector of zeros, or a byte of a page's head, where it hurts most."""
    log = draw(st.booleans())
    size = len(whole().log if log else whole().database)
    at = draw(st.integers(0, size - 1))
    if draw(st.booleans()):
        page = draw(st.integers(0, size // (PAGE_SIZE + 24 * log) - 1))
        at = page * (PAGE_SIZE + 24 * log) + log * 32 + draw(st.integers(0, 130))
    data = draw(st.one_of(st.binary(min_size=1, max_size=8), st.just(bytes(512))))
    return Damage(log, at, data[: size - at])


def varint(value: int) -> bytes:
    """A number as SQLite writes it."""
    digits = [value & 0x7F]
    while value := value >> 7:
        digits.insert(0, value & 0x7F | 0x80)
    return bytes(digits)


def untouched(files: Files) -> set[int]:
    """The rows of which a copy is as it was, with the few bytes before and after it that tell its id and
    its checksum."""
    ids = set()
    for id_, body in all_rows().items():
        for before, after in ((whole().database, files.database), (whole().log, files.log)):
            at = before.find(body)
            while at >= 0:
                extent = slice(max(0, at - 24), at + len(body) + 8)
                # Matches may have the same text: it is this row's only if its id lies before it, and
                # before that the last byte of a size.
                id_at = before.find(varint(id_), at - 12, at)
                if before[extent] == after[extent] and id_at > 0 and before[id_at - 1] < 0x80:
                    ids.add(id_)
                at = before.find(body, at + 1)
    return ids


def looks_left_over(files: Files) -> bool:
    """Whether the salts of a frame of the log were hit: it may look then as if it were left from a former
    writing of the log, so that nobody can tell that a commit is lost at its end."""
    frame = PAGE_SIZE + 24
    salts = [slice(at + 8, at + 16) for at in range(32, len(files.log), frame)]
    return any(files.log[each] != whole().log[each] for each in salts)


@settings(max_examples=150, deadline=None)
@given(damaged=st.lists(damages(), min_size=1, max_size=3))
def test_whatever_is_damaged_what_is_readable_is_kept_and_the_rest_is_said(damaged: list[Damage]) -> None:
    files = whole()
    for damage in damaged:
        files = damage.done_to(files)
    with tempfile.TemporaryDirectory() as directory:
        path = files.put(Path(directory))
        with JournalReader.open(Path(directory)) as reader:
            reader.matches()
        assert path.read_bytes() == files.database
        with Journal.open(Path(directory)) as journal:
            summaries = journal.matches()
            said = list(journal.warnings)
            for summary in summaries:
                original = (began(), *_MATCHES[summary.id - 1])
                records = journal.records(summary.id)
                assert records == original[: len(records)]
                assert summary.fault is None or len(records) < len(original)
        now = stored(path)
        assert now.items() <= all_rows().items()
        if not looks_left_over(files):
            assert untouched(files) <= now.keys()
            assert said or len(now) == len(all_rows())
        # Said once: the next start finds a sound file.
        with Journal.open(Path(directory)) as journal:
            assert not any("the file as it was" in each for each in journal.warnings)
        if any("the file as it was" in each for each in said):
            (aside,) = Path(directory).glob("journal.damaged-*.sqlite")
            assert len(aside.read_bytes()) >= len(files.database)


@settings(max_examples=60, deadline=None)
@given(log=st.booleans(), share=st.floats(0.0, 1.0))
def test_a_file_that_was_cut_short_keeps_what_is_left(log: bool, share: float) -> None:
    files = whole()
    files = (
        Files(files.database, files.log[: int(share * len(files.log))])
        if log
        else Files(files.database[: int(share * len(files.database))], files.log)
    )
    with tempfile.TemporaryDirectory() as directory:
        path = files.put(Path(directory))
        Journal.open(Path(directory)).close()
        now = stored(path)
        assert now.items() <= all_rows().items()
        assert untouched(files) <= now.keys()


def test_a_match_goes_on_after_a_damaged_record(tmp_path: Path) -> None:
    """It is kept up to there; what is done then follows, and is not lost behind the damage."""
    kept(tmp_path, played()[:10])
    path = tmp_path / NAME
    data = path.read_bytes()
    at = data.index(stored(path)[2**20 + 6]) + 100
    path.write_bytes(data[:at] + b"~" + data[at + 1 :])
    with Journal.open(tmp_path) as journal:
        assert journal.records(1) == (began(), *played()[:4])
        (aside,) = tmp_path.glob("journal.damaged-*.sqlite")
        assert journal.warnings == [
            f"{path}: record 6 of match 1 is damaged. 10 readable records are kept; the file as it was is "
            f"{aside}.",
            "Match 1 is kept up to record 5; of record 6: it is missing.",
        ]
        going = journal.going_on()
        assert going is not None
        assert going.fault == "Match 1 is kept up to record 5; of record 6: it is missing."
        journal.append(1, played()[4])
        journal.append(1, played()[5])
    with Journal.open(tmp_path) as journal:
        assert journal.records(1) == (began(), *played()[:6])
        assert journal.warnings == []


def test_what_follows_a_cut_is_cut_off_again_where_it_is_damaged_too(tmp_path: Path) -> None:
    kept(tmp_path, played()[:10])
    for lost in (6, 13):
        lose(tmp_path / NAME, lost)
        with Journal.open(tmp_path) as journal:
            count = len(journal.records(1))
            assert len(journal.warnings) == 1
            for record in played()[count - 1 : count + 2]:
                journal.append(1, record)
            assert journal.records(1) == (began(), *played()[: count + 2])
    with Journal.open(tmp_path) as journal:
        assert journal.records(1) == (began(), *played()[:7])


def test_a_match_without_its_beginning_is_said_and_passed_over(tmp_path: Path) -> None:
    kept(tmp_path, played()[:3], played()[:2])
    lose(tmp_path / NAME, 1)
    with Journal.open(tmp_path) as journal:
        assert [each.id for each in journal.matches()] == [2]
        assert journal.warnings == ["Match 1 cannot be read: its beginning is damaged."]
        with pytest.raises(JournalError, match="match 1 cannot be read"):
            journal.records(1)
        assert journal.begin(began()) == 3


@pytest.mark.parametrize(
    "data", [b"a text of no meaning\n" * 400, b"\0" * 8192, b"SQL", bytes(range(256)) * 32]
)
def test_what_is_no_database_is_moved_aside(tmp_path: Path, data: bytes) -> None:
    (tmp_path / NAME).write_bytes(data)
    with Journal.open(tmp_path) as journal:
        (said,) = journal.warnings
        assert journal.matches() == ()
        assert journal.begin(began()) == 1
    (aside,) = tmp_path.glob("journal.damaged-*.sqlite")
    assert str(aside) in said
    assert aside.read_bytes() == data


def test_a_disk_without_links_keeps_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    path = whole().put(tmp_path)
    damaged = b"?" + whole().database[1:]
    path.write_bytes(damaged)
    with Journal.open(tmp_path) as journal:
        assert journal.records(1) == (began(), *_MATCHES[0])
    (aside,) = tmp_path.glob("journal.damaged-*.sqlite")
    assert (aside.read_bytes(), log_of(aside).read_bytes()) == (damaged, whole().log)


def test_the_last_few_damaged_files_are_kept(tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / NAME).write_bytes(b"%d" % number * 100)
        os.utime(tmp_path / NAME, (number * 1000, number * 1000))
        Journal.open(tmp_path).close()
    aside = sorted(tmp_path.glob("journal.damaged-*"))
    assert [each.read_bytes()[:1] for each in aside] == [b"2", b"3", b"4", b"5", b"6"]


def test_another_program_s_database_is_moved_aside_unharmed(tmp_path: Path) -> None:
    with by_hand(tmp_path / NAME) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE birds (name TEXT)")
        connection.execute("INSERT INTO birds VALUES ('wren')")
    with Journal.open(tmp_path) as journal:
        (said,) = journal.warnings
        assert "its tables are not a journal's" in said
    (aside,) = tmp_path.glob("journal.damaged-*.sqlite")
    with by_hand(aside) as connection:
        assert connection.execute("SELECT name FROM birds").fetchall() == [("wren",)]


def test_a_log_without_its_database_is_read_all_the_same(tmp_path: Path) -> None:
    whole().put(tmp_path).unlink()
    with Journal.open(tmp_path) as journal:
        (said,) = journal.warnings
        assert "its database is empty" in said
        assert journal.records(2) == (began(), *_MATCHES[1])
        assert journal.records(3) == (began(), *_MATCHES[2])


def test_an_empty_file_is_a_new_journal(tmp_path: Path) -> None:
    (tmp_path / NAME).touch()
    with Journal.open(tmp_path) as journal:
        assert journal.warnings == []
        assert journal.begin(began()) == 1


def test_rows_longer_than_a_page_are_found_in_the_bytes(tmp_path: Path) -> None:
    """A name of any length: its row goes on in pages of their own, here in the database and in the log."""
    import msgspec

    names = ("x" * 3_995, "y" * 5_000, "z" * 60_000)
    with Journal.open(tmp_path) as journal:
        for name in names:
            match = journal.begin(msgspec.structs.replace(began(), names=(name,)))
            journal.append(match, act(Press("confirm", "A")))
        path = tmp_path / NAME
        in_log = rows_in(path.read_bytes(), log_of(path).read_bytes())
    in_database = rows_in(path.read_bytes(), b"")
    assert {id_: row.body for id_, row in in_log.items()} == stored(path)
    assert {id_: row.body for id_, row in in_database.items()} == stored(path)


def test_a_sound_log_is_not_found_fault_with(tmp_path: Path) -> None:
    """Also one that was begun again over an older one, and of which a part was written and not
    committed."""
    with Journal.open(tmp_path) as journal:
        match = journal.begin(began())
        path = tmp_path / NAME
        for record in (played() * 3)[:120]:
            journal.append(match, record)
            assert fault_of_log(log_of(path).read_bytes()) is None
        with by_hand(path) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        length = len(log_of(path).read_bytes())
        journal.append(match, played()[0])
        again = log_of(path).read_bytes()
    assert len(again) == length
    assert fault_of_log(again) is None
    assert fault_of_log(whole().log) is None
    # The last commit's page, torn.
    assert fault_of_log(whole().log[:-1] + b"\xff") is not None
    assert fault_of_log(whole().log[:-100]) is not None
    assert fault_of_log(whole().log[:-4120] + bytes(4120)) is not None
    # A program that was killed between a frame's header and its page, which it had not told of.
    assert fault_of_log(whole().log[:-4096]) is None
    assert fault_of_log(b"\0" + whole().log[1:]) is not None
    assert fault_of_log(whole().log[:20]) is not None
    assert fault_of_log(b"") is None
