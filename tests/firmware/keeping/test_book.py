"""What the journal and the game book have from `keeping.book`: it holds for both of them."""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from firmware import gamebook, journal
from firmware.gamebook.book import NAME as GAMES_FILE
from firmware.journal.files import NAME as MATCHES_FILE
from firmware.keeping.errors import JournalError
from tests.firmware.gamebook import made as a_game
from tests.firmware.journal import made as a_match
from tests.firmware.keeping.by_hand import by_hand, lose


@dataclass(frozen=True)
class Kind:
    """A kind of book, and what can be kept in it. Books are of any type: mypy knows each by its own tests."""

    of: str
    file: str
    writer: Any
    reader: Any
    began: Any
    later: Sequence[Any]
    one: Callable[[Any, int], Any]
    """What is read of one, by its number."""
    all: Callable[[Any], Sequence[Any]]


KINDS = (
    Kind(
        *("match", MATCHES_FILE, journal.Journal, journal.JournalReader),
        *(a_match.began(), a_match.played()),
        lambda book, of: book.summary(of).strokes,
        lambda book: [each.strokes for each in book.matches()],
    ),
    Kind(
        *("game", GAMES_FILE, gamebook.GameBook, gamebook.GameBookReader),
        *(a_game.began(), a_game.played()),
        lambda book, of: len(book.game(of).actions),
        lambda book: [len(each.actions) for each in book.games()],
    ),
)


@pytest.fixture(params=KINDS, ids=lambda kind: kind.of)
def kind(request: pytest.FixtureRequest) -> Kind:
    kind: Kind = request.param
    return kind


def keep(kind: Kind, folder: Path, *counts: int) -> Path:
    """A book in which so many things were done in each match or game, closed; its file."""
    with kind.writer.open(folder) as book:
        for number, count in enumerate(counts, start=1):
            assert book.begin(kind.began) == number
            for record in kind.later[:count]:
                book.append(number, record)
    return folder / kind.file


def records(path: Path, of: int = 1) -> list[str]:
    """Of what kind the records of a match or a game are."""
    with by_hand(path) as connection:
        rows = connection.execute("SELECT id >> 20, body->>'$.record' FROM records ORDER BY id").fetchall()
    return [record for whose, record in rows if whose == of]


def test_each_goes_on_by_its_number_also_after_it_was_opened_again(kind: Kind, tmp_path: Path) -> None:
    keep(kind, tmp_path, 2, 3)
    with kind.writer.open(tmp_path) as book:
        book.append(1, kind.later[2])
        assert book.begin(kind.began) == 3
        assert kind.all(book) == [3, 3, 0]
    with kind.reader.open(tmp_path) as book:
        assert [kind.one(book, of) for of in (1, 2, 3)] == [3, 3, 0]
        assert book.warnings == []


@pytest.mark.parametrize("of", [0, -1, 2, 2**70])
def test_what_is_not_there_is_told_and_not_gone_on_with(kind: Kind, of: int, tmp_path: Path) -> None:
    path = keep(kind, tmp_path, 1)
    with kind.writer.open(tmp_path) as book:
        with pytest.raises(JournalError, match=f"there is no {kind.of} {of} in"):
            kind.one(book, of)
        with pytest.raises(JournalError, match=f"there is no {kind.of} {of} in"):
            book.append(of, kind.later[0])
    assert len(records(path)) == 2


def test_one_without_its_beginning_is_told_once_and_left_alone(kind: Kind, tmp_path: Path) -> None:
    lose(keep(kind, tmp_path, 3, 2), 1)
    with kind.writer.open(tmp_path) as book:
        for _ in range(2):
            assert kind.all(book) == [2]
            with pytest.raises(JournalError, match=f"^{kind.of} 1 cannot be read: its beginning is damaged"):
                kind.one(book, 1)
        with pytest.raises(JournalError, match="its beginning is damaged"):
            book.append(1, kind.later[3])
        (warning,) = book.warnings
        assert warning.startswith(f"{kind.of.capitalize()} 1 cannot be read: its beginning is damaged")
        assert book.begin(kind.began) == 3


def test_what_follows_a_loss_is_kept_behind_one_cut(kind: Kind, tmp_path: Path) -> None:
    path = keep(kind, tmp_path, 5)
    lose(path, 4)
    with kind.writer.open(tmp_path) as book:
        for record in kind.later[2:4]:
            book.append(1, record)
        (warning,) = book.warnings
        assert "of record 4: it is missing." in warning
        assert kind.one(book, 1) == 4
    assert records(path)[-3:] == ["cut-back", "acted", "acted"]
    with kind.reader.open(tmp_path) as book:
        assert kind.one(book, 1) == 4
        assert book.warnings == []


def test_a_write_that_is_refused_leaves_the_number_free(kind: Kind, tmp_path: Path) -> None:
    with kind.writer.open(tmp_path) as book, by_hand(tmp_path / kind.file) as other:
        book.begin(kind.began)
        book._connection.execute("PRAGMA busy_timeout = 0")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="another program holds it") as caught:
            book.append(1, kind.later[0])
        assert caught.value.kind == "busy"
        other.execute("ROLLBACK")
        book.append(1, kind.later[0])
        assert kind.one(book, 1) == 1
        assert book.warnings == []


def test_closing_twice_is_safe_and_gives_the_lock_back(kind: Kind, tmp_path: Path) -> None:
    book = kind.writer.open(tmp_path)
    with pytest.raises(JournalError, match="is in use"):
        kind.writer.open(tmp_path)
    book.close()
    book.close()
    with contextlib.closing(kind.writer.open(tmp_path)):
        pass
