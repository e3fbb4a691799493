"""The annotated video: court, ball, its path, the last call and both panels drawn over each frame."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.overlay import draw_court
from calibration.profile import Calibration
from firmware.commands.outputs import replacing
from firmware.errors import InputError
from firmware.screens.panels import game_panel, in_rally_panel
from firmware.terminal import call_line
from hardware.camera import Camera, Frame

if TYPE_CHECKING:
    from firmware.match import Match
    from firmware.umpire.umpire import Umpire

_PATH_FRAMES = 45
_PANEL_SCALE = 2
_CALL_SECONDS = 4.0


@contextmanager
def annotating(path: Path, camera: Camera, edition: Edition) -> "Iterator[Annotator]":
    """An annotator of `camera`'s frames, whose video is at `path` once the body has ended well."""
    with replacing(path) as new:
        codec = cv2.VideoWriter.fourcc(*"mp4v")
        writer = cv2.VideoWriter(str(new), codec, camera.fps, camera.size)
        if not writer.isOpened():
            raise InputError(f"{path} cannot be written as a video; name a .mp4 in a folder that exists")
        try:
            yield Annotator(writer, edition)
        finally:
            writer.release()


class Annotator:
    """Writes the frames it is given, drawn over, to a video."""

    def __init__(self, writer: cv2.VideoWriter, edition: Edition) -> None:
        self._edition = edition
        self._writer = writer
        self._path: list[tuple[float, float]] = []
        self._call, self._call_until = "", -1.0
        self._drawn_for: Calibration | None = None
        self._court: NDArray[np.uint8] | None = None
        self._uncovered: NDArray[np.uint8] | None = None

    def add(self, frame: Frame, umpire: "Umpire", match: "Match", lines: list[dict[str, Any]]) -> None:
        """Write one frame with what was known after it."""
        canvas = self._with_court(frame.image, umpire)
        self._draw_balls(canvas, umpire)
        for line in lines:
            text = call_line(line) if line["kind"] == "stroke" else line.get("text")
            if text:
                self._call, self._call_until = text, frame.captured_at + _CALL_SECONDS
        if frame.captured_at < self._call_until:
            _caption(canvas, self._call)
        self._draw_panels(canvas, match)
        self._writer.write(canvas)

    def _with_court(self, image: NDArray[np.uint8], umpire: "Umpire") -> NDArray[np.uint8]:
        """The frame with the court's lines, drawn anew only when the calibration has changed."""
        calibration = umpire.calibration
        assert isinstance(calibration, Calibration)
        if calibration is not self._drawn_for or self._court is None or self._uncovered is None:
            self._court = draw_court(np.zeros_like(image), calibration, self._edition)
            # Every colour that is drawn has a channel at 255, so on black the largest channel is how
            # much of a pixel is covered: white lines, too, must take the colour that is laid on them.
            self._uncovered = 255 - self._court.max(axis=2, keepdims=True).repeat(3, 2)
            self._drawn_for = calibration
        dimmed = cv2.multiply(image, self._uncovered, scale=1 / 255)
        return np.asarray(cv2.add(dimmed, self._court), dtype=np.uint8)

    def _draw_balls(self, canvas: NDArray[np.uint8], umpire: "Umpire") -> None:
        balls = umpire.balls
        for (x, y), lying in balls:
            colour = (0, 255, 0) if lying else (0, 128, 255)
            radius = round(
                umpire.calibration.model.focal_px
                * self._edition.ball.diameter_mm
                / 2
                / umpire.calibration.model.translation_mm[2]
            )
            cv2.circle(canvas, (round(x), round(y)), radius + 3, colour, 2, cv2.LINE_AA)
        if balls:
            self._path = [*self._path, balls[0][0]][-_PATH_FRAMES:]
        if len(self._path) > 1:
            cv2.polylines(
                canvas, [np.array(self._path).round().astype(np.int32)], False, (0, 255, 255), 1, cv2.LINE_AA
            )

    def _draw_panels(self, canvas: NDArray[np.uint8], match: "Match") -> None:
        board = match.scoreboard()
        height, width = canvas.shape[:2]
        for panel, left in ((in_rally_panel(board), True), (game_panel(board), False)):
            lit = np.asarray(panel.convert("L"), dtype=np.uint8).repeat(_PANEL_SCALE, 0)
            lit = lit.repeat(_PANEL_SCALE, 1)
            if lit.shape[0] > height or 2 * lit.shape[1] > width:
                return
            x = 0 if left else width - lit.shape[1]
            canvas[height - lit.shape[0] :, x : x + lit.shape[1]] = lit[:, :, None]


def _caption(canvas: NDArray[np.uint8], text: str) -> None:
    size = canvas.shape[1] / 1800
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    canvas[: height + 16, : width + 16] //= 3
    cv2.putText(
        canvas, text, (8, height + 8), cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 1, cv2.LINE_AA
    )
