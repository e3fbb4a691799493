"""A program and the computer at a controller, at the real host, in a time of the tests' own."""

import json
from pathlib import Path

import pytest

from calibration.files import write_file
from firmware.controller.kept import keep_tokens, kept_tokens
from firmware.controller.news import GameChanged
from firmware.controller.players import Asked, Computer, Narrator, Program, Teller
from firmware.games.protocol import Strength
from firmware.texts import load
from tests.firmware.controller.seated import Seated, pump, wait
from tests.firmware.link.rig import Rig


@pytest.mark.parametrize("strength", ["easy", "fair", "strong"])
def test_computers_play_a_whole_game(strength: Strength) -> None:
    rig = Rig()
    seated = [Seated(rig, name) for name in ("anna", "ben", "carl")]
    for number, each in enumerate(seated):
        each.player = Computer(each.client, strength, f"{number}", lambda news: None)
    seated[0].client.ask("lobby.choose", game="set", options={"deck": "beginner"})
    seated[0].client.ask("lobby.start")
    pump(rig, seated)
    for _ in range(400):
        wait(rig, seated, 5.0)
        if rig.host.shown.lobby.status == "over":
            break
    view = rig.host.shown.view
    assert view.outcome is not None
    assert sum(view.scores) != 0


def test_the_computer_waits_while_a_game_is_paused_and_goes_on() -> None:
    rig = Rig()
    anna = Seated(rig, "anna")
    anna.player = Computer(anna.client, "strong", "s", lambda news: None)
    anna.client.ask("lobby.start")
    pump(rig, [anna])
    anna.client.ask("game.pause")
    pump(rig, [anna])
    assert anna.player.due() is None
    position = rig.host.shown.position
    wait(rig, [anna], 60.0)
    assert rig.host.shown.position == position
    anna.client.ask("game.resume")
    wait(rig, [anna], 60.0)
    assert rig.host.shown.position > position


def test_a_narrator_tells_what_happens() -> None:
    rig = Rig()
    anna = Seated(rig, "anna")
    said: list[str] = []
    narrator = Narrator(anna.client, load("en"), said.append)
    anna.player = Computer(anna.client, "strong", "s", narrator.tell)
    anna.client.ask("lobby.start")
    wait(rig, [anna], 60.0)
    assert any(line.startswith("A set for Anna.  ") for line in said)


def program() -> tuple[Rig, Seated, list[str]]:
    rig = Rig()
    anna = Seated(rig, "anna")
    said: list[str] = []
    anna.player = Program(anna.client, Teller(said.append))
    return rig, anna, said


def test_a_program_asks_and_is_told_in_lines() -> None:
    rig, anna, said = program()
    assert anna.player is not None
    whole = b'{"method": "lobby.start"}\n\n{"method": "game.act", "params": {"action": {"kind": "claim"}}}\n'
    for byte in whole:
        anna.player.typed(bytes((byte,)), rig.now)
    pump(rig, [anna])
    told = [json.loads(line) for line in said]
    assert [line["game"]["view"]["claimed"] for line in told if line["kind"] == "game"][-1] == 1
    assert {"kind": "answered", "method": "game.act", "result": {"position": 1}} in told
    assert not anna.player.has_left
    anna.player.typed(b"", rig.now)
    assert anna.player.has_left


@pytest.mark.parametrize(
    "line", [b"nonsense", b"[]", b'{"method": 1}', b'{"method": "m", "more": 1}', b"\xff"]
)
def test_a_programs_mistake_is_told_and_nothing_asked(line: bytes) -> None:
    rig, anna, said = program()
    assert anna.player is not None
    sent = anna.sent
    anna.player.typed(line + b"\n", rig.now)
    pump(rig, [anna])
    assert anna.sent == sent
    (told,) = map(json.loads, said)
    assert told["kind"] == "mistake"
    assert "game.act" in told["text"]


@pytest.mark.parametrize("key", ["method", "self", "seat", "now"])
def test_a_programs_params_may_have_any_name(key: str) -> None:
    rig, anna, said = program()
    assert anna.player is not None
    anna.player.typed(b'{"method": "lobby.view", "params": {"%b": 1}}\n' % key.encode(), rig.now)
    pump(rig, [anna])
    assert [json.loads(line)["method"] for line in said if '"lobby.view"' in line] == ["lobby.view"]


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "lobby.view", "params": {"x": "x" * 4010}},
        {"method": "seat.take", "params": {"name": "x" * 4010}},
        {"method": "seat.take", "params": {"seat": "x" * 4000}},
        {"method": "game.act", "params": {"action": {"kind": "x" * 3980}}},
        {"method": "game.act", "params": {"action": {}, "number": "x" * 4000}},
    ],
)
def test_a_request_that_no_line_holds_is_a_mistake(asked: dict[str, object]) -> None:
    rig, anna, said = program()
    assert anna.player is not None
    sent = anna.sent
    anna.player.typed(json.dumps(asked).encode() + b"\n", rig.now)
    pump(rig, [anna])
    assert anna.sent == sent
    assert "4096 at most" in json.loads(said[0])["text"]


def test_requests_of_a_file_are_all_asked_in_their_order_before_it_leaves() -> None:
    rig = Rig()
    anna = Seated(rig, "anna", plugged=False)
    said: list[str] = []
    anna.player = Program(anna.client, Teller(said.append))
    whole = b'{"method": "lobby.start"}\n' + b'{"method": "game.view"}\n' * 100 + b'{"method": "game.pause"}'
    anna.player.typed(whole, rig.now)
    anna.player.typed(b"", rig.now)
    left = [anna.player.has_left]  # the board is not greeted yet
    anna.plug()
    answered = [line["method"] for line in map(json.loads, said) if line["kind"] == "answered"]
    assert answered[-102:] == ["lobby.start", *["game.view"] * 100, "game.pause"]
    assert rig.host.shown.lobby.status == "paused"
    assert [*left, anna.player.has_left] == [False, True]


def test_no_more_is_held_than_there_is_room_for() -> None:
    rig = Rig()
    anna = Seated(rig, "anna", plugged=False)
    said: list[str] = []
    anna.player = Program(anna.client, Teller(said.append))
    anna.player.typed(b'{"method": "ping"}\n' * 10_001, rig.now)
    (told,) = map(json.loads, said)
    assert told["text"].startswith("10000 requests wait")


def test_a_program_that_has_ended_gives_up_on_a_board_that_does_not_answer() -> None:
    rig = Rig()
    anna = Seated(rig, "anna", plugged=False)
    said: list[str] = []
    anna.player = Program(anna.client, Teller(said.append))
    anna.player.typed(b'{"method": "lobby.start"}\n', rig.now)
    assert anna.player.due() is None
    anna.player.typed(b"", rig.now)
    left = []
    for seconds in (19.0, 2.0):
        wait(rig, [anna], seconds)
        left.append(anna.player.has_left)
    assert left == [False, True]
    assert json.loads(said[-1])["kind"] == "mistake"


def test_what_a_board_was_to_be_asked_goes_with_it() -> None:
    rig, anna, _ = program()
    assert anna.player is not None
    anna.client.ask("lobby.view")
    anna.move_bytes()
    anna.client.ask("lobby.view")
    anna.player.typed(b'{"method": "lobby.start"}\n', rig.now)
    anna.unplug()
    anna.plug()
    assert rig.host.shown.lobby.status == "lobby"


def test_a_line_without_an_end_is_dropped() -> None:
    rig, anna, said = program()
    assert anna.player is not None
    for _ in range(100):
        anna.player.typed(b"x" * 100, rig.now)
    assert json.loads(said[0])["kind"] == "mistake"


def test_a_program_that_asks_for_a_seat_need_not_tell_its_name() -> None:
    rig, anna, _ = program()
    assert anna.player is not None
    anna.player.typed(b'{"method": "seat.leave"}\n{"method": "seat.take", "params": {"seat": 3}}\n', rig.now)
    pump(rig, [anna])
    assert anna.client.seat == 3
    assert [seat.name for seat in rig.host.shown.lobby.table] == ["Anna"]
    assert Asked("m").params == {}


def test_nothing_of_another_seats_view_is_told() -> None:
    rig, anna, _ = program()
    ben = Seated(rig, "ben")
    anna.client.ask("lobby.start")
    pump(rig, [anna, ben])
    seats = {each.game.view["seat"] for each in anna.of(GameChanged) if isinstance(each, GameChanged)}
    assert seats == {1}


def test_tokens_are_kept_by_name_for_nobody_else_to_read(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert kept_tokens(tmp_path, "Zoë/..") == {}
    keep_tokens(tmp_path, "Zoë/..", {"Board": "7" * 32})
    keep_tokens(tmp_path, "Ben", {})
    assert kept_tokens(tmp_path, "Zoë/..") == {"Board": "7" * 32}
    assert kept_tokens(tmp_path, "Ben") == {}
    (path,) = [path for path in tmp_path.rglob("*.json") if "Zo" in path.name]
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
    path.write_bytes(b"{")
    assert kept_tokens(tmp_path, "Zoë/..") == {}


def test_a_token_is_for_nobody_else_from_its_first_byte_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[int] = []

    def written(path: Path, data: bytes) -> None:
        folders.append(path.parent.stat().st_mode & 0o777)
        write_file(path, data)

    monkeypatch.setattr("firmware.controller.kept.write_file", written)
    (tmp_path / "seats").mkdir(mode=0o755)
    keep_tokens(tmp_path, "Ann", {"Board": "7" * 32})
    assert folders == [0o700]
