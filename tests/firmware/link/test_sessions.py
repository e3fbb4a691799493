"""What becomes of a connection: silence, noise, floods, peers that do not read, unplugging, tokens."""

import pytest

from firmware.link import host
from firmware.link.outbox import MOST_WAITING
from firmware.link.sessions import ANSWERED_FAULTS_PER_S, REQUESTS_PER_S
from firmware.link.wire import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    SAY_HELLO,
    SEAT_REFUSED,
    TOO_FAST,
    Failure,
    Notification,
    Request,
    Result,
    encoded,
)
from tests.firmware.link.rig import Rig, begun


def test_hello_comes_first() -> None:
    rig = Rig()
    peer = rig.open("a")
    assert peer.refused("lobby.view") == (SAY_HELLO, "hello")
    assert peer.refused("seat.take", name="Ann") == (SAY_HELLO, "hello")
    assert peer.ask("ping") == {}
    told = peer.ask("hello", protocol=1, name="Ann", software="pico 1")
    assert told == {"protocol": 1, "board": "Board", "software": "1.2", "boot": rig.given[0]}
    assert peer.ask("lobby.view")["games"] == ["set"]


def test_another_protocol_is_told_which_one_is_spoken() -> None:
    """Whatever else it says in its hello."""
    peer = Rig().open("a")
    answer = peer.answer("hello", protocol=2, name="Ann", colours=["red"])
    assert isinstance(answer, Failure)
    assert (answer.code, answer.data) == (SAY_HELLO, {"reason": "protocol", "protocol": 1})
    assert peer.refused("lobby.view") == (SAY_HELLO, "hello")


@pytest.mark.parametrize("name", ["", "x" * 21, "\n", "a\x07", " a", "a "])
def test_a_name_that_no_panel_can_show_is_refused(name: str) -> None:
    peer = Rig().open("a")
    assert peer.refused("hello", protocol=1, name=name) == (INVALID_PARAMS, "params")


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("hello", {"protocol": "1", "name": "A"}),
        ("hello", {"name": "A"}),
        ("lobby.view", {"x": 1}),
        ("lobby.choose", {}),
        ("lobby.choose", {"game": "set", "seats": 0}),
        ("lobby.choose", {"game": "set", "seats": 21}),
        ("lobby.choose", {"game": "set", "options": []}),
        ("lobby.bot", {"seat": 1, "strength": "godlike"}),
        ("lobby.bot", {"seat": 1}),
        ("seat.take", {"name": "A", "seat": -1}),
        ("seat.resume", {"token": 7}),
        ("seat.resume", {"token": "x" * 65}),
        ("game.act", {"action": "claim"}),
        ("game.act", {"action": {}, "number": 0}),
    ],
)
def test_wrong_parameters_are_refused(method: str, params: dict[str, object]) -> None:
    peer = Rig().peer("a", looks_on=True)
    assert peer.refused(method, **params) == (INVALID_PARAMS, "params")


def test_an_unknown_method_has_the_standard_code() -> None:
    peer = Rig().peer("a", looks_on=True)
    answer = peer.answer("seat.steal")
    assert isinstance(answer, Failure)
    assert answer.code == METHOD_NOT_FOUND


def test_notifications_and_answers_are_not_answered() -> None:
    peer = Rig().peer("a", looks_on=True)
    for message in (
        Notification("hello", {"x": 1}),
        Notification("no.such"),
        Result(1, 2),
        Failure(None, -1, ""),
    ):
        peer.send(encoded(message))
        assert peer.read() == []


def test_noise_is_answered_a_few_times_a_second_and_harms_nobody() -> None:
    rig = Rig()
    peer = rig.peer("a")
    peer.send(b"\xff\n" * 10_000)
    answers = peer.read()
    assert len(answers) == ANSWERED_FAULTS_PER_S
    assert all(isinstance(each, Failure) and each.code == PARSE_ERROR and each.id is None for each in answers)
    assert peer.ask("ping") == {}
    rig.now += 1
    peer.send(b"\xff\n" * 10)
    assert len(peer.read()) == ANSWERED_FAULTS_PER_S
    rig.unplug("a")
    assert any("10000 lines" in note for note in rig.host.notes())


def test_noise_is_no_sign_of_life() -> None:
    rig = Rig()
    a, b = rig.peer("a"), rig.peer("b")
    a.answers_pings = False
    for _ in range(25):
        a.send(b"\xff\xff\n")
        rig.wait(1)
    assert b.lobby["table"][0] == {"seat": 1, "name": "A", "bot": None, "present": False}


def test_a_flood_of_requests_is_told_to_go_slower_and_then_passed_over() -> None:
    rig = Rig()
    peer = rig.peer("a")
    done = 0
    for _ in range(40):  # read in between, as one that reads would
        peer.send(b"".join(encoded(Request(number, "ping")) for number in range(50)))
        done += sum(isinstance(each, Result) for each in peer.read())
    slower = [each for each in peer.heard if isinstance(each, Failure)]
    assert REQUESTS_PER_S - 10 <= done <= REQUESTS_PER_S
    assert len(slower) == ANSWERED_FAULTS_PER_S
    assert {(each.code, each.data["reason"]) for each in slower} == {(TOO_FAST, "too-fast")}
    rig.now += 1
    assert peer.ask("ping") == {}


def test_a_line_in_pieces_and_a_reset_in_its_middle() -> None:
    rig = Rig()
    peer = rig.open("a")
    line = encoded(Request(1, "hello", {"protocol": 1, "name": "Ann"}))
    for byte in line[:30]:
        peer.send(bytes([byte]))
    assert peer.read() == []
    # It starts again: the rest of the old line never comes.
    peer.send(line)
    (fault,) = peer.read()
    assert isinstance(fault, Failure)
    assert fault.code == PARSE_ERROR
    peer.send(line)
    assert any(isinstance(each, Result) for each in peer.read())


def test_a_port_that_was_cut_off_in_mid_line_begins_anew() -> None:
    rig = Rig()
    peer = rig.open("a")
    peer.send(encoded(Request(1, "ping"))[:20])
    rig.unplug("a")
    assert rig.open("a").ask("ping") == {}


def test_who_is_silent_is_asked_and_then_counts_as_gone_with_its_seat_kept() -> None:
    rig = Rig()
    a, b = rig.peer("a"), rig.peer("b")
    a.answers_pings = False
    rig.wait(9.9)
    assert not any(isinstance(each, Request) for each in a.heard)
    rig.wait(0.2)
    assert [each.method for each in a.heard if isinstance(each, Request)] == ["ping"]
    rig.wait(9.7)
    assert all(seat["present"] for seat in b.lobby["table"])
    rig.wait(0.3)
    assert b.told("seat.changed")[-1] == {
        "seat": 1,
        "name": "A",
        "bot": None,
        "present": False,
        "yours": False,
    }
    assert [seat["present"] for seat in b.lobby["table"]] == [False, True]
    assert any("a: silent" in note for note in rig.notes)
    # The first word brings it back, to its own seat.
    assert a.ask("ping") == {}
    assert a.told("seat.changed")[-1] == {"seat": 1, "name": "A", "bot": None, "present": True, "yours": True}


def test_who_answers_pings_is_there() -> None:
    rig = Rig()
    a, b = rig.peer("a"), rig.peer("b")
    rig.wait(300)
    assert all(seat["present"] for seat in b.ask("lobby.view")["table"])
    assert 28 <= sum(isinstance(each, Request) for each in a.heard) <= 30


def test_a_stranger_who_never_says_hello_is_not_spoken_to() -> None:
    """It may be somebody's printer."""
    rig = Rig()
    stranger = rig.open("printer")
    begun(rig)
    rig.wait(100)
    assert stranger.bytes == b""


def test_a_peer_that_does_not_read_is_dropped_with_its_seat_kept() -> None:
    rig = Rig()
    a, b = rig.peer("a"), rig.peer("b")
    for _ in range(MOST_WAITING + 10):
        a.tell("ping")
    assert rig.host.to_close() == ("a",)
    assert rig.host.outgoing("a", 1 << 20) == b""
    a.send(encoded(Request(1, "seat.leave")))
    b.read()
    assert b.lobby["table"][0]["present"] is False
    rig.unplug("a")
    assert rig.host.to_close() == ()
    again = rig.peer("c", token=a.token)
    assert again.seat == 1


def test_news_for_a_slow_peer_is_the_newest_and_takes_no_room() -> None:
    rig = Rig()
    a, _ = begun(rig)
    looks_on = rig.peer("slow", looks_on=True)
    for _ in range(200):
        rig.now += 0.01
        a.act("agree-none")
        a.act("withdraw")
    assert rig.host.to_close() == ()
    (changed,) = (each for each in looks_on.read() if isinstance(each, Notification))
    assert changed.method == "game.changed"
    assert changed.params["position"] == 400
    assert changed.params["events"][-1] == {"kind": "none-agreed", "seat": 1, "agrees": False}
    assert len(changed.params["events"]) > 8


def test_lines_are_taken_whole_and_only_as_many_as_there_is_room_for() -> None:
    rig = Rig()
    peer = rig.peer("a")
    for _ in range(5):
        peer.tell("lobby.view")
    seen = []
    while data := rig.host.outgoing("a", 600):
        assert data.endswith(b"\n")
        assert len(data) <= 600
        seen.append(data)
    assert len(seen) >= 2
    assert b"".join(seen).count(b"\n") == 5


def test_unplugged_and_back_under_another_name() -> None:
    rig = Rig()
    a, b = begun(rig)
    assert isinstance(a.act("claim"), Result)
    rig.unplug("a")
    b.read()
    assert b.lobby["table"][0]["present"] is False
    back = rig.peer("ttyACM7", token=a.token)
    assert back.seat == 1
    assert back.game["view"]["claimed"] == 1
    assert "name" in back.game["legal"]
    b.read()
    assert b.lobby["table"][0]["present"] is True


def test_a_port_that_opens_twice_is_another_peer() -> None:
    rig = Rig()
    a = rig.peer("a")
    rig.open("a")
    assert rig.host.shown.lobby.table[0].present is False
    assert rig.peer("b", token=a.token).seat == 1


def test_a_controller_that_was_reset_says_hello_again_and_waits_for_nothing_of_before() -> None:
    rig = Rig()
    a, _ = begun(rig)
    for _ in range(10):
        a.tell("lobby.view")
    told = a.answer("hello", protocol=1, name="A")
    assert isinstance(told, Result)
    assert len([each for each in a.heard if isinstance(each, Result) and "games" in (each.result or {})]) == 0
    a.read()
    assert a.game["view"]["seat"] is None
    assert a.ask("seat.resume", token=a.token)["seat"] == 1
    a.read()
    assert a.game["view"]["seat"] == 1


def test_of_two_that_claim_one_seat_the_newer_has_it() -> None:
    rig = Rig()
    a, _ = begun(rig)
    newer = rig.peer("newer", token=a.token)
    a.read()
    assert a.told("seat.changed")[-1]["yours"] is False
    assert a.game["view"]["seat"] is None
    assert a.refused("game.act", action={"kind": "claim"}) == (SEAT_REFUSED, "no-seat")
    assert isinstance(newer.act("claim"), Result)
    # The older one may take it back as the newer took it: people settle that.
    assert a.ask("seat.resume", token=a.token)["seat"] == 1
    newer.read()
    assert newer.game["view"]["seat"] is None


def test_a_token_that_is_not_known_and_one_of_a_seat_that_was_left() -> None:
    rig = Rig()
    a = rig.peer("a")
    peer = rig.peer("b", looks_on=True)
    assert peer.refused("seat.resume", token="0" * 32) == (SEAT_REFUSED, "unknown-token")
    a.ask("seat.leave")
    assert peer.refused("seat.resume", token=a.token) == (SEAT_REFUSED, "unknown-token")
    assert a.refused("seat.leave") == (SEAT_REFUSED, "no-seat")


def test_bytes_from_a_port_that_is_not_open_are_nothing() -> None:
    rig = Rig()
    rig.host.receive("ghost", encoded(Request(1, "ping")), rig.now)
    rig.host.closed("ghost", rig.now)
    assert rig.host.outgoing("ghost", 4097) == b""


def test_a_bug_in_a_game_is_an_internal_error_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    a, b = begun(rig)

    def broken(*_: object) -> object:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patch:
        patch.setitem(host._METHODS, "game.legal", (dict, broken))
        assert a.refused("game.legal") == (-32603, "bug")
    assert any("ZeroDivisionError" in note for note in rig.host.notes())
    assert isinstance(b.act("claim"), Result)
