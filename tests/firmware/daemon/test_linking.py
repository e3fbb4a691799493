"""The link beside a rig: real ports and threads, the real game book; and who has the panels."""

import os
import pty
import re
import socket
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firmware.daemon import linking
from firmware.daemon.linking import RESULT_S, Linked, SharedPanels, Wanted, wanted_of
from firmware.daemon.parts import BoardDrawing, MenuDrawing
from firmware.gamebook import GameBook
from firmware.keeping.errors import JournalError
from firmware.link.host import Host, Shown
from firmware.link.messages import LobbyTold, Refused, SeatTold
from firmware.link.showing import LinkDrawing
from firmware.link.wire import LineReader, Request, Result, encoded
from firmware.screens.menu_page import MenuEntry, MenuPage
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import load
from hardware.errors import SerialPortError
from hardware.serial_port import Heard, SerialPort

PATIENCE_S = 60.0


class Said:
    """What a link says, asked for as `setmatch run` does."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.lines: list[str] = []

    def until(self, true: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end, self.lines
            self.lines += self.linked.look()
            time.sleep(0.005)

    def until_said(self, part: str, times: int = 1) -> str:
        """The line that is said so many times."""
        self.until(lambda: sum(part in line for line in self.lines) >= times)
        return next(line for line in self.lines if part in line)


class Controller:
    """A connection that asks and waits for its answer."""

    def __init__(self, send: Callable[[bytes], object], read: Callable[[], bytes]) -> None:
        self._send, self._read = send, read
        self._reader = LineReader()
        self._ids = 0

    def asks(self, method: str, **params: Any) -> Any:
        self._ids += 1
        self._send(encoded(Request(self._ids, method, params)))
        while True:
            for message in self._reader.feed(self._read()):
                if isinstance(message, Result) and message.id == self._ids:
                    return message.result


def by_tcp(said: Said) -> tuple[Controller, socket.socket]:
    found = re.match(r"tcp:(\d+): ", said.until_said("can connect"))
    assert found is not None
    connection = socket.create_connection(("127.0.0.1", int(found[1])))
    connection.settimeout(PATIENCE_S)
    return Controller(connection.sendall, lambda: connection.recv(4096)), connection


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    yield
    left = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
    assert not [name for name in left if name.startswith(("link", "reads", "writes", "watches", "accepts"))]


def test_a_game_on_the_link_goes_on_where_it_was(tmp_path: Path) -> None:
    with closing(Linked.open(Wanted(tcp=0), tmp_path)) as linked:
        ann, connection = by_tcp(Said(linked))
        with connection:
            assert ann.asks("hello", protocol=1, name="Ann")["software"].startswith("setmatch ")
            token = ann.asks("seat.take", name="Ann")["token"]
            ann.asks("lobby.start")
            said = Said(linked)
            said.until(lambda: linked.shown is not None and linked.shown.lobby.status == "playing")
            assert linked.command("game.pause", {}) == {}
            with pytest.raises(Refused):
                linked.command("game.pause", {})
    with pytest.raises(TimeoutError):
        linked.command("game.resume", {})
    linked.close()
    assert linked.shown is None
    with closing(Linked.open(Wanted(tcp=0), tmp_path)) as linked:
        assert linked.shown is not None
        assert linked.shown.lobby.status == "paused"
        ann, connection = by_tcp(Said(linked))
        with connection:
            ann.asks("hello", protocol=1, name="Ann")
            assert ann.asks("seat.resume", token=token)["seat"] == 1


def test_what_is_plugged_into_usb_is_served_under_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "by-id"
    token = None
    with closing(Linked.open(Wanted(("auto",)), tmp_path, by_id=folder)) as linked:
        said = Said(linked)
        for name in ("usb-Pico_1", "usb-Pico_other"):
            ours, theirs = pty.openpty()
            tty.setraw(theirs)
            folder.mkdir(exist_ok=True)
            (folder / name).symlink_to(os.ttyname(theirs))
            said.until_said(f"{folder / name}: open")
            pico = Controller(
                partial(os.write, ours),
                partial(os.read, ours, 4096),
            )
            pico.asks("hello", protocol=1, name="Ann")
            if token is None:
                token = pico.asks("seat.take", name="Ann")["token"]
            else:
                assert pico.asks("seat.resume", token=token)["seat"] == 1
            (folder / name).unlink()
            os.close(theirs)
            os.close(ours)
            said.until_said(f"{folder / name}: gone")


def test_a_port_that_is_named_and_found_is_served_once(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    other, far = pty.openpty()
    folder = tmp_path / "by-id"
    folder.mkdir()
    (folder / "usb-named").symlink_to(os.ttyname(theirs))
    (folder / "usb-other").symlink_to(os.ttyname(far))
    with closing(Linked.open(Wanted(("auto", os.ttyname(theirs))), tmp_path, by_id=folder)) as linked:
        said = Said(linked)
        said.until_said(f"{os.ttyname(theirs)}: open")
        said.until_said(f"{folder / 'usb-other'}: open")
    assert not [line for line in said.lines if "usb-named" in line]
    for each in (ours, theirs, other, far):
        os.close(each)


def test_a_port_that_is_named_as_it_is_found_is_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "by-id"
    folder.mkdir()
    path = folder / "usb-Pico"
    with closing(Linked.open(Wanted(("auto", str(path))), tmp_path, by_id=folder)) as linked:
        said = Said(linked)
        for times in (1, 2):
            ours, theirs = pty.openpty()
            path.symlink_to(os.ttyname(theirs))
            said.until_said(f"{path}: open", times)
            path.unlink()
            os.close(theirs)
            os.close(ours)
            said.until_said(f"{path}: gone", times)


def test_a_port_that_is_not_there_is_said_once(tmp_path: Path) -> None:
    with closing(Linked.open(Wanted((str(tmp_path / "none"),)), tmp_path)) as linked:
        said = Said(linked)
        assert "see that it is plugged in" in said.until_said("cannot be opened")


def test_a_host_that_does_not_answer_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ended, answers = threading.Event(), threading.Event()

    def silent(url: str, heard: Heard) -> SerialPort:
        asked.append(url)
        answers.wait(PATIENCE_S)
        ended.set()
        raise SerialPortError("it does not answer")

    monkeypatch.setattr(linking, "open_port", silent)
    with closing(Linked.open(Wanted(("socket://far:4107",), tcp=0), tmp_path)) as linked:
        said = Said(linked)
        said.until(lambda: asked)
        ann, connection = by_tcp(said)
        with connection:
            assert ann.asks("ping") == {}
    # It has been closed, and that was not waited for either.
    assert not ended.is_set()
    assert asked == ["socket://far:4107"]
    answers.set()
    assert ended.wait(PATIENCE_S)


def test_a_disk_without_room_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    opened = GameBook.open

    def full(folder: Path) -> GameBook:
        raise JournalError("no room", "full")

    monkeypatch.setattr(linking.GameBook, "open", full)
    with closing(Linked.open(Wanted(tcp=0), tmp_path, clock=lambda: now)) as linked:
        assert linked.shown is None
        with pytest.raises(TimeoutError, match="no room"):
            linked.command("lobby.view", {})
        assert linked.look() == ("no room",)
        now = linking.RETRY_S
        assert linked.look() == ()  # said once
        monkeypatch.setattr(linking.GameBook, "open", opened)
        now = 1.9 * linking.RETRY_S
        assert linked.look() == ()
        assert linked.shown is None
        now = 2.0 * linking.RETRY_S
        assert any("can connect" in line for line in linked.look())
        assert linked.shown is not None


def test_what_ends_a_start_is_only_said_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def refusing(kind: Any) -> Callable[[Path], GameBook]:
        def refuse(folder: Path) -> GameBook:
            raise JournalError(f"it is {kind}", kind)

        return refuse

    monkeypatch.setattr(linking.GameBook, "open", refusing("busy"))
    with pytest.raises(JournalError, match="busy"):
        Linked.open(Wanted(tcp=0), tmp_path)
    monkeypatch.setattr(linking.GameBook, "open", refusing("full"))
    with closing(Linked.open(Wanted(tcp=0), tmp_path, clock=lambda: now)) as linked:
        assert linked.look() == ("it is full",)
        monkeypatch.setattr(linking.GameBook, "open", refusing("busy"))
        now = linking.RETRY_S
        assert linked.look() == ("it is busy",)


def test_a_link_that_fails_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticked = Host.tick

    def failing(self: Host, now: float) -> float | None:
        monkeypatch.setattr(Host, "tick", ticked)
        raise RuntimeError("a bug")

    offset = 0.0
    with closing(Linked.open(Wanted(tcp=0), tmp_path, clock=lambda: time.monotonic() + offset)) as linked:
        said = Said(linked)
        ann, connection = by_tcp(said)
        with connection:
            ann.asks("hello", protocol=1, name="Ann")
            token = ann.asks("seat.take", name="Ann")["token"]
            ann.asks("lobby.start")
            monkeypatch.setattr(Host, "tick", failing)
            connection.sendall(encoded(Request(99, "ping")))
            said.until_said("begins anew")
        assert linked.shown is None
        said.lines.clear()
        offset = linking.RETRY_S
        ann, connection = by_tcp(said)
        with connection:
            ann.asks("hello", protocol=1, name="Ann")
            assert ann.asks("seat.resume", token=token)["seat"] == 1


def test_a_tcp_port_that_is_taken_leaves_nothing_open(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(SerialPortError, match="give another"),
    ):
        Linked.open(Wanted(tcp=taken.getsockname()[1]), tmp_path)
    GameBook.open(tmp_path).close()


def test_a_tcp_port_that_is_taken_is_waited_for_beside_a_match(tmp_path: Path) -> None:
    now = 0.0
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        linked = Linked.open(Wanted(tcp=number), tmp_path, clock=lambda: now, waits=True)
        (line,) = linked.look()
        assert "give another" in line
        now = linking.RETRY_S
        assert linked.look() == ()  # said once
        with pytest.raises(TimeoutError, match="give another"):
            linked.command("lobby.view", {})
    with closing(linked):
        now = 2 * linking.RETRY_S
        assert any("can connect" in line for line in linked.look())
        assert linked.shown is not None


def test_games_that_cannot_be_read_are_said_beside_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def newer(folder: Path) -> GameBook:
        raise JournalError("it is of a newer version")

    monkeypatch.setattr(linking.GameBook, "open", newer)
    with closing(Linked.open(Wanted(tcp=0), tmp_path, waits=True)) as linked:
        assert linked.look() == ("it is of a newer version",)
        assert linked.shown is None


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (None, Wanted(("auto",), 7311)),
        ([], Wanted(("auto",), 7311)),
        (["/dev/ttyACM0", "loop://", "/dev/ttyACM0"], Wanted(("/dev/ttyACM0", "loop://"))),
        (["tcp:0", "auto"], Wanted(("auto",), 0)),
        (["tcp:65535"], Wanted((), 65535)),
    ],
)
def test_what_is_wanted(given: list[str] | None, wanted: Wanted) -> None:
    assert wanted_of(given, ("auto",), 7311) == wanted
    assert wanted.anything
    assert not wanted_of(None, (), None).anything


@pytest.mark.parametrize("given", [["tcp:65536"], ["tcp:"], ["tcp:-1"], ["tcp:²"], ["tcp:1", "tcp:2"]])
def test_what_cannot_be_wanted(given: list[str]) -> None:
    with pytest.raises(ValueError, match="tcp"):
        wanted_of(given, (), None)


# ---------------------------------------------------------------- who has the panels


class Panels:
    """Panels that remember."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, Any]] = []
        self.woken = 0

    def wake(self) -> None:
        self.woken += 1

    def works(self, role: str) -> bool:
        return role == "game"

    def show(self, role: str, picture: Any) -> None:
        self.shown.append((role, picture))

    def news(self) -> list[Any]:
        return []

    def stop(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        return ("bus",)

    def kinds(self) -> list[tuple[str, type]]:
        kinds = [(role, type(picture)) for role, picture in self.shown]
        self.shown.clear()
        return kinds


def shown(status: Any, *, present: bool = True, bot: Any = None) -> Shown:
    """A game of Ann's; `bot`: and of one of that strength, which is always there."""
    table: tuple[SeatTold, ...] = (SeatTold(1, "Ann", None, present),)
    if bot is not None:
        table += (SeatTold(2, "Bot 2", bot, True),)
    return Shown(LobbyTold(status, "set", None, {}, table), 0, None)


def board(role: str, points: int = 0) -> BoardDrawing:
    return BoardDrawing(role, Scoreboard(notice=str(points)), load("fr"))


LINK = [("in-rally", LinkDrawing), ("game", LinkDrawing)]
MATCH = [("in-rally", BoardDrawing), ("game", BoardDrawing)]


def shared_panels() -> tuple[SharedPanels, Panels]:
    """Panels that show a match."""
    panels = Panels()
    shared = SharedPanels(panels)
    for role in ("in-rally", "game"):
        shared.show(role, board(role))
    assert panels.kinds() == MATCH
    return shared, panels


def test_the_link_has_the_panels_while_no_match_is_on() -> None:
    panels = Panels()
    shared = SharedPanels(panels)
    shared.look(shown("playing"), match_on=True, now=0.0)
    assert panels.kinds() == []  # nothing was shown of the match yet, and nothing is
    for role in ("in-rally", "game"):
        shared.show(role, board(role))
    assert panels.kinds() == MATCH
    on = shown("playing")
    shared.look(on, match_on=False, now=1.0)
    assert [picture.texts for _, picture in panels.shown] == [load("fr")] * 2
    assert panels.kinds() == LINK
    shared.look(on, match_on=False, now=2.0)
    shared.show("game", board("game", 1))  # is kept for afterwards
    assert panels.kinds() == []
    shared.look(on, match_on=True, now=3.0)
    assert panels.shown[-1] == ("game", board("game", 1))
    assert panels.kinds() == MATCH


@pytest.mark.parametrize(
    ("link", "kinds"),
    [
        (None, []),
        (shown("lobby"), []),
        (shown("over"), []),
        (shown("paused", present=False), []),
        (shown("paused"), LINK),
        (shown("playing", present=False), []),
        (shown("playing"), LINK),
        (shown("playing", present=False, bot="easy"), []),
    ],
)
def test_only_a_game_that_people_look_for_has_them(link: Shown | None, kinds: list[Any]) -> None:
    shared, panels = shared_panels()
    shared.look(link, match_on=False, now=0.0)
    assert panels.kinds() == kinds


def test_the_result_stays_for_a_while() -> None:
    shared, panels = shared_panels()
    shared.look(shown("playing"), match_on=False, now=10.0)
    assert panels.kinds() == LINK
    over = shown("over")
    shared.look(over, match_on=False, now=20.0)
    assert [picture.shown for _, picture in panels.shown] == [over, over]
    assert panels.kinds() == LINK
    # Who goes away takes nothing of it along, nor does the time begin anew.
    left = shown("over", present=False)
    shared.look(left, match_on=False, now=30.0)
    assert [picture.shown for _, picture in panels.shown] == [left, left]
    assert panels.kinds() == LINK
    shared.look(left, match_on=False, now=19.9 + RESULT_S)
    assert panels.kinds() == []
    shared.look(left, match_on=False, now=20.0 + RESULT_S)
    assert panels.kinds() == MATCH
    shared.look(left, match_on=False, now=21.0 + RESULT_S)
    assert panels.kinds() == []
    # The next game's result is seen as well.
    for status, now in (("lobby", 100.0), ("playing", 101.0), ("over", 102.0)):
        shared.look(shown(status), match_on=False, now=now)
    assert panels.kinds() == [*LINK, *LINK]


def test_a_press_ends_the_result_and_not_the_game() -> None:
    shared, panels = shared_panels()
    playing, over = shown("playing"), shown("over")
    shared.look(playing, match_on=False, now=0.0)
    shared.touched()
    shared.look(playing, match_on=False, now=1.0)
    assert panels.kinds() == LINK
    shared.look(over, match_on=False, now=2.0)
    assert panels.kinds() == LINK
    shared.touched()
    shared.look(over, match_on=False, now=2.0)
    assert panels.kinds() == MATCH
    shared.look(shown("over"), match_on=False, now=3.0)
    assert panels.kinds() == []


def test_a_match_that_begins_ends_the_result() -> None:
    shared, panels = shared_panels()
    over = shown("over")
    shared.look(shown("playing"), match_on=False, now=0.0)
    shared.look(over, match_on=False, now=1.0)
    assert panels.kinds() == [*LINK, *LINK]
    shared.look(over, match_on=True, now=2.0)
    assert panels.kinds() == MATCH
    shared.look(over, match_on=False, now=3.0)
    assert panels.kinds() == []


@pytest.mark.parametrize(
    ("before", "match_on"),
    [(shown("playing"), True), (shown("playing", present=False), False), (None, False)],
)
def test_a_result_of_what_nobody_saw_is_not_shown(before: Shown | None, match_on: bool) -> None:
    shared, panels = shared_panels()
    shared.look(before, match_on=match_on, now=0.0)
    shared.look(shown("over"), match_on=False, now=1.0)
    assert panels.kinds() == []


def test_an_open_menu_is_to_be_seen_whatever_is_played() -> None:
    panels = Panels()
    shared = SharedPanels(panels)
    shared.look(shown("playing"), match_on=False, now=0.0)
    assert panels.kinds() == LINK
    menu = MenuDrawing(MenuPage("Menu", (MenuEntry("Sound"),), 0))
    for role in ("in-rally", "game"):
        shared.show(role, menu)
    assert panels.kinds() == [("in-rally", MenuDrawing), ("game", MenuDrawing)]
    shared.show("game", board("game"))
    assert panels.kinds() == [("game", LinkDrawing)]
    assert shared.news() == []
    assert [shared.works(role) for role in ("in-rally", "game")] == [False, True]
    shared.wake()
    assert panels.woken == 1
    assert shared.stop() == ("bus",)
