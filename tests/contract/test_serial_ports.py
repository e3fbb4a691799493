"""The serial port's contract, run on the twin, and on the adapter with a pty and with TCP connections.

Nothing here waits for time to pass, but for what is to come, with a bound.
"""

import gc
import os
import pty
import socket
import struct
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import pytest

from hardware.errors import SerialPortError
from hardware.plugged_ports import PluggedPorts, plugged_in
from hardware.serial_port import Heard, SerialPort, may_wait, open_port
from hardware.simulated.serial_port import BITS_A_BYTE, SimulatedDevice
from hardware.tcp_ports import MOST_AT_ONCE, TcpPorts

PATIENCE_S = 30.0


def until(found: Callable[[], bool]) -> None:
    """Wait for it."""
    end = time.monotonic() + PATIENCE_S
    while not found():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.002)


class Ear:
    """Who hears a port."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.ends = 0

    def __call__(self, data: bytes | None) -> None:
        assert not self.ends, "something was heard after the end"
        if data is None:
            self.ends += 1
        else:
            assert data, "nothing was heard"
            self.data += data


class Device(Protocol):
    """What is plugged in, and its cable."""

    def open(self, heard: Heard) -> SerialPort: ...

    def send(self, data: bytes) -> None: ...

    def received(self) -> bytes: ...

    def unplug(self) -> None: ...

    def plug_in(self) -> None: ...

    def close(self) -> None: ...


class Twin(SimulatedDevice):
    def close(self) -> None:
        pass


class Pty:
    """A pty, whose far end is opened by its path with pyserial. The path is a link, as udev's are."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "usb-a_pico"
        self.plug_in()

    def open(self, heard: Heard) -> SerialPort:
        return open_port(str(self.path), heard)

    def send(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(self._device, left) :]

    def received(self) -> bytes:
        os.set_blocking(self._device, False)
        try:
            return os.read(self._device, 65536)
        except BlockingIOError:
            return b""
        finally:
            os.set_blocking(self._device, True)

    def unplug(self) -> None:
        self.path.unlink()
        os.close(self._device)

    def plug_in(self) -> None:
        self._device, end = pty.openpty()
        tty.setraw(end)
        self.path.symlink_to(os.ttyname(end))
        self._end = end

    def close(self) -> None:
        for each in (self._device, self._end):
            with suppress(OSError):  # closed by then
                os.close(each)


class Url:
    """A computer that listens, opened by pyserial as socket://."""

    def __init__(self) -> None:
        self._far: socket.socket | None = None
        self.plug_in()

    def open(self, heard: Heard) -> SerialPort:
        port = open_port(f"socket://127.0.0.1:{self._number}", heard)
        self._far, _ = self._server.accept()
        return port

    def send(self, data: bytes) -> None:
        assert self._far is not None
        self._far.sendall(data)

    def received(self) -> bytes:
        assert self._far is not None
        try:
            return self._far.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return b""

    def unplug(self) -> None:
        self._server.close()
        if self._far is not None:
            self._far.close()

    def plug_in(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._number = self._server.getsockname()[1]

    def close(self) -> None:
        self.unplug()


class Tcp:
    """A program that connects to this computer's own port."""

    def __init__(self) -> None:
        self._openers: list[Callable[[Heard], SerialPort]] = []
        self._ports = TcpPorts(0, lambda name, opener: self._openers.append(opener))
        self._far: socket.socket | None = None
        self._plugged = True

    def open(self, heard: Heard) -> SerialPort:
        if not self._plugged:
            # Who is not there does not connect, and nothing is offered.
            raise SerialPortError("nobody has connected; connect to 127.0.0.1")
        before = len(self._openers)
        self._far = socket.create_connection(("127.0.0.1", self._ports.port))
        until(lambda: len(self._openers) > before)
        return self._openers[-1](heard)

    def send(self, data: bytes) -> None:
        assert self._far is not None
        self._far.sendall(data)

    def received(self) -> bytes:
        assert self._far is not None
        try:
            return self._far.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return b""

    def unplug(self) -> None:
        self._plugged = False
        if self._far is not None:
            self._far.close()

    def plug_in(self) -> None:
        self._plugged = True

    def close(self) -> None:
        self.unplug()
        self._ports.close()


@pytest.fixture(params=["twin", "pty", "url", "tcp"])
def device(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Device]:
    made: Device
    match request.param:
        case "twin":
            made = Twin("usb-a_pico")
        case "pty":
            made = Pty(tmp_path)
        case "url":
            made = Url()
        case _:
            made = Tcp()
    yield made
    made.close()


def test_bytes_go_both_ways_as_they_are(device: Device) -> None:
    ear = Ear()
    port = device.open(ear)
    every = bytes(range(256)) * 4
    device.send(every)
    until(lambda: len(ear.data) >= len(every))
    assert bytes(ear.data) == every  # no byte means anything to a line: neither ^C, ^S, CR nor 0xFF
    port.write(every[:600])
    port.write(every[600:])
    got = bytearray()

    def all_there() -> bool:
        got.extend(device.received())
        return len(got) >= len(every)

    until(all_there)
    assert bytes(got) == every
    until(lambda: port.waiting == 0)
    port.close()


def test_half_a_line_is_heard_without_its_end(device: Device) -> None:
    ear = Ear()
    port = device.open(ear)
    device.send(b'{"half":')
    until(lambda: bytes(ear.data) == b'{"half":')
    port.close()


def test_a_port_that_was_given_back_is_not_heard_of(device: Device) -> None:
    ear = Ear()
    port = device.open(ear)
    port.close()
    port.close()
    device.unplug()
    assert not ear.ends
    assert not ear.data
    with pytest.raises(SerialPortError, match="gone"):
        port.write(b"x")


def test_what_was_written_last_is_still_sent(device: Device) -> None:
    port = device.open(Ear())
    port.write(b"good ")
    port.write(b"bye\n")
    got = bytearray()
    port.close()

    def all_there() -> bool:
        with suppress(OSError):  # a pty that nobody has open
            got.extend(device.received())
        return bytes(got) == b"good bye\n"

    until(all_there)


def test_pulling_the_plug_is_heard_once_and_last(device: Device) -> None:
    ear = Ear()
    port = device.open(ear)
    device.send(b"before")
    until(lambda: bytes(ear.data) == b"before")
    device.unplug()
    until(lambda: ear.ends == 1)
    with pytest.raises(SerialPortError, match="plug it in"):
        port.write(b"x")
    with pytest.raises(SerialPortError):
        device.open(Ear())
    port.close()
    assert ear.ends == 1
    device.plug_in()
    again = Ear()
    port = device.open(again)
    device.send(b"after")
    until(lambda: bytes(again.data) == b"after")
    port.close()


def test_who_hears_may_close_the_port(device: Device) -> None:
    ports: list[SerialPort] = []
    heard: list[bytes | None] = []
    ready = threading.Event()

    def ear(data: bytes | None) -> None:
        assert ready.wait(PATIENCE_S)
        heard.append(data)
        ports[0].close()

    ports.append(device.open(ear))
    ready.set()
    device.send(b"once")
    until(lambda: bool(heard))
    assert len(heard) == 1
    with pytest.raises(SerialPortError):
        ports[0].write(b"x")


def test_who_does_not_read_makes_nobody_wait(device: Device) -> None:
    if isinstance(device, SimulatedDevice):
        device.read_nothing()
    port = device.open(Ear())
    piece = bytes(60_000)
    refused = None
    for _ in range(1000):
        try:
            port.write(piece)
        except SerialPortError as error:
            refused = error
            break
    assert refused is not None
    assert "reads" in str(refused)
    assert port.waiting >= len(piece)
    port.close()  # what waits is given up: no thread goes on with it
    until(lambda: not [each for each in threading.enumerate() if "writes" in each.name])


def test_a_port_is_one_programs_alone(tmp_path: Path) -> None:
    for device in (Twin("usb-a_pico"), Pty(tmp_path)):
        port = device.open(Ear())
        with pytest.raises(SerialPortError, match="cannot be opened"):
            device.open(Ear())
        port.close()
        device.open(Ear()).close()
        device.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("/dev/does-not-exist", "No such file.*plugged in"),
        ("nonsense://somewhere", "cannot be opened.*write a device"),
        ("socket://127.0.0.1", "cannot be opened.*HOST:PORT"),
        ("socket://127.0.0.1:1", "cannot be opened.*switched on"),
    ],
)
def test_what_is_no_port(url: str, words: str) -> None:
    with pytest.raises(SerialPortError, match=words):
        open_port(url, Ear())


def test_only_another_computer_is_waited_for() -> None:
    assert may_wait("socket://far:4107")
    assert may_wait("RFC2217://far:4107")
    assert not may_wait("/dev/serial/by-id/usb-Pico_E660:1")


def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SerialPortError, match="cannot be opened"):
        open_port(str(tmp_path / "file"), Ear())


def test_a_far_end_that_breaks_off_leaves_no_socket_open() -> None:
    """With what it was sent unread: the connection is reset."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ear = Ear()
        port = open_port(f"socket://127.0.0.1:{server.getsockname()[1]}", ear)
        far, _ = server.accept()
        port.write(b"unread")
        until(lambda: far.recv(6, socket.MSG_PEEK) == b"unread")
        far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        far.close()
        until(lambda: ear.ends == 1)
        port.close()
        gc.collect()  # a socket that was forgotten open is told now, and fails the test


def test_pyserials_loop_says_what_it_is_told() -> None:
    ear = Ear()
    port = open_port("loop://", ear)
    port.write(b"hello")
    until(lambda: bytes(ear.data) == b"hello")
    port.close()


# ---------------------------------------------------------------- the twin's cable


def test_the_twins_bytes_take_their_time() -> None:
    now = 0.0
    device = SimulatedDevice("usb-a_pico", lambda: now, baud=9600)
    ear = Ear()
    port = device.open(ear)
    device.send(bytes(100))
    port.write(bytes(10))
    assert not ear.data
    assert port.waiting == 10
    assert device.due() == pytest.approx(10 * BITS_A_BYTE / 9600)
    now = 64 * BITS_A_BYTE / 9600
    device.catch_up()
    assert len(ear.data) == 64
    assert device.received() == bytes(10)
    assert port.waiting == 0
    now = 100 * BITS_A_BYTE / 9600
    device.catch_up()
    assert len(ear.data) == 100
    assert device.due() is None


def test_the_twins_bytes_are_lost_with_the_cable() -> None:
    now = 0.0
    device = SimulatedDevice("usb-a_pico", lambda: now, baud=9600)
    ear = Ear()
    device.open(ear)
    device.send(bytes(100))
    now = 0.01
    device.unplug()
    assert ear.ends == 1
    device.plug_in("usb-another")
    again = Ear()
    device.open(again)
    now = 10.0
    device.catch_up()
    assert not again.data
    assert device.name == "usb-another"


# ---------------------------------------------------------------- which ports there are


def test_ports_come_and_go(tmp_path: Path) -> None:
    folder = tmp_path / "by-id"
    told: list[tuple[str, str]] = []
    ports = PluggedPorts(
        lambda path: told.append(("in", Path(path).name)),
        lambda path: told.append(("out", Path(path).name)),
        folder,
    )
    ports.look()  # without any port there is no folder
    assert plugged_in(folder) == ()
    folder.mkdir()
    for name in ("usb-b", "usb-a"):
        (folder / name).symlink_to("../../ttyACM0")
    ports.look()
    ports.look()
    (folder / "usb-a").unlink()
    (folder / "usb-c").symlink_to("../../ttyACM1")
    ports.look()
    assert told == [("in", "usb-a"), ("in", "usb-b"), ("out", "usb-a"), ("in", "usb-c")]
    assert plugged_in(folder) == (str(folder / "usb-b"), str(folder / "usb-c"))


def test_ports_are_looked_for_by_a_thread_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "usb-a").touch()
    told: list[str] = []
    ports = PluggedPorts(told.append, told.append, tmp_path)
    ports.close()  # before it was started there is nothing to end
    ports = PluggedPorts(told.append, told.append, tmp_path)
    ports.start()
    until(lambda: told == [str(tmp_path / "usb-a")])
    ports.close()
    ports.close()


def test_a_tcp_port_that_is_taken_is_told() -> None:
    ports = TcpPorts(0, lambda name, opener: None)
    with pytest.raises(SerialPortError, match="give another"):
        TcpPorts(ports.port, lambda name, opener: None)
    ports.close()


def test_connections_are_bounded_and_named_apart() -> None:
    names: list[str] = []
    openers: list[Callable[[Heard], SerialPort]] = []

    def plugged(name: str, opener: Callable[[Heard], SerialPort]) -> None:
        names.append(name)
        openers.append(opener)

    ports = TcpPorts(0, plugged)
    there = [socket.create_connection(("127.0.0.1", ports.port)) for _ in range(MOST_AT_ONCE)]
    until(lambda: len(openers) == MOST_AT_ONCE)
    with socket.create_connection(("127.0.0.1", ports.port)) as one_too_many:
        one_too_many.settimeout(PATIENCE_S)
        assert one_too_many.recv(1) == b""
    # One goes, and another has its room.
    ear = Ear()
    first = openers[0](ear)
    there[0].close()
    until(lambda: ear.ends == 1)
    first.close()
    with socket.create_connection(("127.0.0.1", ports.port)):
        until(lambda: len(openers) == MOST_AT_ONCE + 1)
    ports.close()
    assert len(set(names)) == len(names)
    for opener in openers[1:]:
        opener(Ear()).close()
    for each in there:
        each.close()
