"""Lists of numbers and what is said of them. Arithmetic only: nothing is measured or printed here."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np


@dataclass(slots=True)
class Times:
    """CPU times of one thing done many times, in milliseconds."""

    ms: list[float] = field(default_factory=list)

    def add(self, seconds: float) -> None:
        """One more time."""
        self.ms.append(1e3 * seconds)

    @property
    def mean(self) -> float:
        """What one costs in the long run."""
        return float(np.mean(self.ms)) if self.ms else math.nan

    def percentile(self, part: float) -> float:
        """The time below which `part` per cent of them lie."""
        return float(np.percentile(self.ms, part)) if self.ms else math.nan


@dataclass(slots=True)
class Errors:
    """How far a method was off, in mm, in the frames in which it found the ball; and in how many it
    took something else for the ball, or found nothing."""

    limit_mm: float
    """Half the ball's radius off is another thing than this ball."""
    mm: list[float] = field(default_factory=list)
    wrong: int = 0
    nothing: int = 0

    def add(self, error_mm: float | None) -> None:
        """One frame; None if the method found nothing."""
        if error_mm is None:
            self.nothing += 1
        elif error_mm > self.limit_mm:
            self.wrong += 1
        else:
            self.mm.append(error_mm)

    @property
    def outliers(self) -> int:
        """Frames in which the ball was not found."""
        return self.wrong + self.nothing

    def percentile(self, part: float) -> float:
        """The error below which `part` per cent of the found ones lie."""
        return float(np.percentile(self.mm, part)) if self.mm else math.nan


def distance_mm(a: Iterable[float], b: Iterable[float]) -> float:
    """Distance of two points."""
    return math.dist(tuple(a), tuple(b))
