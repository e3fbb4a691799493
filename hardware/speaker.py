"""The speaker port: clips made into one sound, whose turn it is to be said, and what every speaker does.

No sound device and no thread lives here; nothing knows what a clip says.
"""

import wave
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, Protocol

import numpy as np

from hardware.errors import ClipError, SpeakerError

RETRY_S: Final = 10.0
"""After a failure nothing is said for so long: an announcement that comes late is of no use, and a device
that is not there need not be asked for at every stroke."""
PATIENCE_S: Final = 5.0
"""So much longer than it lasts may a sound take before the device counts as hanging."""
_LONGEST_S: Final = 60.0
_LOUDNESS_EXPONENT: Final = 0.6
_NEWS_KEPT: Final = 50

Clips = tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Sound:
    """Mono sound. `samples`: 16 bits each, signed, little-endian, `rate_hz` a second."""

    rate_hz: int
    samples: bytes

    @property
    def duration_s(self) -> float:
        """How long it lasts."""
        return len(self.samples) / 2 / self.rate_hz

    def at_volume(self, percent: int) -> "Sound":
        """The same at so many per cent of its loudness. Loudness goes with the 0.6th power of sound
        pressure (Stevens's law), so that 50 % sounds half as loud."""
        if percent >= 100:
            return self
        gain = (percent / 100) ** (1 / _LOUDNESS_EXPONENT)
        louder = np.frombuffer(self.samples, "<i2")
        return replace(self, samples=np.rint(louder * gain).astype("<i2").tobytes())


@dataclass(frozen=True, slots=True)
class SpeakerNews:
    """What people should hear of a speaker, once each time: it is `gone`, it is `back`, or clips could not
    be said (`not-said`). `reason`: in words; what to do is in it. Empty for `back`."""

    kind: Literal["gone", "back", "not-said"]
    speaker: str
    reason: str = ""


class Speaker(Protocol):
    """A voice at the table. Nothing it does waits or fails: a missing device is told by `news`, and tried
    again. Any thread may call it."""

    @property
    def name(self) -> str:
        """The device, for people."""
        ...

    @property
    def muted(self) -> bool:
        """Whether it keeps silent."""
        ...

    def say(self, clips: Sequence[Path]) -> None:
        """Say WAV files (16 bits, mono, all of one rate) one after the other, without a pause. What is being
        said is said to its end; what waits for that is dropped for this newer one."""
        ...

    def mute(self, on: bool) -> None:
        """Be silent at once, also about what waits; or speak again, from the next `say` on."""
        ...

    def finish(self, timeout_s: float) -> bool:
        """Wait, at most so long, until all is said; whether it is."""
        ...

    def news(self) -> list[SpeakerNews]:
        """What is to be told since the last call, the oldest first."""
        ...

    def close(self) -> None:
        """Be silent at once and for good. Safe to call twice."""
        ...


class Turns:
    """What waits to be said, and what is told of the device. Told the time; used under the lock of the
    speaker that has it."""

    def __init__(self, name: str, muted: bool = False) -> None:
        self.muted = muted
        self._name = name
        self._waiting: Clips = ()
        self._retry_at: float | None = None
        self._is_told_gone = False
        self._not_said = ""
        self._news: deque[SpeakerNews] = deque(maxlen=_NEWS_KEPT)

    @property
    def waiting(self) -> bool:
        """Whether `take` may give something."""
        return bool(self._waiting)

    def say(self, clips: Sequence[Path]) -> None:
        """To be said next, in place of what waits."""
        if clips and not self.muted:
            self._waiting = tuple(clips)

    def mute(self, on: bool) -> None:
        """Whether nothing is to be said."""
        self.muted = on
        if on:
            self._waiting = ()

    def take(self, now_s: float) -> Clips:
        """What is to be said now; empty for nothing."""
        clips, self._waiting = self._waiting, ()
        if self._retry_at is not None and now_s < self._retry_at:
            return ()
        return clips

    def said(self) -> None:
        """It was."""
        self._not_said = ""
        if self._is_told_gone:
            self._is_told_gone = False
            self._news.append(SpeakerNews("back", self._name))

    def failed(self, error: SpeakerError, now_s: float) -> None:
        """The device could not."""
        self._retry_at = now_s + RETRY_S
        if not self._is_told_gone:
            self._is_told_gone = True
            self._news.append(SpeakerNews("gone", self._name, str(error)))

    def not_said(self, error: ClipError) -> None:
        """The clips are of no use; the device may be well."""
        if str(error) != self._not_said:
            self._not_said = str(error)
            self._news.append(SpeakerNews("not-said", self._name, str(error)))

    def news(self) -> list[SpeakerNews]:
        """What is to be told since the last call."""
        news = list(self._news)
        self._news.clear()
        return news


def sound_of(clips: Sequence[Path]) -> Sound:
    """The clips as one sound. `ClipError` for a file that cannot be read, is no such WAV, lasts more than
    60 s, or has another rate than the first."""
    sounds = [_read(clip) for clip in clips]
    for clip, sound in zip(clips, sounds, strict=True):
        if sound.rate_hz != sounds[0].rate_hz:
            raise ClipError(
                f"{clip} has {sound.rate_hz} samples a second, {clips[0]} has {sounds[0].rate_hz}; "
                "make all clips anew with `setmatch voice`"
            )
    return Sound(sounds[0].rate_hz, b"".join(sound.samples for sound in sounds))


def _read(clip: Path) -> Sound:
    try:
        with wave.open(str(clip), "rb") as file:
            form = (file.getnchannels(), file.getsampwidth())
            rate, count = file.getframerate(), file.getnframes()
            samples = file.readframes(min(count, int(_LONGEST_S * rate) + 1)) if form == (1, 2) else b""
    except (OSError, EOFError, ValueError, wave.Error) as error:
        reason = getattr(error, "strerror", None) or str(error) or "it ends too early"
        raise ClipError(
            f"{clip} cannot be said ({reason}); make the clips anew with `setmatch voice`"
        ) from error
    if form != (1, 2) or not rate or len(samples) > 2 * _LONGEST_S * rate:
        raise ClipError(
            f"{clip} is no sound of one channel, 16 bits and at most {_LONGEST_S:.0f} s; make the clips anew "
            "with `setmatch voice`"
        )
    return Sound(rate, samples[: len(samples) // 2 * 2])
