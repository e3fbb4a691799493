"""What the journal's tests keep: records of matches that could have been played, and journals as bytes."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from calibration.edition import load_edition
from firmware.journal import Acted, Journal, Later, MatchBegan, Reading, Reviewed
from firmware.journal.files import NAME
from firmware.keeping.files import log_of
from firmware.match import Match, Measured
from firmware.report import Line
from firmware.rules import Action, Correct, Lay, Press, Setup, Stroke
from tests.bench.matches import Flick, played_match

CLASSIC = load_edition("classic", require_zones=True)
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
SHORT = Setup("simplified")


def began(setup: Setup = SHORT, *, digest: str = CLASSIC.digest) -> MatchBegan:
    return MatchBegan(setup, "classic", digest, "yellow", "en", NOON, ("Ann", "Bob"))


@cache
def played(seed: str = "journal", setup: Setup = SHORT) -> tuple[Acted, ...]:
    """A match from its first stroke to its end."""
    match, acts = Match(CLASSIC, setup), []
    for number, move in enumerate(played_match(CLASSIC, setup, seed).moves):
        measured = None
        if isinstance(move, Flick):
            measured = Measured(
                *(move.from_mm, move.dot_mm, move.disc_mm, 0.03, 0.03, move.off_board),
                started_at=number + 0.5,
                rested_at=number + 1.0,
            )
            match.stroke(measured)
        else:
            match.lay(move.at_mm)
        acts.append(Acted(match.state.actions[-1], NOON + timedelta(seconds=number), measured, number + 1.1))
    return tuple(acts)


def act(action: Action) -> Acted:
    """A button or a ruling."""
    assert not isinstance(action, Stroke)
    return Acted(action, NOON)


def disputed() -> tuple[Later, ...]:
    """A part of a match with a correction, a review and an undo in it."""
    strokes = played()[:5]
    review = Reviewed(
        2,
        "B",
        "stands",
        Reading("in", 1, 0.2, 0.05),
        Reading("in", 1, 0.25, 0.02),
        NOON,
        ("review-2-a.png", "review-2-b.png"),
    )
    return (*strokes, review, act(Correct(2, "in")), act(Press("undo", "A")), act(Correct(5, "fault")))


def live(records: tuple[Later, ...], setup: Setup = SHORT) -> Match:
    """The match as it was played, measured by the board itself."""
    match = Match(CLASSIC, setup)
    for record in records:
        if isinstance(record, Acted):
            again(match, record)
    return match


def kept(directory: Path, *matches: tuple[Later, ...]) -> None:
    """A journal with these matches, closed."""
    with Journal.open(directory) as journal:
        for records in matches:
            match = journal.begin(began())
            for record in records:
                journal.append(match, record)


def again(match: Match, record: Acted) -> list[Line]:
    """Have it done in `match` as it was done live. IllegalAction if it may not be."""
    if record.measured is not None:
        return match.stroke(record.measured)
    if isinstance(record.action, Lay):
        return match.lay(record.action.place.at_mm)
    return match.act(record.action)


@dataclass(frozen=True)
class Files:
    """A journal's two files."""

    database: bytes
    log: bytes

    def put(self, directory: Path) -> Path:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / NAME
        for each in directory.glob(f"{path.stem}*"):
            each.unlink()
        path.write_bytes(self.database)
        log_of(path).write_bytes(self.log)
        return path


def cut_off(directory: Path, *matches: tuple[Later, ...], in_database: int = 0) -> Files:
    """The files of a journal whose program was cut off; the first `in_database` matches were kept by
    one that had ended well before."""
    kept(directory, *matches[:in_database])
    with Journal.open(directory) as journal:
        for records in matches[in_database:]:
            match = journal.begin(began())
            for record in records:
                journal.append(match, record)
        path = directory / NAME
        return Files(path.read_bytes(), log_of(path).read_bytes())
