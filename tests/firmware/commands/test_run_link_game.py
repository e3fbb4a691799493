"""A whole game of SET: `setmatch run`, two Picos run by MicroPython, and `setmatch controller`, on ptys.

One Pico is unplugged in the middle, and comes back.
"""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from firmware.games.setgame.cards import CARDS, sets_among
from firmware.games.setgame.state import View
from tests.firmware.commands.test_controller import Controller
from tests.hardware.controllers.boards import BOUND_S
from tests.hardware.controllers.fingers import Fingers
from tests.hardware.controllers.picos import Pico
from tests.hardware.controllers.wires import Wire
from tests.shared import needs

pytestmark = needs("micropython", "micropython")


class Cable:
    """A USB cable: what the Pico says comes out at a serial port of the board's, and the other way round."""

    def __init__(self, pico: Pico, port: Path) -> None:
        self.pico = pico
        self.wire = Wire()
        self._ways = {self.wire.link: pico.link, pico.link: self.wire.link}
        self._held: dict[int, bytes] = dict.fromkeys(self._ways, b"")
        # As udev does: the port's name stays, what it means does not.
        port.unlink(missing_ok=True)
        port.symlink_to(self.wire.path)

    def carry(self) -> None:
        """Move the bytes that there are."""
        for source, target in self._ways.items():
            with suppress(BlockingIOError):
                if len(self._held[source]) < 4096:
                    self._held[source] += os.read(source, 4096)
            with suppress(BlockingIOError):
                self._held[source] = self._held[source][os.write(target, self._held[source]) :]
        self.pico.look()

    @property
    def ends(self) -> list[int]:
        return list(self._ways)

    def pull(self) -> None:
        """Pull it out; the Pico has no power then."""
        self.pico.unplug()
        self.wire.unplug()


class Evening:
    """The board's process, the cables in it, and the laptop at which one of the players sits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cables: dict[str, Cable] = {}
        self._laptop_wire = Wire()
        names = [str(folder / name) for name in ("one", "two")]
        for name in names:
            self.plug(Path(name).name)
        links = [word for port in (*names, self._laptop_wire_path(folder)) for word in ("--link", port)]
        command = [sys.executable, "-m", "firmware.cli", "run", "--rig", "none", *links]
        self.told = folder / "board.err"
        with self.told.open("wb") as told:
            self.board = subprocess.Popen(
                [*command, "--state", str(folder / "board")], stdout=subprocess.DEVNULL, stderr=told
            )
        self.laptop = Controller(self._far.path, folder / "laptop", "--json")

    def _laptop_wire_path(self, folder: Path) -> str:
        # Two ptys again, since either end wants a port with a name.
        self._far = Wire()
        self._ways = {self._far.link: self._laptop_wire.link, self._laptop_wire.link: self._far.link}
        return self._laptop_wire.path

    def plug(self, port: str) -> Pico:
        flash = self.folder / f"flash-{port}"
        flash.mkdir(exist_ok=True)
        pico = Pico(flash, {"one": "\x0a\x01", "two": "\x0a\x02"}[port])
        self.cables[port] = Cable(pico, self.folder / port)
        return pico

    def unplug(self, port: str) -> None:
        self.cables.pop(port).pull()

    def until(self, what: Callable[[], object]) -> None:
        end = time.monotonic() + 2 * BOUND_S
        while not what():
            assert self.board.poll() is None, self.told.read_text()
            assert time.monotonic() < end, self.told.read_text()
            self.go_on()

    def go_on(self) -> None:
        ends = [end for cable in self.cables.values() for end in cable.ends]
        select.select([*ends, *self._ways], [], [], 0.004)
        for cable in self.cables.values():
            cable.carry()
        for source, target in self._ways.items():
            with suppress(BlockingIOError):
                data = os.read(source, 4096)
                while data:
                    with suppress(BlockingIOError):
                        data = data[os.write(target, data) :]
        self.laptop.look()

    @property
    def view(self) -> View:
        """The table, as the laptop's player sees it."""
        games = self.laptop.heard("game")
        return msgspec.convert(games[-1]["game"]["view"], View)

    @property
    def seats(self) -> dict[str, int]:
        """Who sits where, of those that are there."""
        lobbies = self.laptop.heard("lobby")
        if not lobbies:
            return {}
        return {seat["name"]: seat["seat"] for seat in lobbies[-1]["lobby"]["table"] if seat["present"]}

    def ask(self, method: str, **params: object) -> None:
        """Have the laptop's player ask for something, and wait until it is answered."""
        before = len(self.laptop.heard("answered"))
        self.laptop.ask(method, **params)
        self.until(lambda: any(each["method"] == method for each in self.laptop.heard("answered")[before:]))

    def end(self) -> None:
        self.laptop.end()
        self.board.kill()
        self.board.wait()
        for port in list(self.cables):
            self.unplug(port)
        self._far.unplug()
        self._laptop_wire.unplug()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.end()


def test_two_picos_and_a_laptop_play_a_whole_game(evening: Evening) -> None:
    evening.until(lambda: len(evening.seats) == 3)
    seats = evening.seats
    picos = [Fingers(cable.pico, seats[cable.pico.name]) for cable in evening.cables.values()]
    ours = seats["Anna"]
    # A minute to name a set: the machine that tests may be slow.
    evening.ask("lobby.choose", game="set", options={"deck": "beginner", "naming_s": 60})
    evening.ask("lobby.start")
    evening.until(lambda: evening.laptop.heard("game"))
    turn = 0
    while evening.view.outcome is None:
        turn += 1
        if turn == 4:
            before = evening.view
            evening.unplug("two")
            evening.until(lambda: len(evening.seats) == 2)
            again = evening.plug("two")
            evening.until(lambda: evening.seats == seats)
            picos[1] = Fingers(again, seats[again.name])
            assert evening.view.scores == before.scores
            assert evening.view.table == before.table
        for pico in picos:
            pico.settle(evening)
        if not sets_among(CARDS[card] for card in evening.view.table):
            evening.ask("game.act", action={"kind": "agree-none"})
            for pico in picos:
                pico.agree_none(evening)
        elif turn % 3 == 2:
            take_a_set(evening, ours)
        else:
            picos[turn % 3].take_a_set(evening)
    view = evening.view
    assert sum(view.scores) * 3 + len(view.table) == 27
    assert min(view.scores) > 0
    assert view.outcome is not None
    for cable in evening.cables.values():
        cable.pico.check()


def take_a_set(evening: Evening, seat: int) -> None:
    """The laptop's player claims and names a set."""
    score = evening.view.scores[seat - 1]
    codes = {CARDS[card]: card for card in evening.view.table}
    cards = [codes[card] for card in sets_among(codes)[0]]
    evening.ask("game.act", action={"kind": "claim"})
    evening.ask("game.act", action={"kind": "name", "cards": cards})
    evening.until(lambda: evening.view.scores[seat - 1] == score + 1)
