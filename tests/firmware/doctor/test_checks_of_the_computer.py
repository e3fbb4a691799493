"""The checks of computer, service and wired parts: each in each state, with what is to be done next."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware.doctor import computer, parts, served
from firmware.doctor.findings import Finding, all_alike, broken, ok, told, unreadable
from firmware.doctor.parts import Press
from hardware.button import Button
from hardware.panel import I2cBus, PanelSpec, SpiBus
from hardware.programs import Service
from hardware.system import Disk, Memory, Power, SerialPort, Strays

MB = 1_000_000
STATE = Path("/var/lib/setmatch")
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
CONFIRM = Button("A", "confirm")


def is_(finding: Finding, part: str, state: str, words: str, then: str = "") -> None:
    """Check a finding: what is not ok says what to do next."""
    assert (finding.part, finding.state) == (part, state), finding
    assert words in finding.text, finding
    assert then in finding.next, finding
    assert finding.state == "ok" or finding.next, finding


@pytest.mark.parametrize(
    ("message", "text", "then"),
    [
        ("it is gone; plug it in", "it is gone", "plug it in"),
        ("gone (a; b); plug\n it in", "gone (a; b)", "plug it in"),
        ("it is gone", "it is gone", "see to it, and ask again"),
    ],
)
def test_an_errors_message_says_what_and_what_next(message: str, text: str, then: str) -> None:
    assert told("camera", message) == Finding("camera", "broken", text, then)
    assert told("camera", message, "warning").state == "warning"


def test_several_that_say_the_same_are_one() -> None:
    alike = (broken("A", "no pins", "get some"), broken("B", "no pins", "get some"))
    assert all_alike("buttons", alike) == (broken("buttons", "no pins", "get some"),)
    others = (ok("A", "up"), broken("B", "no pins", "get some"))
    assert all_alike("buttons", others) == others
    assert all_alike("buttons", alike[:1]) == alike[:1]
    assert all_alike("buttons", ()) == ()


def test_what_may_not_be_read() -> None:
    finding = unreadable("disk", PermissionError(13, "Permission denied", "/var/lib/setmatch/x"))
    is_(finding, "disk", "warning", "/var/lib/setmatch/x", "sudo")


def test_the_computer() -> None:
    is_(computer.check_computer("Raspberry Pi 5", "Debian 12"), "computer", "ok", "Raspberry Pi 5, Debian 12")
    is_(computer.check_computer(None, None), "computer", "ok", "not a Raspberry Pi")


@pytest.mark.parametrize(
    ("available_mb", "runs", "state", "words"),
    [
        (2000, False, "ok", "2.0 GB free of 4.0 GB"),
        (350, False, "ok", "350 MB free"),
        (349, False, "warning", "little is left"),
        (250, False, "warning", "little is left"),
        (249, False, "broken", "the board needs 250 MB"),
        (100, True, "ok", "100 MB free"),
        (99, True, "warning", "little is left"),
    ],
)
def test_memory(available_mb: int, runs: bool, state: str, words: str) -> None:
    is_(computer.check_memory(Memory(4000 * MB, available_mb * MB), runs=runs), "memory", state, words)


@pytest.mark.parametrize(
    ("free_mb", "read_only", "writable", "state", "words", "then"),
    [
        (5000, False, True, "ok", "5.0 GB free of 16.0 GB at /var/lib", ""),
        (220, False, True, "ok", "220 MB", ""),
        (219, False, True, "warning", "too little for the reviews' pictures", "keep_mb under [review] (200)"),
        (20, False, True, "warning", "too little for the reviews' pictures", "keep_mb"),
        (19, False, True, "broken", "matches cannot be kept", "delete"),
        (5000, True, False, "broken", "mounted for reading only", "memory card"),
        (5000, False, False, "warning", "this user may not write there", "sudo"),
    ],
)
def test_the_disk(free_mb: int, read_only: bool, writable: bool, state: str, words: str, then: str) -> None:
    disk = Disk(Path("/var/lib"), 16_000 * MB, free_mb * MB, read_only, writable)
    is_(computer.check_disk(disk, STATE, 200), "disk", state, words, then)


def test_a_disk_that_is_not_there() -> None:
    is_(computer.check_disk(None, STATE, 200), "disk", "broken", str(STATE), "--state")
    no_disk = Disk(Path("/proc"), 0, 0, False, False)
    is_(computer.check_disk(no_disk, STATE, 200), "disk", "broken", "/proc has no room for files", "--state")


def test_a_folder_for_state_that_is_a_file() -> None:
    disk, file = Disk(Path("/etc"), 16_000 * MB, 5000 * MB, False, True), Path("/etc/hostname")
    finding = computer.check_disk(disk, file, 200, file)
    is_(finding, "disk", "broken", "/etc/hostname is no folder", "directory under [state]")


def test_a_port_that_the_configuration_names() -> None:
    assert computer.check_named_port("/dev/ttyACM0", True) == ()
    (missing,) = computer.check_named_port("/dev/ttyACM9", None)
    is_(missing, "serial port", "warning", "/dev/ttyACM9 under [link] is not there", "plug the controller in")
    (shut,) = computer.check_named_port("/dev/ttyACM0", False)
    is_(shut, "serial port", "broken", "may not use /dev/ttyACM0", "`dialout`")


def test_a_port_by_tcp() -> None:
    is_(computer.check_tcp_port(7311, ""), "link", "ok", "port 7311")
    taken = computer.check_tcp_port(7311, "port 7311 cannot be listened on; give another")
    is_(taken, "link", "broken", "cannot be listened on", "give another as tcp under [link]")


def test_files_that_the_board_s_user_cannot_write() -> None:
    strays = Strays("setmatch", (STATE / "journal.sqlite", STATE / "journal.lock"))
    words = f"setmatch, whose folder {STATE} is, cannot write journal.sqlite and 1 more in it"
    is_(computer.check_strays(strays, STATE), "disk", "broken", words, f"chown -R setmatch: {STATE}")


@pytest.mark.parametrize(
    ("celsius", "state", "words"),
    [(51.2, "ok", "51 °C"), (79.9, "ok", "80 °C"), (80.0, "warning", "slowed"), (85.0, "broken", "too hot")],
)
def test_the_temperature(celsius: float, state: str, words: str) -> None:
    is_(computer.check_temperature(celsius), "temperature", state, words)


@pytest.mark.parametrize(
    ("bits", "state", "words", "then"),
    [
        (0, "ok", "well since the start", ""),
        (0x50005, "broken", "too low", "power supply"),
        (0x50000, "warning", "it has been too low", "power supply"),
        (0xE, "warning", "is being held back", "air"),
        (0xE0000, "warning", "has been held back", "air"),
    ],
)
def test_the_voltage(bits: int, state: str, words: str, then: str) -> None:
    is_(computer.check_power(Power(bits)), "voltage", state, words, then)


def test_what_a_computer_does_not_tell_is_no_fault() -> None:
    findings = (
        computer.check_memory(None, runs=False),
        computer.check_temperature(None),
        computer.check_power(None),
    )
    for finding in findings:
        is_(finding, finding.part, "ok", "not told")


@pytest.mark.parametrize(
    ("now", "synchronised", "own", "state", "words"),
    [
        (NOON, True, False, "ok", "2026-05-04 12:00 UTC, by the network"),
        (NOON, False, True, "ok", "by its own clock"),
        (NOON, None, False, "ok", "2026-05-04 12:00 UTC"),
        (NOON, False, False, "warning", "no charged battery is seen"),
        (datetime(1970, 1, 1, tzinfo=UTC), False, True, "broken", "never set"),
        (datetime(2024, 12, 31, tzinfo=UTC), True, True, "broken", "never set"),
        (datetime(2025, 1, 1, tzinfo=UTC), True, True, "ok", "by the network"),
    ],
)
def test_the_clock(now: datetime, synchronised: bool | None, own: bool, state: str, words: str) -> None:
    is_(computer.check_clock(now, synchronised, own=own), "clock", state, words)


def test_serial_ports() -> None:
    (none,) = computer.check_serial_ports(())
    is_(none, "serial ports", "ok", "no controller")
    good, shut, unnamed = computer.check_serial_ports(
        (
            SerialPort("usb-Pico-if00", "/dev/ttyACM0", by_id=True, usable=True),
            SerialPort("usb-Pico-if01", "/dev/ttyACM1", by_id=True, usable=False),
            SerialPort("/dev/ttyUSB0", "/dev/ttyUSB0", by_id=False, usable=True),
        )
    )
    is_(good, "serial port", "ok", "usb-Pico-if00 (/dev/ttyACM0)")
    is_(shut, "serial port", "broken", "/dev/ttyACM1", "`dialout`")
    is_(unnamed, "serial port", "warning", "no lasting name", "udev")


# ---------------------------------------------------------------- the service

RUNS = Service(True, "active", "running", enabled=True, status="A to serve.", process=321, run="ab")
LOG = ("Board 'classic': finding the board", "setmatch: no camera; plug it in", "later")


@pytest.mark.parametrize(
    ("service", "log", "state", "words", "then"),
    [
        (None, None, "warning", "systemd does not run this computer", "`setmatch run --config FILE`"),
        (Service(False), None, "warning", "not installed", "install.sh"),
        (RUNS, LOG, "ok", "runs: A to serve.", ""),
        (
            Service(True, "activating", "start", enabled=True, process=5),
            None,
            "ok",
            "runs",
            "",
        ),
        (
            Service(True, "active", "running", enabled=True, restarts=1, process=5),
            None,
            "warning",
            "started again once",
            "journalctl -u setmatch.service",
        ),
        (
            Service(True, "active", "running", enabled=True, restarts=3, process=5),
            None,
            "warning",
            "3 times",
            "journalctl",
        ),
        (
            Service(True, "active", "running", process=5),
            None,
            "warning",
            "does not start with the computer",
            "sudo systemctl enable setmatch.service",
        ),
        (Service(True, enabled=True), None, "warning", "stopped", "systemctl start setmatch.service"),
        (Service(True), None, "warning", "stopped", "systemctl enable --now setmatch.service"),
        (
            Service(True, "failed", "failed", enabled=True, result="exit-code", code=2),
            LOG,
            "broken",
            "failed (ended with 2): no camera; plug it in",
            "restart",
        ),
        (
            Service(True, "failed", "failed", enabled=True, result="watchdog"),
            None,
            "broken",
            "failed (watchdog)",
            "journalctl",
        ),
        (
            Service(True, "activating", "auto-restart", enabled=True, result="exit-code", code=1),
            LOG,
            "broken",
            "stops and is started again: no camera",
            "journalctl",
        ),
    ],
)
def test_the_service(
    service: Service | None, log: tuple[str, ...] | None, state: str, words: str, then: str
) -> None:
    is_(served.check_service(service, log), "service", state, words, then)


def test_a_board_that_somebody_started() -> None:
    program, camera = served.check_program(99, ["camera"])
    is_(program, "program", "ok", "process 99")
    is_(camera, "camera", "ok", "held by process 99", "stop that")


def test_troubles_stand_until_the_part_is_well() -> None:
    log = (
        '{"kind": "trouble", "part": "camera", "text": "gone; plug it in"}',
        '{"kind": "trouble", "part": "speaker", "text": "no sound; plug it in"}',
        "not JSON {",
        '["a list"]',
        '{"kind": "trouble", "part": 7, "text": "no part"}',
        '{"kind": "stroke", "number": 1}',
        '{"kind": "well", "part": "camera"}',
        '{"kind": "trouble", "part": "speaker", "text": "it hangs; pull it"}',
        '{"kind": "well", "part": "never wrong"}',
    )
    assert served.troubles_in(log) == {"speaker": "it hangs; pull it"}
    assert served.troubles_in(()) == {}


HELD = {
    "camera": ("camera", "pictures"),
    "panel game": ("ssd1306 on I2C bus 1 at 0x3c",),
    "buttons": ("buttons",),
}


def test_a_running_board_that_finds_nothing_wrong() -> None:
    findings = served.check_held(HELD, {})
    assert [finding.part for finding in findings] == ["camera", "panel game", "buttons"]
    for finding in findings:
        is_(finding, finding.part, "ok", "finds nothing wrong", "systemctl stop setmatch.service")


def test_what_a_running_board_says_of_its_parts() -> None:
    troubles = {
        "pictures": "another size; restart it",
        "ssd1306 on I2C bus 1 at 0x3c": "it does not answer; check its four wires",
        "journal": "the disk is full; delete something",
        "reviews": "no room; delete something",
        "board": "looking for the board",
        "mqtt": "no broker; start it",
    }
    camera, panel, buttons, journal, reviews, board, mqtt = served.check_held(HELD, troubles)
    is_(camera, "camera", "broken", "another size", "restart it")
    is_(panel, "panel game", "broken", "does not answer", "check its four wires")
    is_(buttons, "buttons", "ok", "nothing wrong")
    is_(journal, "journal", "broken", "the disk is full")
    is_(reviews, "reviews", "warning", "no room")
    is_(board, "board", "broken", "looking for the board", "restart")
    is_(mqtt, "mqtt", "warning", "no broker")


def test_a_running_board_whose_log_is_kept_back() -> None:
    findings = served.check_held(HELD, None)
    assert [finding.part for finding in findings] == list(HELD)
    for finding in findings:
        is_(finding, finding.part, "warning", "held by the running board", "sudo")


# ---------------------------------------------------------------- panels, buttons, speaker

OLED = PanelSpec("ssd1306", I2cBus(1, 0x3C))
WIDE = PanelSpec("ssd1322", SpiBus())
SILENT = "the panel is not to be reached: it does not answer; check its four wires"


@pytest.mark.parametrize(
    ("spec", "error", "answers", "state", "words", "then"),
    [
        (OLED, "", None, "ok", "ssd1306 on I2C bus 1 at 0x3c answers", ""),
        (WIDE, "", None, "ok", "is written to", "see that it lights up"),
        (OLED, SILENT, None, "broken", "it does not answer", "check its four wires"),
        (OLED, SILENT, (), "broken", "(nobody answers on bus 1)", "check its four wires"),
        (OLED, SILENT, (0x3D, 0x68), "broken", "(on bus 1 answer: 0x3d, 0x68)", "the address at which it is"),
        (OLED, SILENT, (0x3C,), "broken", "it does not answer", "check its four wires"),
        (WIDE, "no SPI; switch it on", None, "broken", "no SPI", "switch it on"),
    ],
)
def test_a_panel(
    spec: PanelSpec, error: str, answers: tuple[int, ...] | None, state: str, words: str, then: str
) -> None:
    is_(parts.check_panel("game", spec, error, answers), "panel game", state, words, then)


def test_panels_that_nobody_named() -> None:
    (none,) = parts.check_unnamed_panels([], ())
    is_(none, "panels", "ok", "none is configured")
    assert parts.check_unnamed_panels([OLED], (0x3C, 0x68)) == ()
    (one,) = parts.check_unnamed_panels([OLED], (0x3C, 0x3D))
    is_(one, "panels", "warning", "at 0x3d", "[[panel]]")
    elsewhere = PanelSpec("ssd1306", I2cBus(3, 0x3D))
    (two,) = parts.check_unnamed_panels([WIDE, elsewhere], (0x3C, 0x3D))
    is_(two, "panels", "warning", "0x3c and 0x3d", "[[panel]]")


@pytest.mark.parametrize(
    ("press", "watched_s", "state", "words", "then"),
    [
        (Press(), 0.0, "ok", "GPIO 17 can be read", "--seconds"),
        (Press(presses=1), 20.0, "ok", "pressed once", ""),
        (Press(presses=2, began_down=True, ended_down=True), 20.0, "ok", "pressed 2 times", ""),
        (Press(), 20.0, "warning", "no press was seen in 20 s", "GPIO 17 and to ground"),
        (Press(began_down=True), 20.0, "warning", "no press was seen", "GPIO 17"),
        (Press(began_down=True, ended_down=True), 0.0, "warning", "GPIO 17 is down", "pull_up"),
        (Press(began_down=True, ended_down=True), 20.0, "broken", "down all the time", "pull_up"),
        (Press(error="no pins; buy a Pi"), 20.0, "broken", "no pins", "buy a Pi"),
    ],
)
def test_a_button(press: Press, watched_s: float, state: str, words: str, then: str) -> None:
    (finding,) = parts.check_button(CONFIRM, 17, press, watched_s)
    is_(finding, "A's CONFIRM", state, words, then)


def test_a_lamp_that_cannot_be_lit() -> None:
    button, lamp = parts.check_button(CONFIRM, 17, Press(presses=1, dark="no lamp; see to it"), 20.0)
    assert button.state == "ok"
    is_(lamp, "A's CONFIRM, lamp", "broken", "no lamp", "see to it")


CARDS = ("card 1: Device [USB Audio Device]",)
NAMES = ("null", "hw:CARD=Device,DEV=0", "plughw:CARD=Device,DEV=0")


def test_the_speaker() -> None:
    plays = parts.check_speaker("default", "", CARDS, ())
    is_(plays, "speaker", "ok", "'default' plays; sound cards: card 1: Device [USB Audio Device]")
    gone = parts.check_speaker("hw:9", "it cannot be used; plug it in", CARDS, NAMES)
    is_(gone, "speaker", "warning", "it cannot be used", "plug it in: plughw:CARD=Device,DEV=0")
    bare = parts.check_speaker("hw:9", "it cannot be used; plug it in", None, ())
    is_(bare, "speaker", "warning", "there is no sound card", "plug it in")
    assert not bare.next.endswith(":")


@pytest.mark.parametrize(
    ("missing", "state", "words"),
    [(0, "ok", "all 90 clips"), (3, "warning", "3 of 90 clips"), (90, "warning", "there are no clips")],
)
def test_the_voice(missing: int, state: str, words: str) -> None:
    then = "" if state == "ok" else f"setmatch voice --out {STATE}"
    is_(parts.check_voice(STATE, "fr", missing, 90), "voice", state, words, then)
    of_the_service = then and f"`sudo -u setmatch {then}`"
    is_(parts.check_voice(STATE, "fr", missing, 90, "setmatch"), "voice", state, words, of_the_service)
