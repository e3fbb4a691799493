"""What is published of a board: topics, payloads, and what Home Assistant is told."""

import json
from typing import Any, get_args

import pytest

from firmware.mqtt.messages import (
    Message,
    Standing,
    Topics,
    about_message,
    discovery_messages,
    event_message,
    id_of,
    state_message,
)
from firmware.rules import Setup
from firmware.screens.scoreboard import Called, CallName, Scoreboard, Serve, Won, scoreboard_from_json
from firmware.texts import load

TOPICS = Topics("setmatch", "court-1", "00112233aabbccdd", "homeassistant")
NAMED = load("en").named({"A": "Ada", "B": "Ben"})


def told(board: Scoreboard, **given: Any) -> dict[str, Any]:
    standing = Standing(
        **{"match": 3, "board": board, "texts": NAMED, "setup": Setup(), "edition": "classic", **given}
    )
    message = state_message(TOPICS, standing)
    assert message.topic == "setmatch/court-1/state"
    assert message.retained
    state: dict[str, Any] = json.loads(message.payload)
    return state


def test_the_state_tells_score_and_names() -> None:
    board = Scoreboard(
        points=("30", "AD"),
        games=(2, 1),
        sets=(1, 0),
        server="B1",
        to_play="A1",
        marker=-2,
        last=Called("B1", "ace"),
    )
    state = told(board)
    assert (state["points"], state["games"], state["sets"]) == ("30-AD", "2-1", "1-0")
    assert (state["server"], state["to_play"], state["marker"], state["call"]) == ("B1", "A1", -2, "ace")
    assert state["names"] == {"A1": "Ada", "B1": "Ben"}
    assert (state["match"], state["edition"], state["level"]) == (3, "classic", "confirmed")


def test_doubles_tell_every_player() -> None:
    state = told(Scoreboard(), setup=Setup(doubles=True), texts=load("en").named({"A2": "Amy"}))
    assert set(state["names"]) == {"A1", "B1", "A2", "B2"}
    assert state["names"]["A2"] == "Amy"


def test_the_scoreboard_can_be_read_back() -> None:
    board = Scoreboard(marker=3, notice="Scoring waits: é", serve=Serve(2, "left"))
    state = told(board)
    assert scoreboard_from_json(json.dumps(state["scoreboard"]).encode(), "state") == board
    assert state["notice"] == board.notice


@pytest.mark.parametrize(
    ("board", "phase"),
    [
        (Scoreboard(serve=Serve()), "serve"),
        (Scoreboard(to_play="A1"), "rally"),
        (Scoreboard(placing=True, to_play="A1"), "waiting"),
        (Scoreboard(deciding=True), "waiting"),
        (Scoreboard(outcome=Won("A")), "over"),
    ],
)
def test_the_phase_in_a_word(board: Scoreboard, phase: str) -> None:
    assert told(board)["phase"] == phase


def test_an_event_is_the_line_with_a_number() -> None:
    line = {"kind": "rally-won", "winner": "A"}
    message = event_message(TOPICS, line, 7)
    assert message == Message("setmatch/court-1/event", message.payload)
    assert json.loads(message.payload) == {**line, "event": 7}


def test_a_file_name_that_is_no_text_can_be_sent() -> None:
    payload = event_message(TOPICS, {"kind": "trouble", "text": "/tmp/\udc80\u00e9"}, 1).payload
    assert json.loads(payload.encode())["text"] == "/tmp/?\u00e9"


def test_a_call_is_an_event_of_home_assistants() -> None:
    payload = json.loads(event_message(TOPICS, {"kind": "stroke", "number": 4, "call": "net"}, 9).payload)
    assert (payload["event_type"], payload["number"], payload["event"]) == ("net", 4, 9)


def test_discovery_names_topics_that_are_published() -> None:
    published = {
        state_message(TOPICS, Standing(None, Scoreboard(), NAMED, Setup(), "classic")).topic,
        event_message(TOPICS, {"kind": "began"}, 1).topic,
        TOPICS.available("online").topic,
    }
    configs = [(message, json.loads(message.payload)) for message in discovery_messages(TOPICS)]
    assert configs
    for message, config in configs:
        assert message.retained
        assert message.topic.endswith("/config")
        assert {config["state_topic"], config["availability_topic"]} <= published
        assert config["device"]["identifiers"] == ["setmatch_00112233aabbccdd"]
    assert len({config["unique_id"] for _, config in configs}) == len(configs)
    assert len({message.topic for message, _ in configs}) == len(configs)


def test_discoverys_templates_read_keys_of_the_state() -> None:
    state = told(Scoreboard())
    for message in discovery_messages(TOPICS):
        kind, name = message.topic.split("/")[1], message.topic.split("/")[3]
        if kind in ("sensor", "binary_sensor"):
            assert name in state
            assert f"value_json.{name}" in json.loads(message.payload)["value_template"]


def test_every_call_is_a_type_of_the_event() -> None:
    events = [json.loads(m.payload) for m in discovery_messages(TOPICS) if "/event/" in m.topic]
    assert [event["event_types"] for event in events] == [list(get_args(CallName))]


def test_a_board_that_was_renamed_is_the_same_to_home_assistant() -> None:
    other = Topics("setmatch", "court-2", TOPICS.id, "homeassistant")
    assert [m.topic for m in discovery_messages(other)] == [m.topic for m in discovery_messages(TOPICS)]


def test_no_discovery_where_it_is_not_wanted() -> None:
    assert discovery_messages(Topics("setmatch", "court-1", "0", None)) == ()


def test_who_it_is_can_be_read_back() -> None:
    assert id_of(about_message(TOPICS).payload.encode()) == TOPICS.id


LONG = b'{"id": "0123456789abcdef", "board": "%s"}' % (b"x" * 10_000)


@pytest.mark.parametrize(
    "junk", [b"", b"{", b"[]", b'{"id": 3}', b"\xff\xfe", b"[" * 100_000, b"null", b'{"id": "ffff"}', LONG]
)
def test_who_it_is_not(junk: bytes) -> None:
    assert id_of(junk) is None
