"""Playing on the link: acts and their numbers, the table's own time, undo, end, pauses, bots, cuts."""

import pytest

from firmware.games.setgame.cards import CARDS, code, sets_among
from firmware.link.house import AWAY_AFTER_S
from firmware.link.table import RETRY_S
from firmware.link.wire import ILLEGAL_ACTION, INVALID_PARAMS, NOT_PLAYING, Failure, Result
from tests.firmware.link.rig import Peer, Rig, begun


def set_of(peer: Peer) -> list[str] | None:
    """The first set on the table, as the peer sees it; None if there is none."""
    found = sets_among(CARDS[card] for card in peer.game["view"]["table"])
    return [code(card) for card in found[0]] if found else None


def position(answer: Result | Failure) -> int:
    assert isinstance(answer, Result), answer
    return int(answer.result["position"])


def take_a_set(peer: Peer) -> None:
    """Claim and name one; three more cards are asked for by all of whom the rig knows, until there is one."""
    while (cards := set_of(peer)) is None:
        for each in peer.rig.peers.values():
            each.act("agree-none")
        peer.rig.read_all()
    assert position(peer.act("claim"))
    assert position(peer.act("name", cards=cards))
    peer.rig.read_all()


def test_a_set_is_claimed_and_named_and_everybody_told() -> None:
    rig = Rig()
    a, b = begun(rig)
    take_a_set(b)
    for peer in (a, b):
        assert peer.game["view"]["scores"] == [0, 1]
        assert peer.game["events"][-1]["kind"] == "set-taken"
    assert a.game["legal"] == a.ask("game.legal")["legal"]
    assert a.ask("game.view")["view"] == a.game["view"]


def test_simultaneous_claims_count_by_arrival() -> None:
    rig = Rig()
    a, b = begun(rig)
    b.tell("game.act", action={"kind": "claim"})
    a.tell("game.act", action={"kind": "claim"})
    rig.read_all()
    assert a.game["view"]["claimed"] == 2
    assert [each.data["reason"] for each in a.heard if isinstance(each, Failure)] == ["table-held"]


def test_an_act_may_say_its_own_seat_and_no_other() -> None:
    a, b = begun(Rig())
    assert b.refused("game.act", action={"kind": "claim", "seat": 1}) == (INVALID_PARAMS, "seat")
    assert isinstance(b.act("claim", seat=2), Result)
    assert a.refused("game.act", action={"kind": "claim"}) == (ILLEGAL_ACTION, "table-held")


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"kind": "cheat"},
        {"kind": "time-up"},
        {"kind": "leave"},
        {"kind": "claim", "cards": []},
        {"kind": "name"},
        {"kind": "name", "cards": ["1OSR", "1OSR"]},
        {"kind": "name", "cards": [1, 2, 3]},
    ],
)
def test_what_is_no_act_of_a_seat_is_refused(action: dict[str, object]) -> None:
    a, _ = begun(Rig())
    assert a.refused("game.act", action=action) == (INVALID_PARAMS, "action")


def test_cards_that_are_none_are_refused() -> None:
    a, _ = begun(Rig())
    a.act("claim")
    answer = a.act("name", cards=["9XXX", "1OSR", "2OSR"])
    assert isinstance(answer, Failure)
    assert answer.code in (INVALID_PARAMS, ILLEGAL_ACTION)


def test_an_act_that_is_said_twice_is_done_once_and_answered_the_same() -> None:
    rig = Rig()
    a, _ = begun(rig)
    assert position(a.act("agree-none", number=1)) == 1
    assert position(a.act("withdraw", number=2)) == 2
    assert position(a.act("agree-none", number=1)) == 1
    assert position(a.act("withdraw", number=2)) == 2
    assert a.ask("game.legal")["position"] == 2
    refused = a.act("withdraw", number=3)
    assert isinstance(refused, Failure)
    again = a.act("withdraw", number=3)
    assert isinstance(again, Failure)
    assert (again.code, again.data, again.message) == (refused.code, refused.data, refused.message)
    assert position(a.act("agree-none", number=4)) == 3


def test_a_number_of_long_ago_is_refused() -> None:
    rig = Rig()
    a, _ = begun(rig)
    for number in range(1, 21, 2):
        a.act("agree-none", number=number)
        a.act("withdraw", number=number + 1)
    assert a.refused("game.act", action={"kind": "agree-none"}, number=1) == (ILLEGAL_ACTION, "old-number")
    again = rig.peer("again", token=a.token)
    assert again.ask("seat.resume", token=a.token) == {"seat": 1, "token": a.token, "acts": 20}


def test_who_takes_a_seat_counts_from_the_beginning() -> None:
    rig = Rig()
    a, _ = begun(rig)
    a.act("agree-none", number=7)
    a.ask("seat.leave")
    new = rig.peer("new")
    assert new.seat == 1
    assert position(new.act("agree-none", number=1)) > 1


def test_time_is_up_when_a_claimant_names_nothing() -> None:
    rig = Rig()
    a, b = begun(rig)
    a.act("claim")
    rig.wait(4.9)
    assert b.game["view"]["claimed"] == 1
    rig.wait(0.2)
    assert b.game["view"]["claimed"] is None
    assert b.game["view"]["scores"] == [-1, 0]


def test_what_arrives_in_the_last_instant_counts() -> None:
    """Though it is looked at later: a line counts when its end is there."""
    rig = Rig()
    a, _ = begun(rig)
    while (cards := set_of(a)) is None:
        for peer in rig.peers.values():
            peer.act("agree-none")
        rig.read_all()
    a.act("claim")
    rig.now += 4.999
    name = {"kind": "name", "cards": cards}
    a.tell("game.act", action=name)
    rig.now += 3
    rig.host.tick(rig.now)
    rig.read_all()
    assert a.game["view"]["scores"] == [1, 0]


def test_what_arrives_a_moment_too_late_does_not() -> None:
    rig = Rig()
    a, _ = begun(rig)
    a.act("claim")
    rig.now += 5.001
    assert a.refused("game.act", action={"kind": "name", "cards": a.game["view"]["table"][:3]}) == (
        ILLEGAL_ACTION,
        "not-claimed",
    )


def test_a_pause_stops_time_and_everything_else() -> None:
    rig = Rig()
    a, b = begun(rig)
    a.act("claim")
    rig.wait(3)
    b.ask("game.pause")
    rig.wait(100)
    assert a.lobby["status"] == "paused"
    assert a.lobby["why_paused"] == "asked"
    assert a.game["legal"] == []
    assert a.refused("game.act", action={"kind": "agree-none"}) == (NOT_PLAYING, "paused")
    assert a.refused("game.undo") == (NOT_PLAYING, "paused")
    assert a.refused("game.pause") == (NOT_PLAYING, "paused")
    a.ask("game.resume")
    a.ask("game.resume")
    rig.wait(1.9)
    assert a.game["view"]["claimed"] == 1
    rig.wait(0.2)
    assert a.game["view"]["claimed"] is None


def test_nobody_sees_the_cards_in_a_pause() -> None:
    """Else who has claimed pauses, looks for a set as long as he likes, and names it."""
    rig = Rig()
    a, b = begun(rig, tutor=True)
    looks_on = rig.peer("x", looks_on=True)
    a.act("claim")
    cards = a.ask("game.view")["view"]["table"]
    a.ask("game.pause")
    rig.read_all()
    late = rig.peer("late", looks_on=True)
    for peer in (a, b, looks_on, late):
        assert peer.game["status"] == "paused"
        assert peer.game["view"]["table"] == peer.ask("game.view")["view"]["table"] == []
        assert peer.game["view"]["claimed"] == 1
        assert peer.game["view"]["scores"] == [0, 0]
    a.ask("game.resume")
    rig.read_all()
    assert a.game["view"]["table"] == late.game["view"]["table"] == cards
    assert "name" in a.game["view"]["may"]


def test_undo_wants_everybody_who_is_there() -> None:
    rig = Rig()
    a, b, _ = begun(rig, seats=3)
    a.act("agree-none")
    assert a.ask("game.undo") == {"agreed": False, "position": 1}
    b.read()
    assert b.lobby["undo"] == [1]
    assert b.told("said")[-1] == {
        "code": "undo-asked",
        "text": "A asks to take the last action back",
        "seat": 1,
    }
    rig.unplug("c")
    assert b.ask("game.undo") == {"agreed": True, "position": 0}
    rig.read_all()
    assert a.game["view"]["agreed"] == []
    assert a.lobby["undo"] == []
    assert a.told("said")[-1]["code"] == "undone"
    assert a.refused("game.undo") == (ILLEGAL_ACTION, "nothing-to-undo")


def test_acting_withdraws_what_was_asked() -> None:
    rig = Rig()
    a, b = begun(rig)
    a.act("agree-none")
    a.ask("game.undo")
    a.act("withdraw")
    rig.read_all()
    assert b.lobby["undo"] == []
    assert b.ask("game.undo") == {"agreed": False, "position": 2}


def test_who_acts_withdraws_his_own_end_and_no_other() -> None:
    rig = Rig()
    a, b, _ = begun(rig, seats=3)
    a.ask("game.end")
    b.ask("game.end")
    a.act("agree-none")
    rig.read_all()
    assert b.lobby["end"] == [2]


@pytest.mark.parametrize("method", ["game.undo", "game.end"])
def test_who_takes_a_seat_has_not_asked_for_what_was_asked_there(method: str) -> None:
    rig = Rig()
    a, b, _ = begun(rig, seats=3)
    b.act("agree-none")
    a.ask(method)
    a.ask("seat.leave")
    b.read()
    assert b.lobby[method.removeprefix("game.")] == []
    new = rig.peer("new")
    assert new.seat == 1
    rig.unplug("c")
    assert b.ask(method)["agreed"] is False
    assert new.ask(method)["agreed"] is True


@pytest.mark.parametrize("method", ["game.undo", "game.end"])
def test_what_was_asked_is_withdrawn_in_words(method: str) -> None:
    rig = Rig()
    a, b = begun(rig)
    a.act("agree-none")
    asked = method.removeprefix("game.")
    assert b.ask(method, agree=False)["agreed"] is False
    assert a.ask(method)["agreed"] is False
    b.read()
    assert b.lobby[asked] == [1]
    assert a.ask(method, agree=False)["agreed"] is False
    b.read()
    assert b.lobby[asked] == []
    assert b.ask(method, agree=True)["agreed"] is False
    assert a.ask(method)["agreed"] is True


def test_withdrawing_ends_nothing_when_the_others_have_gone() -> None:
    rig = Rig()
    a, _ = begun(rig)
    a.ask("game.end")
    rig.unplug("b")
    assert a.ask("game.end", agree=False) == {"agreed": False}
    assert rig.host.command("game.end", {"agree": False}, rig.now) == {"agreed": False}
    assert a.ask("lobby.view")["status"] == "playing"


def test_an_undo_takes_back_what_was_played_not_who_is_there() -> None:
    rig = Rig()
    a, b, c = begun(rig, seats=3)
    a.act("agree-none")
    c.ask("seat.leave")
    a.read()
    assert a.game["view"]["away"] == [3]
    a.ask("game.undo")
    assert b.ask("game.undo")["agreed"] is True
    rig.read_all()
    assert a.game["view"]["agreed"] == []
    assert a.game["view"]["away"] == [3]


def test_a_game_that_is_over_can_be_taken_back_begun_again_and_put_away() -> None:
    rig = Rig()
    a = over(rig)
    assert a.game["view"]["outcome"] is not None
    assert a.lobby["status"] == "over"
    assert a.refused("game.pause") == (NOT_PLAYING, "over")
    assert a.refused("game.resume") == (NOT_PLAYING, "over")
    assert a.ask("game.undo")["agreed"] is True
    a.read()
    assert a.game["status"] == "playing"
    assert a.ask("game.end") == {"agreed": True}
    assert a.ask("lobby.start") == {"position": 0}
    a.read()
    assert a.game["view"]["hand"] == 1


def over(rig: Rig) -> Peer:
    """Somebody who has played a game to its end, alone."""
    (a,) = begun(rig, seats=1, deck="beginner")
    while a.game["status"] == "playing":
        rig.now += 1
        if set_of(a) is None:
            a.act("agree-none")
            a.read()
        else:
            take_a_set(a)
    return a


def test_after_a_game_the_next_is_begun_at_once() -> None:
    a = over(Rig())
    assert a.ask("lobby.start") == {"position": 0}
    a.read()
    assert (a.game["position"], a.lobby["status"]) == (0, "playing")


def test_another_choice_puts_a_game_that_is_over_away() -> None:
    rig = Rig()
    a = over(rig)
    assert a.ask("lobby.choose", game="set", options={"hands": 2})["status"] == "lobby"
    assert a.refused("game.view") == (NOT_PLAYING, "nothing-played")
    rig.power_cut()
    assert rig.host.shown.lobby.status == "lobby"


def test_a_game_that_is_over_is_there_after_a_cut_and_can_be_taken_back() -> None:
    rig = Rig()
    a = over(rig)
    outcome = a.game["view"]["outcome"]
    rig.power_cut()
    assert rig.host.shown.lobby.status == "over"
    again = rig.peer("again", token=a.token)
    assert again.game["view"]["outcome"] == outcome
    assert again.ask("game.undo")["agreed"] is True
    again.read()
    assert again.game["status"] == "playing"


def test_ending_wants_everybody_too() -> None:
    rig = Rig()
    a, b = begun(rig)
    a.act("agree-none")
    assert a.ask("game.end") == {"agreed": False}
    rig.read_all()
    assert b.lobby["end"] == [1]
    assert b.ask("game.end") == {"agreed": True}
    rig.read_all()
    assert b.lobby["status"] == "lobby"
    assert [seat["name"] for seat in b.lobby["table"]] == ["A", "B"]
    assert b.refused("game.view") == (NOT_PLAYING, "nothing-played")


def test_who_is_away_for_long_is_not_waited_for_and_sits_again_when_back() -> None:
    rig = Rig()
    a, b = begun(rig)
    rig.unplug("b")
    a.act("agree-none")
    rig.wait(AWAY_AFTER_S - 1)
    assert a.game["view"]["away"] == []
    cards = len(a.game["view"]["table"])
    rig.wait(2)
    assert a.game["view"]["away"] == [2]
    assert len(a.game["view"]["table"]) == cards + 3
    rig.peer("b", token=b.token)
    a.read()
    assert a.game["view"]["away"] == []


def test_who_leaves_gives_a_claimant_no_more_time() -> None:
    rig = Rig()
    a, b, c = begun(rig, seats=3)
    a.act("claim")
    rig.wait(4)
    c.ask("seat.leave")
    b.read()
    assert (b.game["view"]["claimed"], b.game["view"]["away"]) == (1, [3])
    rig.wait(1.1)
    assert b.game["view"]["claimed"] is None


def test_after_a_pause_who_is_not_back_has_a_minute_again() -> None:
    """As after a power cut: controllers start at different times."""
    rig = Rig()
    a, _ = begun(rig)
    rig.power_cut()
    rig.wait(1000)
    back = rig.peer("back", token=a.token)
    back.ask("game.resume")
    rig.wait(AWAY_AFTER_S - 1)
    assert back.game["view"]["away"] == []
    rig.wait(2)
    assert back.game["view"]["away"] == [2]


def test_a_minute_away_is_counted_from_the_silence_on() -> None:
    rig = Rig()
    a, b = begun(rig)
    b.answers_pings = False
    rig.wait(40)
    rig.unplug("b")
    rig.wait(AWAY_AFTER_S - 21)
    assert a.game["view"]["away"] == []
    rig.wait(2)
    assert a.game["view"]["away"] == [2]


def test_computer_players_play_a_whole_game_by_themselves() -> None:
    rig = Rig()
    a = rig.peer("a")
    for seat, strength in ((2, "easy"), (3, "strong")):
        a.ask("lobby.bot", seat=seat, strength=strength)
    a.ask("lobby.start")
    a.act("agree-none")
    for _ in range(200):
        rig.wait(10)
        a.act("agree-none")
        a.read()
        if a.lobby["status"] == "over":
            break
    assert a.lobby["status"] == "over"
    scores = a.game["view"]["scores"]
    assert scores[2] > scores[1]
    assert rig.notes == []


def test_computer_players_stand_still_in_a_pause() -> None:
    rig = Rig()
    a = rig.peer("a")
    a.ask("lobby.bot", seat=2, strength="strong")
    a.ask("lobby.start")
    a.ask("game.pause")
    rig.wait(600)
    assert a.ask("game.view")["position"] == 0
    a.ask("game.resume")
    rig.wait(60)
    assert a.ask("game.view")["position"] > 0


def test_an_act_that_cannot_be_kept_is_not_done_and_may_be_said_again() -> None:
    rig = Rig()
    a, b = begun(rig)
    rig.book.refuses = "the disk is full"
    assert a.refused("game.act", action={"kind": "claim"}, number=1) == (-32603, "not-kept")
    b.read()
    assert b.game["view"]["claimed"] is None
    rig.book.refuses = None
    assert position(a.act("claim", number=1)) == 1


def test_what_the_table_cannot_keep_it_says_once_and_tries_again() -> None:
    rig = Rig()
    a, b = begun(rig)
    a.act("claim")
    rig.book.refuses = "the disk is full"
    rig.wait(5 + 5 * RETRY_S)
    assert b.game["view"]["claimed"] == 1
    assert [each["code"] for each in b.told("said")] == ["not-kept"]
    assert rig.notes.count("the disk is full") == 1
    rig.book.refuses = None
    rig.wait(2 * RETRY_S)
    assert b.game["view"]["claimed"] is None


def test_nothing_is_told_that_is_not_kept() -> None:
    """What a peer hears of a position, the book had before."""
    rig = Rig()
    a, b = begun(rig)
    kept: list[int] = []

    def counted() -> int:
        return sum(type(record).__name__ == "Acted" for record in rig.book.records())

    for _ in range(6):
        take_a_set(b)
        kept.append(counted())
        assert a.game["position"] == kept[-1]
    assert kept == sorted(kept)


def test_power_goes_and_the_game_goes_on_from_a_pause() -> None:
    rig = Rig()
    a, b = begun(rig)
    take_a_set(a)
    answered = a.act("claim", number=9)
    view, tokens = b.ask("game.view")["view"], [a.token, b.token]
    rig.power_cut()
    shown = rig.host.shown
    assert (shown.lobby.status, shown.lobby.why_paused) == ("paused", "restart")
    assert [seat.present for seat in shown.lobby.table] == [False, False]
    rig.wait(1000)
    b = rig.peer("x", token=tokens[1])
    a = rig.peer("y", token=tokens[0])
    assert (a.seat, b.seat) == (1, 2)
    assert b.ask("game.view")["view"] == {**view, "table": [], "may": []}
    assert position(a.act("claim", number=9)) == position(answered)
    assert a.ask("seat.resume", token=tokens[0])["acts"] == 9
    a.ask("game.resume")
    rig.read_all()
    assert b.ask("game.view")["view"] == view
    assert "name" in a.game["legal"]
    rig.wait(5.1)
    assert a.game["view"]["claimed"] is None


def test_seats_that_changed_in_the_game_are_those_after_the_cut() -> None:
    rig = Rig()
    a, b, c = begun(rig, seats=3)
    b.ask("seat.leave")
    c.ask("seat.leave")
    new = rig.peer("new")
    a.ask("lobby.bot", seat=3, strength="fair")
    rig.power_cut()
    table = rig.host.shown.lobby.table
    assert [(seat.name, seat.bot) for seat in table] == [("A", None), ("New", None), ("Bot 3", "fair")]
    peer = rig.peer("p", looks_on=True)
    assert peer.answer("seat.resume", token=b.token) == Failure(
        2, -32002, "that seat is not kept any more; take one", {"reason": "unknown-token"}
    )
    assert peer.ask("seat.resume", token=new.token)["seat"] == 2


def test_a_game_that_was_ended_is_not_there_after_a_cut() -> None:
    rig = Rig()
    (a,) = begun(rig, seats=1)
    a.ask("game.end")
    rig.power_cut()
    assert rig.host.shown.lobby.status == "lobby"
