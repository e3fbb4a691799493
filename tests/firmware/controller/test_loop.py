"""The loop of a controller: ports that go and come back, and their last words. Time is the test's."""

import queue

import pytest

from firmware.controller.client import Client
from firmware.controller.loop import AGAIN_S, Arrived, Inbox, Input, Loop, Port, PortGone, Typed
from firmware.controller.players import Program, Teller
from firmware.link.wire import Result, encoded
from hardware.errors import SerialPortError

HELLO = encoded(Result(1, {"protocol": 1, "board": "Board", "software": "1", "boot": "b"}))
SEATED = encoded(Result(2, {"seat": 3, "token": "7" * 32, "acts": 0}))


class FakePort:
    """Keeps what is written; `fails`: it is gone."""

    def __init__(self) -> None:
        self.written = b""
        self.closed = False
        self.fails = False

    def write(self, data: bytes) -> None:
        if self.fails:
            raise SerialPortError("gone")
        self.written += data

    def close(self) -> None:
        self.closed = True


class TimedInbox(Inbox):
    """An inbox that was filled beforehand. To wait for more is to let time go by; the program's input ends in
    its time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def empty(self) -> bool:
        """Things come one by one."""
        return True

    def get(self, block: bool = True, timeout: float | None = None) -> Input:
        try:
            return super().get(block=False)
        except queue.Empty:
            assert timeout is not None, "nothing is due, and nothing will come"
            self.now += timeout
            if self.now > 4 * AGAIN_S:
                return Typed(b"")
            raise


class Table:
    """A loop with its inbox."""

    def __init__(self, *inputs: Arrived | PortGone | Typed) -> None:
        self.ports: list[FakePort] = []
        self.refuses: set[int] = set()
        self.first_fails = False
        self.kept: list[dict[str, str]] = []
        self.said: list[str] = []
        self.client = Client("Anna", "test", {})
        inbox = TimedInbox()
        for each in inputs:
            inbox.put(each)
        player = Program(self.client, Teller(self.said.append))
        self.loop = Loop(self.client, player, inbox, self.opened, self.kept.append, lambda: inbox.now)

    def opened(self, count: int) -> Port:
        if count in self.refuses:
            raise SerialPortError("not there")
        port = FakePort()
        port.fails = self.first_fails and count == 1
        self.ports.append(port)
        return port

    def gone(self) -> int:
        return sum('"gone"' in line for line in self.said)


def test_what_comes_is_answered_and_the_token_kept_once() -> None:
    table = Table(Arrived(1, HELLO), Arrived(1, SEATED))
    table.loop.run()
    assert b'"hello"' in table.ports[0].written
    assert b'"seat.take"' in table.ports[0].written
    assert table.kept == [{"Board": "7" * 32}]
    assert table.ports[0].closed


def test_a_port_that_goes_is_opened_again_until_it_is_there() -> None:
    table = Table(Arrived(1, HELLO), PortGone(1))
    table.refuses = {2}
    table.loop.run()
    assert [port.closed for port in table.ports] == [True, True]
    assert b'"hello"' in table.ports[1].written
    assert table.gone() == 1


def test_a_port_that_fails_when_it_is_written_to_is_given_back() -> None:
    table = Table()
    table.first_fails = True
    table.loop.run()
    assert table.ports[0].closed
    assert b'"hello"' in table.ports[1].written


def test_the_last_word_of_a_port_that_was_given_back_is_no_news() -> None:
    table = Table(PortGone(1), PortGone(1), Arrived(1, HELLO))
    table.loop.run()
    assert table.gone() == 1
    assert len(table.ports) == 2
    assert table.client.board is None


def test_a_port_that_was_never_there_is_an_error() -> None:
    table = Table()
    table.refuses = {1}
    with pytest.raises(SerialPortError):
        table.loop.run()
