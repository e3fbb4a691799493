"""The panels of a bus: of each role's pictures the latest goes to every panel of that role, whatever fails.

A machine that is told the time and does what is due. No thread, no picture that is drawn and no chip here;
what turns it is `panel_driver`.
"""

import logging
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from PIL import Image

from firmware.errors import InputError
from hardware.errors import PanelError, PictureError
from hardware.panel import Mode, Panel, Size, fitting

Drawing = Callable[[Size, Mode], Image.Image]
"""Draws what is to be seen for a panel of that size and mode; called in the panel's thread."""
Picture = Image.Image | Drawing
"""What a role shows: one image, for panels that are all of its size, or a drawing for any."""

MOST_PER_S = 10
"""Pictures a second and panel. A mono panel's takes 25 ms of its I2C bus, and people read slower."""
REFRESH_S = 10.0
"""So often a panel is set up and written anew though nothing changed: one that lost its power in between
is dark and does not say so, and one that was unplugged is noticed."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 10.0
"""Between attempts to reach a panel: doubled from the first to the longest."""
HANGS_S = 5.0
"""After so long in one step, in seconds, nobody relies on what stands on the panels of a bus: to find that
one does not answer takes about a second."""
_GAP_S = 1.0 / MOST_PER_S
_TELL_AFTER = 2  # failures in a row: a single disturbed write is mended before anyone could tell
_SWING = (0, 1, 2, 1, 0, -1, -2, -1)  # pixels; each step moves by one

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PanelCare:
    """How panels are kept from burning in. `bright`, `dim`: brightness 0 to 255. After `idle_after_s`
    seconds without a change, and without being woken, a panel is dimmed, and its picture wanders by a pixel
    every `shift_every_s` seconds, up to two from its place: the edges of strokes wear evenly with what is
    beside them.
    `InputError` for what cannot be."""

    bright: int = 0xCF
    dim: int = 0x10
    idle_after_s: float = 300.0
    shift_every_s: float = 60.0

    def __post_init__(self) -> None:
        if not 0 <= self.dim <= self.bright <= 255:
            raise InputError(
                f"a panel cannot be {self.bright} bright and {self.dim} when dimmed; both go from 0 to 255, "
                "and dimmed is not above bright"
            )
        if not (self.idle_after_s > 0 and self.shift_every_s > 0):
            raise InputError(
                f"a panel cannot be idle after {self.idle_after_s} s and shift every "
                f"{self.shift_every_s} s; take times above 0"
            )


@dataclass(frozen=True, slots=True)
class Placed:
    """A panel and what it is for: "in-rally", "game", "link"."""

    role: str
    panel: Panel


@dataclass(frozen=True, slots=True)
class PanelNews:
    """What people should hear of a panel, once each time: it is `gone`, it is `back`, or what it was to
    show is `not-drawn`. `reason`: in words; what to do is in it. Empty for `back`."""

    kind: Literal["gone", "back", "not-drawn"]
    role: str
    panel: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PanelStatus:
    """How a panel is. `failures`: attempts and writes that failed since the start."""

    role: str
    panel: str
    is_up: bool
    failures: int


Tell = Callable[[PanelNews], None]
Clock = Callable[[], float]
"""Seconds that never go back: `time.monotonic`, or a test's own."""


class _Keeper:
    """One panel: what it shows, what it should, and when the next thing is due."""

    def __init__(self, placed: Placed, care: PanelCare, tell: Tell, clock: Clock) -> None:
        self.role = placed.role
        self._panel = placed.panel
        self._care = care
        self._tell = tell
        self._clock = clock
        self._drawn_from: Picture | None = None
        self._image: Image.Image | None = None
        self._changed_at: float | None = None
        self._on_glass: bytes | None = None  # None: not known
        self._is_behind = False  # a picture has to wait, for the last one has only just been sent
        self._level: int | None = None
        self._sent_at = -math.inf
        self._refreshed_at = 0.0
        self._is_up = False
        self._retry_at = -math.inf
        self._failed_in_a_row = 0
        self._failures = 0
        self._is_told_gone = False
        self._not_drawn = ""

    @property
    def status(self) -> PanelStatus:
        """How it is now."""
        return PanelStatus(self.role, self._panel.name, self._is_up, self._failures)

    @property
    def works(self) -> bool:
        """Whether people can read it, as far as they were told: it is there, and can draw what it is to."""
        return not (self._is_told_gone or self._not_drawn)

    def wake(self) -> None:
        """Somebody is there: it is to be as after a change."""
        if self._changed_at is not None:
            self._changed_at = self._clock()

    def step(self, picture: Picture | None) -> float:
        """Do what is due; the time at which something is again, unless another picture comes."""
        now = self._clock()
        if not self._is_up and now < self._retry_at:
            return self._retry_at
        try:
            if not self._is_up or now >= self._refresh_at:
                self._open(now)
            self._look(picture, now)
            self._write(now)
        except PanelError as error:
            return self._failed(error)
        except Exception as error:  # a bug in an adapter is no reason to lose the other panels
            logger.exception("panel %s", self._panel.name)
            return self._failed(error)
        return self._next_at(picture, now)

    def darken(self) -> None:
        """Make the panel dark, if it is there."""
        if self._is_up:
            try:
                self._panel.hide()
            except PanelError as error:
                logger.info("%s", error)
            except Exception:  # the other panels are to be made dark all the same
                logger.exception("panel %s", self._panel.name)

    def close(self) -> None:
        """Give the panel back."""
        self._is_up = False
        self._panel.close()

    def _open(self, now: float) -> None:
        self._panel.open()
        self._refreshed_at = now
        self._on_glass = None
        if self._changed_at is None or self._is_told_gone:
            self._changed_at = now  # a panel that comes back is bright: somebody has just plugged it in

    def _look(self, picture: Picture | None, now: float) -> None:
        """Draw, if there is something new to be drawn and it may be shown already."""
        if picture is None or picture is self._drawn_from or now < self._sent_at + _GAP_S:
            return
        self._drawn_from = picture
        try:
            drawn = (
                picture if isinstance(picture, Image.Image) else picture(self._panel.size, self._panel.mode)
            )
            image = fitting(drawn, self._panel)
        except Exception as error:  # a picture that cannot be drawn must not cost the ones after it
            self._tell_not_drawn(error)
            return
        self._not_drawn = ""
        if self._image is None or _pixels(image) != _pixels(self._image):
            self._changed_at = now
        self._image = image

    def _write(self, now: float) -> None:
        """Bring brightness and picture to what they should be."""
        idle_s = self._idle_s(now)
        level = self._care.dim if idle_s >= 0 else self._care.bright
        if level != self._level:
            self._panel.contrast(level)
            self._level = level
        if self._image is not None:
            steps = max(int(idle_s // self._care.shift_every_s), 0)
            image = _shifted(self._image, steps)
            pixels = _pixels(image)
            is_new = pixels != self._on_glass
            self._is_behind = is_new and self._on_glass is not None and now < self._sent_at + _GAP_S
            if is_new and not self._is_behind:
                began_at = self._clock()
                self._panel.show(image)
                self._on_glass, self._sent_at = pixels, began_at
        self._is_up = True
        self._failed_in_a_row = 0
        if self._is_told_gone:
            self._is_told_gone = False
            self._tell(PanelNews("back", self.role, self._panel.name))

    def _failed(self, error: Exception) -> float:
        self._is_up = False
        self._failures += 1
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= _TELL_AFTER and not self._is_told_gone:
            self._is_told_gone = True
            self._tell(PanelNews("gone", self.role, self._panel.name, f"{error}"))
        # Doubling by a power would overflow after a thousand attempts, which is three hours.
        doublings = min(self._failed_in_a_row - 1, 16)
        # From now on: to find that a panel does not answer may have taken a second.
        self._retry_at = self._clock() + min(FIRST_PAUSE_S * 2**doublings, LONGEST_PAUSE_S)
        return self._retry_at

    def _next_at(self, picture: Picture | None, now: float) -> float:
        due = [self._refresh_at]
        if self._is_behind or (picture is not None and picture is not self._drawn_from):
            due.append(self._sent_at + _GAP_S)
        idle_s = self._idle_s(now)
        if idle_s < 0:
            due.append(now - idle_s)
        else:
            due.append(now + self._care.shift_every_s - idle_s % self._care.shift_every_s)
        # Not at this very moment: sums of times that are rounded must not make the thread spin.
        return max(min(due), now + 0.001)

    @property
    def _refresh_at(self) -> float:
        return max(self._refreshed_at + REFRESH_S, self._sent_at + _GAP_S)

    def _idle_s(self, now: float) -> float:
        """How long it is idle, in seconds; below 0 while it is not."""
        changed_at = now if self._changed_at is None else self._changed_at
        return now - changed_at - self._care.idle_after_s

    def _tell_not_drawn(self, error: Exception) -> None:
        reason = str(error) or type(error).__name__
        if reason == self._not_drawn:
            return
        self._not_drawn = reason
        if not isinstance(error, PictureError):
            logger.error("picture for the panel %s", self._panel.name, exc_info=error)
        self._tell(PanelNews("not-drawn", self.role, self._panel.name, reason))


class PanelBus:
    """The panels of one bus, which are used one after the other. No thread and no clock but `clock`.

    `tell` hears of each panel once when it is gone and once when it is back.
    """

    def __init__(self, panels: Iterable[Placed], care: PanelCare, tell: Tell, clock: Clock) -> None:
        self._keepers = [_Keeper(placed, care, tell, clock) for placed in panels]
        self._clock = clock
        self._woken = False
        self._stepped_at: float | None = None  # when the step began that is being done

    def wake(self) -> None:
        """With the next step have every panel be bright, and its picture in its place, as after a change. May
        be called from any thread."""
        self._woken = True

    def works(self, role: str) -> bool:
        """Whether a panel of this role is there of which nothing else was told, on a bus that does not hang;
        one that has not been looked for yet is taken to be. May be called from any thread."""
        stepped_at = self._stepped_at
        if stepped_at is not None and self._clock() > stepped_at + HANGS_S:
            return False
        return any(keeper.works for keeper in self._keepers if keeper.role == role)

    def step(self, pictures: Mapping[str, Picture]) -> float:
        """Do what is due with the latest picture of each role; the clock's time at which something is
        again, unless another picture comes."""
        if self._woken:
            self._woken = False
            for keeper in self._keepers:
                keeper.wake()
        self._stepped_at = self._clock()
        due = [keeper.step(pictures.get(keeper.role)) for keeper in self._keepers]
        self._stepped_at = None
        return min(due, default=math.inf)

    def close(self) -> None:
        """Make the panels dark and give them back."""
        for keeper in self._keepers:
            keeper.darken()
        # Only now: panels on SPI may share a pin, which goes with the first that is given back.
        for keeper in self._keepers:
            keeper.close()

    @property
    def status(self) -> tuple[PanelStatus, ...]:
        """How each panel is."""
        return tuple(keeper.status for keeper in self._keepers)


def _pixels(image: Image.Image) -> bytes:
    """What tells pictures for one panel apart."""
    return image.mode.encode() + image.tobytes()


def _shifted(image: Image.Image, steps: int) -> Image.Image:
    """The picture after so many steps of its wandering; what leaves the panel is cut."""
    if steps == 0:
        return image
    across, down = _SWING[steps % 8], _SWING[steps // 8 % 8]
    moved = Image.new(image.mode, image.size)
    moved.paste(image, (across, down))
    return moved
