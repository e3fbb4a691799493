"""A controller's side of the link, at the real host: greeting, seats and tokens, lost lines, silence."""

import pytest

from firmware.controller.client import AGAIN_S, ASK_S, GONE_S
from firmware.controller.news import (
    Answered,
    GameChanged,
    GamePutAway,
    Gone,
    Greeted,
    Refused,
    Said,
    Unseated,
)
from firmware.controller.news import (
    Seated as HasSeat,
)
from firmware.link.wire import LineReader, Request, Result, encoded
from tests.firmware.controller.seated import Seated, pump, wait
from tests.firmware.link.rig import Rig


def test_a_controller_greets_takes_a_seat_and_looks() -> None:
    rig = Rig()
    anna = Seated(rig, "anna")
    assert [type(each) for each in anna.news[:2]] == [Greeted, Answered]
    assert anna.of(HasSeat) == [HasSeat(1, "Anna")]
    assert anna.client.seat == 1
    assert anna.client.lobby is not None
    assert [seat.name for seat in anna.client.lobby.table] == ["Anna"]
    assert anna.client.game is None
    assert not anna.client.busy


def test_a_game_is_seen_by_who_sits_there() -> None:
    rig, anna, ben = two_that_play()
    assert anna.client.game is not None
    assert ben.client.game is not None
    assert anna.client.game.view["seat"] == 1
    assert ben.client.game.view["seat"] == 2
    anna.client.act({"kind": "claim"})
    pump(rig, [anna, ben])
    assert ben.client.game.view["claimed"] == 1
    assert ben.of(GameChanged)[-1].game.events == ({"kind": "claimed", "seat": 1},)  # type: ignore[attr-defined]


def test_after_unplugging_the_seat_is_resumed_under_another_ports_name() -> None:
    rig, anna, ben = two_that_play()
    ben.unplug()
    assert ben.of(Gone)
    pump(rig, [anna, ben])
    assert anna.client.lobby is not None
    assert not anna.client.lobby.table[1].present
    ben.port = "another"
    ben.plug()
    assert ben.client.seat == 2
    assert ben.client.game is not None
    assert ben.client.game.view["seat"] == 2


def test_a_controller_that_was_stopped_resumes_by_what_it_kept() -> None:
    rig, _, ben = two_that_play()
    ben.unplug()
    again = Seated(rig, "b2", "Ben", ben.client.tokens)
    assert again.client.seat == 2
    # Its acts are counted on, so that it is not answered as it was answered before.
    again.client.act({"kind": "claim"})
    pump(rig, [again])
    assert again.of(Answered)[-1].method == "game.act"  # type: ignore[attr-defined]
    again.unplug()
    third = Seated(rig, "b3", "Ben", again.client.tokens)
    third.client.act({"kind": "agree-none"})
    pump(rig, [third])
    assert third.of(Refused)[-1].reason == "table-held"  # type: ignore[attr-defined]


def test_of_two_that_have_a_token_the_newer_has_the_seat() -> None:
    rig, _, ben = two_that_play()
    twin = Seated(rig, "twin", "Ben", ben.client.tokens)
    pump(rig, [ben, twin])
    assert twin.client.seat == 2
    assert ben.client.seat is None
    assert ben.of(Unseated)
    assert ben.client.game is not None
    assert ben.client.game.view["seat"] is None


def test_a_token_that_is_worth_nothing_is_given_up_for_another_seat() -> None:
    rig = Rig()
    anna = Seated(rig, "anna", tokens={"Board": "0" * 32, "Another": "1" * 32})
    assert anna.client.seat == 1
    assert anna.client.tokens["Board"] != "0" * 32
    assert anna.client.tokens["Another"] == "1" * 32


def test_who_leaves_keeps_no_token() -> None:
    rig = Rig()
    anna = Seated(rig, "anna")
    anna.client.ask("seat.leave")
    pump(rig, [anna])
    assert anna.client.seat is None
    assert anna.client.tokens == {}
    assert anna.of(Unseated)


@pytest.mark.parametrize("spoiled", ["request", "answer"])
def test_a_line_that_is_lost_is_said_again_and_the_act_done_once(spoiled: str) -> None:
    rig, anna, ben = two_that_play()
    setattr(anna, f"spoil_next_{spoiled}", True)
    anna.client.act({"kind": "agree-none"})
    pump(rig, [anna, ben])
    wait(rig, [anna, ben], AGAIN_S + 0.1)
    assert anna.client.game is not None
    assert anna.client.game.view["agreed"] == [1]
    assert rig.host.shown.position == 1
    assert [each.method for each in anna.of(Answered)].count("game.act") == 1  # type: ignore[attr-defined]
    assert not anna.client.busy


def test_the_answer_with_the_token_may_be_lost() -> None:
    rig = Rig()
    anna = Seated(rig, "anna", plugged=False)
    anna.plug(pumped=False)
    for _ in range(10):
        # The first answer is hello's; the next has the token.
        anna.spoil_next_answer = anna.client.board is not None and not anna.client.tokens
        anna.move_bytes()
        if rig.host.shown.lobby.table:
            break
    assert not anna.client.tokens
    wait(rig, [anna], AGAIN_S + 0.1)
    assert anna.client.seat == 1
    assert rig.host.shown.lobby.table[0].name == "Anna"
    anna.unplug()
    anna.plug()
    assert anna.client.seat == 1


def test_news_that_is_lost_is_asked_for() -> None:
    rig, anna, ben = two_that_play()
    ben.spoil_next_answer = True
    anna.client.act({"kind": "claim"})
    pump(rig, [anna, ben])
    assert ben.client.game is not None
    assert ben.client.game.view["claimed"] == 1


def test_a_quiet_board_is_asked_in_time_for_it_not_to_miss_us() -> None:
    rig = Rig()
    anna = Seated(rig, "anna")
    wait(rig, [anna], 100.0)
    assert anna.client.board is not None
    assert not anna.of(Gone)
    assert rig.host.shown.lobby.table[0].present
    assert not rig.host.silent("anna")  # or its connection would be closed
    asked = [each for each in LineReader().feed(anna.sent) if isinstance(each, Request)]
    assert 100.0 / ASK_S - 1 <= [each.method for each in asked].count("ping") <= 100.0 / ASK_S


def test_a_silent_board_counts_as_gone_and_is_greeted_until_it_is_back() -> None:
    rig = Rig()
    anna = Seated(rig, "anna")
    anna.plugged = False
    for _ in range(40):
        rig.now += 1.0
        anna.move_bytes()
    assert len(anna.of(Gone)) == 1
    assert anna.client.board is None
    anna.sent = b""
    rig.now += AGAIN_S
    anna.move_bytes()
    assert b'"hello"' in anna.sent
    anna.plugged = True
    rig.now += AGAIN_S
    pump(rig, [anna])
    assert anna.client.board is not None
    assert anna.client.seat == 1
    assert GONE_S < 40


def test_a_board_that_was_started_anew_is_greeted_and_the_seat_resumed() -> None:
    rig, anna, ben = two_that_play()
    rig.power_cut()
    for each in (anna, ben):
        rig.host.opened(each.port, rig.now)
        each.client.ask("ping")
        each.client.ask("lobby.view")
    pump(rig, [anna, ben])
    assert (anna.client.seat, ben.client.seat) == (1, 2)
    assert anna.client.lobby is not None
    assert (anna.client.lobby.status, anna.client.lobby.why_paused) == ("paused", "restart")


def test_a_game_that_is_put_away_is_gone() -> None:
    rig, anna, ben = two_that_play()
    anna.client.ask("game.end")
    pump(rig, [anna, ben])
    assert any(isinstance(each, Said) and each.code == "end-asked" for each in ben.news)
    ben.client.ask("game.end")
    pump(rig, [anna, ben])
    assert anna.client.game is None
    assert anna.of(GamePutAway)


def test_a_board_of_another_protocol_is_asked_on() -> None:
    anna = Seated(Rig(), "anna", plugged=False)
    client = anna.client
    client.opened(0.0)
    assert b'"protocol":1' in client.outgoing(0.0)
    refusal = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"this board speaks protocol 2"}}'
    from zlib import crc32

    news = client.receive(refusal + b" %08x\n" % crc32(refusal), 0.1)
    assert [each.text for each in news if isinstance(each, Refused)] == ["this board speaks protocol 2"]
    assert client.outgoing(0.2) == b""
    assert b'"hello"' in client.outgoing(AGAIN_S + 0.2)


def test_what_the_board_asks_is_answered() -> None:
    client = Seated(Rig(), "anna").client
    client.receive(encoded(Request("b1", "ping")), 0.0)
    client.receive(encoded(Request("b2", "dance")), 0.0)
    first, second = LineReader().feed(client.outgoing(0.0))
    assert first == Result("b1", {})
    assert getattr(second, "code", None) == -32601


@pytest.mark.parametrize("method", ["lobby.changed", "game.changed", "seat.changed", "said"])
def test_a_notification_that_is_not_as_it_should_be_is_passed_over(method: str) -> None:
    from firmware.link.wire import Notification

    anna = Seated(Rig(), "anna")
    assert anna.client.receive(encoded(Notification(method, {"status": 1})), anna.rig.now) == ()
    # It was news of something: that is asked for.
    assert b'"lobby.view"' in anna.client.outgoing(anna.rig.now)


def two_that_play() -> tuple[Rig, Seated, Seated]:
    """Two controllers in a game of SET."""
    rig = Rig()
    anna, ben = Seated(rig, "anna"), Seated(rig, "ben")
    anna.client.ask("lobby.start")
    pump(rig, [anna, ben])
    return rig, anna, ben
