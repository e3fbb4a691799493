"""A camera that vanishes, freezes or hangs, under the thread that reads it.

Clocks are the test's; the threads meet at queues, and a wait that runs out is a failure.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import Queue

import numpy as np
import pytest

from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import (
    FROZEN_S,
    LONGEST_PAUSE_S,
    MOST_HANGING,
    OPENING_S,
    STALLED_S,
    WAITING,
    CameraNews,
    FramesInTurn,
    ThreadedFrames,
)
from firmware.texts import trouble_sentence
from hardware.camera import Frame
from hardware.errors import CameraError, CameraHangsError
from tests.faults.bench import ENGLISH
from tests.faults.bench import Bench as Whole

LONG_S = 20.0


def frame(number: int, level: int | None = None) -> Frame:
    """A picture like no other, or an even one."""
    image = np.random.default_rng(number).integers(0, 256, (32, 32, 3)).astype(np.uint8)
    return Frame(image if level is None else np.full_like(image, level), 1.0 + number / 30, number)


class Driver:
    """A camera that gives what is put into `queue`: a frame, an error, the end (None); it waits for it as
    long as that takes, as a driver does whose device hangs."""

    size, fps, frame_count = (32, 32), 30.0, None

    def __init__(self) -> None:
        self.queue: Queue[Frame | Exception | None] = Queue()
        self.closed = threading.Event()
        self.never = threading.Event()
        self.closing_hangs = False
        self.asked = 0

    def read(self) -> Frame | None:
        self.asked += 1
        item = self.queue.get()
        if isinstance(item, Exception):
            raise item
        return item

    def close(self) -> None:
        self.closed.set()
        if self.closing_hangs:
            self.never.wait()


class Bench:
    """Frames over drivers that are opened in turn. `refuse`: the next attempts to open fail."""

    def __init__(self) -> None:
        self.now = 10.0
        self.opened: Queue[Driver] = Queue()
        self.count = 0
        self.refuse = 0
        self.frames = ThreadedFrames(self._open, lambda: self.now)
        self.driver = self.opened.get(timeout=LONG_S)

    def _open(self) -> Driver:
        self.count += 1
        if self.refuse:
            self.refuse -= 1
            raise CameraError("there is no camera usb:0; plug it in")
        driver = Driver()
        self.opened.put(driver)
        return driver

    def give(self, *items: Frame | Exception | None) -> None:
        """Frames are taken now."""
        for item in items:
            if isinstance(item, Frame):
                item = replace(item, captured_at=self.now + item.number / 1000)
            self.driver.queue.put(item)

    def pass_on(self, *items: Frame) -> None:
        """Give frames, and wait until the thread has passed them on."""
        asked = self.driver.asked
        self.give(*items)
        self.until(lambda: self.driver.asked == asked + len(items))

    def take(self) -> Frame:
        taken = self.frames.next(LONG_S)
        assert taken is not None
        return taken

    def until(self, reached: Callable[[], bool]) -> None:
        """Turns until it is so; each waits for the thread."""
        for _ in range(1000):
            if reached():
                return
            self.frames.next(0.01)
        raise AssertionError("it never came to that")

    def reopen(self) -> None:
        """Turns until the camera is opened anew."""
        self.until(lambda: not self.opened.empty())
        self.driver = self.opened.get(timeout=LONG_S)

    def end(self) -> None:
        """Let the thread go."""
        self.driver.queue.put(None)
        assert self.frames.close(LONG_S)


def test_frames_come_in_order_and_the_oldest_go_when_nobody_takes_them() -> None:
    bench = Bench()
    bench.give(frame(0), frame(1))
    assert [bench.take().number, bench.take().number] == [0, 1]
    numbers = range(2, 2 + 3 * WAITING)
    bench.give(*map(frame, numbers))
    reader = bench.frames._reader
    assert reader is not None
    with reader.changed:
        reader.changed.wait_for(lambda: reader.frames and reader.frames[-1][0].number == numbers[-1], LONG_S)
    assert [bench.take().number for _ in range(WAITING)] == list(numbers)[-WAITING:]
    bench.end()
    assert bench.frames.news() == []


def test_a_camera_that_is_unplugged_is_told_once_and_comes_back() -> None:
    bench = Bench()
    bench.give(frame(0), CameraError("usb:0 was unplugged; plug it in"))
    bench.take()
    bench.refuse = 3
    bench.until(lambda: bench.frames._reader is None)
    assert bench.driver.closed.wait(LONG_S)
    while bench.refuse:
        wanted = bench.count + 1
        bench.now += LONGEST_PAUSE_S
        bench.until(lambda wanted=wanted: bench.count == wanted)
        bench.until(lambda: bench.frames._reader is None)
    assert bench.frames.news() == [CameraNews("gone", "usb:0 was unplugged; plug it in")]
    bench.now += LONGEST_PAUSE_S
    bench.reopen()
    bench.give(frame(7))
    assert bench.take().number == 7
    assert bench.frames.news() == [CameraNews("back")]
    bench.end()


def test_it_is_not_asked_for_at_every_turn_while_it_is_gone() -> None:
    bench = Bench()
    bench.give(None)
    bench.until(lambda: bench.frames._reader is None)
    for _ in range(20):
        bench.frames.next(0.0)
    assert bench.count == 1
    bench.now += FROZEN_S
    bench.reopen()
    assert bench.count == 2
    bench.end()


def test_a_read_that_never_returns_is_told_after_3_s_and_another_thread_goes_on() -> None:
    bench = Bench()
    bench.give(frame(0))
    bench.take()
    bench.now += FROZEN_S - 0.01
    assert bench.frames.next(0.0) is None
    assert bench.frames.news() == []
    bench.now += 0.01
    hanging = bench.driver
    bench.reopen()
    (news,) = bench.frames.news()
    assert news.kind == "frozen"
    bench.give(frame(1))
    assert bench.take().number == 1
    assert bench.frames.news() == [CameraNews("back")]
    hanging.queue.put(frame(99))
    assert hanging.closed.wait(LONG_S), "a thread that wakes up late gives its camera back"
    bench.give(frame(2))
    assert bench.take().number == 2, "and its frame is nobody's"
    bench.end()


def test_a_close_that_never_returns_holds_up_neither_frames_nor_the_end() -> None:
    bench = Bench()
    bench.driver.closing_hangs = True
    bench.give(frame(0), CameraError("it fails"))
    hanging = bench.driver
    bench.take()
    bench.until(lambda: hanging.closed.is_set())
    bench.now += FROZEN_S
    bench.reopen()
    bench.give(frame(1))
    assert bench.take().number == 1
    bench.driver.closing_hangs = True
    bench.give(None)
    assert bench.driver.closed.wait(LONG_S)
    assert not bench.frames.close(0.01)
    hanging.never.set()
    bench.driver.never.set()


def test_a_camera_whose_exposure_settles_while_it_is_opened_is_not_frozen() -> None:
    bench = Bench()
    for _ in range(10):
        bench.now += (OPENING_S - 0.1) / 10
        assert bench.frames.next(0.0) is None
    assert bench.frames.news() == []
    bench.give(frame(0))
    assert bench.take().number == 0
    assert bench.frames.news() == []
    bench.end()


def test_a_camera_that_is_never_done_with_opening_is_opened_anew() -> None:
    bench = Bench()
    hanging = bench.driver
    bench.now += OPENING_S
    bench.reopen()
    assert [news.kind for news in bench.frames.news()] == ["frozen"]
    hanging.queue.put(None)
    bench.end()


def test_a_camera_that_says_that_it_hangs_is_stalled_though_no_thread_of_ours_hangs() -> None:
    bench = Bench()
    bench.give(frame(0), CameraHangsError("it still hangs; start the program again"))
    bench.take()
    bench.until(lambda: bench.frames._reader is None)
    bench.now += STALLED_S - 0.1
    assert not bench.frames.stalled
    bench.now += 0.1
    assert bench.frames.stalled
    bench.reopen()
    bench.give(CameraError("it is gone; plug it in"))
    bench.until(lambda: bench.frames._reader is None)
    assert not bench.frames.stalled, "now it is only gone"
    assert [news.reason for news in bench.frames.news()] == ["it still hangs; start the program again"]
    assert bench.frames.close()


def test_the_same_picture_for_3_s_is_a_frozen_camera() -> None:
    bench = Bench()
    bench.give(frame(0))
    bench.take()
    still = frame(0)
    for number in range(1, 4):
        bench.now += FROZEN_S / 3
        bench.pass_on(replace(still, number=number))
    bench.reopen()
    assert [news.kind for news in bench.frames.news()] == ["frozen"]
    bench.end()


def test_a_camera_that_shows_the_same_picture_after_it_was_opened_anew_is_frozen_still() -> None:
    bench = Bench()
    bench.give(frame(0))
    bench.take()
    for _ in range(3):
        for _ in range(8):
            bench.now += FROZEN_S / 2
            bench.give(replace(frame(0), number=int(bench.now)))
            bench.until(lambda: bench.frames._reader is None or not bench.driver.queue.qsize())
            if bench.frames._reader is None:
                break
        bench.reopen()
    assert [news.kind for news in bench.frames.news()] == ["frozen"]
    bench.give(frame(1))
    assert bench.take().number == 1
    assert bench.frames.news() == [CameraNews("back")]
    bench.end()


def test_a_lens_that_is_covered_in_the_dark_is_no_frozen_camera() -> None:
    bench = Bench()
    for number in range(10):
        bench.now += 1.0
        bench.give(frame(number, level=0))
        assert bench.take().number == number
    assert bench.frames.news() == []
    bench.end()


def test_a_camera_that_hangs_for_ever_leaves_a_bounded_number_of_threads() -> None:
    bench = Bench()
    drivers = [bench.driver]
    for _ in range(MOST_HANGING):
        bench.now += LONGEST_PAUSE_S
        bench.reopen()
        drivers.append(bench.driver)
    for _ in range(5):
        bench.now += LONGEST_PAUSE_S
        bench.frames.next(0.0)
    assert bench.count == MOST_HANGING + 1
    assert [news.kind for news in bench.frames.news()] == ["frozen", "lost"]
    bench.give(frame(3))
    assert bench.take().number == 3, "the last one is waited for"
    for driver in drivers:
        driver.queue.put(None)
    assert bench.frames.close(LONG_S)


def test_frames_from_a_buffer_in_which_they_lay_are_dropped() -> None:
    """Two seconds in which nobody read: the driver has kept the oldest frames, and gives them first."""
    bench = Bench()
    bench.give(frame(0))
    bench.take()
    taken_at = bench.now
    bench.now += 2.0
    bench.driver.queue.put(replace(frame(1), captured_at=taken_at + 0.1))
    bench.driver.queue.put(replace(frame(2), captured_at=taken_at + 0.2))
    bench.give(frame(3))
    taken = [bench.frames.next(LONG_S) for _ in range(3)]
    assert [each.number for each in taken if each is not None] == [3]
    assert bench.frames.news() == []
    bench.end()


@pytest.mark.parametrize("goes", ["backwards", "nowhere", "late"])
def test_a_camera_that_gives_old_frames_only_is_told_and_opened_anew(goes: str) -> None:
    """A driver's ring that repeats its buffers, and one that has fallen behind for good."""
    bench = Bench()
    bench.give(frame(0))
    first = bench.take()
    behind = {"backwards": -1 / 30, "nowhere": 0.0, "late": 1 / 30}[goes]
    for number in range(1, 4):
        bench.now += FROZEN_S / 3
        bench.driver.queue.put(replace(frame(number), captured_at=first.captured_at + behind * number))
        assert bench.frames.next(LONG_S) is None
    bench.reopen()
    assert [news.kind for news in bench.frames.news()] == ["late"]
    bench.give(frame(9))
    assert bench.take().number == 9
    assert bench.frames.news() == [CameraNews("back")]
    bench.end()


def test_a_camera_whose_time_begins_anew_is_seen_further_on() -> None:
    """An umpire that is given frames of the past sees nothing more."""
    bench = Bench()
    bench.give(frame(0))
    before = bench.take()
    bench.give(None)
    bench.until(lambda: bench.frames._reader is None)
    bench.now += FROZEN_S
    bench.reopen()
    for number in (1, 2):
        bench.driver.queue.put(replace(frame(number), captured_at=number / 30))
    first, second = bench.take(), bench.take()
    assert first.captured_at - before.captured_at == pytest.approx(FROZEN_S)
    assert second.captured_at - first.captured_at == pytest.approx(1 / 30)
    bench.end()


def test_a_bug_in_an_adapter_is_a_camera_that_is_gone() -> None:
    bench = Bench()
    bench.give(ZeroDivisionError("division by zero"))
    bench.until(lambda: bench.frames._reader is None)
    (news,) = bench.frames.news()
    assert (news.kind, "division by zero" in news.reason) == ("gone", True)


def test_a_recording_gives_every_frame_and_ends() -> None:
    driver = Driver()
    for item in (frame(0), frame(1), None):
        driver.queue.put(item)
    frames = FramesInTurn(driver)
    taken = [frames.next(0.0), frames.next(0.0)]
    assert [each.number for each in taken if each is not None] == [0, 1]
    assert not frames.ended
    assert frames.next(0.0) is None
    assert frames.ended
    assert frames.close()
    assert driver.closed.is_set()


def test_a_recording_that_breaks_off_says_so_and_ends() -> None:
    driver = Driver()
    driver.queue.put(CameraError("the file ends in mid-picture"))
    frames = FramesInTurn(driver)
    assert frames.next(0.0) is None
    assert frames.ended
    assert frames.news() == [CameraNews("gone", "the file ends in mid-picture")]


def test_the_daemon_goes_on_without_a_camera_that_hangs_and_says_so(tmp_path: Path) -> None:
    """The loop answers the buttons while one thread hangs in a read, and plays on with the next."""
    table = Whole(tmp_path)
    opened: Queue[Driver] = Queue()

    def opener() -> Driver:
        opened.put(Driver())
        return opened.queue[-1]

    frames = ThreadedFrames(opener, table.clock)
    rig = replace(table.daemon._rig, frames=frames)
    table.daemon = Daemon(rig, table.daemon._terms, table.journal, tell=table.lines.append)
    hanging = opened.get(timeout=LONG_S)
    table.press("A", "confirm")
    assert [line["press"] for line in table.lines if line["kind"] == "press"] == ["confirm"]
    table.turn(OPENING_S + 1.0)
    assert table.board.notice == trouble_sentence("camera-frozen", ENGLISH)
    driver = opened.get(timeout=LONG_S)
    table.umpire.lots.append([])
    driver.queue.put(frame(1))
    for _ in range(1000):
        table.daemon.turn(0.01)
        if table.board.notice is None:
            break
    assert table.board.notice is None
    hanging.queue.put(None)
    driver.queue.put(None)
    assert hanging.closed.wait(LONG_S)
    table.daemon.close()
