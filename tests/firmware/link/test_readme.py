"""The recorded session in firmware/link/README.md is what the board does, byte by byte; the tables there name
every method and every reason.

SETMATCH_RECORD=1 records the session anew; read it then.
"""

import hashlib
import itertools
import os
import re
from pathlib import Path

import pytest

from firmware.games.setgame.cards import CARDS, code, sets_among
from firmware.link import host, house, messages, outbox, sessions, wire
from firmware.link.wire import LineReader, Request, Result, encoded
from tests.firmware.gamebook.made import NOON
from tests.firmware.link.rig import MemoryBook

README = Path(host.__file__).with_name("README.md")
_START, _END = "<!-- session -->\n```\n", "```\n<!-- /session -->"
_STEP_S = 0.1


class Board:
    """A board whose random words are always the same."""

    def __init__(self) -> None:
        numbers = itertools.count(1)
        self.now = 0.0
        self.host = host.Host(
            MemoryBook(),
            tokens=lambda: hashlib.sha256(b"%d" % next(numbers)).hexdigest()[:32],
            wall=lambda: NOON,
            board="Set & Match",
            software="0.1.0",
        )

    def happen(self, what: str) -> None:
        """A line of the session that the board does not say."""
        self.now += _STEP_S
        port, _, rest = what.partition(" ")
        if rest == "is plugged in":
            self.host.opened(port, self.now)
        elif rest == "is unplugged":
            self.host.closed(port, self.now)
        else:
            said = rest.removeprefix("> ")
            assert said != rest, what
            self.host.receive(port, said.encode() + b"\n", self.now)

    def hears(self, port: str) -> list[str]:
        """What is said to a port now."""
        return self.host.outgoing(port, 1 << 20).decode().splitlines()


def recorded() -> list[str]:
    text = README.read_text(encoding="utf-8")
    return text[text.index(_START) + len(_START) : text.index(_END)].splitlines()


def record() -> list[str]:
    """The session, played by somebody who sees what the board says."""
    board, lines, ids = Board(), [], itertools.count(1)
    heard: dict[str, object] = {}

    def happen(what: str) -> None:
        board.happen(what)
        lines.append(what)
        for port in "ab":
            for line in board.hears(port):
                lines.append(f"{port} < {line}")
                (message,) = LineReader().feed(line.encode() + b"\n")
                if isinstance(message, Result):
                    heard["result"] = message.result
                elif getattr(message, "method", "") == "game.changed":
                    heard["view"] = message.params["view"]  # type: ignore[union-attr]

    def ask(port: str, method: str, **params: object) -> str:
        line = encoded(Request(next(ids), method, params)).decode().rstrip("\n")
        happen(f"{port} > {line}")
        return line

    happen("a is plugged in")
    ask("a", "hello", protocol=1, name="Pico", software="pico 1")
    ask("a", "seat.take", name="Ann")
    token = heard["result"]["token"]  # type: ignore[index]
    ask("a", "lobby.bot", seat=2, strength="fair")
    ask("a", "lobby.choose", game="set", options={"deck": "beginner"})
    ask("a", "lobby.start")
    claim = ask("a", "game.act", action={"kind": "claim"}, number=1)
    happen(f"a > {claim[:40]}?{claim[41:]}")
    happen(f"a > {claim}")
    table = heard["view"]["table"]  # type: ignore[index]
    cards = [code(card) for card in sets_among(CARDS[each] for each in table)[0]]
    ask("a", "game.act", action={"kind": "name", "cards": cards}, number=2)
    ask("a", "game.act", action={"kind": "name", "cards": cards}, number=3)
    happen("a is unplugged")
    happen("b is plugged in")
    ask("b", "hello", protocol=1, name="Pico", software="pico 1")
    ask("b", "seat.resume", token=token)
    ask("b", "game.pause")
    return lines


def test_the_session_goes_as_it_was_recorded() -> None:
    if os.environ.get("SETMATCH_RECORD") == "1":
        text = README.read_text(encoding="utf-8")
        start, end = text.index(_START) + len(_START), text.index(_END)
        session = "".join(f"{line}\n" for line in record())
        README.write_text(text[:start] + session + text[end:], encoding="utf-8")
        pytest.skip("recorded; read it")
    board = Board()
    session = recorded()
    heard = itertools.groupby(session, lambda line: " < " in line[:4])
    for told, lines in heard:
        if not told:
            for line in lines:
                board.happen(line)
            continue
        for port, its in itertools.groupby(lines, lambda line: line[0]):
            assert board.hears(port) == [line[4:] for line in its]
    assert board.hears("a") == board.hears("b") == []
    assert sum(" < " in line[:4] for line in session) > 15


def test_the_ping_that_is_shown_is_one() -> None:
    (line,) = re.findall(r'^    (\{"jsonrpc.*)$', README.read_text(encoding="utf-8"), re.MULTILINE)
    assert LineReader().feed(line.encode() + b"\n") == [Request(1, "ping")]


def test_every_method_is_told_of() -> None:
    text = README.read_text(encoding="utf-8")
    for method in ("hello", "ping", *host._METHODS, "lobby.changed", "game.changed", "seat.changed", "said"):
        assert f"`{method}`" in text


def test_every_code_and_reason_is_told_of() -> None:
    text = README.read_text(encoding="utf-8")
    table = text[text.index("| code |") : text.index("- **Silence.**")]
    for name in vars(wire):
        value = getattr(wire, name)
        if name.isupper() and isinstance(value, int) and value < 0:
            assert str(value) in table, name
    source = "".join(path.read_text(encoding="utf-8") for path in README.parent.glob("*.py"))
    reasons = set(re.findall(r'(?:Refused|Fault)\(\s*[A-Z_]+,\s*"([a-z-]+)"', source))
    assert len(reasons) > 20
    for reason in reasons:
        assert f"`{reason}`" in table, reason


def test_the_figures_are_those_of_the_code() -> None:
    text = README.read_text(encoding="utf-8")
    for figure in (
        f"at most {wire.LONGEST_LINE:,} bytes",
        f"up to {messages.LONGEST_NAME} characters",
        f"nothing for {sessions.PING_AFTER_S:g} s",
        f"after {sessions.GONE_AFTER_S:g} s",
        f"more than {sessions.REQUESTS_PER_S:g} requests",
        f"Up to {outbox.MOST_WAITING} messages",
        f"last {outbox.MOST_EVENTS} events",
    ):
        assert figure in re.sub(r"\s+", " ", text), figure
    assert house.AWAY_AFTER_S == 60
    assert sessions.ANSWERED_FAULTS_PER_S == 5
