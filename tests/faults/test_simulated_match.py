"""A match on the rendered table: the camera's pictures and the buttons are all that the daemon is given."""

from collections.abc import Callable
from pathlib import Path

from firmware.config import Config
from firmware.config.sections import CameraSection, MatchSection
from firmware.daemon import Daemon
from firmware.journal import Journal, JournalReader, Reviewed, resume
from firmware.live import serve_box
from firmware.report import Line
from firmware.rigs import Opened, open_rig
from firmware.rules import end_of, side_of
from hardware.button import Button
from hardware.simulated.players import Players, Situation

CONFIG = Config(
    camera=CameraSection(source="simulated"),
    match=MatchSection(options={"free_serve_position": True}),
)
SETTLED_S = 1.5


class Table:
    """A simulated rig with its daemon, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.lines: list[Line] = []
        self.opened: Opened = open_rig(CONFIG, folder, seed=3)
        assert self.opened.simulated is not None
        self.parts = self.opened.simulated
        self.players = Players(self.parts.table, 3)
        self.journal = Journal.open(folder)
        self.daemon = Daemon(
            self.opened.rig, self.opened.terms, self.journal, tell=self.lines.append, launch=_now
        )

    def play(self) -> None:
        """The awaited stroke, and turns until the umpire has had its time."""
        state = self.daemon.chair.match.state
        waiting = state.waiting
        assert waiting is not None
        end = end_of(side_of(waiting.seat), state.standing.ends_changed)
        truth = self.players.play(Situation(end, serve_box(waiting), state.marker))
        self.turns(truth.rested_at + SETTLED_S)

    def press(self, button: Button, for_s: float, then_s: float = 0.8) -> None:
        now = self.parts.table.now
        self.parts.buttons.press(button, now + 0.05, for_s)
        self.turns(now + for_s + then_s)

    def turns(self, until_s: float) -> None:
        while self.parts.table.now < until_s:
            self.daemon.turn()

    @property
    def strokes(self) -> int:
        return len(self.daemon.chair.match.state.strokes)


def _now(work: Callable[[], None]) -> None:
    work()


def test_strokes_a_review_an_undo_and_a_power_cut(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.play()
    assert table.strokes == 1
    table.press(Button("B", "challenge"), 0.15)
    assert [line["press"] for line in table.lines if line["kind"] == "press"] == ["challenge"]
    with JournalReader.open(tmp_path) as reader:
        reviewed = reader.records(1)[-1]
    assert isinstance(reviewed, Reviewed)
    assert reviewed.outcome == "stands"
    assert [(tmp_path / "reviews" / name).is_file() for name in reviewed.pictures] == [True] * 3
    table.play()
    assert table.strokes == 2
    table.press(Button("A", "confirm"), 2.3)
    assert table.strokes == 1
    state = table.daemon.chair.match.state
    table.journal._lock.release()  # the power goes: nothing is closed
    again = Table(tmp_path)
    assert again.daemon.chair.match.state == state
    with JournalReader.open(tmp_path) as reader:
        assert resume(again.opened.terms.edition, reader.records(1)).state == state
    again.daemon.close()
    table.opened.rig.panels.stop()
