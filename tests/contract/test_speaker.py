"""The speaker port's contract, run on the twin, and on the adapter with a program in the place of `aplay`.

The program records what it is given, or fails, or hangs, as a file beside it says. Where a test has to know
how far it is they meet at named pipes: nothing here waits for time to pass.
"""

import errno
import os
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import pytest

from hardware.aplay_speaker import AplaySpeaker, require_device
from hardware.errors import ClipError, SpeakerError
from hardware.simulated.speaker import SimulatedSpeaker
from hardware.speaker import PATIENCE_S, RETRY_S, Sound, Speaker, SpeakerNews, sound_of
from tests.shared import needs

RATE_HZ = 8000
PROGRAM = """#!/bin/sh
cd {folder}
printf '%s\\n' "$@" > args
case $(cat mode) in
    gone)
        echo "ALSA lib pcm.c:2666: Unknown PCM default" >&2
        echo "aplay: main:831: audio open error: No such file or directory" >&2
        exit 1 ;;
    hang)
        cat never ;;
    hold)
        echo begun > begun
        grep -q broken release && exit 1
        cat > heard.$(ls heard.* 2> /dev/null | wc -l) ;;
    *)
        cat > heard.$(ls heard.* 2> /dev/null | wc -l) ;;
esac
"""


class Rig(Protocol):
    """A speaker and what can be done to it from outside."""

    @property
    def speaker(self) -> Speaker: ...

    def heard(self) -> list[bytes]:
        """The samples of each announcement that was heard to its end."""
        ...

    def hold(self) -> None:
        """From now on what is begun does not end before `let_end`."""
        ...

    def until_begun(self) -> None: ...

    def let_end(self) -> None:
        """What is being said comes to its end, and what follows is not held."""
        ...

    def break_off(self) -> None:
        """The device fails in the middle of what is being said, and is gone."""
        ...

    def mode(self, mode: Literal["well", "gone", "hang"]) -> None: ...

    def settle(self) -> None:
        """All is said, or given up."""
        ...

    def pass_s(self, seconds: float) -> None: ...


class Twin:
    """The simulated speaker."""

    def __init__(self, folder: Path, volume: int = 100, muted: bool = False) -> None:
        self.now = 0.0
        self.speaker = self.twin = SimulatedSpeaker(lambda: self.now, volume=volume, muted=muted)

    def heard(self) -> list[bytes]:
        whole = [
            heard for heard in self.twin.heard if heard.to_s - heard.from_s > heard.sound.duration_s - 1e-9
        ]
        return [heard.sound.samples for heard in whole if heard.to_s <= self.now]

    def hold(self) -> None: ...

    def until_begun(self) -> None:
        assert not self.speaker.finish(0.0)

    def let_end(self) -> None:
        self.settle()

    def break_off(self) -> None:
        self.mode("gone")

    def mode(self, mode: Literal["well", "gone", "hang"]) -> None:
        self.twin.stick(mode == "hang")
        if mode == "gone":
            self.twin.unplug()
        else:
            self.twin.plug_in()

    def settle(self) -> None:
        while not self.speaker.finish(0.0):
            self.now += PATIENCE_S / 10

    def pass_s(self, seconds: float) -> None:
        self.now += seconds


class Adapter:
    """The adapter with the program above. `folder`: where that lies."""

    def __init__(self, folder: Path, volume: int = 100, muted: bool = False) -> None:
        self.folder = folder
        self.now = 0.0
        program = folder / "aplay"
        program.write_text(PROGRAM.format(folder=folder))
        program.chmod(0o755)
        for pipe in ("begun", "release", "never"):
            os.mkfifo(folder / pipe)
        self.speaker = AplaySpeaker(
            "plughw:1,0",
            volume=volume,
            muted=muted,
            command=str(program),
            clock=lambda: self.now,
        )
        self.mode("well")

    def heard(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted(self.folder.glob("heard.*"))]

    def hold(self) -> None:
        (self.folder / "mode").write_text("hold")

    def until_begun(self) -> None:
        assert (self.folder / "begun").read_text() == "begun\n"

    def let_end(self) -> None:
        self.mode("well")
        (self.folder / "release").write_text("")
        self.settle()

    def break_off(self) -> None:
        self.mode("gone")
        (self.folder / "release").write_text("broken\n")
        self.settle()

    def mode(self, mode: Literal["well", "gone", "hang"]) -> None:
        (self.folder / "mode").write_text(mode)
        self.patience_s(0.0 if mode == "hang" else 60.0)

    def patience_s(self, seconds: float) -> None:
        self.speaker._patience_s = seconds

    def settle(self) -> None:
        assert self.speaker.finish(60.0)

    def pass_s(self, seconds: float) -> None:
        self.now += seconds


Make = type[Twin] | type[Adapter]


@pytest.fixture(params=[Twin, Adapter], ids=["twin", "adapter"])
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.param
    return made


@pytest.fixture
def rig(make: Make, tmp_path: Path) -> Iterator[Rig]:
    folder = tmp_path / "device"
    folder.mkdir()
    rig = make(folder)
    yield rig
    rig.speaker.close()


@pytest.fixture
def clips(tmp_path: Path) -> list[Path]:
    return [clip(tmp_path / f"{number}.wav", number) for number in range(4)]


def clip(path: Path, number: int, rate_hz: int = RATE_HZ, channels: int = 1) -> Path:
    """A clip of 10 ms whose samples tell it from all others."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(samples(number) * channels)
    return path


def samples(number: int) -> bytes:
    return (1000 * (number + 1) + np.arange(RATE_HZ // 100)).astype("<i2").tobytes()


def kinds(news: list[SpeakerNews]) -> list[str]:
    return [item.kind for item in news]


def test_clips_are_said_in_one_piece(rig: Rig, clips: list[Path]) -> None:
    rig.speaker.say(clips[:3])
    rig.settle()
    assert rig.heard() == [samples(0) + samples(1) + samples(2)]
    assert rig.speaker.news() == []


def test_nothing_is_nothing(rig: Rig) -> None:
    rig.speaker.say([])
    rig.settle()
    assert rig.heard() == []
    assert rig.speaker.news() == []


def test_announcements_follow_one_another(rig: Rig, clips: list[Path]) -> None:
    for one in clips:
        rig.speaker.say([one])
        rig.settle()
    assert rig.heard() == [samples(number) for number in range(4)]


def test_of_what_waits_the_newest_is_said(rig: Rig, clips: list[Path]) -> None:
    rig.hold()
    rig.speaker.say(clips[:1])
    rig.until_begun()
    for number in (1, 2, 3):
        rig.speaker.say([clips[number]])
    assert not rig.speaker.finish(0.0)
    rig.let_end()
    assert rig.heard() == [samples(0), samples(3)]
    assert rig.speaker.finish(0.0)


def test_mute_silences_at_once_and_what_waits_too(rig: Rig, clips: list[Path]) -> None:
    rig.hold()
    rig.speaker.say(clips[:1])
    rig.until_begun()
    rig.speaker.say(clips[1:2])
    rig.speaker.mute(True)
    assert rig.speaker.muted
    rig.settle()
    rig.speaker.say(clips[2:3])
    rig.settle()
    assert rig.heard() == []
    rig.speaker.mute(False)
    rig.mode("well")
    rig.speaker.say(clips[3:])
    rig.settle()
    assert rig.heard() == [samples(3)]
    assert rig.speaker.news() == []


def test_it_can_begin_muted(make: Make, clips: list[Path], tmp_path: Path) -> None:
    (tmp_path / "muted").mkdir()
    rig: Rig = make(tmp_path / "muted", muted=True)
    rig.speaker.say(clips)
    rig.settle()
    assert rig.heard() == []
    assert rig.speaker.muted
    rig.speaker.close()


def test_volume_makes_it_softer(make: Make, clips: list[Path], tmp_path: Path) -> None:
    loudest = {}
    for volume in (0, 50, 100):
        (tmp_path / f"{volume}").mkdir()
        rig: Rig = make(tmp_path / f"{volume}", volume=volume)
        rig.speaker.say(clips)
        rig.settle()
        (heard,) = rig.heard()
        loudest[volume] = np.abs(np.frombuffer(heard, "<i2")).max()
        rig.speaker.close()
    full = loudest[100]
    assert full == np.frombuffer(samples(3), "<i2").max()
    # Half as loud is 10 dB less, by Stevens's law: 2 ** (1 / 0.6) = 3.17 in pressure.
    assert loudest[50] == pytest.approx(full / 3.17, rel=0.01)
    assert loudest[0] == 0


def test_a_missing_device_is_told_once_and_tried_again(rig: Rig, clips: list[Path]) -> None:
    rig.mode("gone")
    for _ in range(3):
        rig.speaker.say(clips)
        rig.settle()
        rig.pass_s(RETRY_S + 1.0)
    (gone,) = rig.speaker.news()
    assert (gone.kind, gone.speaker) == ("gone", rig.speaker.name)
    assert rig.speaker.name in gone.reason
    rig.mode("well")
    rig.speaker.say(clips[:1])
    rig.settle()
    assert rig.heard() == [samples(0)]
    assert rig.speaker.news() == [SpeakerNews("back", rig.speaker.name)]
    assert rig.speaker.news() == []


def test_after_a_failure_it_is_silent_for_a_while(rig: Rig, clips: list[Path]) -> None:
    rig.mode("gone")
    rig.speaker.say(clips[:1])
    rig.settle()
    rig.mode("well")
    rig.pass_s(RETRY_S / 2)
    rig.speaker.say(clips[1:2])
    rig.settle()
    assert rig.heard() == []
    rig.pass_s(RETRY_S)
    # What was not said is not said later.
    rig.settle()
    assert rig.heard() == []
    rig.speaker.say(clips[2:3])
    rig.settle()
    assert rig.heard() == [samples(2)]
    assert kinds(rig.speaker.news()) == ["gone", "back"]


def test_a_device_that_goes_in_the_middle_is_told(rig: Rig, clips: list[Path]) -> None:
    rig.hold()
    rig.speaker.say(clips[:1])
    rig.until_begun()
    rig.break_off()
    assert kinds(rig.speaker.news()) == ["gone"]
    rig.mode("well")
    rig.pass_s(RETRY_S + 1.0)
    rig.settle()
    assert rig.heard() == []
    rig.speaker.say(clips[2:3])
    rig.settle()
    assert rig.heard() == [samples(2)]
    assert kinds(rig.speaker.news()) == ["back"]


def test_a_device_that_hangs_is_given_up(rig: Rig, clips: list[Path]) -> None:
    rig.mode("hang")
    rig.speaker.say(clips[:1])
    rig.settle()
    (gone,) = rig.speaker.news()
    assert gone.kind == "gone"
    assert "hangs" in gone.reason
    rig.mode("well")
    rig.pass_s(RETRY_S + 1.0)
    rig.speaker.say(clips[1:2])
    rig.settle()
    assert rig.heard() == [samples(1)]
    assert kinds(rig.speaker.news()) == ["back"]


def test_bad_clips_are_told_once_and_harm_no_others(rig: Rig, clips: list[Path], tmp_path: Path) -> None:
    for _ in range(2):
        rig.speaker.say([clips[0], tmp_path / "none.wav"])
        rig.settle()
    (told,) = rig.speaker.news()
    assert told.kind == "not-said"
    assert "none.wav" in told.reason
    assert "setmatch voice" in told.reason
    rig.speaker.say(clips[1:2])
    rig.settle()
    assert rig.heard() == [samples(1)]
    assert rig.speaker.news() == []


def test_closed_it_is_silent_for_good(rig: Rig, clips: list[Path]) -> None:
    rig.hold()
    rig.speaker.say(clips[:1])
    rig.until_begun()
    rig.speaker.say(clips[1:2])
    rig.speaker.close()
    rig.speaker.close()
    rig.mode("well")
    rig.speaker.say(clips[2:3])
    assert rig.speaker.finish(0.0)
    rig.pass_s(100.0)
    assert rig.heard() == []
    assert rig.speaker.news() == []


# ---------------------------------------------------------------- clips


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "cannot be said"),
        (b"RIFF\x04\x00\x00\x00WAVE", "cannot be said"),
        (b"no sound at all, but long enough to be one" * 3, "cannot be said"),
    ],
)
def test_a_file_that_is_no_clip_is_told(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.wav"
    path.write_bytes(content)
    with pytest.raises(ClipError, match=rf"bad\.wav {words}"):
        sound_of([path])


def test_clips_of_another_form_are_told(tmp_path: Path) -> None:
    mono, stereo = clip(tmp_path / "mono.wav", 0), clip(tmp_path / "stereo.wav", 0, channels=2)
    with pytest.raises(ClipError, match=r"stereo.wav .*one channel"):
        sound_of([mono, stereo])
    with pytest.raises(ClipError, match=r"16000 samples a second.*setmatch voice"):
        sound_of([mono, clip(tmp_path / "other.wav", 0, rate_hz=16_000)])
    long = tmp_path / "long.wav"
    clip(long, 0, rate_hz=1)
    with pytest.raises(ClipError, match=r"long.wav .*at most 60 s"):
        sound_of([long])


def test_a_clip_that_was_cut_short_is_said_as_far_as_it_goes(tmp_path: Path) -> None:
    path = clip(tmp_path / "cut.wav", 0)
    path.write_bytes(path.read_bytes()[:-3])
    assert sound_of([path]) == Sound(RATE_HZ, samples(0)[:-4])


# ---------------------------------------------------------------- the adapter alone


@pytest.fixture
def adapter(tmp_path: Path) -> Iterator[Adapter]:
    (tmp_path / "device").mkdir()
    adapter = Adapter(tmp_path / "device")
    yield adapter
    adapter.speaker.close()


def test_aplay_is_told_the_form_and_the_device(adapter: Adapter, clips: list[Path]) -> None:
    adapter.speaker.say(clips)
    adapter.settle()
    args = (adapter.folder / "args").read_text().split("\n")[:-1]
    assert args == ["-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", "8000", "-D", "plughw:1,0", "-"]


def test_what_aplay_says_is_the_reason(adapter: Adapter, clips: list[Path]) -> None:
    adapter.mode("gone")
    adapter.speaker.say(clips)
    adapter.settle()
    (told,) = adapter.speaker.news()
    assert told.reason == (
        "the speaker plughw:1,0 cannot be used (aplay: main:831: audio open error: No such file or "
        "directory); plug it in, or name a device that `aplay -L` lists"
    )


def test_a_missing_program_is_told(clips: list[Path], tmp_path: Path) -> None:
    speaker = AplaySpeaker(command=str(tmp_path / "none"))
    speaker.say(clips)
    assert speaker.finish(60.0)
    (told,) = speaker.news()
    assert told.kind == "gone"
    assert "sudo apt install alsa-utils" in told.reason
    speaker.close()


def test_a_program_that_takes_nothing_does_no_harm(clips: list[Path], tmp_path: Path) -> None:
    """It closes its end while samples still come: more than a pipe holds."""
    long = tmp_path / "long.wav"
    with wave.open(str(long), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(bytes(2 * 50 * RATE_HZ))
    speaker = AplaySpeaker(command="false")
    speaker.say([long])
    assert speaker.finish(60.0)
    (told,) = speaker.news()
    assert "aplay ended with 1" in told.reason
    speaker.close()


def test_a_bug_costs_one_announcement(
    adapter: Adapter, clips: list[Path], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("no such thing")

    with monkeypatch.context() as patched:
        patched.setattr("hardware.aplay_speaker.sound_of", broken)
        adapter.speaker.say(clips)
        adapter.settle()
    assert "no such thing" in caplog.text
    adapter.pass_s(RETRY_S + 1.0)
    adapter.speaker.say(clips[:1])
    adapter.settle()
    assert adapter.heard() == [samples(0)]


def test_nothing_is_left_running(adapter: Adapter, clips: list[Path]) -> None:
    adapter.hold()
    adapter.speaker.say(clips[:1])
    adapter.until_begun()
    adapter.speaker.close(60.0)
    assert not adapter.speaker._thread.is_alive()
    # The `cat` that the program waits for is killed with it: its end of the pipe is free as soon as the
    # kernel gets to it.
    while has_reader(adapter.folder / "release"):
        os.sched_yield()


def test_silence_tells_whether_a_device_can_be_used(adapter: Adapter) -> None:
    program = str(adapter.folder / "aplay")
    require_device("plughw:1,0", command=program)
    (played,) = adapter.heard()
    assert played == bytes(2 * 2205)
    args = (adapter.folder / "args").read_text().split("\n")[:-1]
    assert args == ["-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", "22050", "-D", "plughw:1,0", "-"]
    adapter.mode("gone")
    with pytest.raises(SpeakerError, match=r"plughw:1,0 cannot be used \(aplay: .* No such file"):
        require_device("plughw:1,0", command=program)
    adapter.mode("hang")
    with pytest.raises(SpeakerError, match=r"plughw:1,0 hangs; unplug it"):
        require_device("plughw:1,0", command=program, patience_s=0.0)
    with pytest.raises(SpeakerError, match="sudo apt install alsa-utils"):
        require_device("plughw:1,0", command=str(adapter.folder / "none"))


def has_reader(pipe: Path) -> bool:
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return False
    return True


@needs("aplay", "alsa-utils")
def test_the_real_aplay_takes_it(clips: list[Path]) -> None:
    speaker = AplaySpeaker("null")  # ALSA's own device that plays to nobody
    speaker.say(clips)
    assert speaker.finish(60.0)
    assert speaker.news() == []
    speaker.close()


@needs("aplay", "alsa-utils")
def test_the_real_aplay_refuses_what_is_not_there(clips: list[Path]) -> None:
    speaker = AplaySpeaker("no such device")
    speaker.say(clips)
    assert speaker.finish(60.0)
    assert kinds(speaker.news()) == ["gone"]
    speaker.close()


@needs("aplay", "alsa-utils")
def test_the_real_aplay_plays_silence() -> None:
    require_device("null")
    with pytest.raises(SpeakerError, match="no such device cannot be used"):
        require_device("no such device")
