"""How well calls agree with what a simulated table knows. Comparison and words only."""

from dataclasses import dataclass, replace
from math import dist

from calibration.edition import Edition
from firmware.landings import landing_of
from firmware.rules import Called, State, Stroke, step
from firmware.terminal import Stroke as StrokeLine
from hardware.simulated.table import StrokeTruth


@dataclass(frozen=True, slots=True)
class Agreement:
    """Calls compared so far. `differing` were certain and wrong; `close` wrong and announced as too
    close. `missed` strokes were never called, `invented` calls had no stroke. `measured` resting dots were
    `total_error_mm` from where they really lay, all together, and `max_error_mm` at most."""

    agreed: int = 0
    close: int = 0
    differing: int = 0
    missed: int = 0
    invented: int = 0
    measured: int = 0
    total_error_mm: float = 0.0
    max_error_mm: float = 0.0

    @property
    def good(self) -> bool:
        """No certain call differed, no stroke was missed and none invented."""
        return self.differing == self.missed == self.invented == 0

    def with_call(self, call: StrokeLine, true: Called, truth: StrokeTruth) -> "Agreement":
        """This and the call of a stroke that was `truth` and should have been called `true`."""
        same = differences(call, true) == ()
        certain = bool(call["certain"])
        after = replace(
            self,
            agreed=self.agreed + same,
            close=self.close + (not same and not certain),
            differing=self.differing + (not same and certain),
        )
        # A ball beside the board lies lower than the sheet: its place is told, but not to be measured by.
        if call["dot_mm"] is None or call["off_board"]:
            return after
        error_mm = dist(call["dot_mm"], truth.end.dot_printed_mm)
        return replace(
            after,
            measured=self.measured + 1,
            total_error_mm=self.total_error_mm + error_mm,
            max_error_mm=max(self.max_error_mm, error_mm),
        )

    def with_missed(self) -> "Agreement":
        """This and a stroke that was not called."""
        return replace(self, missed=self.missed + 1)

    def with_invented(self) -> "Agreement":
        """This and a call without a stroke."""
        return replace(self, invented=self.invented + 1)

    def line(self) -> dict[str, float | int | None]:
        """For other programs; distances in mm, None where nothing was measured."""
        return {
            **{name: getattr(self, name) for name in ("agreed", "close", "differing", "missed", "invented")},
            "mean_error_mm": round(self.total_error_mm / self.measured, 4) if self.measured else None,
            "max_error_mm": round(self.max_error_mm, 4) if self.measured else None,
        }

    def summary(self) -> str:
        """In one sentence."""
        calls = self.agreed + self.close + self.differing
        text = f"{self.agreed} of {calls} calls agree with the table's own truth"
        counts = (
            (self.close, "too close to call"),
            (self.differing, "wrong"),
            (self.missed, "missed"),
            (self.invented, "invented"),
        )
        text += "".join(f", {count} {what}" for count, what in counts if count)
        if self.measured:
            mean_mm = self.total_error_mm / self.measured
            text += f"; resting dot off by {mean_mm:.3f} mm on average, {self.max_error_mm:.3f} at most"
        return f"{text}."


def true_call(edition: Edition, before: State, truth: StrokeTruth) -> Called | None:
    """What the rules say to the stroke as it really was, in the state `before` it; None if it does
    not count, because the ball lay where it may not be played from."""
    landing = landing_of(
        edition,
        truth.start.dot_printed_mm,
        truth.end.dot_printed_mm,
        truth.end.disc_printed_mm,
        off_board=truth.end.off_board,
    )
    after = step(before, Stroke(landing))
    return next((event for event in after.events if isinstance(event, Called)), None)


def differences(call: StrokeLine, true: Called) -> tuple[str, ...]:
    """The keys of a stroke line that differ from the true call: call, points, marker, winner."""
    pairs = (
        ("call", true.call),
        ("points", true.points),
        ("marker", true.marker),
        ("rally_winner", true.rally_winner),
    )
    return tuple(key for key, expected in pairs if call[key] != expected)
