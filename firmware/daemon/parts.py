"""What the daemon drives and what it begins a match with: the ports of its parts, and its drawings.

Protocols and values only; which parts they are, `rigs` says, and what happens to them, `daemon`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from firmware.chair.reviews import ReviewWanted
from firmware.daemon.frames import Frames
from firmware.journal import MatchBegan, TableKind
from firmware.rules import Called, Played, ServeAwaited, Setup
from firmware.screens.menu_page import MenuPage
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import Language, Texts, Trouble, load
from firmware.umpire.field import Calibrated
from firmware.umpire.kept_frames import Cutout
from firmware.umpire.observations import Observation
from firmware.umpire.rest import Point, Position, Rest
from hardware.button import Buttons
from hardware.camera import Frame
from hardware.speaker import Speaker

if TYPE_CHECKING:
    from PIL.Image import Image as Drawn

    from firmware.panel_bus import PanelNews, Picture
    from firmware.screens.wording import ReviewEnd
    from hardware.panel import Mode, Size

Image = NDArray[np.uint8]


class Watcher(Protocol):
    """What is asked of the umpire; `firmware.umpire.umpire.Umpire`."""

    @property
    def calibration(self) -> Calibrated:
        """The one that holds now."""
        ...

    @property
    def balls(self) -> list[tuple[Point, bool]]:
        """The balls it follows: where, px, and whether each lies still."""
        ...

    def see(self, frame: Frame) -> list[Observation]:
        """What became certain with this frame. InputError for a frame of another size."""
        ...

    def finish(self) -> list[Observation]:
        """A recording has ended: what can be said without more frames."""
        ...


class Keeping(Protocol):
    """What is asked of the frames' keeper; `firmware.umpire.kept_frames.KeptFrames`."""

    def offer(
        self, frame: Frame, balls: Sequence[tuple[Point, bool]], observations: Sequence[Observation]
    ) -> None:
        """Take in a frame. InputError if such frames do not fit."""
        ...

    def frames_of(self, rest: Rest) -> tuple[Cutout, ...]:
        """The frames of a rest."""
        ...


class Panels(Protocol):
    """What is asked of the panels; `firmware.panel_driver.PanelDriver`."""

    def show(self, role: str, picture: "Picture") -> None:
        """Have the panels of a role show this; returns at once."""
        ...

    def wake(self) -> None:
        """Somebody is there: what was dimmed for idleness is to be bright."""
        ...

    def works(self, role: str) -> bool:
        """Whether a panel of this role can be read, by what the news were; False where there is none."""
        ...

    def news(self) -> "list[PanelNews]":
        """What is to be told since the last call."""
        ...

    def stop(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        """Make them dark, waiting so long a bus at most; the buses that hang."""
        ...


class Voiced(Protocol):
    """What is asked of the voice; `firmware.voice.Voice`."""

    @property
    def texts(self) -> Texts:
        """What it speaks is made of these."""
        ...

    def clips(self, said: str) -> tuple[Path, ...]:
        """The files that say so."""
        ...


@dataclass(frozen=True, slots=True)
class Sight:
    """What sees the ball where it is known how the board lies in the picture. Both begin with no frame.
    `residual_mm`: how well the lines fit."""

    umpire: Watcher
    kept: Keeping
    residual_mm: float


@dataclass(frozen=True, slots=True)
class Found:
    """Where the board lies. `unsaved`: why that is not kept for the next start; empty if it is, or need not
    be."""

    calibration: Calibrated
    unsaved: str = ""


class Finder(Protocol):
    """What finds the board; `firmware.daemon.finding.BoardFinder`."""

    def find(self, picture: Image, *, anew: bool) -> Found:
        """Where the board lies in a picture, shape (height, width, 3). `anew`: whatever was known of it.

        RefusedError if no board is found; ProfileError if it does not lie where it did, and is now sought
        anew. Called in a thread of its own, once at a time."""
        ...

    def sight(self, calibration: Calibrated) -> Sight:
        """What sees with this calibration."""
        ...


Launch = Callable[[Callable[[], None]], None]
"""Has something done, in another thread."""

Measure = Callable[[Sequence[Cutout], Calibrated, Rest], Position | Trouble]
"""Measures a rest again from its frames, by the calibration that held then. Runs in a thread of its own."""

KeepPictures = Callable[[ReviewWanted, Sequence[Cutout]], tuple[str, ...]]
"""Keeps the pictures of a review on disk; their names. Runs in the thread of `Measure`."""


@dataclass(frozen=True, slots=True)
class Rig:
    """The parts that the daemon drives; it closes them. `sight`: None where the board has to be found first.
    `clock`: seconds that never go back, the one of the buttons' edges; `wall_clock`: UTC."""

    frames: Frames
    sight: Sight | None
    finder: Finder
    measure: Measure
    picture: KeepPictures
    panels: Panels
    buttons: Buttons
    speaker: Speaker
    voice: Voiced
    clock: Callable[[], float]
    wall_clock: Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match is begun with. `ball`, `names`, `side_names`: as `journal.MatchBegan` has them.
    `table`: what it is played on."""

    edition: Edition
    board: str
    ball: str
    setup: Setup
    texts: Texts
    language: Language
    names: tuple[str, ...] = ()
    side_names: tuple[str, ...] = ()
    review_limit: int | None = None
    table: TableKind = "live"

    @property
    def as_played(self) -> bool:
        """Whether it has been played already, in a recording: nobody can put the ball back there."""
        return self.table == "recording"

    def began(self, wall_time: datetime) -> MatchBegan:
        """The first record of a match on these terms."""
        return MatchBegan(
            self.setup,
            self.board,
            self.edition.digest,
            self.ball,
            self.language,
            wall_time,
            self.names,
            self.side_names,
            self.table,
        )

    def as_begun(self, began: MatchBegan) -> "Terms":
        """The terms of a match that goes on: what it is played by and who plays as on record, in the language
        of these terms, since that is changed at once where people change it."""
        return replace(
            self,
            setup=began.setup,
            texts=load(self.language).named(began.called),
            names=began.names,
            side_names=began.side_names,
        )


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """A scoreboard as the panels of a role show it, in the words of `texts`; called in the panels' thread."""

    role: str
    board: Scoreboard
    texts: Texts

    def __call__(self, size: "Size", mode: "Mode") -> "Drawn":
        """The picture. ValueError for a size that is not one of `screens.panels.SIZES`: the panels' driver
        tells."""
        from firmware.screens.panels import game_panel, in_rally_panel

        draw = in_rally_panel if self.role == "in-rally" else game_panel
        return draw(self.board, self.texts, size, mode)


@dataclass(frozen=True, slots=True)
class CloseUpDrawing:
    """The ball over the line that decided, as it was measured again; called in the panels' thread.

    `stroke`: what was reviewed. `called`: what it is called by the second reading, at `place`. `end`: what
    became of the call, which is the title: that of the second reading, unless the first was let stand.
    """

    edition: Edition
    stroke: Played
    called: Called
    place: Position
    end: "ReviewEnd"
    texts: Texts
    doubles: bool

    def __call__(self, size: "Size", mode: "Mode") -> "Drawn":
        """The picture. ValueError for a panel for which there is no layout."""
        from firmware.screens.close_up import close_up
        from firmware.screens.deciding_line import deciding_line
        from firmware.screens.from_rules import shown_call
        from firmware.screens.wording import review_note, review_title

        awaited, call = self.stroke.awaited, self.called.call
        line = deciding_line(
            self.edition,
            self.place,
            call,
            self.called.margin_mm,
            striker=self.stroke.end,
            box=awaited.box if isinstance(awaited, ServeAwaited) else None,
            doubles=self.doubles,
        )
        titled = self.stroke.called if self.end == "let-stand" else self.called
        by_disc = line is not None and line.by == "disc"
        return close_up(
            self.edition,
            self.place,
            line,
            sigma_mm=self.place.disc_sigma_mm if by_disc else self.place.dot_sigma_mm,
            title=review_title(shown_call(titled), self.texts),
            note=review_note(self.end, self.texts, certain=self.called.certain),
            size=size,
            mode=mode,
        )


@dataclass(frozen=True, slots=True)
class LayBackDrawing:
    """The court with the place where the ball has to be laid, mm in board axes (its dot); called in the
    panels' thread. `ends_changed`: A plays at B's end."""

    edition: Edition
    at_mm: Point
    texts: Texts
    ends_changed: bool

    def __call__(self, size: "Size", mode: "Mode") -> "Drawn":
        """The picture. ValueError for a panel for which there is no layout."""
        from firmware.screens.lay_back import lay_back_panel

        return lay_back_panel(
            self.edition, self.at_mm, self.texts, size, mode, ends_changed=self.ends_changed
        )


@dataclass(frozen=True, slots=True)
class MenuDrawing:
    """A page of the menu, which panels of every role show alike; called in the panels' thread."""

    page: MenuPage

    def __call__(self, size: "Size", mode: "Mode") -> "Drawn":
        """The picture. ValueError for a panel for which there is no layout."""
        from firmware.screens.menu import menu_panel

        return menu_panel(self.page, size, mode)


Drawing = BoardDrawing | CloseUpDrawing | LayBackDrawing | MenuDrawing
"""What a panel may show of a match."""
