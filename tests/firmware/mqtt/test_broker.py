"""Publishing to a real mosquitto: read back, killed and back, refused, mixed up, and twenty boards."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from firmware.config import Config, config_from
from firmware.mqtt import Publishing, open_publishing
from firmware.mqtt.broker import Address, Broker
from firmware.mqtt.messages import Message
from firmware.report import Line
from firmware.screens.scoreboard import Scoreboard
from tests.firmware.mqtt.mosquitto import Mosquitto, free_port, listening, mosquitto, needs_mosquitto, until
from tests.firmware.mqtt.test_publishing import Table

pytestmark = needs_mosquitto
OFF = Message("a/availability", "offline", retained=True)


def table(marker: int) -> Table:
    """A match whose marker is there."""
    played = Table()
    played.scoreboard = Scoreboard(marker=marker)
    return played


def configured(port: int, folder: Path, more: str = "", board: str = "court-1") -> Config:
    text = f'[mqtt]\nhost = "127.0.0.1"\nport = {port}\nboard = "{board}"\n{more}'
    return config_from(text, folder / "board.toml")


def published(port: int, folder: Path, more: str = "", board: str = "court-1") -> Publishing:
    folder.mkdir(exist_ok=True)
    publishing = open_publishing(configured(port, folder, more, board), folder)
    assert isinstance(publishing, Publishing)
    return publishing


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as running:
        yield running


def lines_until(publishing: Publishing, kind: str, played: Table) -> list[Line]:
    """What is told of the broker up to a line of that kind."""
    lines: list[Line] = []

    def come() -> bool:
        lines.extend(publishing.look(played))
        return any(line["kind"] == kind for line in lines)

    until(come, f"a line of kind {kind}")
    return lines


def test_discovery_and_state_are_there_for_who_comes_later(broker: Mosquitto, tmp_path: Path) -> None:
    with closing(published(broker.port, tmp_path)) as board:
        board.look(table(2))
        with listening(broker.port) as first:
            until(lambda: "setmatch/court-1/state" in first.topics, "the state")
        with listening(broker.port) as later:
            until(lambda: "setmatch/court-1/state" in later.topics, "the state, retained")
            topics = later.topics
        assert all(retained for _, _, retained in later.heard)
    configs = {
        topic: json.loads(text) for topic, text in topics.items() if topic.startswith("homeassistant/")
    }
    assert {topic.split("/")[1] for topic in configs} == {"sensor", "binary_sensor", "event"}
    for config in configs.values():
        assert topics[config["availability_topic"]] == config["payload_available"] == "online"
        assert config["state_topic"] in ("setmatch/court-1/state", "setmatch/court-1/event")
    assert json.loads(topics["setmatch/court-1/state"])["marker"] == 2


def test_events_come_in_order_and_are_not_retained(broker: Mosquitto, tmp_path: Path) -> None:
    with listening(broker.port) as listener, closing(published(broker.port, tmp_path)) as board:
        for number in range(200):
            board.tell({"kind": "stroke", "number": number, "call": "in"})
        until(lambda: len(listener.of("setmatch/court-1/event")) == 200, "the events")
        events = [json.loads(text) for text in listener.of("setmatch/court-1/event")]
        assert [event["number"] for event in events] == list(range(200))
    with listening(broker.port) as later:
        until(lambda: "setmatch/court-1/about" in later.topics, "what is retained")
        assert later.of("setmatch/court-1/event") == []


def test_a_board_that_ends_is_offline(broker: Mosquitto, tmp_path: Path) -> None:
    board = published(broker.port, tmp_path)
    with listening(broker.port) as listener:
        until(lambda: listener.topics.get("setmatch/court-1/availability") == "online", "online")
        board.close()
        until(lambda: listener.topics["setmatch/court-1/availability"] == "offline", "offline")


def test_a_broker_that_is_killed_and_comes_back(broker: Mosquitto, tmp_path: Path) -> None:
    with closing(published(broker.port, tmp_path)) as board:
        board.look(table(1))
        with listening(broker.port) as before:
            until(lambda: "setmatch/court-1/state" in before.topics, "the state")
        broker.kill()
        (gone,) = lines_until(board, "trouble", table(1))
        assert "tried again by itself" in gone["text"]
        board.look(table(2))
        board.look(table(3))
        for number in (1, 2, 3):
            board.tell({"kind": "stroke", "number": number, "call": "in"})
        broker.start()
        with listening(broker.port) as after:
            until(lambda: len(after.of("setmatch/court-1/event")) == 3, "the events of meanwhile")
            until(lambda: "setmatch/court-1/state" in after.topics, "the state again")
            states = [json.loads(text)["marker"] for text in after.of("setmatch/court-1/state")]
            assert states == [3]
            assert after.topics["setmatch/court-1/availability"] == "online"
            assert any(topic.startswith("homeassistant/") for topic in after.topics)
        assert lines_until(board, "well", table(3))[-1] == {"kind": "well", "part": "mqtt"}


def test_a_broker_that_comes_late(tmp_path: Path) -> None:
    late = Mosquitto(tmp_path)
    with closing(published(late.port, tmp_path)) as board:
        (absent,) = lines_until(board, "trouble", table(1))
        assert "mqtt.host" in absent["text"]
        late.start()
        try:
            with listening(late.port) as listener:
                until(lambda: "setmatch/court-1/state" in listener.topics, "the state")
        finally:
            late.kill()


def test_a_power_cut_of_the_board_is_told_by_the_broker(broker: Mosquitto, tmp_path: Path) -> None:
    import subprocess
    import sys

    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from firmware.config import load_config\n"
        "from firmware.mqtt import open_publishing\n"
        "open_publishing(load_config(Path(sys.argv[1])), Path(sys.argv[1]).parent)\n"
        "time.sleep(120)\n"
    )
    config = tmp_path / "board.toml"
    config.write_text(f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nboard = "court-1"\n')
    with listening(broker.port) as listener:
        child = subprocess.Popen([sys.executable, "-c", script, str(config)])
        try:
            until(lambda: listener.topics.get("setmatch/court-1/availability") == "online", "online")
        finally:
            child.kill()
            child.wait(timeout=20)
        until(lambda: listener.topics["setmatch/court-1/availability"] == "offline", "the last will")


def test_a_wrong_password_is_said_and_costs_nothing(tmp_path: Path) -> None:
    with mosquitto(tmp_path, ("board", "sesame")) as broker:
        (tmp_path / "login.toml").write_text('username = "board"\npassword = "guess"\n')
        with closing(published(broker.port, tmp_path, 'credentials = "login.toml"')) as board:
            (refused,) = lines_until(board, "trouble", table(1))
            assert "mqtt.credentials" in refused["text"]
            assert "guess" not in refused["text"]
        (tmp_path / "login.toml").write_text('username = "board"\npassword = "sesame"\n')
        with (
            closing(published(broker.port, tmp_path, 'credentials = "login.toml"')) as board,
            listening(broker.port, ("board", "sesame")) as listener,
        ):
            board.look(table(2))
            until(lambda: "setmatch/court-1/state" in listener.topics, "the state")


def test_two_boards_of_one_name_both_say_so(broker: Mosquitto, tmp_path: Path) -> None:
    with closing(published(broker.port, tmp_path / "one")) as one:
        with listening(broker.port) as listener:
            until(lambda: "setmatch/court-1/about" in listener.topics, "the first one")
        with closing(published(broker.port, tmp_path / "two")) as two:
            for board in (one, two):
                assert "mqtt.board" in lines_until(board, "trouble", table(1))[-1]["text"]


def test_a_board_whose_rival_got_another_name_is_online(broker: Mosquitto, tmp_path: Path) -> None:
    with closing(published(broker.port, tmp_path / "one")) as one:
        with listening(broker.port) as listener:
            until(lambda: "setmatch/court-1/about" in listener.topics, "the first one")
        two = published(broker.port, tmp_path / "two")
        lines_until(one, "trouble", table(1))
        lines_until(two, "trouble", table(3))
        with listening(broker.port) as listener:
            two.close()  # and begins again by its new name
            until(lambda: "offline" in listener.of("setmatch/court-1/availability"), "its leave")

            def online() -> bool:
                one.look(table(1))
                return listener.topics["setmatch/court-1/availability"] == "online"

            until(online, "online again")
        own_id = (tmp_path / "one" / "board-id").read_text().strip()

        def its_own() -> bool:
            topics = {name: later.topics.get(f"setmatch/court-1/{name}", "{}") for name in ("state", "about")}
            state, about = json.loads(topics["state"]), json.loads(topics["about"])
            return (state.get("marker"), about.get("id")) == (1, own_id)

        with listening(broker.port) as later:
            until(its_own, "its own state")
            assert later.topics["setmatch/court-1/availability"] == "online"


def test_twenty_boards_meet_on_a_broker(broker: Mosquitto, tmp_path: Path) -> None:
    names = [f"court-{number}" for number in range(20)]
    with ExitStack() as stack:
        listener = stack.enter_context(listening(broker.port))
        boards = [
            stack.enter_context(closing(published(broker.port, tmp_path / name, board=name)))
            for name in names
        ]
        for marker in (1, 2, 3):
            for board in boards:
                board.look(table(marker))
                board.tell({"kind": "stroke", "number": marker, "call": "in"})

        def all_told() -> bool:
            topics = listener.topics
            return all(
                json.loads(topics.get(f"setmatch/{name}/state", "{}")).get("marker") == 3
                and len(listener.of(f"setmatch/{name}/event")) == 3
                for name in names
            )

        until(all_told, "the states of all")
        ids: set[Any] = {json.loads(listener.topics[f"setmatch/{name}/about"])["id"] for name in names}
        assert len(ids) == 20
        assert [line for board in boards for line in board.look(table(3))] == []


def troubles_of(broker: Broker, until_well: bool) -> list[str]:
    """What is told of a broker: the first trouble, or all until it is well."""
    told: list[str | None] = []

    def come() -> bool:
        told.extend(news.trouble for news in broker.news())
        return None in told if until_well else bool(told)

    until(come, "news of the broker")
    return [trouble for trouble in told if trouble is not None]


def bare(host: str, port: int) -> Broker:
    """A broker without a match, tried again after a second."""
    return Broker(Address(host, port, retry_s=(1, 1)), "s", OFF, watched=("a/about",), heard=lambda *_: None)


def test_an_error_that_is_not_the_networks_is_told_and_tried_again(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.create_connection
    tries: list[int] = []

    def fails_twice(*args: Any, **kwargs: Any) -> socket.socket:
        tries.append(1)
        if len(tries) < 3:
            raise UnicodeError("label empty or too long")
        return real(*args, **kwargs)

    monkeypatch.setattr(socket, "create_connection", fails_twice)
    board = bare("127.0.0.1", broker.port)
    board.start()
    try:
        (trouble,) = troubles_of(board, until_well=True)
        assert "label empty or too long" in trouble
        assert "tried again by itself" in trouble
        assert len(tries) == 3
    finally:
        board.close(OFF)


def test_an_error_while_connected_is_told_and_the_board_comes_back(broker: Mosquitto) -> None:
    failed: list[int] = []

    def heard(topic: str, payload: bytes) -> None:
        if not failed:
            failed.append(1)
            raise KeyError(topic)

    board = Broker(
        Address("127.0.0.1", broker.port, retry_s=(1, 1)), "s", OFF, watched=("a/about",), heard=heard
    )
    board.publish(Message("a/state", "kept", retained=True))
    board.start()
    try:
        with listening(broker.port) as listener:
            until(lambda: "a/state" in listener.topics, "the state")
            board.publish(Message("a/about", "x"))
            (trouble,) = troubles_of(board, until_well=True)
            assert "KeyError" in trouble
            until(lambda: len(listener.of("a/state")) == 2, "the state again")
    finally:
        board.close(OFF)


def test_a_board_that_failed_can_be_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **kwargs: object) -> None:
        raise UnicodeError("label empty or too long")

    monkeypatch.setattr(socket, "create_connection", fails)
    board = Broker(
        Address("h", 1, retry_s=(1, 3600)), "lone", OFF, watched=("a/about",), heard=lambda *_: None
    )
    board.start()
    troubles_of(board, until_well=False)
    board.close(OFF)
    until(lambda: not any("lone" in thread.name for thread in threading.enumerate()), "the thread's end")


def test_nobody_listens_and_closing_ends_all_the_same(tmp_path: Path) -> None:
    board = published(free_port(), tmp_path)
    board.look(table(1))
    board.close()
