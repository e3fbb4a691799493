"""The simulated camera: the camera port over a simulated table. Each frame lets time pass on the
table."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from calibration.edition import load_edition
from hardware.camera import Frame
from hardware.simulated.band import starting_pawns
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import Scene, default_scene
from hardware.simulated.table import SimulatedTable

_MOMENTS = 9  # instants looked at within one exposure


class SimulatedCamera:
    """A camera over `table`. `captured_at` is the table's clock when the exposure starts.

    `read` renders the frame of the present and then lets 1 / `fps` seconds pass; `frame_count`
    frames, or for ever. `before_frame` is called before each frame: the place to ask the table
    for more.
    """

    def __init__(
        self,
        table: SimulatedTable,
        *,
        fps: float = 30.0,
        frame_count: int | None = None,
        seed: int = 0,
        before_frame: Callable[[SimulatedTable], None] | None = None,
    ) -> None:
        if not 1.0 <= fps <= 240.0:
            raise ValueError(f"a simulated camera makes 1 to 240 frames a second, not {fps:g}")
        self.table = table
        self._fps, self._count = fps, frame_count
        self._renderer = Renderer(table.scene, seed)
        self._before_frame = before_frame
        self._number = 0
        self._closed = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.table.scene.size

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self._fps

    @property
    def frame_count(self) -> int | None:
        """How many frames there will be; None if it goes on."""
        return self._count

    def read(self) -> Frame | None:
        """The next frame, or None when the last one was read or the camera is closed."""
        if self._closed or (self._count is not None and self._number >= self._count):
            return None
        if self._before_frame is not None:
            self._before_frame(self.table)
        now, number = self.table.now, self._number
        open_s = min(self.table.scene.sensor.exposure_s, 1.0 / self._fps)
        moments = [self.table.at(float(t)) for t in now + np.linspace(0.0, open_s, _MOMENTS)]
        image = self._renderer.expose(moments, number)
        self._number += 1
        self.table.step(1.0 / self._fps)
        return Frame(image, now, number)

    def close(self) -> None:
        """No more frames."""
        self._closed = True


def simulated_scene(scene: Scene | None = None) -> Scene:
    """What `simulated` stands for: the classic board and its pawns (or `scene`, with pawns)."""
    base = scene if scene is not None else default_scene()
    return base if base.pawns else replace(base, pawns=starting_pawns(base.edition))


def simulated_camera(board: str = "classic", *, seed: int = 0) -> SimulatedCamera:
    """The camera called `simulated`: the board of that name or file, a ball behind A's baseline,
    nobody there. `EditionError` for a board that cannot be read."""
    scene = simulated_scene(default_scene(load_edition(board)))
    return SimulatedCamera(SimulatedTable(scene, seed), seed=seed)
