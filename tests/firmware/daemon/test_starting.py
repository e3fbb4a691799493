"""With which match a table starts: strokes of one table are never counted in a match of another kind."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware.daemon.parts import Terms
from firmware.daemon.resuming import Start
from firmware.daemon.starting import start_of, start_with
from firmware.errors import InputError
from firmware.journal import Journal, JournalError, TableKind
from firmware.rules import Setup
from firmware.texts import load
from tests.firmware.journal.made import CLASSIC, SHORT, began, played


def on(folder: Path, table: TableKind | None, *, over: bool = False, strokes: int = 3) -> Journal:
    """A journal whose last match was begun on that, and is not over, or is."""
    journal = Journal.open(folder)
    match = journal.begin(msgspec.structs.replace(began(), table=table))
    for record in played() if over else played()[:strokes]:
        journal.append(match, record)
    return journal


def terms(table: TableKind, **others: Any) -> Terms:
    """What such a match is begun with, or something else."""
    as_begun = Terms(CLASSIC, "classic", "yellow", SHORT, load("en"), "en", began().names, table=table)
    return replace(as_begun, **others)


def test_a_match_that_is_over_stands_where_people_could_dispute_it() -> None:
    assert start_of("live", anew=False) == "go-on"
    assert start_of("simulated", anew=False) == "go-on-unless-over"
    assert start_of("recording", anew=False) == "new"
    tables: tuple[TableKind, ...] = ("live", "simulated", "recording")
    assert {start_of(table, anew=True) for table in tables} == {"new"}


@pytest.mark.parametrize(
    ("table", "last", "start"),
    [
        ("live", "live", "go-on"),
        ("simulated", "simulated", "go-on-unless-over"),
        ("recording", "recording", "new"),
        ("live", None, "go-on"),
        ("simulated", None, "go-on-unless-over"),
    ],
)
@pytest.mark.parametrize("over", [False, True])
def test_a_match_goes_on_on_its_own_kind_of_table_a_recording_s_never(
    tmp_path: Path, table: TableKind, last: TableKind | None, start: Start, over: bool
) -> None:
    with on(tmp_path, last, over=over) as journal:
        assert start_with(journal, tmp_path, terms(table), anew=False, named=True) == (start, None)


@pytest.mark.parametrize(
    ("table", "last"),
    [
        ("live", "simulated"),
        ("live", "recording"),
        ("simulated", "live"),
        ("simulated", "recording"),
        ("recording", "live"),
        ("recording", "simulated"),
        ("recording", None),
    ],
)
def test_another_kind_s_open_match_is_in_the_way(
    tmp_path: Path, table: TableKind, last: TableKind | None
) -> None:
    with on(tmp_path, last) as journal:
        with pytest.raises(InputError) as caught:
            start_with(journal, tmp_path, terms(table), anew=False, named=True)
        assert start_with(journal, tmp_path, terms(table), anew=True, named=True) == ("new", None)
        assert journal.matches()[0].ending == "open", "nothing was written"
    for words in ("match 1", str(tmp_path), "--state", "--new-match"):
        assert words in str(caught.value)


@pytest.mark.parametrize(("table", "last"), [("live", "simulated"), ("recording", "live")])
def test_one_that_is_over_is_followed_by_the_next(tmp_path: Path, table: TableKind, last: TableKind) -> None:
    with on(tmp_path, last, over=True) as journal:
        assert start_with(journal, tmp_path, terms(table), anew=False, named=True) == ("new", None)


def test_a_table_that_people_stand_at_leaves_a_trial_in_its_own_folder(tmp_path: Path) -> None:
    with on(tmp_path, "simulated") as journal:
        start, said = start_with(journal, tmp_path, terms("live"), anew=False, named=False)
        assert start == "new"
        assert said is not None
        assert "match 1 was begun on the simulated table" in said
        with pytest.raises(InputError, match="--new-match"):
            start_with(journal, tmp_path, terms("recording"), anew=False, named=False)


@pytest.mark.parametrize(("table", "raised"), [("live", False), ("simulated", True), ("recording", True)])
def test_what_cannot_be_read_just_now_may_be_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: TableKind, raised: bool
) -> None:
    def held(journal: Journal) -> None:
        raise JournalError("another program holds it", "busy")

    with Journal.open(tmp_path) as journal:
        monkeypatch.setattr(Journal, "going_on", held)
        if raised:
            with pytest.raises(JournalError, match="holds it"):
                start_with(journal, tmp_path, terms(table), anew=False, named=True)
        else:
            assert start_with(journal, tmp_path, terms(table), anew=False, named=True) == ("go-on", None)


@pytest.mark.parametrize("table", ["live", "simulated", "recording"])
def test_one_that_cannot_go_on_is_the_daemon_s_to_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: TableKind
) -> None:
    def lost(journal: Journal) -> None:
        raise JournalError("its beginning is damaged", "unreadable")

    with Journal.open(tmp_path) as journal:
        monkeypatch.setattr(Journal, "going_on", lost)
        start = start_of(table, anew=False)
        assert start_with(journal, tmp_path, terms(table), anew=False, named=True) == (start, None)


@pytest.mark.parametrize("table", ["live", "simulated"])
@pytest.mark.parametrize(
    "others",
    [
        {"setup": Setup("advanced")},
        {"names": ("Ada", "Ben")},
        {"side_names": ("Reds", "")},
        {"board": "maxi"},
    ],
)
def test_a_match_of_which_nothing_was_played_is_begun_anew_by_what_is_set(
    tmp_path: Path, table: TableKind, others: dict[str, Any]
) -> None:
    """Who writes names into the configuration and starts the board again wants to read them."""
    with on(tmp_path, table, strokes=0) as journal:
        assert start_with(journal, tmp_path, terms(table, **others), anew=False, named=False) == ("new", None)
        same = start_with(journal, tmp_path, terms(table), anew=False, named=False)
        assert same == (start_of(table, anew=False), None), "not one more at each start"


@pytest.mark.parametrize(
    ("others", "how"),
    [
        ({"setup": Setup("advanced")}, "by the rules it was begun with; --new-match"),
        ({"names": ("Ada", "Ben")}, "with the names it was begun with; --new-match"),
    ],
)
@pytest.mark.parametrize(
    ("over", "what"), [(False, "that was cut off goes on"), (True, "that was won stands")]
)
def test_what_is_set_for_the_next_match_is_told_not_to_hold_for_the_one_that_is_on(
    tmp_path: Path, others: dict[str, Any], how: str, over: bool, what: str
) -> None:
    with on(tmp_path, "live", over=over) as journal:
        start, said = start_with(journal, tmp_path, terms("live", **others), anew=False, named=True)
    assert start == "go-on"
    assert said is not None
    assert f"the match {what}, {how}" in said


def test_nothing_is_told_of_a_match_that_is_followed_by_the_next(tmp_path: Path) -> None:
    with on(tmp_path, "simulated", over=True) as journal:
        other = terms("simulated", names=("Ada", "Ben"))
        told = start_with(journal, tmp_path, other, anew=False, named=True)
    assert told == ("go-on-unless-over", None)
