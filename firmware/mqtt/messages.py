"""What is published of a board, and under which topics: values in, messages out; no broker and no clock here.

Topics lie below TOPIC/BOARD. Home Assistant's are those of its own discovery by entity
(https://www.home-assistant.io/integrations/mqtt#discovery-messages-and-availability), which every version
since 2016 reads.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final, get_args

import msgspec

from firmware.report import Line
from firmware.rules import Setup
from firmware.screens.scoreboard import CallName, Scoreboard
from firmware.texts import Texts

ONLINE: Final = "online"
OFFLINE: Final = "offline"
_LONGEST_ABOUT: Final = 4096
"""Bytes; a board's is a hundred or so. What is longer is somebody else's, and nobody reads it."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message to a broker. One that is `retained` is its topic's present value, and the broker hands it to
    who comes later; any other happened once."""

    topic: str
    payload: str
    retained: bool = False


@dataclass(frozen=True, slots=True)
class Topics:
    """Where a board publishes. `root`: the topic of all boards; `board`: this one's name, `id`: what it is
    known by whatever its name is; `discovery`: Home Assistant's topic, None for none."""

    root: str
    board: str
    id: str
    discovery: str | None

    def of(self, name: str) -> str:
        """One of this board's topics."""
        return f"{self.root}/{self.board}/{name}"

    @property
    def availability(self) -> str:
        """`online` or `offline`."""
        return self.of("availability")

    @property
    def about(self) -> str:
        """Which board it is that has the name."""
        return self.of("about")

    @property
    def state(self) -> str:
        """The match as it stands."""
        return self.of("state")

    @property
    def event(self) -> str:
        """Everything that happens, once."""
        return self.of("event")

    def available(self, payload: str) -> Message:
        """That the board can be reached, or cannot."""
        return Message(self.availability, payload, retained=True)


@dataclass(frozen=True, slots=True)
class Standing:
    """A match as it stands: its number in the journal (None until it is kept), what the panels show, in
    whose words, what it is played by, and the board's edition."""

    match: int | None
    board: Scoreboard
    texts: Texts
    setup: Setup
    edition: str


def state_message(topics: Topics, standing: Standing) -> Message:
    """The match as it stands, retained. `scoreboard` is the panels' own value, whose keys
    firmware/screens/README.md tells; the rest is made of it for who shows words. Names are by seat:
    in singles A1 is side A, and B1 is side B."""
    board, texts, setup = standing.board, standing.texts, standing.setup
    last = board.last
    state: dict[str, Any] = {
        "match": standing.match,
        "edition": standing.edition,
        "level": setup.preset,
        "phase": _phase(board),
        "names": {seat: texts.seat(seat, setup) for seat in setup.order},
        "points": "-".join(board.points),
        "games": "-".join(map(str, board.games)),
        "sets": "-".join(map(str, board.sets)),
        "server": board.server,
        "to_play": board.to_play,
        "marker": board.marker,
        "call": None if last is None else last.call,
        "winner": None if board.outcome is None else board.outcome.winner,
        "notice": board.notice,
        "scoreboard": msgspec.to_builtins(board),
    }
    return Message(topics.state, _json(state), retained=True)


def event_message(topics: Topics, line: Line, number: int) -> Message:
    """Something that happened: the line that `setmatch run --json` prints for it, with the `event`'s number,
    which tells a message that came twice from two that are alike."""
    told = {**line, "event": number}
    if line["kind"] == "stroke":
        told["event_type"] = line["call"]  # what Home Assistant's event entity goes by
    return Message(topics.event, _json(told))


def about_message(topics: Topics, software: str | None = None) -> Message:
    """Which board has this name."""
    about = {"id": topics.id, "board": topics.board, "software": software or version("setmatch-board")}
    return Message(topics.about, _json(about), retained=True)


def is_board_id(text: str) -> bool:
    """Whether a board can be known by it: sixteen hexadecimal digits."""
    return len(text) == 16 and all(c in "0123456789abcdef" for c in text)


def id_of(payload: bytes) -> str | None:
    """Whose `about` it is; None for what no board has published."""
    if len(payload) > _LONGEST_ABOUT:
        return None
    try:
        about = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    found = about.get("id") if isinstance(about, dict) else None
    return found if isinstance(found, str) and is_board_id(found) else None


def discovery_messages(topics: Topics) -> tuple[Message, ...]:
    """What makes Home Assistant find the board: a message an entity, retained; none if that is not wanted."""
    return () if topics.discovery is None else tuple(_discovery(topics, topics.discovery))


def _discovery(topics: Topics, root: str) -> Iterator[Message]:
    device = {
        "identifiers": [f"setmatch_{topics.id}"],
        "name": topics.board,
        "model": "Set & Match smart board",
        "sw_version": version("setmatch-board"),
    }
    for kind, name, keys in _entities(topics):
        config: dict[str, Any] = {
            "unique_id": f"setmatch_{topics.id}_{name}",
            "availability_topic": topics.availability,
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "device": device,
            "origin": {"name": "setmatch", "sw_version": version("setmatch-board")},
            **keys,
        }
        yield Message(f"{root}/{kind}/setmatch_{topics.id}/{name}/config", _json(config), retained=True)


def _entities(topics: Topics) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Home Assistant's kind of entity, its name in topics, and the keys that are its own."""
    for name, title, icon in (
        ("points", "Points", "mdi:scoreboard"),
        ("games", "Games", "mdi:counter"),
        ("sets", "Sets", "mdi:counter"),
        ("server", "Server", "mdi:tennis-ball"),
        ("call", "Last call", "mdi:bullhorn"),
        ("phase", "Match", "mdi:tennis"),
    ):
        yield (
            "sensor",
            name,
            {
                "name": title,
                "icon": icon,
                "state_topic": topics.state,
                "value_template": f"{{{{ '-' if value_json.{name} is none else value_json.{name} }}}}",
                **({"json_attributes_topic": topics.state} if name == "phase" else {}),
            },
        )
    yield (
        "binary_sensor",
        "notice",
        {
            "name": "Notice",
            "icon": "mdi:message-alert",
            "state_topic": topics.state,
            "value_template": "{{ 'ON' if value_json.notice else 'OFF' }}",
        },
    )
    yield (
        "event",
        "calls",
        {
            "name": "Calls",
            "icon": "mdi:bullhorn",
            "state_topic": topics.event,
            "event_types": list(get_args(CallName)),
            # Lines without a call are no events of this entity's: an empty payload is passed over.
            "value_template": "{{ value if value_json.event_type is defined else '' }}",
        },
    )


def _phase(board: Scoreboard) -> str:
    """What the match is at, in a word."""
    if board.outcome is not None:
        return "over"
    if board.deciding or board.placing:
        return "waiting"
    return "serve" if board.serve is not None else "rally"


def _json(value: Mapping[str, Any]) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    # Half a pair, as Python has it for a byte of a file's name that is no UTF-8, is no text to anybody else.
    return text.encode("utf-8", "replace").decode("utf-8")
