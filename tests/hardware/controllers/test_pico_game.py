"""Picos at the link's real host: seats that are kept, noise, and whole games of SET played by their keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.games.setgame.cards import CARDS, sets_among
from firmware.link.wire import Notification, encoded
from tests.hardware.controllers.boards import HostBoard
from tests.hardware.controllers.fingers import Fingers
from tests.hardware.controllers.picos import Pico
from tests.shared import needs

pytestmark = needs("micropython", "micropython")


@pytest.fixture
def board() -> Iterator[HostBoard]:
    board = HostBoard()
    yield board
    for port, pico in list(board.picos.items()):
        pico.check()
        board.unplug(port)


def plugged(board: HostBoard, folder: Path, port: str, serial: str = "\x0a\x01") -> Fingers:
    """A Pico with power, and the seat that it took."""
    folder.mkdir(exist_ok=True)
    pico = Pico(folder, serial)
    board.plug(port, pico)
    board.until(
        lambda: any(seat.name == pico.name and seat.present for seat in board.rig.host.shown.lobby.table)
    )
    board.until((folder / "seat.json").exists)
    seats = {seat.name: seat.seat for seat in board.rig.host.shown.lobby.table}
    return Fingers(pico, seats[pico.name])


def begun(board: HostBoard) -> None:
    board.rig.host.command("lobby.start", {}, board.rig.now)
    board.until(lambda: board.view is not None)


def test_the_first_key_starts_a_game(board: HostBoard, tmp_path: Path) -> None:
    hand = plugged(board, tmp_path, "one")
    board.rig.host.command("lobby.bot", {"seat": 2, "strength": "easy"}, board.rig.now)
    hand.settle(board)
    hand.pico.press("o")
    board.until(lambda: board.rig.host.shown.lobby.status == "playing")


def test_computer_players_come_and_go_by_keys(board: HostBoard, tmp_path: Path) -> None:
    hand = plugged(board, tmp_path, "one")
    hand.settle(board)
    hand.pico.press("dr")
    table = lambda: board.rig.host.shown.lobby.table  # noqa: E731
    board.until(lambda: len(table()) == 2)
    hand.settle(board)
    hand.pico.press("dr")
    board.until(lambda: table()[1].bot == "strong")
    hand.settle(board)
    hand.pico.press("ul")
    board.until(lambda: len(table()) == 1)


def test_a_set_is_claimed_and_named_by_keys(board: HostBoard, tmp_path: Path) -> None:
    hand = plugged(board, tmp_path, "one")
    board.rig.peer("ben")
    begun(board)
    hand.take_a_set(board)
    assert board.view.scores[0] == 1


def test_power_goes_and_the_seat_is_resumed(board: HostBoard, tmp_path: Path) -> None:
    hand = plugged(board, tmp_path, "one")
    board.rig.peer("ben")
    begun(board)
    board.unplug("one")
    assert not board.rig.host.shown.lobby.table[0].present
    again = plugged(board, tmp_path, "another")
    assert again.seat == hand.seat == 1
    # Its acts are counted on from those of before.
    again.agree_none(board)
    assert board.view.agreed == (1,)


def test_noise_does_not_stop_it(board: HostBoard, tmp_path: Path) -> None:
    hand = plugged(board, tmp_path, "one")
    board.rig.peer("ben")
    begun(board)
    whole = encoded(Notification("said", {"code": "x", "text": "Hello", "seat": None}))
    noise = [
        b"\xff" * 300 + b"\n",
        whole[:40] + b"\n",
        b"\x00\r\n\n\n",
        b"{" * 9000 + b"\n",
        whole.replace(b"Hello", b"Hallo"),
        b"[1,2] 00000000\n",
        b'{"jsonrpc"',
    ]
    for piece in noise:
        hand.pico.write(piece, board)
    hand.agree_none(board)
    assert 1 in board.view.agreed


def test_a_board_that_was_started_anew_has_its_players_back(board: HostBoard, tmp_path: Path) -> None:
    hand = plugged(board, tmp_path, "one")
    board.rig.peer("ben")
    begun(board)
    before = board.view.table
    rig = board.rig
    rig.power_cut()
    rig.host.opened("one", rig.now)
    board.until(lambda: rig.host.shown.lobby.table[0].present, 40.0)
    hand.settle(board)
    hand.pico.press("o")
    board.until(lambda: rig.host.shown.lobby.status == "playing")
    assert board.view.table == before


def test_two_picos_play_a_whole_game_one_unplugged_in_its_middle(board: HostBoard, tmp_path: Path) -> None:
    one, two = (
        plugged(board, tmp_path / "1", "one", "\x0a\x01"),
        plugged(board, tmp_path / "2", "two", "\x0a\x02"),
    )
    board.rig.host.command(
        "lobby.choose", {"game": "set", "options": {"deck": "beginner", "naming_s": 60}}, board.rig.now
    )
    begun(board)
    turns = 0
    while board.view.outcome is None:
        turns += 1
        if turns == 4:
            scores = board.view.scores
            board.unplug("two")
            two = plugged(board, tmp_path / "2", "three", "\x0a\x02")
            assert two.seat == 2
            assert board.view.scores == scores
        one.settle(board)
        two.settle(board)
        if sets_among(CARDS[card] for card in board.view.table):
            (one, two)[turns % 2].take_a_set(board)
        else:
            one.agree_none(board)
            two.agree_none(board)
    assert sum(board.view.scores) * 3 + len(board.view.table) == 27
    assert min(board.view.scores) > 0
