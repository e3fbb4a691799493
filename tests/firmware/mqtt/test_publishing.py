"""A match handed to a broker that only takes notes; credentials, names and ids in files."""

import json
import logging
import os
import re
from pathlib import Path
from typing import Any

import pytest

from calibration.edition import load_edition
from firmware.chair.chair import Chair
from firmware.config import Config, check_config, config_from, load_config
from firmware.config.broker import Credentials, credentials_in
from firmware.errors import InputError
from firmware.match import Match
from firmware.mqtt import Publishing, Unpublished, open_publishing
from firmware.mqtt.broker import BrokerNews
from firmware.mqtt.messages import Message, Topics, about_message
from firmware.mqtt.publishing import MOST_RIVALS, address_of, board_id, board_name
from firmware.report import Line
from firmware.rules import Setup
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import load

TOPICS = Topics("setmatch", "court-1", "00112233aabbccdd", "homeassistant")


class Table:
    """A daemon's match, as far as it is published."""

    def __init__(self) -> None:
        self.chair = Chair(Match(load_edition("classic", require_zones=True), Setup()), load("en"))
        self.scoreboard = Scoreboard()
        self.match_number: int | None = None


class Notes:
    """A broker that notes what it is given."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.told: list[BrokerNews] = []
        self.last: Message | None = None

    def publish(self, message: Message) -> None:
        self.messages.append(message)

    def news(self) -> tuple[BrokerNews, ...]:
        told, self.told = tuple(self.told), []
        return told

    def close(self, last: Message) -> None:
        self.last = last

    def of(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(m.payload) for m in self.messages if m.topic == topic]


def test_the_board_is_introduced_and_taken_leave_of() -> None:
    notes = Notes()
    publishing = Publishing(notes, TOPICS, "classic")
    assert notes.messages[-1] == TOPICS.available("online")
    assert [about["id"] for about in notes.of(TOPICS.about)] == [TOPICS.id]
    publishing.close()
    assert notes.last == TOPICS.available("offline")


def test_the_state_is_published_when_it_changes() -> None:
    notes = Notes()
    publishing = Publishing(notes, TOPICS, "classic")
    table = Table()
    publishing.look(table)
    table.match_number = 4
    publishing.look(table)
    table.scoreboard = Scoreboard(marker=1)
    publishing.look(table)
    publishing.look(table)
    table.chair.speak(load("en").named({"A": "Ada"}))
    publishing.look(table)
    states = [(each["match"], each["marker"], each["names"]["A1"]) for each in notes.of(TOPICS.state)]
    unnamed = load("en").side("A")
    assert states == [(None, 0, unnamed), (4, 0, unnamed), (4, 1, unnamed), (4, 1, "Ada")]


def test_events_are_numbered_and_settings_stay_at_the_table() -> None:
    notes = Notes()
    publishing = Publishing(notes, TOPICS, "classic")
    for kind in ("began", "settings", "press"):
        publishing.tell({"kind": kind})
    assert [(event["kind"], event["event"]) for event in notes.of(TOPICS.event)] == [
        ("began", 1),
        ("press", 2),
    ]


def test_what_the_broker_does_is_told_as_lines() -> None:
    notes = Notes()
    publishing = Publishing(notes, TOPICS, "classic")
    notes.told = [BrokerNews("gone"), BrokerNews(None)]
    assert publishing.look(Table()) == (
        {"kind": "trouble", "part": "mqtt", "text": "gone"},
        {"kind": "well", "part": "mqtt"},
    )
    assert publishing.look(Table()) == ()


def test_two_boards_of_one_name_are_told_once_and_both_learn_it() -> None:
    notes = Notes()
    publishing = Publishing(notes, TOPICS, "classic")
    other = about_message(Topics("setmatch", "court-1", "f" * 16, None)).payload.encode()
    publishing.heard(TOPICS.about, about_message(TOPICS).payload.encode())  # its own
    publishing.heard("setmatch/court-1/other", other)
    publishing.heard(TOPICS.about, b"junk")
    assert publishing.look(Table()) == ()
    for _ in range(3):
        publishing.heard(TOPICS.about, other)
    (line,) = publishing.look(Table())
    assert (line["kind"], line["part"]) == ("trouble", "mqtt")
    assert "'court-1'" in line["text"]
    assert "mqtt.board" in line["text"]
    assert len(notes.of(TOPICS.about)) == 2


def test_what_another_said_under_this_boards_name_is_said_again() -> None:
    """A board that is renamed says `offline` by the name that it had."""
    notes = Notes()
    publishing = Publishing(notes, TOPICS, "classic")
    table = Table()
    publishing.look(table)
    publishing.heard(TOPICS.availability, b"online")
    notes.messages.clear()
    publishing.look(table)
    assert notes.messages == []
    publishing.heard(TOPICS.availability, b"offline")
    assert publishing.look(table) == ()
    assert notes.messages[-2] == TOPICS.available("online")
    assert {message.topic for message in notes.messages} == {
        TOPICS.about,
        TOPICS.availability,
        TOPICS.state,
    }
    notes.messages.clear()
    publishing.look(table)
    assert notes.messages == []
    publishing.heard(
        TOPICS.about, about_message(Topics("setmatch", "court-1", "e" * 16, None)).payload.encode()
    )
    publishing.look(table)
    assert [message.topic for message in notes.messages] == [TOPICS.about, TOPICS.availability, TOPICS.state]


def test_made_up_boards_of_one_name_are_told_up_to_a_bound() -> None:
    notes = Notes()
    publishing = Publishing(notes, TOPICS, "classic")
    table = Table()
    lines: list[Line] = []
    for number in range(1, 101):
        rival = about_message(Topics("setmatch", "court-1", f"{number:016x}", None))
        publishing.heard(TOPICS.about, rival.payload.encode())
        lines += publishing.look(table)
    assert len(lines) == MOST_RIVALS
    assert len(notes.of(TOPICS.about)) == 1 + MOST_RIVALS


def test_nothing_is_published_without_a_host(tmp_path: Path) -> None:
    publishing = open_publishing(Config(), tmp_path)
    assert isinstance(publishing, Unpublished)
    assert publishing.look(Table()) == ()
    assert list(tmp_path.iterdir()) == []


def configured(text: str, folder: Path) -> Config:
    return config_from(f"[mqtt]\n{text}", folder / "board.toml")


def test_ports_and_credentials(tmp_path: Path) -> None:
    (tmp_path / "login.toml").write_text('username = "board"\npassword = "sesame"\n')
    plain = address_of(configured('host = "h"\ncredentials = "login.toml"', tmp_path).mqtt)
    assert (plain.host, plain.port, plain.credentials) == ("h", 1883, Credentials("board", "sesame"))
    assert address_of(configured('host = "h"\ntls = true', tmp_path).mqtt).port == 8883
    assert address_of(configured('host = "h"\ntls = true\nport = 99', tmp_path).mqtt).port == 99
    assert "sesame" not in repr(plain)


@pytest.mark.parametrize(
    "text",
    [
        "",
        'username = "a"',
        'username = "a"\npassword = "sesame"\nmore = 1',
        "= sesame",
        'username = "a"\npassword = 7',
    ],
)
def test_credentials_that_are_none_do_not_leak(text: str, tmp_path: Path) -> None:
    path = tmp_path / "login.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"login\.toml: no MQTT credentials; write two lines") as caught:
        credentials_in(path)
    assert "sesame" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_credentials_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        credentials_in(tmp_path / "none.toml")


def test_credentials_for_everybody_are_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "login.toml"
    path.write_text('username = "a"\npassword = "b"\n')
    os.chmod(path, 0o640)
    with caplog.at_level(logging.WARNING):
        credentials_in(path)
        assert caplog.records == []
        os.chmod(path, 0o644)
        credentials_in(path)
    assert "chmod 640" in caplog.text


@pytest.mark.parametrize(
    ("host", "name"),
    [("court-1", "court-1"), ("pi.local", "pi"), ("a b+#/$", "a-b----"), ("", "board"), ("é", "-")],
)
def test_a_computers_name_as_a_boards(host: str, name: str) -> None:
    assert board_name(host) == name
    assert config_from(f'[mqtt]\nhost = "h"\nboard = "{name}"', Path("/x/y.toml")).mqtt.board == name


def test_a_board_keeps_its_id(tmp_path: Path) -> None:
    first = board_id(tmp_path)
    assert board_id(tmp_path) == first
    (tmp_path / "board-id").write_text("spoilt")
    second = board_id(tmp_path)
    assert second != first
    assert board_id(tmp_path) == second


def test_an_id_that_cannot_be_kept_does_not_stop_anybody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert len(board_id(tmp_path / "missing")) == 16
    assert "cannot be written" in caplog.text


BAD_FILES = [
    ('credentials = "none.toml"', r"none\.toml.*chown root:setmatch"),
    ('credentials = "spoilt.pem"', r"spoilt\.pem.*write two lines"),
    ('tls = true\nca = "spoilt.pem"', r"spoilt\.pem.*mqtt\.ca"),
    ('tls = true\nca = "none.pem"', r"none\.pem.*mqtt\.ca"),
]


@pytest.mark.parametrize(("text", "words"), BAD_FILES)
def test_files_that_cannot_be_used_cost_publishing_and_no_match(
    text: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "spoilt.pem").write_text("no certificate")
    config = configured(f'host = "127.0.0.1"\n{text}', tmp_path)
    with pytest.raises(InputError, match=words):  # for who asks before
        address_of(config.mqtt)
    publishing = open_publishing(config, tmp_path)
    publishing.tell({"kind": "began"})
    (line,) = publishing.look(Table())
    assert (line["kind"], line["part"]) == ("trouble", "mqtt")
    assert re.search(words, line["text"])
    assert publishing.look(Table()) == ()
    publishing.close()


@pytest.mark.parametrize("host", ["broker..local", ".local", "a" * 64 + ".local", "\u00e9" * 63])
def test_a_name_that_no_computer_can_have(host: str, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(f'[mqtt]\nhost = "{host}"\n', encoding="utf-8")
    (problem,) = check_config(path)
    assert "correct mqtt.host" in problem
    publishing = open_publishing(load_config(path), tmp_path)
    (line,) = publishing.look(Table())
    assert (line["kind"], line["part"]) == ("trouble", "mqtt")
    assert "correct mqtt.host" in line["text"]


@pytest.mark.parametrize("host", ["broker.local.", "192.168.1.2", "fe80::1%eth0", "b\u00fccher.example", "h"])
def test_names_that_computers_have(host: str, tmp_path: Path) -> None:
    assert address_of(configured(f'host = "{host}"', tmp_path).mqtt).host == host


@pytest.mark.parametrize(("text", "words"), BAD_FILES)
def test_a_check_of_the_configuration_reads_them(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "spoilt.pem").write_text("no certificate")
    path = tmp_path / "board.toml"
    path.write_text(f"[mqtt]\n{text}\n")
    assert check_config(path) == ()  # nothing is published
    path.write_text(f'[mqtt]\nhost = "h"\n{text}\n')
    (problem,) = check_config(path)
    assert problem.startswith(f"{path}: mqtt.")
    assert re.search(words, problem)


def test_what_says_nothing_is_warned_of(tmp_path: Path) -> None:
    assert configured('board = "b"', tmp_path).warnings() == ("mqtt.board has no effect without mqtt.host",)
    assert configured('host = "h"\nca = "x"', tmp_path).warnings() == (
        "mqtt.ca has no effect without mqtt.tls",
    )
    assert configured('host = "h"\ndiscovery = false\ndiscovery_topic = "x"', tmp_path).warnings() == (
        "mqtt.discovery_topic has no effect without mqtt.discovery",
    )
