"""Has espeak-ng speak clips into WAV files; the one place that starts it. What is said is not known here."""

import io
import shutil
import subprocess
import tempfile
import wave
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from calibration.files import make_folder, write_file
from firmware.errors import FirmwareError
from firmware.texts import Language
from firmware.voice.pieces import VOICES, WORDS_PER_MINUTE, clips_of_name, every_clip

PROGRAM: Final = "espeak-ng"
_LONGEST_S: Final = 60.0
_HEADER_BYTES: Final = 44
_QUIET: Final = 200
"""Of 32767: what espeak-ng leaves before and after speech is below."""
_LEAD_S: Final = 0.01
_BREATH_S: Final = 0.25
"""After a sentence, before the next one."""
_JOINT_S: Final = 0.03
"""After a part of one."""


class VoiceError(FirmwareError):
    """Clips cannot be made; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Made:
    """What became of a language's clips: how many there are, how many of them are new, all their bytes."""

    language: Language
    clips: int
    new: int
    size_bytes: int


def make(folder: Path, language: Language, names: Collection[str] = (), program: str = PROGRAM) -> Made:
    """Make the clips of a language that `folder` does not have yet, in a folder of its own therein, and
    those of players' `names`. Stopped half-way it goes on where it was.

    `VoiceError` if espeak-ng is missing or fails, or if the folder cannot be written to.
    """
    clips = {**every_clip(language), **_of_names(language, names)}
    return _make(folder, language, clips, program)


def make_names(folder: Path, language: Language, names: Collection[str], program: str = PROGRAM) -> Made:
    """Make the clips of players' `names` alone; errors as of `make`."""
    return _make(folder, language, _of_names(language, names), program)


def there(folder: Path, language: Language) -> frozenset[str]:
    """The names of a language's clips that are in `folder`."""
    try:
        return frozenset(
            path.name
            for path in (folder / language).glob("*.wav")
            # After a power cut a file may be there without its content.
            if path.stat().st_size > _HEADER_BYTES
        )
    except OSError:
        return frozenset()


def _of_names(language: Language, names: Iterable[str]) -> Mapping[str, str]:
    return {clip: said for name in names for clip, said in clips_of_name(name, language).items()}


def _make(folder: Path, language: Language, clips: Mapping[str, str], program: str) -> Made:
    found = there(folder, language)
    missing = [name for name in clips if name not in found]
    home = folder / language
    if missing:
        _require(program)
        try:
            make_folder(home)
        except OSError as error:
            raise VoiceError(
                f"{home} cannot be made ({error.strerror}); give a folder that can be written to"
            ) from error
    for name in missing:
        sound = _wav(*_spoken_by(program, clips[name], language))
        try:
            write_file(home / name, sound)
        except OSError as error:
            raise VoiceError(
                f"{home / name} cannot be written ({error.strerror}); free some room, or give a folder that "
                "can be written to"
            ) from error
    size = sum((home / name).stat().st_size for name in clips)
    return Made(language, len(clips), len(missing), size)


def _require(program: str) -> None:
    if shutil.which(program) is None:
        raise VoiceError(f"{program} is not installed; install it with `sudo apt install {PROGRAM}`")


def _spoken_by(program: str, text: str, language: Language) -> tuple[int, bytes]:
    """Samples a second, and the samples: 16 bits, signed, little-endian."""
    with tempfile.TemporaryDirectory(prefix="setmatch-voice-") as folder:
        path = Path(folder) / "spoken.wav"
        command = [program, "-v", VOICES[language], "-s", str(WORDS_PER_MINUTE), "-b", "1", "-w", str(path)]
        try:
            # By standard input, so that a name like "-x" is no option. Brackets would begin phonemes.
            done = subprocess.run(
                [*command, "--stdin"],
                input=text.replace("[[", " ").encode(),
                capture_output=True,
                timeout=_LONGEST_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise VoiceError(f"{program} hangs at {text!r}; install it anew") from error
        except OSError as error:
            raise _failed(program, text, str(error.strerror or error)) from error
        try:
            with wave.open(str(path), "rb") as file:
                form = (file.getnchannels(), file.getsampwidth())
                rate_hz, samples = file.getframerate(), file.readframes(file.getnframes())
        except (OSError, EOFError, wave.Error) as error:
            told = done.stderr.decode("utf-8", "replace").strip()
            raise _failed(program, text, told or str(error) or "no sound came") from error
    if form != (1, 2):
        raise _failed(program, text, "its sound is not of one channel and 16 bits")
    return rate_hz, _trimmed(samples, rate_hz, is_sentence=text.endswith((".", "!", "?")))


def _failed(program: str, text: str, reason: str) -> VoiceError:
    return VoiceError(
        f"{program} did not speak {text!r} ({reason}); install it anew: `sudo apt install {PROGRAM} "
        f"{PROGRAM}-data`"
    )


def _trimmed(samples: bytes, rate_hz: int, *, is_sentence: bool) -> bytes:
    """Speech alone, with the pause after it that it should have: clips follow each other without any."""
    sound = np.frombuffer(samples, "<i2")
    loud = np.flatnonzero(np.abs(sound.astype(np.int32)) > _QUIET)
    if loud.size:
        sound = sound[max(loud[0] - int(_LEAD_S * rate_hz), 0) : loud[-1] + 1]
    pause = np.zeros(int((_BREATH_S if is_sentence else _JOINT_S) * rate_hz), "<i2")
    return np.concatenate([sound, pause]).tobytes()


def _wav(rate_hz: int, samples: bytes) -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(samples)
    return content.getvalue()
