"""The speaker through ALSA's `aplay`; the one place that starts it.

One process an announcement: it is given samples, and whatever becomes of it is no harm to the match.
"""

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardware.errors import ClipError, SpeakerError
from hardware.speaker import PATIENCE_S, Clips, Sound, SpeakerNews, Turns, sound_of

_REASON_LENGTH: Final = 200
_REAP_S: Final = 1.0
_SILENCE: Final = Sound(22050, bytes(2 * 2205))

logger = logging.getLogger(__name__)


class AplaySpeaker:
    """The sound device `device`, as `aplay -L` lists it, at `volume` per cent of loudness.

    Samples go through a pipe in one piece: `aplay` would drain the device between files, which is heard as a
    gap. `command`: the program. `patience_s`: how much longer than it lasts a sound may take. `clock`:
    seconds that never go back.
    """

    def __init__(
        self,
        device: str = "default",
        *,
        volume: int = 100,
        muted: bool = False,
        command: str = "aplay",
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = device
        self._volume = volume
        self._command = command
        self._patience_s = patience_s
        self._clock = clock
        self._turns = Turns(device, muted)
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_busy = False
        self._is_hushed = False
        self._is_closed = False
        # A daemon: a device that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    @property
    def muted(self) -> bool:
        """Whether it keeps silent."""
        return self._turns.muted

    def say(self, clips: Sequence[Path]) -> None:
        """Say these next; returns at once."""
        with self._changed:
            if not self._is_closed:
                self._turns.say(clips)
                self._changed.notify_all()

    def mute(self, on: bool) -> None:
        """Be silent at once, or speak again from the next `say` on."""
        with self._changed:
            self._turns.mute(on)
            if on:
                self._hush()
            self._changed.notify_all()

    def finish(self, timeout_s: float) -> bool:
        """Wait, at most so long, until all is said; whether it is."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._is_closed or not (self._is_busy or self._turns.waiting), timeout_s
            )

    def news(self) -> list[SpeakerNews]:
        """What is to be told since the last call."""
        with self._changed:
            return self._turns.news()

    def close(self, timeout_s: float = 1.0) -> None:
        """Be silent at once and for good; waits at most so long for the device to let go."""
        with self._changed:
            self._is_closed = True
            self._turns.mute(True)
            self._hush()
            self._changed.notify_all()
        self._thread.join(timeout_s)

    def _hush(self) -> None:
        """End what is being said, if it is; under the lock."""
        self._is_hushed = True
        if self._process is not None:
            _kill(self._process)

    def _run(self) -> None:
        """The thread's life."""
        while True:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._is_closed or self._turns.waiting)
                if self._is_closed:
                    return
                clips = self._turns.take(self._clock())
                self._is_busy = True
                self._is_hushed = False
            if clips:
                self._say(clips)

    def _say(self, clips: Clips) -> None:
        error: SpeakerError | None = None
        try:
            self._sound(sound_of(clips).at_volume(self._volume))
        except SpeakerError as failure:
            error = failure
        except Exception as failure:  # a bug here must not cost the announcements after it
            logger.exception("speaker %s", self.name)
            error = SpeakerError(f"the speaker {self.name} failed: {failure}; tell the makers")
        with self._changed:
            if self._is_hushed:
                return  # silenced by us: nothing is known of the device
            match error:
                case None:
                    self._turns.said()
                case ClipError():
                    self._turns.not_said(error)
                case _:
                    self._turns.failed(error, self._clock())

    def _sound(self, sound: Sound) -> None:
        """Have a sound played, to its end or until it is hushed. `SpeakerError`."""
        process = _started(self._command, self.name, sound.rate_hz)
        with self._changed:
            self._process = process
            if self._is_hushed:
                _kill(process)
        try:
            _, told = process.communicate(sound.samples, sound.duration_s + self._patience_s)
        except subprocess.TimeoutExpired:
            raise SpeakerError(_hangs(self.name)) from None
        finally:
            with self._changed:
                self._process = None
            _end(process)
        _require_well(self.name, process.returncode, told)


def require_device(device: str, *, command: str = "aplay", patience_s: float = PATIENCE_S) -> None:
    """Play a tenth of a second of silence on a device, to its end. `SpeakerError` if that cannot be done."""
    process = _started(command, device, _SILENCE.rate_hz)
    try:
        _, told = process.communicate(_SILENCE.samples, _SILENCE.duration_s + patience_s)
    except subprocess.TimeoutExpired:
        raise SpeakerError(_hangs(device)) from None
    finally:
        _end(process)
    _require_well(device, process.returncode, told)


def _started(command: str, device: str, rate_hz: int) -> subprocess.Popen[bytes]:
    form = ["-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(rate_hz)]
    try:
        return subprocess.Popen(
            [command, *form, "-D", device, "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C"},
            # A group of its own, so that it can be ended with all that it may have started.
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise SpeakerError(
            f"`{command}` does not start ({getattr(error, 'strerror', None) or error}); install it "
            "with `sudo apt install alsa-utils`"
        ) from error


def _require_well(device: str, code: int, told: bytes) -> None:
    if code != 0:
        raise SpeakerError(
            f"the speaker {device} cannot be used ({_reason(told, code)}); plug it in, or name a device that "
            "`aplay -L` lists"
        )


def _hangs(device: str) -> str:
    return f"the speaker {device} hangs; unplug it and plug it in again, or name another device"


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of a process. One that the kernel holds in a dead driver is left to it."""
    _kill(process)
    for pipe in (process.stdin, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_REAP_S)


def _reason(told: bytes, code: int) -> str:
    """The last that it said, or how it ended."""
    lines = told.decode("utf-8", "replace").strip().splitlines()
    said = "".join(c for c in lines[-1] if c.isprintable())[:_REASON_LENGTH].strip() if lines else ""
    return said or f"aplay ended with {code}"
