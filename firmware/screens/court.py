"""The court seen from above as a small 1-bit picture, with the ball where the umpire sees it.

For the terminal, where no real board lies beside the panels. Drawing only.
"""

from PIL import Image, ImageDraw

from calibration.edition import Edition
from firmware.screens.shapes import DARK, LIT, draw_disc, draw_ring

Point = tuple[float, float]

HEIGHT_PX = 64
"""As high as the panels, so that they stand in one row."""


class CourtPicture:
    """The lines of an edition, drawn once; `with_ball` adds what changes."""

    def __init__(self, edition: Edition) -> None:
        (self._x0, x1), (y0, self._y1) = edition.extent_x_mm, edition.extent_y_mm
        self._px_per_mm = (HEIGHT_PX - 1) / (self._y1 - y0)
        # An even number of columns fills whole characters of the terminal.
        width = 2 * round((x1 - self._x0) * self._px_per_mm / 2)
        self._lines = Image.new("1", (width, HEIGHT_PX))
        draw = ImageDraw.Draw(self._lines)
        for line in edition.printed_lines:
            # Fine lines would fill a picture this small.
            if line.kind in ("court", "net"):
                points = [self._at((float(x), float(y))) for x, y in line.points_mm]
                draw.line(points, fill=LIT)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._lines.size

    def with_ball(self, ball_mm: Point | None, lying: bool) -> Image.Image:
        """The court and the ball at `ball_mm` (board axes, mm): full while it lies, else a ring."""
        image = self._lines.copy()
        if ball_mm is None:
            return image
        x, y = self._at(ball_mm)
        # A dark rim parts the ball from lines that it touches.
        draw_disc(image, x, y, 4, DARK)
        if lying:
            draw_disc(image, x, y, 3)
        else:
            draw_ring(image, x, y, 3)
        return image

    def _at(self, point_mm: Point) -> tuple[int, int]:
        width, height = self._lines.size
        x = round((point_mm[0] - self._x0) * self._px_per_mm)
        y = round((self._y1 - point_mm[1]) * self._px_per_mm)
        return (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
