"""The lobby: which game, seats, options, computer players, the start; by link and by the board's menu."""

import pytest

from firmware.link.house import AWAY_AFTER_S
from firmware.link.messages import Refused
from firmware.link.wire import INVALID_PARAMS, NOT_PLAYING, SEAT_REFUSED, Failure, Result
from tests.firmware.link.rig import Rig, begun


def test_a_game_is_offered_with_its_seats_and_options() -> None:
    peer = Rig().peer("a", looks_on=True)
    offer = peer.ask("lobby.game", game="set")
    assert (offer["title"], offer["seats"]) == ("SET", [1, 20])
    by_name = {option["name"]: option for option in offer["options"]}
    assert by_name["deck"]["values"] == ["full", "beginner"]
    assert by_name["tutor"]["default"] is False
    assert peer.refused("lobby.game", game="whist") == (INVALID_PARAMS, "game")


def test_as_many_play_as_have_taken_seats() -> None:
    rig = Rig()
    a, b, c = begun(rig, seats=3)
    assert c.game["view"]["seats"] == 3
    assert [peer.game["view"]["seat"] for peer in (a, b, c)] == [1, 2, 3]
    assert a.lobby["status"] == "playing"


def test_a_seat_in_between_that_is_free_keeps_the_game_from_starting() -> None:
    rig = Rig()
    a = rig.peer("a", seat=3)
    assert a.refused("lobby.start") == (NOT_PLAYING, "seats-free")
    a.ask("lobby.bot", seat=1, strength="easy")
    a.ask("lobby.bot", seat=2, strength="strong")
    assert a.ask("lobby.start") == {"position": 0}
    a.read()
    assert [seat["bot"] for seat in a.lobby["table"]] == ["easy", "strong", None]


def test_seats_that_were_chosen_all_have_to_be_taken() -> None:
    rig = Rig()
    a = rig.peer("a")
    assert a.ask("lobby.choose", game="set", seats=2)["seats"] == 2
    assert a.refused("lobby.start") == (NOT_PLAYING, "seats-free")
    b = rig.peer("b")
    third = rig.peer("c", looks_on=True)
    assert third.refused("seat.take", name="C") == (SEAT_REFUSED, "none-free")
    assert third.refused("seat.take", name="C", seat=3) == (SEAT_REFUSED, "no-such-seat")
    assert third.refused("seat.take", name="C", seat=2) == (SEAT_REFUSED, "taken")
    assert b.refused("seat.take", name="B") == (SEAT_REFUSED, "seated")
    assert b.ask("lobby.start") == {"position": 0}


def test_alone_one_plays_solo() -> None:
    (a,) = begun(Rig(), seats=1)
    assert a.game["view"]["seats"] == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"deck": "tarot"}, "options"),
        ({"hand": 3}, "options"),
        ({"hands": 1.5}, "options"),
        ({"seed": "x"}, "options"),
    ],
)
def test_options_that_are_none_are_refused_with_what_to_choose(
    options: dict[str, object], reason: str
) -> None:
    peer = Rig().peer("a")
    assert peer.refused("lobby.choose", game="set", options=options) == (INVALID_PARAMS, reason)
    assert peer.ask("lobby.view")["options"] == {}


def test_an_answer_that_no_line_can_carry_is_one_that_says_so() -> None:
    peer = Rig().peer("a")
    longest = "x" * 3980
    assert peer.refused("lobby.choose", game="set", options={longest: 1}) == (INVALID_PARAMS, "too-long")
    assert peer.ask("ping") == {}


def test_options_are_those_of_the_game_that_is_begun() -> None:
    a, _ = begun(Rig(), deck="beginner", penalty="lockout_only", hands=3)
    view = a.game["view"]
    assert (view["deck"], view["penalty"], view["hands"], view["in_deck"]) == (
        "beginner",
        "lockout_only",
        3,
        15,
    )


def test_fewer_seats_than_are_taken_are_refused() -> None:
    rig = Rig()
    a = rig.peer("a", seat=4)
    assert a.refused("lobby.choose", game="set", seats=3) == (SEAT_REFUSED, "seats-taken")


def test_who_looks_on_chooses_while_nobody_has_a_seat_and_not_after() -> None:
    rig = Rig()
    looks_on = rig.peer("x", looks_on=True)
    looks_on.ask("lobby.choose", game="set", options={"tutor": True})
    a = rig.peer("a")
    for method, params in (
        ("lobby.choose", {"game": "set"}),
        ("lobby.start", {}),
        ("lobby.bot", {"seat": 2, "strength": "fair"}),
    ):
        assert looks_on.refused(method, **params) == (SEAT_REFUSED, "no-seat")
    assert a.ask("lobby.start") == {"position": 0}
    for method in ("game.pause", "game.resume", "game.undo", "game.end"):
        assert looks_on.refused(method) == (SEAT_REFUSED, "no-seat")


def test_nothing_is_chosen_or_begun_while_a_game_is_on() -> None:
    a, _ = begun(Rig())
    assert a.refused("lobby.choose", game="set") == (NOT_PLAYING, "playing")
    assert a.refused("lobby.start") == (NOT_PLAYING, "playing")
    a.ask("game.pause")
    assert a.refused("lobby.start") == (NOT_PLAYING, "playing")


@pytest.mark.parametrize(
    "method", ["game.view", "game.legal", "game.pause", "game.resume", "game.undo", "game.end"]
)
def test_without_a_game_there_is_nothing_to_do(method: str) -> None:
    peer = Rig().peer("a")
    assert peer.refused(method) == (NOT_PLAYING, "nothing-played")


def test_acting_without_a_game() -> None:
    peer = Rig().peer("a")
    assert peer.refused("game.act", action={"kind": "claim"}) == (NOT_PLAYING, "nothing-played")


def test_a_computer_player_comes_and_goes() -> None:
    rig = Rig()
    a = rig.peer("a")
    a.ask("lobby.bot", seat=2, strength="easy")
    assert a.refused("lobby.bot", seat=1, strength="easy") == (SEAT_REFUSED, "taken")
    assert a.refused("lobby.bot", seat=3, strength=None) == (SEAT_REFUSED, "free")
    (_, bot) = a.ask("lobby.bot", seat=2, strength="strong")["table"]
    assert bot == {"seat": 2, "name": "Bot 2", "bot": "strong", "present": True}
    assert len(a.ask("lobby.bot", seat=2, strength=None)["table"]) == 1
    assert a.ask("lobby.choose", game="set", seats=2)
    assert a.refused("lobby.bot", seat=3, strength="easy") == (SEAT_REFUSED, "no-such-seat")


def test_the_computer_takes_the_seat_of_a_controller_that_is_away_and_the_token_is_gone() -> None:
    rig = Rig()
    a, b = begun(rig)
    assert a.refused("lobby.bot", seat=2, strength="fair") == (SEAT_REFUSED, "taken")
    rig.unplug("b")
    a.ask("lobby.bot", seat=2, strength="strong")
    again = rig.peer("b", looks_on=True)
    assert again.refused("seat.resume", token=b.token) == (SEAT_REFUSED, "unknown-token")
    rig.wait(30)
    assert a.game["view"]["scores"][1] > 0


def test_in_a_game_nobody_takes_another_seat_than_the_one_that_was_theirs() -> None:
    """Who had a seat has seen what it holds."""
    rig = Rig()
    a, b, c = begun(rig, seats=3)
    a.ask("seat.leave")
    b.ask("seat.leave")
    assert b.refused("seat.take", name="B", seat=1) == (SEAT_REFUSED, "knows-too-much")
    assert b.ask("seat.take", name="B", seat=2)["seat"] == 2
    c.read()
    assert c.game["view"]["away"] == [1]
    new = rig.peer("new", looks_on=True)
    assert new.ask("seat.take", name="New")["seat"] == 1
    c.read()
    assert c.game["view"]["away"] == []


def test_another_game_may_be_played_from_any_seat() -> None:
    rig = Rig()
    a, b = begun(rig)
    a.ask("game.end")
    assert b.ask("game.end") == {"agreed": True}
    a.ask("seat.leave")
    b.ask("seat.leave")
    assert b.ask("seat.take", name="B", seat=1)["seat"] == 1
    assert a.ask("seat.take", name="A", seat=2)["seat"] == 2
    assert a.ask("lobby.start") == {"position": 0}


def test_a_game_whose_controllers_never_come_back_leaves_the_board_to_others() -> None:
    rig = Rig()
    a, b = begun(rig)
    rig.power_cut()
    new = rig.peer("new", looks_on=True)
    rig.wait(AWAY_AFTER_S - 1)
    for method, params in (
        ("seat.take", {"name": "New"}),
        ("game.resume", {}),
        ("game.end", {}),
        ("lobby.bot", {"seat": 1, "strength": "fair"}),
    ):
        assert new.refused(method, **params)[0] == SEAT_REFUSED
    rig.wait(2)
    assert new.ask("seat.take", name="New", seat=2) == {"seat": 2, "token": rig.given[-1], "acts": 0}
    late = rig.peer("late", looks_on=True)
    assert late.refused("seat.resume", token=b.token) == (SEAT_REFUSED, "unknown-token")
    assert late.refused("game.end") == (SEAT_REFUSED, "no-seat")
    assert late.ask("seat.resume", token=a.token)["seat"] == 1
    late.ask("game.resume")
    assert isinstance(new.act("claim"), Result)


@pytest.mark.parametrize("method", ["game.end", "game.resume"])
def test_who_looks_on_ends_or_resumes_when_all_who_sit_there_are_gone_for_long(method: str) -> None:
    rig = Rig()
    begun(rig)
    rig.power_cut()
    new = rig.peer("new", looks_on=True)
    rig.wait(AWAY_AFTER_S + 1)
    new.ask(method)
    new.read()
    if method == "game.end":
        assert new.lobby["status"] == "lobby"
        assert new.ask("lobby.choose", game="set")
    else:
        assert new.game["view"]["away"] == [1, 2]
        assert new.refused("game.undo") == (SEAT_REFUSED, "no-seat")
    assert new.ask("seat.take", name="New")["seat"] in (1, 3)


def test_a_seat_is_another_s_only_when_its_controller_was_away_for_long() -> None:
    rig = Rig()
    begun(rig)
    rig.unplug("b")
    new = rig.peer("new", looks_on=True)
    rig.wait(AWAY_AFTER_S - 1)
    assert new.refused("seat.take", name="New", seat=2) == (SEAT_REFUSED, "taken")
    rig.wait(2)
    assert new.refused("seat.take", name="New", seat=1) == (SEAT_REFUSED, "taken")
    assert new.ask("seat.take", name="New")["seat"] == 2
    new.read()
    assert new.game["view"]["away"] == []


def test_after_a_restart_more_or_fewer_may_play_the_next_game() -> None:
    rig = Rig()
    a, b = begun(rig)
    rig.power_cut()
    a, b = (rig.peer(each.port, token=each.token) for each in (a, b))
    assert a.lobby["seats"] is None
    third = rig.peer("third", looks_on=True)
    assert third.refused("seat.take", name="Third") == (SEAT_REFUSED, "none-free")
    a.ask("game.end")
    assert b.ask("game.end") == {"agreed": True}
    assert third.ask("seat.take", name="Third")["seat"] == 3
    third.ask("seat.leave")
    b.ask("seat.leave")
    assert a.ask("lobby.start") == {"position": 0}


def test_the_menu_of_the_board_chooses_starts_pauses_and_ends() -> None:
    rig = Rig()
    a = rig.peer("a")
    rig.host.command("lobby.bot", {"seat": 2, "strength": "easy"}, rig.now)
    rig.host.command("lobby.choose", {"game": "set", "options": {"hands": 2}}, rig.now)
    changes = rig.host.changes
    assert rig.host.command("lobby.start", {}, rig.now) == {"position": 0}
    assert rig.host.changes > changes
    shown = rig.host.shown
    assert (shown.lobby.status, shown.position, shown.view.hands, shown.view.seat) == ("playing", 0, 2, None)
    rig.host.command("game.pause", {}, rig.now)
    assert rig.host.shown.lobby.why_paused == "asked"
    a.read()
    assert a.lobby["status"] == "paused"
    rig.host.command("game.resume", {}, rig.now)
    assert isinstance(a.act("claim"), Result)
    assert rig.host.command("game.undo", {}, rig.now) == {"agreed": True, "position": 0}
    assert rig.host.command("game.end", {}, rig.now) == {"agreed": True}
    assert rig.host.shown.view is None
    with pytest.raises(Refused, match="no game is played"):
        rig.host.command("game.pause", {}, rig.now)
    for method in ("seat.take", "game.act", "no.such"):
        with pytest.raises(Refused):
            rig.host.command(method, {}, rig.now)


def test_a_book_that_is_full_begins_no_game_and_says_so() -> None:
    rig = Rig()
    a = rig.peer("a")
    rig.book.refuses = "the disk is full"
    answer = a.answer("lobby.start")
    assert isinstance(answer, Failure)
    assert (answer.message, answer.data) == ("the disk is full", {"reason": "not-kept", "kind": "full"})
    assert a.ask("lobby.view")["status"] == "lobby"
    rig.book.refuses = None
    assert a.ask("lobby.start") == {"position": 0}


def test_twenty_with_the_longest_names_fit_into_a_line() -> None:
    rig = Rig()
    peers = []
    for number in range(20):
        peer = rig.open(f"port{number}")
        peer.ask("hello", protocol=1, name="\U0001f3c6" * 20)
        peer.ask("seat.take", name="\U0001f3c6" * 19 + '"')
        peers.append(peer)
    peers[0].ask("lobby.start")
    rig.read_all()
    assert len(peers[0].lobby["table"]) == 20
    assert peers[19].game["view"]["seats"] == 20
    assert len(peers[3].ask("lobby.view")["table"]) == 20
