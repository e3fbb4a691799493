"""A match's lines and scoreboard handed to a broker: what changed, when it changed, under this board's name.

Lives in the loop's thread; the broker has its own. A broker that is away costs the match nothing.
"""

import logging
import secrets
import socket
from collections import deque
from pathlib import Path
from typing import Final, Protocol

from calibration.files import write_file
from firmware.chair.chair import Chair
from firmware.config import Config
from firmware.config.broker import check_certificates, check_host, credentials_in
from firmware.config.sections import MqttSection
from firmware.errors import InputError
from firmware.mqtt.broker import Address, Broker, BrokerNews
from firmware.mqtt.messages import (
    OFFLINE,
    ONLINE,
    Message,
    Standing,
    Topics,
    about_message,
    discovery_messages,
    event_message,
    id_of,
    is_board_id,
    state_message,
)
from firmware.report import Line
from firmware.screens.scoreboard import Scoreboard

ID_FILE: Final = "board-id"
"""In the folder for state: what this board is known by to others, whatever its name is."""
_PLAIN_PORT: Final = 1883
_TLS_PORT: Final = 8883
MOST_RIVALS: Final = 16
"""So many others with this board's name are told; anybody can make up more of them."""
_UNTOLD: Final = ("settings",)
"""Lines that stay at the table: nobody else can use them."""

logger = logging.getLogger(__name__)


class Publishes(Protocol):
    """What is asked of the broker; `firmware.mqtt.broker.Broker`."""

    def publish(self, message: Message) -> None:
        """Have a message published."""
        ...

    def news(self) -> tuple[BrokerNews, ...]:
        """What is to be told of it."""
        ...

    def close(self, last: Message) -> None:
        """Say a last word and part."""
        ...


class Played(Protocol):
    """What is asked of the daemon."""

    @property
    def chair(self) -> Chair:
        """Of the match that is on."""
        ...

    @property
    def scoreboard(self) -> Scoreboard:
        """What the panels show of it."""
        ...

    @property
    def match_number(self) -> int | None:
        """Its number in the journal."""
        ...


class Unpublished:
    """What publishes nothing, where no broker is named, or, with a `trouble` that is told once, where one is
    that cannot be used."""

    def __init__(self, trouble: str | None = None) -> None:
        self._trouble = trouble

    def tell(self, line: Line) -> None:
        """Nobody hears it."""

    def look(self, played: Played) -> tuple[Line, ...]:
        """Nobody sees it; why, if somebody was to."""
        trouble, self._trouble = self._trouble, None
        return () if trouble is None else ({"kind": "trouble", "part": "mqtt", "text": trouble},)

    def close(self) -> None:
        """There is nobody to take leave of."""


class Publishing:
    """One board's match on a broker: hand it every line, and the daemon to look at after each turn.
    `edition`: the printed board's."""

    def __init__(self, broker: Publishes, topics: Topics, edition: str) -> None:
        self._broker = broker
        self._topics = topics
        self._edition = edition
        self._events = 0
        self._standing: Standing | None = None
        self._rivals: deque[str] = deque(maxlen=MOST_RIVALS)
        self._known_rivals: set[str] = set()
        self._spoken_for = False
        for message in discovery_messages(topics):
            broker.publish(message)
        self._introduce()

    def tell(self, line: Line) -> None:
        """Publish something that happened."""
        if line["kind"] in _UNTOLD:
            return
        self._events += 1
        self._broker.publish(event_message(self._topics, line, self._events))

    def look(self, played: Played) -> tuple[Line, ...]:
        """Publish the match as it stands, if that has changed; what is to be told of the broker since the
        last call, for the log and whoever listens at the table."""
        lines = self._news()
        chair = played.chair
        standing = Standing(
            match=played.match_number,
            board=played.scoreboard,
            texts=chair.texts,
            setup=chair.match.state.setup,
            edition=self._edition,
        )
        if standing != self._standing:
            self._standing = standing
            self._broker.publish(state_message(self._topics, standing))
        return lines

    def heard(self, topic: str, payload: bytes) -> None:
        """Somebody published who has this board's name; called by the broker's thread."""
        if topic == self._topics.availability and payload == OFFLINE.encode():
            self._spoken_for = True  # this board says so at its end only
            return
        other = id_of(payload)
        if topic == self._topics.about and other is not None and other != self._topics.id:
            self._rivals.append(other)

    def close(self) -> None:
        """Say that the board is gone."""
        self._broker.close(self._topics.available(OFFLINE))

    def _news(self) -> tuple[Line, ...]:
        lines: list[Line] = []
        again, self._spoken_for = self._spoken_for, False
        for news in self._broker.news():
            if news.trouble is None:
                lines.append({"kind": "well", "part": "mqtt"})
            else:
                lines.append({"kind": "trouble", "part": "mqtt", "text": news.trouble})
        while self._rivals:
            rival = self._rivals.popleft()
            if rival in self._known_rivals or len(self._known_rivals) == MOST_RIVALS:
                continue
            self._known_rivals.add(rival)
            text = (
                f"another board publishes as {self._topics.board!r}, too, and both are mixed up; give each "
                "a name of its own in mqtt.board"
            )
            lines.append({"kind": "trouble", "part": "mqtt", "text": text})
            again = True
        if again:
            self._introduce()  # so that the other learns it, too, and what it retained here does not stay
            self._standing = None
        return tuple(lines)

    def _introduce(self) -> None:
        """Say which board it is, and that it is there."""
        self._broker.publish(about_message(self._topics))
        self._broker.publish(self._topics.available(ONLINE))


def open_publishing(config: Config, state: Path) -> Publishing | Unpublished:
    """What publishes a match by a configuration. `state`: the folder for state. The broker may come later.
    A name, credentials or certificates that cannot be used cost publishing, and not the match."""
    if config.mqtt.host is None:
        return Unpublished()
    try:
        return _opened(config, state)
    except InputError as error:
        return Unpublished(f"the match is not published: {error}; then start again")


def _opened(config: Config, state: Path) -> Publishing:
    section = config.mqtt
    topics = Topics(
        root=section.topic,
        board=section.board or board_name(socket.gethostname()),
        id=board_id(state),
        discovery=section.discovery_topic if section.discovery else None,
    )
    publishing: Publishing | None = None

    def heard(topic: str, payload: bytes) -> None:
        if publishing is not None:
            publishing.heard(topic, payload)

    broker = Broker(
        address_of(section),
        f"setmatch-{topics.id}",
        topics.available(OFFLINE),
        watched=(topics.about, topics.availability),
        heard=heard,
    )
    publishing = Publishing(broker, topics, config.board.edition)
    broker.start()
    return publishing


def address_of(section: MqttSection) -> Address:
    """Where the broker of a configuration is. InputError for a name, credentials or certificates that
    cannot be used."""
    assert section.host is not None
    check_host(section.host)
    port = section.port or (_TLS_PORT if section.tls else _PLAIN_PORT)
    credentials = None if section.credentials is None else credentials_in(Path(section.credentials))
    ca = None if section.ca is None else Path(section.ca)
    if section.tls and ca is not None:
        check_certificates(ca)
    return Address(section.host, port, credentials, section.tls, ca)


def board_name(host: str) -> str:
    """A computer's name as a board's: what topics allow of it."""
    first = host.partition(".")[0]
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in first)[:64] or "board"


def board_id(state: Path) -> str:
    """What a board is known by, sixteen hexadecimal digits that are made up once and kept in the folder for
    state; where they cannot be kept, they are others at the next start."""
    path = state / ID_FILE
    try:
        known = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        known = ""
    if is_board_id(known):
        return known
    fresh = secrets.token_hex(8)
    try:
        write_file(path, f"{fresh}\n".encode("ascii"))
    except OSError as error:
        logger.warning("%s cannot be written (%s); others will take the board for a new one", path, error)
    return fresh
