"""The whole daemon as it is put together for measuring: what the umpire takes, and when panels got their
pictures, is noted.

Nothing is printed here.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from firmware.config import Config
from firmware.config.sections import CameraSection, MatchSection
from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import Frames
from firmware.daemon.measuring import in_a_thread
from firmware.daemon.parts import Keeping, Launch, Watcher
from firmware.daemon.rigs import open_rig
from firmware.journal import Journal
from firmware.panel_bus import Placed
from firmware.panel_driver import PanelDriver
from firmware.report import Line
from firmware.umpire.field import Calibrated
from firmware.umpire.kept_frames import Cutout
from firmware.umpire.observations import Observation
from firmware.umpire.rest import Point, Rest
from hardware.camera import Frame
from hardware.panel import I2cBus, PanelSpec
from hardware.simulated.buttons import SimulatedButtons
from tests.bench.elsewhere import Size
from tests.bench.figures import Times
from tests.bench.glass import NotedPanel

SEED = 5
CONFIG = Config(
    camera=CameraSection(source="simulated"),
    match=MatchSection(options={"free_serve_position": True}),
)


class TimedWatcher:
    """The umpire, with the time that each frame took it."""

    def __init__(self, watcher: Watcher) -> None:
        self.times = Times()
        self._watcher = watcher

    @property
    def calibration(self) -> Calibrated:
        return self._watcher.calibration

    @property
    def balls(self) -> list[tuple[Point, bool]]:
        return self._watcher.balls

    def see(self, frame: Frame) -> list[Observation]:
        start = time.thread_time()
        found = self._watcher.see(frame)
        self.times.add(time.thread_time() - start)
        return found

    def finish(self) -> list[Observation]:
        return self._watcher.finish()


class TimedKeeping:
    """The keeper of frames, with the time that each took it."""

    def __init__(self, keeping: Keeping) -> None:
        self.times = Times()
        self._keeping = keeping

    def offer(
        self, frame: Frame, balls: Sequence[tuple[Point, bool]], observations: Sequence[Observation]
    ) -> None:
        start = time.thread_time()
        self._keeping.offer(frame, balls, observations)
        self.times.add(time.thread_time() - start)

    def frames_of(self, rest: Rest) -> tuple[Cutout, ...]:
        return self._keeping.frames_of(rest)


@dataclass(slots=True)
class Table:
    """A daemon and what belongs to it. `told`: its lines, with the table's time at which they came."""

    daemon: Daemon
    buttons: SimulatedButtons
    panels: dict[str, NotedPanel]
    umpire: TimedWatcher
    keeping: TimedKeeping
    told: list[tuple[float, Line]]

    def forget(self) -> list[Line]:
        """Throw away what was noted; the lines that were told since the last time."""
        self.umpire.times.ms.clear()
        self.keeping.times.ms.clear()
        for panel in self.panels.values():
            panel.written.clear()
        lines = [line for _, line in self.told]
        self.told.clear()
        return lines


def daemon_at(
    folder: Path,
    size: Size,
    frames: Frames,
    clock: Callable[[], float],
    launch: Launch = in_a_thread,
) -> Table:
    """The daemon on the simulated rig, its journal in `folder`, with these frames and this clock. Its
    panels are luma's; call it within `glass.timed_wires`."""
    opened = open_rig(CONFIG, folder, seed=SEED, size=size)
    opened.rig.panels.stop()
    panels = {
        role: NotedPanel(PanelSpec("ssd1306", I2cBus(1, address)), clock)
        for role, address in (("in-rally", 0x3C), ("game", 0x3D))
    }
    driver = PanelDriver([Placed(role, panel) for role, panel in panels.items()], CONFIG.care())
    driver.start()
    sight = opened.rig.sight
    assert sight is not None
    umpire, keeping = TimedWatcher(sight.umpire), TimedKeeping(sight.kept)
    buttons = SimulatedButtons(clock)
    rig = replace(
        opened.rig,
        frames=frames,
        sight=replace(sight, umpire=umpire, kept=keeping),
        panels=driver,
        buttons=buttons,
        clock=clock,
    )
    told: list[tuple[float, Line]] = []
    daemon = Daemon(
        rig,
        opened.terms,
        Journal.open(folder),
        tell=lambda line: told.append((clock(), line)),
        launch=launch,
    )
    return Table(daemon, buttons, panels, umpire, keeping, told)
