"""Journals of other versions: an older one is brought up to date, a newer one is left alone."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from firmware.journal import Journal, JournalError, JournalReader, schema
from firmware.journal.files import NAME
from firmware.keeping import tables
from firmware.keeping.rows import Row, checksum
from tests.firmware.journal.made import began, kept, played
from tests.firmware.keeping.by_hand import by_hand


def with_version(directory: Path, version: int) -> Path:
    path = directory / NAME
    with by_hand(path) as connection:
        connection.execute("UPDATE about SET schema = ?", (version,))
        connection.execute(f"PRAGMA user_version = {version}")
    return path


def older(body: dict[str, Any]) -> dict[str, Any]:
    """As a made-up older version has it, in which the ball was not kept."""
    return {key: value for key, value in body.items() if key != "ball"}


def newer(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "ball": "yellow"} if body["record"] == "match-began" else body


def of_older(directory: Path, version: int = 0) -> Path:
    """A journal that this version kept."""
    kept(directory, played()[:3])
    with by_hand(directory / NAME) as connection:
        connection.text_factory = bytes
        tables.rewrite(connection, older)
    return with_version(directory, version)


def migrating(connection: sqlite3.Connection) -> None:
    tables.rewrite(connection, newer)


def test_an_older_journal_is_brought_up_to_date_and_kept_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = of_older(tmp_path)
    monkeypatch.setitem(schema.MIGRATIONS, 0, migrating)
    with Journal.open(tmp_path) as journal:
        (said,) = journal.warnings
        assert journal.records(1) == (began(), *played()[:3])
    (copy,) = tmp_path.glob("journal.schema-0-*.sqlite")
    assert str(copy) in said
    with by_hand(copy) as connection:
        assert connection.execute("SELECT schema FROM about").fetchall() == [(0,)]
        assert connection.execute("SELECT body->>'$.ball' FROM records").fetchone() == (None,)
    with by_hand(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA,)
    with Journal.open(tmp_path) as journal:
        assert journal.warnings == []


def test_a_migration_that_fails_leaves_the_journal_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_older(tmp_path)

    def failing(connection: sqlite3.Connection) -> None:
        migrating(connection)
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setitem(schema.MIGRATIONS, 0, failing)
    with pytest.raises(JournalError):
        Journal.open(tmp_path)
    monkeypatch.setitem(schema.MIGRATIONS, 0, migrating)
    with Journal.open(tmp_path) as journal:
        assert journal.records(1) == (began(), *played()[:3])


def test_an_older_journal_that_is_damaged_is_mended_and_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "SCHEMA", 2)
    path = of_older(tmp_path, 1)
    path.write_bytes(b"?" + path.read_bytes()[1:])
    monkeypatch.setitem(schema.MIGRATIONS, 1, migrating)
    with Journal.open(tmp_path) as journal:
        assert len(journal.warnings) == 2
        assert journal.records(1) == (began(), *played()[:3])


@pytest.mark.parametrize("opening", [Journal.open, JournalReader.open])
def test_a_version_that_nothing_migrates_is_refused(tmp_path: Path, opening: Any) -> None:
    path = of_older(tmp_path)
    data = path.read_bytes()
    with pytest.raises(JournalError, match=r"schema 0|older version"):
        opening(tmp_path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("opening", [Journal.open, JournalReader.open])
def test_a_newer_journal_is_refused_and_not_touched(tmp_path: Path, opening: Any) -> None:
    kept(tmp_path, played()[:3])
    path = with_version(tmp_path, schema.SCHEMA + 1)
    data = path.read_bytes()
    with pytest.raises(JournalError, match="newer version of this program") as caught:
        opening(tmp_path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == data
    assert sorted(each.name for each in tmp_path.iterdir()) == ["journal.lock", NAME]


def test_a_damaged_version_is_not_taken_for_a_newer_one(tmp_path: Path) -> None:
    kept(tmp_path, played()[:3])
    with by_hand(tmp_path / NAME) as connection:
        connection.execute("UPDATE about SET schema = 7")
    with Journal.open(tmp_path) as journal:
        assert "its version is damaged" in journal.warnings[0]
        assert journal.records(1) == (began(), *played()[:3])


def test_rewriting_leaves_what_is_damaged_as_it_is(tmp_path: Path) -> None:
    kept(tmp_path, played()[:1])
    with by_hand(tmp_path / NAME) as connection:
        connection.text_factory = bytes
        connection.execute("UPDATE records SET crc = crc + 1 WHERE id % 2 = 0")
        before = connection.execute("SELECT * FROM records WHERE id % 2 = 0").fetchall()
        tables.rewrite(connection, lambda body: {**body, "more": 1})
        assert connection.execute("SELECT * FROM records WHERE id % 2 = 0").fetchall() == before
        rows = [Row(*row) for row in connection.execute("SELECT * FROM records WHERE id % 2 = 1")]
    assert len(rows) == 1
    assert isinstance(rows[0].body, bytes)
    assert rows[0].body.endswith(b'"more":1}')
    assert rows[0].crc == checksum(rows[0].id, rows[0].body)
