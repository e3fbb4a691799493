"""The game book: what is kept comes back, after cuts, damage, undo and by other versions."""

from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.gamebook import (
    Acted,
    CutBack,
    GameBegan,
    GameBook,
    GameBookReader,
    GameLeft,
    SeatChanged,
    Seated,
)
from firmware.gamebook.book import CODER, NAME
from firmware.gamebook.reading import kept_of
from firmware.games.setgame import Claim
from firmware.keeping.errors import JournalError
from firmware.keeping.files import log_of
from tests.firmware.gamebook.made import NOON, SEATS, SETUP, began, played, raw, states
from tests.firmware.keeping.by_hand import lose


def kept(directory: Path, *records: object) -> None:
    """A book with one game, closed."""
    with GameBook.open(directory) as book:
        game = book.begin(began())
        for record in records:
            book.append(game, record)  # type: ignore[arg-type]


def test_a_game_comes_back_as_it_was_played(tmp_path: Path) -> None:
    kept(tmp_path, *played())
    with GameBookReader.open(tmp_path) as book:
        game = book.game(1)
        assert book.warnings == []
    assert game.states == states()
    assert (game.game, game.setup, game.places, game.over) == ("set", SETUP, 2, True)
    assert game.seats == {1: SEATS[0], 2: SEATS[1]}
    assert (game.fault, game.left) == (None, None)
    assert game.events[-1][-1].outcome == game.states[-1].outcome


def test_nothing_is_there_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no game has been kept"):
        GameBookReader.open(tmp_path)
    with GameBook.open(tmp_path) as book:
        assert book.going_on() is None
        assert book.games() == ()
        with pytest.raises(JournalError, match="no game 1"):
            book.game(1)


def test_the_latest_game_goes_on_unless_it_was_left(tmp_path: Path) -> None:
    with GameBook.open(tmp_path) as book:
        first, second = book.begin(began()), book.begin(began())
        book.append(first, played()[0])
        going = book.going_on()
        assert going is not None
        assert (going.id, going.actions) == (second, ())
        book.append(second, GameLeft("ended", NOON))
        assert book.going_on() is None
        assert [game.left for game in book.games()] == [None, "ended"]


def test_one_process_writes(tmp_path: Path) -> None:
    with GameBook.open(tmp_path):
        with pytest.raises(JournalError, match="keeps the game book there"):
            GameBook.open(tmp_path)
        with pytest.raises(JournalError, match="no game has been kept"):
            GameBookReader.open(tmp_path / "elsewhere")


def test_it_lies_beside_the_journal_of_matches_and_touches_it_not(tmp_path: Path) -> None:
    kept(tmp_path, played()[0])
    assert {path.name for path in tmp_path.iterdir()} == {"games.db", "games.lock"}


def test_an_undo_is_an_action_less_and_a_row_more(tmp_path: Path) -> None:
    kept(tmp_path, *played()[:4], CutBack(2, "undo", NOON), *played()[2:3])
    with GameBookReader.open(tmp_path) as book:
        game = book.game(1)
    assert game.states == states()[:4]
    assert game.last == 7


def test_who_sits_where_is_as_it_was_changed_last_also_after_an_undo(tmp_path: Path) -> None:
    left = SeatChanged(1, Seated(), NOON)
    taken = SeatChanged(1, Seated("Cid", "c" * 64), NOON)
    kept(tmp_path, played()[0], left, taken, CutBack(0, "undo", NOON))
    with GameBookReader.open(tmp_path) as book:
        assert book.game(1).seats == {1: Seated("Cid", "c" * 64), 2: SEATS[1]}
        assert book.game(1).answered == {}
    kept(tmp_path / "b", played()[0], left)
    with GameBookReader.open(tmp_path / "b") as book:
        assert book.game(1).seats == {2: SEATS[1]}


def test_the_numbers_of_acts_come_back_with_what_they_were_answered(tmp_path: Path) -> None:
    kept(tmp_path, *played()[:20])
    with GameBookReader.open(tmp_path) as book:
        answered = book.game(1).answered
    acted = {seat: [record.number for record in played()[:20] if record.seat == seat] for seat in (1, 2)}
    for seat in (1, 2):
        assert answered[seat] == {number: number for number in acted[seat][-8:]}


@given(st.integers(0, 10), st.sampled_from(["missing", "damaged", "cut back too far", "against the rules"]))
def test_a_game_is_told_up_to_what_cannot_be_read_and_goes_on_from_there(place: int, what: str) -> None:
    records: list[object] = list(played()[:12])
    rows = [CODER.encoded(1, number, each) for number, each in enumerate([began(), *records], start=1)]  # type: ignore[list-item]
    at = place + 1
    if what == "missing":
        del rows[at]
    elif what == "damaged":
        rows[at] = rows[at]._replace(body=b"{}")
    elif what == "cut back too far":
        rows[at] = CODER.encoded(1, at + 1, CutBack(99, "undo", NOON))
    else:
        refused = raw(Claim(9))
        rows[at] = CODER.encoded(1, at + 1, Acted(refused, NOON, 9))
    game = kept_of(1, CODER, rows)
    assert game is not None
    assert game.states == states()[: place + 1]
    assert game.fault is not None
    assert str(place) in game.fault
    assert game.other_version == (what == "against the rules")
    # What is played then is not hidden behind it.
    rows.append(CODER.encoded(1, 14, CutBack(place, game.fault, NOON)))
    rows.append(CODER.encoded(1, 15, played()[place]))
    again = kept_of(1, CODER, rows)
    assert again is not None
    assert again.fault is None
    assert again.states == states()[: place + 2]


def test_the_book_itself_cuts_back_before_it_goes_on(tmp_path: Path) -> None:
    kept(tmp_path, *played()[:5])
    lose(tmp_path / NAME, 5)
    with GameBook.open(tmp_path) as book:
        game = book.going_on()
        assert game is not None
        assert game.states == states()[:4]
        assert any("it is missing" in warning for warning in book.warnings)
        book.append(1, played()[3])
    with GameBookReader.open(tmp_path) as reader:
        assert reader.warnings == []
        assert reader.game(1).states == states()[:5]


@pytest.mark.parametrize("file", ["database", "log"])
def test_a_damaged_file_is_mended_and_every_readable_record_kept(tmp_path: Path, file: str) -> None:
    with GameBook.open(tmp_path) as book:
        game = book.begin(began())
        for record in played():
            book.append(game, record)
        path = tmp_path / NAME
        database, log = path.read_bytes(), log_of(path).read_bytes()
    path.write_bytes(b"?" + database[1:] if file == "database" else database)
    log_of(path).write_bytes(log[:-3000] + bytes(3000) if file == "log" else log)
    with GameBook.open(tmp_path) as book:
        kept_now = book.going_on()
        assert kept_now is not None
        assert book.warnings
        assert kept_now.states == states()[: len(kept_now.states)]
        assert len(kept_now.states) >= len(states()) - (3 if file == "log" else 0)
    assert list(tmp_path.glob("games.damaged-*.db"))


@pytest.mark.parametrize("beginning", ["game", "setup", "setup's shape", "record"])
def test_a_game_of_another_version_is_told_and_left_alone(tmp_path: Path, beginning: str) -> None:
    first: GameBegan = began()
    if beginning == "game":
        first = msgspec.structs.replace(first, game="whist")
    elif beginning == "setup":
        first = msgspec.structs.replace(first, setup=msgspec.Raw(b'{"seats":99,"seed":"x"}'))
    elif beginning == "setup's shape":
        first = msgspec.structs.replace(first, setup=msgspec.Raw(b'{"seats":2,"seed":"x","jokers":3}'))
    with GameBook.open(tmp_path) as book:
        game = book.begin(first)
        if beginning == "record":
            book.append(game, Acted(msgspec.Raw(b'{"kind":"new-act","seat":1}'), NOON, 1, 1))
    with GameBook.open(tmp_path) as book:
        assert book.going_on() is None
        assert len(book.warnings) == 1
        assert book.begin(began()) == 2


def test_a_record_that_could_not_be_read_again_is_refused(tmp_path: Path) -> None:
    with GameBook.open(tmp_path) as book:
        game = book.begin(began())
        with pytest.raises(JournalError, match="report this fault"):
            book.append(game, GameLeft("ended", datetime(2026, 5, 1)))
        going = book.going_on()
        assert going is not None
        assert going.left is None


def test_a_full_disk_is_said_and_the_same_record_kept_later(tmp_path: Path) -> None:
    with GameBook.open(tmp_path) as book:
        game = book.begin(began())
        (pages,) = book._connection.execute("PRAGMA page_count").fetchone()
        book._connection.execute(f"PRAGMA max_page_count = {pages}")
        waiting = list(played() * 9)

        def fill() -> None:
            while waiting:
                book.append(game, waiting[0])
                del waiting[0]

        with pytest.raises(JournalError, match="free some space") as caught:
            fill()
        assert caught.value.kind == "full"
        assert waiting
        book._connection.execute("PRAGMA max_page_count = 10000")
        fill()
        assert book.game(game).last == 1 + 9 * len(played())
