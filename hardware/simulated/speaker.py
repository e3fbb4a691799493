"""The simulated speaker: the speaker port over a device that takes its time and can be unplugged.

A sound lasts as long as its samples do, on the simulated clock; it goes on as the clock passes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock

from hardware.errors import ClipError, SpeakerError
from hardware.speaker import PATIENCE_S, Clips, Sound, SpeakerNews, Turns, sound_of


@dataclass(frozen=True, slots=True)
class Heard:
    """What somebody at the table heard: which clips, as what sound, from when to when (the simulated
    clock's seconds); cut short if it was hushed or unplugged."""

    clips: Clips
    sound: Sound
    from_s: float
    to_s: float


class SimulatedSpeaker:
    """A speaker whose time is `clock`'s, in seconds, at `volume` per cent of loudness."""

    name = "simulated speaker"

    def __init__(self, clock: Callable[[], float], *, volume: int = 100, muted: bool = False) -> None:
        self._clock = clock
        self._volume = volume
        self._turns = Turns(self.name, muted)
        self._lock = RLock()  # as the real one may be called by any thread
        self._heard: list[Heard] = []
        self._ends_at: float | None = None
        self._is_plugged = True
        self._is_stuck = False
        self._hangs = False
        """What is being said will not be heard, nor end."""
        self._is_closed = False

    @property
    def heard(self) -> tuple[Heard, ...]:
        """All that was heard up to the present, and what is being said, with the end that it will have."""
        with self._lock:
            self._catch_up()
            return tuple(self._heard)

    def unplug(self) -> None:
        """Pull the plug: what is being said breaks off."""
        with self._lock:
            self._catch_up()
            self._is_plugged = False
            if self._ends_at is not None:
                self._break_off()
                self._turns.failed(self._gone(), self._clock())

    def plug_in(self) -> None:
        """Put the plug back."""
        with self._lock:
            self._is_plugged = True

    def stick(self, on: bool = True) -> None:
        """The device takes sounds and never ends them, as a driver that lost its interrupts does."""
        with self._lock:
            self._catch_up()
            self._is_stuck = on

    @property
    def muted(self) -> bool:
        """Whether it keeps silent."""
        return self._turns.muted

    def say(self, clips: Sequence[Path]) -> None:
        """Say these next."""
        with self._lock:
            if not self._is_closed:
                self._catch_up()
                self._turns.say(clips)
                self._catch_up()

    def mute(self, on: bool) -> None:
        """Be silent at once, or speak again from the next `say` on."""
        with self._lock:
            self._catch_up()
            self._turns.mute(on)
            if on:
                self._break_off()

    def finish(self, timeout_s: float) -> bool:
        """Whether all is said: by waiting the simulated clock does not pass."""
        with self._lock:
            self._catch_up()
            return self._ends_at is None

    def news(self) -> list[SpeakerNews]:
        """What is to be told since the last call."""
        with self._lock:
            self._catch_up()
            return self._turns.news()

    def close(self) -> None:
        """Be silent at once and for good."""
        self.mute(True)
        self._is_closed = True

    def _catch_up(self) -> None:
        """What happened up to now: sounds ended, and the ones that waited for it began."""
        now = self._clock()
        at = now
        while True:
            if self._ends_at is not None:
                if now < self._ends_at:
                    return
                at, self._ends_at = self._ends_at, None
                if self._hangs:
                    self._turns.failed(SpeakerError(f"the {self.name} hangs; call stick(False)"), at)
                else:
                    self._turns.said()
            clips = self._turns.take(at)
            if not clips:
                return
            self._begin(clips, at)

    def _begin(self, clips: Clips, at_s: float) -> None:
        try:
            sound = sound_of(clips).at_volume(self._volume)
        except ClipError as error:
            self._turns.not_said(error)
            return
        if not self._is_plugged:
            self._turns.failed(self._gone(), at_s)
            return
        self._hangs = self._is_stuck
        self._ends_at = at_s + sound.duration_s + (PATIENCE_S if self._hangs else 0.0)
        if not self._hangs:
            self._heard.append(Heard(clips, sound, at_s, self._ends_at))

    def _break_off(self) -> None:
        if self._ends_at is None:
            return
        self._ends_at = None
        if not self._hangs:
            self._heard[-1] = replace(self._heard[-1], to_s=self._clock())

    def _gone(self) -> SpeakerError:
        return SpeakerError(f"the {self.name} cannot be used (unplugged); call plug_in()")
