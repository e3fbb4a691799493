"""A long evening at a table where anything may happen next: strokes, hands, presses, faults, power cuts.

Random, and the same each time. Whatever a panel is told to show has to be on disk (`CheckedPanels`); here,
too, a match that is cut off at any time goes on as it was shown, and the daemon never raises.
"""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import msgspec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from firmware.daemon.frames import CameraNews
from firmware.daemon.parts import BoardDrawing
from firmware.journal import JournalReader, resume
from firmware.match import BOTH_SIDES
from firmware.rules import Side
from firmware.screens.scoreboard import Scoreboard
from firmware.umpire.observations import (
    BumpSeen,
    NoticeCode,
    NoticeSeen,
    Observation,
    PlacementSeen,
    RestSeen,
)
from firmware.umpire.rest import Point, Position
from hardware.button import BUTTONS, Button, Kind
from tests.faults.bench import CLASSIC, RETURNED, SERVE_FROM, SERVED
from tests.faults.test_menu_at_the_table import Table
from tests.firmware.places import Place
from tests.firmware.test_match import rest

LAID: tuple[Point, ...] = (SERVE_FROM, SERVED, RETURNED, (235.0, -40.0), (-60.0, 0.0), (300.0, 0.0))
ENDS: tuple[Point | None, ...] = (SERVED, RETURNED, (112.0, 68.0), (-112.0, -68.0), (150.0, -54.0), None)
NOTICES: tuple[NoticeCode, ...] = (
    "too-dark",
    "covered",
    "out-of-focus",
    "sight-back",
    "board-moved",
    "board-found",
    "ball-lost",
)
Happening = tuple[str, tuple[object, ...]]
"""A method of `Evening`, and what it is called with."""
Values = st.SearchStrategy[Any]
KINDS: tuple[Kind, ...] = ("confirm", "challenge")
HOUR = timedelta(hours=1)
ANSWERS: dict[str, Position | Exception | Literal["not-found"]] = {
    "in": Place((-230.4, 20.0), (-230.4, 20.0)),
    "out": Place((-240.0, 20.0), (-240.0, 20.0)),
    "not-found": "not-found",
    "bug": ZeroDivisionError("division by zero"),
}


class Evening:
    """A bench at which things happen; each method is something that may."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.sticking: set[Button] = set()
        self.bench = Table(folder)

    def plays(self, ends: Sequence[Point | None]) -> None:
        for to_mm in ends:
            self.bench.play(to_mm)

    def lies_elsewhere(self, at_mm: Point, how: str) -> None:
        lies = rest(at_mm, placed=how != "not measured")
        seen: dict[str, Observation] = {
            "laid": PlacementSeen(0.0, 1, None, lies),
            "knocked": BumpSeen(0.0, 1, lies, lies),
        }
        self.bench.see(seen.get(how, RestSeen(0.0, 2, lies)))

    def umpire_tells(self, code: NoticeCode) -> None:
        self.bench.see(NoticeSeen(0.0, code))

    def presses(self, button: Button, for_s: float, times: int) -> None:
        for n in range(times):
            if button not in self.sticking:
                self.bench.press(button.side, button.kind, for_s, then_s=0.1 if n + 1 < times else 0.9)

    def both_hold(self, kind: Kind, steps: int) -> None:
        """And step through what is to be chosen, if at all, and agree."""
        for side in BOTH_SIDES:
            if (button := Button(side, kind)) not in self.sticking:
                self.bench.buttons.press(button, self.bench.clock.now + 0.01, 2.4)
        self.bench.turn(2.6)
        for _ in range(steps):
            self.presses(Button("A", "challenge"), 0.1, 1)
        if steps:
            for side in BOTH_SIDES:
                self.presses(Button(side, "confirm"), 0.1, 1)

    def menu(self, walk: Sequence[Kind], for_s: float) -> None:
        """Opened, and walked, by somebody who does not read."""
        self.both_hold("confirm", 0)
        for kind in walk:
            self.presses(Button("B", kind), for_s, 1)

    def reviews(self, side: Side, answer: str, then: Kind) -> None:
        self.bench.answer = ANSWERS[answer]
        self.presses(Button(side, "challenge"), 0.1, 1)
        while self.bench.work:
            self.bench.work.pop(0)()
        self.bench.turn()
        self.presses(Button("B" if side == "A" else "A", then), 0.1, 1)

    def sticks(self, button: Button) -> None:
        """Or comes loose again."""
        if button in self.sticking:
            self.sticking.discard(button)
            self.bench.buttons.let_go(button)
        else:
            self.sticking.add(button)
            self.bench.buttons.press(button, self.bench.clock.now, float("inf"))

    def pins(self, button: Button, well: bool) -> None:
        (self.bench.buttons.mend if well else self.bench.buttons.lose)(button)

    def disk_is_full(self, times: int) -> None:
        self.bench.journal.full = times

    def camera(self, kind: Literal["gone", "frozen", "back"]) -> None:
        self.bench.frames.told.append(CameraNews(kind, "unplugged; plug it in"))

    def panel(self, role: str, what: str) -> None:
        panel = self.bench.panels.game if role == "game" else self.bench.panels.in_rally
        if what == "fails":
            panel.fail_every(20)
        elif what == "unplugged":
            panel.unplug()
        else:
            panel.plug_in()

    def speaker(self, plugged: bool) -> None:
        (self.bench.speaker.plug_in if plugged else self.bench.speaker.unplug)()

    def clock_is_set(self, by: timedelta) -> None:
        self.bench.clock.set_by += by

    def sleeps(self) -> None:
        """The whole computer, for an hour."""
        self.bench.clock.now += HOUR.total_seconds()

    def passes(self, seconds: float) -> None:
        self.bench.turn(seconds)

    def power_goes(self) -> None:
        before = self.bench
        with JournalReader.open(self._folder) as reader:
            kept_before = bool(reader.matches(1))
        before.drop()
        self.sticking.clear()
        self.bench = Table(self._folder)
        if kept_before and shows_score(before) and not before.daemon.over:
            assert without_notice(self.bench.board) == without_notice(before.board)

    def ends_in_order(self) -> None:
        """As people may want it who walk the menu; somebody switches it on again."""
        self.bench.journal.full = 0
        self.bench.daemon.close()
        self.sticking.clear()
        self.bench = Table(self._folder)

    def check(self) -> None:
        """What is kept is what is shown, and but for what waits for room on the disk, all there is."""
        bench = self.bench
        with JournalReader.open(self._folder) as reader:
            assert reader.warnings == []
            last = reader.matches(1)
            if not last:
                assert bench.daemon.paused
                return
            kept = resume(CLASSIC, reader.records(last[0].id))
        if shows_score(bench):
            assert bench.board == kept.scoreboard(bench.board.notice)
        if not bench.daemon.paused:
            assert bench.daemon.chair.match.state == kept.state

    def ends(self) -> None:
        """However it went: the next stroke counts once all is well again, and it can be ended."""
        bench = self.bench
        bench.journal.full = 0
        self.camera("back")
        bench.turn(5.0)
        assert not bench.daemon.paused
        bench.daemon.close()
        with JournalReader.open(self._folder) as reader:
            assert all(match.fault is None for match in reader.matches())


def without_notice(board: Scoreboard) -> Scoreboard:
    return msgspec.structs.replace(board, notice=None)


def shows_score(bench: Table) -> bool:
    """And no menu."""
    return isinstance(bench.panels.pictures["in-rally"], BoardDrawing)


def happening(
    name: str, *args: st.SearchStrategy[object]
) -> st.SearchStrategy[tuple[str, tuple[object, ...]]]:
    """A call of a method of `Evening`."""
    return st.tuples(st.just(name), st.tuples(*args))


def one_of(*values: object) -> Values:
    return st.sampled_from(values)


button, side, kind = one_of(*BUTTONS), one_of(*BOTH_SIDES), one_of(*KINDS)
play = happening("plays", st.lists(st.sampled_from(ENDS), min_size=1, max_size=5))
people = st.one_of(
    happening("lies_elsewhere", one_of(*LAID), one_of("laid", "knocked", "found", "not measured")),
    happening("presses", button, one_of(0.04, 0.3, 2.3), st.integers(1, 3)),
    happening("both_hold", kind, st.integers(0, 6)),
    happening("menu", st.lists(st.sampled_from(KINDS), max_size=12), one_of(0.1, 2.3)),
    happening("reviews", side, one_of(*ANSWERS), kind),
    happening("passes", one_of(0.12, 3.0, 35.0)),
)
fault = st.one_of(
    happening("umpire_tells", one_of(*NOTICES)),
    happening("sticks", button),
    happening("pins", button, st.booleans()),
    happening("disk_is_full", one_of(0, 1, 3, 1_000_000)),
    happening("disk_is_full", one_of(0)),
    happening("camera", one_of("gone", "frozen", "back")),
    happening("panel", one_of("game", "in-rally"), one_of("fails", "unplugged", "plugged")),
    happening("speaker", st.booleans()),
    happening("clock_is_set", one_of(HOUR, -HOUR)),
    happening("sleeps"),
    happening("power_goes"),
)


@settings(max_examples=20, deadline=None, derandomize=True, phases=[Phase.generate])
@given(st.lists(st.one_of(play, people, people, fault), min_size=60, max_size=60))
def test_whatever_happens_what_is_shown_is_kept(evening: list[Happening]) -> None:
    with TemporaryDirectory() as folder:
        table = Evening(Path(folder))
        for name, args in evening:
            getattr(table, name)(*args)
            table.bench.turn()
            if table.bench.daemon.shut_down:
                table.ends_in_order()
            table.check()
        table.ends()
