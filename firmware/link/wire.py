"""Lines of the link to messages and back: fed bytes, gives values. No port, no clock and no method of the
protocol is known here, only JSON-RPC 2.0 with a CRC-32 on every line (README.md beside this).
"""

import re
from typing import Any, Final
from zlib import crc32

import msgspec

PROTOCOL: Final = 1
"""The version of everything that is said on the link."""
LONGEST_LINE: Final = 4096
"""Bytes of a line without its end, in both directions: a microcontroller has to hold it."""
_LINE_END: Final = 2
"""CRs that are passed over before the LF: a terminal's driver may add its own to the peer's."""
_ENDING: Final = re.compile(rb" ([0-9a-f]{8})\Z")
_LONGEST_ID: Final = 64
_LARGEST_ID: Final = 2**53
"""The integers that every JSON library keeps as they are."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
"""These five are JSON-RPC's own (https://www.jsonrpc.org/specification, 5.1)."""
SAY_HELLO: Final = -32001
"""`hello` comes first, and with a protocol that the board speaks."""
SEAT_REFUSED: Final = -32002
ILLEGAL_ACTION: Final = -32003
NOT_PLAYING: Final = -32004
"""Nothing is played, or it is paused, or something is played already."""
TOO_FAST: Final = -32005

Id = int | str
Params = dict[str, Any]


class WireError(Exception):
    """A message that no line can carry; a fault of whoever made it."""


class Request(msgspec.Struct, frozen=True):
    """Something is asked, and answered by a `Result` or a `Failure` of the same id."""

    id: Id
    method: str
    params: Params = {}


class Notification(msgspec.Struct, frozen=True):
    """Something is told, and never answered."""

    method: str
    params: Params = {}


class Result(msgspec.Struct, frozen=True):
    """The answer to a request. `result`: anything that JSON has."""

    id: Id
    result: Any


class Failure(msgspec.Struct, frozen=True):
    """The refusal of a request; `id` None if what it answers could not be read. `data`: holds a `reason`, a
    code, where there is more to say than the number."""

    id: Id | None
    code: int
    message: str
    data: Params = {}


Message = Request | Notification | Result | Failure


class Fault(msgspec.Struct, frozen=True):
    """A line that holds no message. `code`: PARSE_ERROR, INVALID_REQUEST or INVALID_PARAMS; `reason`: `crc`,
    `too-long`, `json`, `batch`, `not-an-object`, `version`, `id`, `method`, `params`, `response`; `id`: of
    what was asked, if that much could be read."""

    code: int
    reason: str
    id: Id | None = None

    @property
    def answer(self) -> Failure:
        """What its sender is told."""
        return Failure(self.id, self.code, _WORDS[self.code], {"reason": self.reason})


_WORDS: Final = {
    PARSE_ERROR: "Parse error",
    INVALID_REQUEST: "Invalid Request",
    INVALID_PARAMS: "Invalid params",
}


class LineReader:
    """Bytes as they come, in pieces of any size, to messages. It never raises, and never holds more than a
    line."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._too_long = False

    @property
    def held(self) -> int:
        """Bytes of the line that has no end yet; at most LONGEST_LINE and its end."""
        return len(self._line)

    def feed(self, data: bytes) -> list[Message | Fault]:
        """The messages, and the lines that are none, that end in `data`."""
        *ends, rest = data.split(b"\n")
        found: list[Message | Fault] = []
        for end in ends:
            self._hold(end)
            line, too_long = bytes(self._line).rstrip(b"\r"), self._too_long
            self.forget()
            if too_long or len(line) > LONGEST_LINE:
                found.append(Fault(PARSE_ERROR, "too-long"))
            elif line:
                found.append(parsed(line))
        self._hold(rest)
        return found

    def forget(self) -> None:
        """Drop a line that was begun: its port was opened anew."""
        self._line.clear()
        self._too_long = False

    def _hold(self, data: bytes) -> None:
        if self._too_long or len(self._line) + len(data) > LONGEST_LINE + _LINE_END:
            self._line.clear()
            self._too_long = True
        else:
            self._line += data


def encoded(message: Message) -> bytes:
    """A message as its line, LF included. WireError if it is longer than a line may be, or holds what JSON
    has not."""
    content: dict[str, Any] = {"jsonrpc": "2.0"}
    match message:
        case Request(id_, method, params):
            content |= {"id": id_, "method": method}
        case Notification(method, params):
            content |= {"method": method}
        case Result(id_, result):
            content |= {"id": id_, "result": result}
            params = {}
        case Failure(id_, code, words, data):
            error: Params = {"code": code, "message": words}
            content |= {"id": id_, "error": error | ({"data": data} if data else {})}
            params = {}
    if params:
        content["params"] = params
    try:
        text = msgspec.json.encode(content)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise WireError(f"{error}: {message}") from error
    line = b"%b %08x\n" % (text, crc32(text))
    if len(line) - 1 > LONGEST_LINE:
        raise WireError(f"a line of {len(line)} bytes is longer than {LONGEST_LINE}: {line[:80]!r}...")
    return line


def parsed(line: bytes) -> Message | Fault:
    """What a line without its end holds."""
    ending = _ENDING.search(line)
    text = line[: ending.start()] if ending else b""
    if ending is None or int(ending[1], 16) != crc32(text):
        return Fault(PARSE_ERROR, "crc")
    try:
        content = msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return Fault(PARSE_ERROR, "json")
    if isinstance(content, list):
        return Fault(INVALID_REQUEST, "batch")
    if not isinstance(content, dict):
        return Fault(INVALID_REQUEST, "not-an-object")
    return _message(content)


def _message(content: Params) -> Message | Fault:
    asked, id_ = "method" in content, content.get("id")
    # A request that says so itself has no null for an id; an answer to what could not be read has.
    if not _is_id(id_) and (id_ is not None or (asked and "id" in content)):
        return Fault(INVALID_REQUEST, "id")
    if content.get("jsonrpc") != "2.0":
        return Fault(INVALID_REQUEST, "version", id_ if asked else None)
    if asked:
        return _asked(content, id_)
    # Of a bad answer no id is told: its sender would take that for one of what it asked itself.
    if "error" in content and "result" not in content:
        return _failure(content, id_)
    if "result" in content and "error" not in content and id_ is not None:
        return Result(id_, content["result"])
    return Fault(INVALID_REQUEST, "response" if "result" in content else "method")


def _asked(content: Params, id_: Id | None) -> Message | Fault:
    method, params = content["method"], content.get("params", {})
    if not isinstance(method, str):
        return Fault(INVALID_REQUEST, "method", id_)
    if not isinstance(params, dict):
        return Fault(INVALID_PARAMS, "params", id_)
    return Notification(method, params) if id_ is None else Request(id_, method, params)


def _failure(content: Params, id_: Id | None) -> Message | Fault:
    try:
        error = msgspec.convert(content["error"], _Error)
    except msgspec.ValidationError:
        return Fault(INVALID_REQUEST, "response")
    data = error.data if isinstance(error.data, dict) else {}
    return Failure(id_, error.code, error.message, data)


class _Error(msgspec.Struct, frozen=True):
    code: int
    message: str
    data: Any = None


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_ID
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST_ID
