"""A daemon on twins, with an umpire that sees what the test says, and panels that check the journal.

Time is the test's. Whatever a panel is to show has to be on disk by then: that is checked at each showing.
"""

import errno
import os
import wave
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from calibration.edition import load_edition
from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import CameraNews
from firmware.daemon.menuing import Settings
from firmware.daemon.parts import BoardDrawing, Drawing, Found, Rig, Sight, Terms
from firmware.daemon.resuming import Start
from firmware.errors import InputError
from firmware.journal import Journal, JournalError, JournalReader, Later, MatchBegan, Summary, resume
from firmware.keeping.errors import telling
from firmware.match import Match
from firmware.panel_bus import PanelBus, PanelCare, PanelNews, Picture, Placed
from firmware.report import Line
from firmware.rules import PlacementAwaited, ReturnAwaited, Setup, Side, choose
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import Texts, Trouble, Unkept, load, match_unkept
from firmware.umpire.field import Calibrated
from firmware.umpire.kept_frames import Cutout
from firmware.umpire.observations import NoticeSeen, Observation
from firmware.umpire.rest import Point, Position, Rest
from hardware.button import Button, Kind
from hardware.camera import Frame
from hardware.panel import I2cBus, PanelSpec
from hardware.simulated.buttons import SimulatedButtons
from hardware.simulated.panel import SimulatedPanel
from hardware.simulated.speaker import SimulatedSpeaker
from tests.firmware.test_match import rest, stroke

CLASSIC = load_edition("classic", require_zones=True)
ENGLISH = load("en")
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
SERVE_FROM: Point = (-235.0, -34.0)
SERVED: Point = (70.0, 54.0)
"""A first serve of A's worth 1."""
RETURNED: Point = (-230.0, 20.0)
"""A return of B's worth 2, 1 mm inside the baseline."""
ANYWHERE = Setup(chosen=choose("confirmed", {"free_serve_position": True}))
WAITS = {match_unkept(why, ENGLISH) for why in get_args(Unkept)}
"""What is told while nothing can be kept, or it is not known how a match goes on."""
TURN_S = 0.12
"""A little more than a panel needs from picture to picture."""
PICTURE = np.zeros((2, 2, 3), np.uint8)


class Clock:
    """Seconds, and the time of day, which may be set otherwise."""

    def __init__(self) -> None:
        self.now = 100.0
        self.set_by = timedelta()

    def __call__(self) -> float:
        return self.now

    def wall(self) -> datetime:
        return NOON + timedelta(seconds=self.now) + self.set_by


class ScriptedFrames:
    """Frames, and news of the camera, that the test puts in."""

    def __init__(self) -> None:
        self.waiting: deque[Frame] = deque()
        self.told: list[CameraNews] = []
        self.ended = False
        self.stalled = False
        self.closed = False

    def next(self, timeout_s: float) -> Frame | None:
        return self.waiting.popleft() if self.waiting else None

    def news(self) -> list[CameraNews]:
        told, self.told = self.told, []
        return told

    def close(self, timeout_s: float = 1.0) -> bool:
        self.closed = True
        return True


class ScriptedUmpire:
    """Sees what the test has put in, one lot a frame."""

    def __init__(self) -> None:
        self.lots: deque[list[Observation]] = deque()
        self.calibration: Calibrated = "first"  # type: ignore[assignment]  # only ever handed on
        self.balls: list[tuple[Point, bool]] = []
        """The last that was seen, at its place on the board: nobody asks where in the picture."""
        self.error: Exception | None = None

    def see(self, frame: Frame) -> list[Observation]:
        if self.error is not None:
            raise self.error
        lot = self.lots.popleft()
        for seen in lot:
            if not isinstance(seen, NoticeSeen):
                self.balls = [] if seen.rest is None else [(seen.rest.about_mm, True)]
        return lot

    def finish(self) -> list[Observation]:
        return [seen for lot in self.lots for seen in lot]


class ScriptedKeeping:
    """The cut-outs of rests: as many as the test says."""

    def __init__(self) -> None:
        self.cutouts: tuple[Cutout, ...] = ()
        self.error: InputError | None = None

    def offer(
        self, frame: Frame, balls: Sequence[tuple[Point, bool]], observations: Sequence[Observation]
    ) -> None:
        if self.error is not None:
            raise self.error

    def frames_of(self, at: Rest) -> tuple[Cutout, ...]:
        return self.cutouts


class ScriptedFinder:
    """Finds the board as the test says; the umpire that sees then is the test's."""

    def __init__(self, umpire: ScriptedUmpire, kept: ScriptedKeeping) -> None:
        self.results: deque[Found | Exception] = deque()
        self.asked: list[tuple[NDArray[np.uint8], bool]] = []
        self.sighted: list[Calibrated] = []
        self._umpire, self._kept = umpire, kept

    def find(self, picture: NDArray[np.uint8], *, anew: bool) -> Found:
        self.asked.append((picture, anew))
        result = self.results.popleft()
        if isinstance(result, Exception):
            raise result
        return result

    def sight(self, calibration: Calibrated) -> Sight:
        self.sighted.append(calibration)
        self._umpire.calibration, self._umpire.balls = calibration, []
        return Sight(self._umpire, self._kept, 0.02)


class CheckedPanels:
    """Twin panels, stepped at each showing; what they show is on disk, or the test fails."""

    def __init__(self, clock: Callable[[], float], journal: Path, *, plugged: bool = True) -> None:
        self.game = SimulatedPanel(PanelSpec("ssd1306", I2cBus(1, 0x3C)), plugged=plugged)
        self.in_rally = SimulatedPanel(PanelSpec("ssd1306", I2cBus(1, 0x3D)))
        self._told: list[PanelNews] = []
        placed = [Placed("game", self.game), Placed("in-rally", self.in_rally)]
        self.bus = PanelBus(placed, PanelCare(), self._told.append, clock)
        self.pictures: dict[str, Picture] = {}
        self.boards: list[Scoreboard] = []
        self.stopped = False
        self.unbegun = Match(CLASSIC, ANYWHERE)
        self._journal = journal

    def show(self, role: str, picture: Picture) -> None:
        assert isinstance(picture, Drawing)
        if isinstance(picture, BoardDrawing):
            reads = picture.role == "in-rally" and picture.board.notice is not None
            assert picture.role == role or reads, "only what is to be read stands on the other panels, too"
            self._check(picture.board)
            if role == "in-rally":
                self.boards.append(picture.board)
        self.pictures[role] = picture

    def wake(self) -> None:
        self.bus.wake()

    def works(self, role: str) -> bool:
        return self.bus.works(role)

    def step(self) -> None:
        self.bus.step(self.pictures)

    def news(self) -> list[PanelNews]:
        told = list(self._told)
        self._told.clear()
        return told

    def check_glass(self, *roles: str) -> None:
        """What is seen on the panels of these roles, of both if none is named, is what was to be shown."""
        for role, panel in (("game", self.game), ("in-rally", self.in_rally)):
            if roles and role not in roles:
                continue
            picture = self.pictures[role]
            assert isinstance(picture, Drawing)
            assert panel.is_lit, role
            assert panel.glass.tobytes() == picture(panel.size, panel.mode).tobytes(), role

    def stop(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        self.bus.close()
        self.stopped = True
        return ()

    def _check(self, board: Scoreboard) -> None:
        if board.notice in WAITS and board == self.unbegun.scoreboard(board.notice):
            return  # nothing is claimed of a match
        with JournalReader.open(self._journal) as reader:
            last = reader.matches(1)
            if not last:
                assert board.notice is not None, "a match that is not kept is shown as if it were"
                return
            match = resume(CLASSIC, reader.records(last[0].id))
        assert board == match.scoreboard(board.notice), "this is shown, and not on disk"


class FillingJournal(Journal):
    """A journal whose disk is full as often as the test says, and has room again afterwards; and which cannot
    be read, for what reason the test says, as often as it says."""

    full = 0
    unread: list[JournalError]

    def going_on(self) -> Summary | None:
        if self.unread:
            raise self.unread.pop()
        return super().going_on()

    def begin(self, record: MatchBegan) -> int:
        self._want_room()
        return super().begin(record)

    def append(self, of: int, record: Later) -> None:
        self._want_room()
        super().append(of, record)

    def _want_room(self) -> None:
        if self.full:
            self.full -= 1
            with telling(self._path):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Voiced:
    """A voice with one clip for everything, that notes what it was to say."""

    def __init__(self, clip: Path) -> None:
        self.texts: Texts = ENGLISH
        self.said: list[str] = []
        self._clip = clip
        with wave.open(str(clip), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            file.writeframes(bytes(200))

    def clips(self, said: str) -> tuple[Path, ...]:
        self.said.append(said)
        return (self._clip,)


class Bench:
    """A table whose daemon lives in `folder`. `drop` is a power cut: nothing is closed."""

    def __init__(
        self,
        folder: Path,
        *,
        full: int = 0,
        plugged: bool = True,
        found: bool = True,
        setup: Setup = ANYWHERE,
        tell: Callable[[Line], None] | None = None,
        settings: Settings | None = None,
        start: Start = "go-on",
        unread: Sequence[JournalError] = (),
    ) -> None:
        self.folder = folder
        self.clock = Clock()
        self.frames, self.umpire, self.kept = ScriptedFrames(), ScriptedUmpire(), ScriptedKeeping()
        self.finder = ScriptedFinder(self.umpire, self.kept)
        self.buttons = SimulatedButtons(self.clock)
        self.speaker = SimulatedSpeaker(self.clock)
        self.voice = Voiced(folder / "clip.wav")
        self.lines: list[Line] = []
        self.asked: list[tuple[Sequence[Cutout], Calibrated, Rest]] = []
        self.answer: Position | Trouble | Exception = "not-found"
        self.work: list[Callable[[], None]] = []
        self.journal = FillingJournal.open(folder)
        self.journal.full = full
        self.journal.unread = list(unread)
        self.panels = CheckedPanels(self.clock, folder, plugged=plugged)
        self.panels.unbegun = Match(CLASSIC, setup)
        rig = Rig(
            self.frames,
            Sight(self.umpire, self.kept, 0.02) if found else None,
            self.finder,
            self._measure,
            lambda wanted, frames: (f"stroke-{wanted.number}.png",),
            self.panels,
            self.buttons,
            self.speaker,
            self.voice,
            self.clock,
            self.clock.wall,
        )
        terms = Terms(CLASSIC, "classic", "yellow", setup, ENGLISH, "en")
        if settings is not None:
            config = settings.config
            terms = replace(terms, texts=config.texts(), language=config.match.language)
        tell = tell or self.lines.append
        launch = self.work.append
        parts = (rig, terms, self.journal)
        self.daemon = Daemon(*parts, tell=tell, launch=launch, settings=settings, start=start)

    def _measure(self, frames: Sequence[Cutout], by: Calibrated, at: Rest) -> Position | Trouble:
        self.asked.append((frames, by, at))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def turn(self, seconds: float = TURN_S) -> None:
        """So much time passes, with a turn at least every `TURN_S`."""
        until = self.clock.now + seconds
        while self.clock.now < until - 1e-9:
            self.clock.now = min(self.clock.now + TURN_S, until)
            self.daemon.turn(0.0)
            self.panels.step()

    def see(self, *seen: Observation) -> None:
        """A frame in which the umpire sees this, and a turn."""
        self.umpire.lots.append([replace(each, at=self.clock.now) for each in seen])
        self.frames.waiting.append(Frame(PICTURE, self.clock.now, 0))
        self.turn()

    def play(self, to_mm: Point | None) -> None:
        """A stroke from where the ball has to lie, or from a place to serve; None: off the board."""
        match self.daemon.chair.match.state.waiting:
            case ReturnAwaited(from_mm=lies) | PlacementAwaited(at_mm=lies):
                pass
            case _:
                lies = None
        self.see(stroke(rest(lies or SERVE_FROM), None if to_mm is None else rest(to_mm)))

    def take_ball(self) -> None:
        """Somebody takes the ball in hand; nothing is reported of that."""
        self.umpire.balls = [(at_mm, False) for at_mm, _ in self.umpire.balls]

    def press(self, side: Side, kind: Kind, for_s: float = 0.1, then_s: float = 0.9) -> None:
        """A finger presses, and time passes until it counts."""
        self.buttons.press(Button(side, kind), self.clock.now + 0.01, for_s, bounces=5)
        self.turn(for_s + then_s)

    def drop(self) -> None:
        """The power goes: only what the disk has is left, and the lock goes with the process."""
        self.journal._lock.release()

    @property
    def board(self) -> Scoreboard:
        """What is shown."""
        return self.panels.boards[-1]

    def notice(self) -> str | None:
        """What people are told now. No property: mypy takes those for constant."""
        return self.board.notice

    @property
    def strokes(self) -> int:
        """How many strokes are on disk, as anybody reads it."""
        with JournalReader.open(self.folder) as reader:
            return reader.matches(1)[0].strokes

    def glass(self) -> Image.Image:
        """What is seen on the in-rally panel."""
        return self.panels.in_rally.glass

    def troubles(self, part: str) -> list[str]:
        """What was logged of a part's troubles."""
        return [line["text"] for line in self.lines if line["kind"] == "trouble" and line["part"] == part]
