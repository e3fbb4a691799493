"""The link's parser over many bytes of messages, junk and torn lines: whether every line gives what it
should, fed whole, byte by byte and in pieces; and what a line costs, beside the standard library's JSON.
"""

import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from firmware.link.wire import LONGEST_LINE, Fault, LineReader, Message
from tests.firmware.link.fuzz import stream

BYTES: Final = 10_000_000
_CHUNK: Final = 100_000
_PIECES: Final = (1, 2, 3, 7, 64, 500, 5000)


@dataclass
class Fuzzed:
    """What came of it. `wrong`: lines that gave something else than they should; `unlike`: lots of lines that
    gave another thing in pieces than whole."""

    size: int = 0
    lines: int = 0
    messages: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    unlike: int = 0
    held: int = 0
    """The most bytes of an unfinished line that a reader held."""
    whole_s: float = 0.0
    bytewise_s: float = 0.0
    peer_s: float = 0.0
    """The standard library over the messages among the lines: checksum, JSON, no shape checked."""
    its_lines: int = 0
    ours_s: float = 0.0
    """Ours over the same."""


def measure_fuzz(size: int = BYTES, seed: int = 6) -> Fuzzed:
    """Read `size` bytes and more, three times over."""
    chance, done = random.Random(seed), Fuzzed()
    whole, bytewise, pieces = LineReader(), LineReader(), LineReader()
    while done.size < size:
        lines = list(stream(chance, _CHUNK))
        data = b"".join(line for line, _ in lines)
        start = time.process_time()
        found = whole.feed(data)
        done.whole_s += time.process_time() - start
        start = time.process_time()
        singly = [each for byte in data for each in bytewise.feed(bytes((byte,)))]
        done.bytewise_s += time.process_time() - start
        at, in_pieces = 0, list[Message | Fault]()
        while at < len(data):
            piece = chance.choice(_PIECES)
            in_pieces += pieces.feed(data[at : at + piece])
            done.held = max(done.held, pieces.held)
            at += piece
        done.unlike += (found != singly) + (found != in_pieces)
        _judge(done, lines, found)
        _beside_the_peer(done, [line for line, sent in lines if sent is not None])
        done.size += len(data)
    return done


def _judge(done: Fuzzed, lines: list[tuple[bytes, Message | None]], found: list[Message | Fault]) -> None:
    """Hold what was read against what was written."""
    heard: Iterator[Message | Fault] = iter(found)
    for line, sent in lines:
        if not line.strip(b"\r\n"):
            continue
        done.lines += 1
        each = next(heard, None)
        if each is None or (sent is not None and each != sent):
            done.wrong += 1
        elif isinstance(each, Fault):
            done.faults[each.reason] += 1
            # Only a line that is too long may be told so.
            done.wrong += (each.reason == "too-long") != (len(line) > LONGEST_LINE + 1)
        else:
            done.messages += 1
    done.wrong += sum(1 for _ in heard)


def _beside_the_peer(done: Fuzzed, lines: list[bytes]) -> None:
    data = b"".join(lines)
    reader = LineReader()
    start = time.process_time()
    reader.feed(data)
    done.ours_s += time.process_time() - start
    start = time.process_time()
    for line in data.splitlines():
        text, _, checksum = line.rpartition(b" ")
        if int(checksum, 16) == crc32(text):
            json.loads(text)
    done.peer_s += time.process_time() - start
    done.its_lines += len(lines)
