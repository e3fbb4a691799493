"""A daemon at the rendered table: hands, fingers, and what people there see and hear.

The daemon is given the camera's pictures and the buttons' edges, and nothing else. Who plays hits what is
aimed at; the eye alone may be made to err, as a reading does that was taken from a bad picture.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from firmware.config import Config
from firmware.config.sections import CameraSection
from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import Frames
from firmware.daemon.parts import BoardDrawing, CloseUpDrawing, Drawing, LayBackDrawing, Watcher
from firmware.daemon.rigs import open_rig
from firmware.journal import Acted, Journal, JournalReader, Record, Reviewed, resume
from firmware.live.people import serve_box
from firmware.report import Line
from firmware.rules import Press, end_of, side_of
from firmware.screens.scoreboard import CallName, Scoreboard, Seat
from firmware.umpire.field import Calibrated
from firmware.umpire.observations import Observation, StrokeSeen
from firmware.umpire.rest import Point, Rest
from hardware.button import Button, Kind
from hardware.camera import Frame
from hardware.simulated.players import Players, Situation, Skill
from hardware.simulated.table import Side, StrokeTruth
from tests.faults.bench import CheckedPanels, Voiced

Points = tuple[str, str]
SETTLED_S = 1.5
"""After the ball's rest: the umpire has had its time."""
_GLASS_S = 0.15
"""A panel takes ten pictures a second."""
Beside = Literal["score", "ball over the line", "place"]
_DRAWINGS: dict[Beside, type[Drawing]] = {
    "score": BoardDrawing,
    "ball over the line": CloseUpDrawing,
    "place": LayBackDrawing,
}
_STEADY_HAND = Skill(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shown:
    """What the panels are to show of a match: the last call, whose stroke is awaited, and the score."""

    call: CallName | None
    to_play: Seat | None
    marker: int
    points: Points
    games: tuple[int, int] = (0, 0)

    @classmethod
    def on(cls, board: Scoreboard) -> "Shown":
        """What a scoreboard shows."""
        call = None if board.last is None else board.last.call
        return cls(call, board.to_play, board.marker, board.points, board.games)


class ErringUmpire:
    """An umpire; the rest of the next stroke that it sees is told `off_px` away from where it is."""

    def __init__(self, umpire: Watcher) -> None:
        self._umpire = umpire
        self.off_px: Point | None = None

    @property
    def calibration(self) -> Calibrated:
        return self._umpire.calibration

    @property
    def balls(self) -> list[tuple[Point, bool]]:
        return self._umpire.balls

    def see(self, frame: Frame) -> list[Observation]:
        return [self._misread(seen) for seen in self._umpire.see(frame)]

    def finish(self) -> list[Observation]:
        return self._umpire.finish()

    def _misread(self, seen: Observation) -> Observation:
        if self.off_px is None or not isinstance(seen, StrokeSeen) or seen.rest is None:
            return seen
        off_px, self.off_px = self.off_px, None
        return replace(seen, rest=self._moved(seen.rest, off_px))

    def _moved(self, rest: Rest, by_px: Point) -> Rest:
        dot_px = (rest.dot_px[0] + by_px[0], rest.dot_px[1] + by_px[1])
        disc_px = (rest.disc_px[0] + by_px[0], rest.disc_px[1] + by_px[1])
        position = self.calibration.place(dot_px, disc_px, rest.dot_sigma_px, rest.disc_sigma_px)
        return replace(rest, dot_px=dot_px, disc_px=disc_px, position=position)


class RenderedTable:
    """A simulated rig with its daemon, whose state is kept in `folder`. `drop` is a power cut."""

    def __init__(self, folder: Path, *, seed: int = 3, config: Config | None = None) -> None:
        self.folder = folder
        self.lines: list[Line] = []
        opened = open_rig(config or Config(camera=CameraSection(source="simulated")), folder, seed=seed)
        assert opened.simulated is not None
        opened.rig.panels.stop()  # a thread's time is not the table's
        self.parts, self.terms = opened.simulated, opened.terms
        self.table, self.buttons = self.parts.table, self.parts.buttons
        self.players = Players(self.table, seed, {"A": _STEADY_HAND, "B": _STEADY_HAND})
        sight = opened.rig.sight
        assert sight is not None
        self.umpire = ErringUmpire(sight.umpire)
        self.panels = CheckedPanels(opened.rig.clock, folder)
        self.voice = Voiced(folder / "clip.wav")
        self.journal = Journal.open(folder)
        self._checked = _kept_in(folder)
        rig = replace(
            opened.rig,
            frames=self.frames_of(opened.rig.frames),
            sight=replace(sight, umpire=self.umpire),
            panels=self.panels,
            voice=self.voice,
        )
        self.daemon = Daemon(rig, self.terms, self.journal, tell=self.lines.append, launch=_at_once)

    def frames_of(self, frames: Frames) -> Frames:
        """The camera's frames, as the daemon is given them."""
        return frames

    # ------------------------------------------------------------ what people do

    def turns(self, seconds: float) -> None:
        """So much time passes."""
        until = self.table.now + seconds
        while self.table.now < until:
            self.daemon.turn()
            self.panels.step()

    def flick(self, aim_mm: Point) -> StrokeTruth:
        """Whose turn it is plays the ball to `aim_mm` (world); a server lays it right first."""
        waiting, state = self.daemon.chair.match.state.waiting, self.daemon.chair.match.state
        assert waiting is not None
        end = end_of(side_of(waiting.seat), state.standing.ends_changed)
        return self.players.play(Situation(end, serve_box(waiting), state.marker), aim_mm)

    def play(self, aim_mm: Point, off_px: Point | None = None) -> StrokeTruth:
        """The same, until it is called. `off_px`: by so much the rest is misread."""
        self.umpire.off_px = off_px
        truth = self.flick(aim_mm)
        self.turns(truth.rested_at + SETTLED_S - self.table.now)
        return truth

    def carry(self, side: Side, dot_to_mm: Point) -> None:
        """A hand carries the ball and leaves."""
        placed = self.table.carry(side, dot_to_mm)
        self.turns(placed.placed_at + SETTLED_S - self.table.now)

    def press(self, side: Side, kind: Kind, for_s: float = 0.15, *, times: int = 1) -> None:
        """A finger presses, again after 300 ms, and time passes until it counts."""
        for n in range(times):
            self.buttons.press(Button(side, kind), self.table.now + 0.05 + 0.3 * n, for_s, bounces=5)
        self.turns(0.05 + 0.3 * (times - 1) + for_s + 0.8)

    def both_hold(self, kind: Kind, for_s: float = 2.3) -> None:
        """Both sides hold it down."""
        at = self.table.now + 0.05
        self.buttons.press(Button("A", kind), at, for_s)
        self.buttons.press(Button("B", kind), at + 0.1, for_s)
        self.turns(for_s + 0.5)

    def drop(self) -> None:
        """The power goes: nothing is closed, the panels are dark, and the lock goes with the process."""
        for panel in (self.panels.game, self.panels.in_rally):
            panel.unplug()
        self.journal._lock.release()

    # ------------------------------------------------------------ what people see and hear

    @property
    def board(self) -> Scoreboard:
        """What is shown."""
        return self.panels.boards[-1]

    @property
    def records(self) -> tuple[Record, ...]:
        """What is on disk of the only match, as anybody reads it."""
        with JournalReader.open(self.folder) as reader:
            assert reader.warnings == []
            (match,) = reader.matches()
            return reader.records(match.id)

    def check(
        self,
        shown: Shown,
        *,
        notice: str | None = None,
        lit: str = "",
        said: Sequence[str] = (),
        kept: str = "",
        beside: Beside = "score",
    ) -> None:
        """Panels and score are so, and what they show is on disk. `notice`: words of it; None: there is none.
        `lit`: lamps, as "A.confirm B.challenge". `beside`: what the game panel shows. Since the last check,
        `said`: words of each announcement; `kept`: the records, as `kind_of` has them."""
        self.turns(_GLASS_S)
        assert Shown.on(self.board) == shown
        assert isinstance(self.panels.pictures["game"], _DRAWINGS[beside])
        if notice is None:
            assert self.board.notice is None
        else:
            assert notice in (self.board.notice or "")
        assert {f"{button.side}.{button.kind}" for button in self.buttons.lit} == set(lit.split())
        assert len(self.voice.said) == len(said), self.voice.said
        for words, sentence in zip(said, self.voice.said, strict=True):
            assert words in sentence
        self.voice.said.clear()
        records = self.records
        assert [kind_of(each) for each in records[self._checked :]] == kept.split()
        self._checked = len(records)
        self._check_disk()
        self.panels.check_glass()

    def _check_disk(self) -> None:
        kept = resume(self.terms.edition, self.records)
        assert kept.state == self.daemon.chair.match.state
        assert kept.scoreboard(self.board.notice) == self.board


def kind_of(record: Record) -> str:
    """A word for a record: stroke, lay, correct, a press by its meaning, what a review came to."""
    match record:
        case Acted(action=Press(button=button)):
            return button
        case Acted(action=action):
            return str(action.__struct_config__.tag)
        case Reviewed():
            return record.outcome
        case _:
            return str(record.__struct_config__.tag)


def _kept_in(folder: Path) -> int:
    """How many records there are of the match that goes on."""
    with JournalReader.open(folder) as reader:
        return sum(len(reader.records(match.id)) for match in reader.matches())


def _at_once(work: Callable[[], None]) -> None:
    work()
