"""A standard output that fails in the middle of a match: what that ends, and what it does not."""

import errno
import io
import os
import sys
from collections.abc import Iterator

import pytest

from firmware.commands.outlasting import outlasting
from firmware.daemon.stopping import Stop


class Failing(io.RawIOBase):
    """A file that takes so many bytes, a few at a time, and then fails."""

    def __init__(self, takes: int, error: int) -> None:
        self.takes = takes
        self.error = error
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        if self.takes == 0:
            raise OSError(self.error, os.strerror(self.error))
        piece = bytes(data)[: min(self.takes, 7)]  # type: ignore[call-overload]
        self.taken += piece
        self.takes -= len(piece)
        return len(piece)


@pytest.fixture
def stdout() -> Iterator[None]:
    before = sys.stdout
    yield
    sys.stdout = before


def printing_to(file: Failing) -> None:
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(file), write_through=True)


@pytest.mark.usefixtures("stdout")
@pytest.mark.parametrize("spares", [False, True])
def test_what_is_printed_is_written_whole_however_little_is_taken_at_once(spares: bool) -> None:
    file, stop = Failing(1000, errno.EPIPE), Stop()
    printing_to(file)
    with outlasting(stop, spares=spares) as output:
        print("a line that is longer than seven letters: Ève", flush=True)
        assert file.taken.decode() == "a line that is longer than seven letters: Ève\n"
    assert output.failure is None
    assert not stop.is_set()


@pytest.mark.usefixtures("stdout")
@pytest.mark.parametrize(("error", "closed"), [(errno.EPIPE, True), (errno.EIO, False)])
@pytest.mark.parametrize("spares", [False, True])
def test_an_output_that_is_gone_is_the_end_and_no_error_of_who_prints(
    error: int, closed: bool, spares: bool
) -> None:
    file, stop = Failing(10, error), Stop()
    printing_to(file)
    former = sys.stdout
    with outlasting(stop, spares=spares) as output:
        print("0123456789", flush=True)
        assert stop.is_set()
        file.takes = 100
        print("after", flush=True)
    assert output.failure is not None
    assert (output.failure.errno, output.closed) == (error, closed)
    assert file.taken == b"0123456789", "nothing comes after what was cut off"
    assert sys.stdout is former


@pytest.mark.usefixtures("stdout")
def test_a_full_disk_leaves_lines_out_and_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    file, stop = Failing(0, errno.ENOSPC), Stop()
    printing_to(file)
    with outlasting(stop, spares=True) as output:
        print("one", flush=True)
        print("two", flush=True)
        file.takes = 100
        print("three", flush=True)
    assert file.taken == b"three\n"
    assert output.failure is None
    assert not stop.is_set()
    assert capsys.readouterr().err.count("No space left on device") == 1


@pytest.mark.usefixtures("stdout")
def test_a_trial_ends_with_a_full_disk() -> None:
    stop = Stop()
    printing_to(Failing(0, errno.ENOSPC))
    with outlasting(stop, spares=False) as output:
        print("one", flush=True)
    assert output.failure is not None
    assert not output.closed
    assert stop.is_set()


@pytest.mark.usefixtures("stdout")
def test_a_terminal_that_goes_with_the_end_is_no_failure() -> None:
    stop = Stop()
    printing_to(Failing(0, errno.EIO))
    with outlasting(stop, spares=True) as output:
        stop.set()
        print("one", flush=True)
    assert output.failure is None


@pytest.mark.usefixtures("stdout")
@pytest.mark.parametrize("blocking", [True, False])
def test_a_reader_who_stands_still_holds_up_no_match_at_a_live_table(blocking: bool) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, blocking)
    stop = Stop()
    with open(writing, "w", encoding="ascii") as sys.stdout, outlasting(stop, spares=True) as output:
        for number in range(5000):  # more than a pipe holds
            print(f"{number:038}", flush=True)
        taken = os.read(reading, 1 << 20)
        print("again", flush=True)
        taken += os.read(reading, 1 << 20)
    os.close(reading)
    assert output.failure is None
    assert not stop.is_set()
    lines = taken.decode("ascii").splitlines()
    assert len(lines) > 1000
    assert lines[-1] == "again"
    whole = [f"{number:038}" for number in range(len(lines) - 1)]
    assert lines[:-2] == whole[:-1]
    assert whole[-1].startswith(lines[-2]), "what was cut off ends its line"


@pytest.mark.usefixtures("stdout")
def test_a_reader_who_stands_still_does_not_hold_up_the_end() -> None:
    reading, writing = os.pipe()
    stop = Stop()
    with open(writing, "w", encoding="ascii") as sys.stdout, outlasting(stop, spares=False) as output:
        stop.set()
        print("0" * 1_000_000, flush=True)
    os.close(reading)
    assert output.failure is None
