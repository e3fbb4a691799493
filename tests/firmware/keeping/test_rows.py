"""Records as rows: each that cannot be read is a gap that says why."""

from typing import Final

import msgspec

from firmware.keeping.form import Form
from firmware.keeping.rows import Coder, Gap, Row, checksum, row_id


class Note(msgspec.Struct, frozen=True, tag_field="record", tag="note"):
    """A record."""

    text: str


FORM: Final = Form("notes.db", "notes.lock", "notebook", "shelf", 1, {}, unread="its first note is damaged")
CODER: Final[Coder[Note]] = Coder(Note, FORM)


def row(number: int) -> Row:
    return CODER.encoded(7, number, Note(f"note {number}"))


def test_what_is_whole_comes_back_with_its_number() -> None:
    assert list(CODER.entries(map(row, (1, 2, 3)))) == [(n, Note(f"note {n}")) for n in (1, 2, 3)]
    assert list(CODER.entries([])) == []


def test_missing_rows_are_one_gap_before_the_next() -> None:
    entries = list(CODER.entries(map(row, (3, 4, 7))))
    assert [number for number, _ in entries] == [1, 3, 4, 5, 7]
    assert [entry for _, entry in entries if isinstance(entry, Gap)] == [
        Gap(1, "it is missing"),
        Gap(5, "it is missing"),
    ]


def test_a_damaged_row_and_one_of_another_version_are_told_apart() -> None:
    body, id_ = b'{"record":"drawing"}', row_id(7, 2)
    unknown = Row(id_, body, checksum(id_, body))
    damaged = row(3)._replace(body=b'{"record":"note","text":"note 2"}')
    (_, first), (second_at, second), (third_at, third) = CODER.entries([row(1), unknown, damaged])
    assert first == Note("note 1")
    assert (second_at, third_at) == (2, 3)
    assert isinstance(second, Gap)
    assert second.other_version
    assert "this version does not know it" in second.why
    assert third == Gap(3, "it is damaged", other_version=False)
