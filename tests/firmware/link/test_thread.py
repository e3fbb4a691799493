"""The link at work: real ports (ptys, TCP on this computer), real threads, the real host."""

import os
import pty
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firmware.link.host import Host
from firmware.link.messages import Refused
from firmware.link.thread import LinkThread
from firmware.link.wire import LineReader, Notification, Request, Result, encoded
from hardware.errors import SerialPortError
from hardware.serial_port import Heard, SerialPort, open_port
from hardware.tcp_ports import MOST_AT_ONCE, TcpPorts
from tests.firmware.link.rig import NOON, MemoryBook

PATIENCE_S = 60.0


def until(true: Callable[[], object], what: str) -> None:
    """Wait until something is so; it fails if it never is."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.005)


def threads_of(*kinds: str) -> list[str]:
    """The names of the threads that begin so."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith(kinds)]


class Board:
    """A board on the link."""

    def __init__(self) -> None:
        self.said: list[str] = []
        numbers = iter(range(1, 10_000))
        self.host = Host(
            MemoryBook(),
            tokens=lambda: f"{next(numbers):032x}",
            wall=lambda: NOON,
            board="Board",
            software="1",
            now=time.monotonic(),
        )
        self.link = LinkThread(self.host, self.said.append)
        self.link.start()


@pytest.fixture
def board() -> Iterator[Board]:
    board = Board()
    yield board
    board.link.stop()
    board.link.stop()
    assert not threads_of("link", "reads", "writes", "opens")


class Controller:
    """The far end of a pseudo-terminal, which `name` is the near end of: what is plugged in."""

    def __init__(self, name: Path) -> None:
        self.name = name
        self.master, self._slave = pty.openpty()
        os.set_blocking(self.master, False)
        name.unlink(missing_ok=True)
        name.symlink_to(os.ttyname(self._slave))
        self._reader = LineReader()
        self.heard: list[Any] = []

    def send(self, method: str, id_: int = 1, **params: Any) -> None:
        os.write(self.master, encoded(Request(id_, method, params)))

    def hears(self, what: Callable[[Any], object]) -> Any:
        """The first thing heard that is so."""

        def found() -> list[Any]:
            with suppress(BlockingIOError):
                self.heard += self._reader.feed(os.read(self.master, 1 << 16))
            return [each for each in self.heard if what(each)]

        until(found, "a message")
        return found()[0]

    def asks(self, method: str, id_: int = 1, **params: Any) -> Any:
        self.heard.clear()
        self.send(method, id_, **params)
        return self.hears(lambda each: isinstance(each, Result) and each.id == id_).result

    def unplug(self) -> None:
        os.close(self._slave)
        os.close(self.master)
        self.name.unlink(missing_ok=True)


def _has_lines(port: "Stubborn", number: int) -> bool:
    return port.written.count(b"\n") == number


def offer(board: Board, path: Path) -> None:
    """And wait until it is open: what was said before goes with the opening."""
    board.link.offer(str(path), partial(open_port, str(path)))
    until(lambda: f"{path}: open" in board.said, "the port")


def test_a_controller_on_a_serial_port_is_served(board: Board, tmp_path: Path) -> None:
    controller = Controller(tmp_path / "a")
    offer(board, controller.name)
    assert controller.asks("hello", protocol=1, name="Ann")["board"] == "Board"
    assert controller.asks("seat.take", 2, name="Ann")["seat"] == 1
    controller.send("lobby.start", 3)
    controller.hears(lambda each: isinstance(each, Notification) and each.method == "game.changed")
    until(lambda: board.link.shown.view is not None, "the panels' view")
    assert board.link.command("game.end", {}) == {"agreed": True}
    with pytest.raises(Refused):
        board.link.command("game.end", {})
    controller.unplug()
    until(lambda: f"{controller.name}: gone" in board.said, "the end of the port")


def test_unplugged_and_back_as_another_device(board: Board, tmp_path: Path) -> None:
    """Under the name that udev gives it: the same link to another device."""
    first = Controller(tmp_path / "usb-Pico")
    offer(board, first.name)
    first.asks("hello", protocol=1, name="Ann")
    token = first.asks("seat.take", 2, name="Ann")["token"]
    first.unplug()
    until(lambda: not board.link.shown.lobby.table[0].present, "the seat to be empty")
    until(lambda: any("cannot be opened" in line for line in board.said), "a port that is not there")
    second = Controller(tmp_path / "usb-Pico")
    until(lambda: board.said.count(f"{first.name}: open") == 2, "the port to be opened again")
    second.asks("hello", protocol=1, name="Ann")
    assert second.asks("seat.resume", 2, token=token)["seat"] == 1
    assert sum("cannot be opened" in line for line in board.said) == 1
    second.unplug()


def test_by_tcp_on_this_computer(board: Board) -> None:
    ports = TcpPorts(0, lambda name, opener: board.link.offer(name, opener, once=True))
    with pytest.raises(SerialPortError, match="give another"):
        TcpPorts(ports.port, lambda name, opener: None)
    with socket.create_connection(("127.0.0.1", ports.port)) as connection:
        connection.sendall(encoded(Request(1, "ping")))
        assert LineReader().feed(connection.recv(4096)) == [Result(1, {})]
    until(lambda: any(line.endswith(": gone") for line in board.said), "the end of the connection")
    ports.close()
    ports.close()


class Stubborn:
    """A port whose far end takes nothing."""

    def __init__(self, heard: Heard) -> None:
        self.heard = heard
        self.written = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    @property
    def waiting(self) -> int:
        return len(self.written)

    def close(self) -> None:
        self.closed = True


def test_a_port_that_takes_nothing_is_not_filled_and_closed_in_the_end(board: Board) -> None:
    made: list[Stubborn] = []

    def opener(heard: Heard) -> SerialPort:
        made.append(Stubborn(heard))
        return made[-1]

    board.link.offer("stubborn", opener)
    until(lambda: made, "the port")
    port = made[0]
    for number in range(200):
        port.heard(encoded(Request(number, "lobby.view")))
    until(lambda: port.closed, "the port to be closed")
    assert len(port.written) <= 2 * 4097
    assert any("does not read" in line for line in board.said)
    # What comes from a port that was given up is nothing, also when another of its name is there.
    until(lambda: len(made) == 2, "the port to be opened again")
    port.heard(encoded(Request(1, "ping")))
    made[1].heard(encoded(Request(2, "ping")))
    until(lambda: made[1].written, "an answer")
    assert LineReader().feed(made[1].written) == [Result(2, {})]
    board.link.withdraw("stubborn")
    until(lambda: made[1].closed, "the port to be given back")


def test_a_bug_in_an_adapter_ends_one_port_and_not_the_link(board: Board) -> None:
    class Broken(Stubborn):
        def write(self, data: bytes) -> None:
            raise ZeroDivisionError("a bug")

    made: list[Stubborn] = []

    def opener(kind: type[Stubborn]) -> Callable[[Heard], SerialPort]:
        def opened(heard: Heard) -> SerialPort:
            made.append(kind(heard))
            return made[-1]

        return opened

    def failing(heard: Heard) -> SerialPort:
        raise RuntimeError("another")

    board.link.offer("failing", failing)
    board.link.offer("broken", opener(Broken))
    until(lambda: made, "the port")
    made[0].heard(encoded(Request(1, "ping")))
    until(lambda: made[0].closed, "the port to be closed")
    assert any("ZeroDivisionError" in line for line in board.said)
    assert "another" in board.said
    board.link.withdraw("broken")
    board.link.offer("sound", opener(Stubborn))
    until(lambda: any(line == "sound: open" for line in board.said), "the other port")
    made[-1].heard(encoded(Request(2, "ping")))
    until(lambda: made[-1].written, "an answer")


class Taking(Stubborn):
    """A port whose far end takes all."""

    @property
    def waiting(self) -> int:
        return 0


def test_a_flood_is_cut_off_and_the_others_are_served(board: Board) -> None:
    ports = TcpPorts(0, lambda name, opener: board.link.offer(name, opener, once=True))
    with socket.create_connection(("127.0.0.1", ports.port)) as good:
        good.settimeout(PATIENCE_S)
        reader = LineReader()

        def asks(id_: int) -> list[Any]:
            good.sendall(encoded(Request(id_, "ping")))
            return reader.feed(good.recv(4096))

        assert asks(1) == [Result(1, {})]
        with socket.create_connection(("127.0.0.1", ports.port)) as flood:
            flood.settimeout(PATIENCE_S)
            with suppress(ConnectionError):
                while True:
                    flood.sendall(b"x\n" * 2048)
        until(lambda: any(line.endswith("floods the link; it is closed") for line in board.said), "its end")
        assert asks(2) == [Result(2, {})]
    ports.close()


def turned(link: LinkThread, made: list[Stubborn], name: str) -> Stubborn:
    """A port that is opened by a link that no thread serves."""

    def opener(heard: Heard) -> SerialPort:
        made.append(Taking(heard))
        return made[-1]

    before = len(made)
    link.offer(name, opener)
    assert link.turn(0)
    assert len(made) == before + 1
    return made[-1]


def by_hand(clock: Callable[[], float], said: list[str]) -> LinkThread:
    host = Host(
        MemoryBook(), tokens=lambda: f"{1:032x}", wall=lambda: NOON, board="Board", software="1", now=clock()
    )
    return LinkThread(host, said.append, clock)


def test_a_turn_ends_however_much_has_come() -> None:
    """And who is served in between has their answers, in the order in which all of it came."""
    link = by_hand(lambda: 0.0, [])
    made: list[Stubborn] = []
    noisy, good = turned(link, made, "noisy"), turned(link, made, "good")
    for _ in range(500):
        noisy.heard(b"x\n")
    good.heard(encoded(Request(1, "ping")))
    turns = 0
    while not good.written:
        assert link.turn(0)
        turns += 1
    assert turns > 1
    # What waits is no reason to go on when it is to end.
    for _ in range(500):
        noisy.heard(b"x\n")
    good.heard(encoded(Request(2, "ping")))
    link.stop()
    assert not link.turn(0)
    assert good.written == encoded(Result(1, {}))


@pytest.mark.parametrize("piece", [b"x", b"x\n" * 2048])
def test_what_waits_of_a_port_is_bounded(piece: bytes) -> None:
    now = 0.0
    said: list[str] = []
    link = by_hand(lambda: now, said)
    made: list[Stubborn] = []
    flood, good = turned(link, made, "flood"), turned(link, made, "good")
    for _ in range(10_000):
        now += 0.1  # a slow flood, which nobody looks at
        flood.heard(piece)
    assert link._queue.qsize() * (len(piece) + 64) < (1 << 17) + 2 * (len(piece) + 64)
    good.heard(encoded(Request(1, "ping")))
    while not good.written:
        assert link.turn(0)
    assert flood.closed
    assert said.count("flood: floods the link; it is closed") == 1
    assert good.written == encoded(Result(1, {}))
    # After a while it is tried again, with nothing against it.
    assert link.turn(0)
    assert len(made) == 2
    now += 10.0
    assert link.turn(0)
    assert len(made) == 3
    made[2].heard(encoded(Request(2, "ping")))
    assert link.turn(0)
    assert made[2].written == encoded(Result(2, {}))


def test_a_flood_that_is_looked_at_is_cut_off_too() -> None:
    """It would have a core of the board's to itself. A line of 115,200 baud that is full of noise is none."""
    now = 0.0
    said: list[str] = []
    link = by_hand(lambda: now, said)
    made: list[Stubborn] = []
    noise, flood = turned(link, made, "noise"), turned(link, made, "flood")
    for _ in range(1000):
        now += 0.01
        noise.heard(b"x\n" * 58)
        flood.heard(b"x\n" * 1000)
        assert link.turn(0)
    assert "flood: floods the link; it is closed" in said
    assert not noise.closed


def test_time_goes_no_further_than_what_was_taken() -> None:
    """A claim of the last instant counts, however much came before and after it."""
    now = 0.0
    link = by_hand(lambda: now, [])
    made: list[Stubborn] = []
    port = turned(link, made, "port")
    ticked: list[float] = []
    tick = link._host.tick

    def noted(now: float) -> float | None:
        ticked.append(now)
        return tick(now)

    link._host.tick = noted  # type: ignore[method-assign]
    for _ in range(100):
        port.heard(b"x\n")
        now += 1.0
    assert link.turn(0)
    assert ticked == [63.0]
    assert link.turn(0)
    assert ticked == [63.0, 100.0]


def test_what_was_asked_of_a_busy_link_is_not_done_later() -> None:
    link = by_hand(lambda: 0.0, [])
    with pytest.raises(TimeoutError, match="nothing was done; ask again"):
        link.command("lobby.choose", {"game": "set", "seats": 3}, timeout_s=0)
    assert link.turn(0)
    assert link.shown.lobby.seats is None


def test_what_the_link_still_does_is_said_so(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go, begun = threading.Event(), threading.Event()

    def slow(method: str, params: Any, now: float) -> dict[str, Any]:
        begun.set()
        assert let_go.wait(PATIENCE_S)
        return {}

    monkeypatch.setattr(board.host, "command", slow)
    told: list[str] = []

    def ask() -> None:
        while not begun.is_set():
            try:
                board.link.command("lobby.view", {}, timeout_s=0.05)
            except TimeoutError as error:
                told.append(str(error))

    asker = threading.Thread(target=ask)
    asker.start()
    asker.join()
    let_go.set()
    assert "still does it" in told[-1]


def named(made: dict[str, Taking], name: str) -> Callable[[Heard], SerialPort]:
    """Opens a port that is found in `made` by its name."""

    def opened(heard: Heard) -> SerialPort:
        made[name] = Taking(heard)
        return made[name]

    return opened


def test_who_connects_and_says_no_hello_gives_up_the_place() -> None:
    now = 0.0
    said: list[str] = []
    link = by_hand(lambda: now, said)
    made: dict[str, Taking] = {}
    for name in ("silent", "pings", "polite"):
        link.offer(name, named(made, name), once=True)
    link.offer("serial", named(made, "serial"))
    assert link.turn(0)
    made["polite"].heard(encoded(Request(1, "hello", {"protocol": 1, "name": "Ann"})))
    made["pings"].heard(encoded(Request(1, "ping")))
    now = 9.9
    assert link.turn(0)
    assert not any(port.closed for port in made.values())
    assert link._patience_s() == pytest.approx(0.1)
    now = 10.0
    assert link.turn(0)
    assert [name for name, port in made.items() if port.closed] == ["silent", "pings"]
    assert "silent: said no hello for 10 s; it is closed" in said
    now = 60.0
    made["polite"].heard(encoded(Request(2, "ping")))
    for _ in range(3):
        assert link.turn(0)
    assert not made["polite"].closed
    assert not made["serial"].closed  # a controller may be switched on at any time


def hello(port: Stubborn, number: int = 1) -> None:
    port.heard(encoded(Request(number, "hello", {"protocol": 1, "name": "Ann"})))


def answer_pings(port: Taking) -> None:
    """As a controller does: what it was told so far is forgotten."""
    told, port.written = port.written, b""
    for message in LineReader().feed(told):
        if isinstance(message, Request) and message.method == "ping":
            port.heard(encoded(Result(message.id, {})))


def test_who_has_said_hello_and_then_answers_nothing_gives_up_the_place() -> None:
    now = 0.0
    said: list[str] = []
    link = by_hand(lambda: now, said)
    made: dict[str, Taking] = {}
    for name in ("dead", "noise", "alive"):
        link.offer(name, named(made, name), once=True)
    link.offer("serial", named(made, "serial"))
    assert link.turn(0)
    for port in made.values():
        hello(port)
    made["dead"].heard(encoded(Request(2, "seat.take", {"name": "Ann"})))
    for second in range(60):
        now = float(second)
        assert link.turn(0)
        answer_pings(made["alive"])
        made["noise"].heard(b"\xff\n")
        closed = [name for name, port in made.items() if port.closed]
        assert closed == ([] if second < 20 else ["dead", "noise"]), second
    assert said.count("dead: answers nothing; it is closed, its seat kept") == 1
    (seat,) = link.shown.lobby.table
    assert (seat.name, seat.present) == ("Ann", False)
    # On a serial port whoever was switched off is heard again.
    assert not made["serial"].closed
    made["serial"].heard(encoded(Request(2, "ping")))
    made["serial"].written = b""
    assert link.turn(0)
    assert made["serial"].written == encoded(Result(2, {}))


def test_a_board_that_was_busy_for_long_still_waits_for_an_answer() -> None:
    """It asks first: who was not asked has not been silent."""
    now = 0.0
    link = by_hand(lambda: now, [])
    made: dict[str, Taking] = {}
    link.offer("alive", named(made, "alive"), once=True)
    assert link.turn(0)
    hello(made["alive"])
    assert link.turn(0)
    now = 100.0
    for _ in range(3):
        assert link.turn(0)
    assert not made["alive"].closed
    now = 109.9
    answer_pings(made["alive"])
    assert link.turn(0)
    now = 110.0
    assert link.turn(0)
    assert not made["alive"].closed
    made["alive"].written = b""
    now = 120.0  # it is asked again, and does not answer any more
    assert link.turn(0)
    now = 130.0
    assert link.turn(0)
    assert made["alive"].closed


def test_the_places_of_those_that_answer_nothing_are_free_again() -> None:
    """Real connections, as many as there are places."""
    now = 0.0
    link = by_hand(lambda: now, [])
    ports = TcpPorts(0, lambda name, opener: link.offer(name, opener, once=True))
    with ExitStack() as stack:
        stack.callback(ports.close)

        def connected() -> socket.socket:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", ports.port)))
            connection.settimeout(PATIENCE_S)
            connection.sendall(encoded(Request(1, "hello", {"protocol": 1, "name": "Ann"})))
            return connection

        def greeted() -> int:
            assert link.turn(0)
            return sum(map(link._host.greeted, link._offers))

        held = [connected() for _ in range(MOST_AT_ONCE)]
        until(lambda: greeted() == MOST_AT_ONCE, "their greetings")
        now = 10.0
        assert link.turn(0)
        now = 20.0
        assert link.turn(0)
        assert not link._offers
        for each in held:
            with suppress(ConnectionError):
                while each.recv(4096):
                    pass
        until(lambda: not threads_of("reads tcp"), "the end of their ports")
        connected()
        until(lambda: greeted() == 1, "another's greeting")
        (name,) = link._offers
        link.withdraw(name)
        assert link.turn(0)


def test_the_order_of_arrival_is_the_order_of_the_queue(board: Board) -> None:
    """Twenty ports whose threads all speak at once: every request is answered once, none is lost."""
    made: dict[int, Stubborn] = {}

    def opener(number: int) -> Callable[[Heard], SerialPort]:
        def opened(heard: Heard) -> SerialPort:
            made[number] = Taking(heard)
            return made[number]

        return opened

    for number in range(20):
        board.link.offer(f"port{number}", opener(number))
    until(lambda: len(made) == 20, "the ports")

    def speak(number: int) -> None:
        for id_ in range(200):
            line = encoded(Request(id_, "ping"))
            made[number].heard(line[:11])
            made[number].heard(line[11:])

    speakers = [threading.Thread(target=speak, args=(number,)) for number in range(20)]
    for each in speakers:
        each.start()
    for each in speakers:
        each.join()
    for port in made.values():
        until(partial(_has_lines, port, 200), "all answers")
        assert LineReader().feed(port.written) == [Result(id_, {}) for id_ in range(200)]
