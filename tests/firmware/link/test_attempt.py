"""Ports that are opened in threads of their own: the others notice nothing, and nobody waits for them."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from firmware.link.attempt import Attempt
from firmware.link.host import Host
from firmware.link.thread import RETRY_S, LinkThread
from firmware.link.wire import LineReader, Request, Result, encoded
from hardware.errors import SerialPortError
from hardware.serial_port import Heard, SerialPort
from tests.firmware.link.rig import NOON, MemoryBook

PATIENCE_S = 60.0


def until(true: Callable[[], object], what: str) -> None:
    """Wait until something is so; it fails if it never is."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.002)


class Port:
    """A port that remembers, and whose far end takes all."""

    def __init__(self, heard: Heard) -> None:
        self.heard = heard
        self.written = b""
        self.closed = threading.Event()

    def write(self, data: bytes) -> None:
        self.written += data

    @property
    def waiting(self) -> int:
        return 0

    def close(self) -> None:
        self.closed.set()


class Far:
    """A computer that answers when `answers` is set, and lets the port be opened then; `refuses`: or not."""

    def __init__(self) -> None:
        self.answers = threading.Event()
        self.refuses = False
        self.early: tuple[bytes | None, ...] = ()
        """What the port brings while it is opened."""
        self.ports: list[Port] = []
        self.threads: list[threading.Thread] = []
        """Of each try."""

    def open(self, heard: Heard) -> SerialPort:
        self.threads.append(threading.current_thread())
        assert self.answers.wait(PATIENCE_S)
        if self.refuses:
            raise SerialPortError("far does not answer")
        port = Port(heard)
        for data in self.early:
            heard(data)
        self.ports.append(port)
        return port

    @property
    def trying(self) -> int:
        return sum(thread.is_alive() for thread in self.threads)


@pytest.fixture
def far() -> Iterator[Far]:
    far = Far()
    yield far
    far.answers.set()
    until(lambda: not far.trying, "the end of all tries")


class Link:
    """A link that no thread serves, on a clock of the test's."""

    def __init__(self) -> None:
        self.now = 0.0
        self.said: list[str] = []
        host = Host(
            MemoryBook(), tokens=lambda: f"{1:032x}", wall=lambda: NOON, board="Board", software="1", now=0.0
        )
        self.thread = LinkThread(host, self.said.append, lambda: self.now)

    def turn(self) -> None:
        assert self.thread.turn(0)

    def turns_until(self, true: Callable[[], object], what: str) -> None:
        def turned() -> object:
            self.turn()
            return true()

        until(turned, what)


def test_the_others_are_served_while_a_port_is_opened(far: Far) -> None:
    link = Link()
    link.thread.offer("far", far.open, slow=True)
    made: list[Port] = []

    def near(heard: Heard) -> SerialPort:
        made.append(Port(heard))
        return made[-1]

    link.thread.offer("near", near)
    link.turn()
    until(lambda: far.trying == 1, "the try")
    made[0].heard(encoded(Request(1, "ping")))
    link.turn()
    assert made[0].written == encoded(Result(1, {}))
    # However long it takes, it is one try, and no reason to wake up.
    assert link.thread._patience_s() is None
    link.now = 100 * RETRY_S
    link.turn()
    assert len(far.threads) == 1
    assert link.said == ["near: open"]
    far.answers.set()
    link.turns_until(lambda: "far: open" in link.said, "the port")
    far.ports[0].heard(encoded(Request(2, "ping")))
    link.turn()
    assert far.ports[0].written == encoded(Result(2, {}))


def test_what_comes_while_a_port_is_opened_is_heard_once_it_is_open(far: Far) -> None:
    line = encoded(Request(1, "ping"))
    far.early = (line[:9], line[9:])
    link = Link()
    link.thread.offer("far", far.open, slow=True)
    link.turn()
    far.answers.set()
    link.turns_until(lambda: far.ports and far.ports[0].written, "an answer")
    assert LineReader().feed(far.ports[0].written) == [Result(1, {})]


def test_a_port_that_goes_while_it_is_opened_is_tried_again(far: Far) -> None:
    far.early = (None,)
    link = Link()
    link.thread.offer("far", far.open, slow=True)
    link.turn()
    far.answers.set()
    link.turns_until(lambda: "far: gone" in link.said, "its end")
    assert far.ports[0].closed.is_set()
    far.early = ()
    link.now = RETRY_S
    link.turns_until(lambda: link.said.count("far: open") == 2, "the next try")


def test_a_host_that_does_not_answer_is_tried_each_second_and_said_once(far: Far) -> None:
    far.refuses = True
    far.answers.set()
    link = Link()
    link.thread.offer("far", far.open, slow=True)
    link.turns_until(lambda: link.said, "the refusal")
    # A second after the try has ended, not after it began.
    assert link.thread._patience_s() == pytest.approx(RETRY_S)
    link.now = 0.9 * RETRY_S
    link.turn()
    assert len(far.threads) == 1
    for tries in (2, 3):
        link.now += RETRY_S
        link.turns_until(lambda: not link.thread._attempts, "the end of a try")
        assert len(far.threads) == tries
    assert link.said == ["far does not answer"]
    far.refuses = False
    link.now += RETRY_S
    link.turns_until(lambda: "far: open" in link.said, "the port")


def test_a_port_that_is_withdrawn_while_it_is_opened_is_closed_when_it_comes(far: Far) -> None:
    link = Link()
    link.thread.offer("far", far.open, slow=True)
    link.turn()
    link.thread.withdraw("far")
    link.turn()
    # Offered anew it is not tried a second time as long as the first lasts.
    link.thread.offer("far", far.open, slow=True)
    for link.now in (1.0, 2.0, 3.0):
        link.turn()
    assert len(far.threads) == 1
    far.answers.set()
    link.turns_until(lambda: "far: open" in link.said, "the port of the second try")
    assert far.ports[0].closed.is_set()
    assert not far.ports[1].closed.is_set()
    assert len(far.ports) == 2


def test_an_end_waits_for_no_port_that_is_opened(far: Far) -> None:
    link = Link()
    link.thread.start()
    link.thread.offer("far", far.open, slow=True)
    until(lambda: far.trying == 1, "the try")
    link.thread.stop()
    assert not link.thread.serves
    assert far.trying == 1
    far.answers.set()
    until(lambda: not far.trying, "the end of the try")
    assert far.ports[0].closed.is_set()


def test_a_bug_in_an_opener_is_told_to_who_takes_what_came_of_it() -> None:
    done = threading.Event()

    def broken(heard: Heard) -> SerialPort:
        raise ZeroDivisionError("a bug")

    attempt = Attempt("far", broken, lambda data: None, lambda attempt: done.set())
    assert done.wait(PATIENCE_S)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        attempt.taken()
    attempt.give_up()


def test_a_try_that_is_given_up_after_its_end_has_its_port_closed(far: Far) -> None:
    far.answers.set()
    done = threading.Event()
    attempt = Attempt("far", far.open, lambda data: None, lambda attempt: done.set())
    assert done.wait(PATIENCE_S)
    attempt.give_up()
    assert far.ports[0].closed.is_set()
    # Who has taken it, has it.
    done.clear()
    attempt = Attempt("far", far.open, lambda data: None, lambda attempt: done.set())
    assert done.wait(PATIENCE_S)
    assert attempt.taken() is far.ports[1]
    attempt.give_up()
    assert not far.ports[1].closed.is_set()
