"""Every file that the board writes: killed before each step that changes the disk, and the power gone there.

What was told to be kept is there, what was being written is wholly there or wholly not, it works the next
time, and what was left half done does not pile up.
"""

import os
import random
import re
import shutil
import wave
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from calibration.profile import load, save
from firmware.chair.reviews import ReviewWanted
from firmware.config import load_config
from firmware.config.writing import saved
from firmware.daemon.review_pictures import ReviewPictures
from firmware.gamebook import GameBook, GameBookReader
from firmware.journal import Journal, JournalReader, schema
from firmware.journal.files import NAME
from firmware.keeping import opening
from firmware.keeping.files import log_of
from firmware.keeping.pages import CUT_OFF
from firmware.umpire.kept_frames import Cutout
from firmware.voice import make_names
from tests.calibration.test_profile import calibration
from tests.faults.power import EXTREMES, Disk, Luck, cuts
from tests.faults.system_calls import needs_watching, watched
from tests.firmware.gamebook import made as a_game
from tests.firmware.journal.made import began, cut_off, kept, played
from tests.firmware.journal.test_schema import migrating, of_older
from tests.firmware.test_match import SERVE

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Writing:
    """`prepare` makes a folder as it is before, and says what is kept there; `write` changes it, and tells
    what is kept from then on; `check` says whether all that was told is there, and tries again."""

    prepare: Callable[[Path], list[str] | None]
    write: Callable[[Path, Tell], object]
    check: Callable[[Path, list[str], bool], object]
    """The folder, what was told, and whether the power was gone."""


# ---------------------------------------------------------------- the journal

BEFORE = 7
"""Records that were kept before, in the journals that are there already."""
MOST_FORMER = 10
"""Files that are kept as they were, with the logs of five of them."""
PAGES_OF_LOG = 6
"""Of the log, until SQLite writes it back: a few records."""


def played_on(folder: Path, tell: Tell, records: int = 6) -> None:
    """Go on with the match, or begin it; `tell` a number of records each time."""
    opening._PAGES_OF_LOG = PAGES_OF_LOG  # type: ignore[misc]
    ours = Journal.open(folder)
    there = 0
    if ours.going_on() is None:
        ours.begin(began())
        tell("1")
    else:
        there = len(ours.records(1)) - 1
        tell(str(there + 1))
    for number, record in enumerate(played()[there : there + records], start=there + 2):
        ours.append(1, record)
        tell(str(number))
    ours.close()


def goes_on(
    folder: Path, told: list[str], power: bool, *, readable: bool = True, warned: bool = False
) -> None:
    """All records that were told are there, at most one more, and the next can be kept."""
    least = int(told[-1]) if told else 0
    if least and readable:
        with JournalReader.open(folder) as reader:
            assert len(reader.records(1)) in (least, least + 1)
    with Journal.open(folder) as ours:
        # A write that was cut off is told in the log; nobody has to check the score for it.
        assert warned or not ours.mended
        assert warned or all(CUT_OFF in warning for warning in ours.warnings)
        if ours.going_on() is None:
            assert least == 0
            ours.begin(began())
        records = ours.records(1)
        assert len(records) in (max(least, 1), least + 1)
        assert records == (began(), *played())[: len(records)]
        ours.append(1, played()[len(records) - 1])
    with Journal.open(folder) as ours:
        assert ours.warnings == []
        assert ours.records(1) == (began(), *played())[: len(records) + 1]
    former = [*folder.glob("journal.damaged-*"), *folder.glob("journal.schema-*")]
    assert set(folder.iterdir()) == {folder / NAME, folder / "journal.lock", *former}
    assert len(former) <= MOST_FORMER


def two_more(folder: Path, tell: Tell) -> None:
    played_on(folder, tell, records=2)


def new_journal(folder: Path) -> None:
    """Nothing yet: not even the folder."""


def kept_before(folder: Path) -> list[str]:
    kept(folder, played()[: BEFORE - 1])
    return [str(BEFORE)]


def left_by_a_kill(folder: Path) -> list[str]:
    cut_off(folder / "elsewhere", played()[: BEFORE - 1]).put(folder)
    shutil.rmtree(folder / "elsewhere")
    return [str(BEFORE)]


def damaged(folder: Path) -> list[str]:
    told = left_by_a_kill(folder)
    with (folder / NAME).open("r+b") as file:
        file.write(b"not SQLite")
    return told


def damaged_log(folder: Path) -> list[str]:
    """A frame in its middle is damaged: SQLite believes none from there on, and the rest is whole."""
    left_by_a_kill(folder)
    with log_of(folder / NAME).open("r+b") as file:
        file.seek(32 + 5 * (24 + 4096) + 24 + 100)
        file.write(b"!")
    return [str(BEFORE)]


def log_mended(folder: Path, told: list[str], power: bool) -> None:
    goes_on(folder, told, power, warned=True)
    assert list(folder.glob("journal.damaged-*"))


def mended(folder: Path, told: list[str], power: bool) -> None:
    assert any(path.read_bytes().startswith(b"not SQLite") for path in folder.glob("journal*.sqlite"))
    goes_on(folder, told, power, warned=True)
    assert any(
        path.read_bytes().startswith(b"not SQLite") for path in folder.glob("journal.damaged-*.sqlite")
    )


def older(folder: Path) -> list[str]:
    of_older(folder, 1)
    return ["4"]


def migrated(folder: Path, told: list[str], power: bool) -> None:
    goes_on(folder, told, power, readable="2" in told, warned=True)
    assert list(folder.glob("journal.schema-1-*.sqlite"))


# ---------------------------------------------------------------- reviews

NOISE = np.random.default_rng(1).integers(0, 256, (3, 40, 40, 3)).astype(np.uint8)
FRAMES = [Cutout(image, (0, 0), float(count)) for count, image in enumerate(NOISE)]
ROOM_MB = 0.03
"""For five or six pictures."""


def reviewed(folder: Path, tell: Tell, minute: int = 2) -> None:
    pictures = ReviewPictures(folder, ROOM_MB)
    for name in pictures.keep(ReviewWanted(7, "B", SERVE), FRAMES, NOON + timedelta(minutes=minute)):
        tell(f"{name}\n")


def two_reviews(folder: Path) -> None:
    for minute in range(2):
        reviewed(folder, lambda _: None, minute)


def pictures_are_whole(folder: Path, told: list[str], power: bool) -> None:
    pictures = sorted(folder.glob("*.png"))
    for text in told:  # the oldest may have gone, to make room for what came after them
        path = folder / text.strip()
        assert path in pictures or path < pictures[0]
    for path in pictures:
        there = cv2.imread(str(path))
        assert there is not None
        assert any(np.array_equal(there, image) for image in NOISE)
    reviewed(folder, lambda _: None, 3)
    assert sum(path.stat().st_size for path in folder.iterdir()) <= ROOM_MB * 1e6
    assert all(path.suffix == ".png" for path in folder.iterdir())


# ---------------------------------------------------------------- calibration and configuration

OLD, NEW, NEXT = (calibration(seed) for seed in (2, 3, 4))
OPTIONS = "[match]\npreset = 'confirmed'  # ours\n"


def calibrated(folder: Path) -> None:
    folder.mkdir()
    save(OLD, folder / "calibration.json")


def recalibrated(folder: Path, tell: Tell) -> None:
    save(NEW, folder / "calibration.json")
    tell("kept")


def without_links(folder: Path, tell: Tell) -> None:
    """On a memory stick's file system."""

    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.link", refused)
        recalibrated(folder, tell)


def formers(path: Path) -> list[Path]:
    """What is kept of a file beside it: a few of its former ones, one a second at the most.

    Nothing that was left half done is there."""
    beside = sorted(set(path.parent.iterdir()) - {path})
    dated = re.compile(re.escape(path.stem) + r"\.\d{8}T\d{6}" + re.escape(path.suffix))
    assert [each.name for each in beside if not dated.fullmatch(each.name)] == []
    assert 1 <= len(beside) <= 5
    return beside


def one_of_two_calibrations(folder: Path, told: list[str], power: bool) -> None:
    path = folder / "calibration.json"
    there = load(path).layout
    assert there == NEW.layout or (there == OLD.layout and not told)
    save(NEXT, path)
    assert load(path).layout == NEXT.layout
    assert load(formers(path)[0]).layout in (OLD.layout, NEW.layout)


def configured(folder: Path) -> None:
    folder.mkdir()
    (folder / "setmatch.toml").write_text(OPTIONS)


def reconfigured(folder: Path, tell: Tell) -> None:
    saved(folder / "setmatch.toml", {"match.preset": "discovery"})
    tell("kept")


def one_of_two_configurations(folder: Path, told: list[str], power: bool) -> None:
    path = folder / "setmatch.toml"
    preset = load_config(path).match.preset
    assert preset == "discovery" or (preset == "confirmed" and not told)
    assert "# ours" in path.read_text()
    assert saved(path, {"match.language": "fr"}).match.language == "fr"
    assert load_config(path).match.preset == preset
    assert all(load_config(former).match.preset in ("discovery", "confirmed") for former in formers(path))


# ---------------------------------------------------------------- the voice

SPEAKS = """#!/bin/sh
cp "$(dirname "$0")/spoken.wav" "$8"
"""


def spoken(folder: Path) -> None:
    folder.mkdir()
    program = folder / "speaks"
    program.write_text(SPEAKS)
    program.chmod(0o755)
    with wave.open(str(folder / "spoken.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22050)
        file.writeframes(np.full(500, 9000, "<i2").tobytes())


def names_spoken(folder: Path, tell: Tell) -> None:
    made = make_names(folder / "voice", "en", ["Ann"], str(folder / "speaks"))
    tell(str(made.clips))


def clips_are_whole(folder: Path, told: list[str], power: bool) -> None:
    home = folder / "voice" / "en"
    before = {path.name: path.read_bytes() for path in home.glob("*.wav")}
    assert not told or len(before) == int(told[0])
    (folder / "speaks").chmod(0o755)
    made = make_names(folder / "voice", "en", ["Ann"], str(folder / "speaks"))
    assert made.new == made.clips - len(before)
    after = {path.name: path.read_bytes() for path in home.iterdir()}
    assert len(after) == made.clips
    for path in home.iterdir():
        with wave.open(str(path), "rb") as file:
            assert file.getnframes() > 500
            assert len(file.readframes(file.getnframes())) == 2 * file.getnframes()
    assert before.items() <= after.items()


LONG_GAME = msgspec.structs.replace(a_game.SETUP, deck="full", hands=4)
"""More actions than are ever kept here."""


def no_games(folder: Path) -> None:
    """Nothing yet."""


def games_played_on(folder: Path, tell: Tell, records: int = 6) -> None:
    """Begin a game on the link, or go on with it; `tell` how many of its actions are kept, each time."""
    opening._PAGES_OF_LOG = PAGES_OF_LOG  # type: ignore[misc]
    with GameBook.open(folder) as ours:
        going = ours.going_on()
        if going is None:
            ours.begin(a_game.began(LONG_GAME))
        there = 0 if going is None else len(going.actions)
        tell(str(there))
        for number, record in enumerate(a_game.played(LONG_GAME)[there : there + records], start=there + 1):
            ours.append(1, record)
            tell(str(number))


def game_goes_on(folder: Path, told: list[str], power: bool) -> None:
    """All actions that were told are there, at most one more, with the seats; and the next can be kept."""
    least = int(told[-1]) if told else 0
    with GameBook.open(folder) as ours:
        assert not ours.mended
        assert all(CUT_OFF in warning for warning in ours.warnings)
        going = ours.going_on()
        if going is None:
            assert not told
            assert ours.begin(a_game.began(LONG_GAME)) == 1
        kept_now = ours.game(1)
        there = len(kept_now.actions)
        assert there in (least, least + 1)
        assert kept_now.states == a_game.states(LONG_GAME)[: there + 1]
        assert tuple(kept_now.seats.values()) == a_game.SEATS
        ours.append(1, a_game.played(LONG_GAME)[there])
    with GameBookReader.open(folder) as reader:
        assert reader.warnings == []
        assert len(reader.game(1).actions) == there + 1


WRITINGS: dict[str, Writing] = {
    "a journal that is begun": Writing(new_journal, played_on, goes_on),
    "a journal whose log is written back": Writing(kept_before, played_on, goes_on),
    "a journal of a program that was killed": Writing(left_by_a_kill, played_on, goes_on),
    "a journal that is mended": Writing(damaged, two_more, mended),
    "a journal whose log is mended": Writing(damaged_log, two_more, log_mended),
    "a journal that is migrated": Writing(older, two_more, migrated),
    "a game on the link": Writing(no_games, games_played_on, game_goes_on),
    "a review's pictures": Writing(two_reviews, reviewed, pictures_are_whole),
    "a calibration": Writing(calibrated, recalibrated, one_of_two_calibrations),
    "a calibration, without links": Writing(calibrated, without_links, one_of_two_calibrations),
    "a configuration": Writing(configured, reconfigured, one_of_two_configurations),
    "a player's name, spoken": Writing(spoken, names_spoken, clips_are_whole),
}
every_writing = pytest.mark.parametrize("what", WRITINGS)


@pytest.fixture(autouse=True)
def _second_version(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is migrated: a made-up version 2, since there is none yet."""
    if "migrated" in what:
        monkeypatch.setitem(schema.MIGRATIONS, 1, migrating)
        monkeypatch.setattr(schema, "SCHEMA", 2)


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: what a disk does is worked out here, and thousands of times a
    real one would have to."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(dir=memory, prefix="setmatch-") as folder:
        yield Path(folder)


def ran(writing: Writing, folder: Path, **how: Any) -> Any:
    """The program that writes in `folder / "state"`, watched."""
    return watched(lambda tell: writing.write(folder / "state", tell), folder, **how)


@needs_watching
@every_writing
def test_killed_before_each_step(what: str, scratch: Path) -> None:
    writing = WRITINGS[what]
    before = scratch / "before"
    before.mkdir()
    told = writing.prepare(before / "state") or []
    step = 0
    while True:
        folder = shutil.copytree(before, scratch / str(step))
        done = ran(writing, folder, kill_before=step)
        assert done.code in (0, -9), f"before step {step} it failed"
        writing.check(folder / "state", told + done.told, False)
        shutil.rmtree(folder)
        if done.code == 0:
            break
        step += 1
    assert step >= 5


@needs_watching
@every_writing
def test_what_was_left_half_done_does_not_pile_up(what: str, scratch: Path) -> None:
    writing = WRITINGS[what]
    told = writing.prepare(scratch / "state") or []
    for _ in range(2):
        for step in range(12):
            told += ran(writing, scratch, kill_before=3 * step).told
    writing.check(scratch / "state", told, False)


@needs_watching
@every_writing
def test_the_power_goes_at_each_step(what: str, scratch: Path) -> None:
    writing = WRITINGS[what]
    before = scratch / "before"
    before.mkdir()
    before_it = writing.prepare(before / "state") or []
    folder = shutil.copytree(before, scratch / "whole")
    start = Disk(folder)
    done = ran(writing, folder)
    assert done.code == 0
    for step, (disk, told) in enumerate(cuts(start, done.events)):
        lucks: list[Luck | random.Random] = [*EXTREMES, random.Random(step)]
        for number, luck in enumerate(lucks):
            left = scratch / f"{step}-{number}"
            disk.left(left, luck)
            writing.check(left / "state", before_it + told, True)
            shutil.rmtree(left)
