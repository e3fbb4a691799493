"""Checks of the computer itself: memory, disk, heat, voltage, clock, ports. Pure: values in, findings out."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from firmware.doctor.findings import Finding, broken, ok, told, warning
from hardware.system import Disk, Memory, Power, SerialPort, Strays

_MB: Final = 1_000_000
_GB: Final = 1_000_000_000
NEEDED_MB: Final = 250
"""What the daemon takes (tests/bench/README.md); it was measured on x86."""
_SPARE_MB: Final = 100
"""What is to be left beside it, and the least while it runs."""
_LEAST_DISK_MB: Final = 20
"""A journal grows by a few kilobytes a match; SQLite and the system want some room of their own."""
_HOT_C: Final = 80.0
"""From here on a Pi holds its processor back, and from `_TOO_HOT_C` on all of it (Raspberry Pi's
documentation, "Frequency management and thermal control")."""
_TOO_HOT_C: Final = 85.0
_BEFORE: Final = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier day was never set."""


def check_computer(model: str | None, release: str | None) -> Finding:
    """Which computer it is."""
    system = release or "an operating system that does not tell its name"
    return ok("computer", f"{model or 'not a Raspberry Pi'}, {system}")


def check_memory(memory: Memory | None, *, runs: bool) -> Finding:
    """`runs`: the board's program has its memory already."""
    if memory is None:
        return ok("memory", "not told by this computer")
    free, needed = memory.available // _MB, 0 if runs else NEEDED_MB
    text = f"{_size(memory.available)} free of {_size(memory.total)}"
    if free >= needed + _SPARE_MB:
        return ok("memory", text)
    if free >= needed:
        return warning(
            "memory", f"{text}: little is left", "end other programs, or take a Pi with more memory"
        )
    what = f"the board needs {needed} MB" if needed else "none is left"
    return broken("memory", f"{text}: {what}", "end other programs, or take a Pi with more memory")


def check_disk(disk: Disk | None, folder: Path, keep_mb: int, blocked: Path | None = None) -> Finding:
    """Of the folder for state. `keep_mb`: room that is set aside for the pictures of reviews. `blocked`: what
    is no folder, and stands where that, or one above it, would be."""
    then = "name another folder: directory under [state], or --state"
    if blocked is not None:
        return broken("disk", f"nothing can be kept in {folder}: {blocked} is no folder", then)
    if disk is None:
        return broken("disk", f"nothing can be kept in {folder}", then)
    if not disk.total:  # as of /proc and /sys
        return broken("disk", f"nothing can be kept in {folder}: {disk.place} has no room for files", then)
    text = f"{_size(disk.free)} free of {_size(disk.total)} at {disk.place}"
    if disk.read_only:
        then = "restart the computer; if it stays so, the memory card is worn out: replace it"
        return broken(
            "disk", f"{disk.place} cannot be written to: its disk is mounted for reading only", then
        )
    free = disk.free // _MB
    if free < _LEAST_DISK_MB:
        return broken("disk", f"{text}: matches cannot be kept", "delete what is not needed")
    if free < keep_mb + _LEAST_DISK_MB:
        then = f"delete what is not needed, or lower keep_mb under [review] ({keep_mb})"
        return warning("disk", f"{text}: too little for the reviews' pictures", then)
    if not disk.writable:
        then = "ask again as the user that the board runs as, or with sudo"
        return warning("disk", f"{text}; this user may not write there", then)
    return ok("disk", text)


def check_strays(strays: Strays, folder: Path) -> Finding:
    """Of the folder for state: files that its owner cannot write, and who plays as its owner neither."""
    first, *others = (str(path.relative_to(folder)) for path in strays.paths)
    text = first if not others else f"{first} and {len(others)} more"
    return broken(
        "disk",
        f"{strays.owner}, whose folder {folder} is, cannot write {text} in it: matches cannot be kept",
        f"sudo chown -R {strays.owner}: {folder}, and play as that user from now on",
    )


def check_temperature(temperature_c: float | None) -> Finding:
    """Of the processor."""
    if temperature_c is None:
        return ok("temperature", "not told by this computer")
    text, then = f"{temperature_c:.0f} °C", "let air to it, or fit a heat sink or a fan"
    if temperature_c >= _TOO_HOT_C:
        return broken("temperature", f"{text}: too hot, all of the computer is slowed down", then)
    if temperature_c >= _HOT_C:
        return warning("temperature", f"{text}: the processor is slowed down", then)
    return ok("temperature", text)


def check_power(power: Power | None) -> Finding:
    """Of a Pi's supply."""
    then = "take the power supply that was made for this Pi, and a short thick cable"
    if power is None:
        return ok("voltage", "not told by this computer")
    if power.low_now:
        return broken("voltage", "too low: the computer may stop at any moment", then)
    if power.was_low:
        return warning("voltage", "well now, but it has been too low since the start", then)
    if power.slowed_now:
        return warning("voltage", "well, but the processor is being held back", "let air to it")
    if power.was_slowed:
        then = "let air to it, if that happens in play"
        return warning("voltage", "well, but the processor has been held back since the start", then)
    return ok("voltage", "well since the start")


def check_clock(now: datetime, synchronised: bool | None, *, own: bool) -> Finding:
    """`now`: UTC, as the computer has it. `own`: a clock goes on while the power is off. A match is kept with
    its day and hour; all else goes by a clock that only has to run."""
    text = f"{now:%Y-%m-%d %H:%M} UTC"
    then = "connect it to a network for a minute, or set it with `sudo date --set`"
    if now < _BEFORE:
        return broken("clock", f"{text}: it was never set, and matches would be kept under that day", then)
    match synchronised:
        case True:
            return ok("clock", f"{text}, by the network")
        case False if not own:
            text = f"{text}: perhaps wrong, it follows no network, and no charged battery is seen"
            return warning("clock", text, then)
        case False:
            return ok("clock", f"{text}, by its own clock")
        case _:
            return ok("clock", text)


def check_serial_ports(ports: tuple[SerialPort, ...]) -> tuple[Finding, ...]:
    """Where controllers are plugged in."""
    if not ports:
        return (ok("serial ports", "no controller is plugged in"),)
    return tuple(_port(port) for port in ports)


def check_named_port(url: str, usable: bool | None) -> tuple[Finding, ...]:
    """A serial port under [link]. `usable`: this user may read and write it; None if it is not there."""
    if usable is None:
        then = "plug the controller in; if it is, see with `ls /dev/serial/by-id` what its port is called"
        return (warning("serial port", f"{url} under [link] is not there, and is waited for", then),)
    if not usable:
        then = "add the user to the group `dialout`, and log in again"
        return (broken("serial port", f"this user may not use {url} under [link]", then),)
    return ()


def check_tcp_port(port: int, error: str) -> Finding:
    """The port under [link] for programs. `error`: why it cannot be listened on, empty if it can."""
    if not error:
        return ok("link", f"port {port} of this computer can be listened on")
    finding = told("link", error)
    return broken("link", finding.text, f"{finding.next} as tcp under [link], or end what has it")


def _port(port: SerialPort) -> Finding:
    if not port.usable:
        then = "add the user to the group `dialout`, and log in again"
        return broken("serial port", f"{port.name}: this user may not use {port.device}", then)
    if not port.by_id:
        then = "see that udev runs, or take another cable: a controller's name is to stay the same"
        return warning("serial port", f"{port.name} has no lasting name under /dev/serial/by-id", then)
    return ok("serial port", f"{port.name} ({port.device})")


def _size(number: int) -> str:
    return f"{number / _GB:.1f} GB" if number >= _GB else f"{number / _MB:.0f} MB"
