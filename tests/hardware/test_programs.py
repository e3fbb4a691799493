"""The system's programs: what their answers mean, and that one that is missing or hangs has said nothing."""

from collections.abc import Sequence

import pytest

from hardware import programs
from hardware.programs import Ask, Service, ask
from hardware.system import Power

RUNNING = """\
LoadState=loaded
ActiveState=active
SubState=running
UnitFileState=enabled
Result=success
StatusText=A to serve from the left. 15=15
NRestarts=2
MainPID=321
InvocationID=0123abcd
ExecMainStatus=0
"""


def says(text: str | None, *words: str) -> Ask:
    """A program that prints `text`, if it is the one that `words` begin the command of."""

    def asked(command: Sequence[str]) -> str | None:
        assert tuple(command[: len(words)]) == words, command
        return text

    return asked


def test_a_service_that_runs() -> None:
    service = programs.service("setmatch.service", says(RUNNING, "systemctl", "show", "setmatch.service"))
    assert service == Service(
        installed=True,
        active="active",
        step="running",
        enabled=True,
        status="A to serve from the left. 15=15",
        restarts=2,
        process=321,
        run="0123abcd",
    )
    assert service.runs


def test_a_service_that_failed() -> None:
    told = RUNNING.replace("=active", "=failed").replace("=success", "=exit-code").replace("=321", "=0")
    service = programs.service("x", says(told.replace("ExecMainStatus=0", "ExecMainStatus=2")))
    assert service is not None
    assert (service.active, service.result, service.code, service.runs) == ("failed", "exit-code", 2, False)


def test_a_service_that_is_not_installed() -> None:
    told = "LoadState=not-found\nActiveState=inactive\nSubState=dead\nUnitFileState=\nMainPID=0\n"
    service = programs.service("x", says(told))
    assert service is not None
    assert (service.installed, service.runs, service.enabled) == (False, False, False)


@pytest.mark.parametrize("told", [None, "", "System has not been booted with systemd\n"])
def test_no_systemd(told: str | None) -> None:
    assert programs.service("x", says(told)) is None


def test_the_log_of_one_run_or_of_the_unit() -> None:
    common = ("journalctl", "--quiet", "--no-pager", "--output=cat", "--lines=5000")
    one = says("a\nb\n", *common, "_SYSTEMD_INVOCATION_ID=0123abcd")
    assert programs.log_of("x.service", "0123abcd", one) == ("a", "b")
    assert programs.log_of("x.service", "", says("c\n", *common, "--unit", "x.service")) == ("c",)


@pytest.mark.parametrize("told", [None, ""])
def test_a_log_that_is_kept_back(told: str | None) -> None:
    assert programs.log_of("x", "1", says(told)) is None


@pytest.mark.parametrize(
    ("told", "power"),
    [
        ("throttled=0x50005\n", Power(0x50005)),
        ("throttled=0x0\n", Power(0)),
        (None, None),
        ("", None),
        ("VCHI initialization failed\n", None),
        ("throttled=?\n", None),
        ('error=1 error_msg="Command not registered"', None),
    ],
)
def test_the_firmware_of_a_pi(told: str | None, power: Power | None) -> None:
    assert programs.throttled(says(told, "vcgencmd", "get_throttled")) == power


def test_sound_cards() -> None:
    told = (
        "**** List of PLAYBACK Hardware Devices ****\n"
        "card 0: vc4hdmi0 [vc4-hdmi-0], device 0: MAI PCM i2s-hifi-0 [MAI PCM i2s-hifi-0]\n"
        "  Subdevices: 1/1\n"
        "  Subdevice #0: subdevice #0\n"
        "card 2: Device [USB Audio Device], device 0: USB Audio [USB Audio]\n"
    )
    assert programs.sound_cards(says(told, "aplay", "-l")) == (
        "card 0: vc4hdmi0 [vc4-hdmi-0]",
        "card 2: Device [USB Audio Device]",
    )
    assert programs.sound_cards(says(None)) is None


def test_sound_devices() -> None:
    told = "null\n    Discard all samples\nplughw:CARD=Device,DEV=0\n    USB Audio Device, USB Audio\n"
    assert programs.sound_devices(says(told, "aplay", "-L")) == ("null", "plughw:CARD=Device,DEV=0")
    assert programs.sound_devices(says(None)) == ()


def test_a_program_that_answers() -> None:
    assert ask(["sh", "-c", "echo $LC_ALL; echo not this >&2"]) == "C\n"


@pytest.mark.parametrize(
    "command", [["sh", "-c", "echo half; exit 1"], ["no-such-program"], ["/dev/null"], ["sh\0"]], ids=repr
)
def test_a_program_that_fails_or_is_not_there(command: list[str]) -> None:
    assert ask(command) is None


def test_a_program_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "PATIENCE_S", 0.05)
    assert ask(["sleep", "60"]) is None


def test_what_is_no_text_does_no_harm() -> None:
    assert ask(["printf", r"\377"]) == "\ufffd"
