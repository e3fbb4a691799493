"""Random lines and noise for the link's parser, and the two ways of feeding it that have to agree."""

import random
from collections.abc import Iterator
from zlib import crc32

from firmware.link.wire import (
    LONGEST_LINE,
    Failure,
    Fault,
    LineReader,
    Message,
    Notification,
    Request,
    Result,
    encoded,
)

_TEXTS = ("", "a", "Zoë", '"\\/', "\n\r\t", "\x00\x7f", "\U0001f3c6", "hello", " deadbeef", "x" * 300)
_JUNK = (b"\xff", b"\x00", b"\r", b"{", b"}", b"[", b'"', b" ", b"deadbeef", b"\xc3", b'{"jsonrpc":"2.0"')


def value(chance: random.Random, depth: int = 0) -> object:
    """Anything that JSON has."""
    simple = (None, True, False, chance.randrange(-(2**40), 2**40), chance.random(), chance.choice(_TEXTS))
    kind = chance.randrange(8)
    if depth < 3 and kind == 6:
        return [value(chance, depth + 1) for _ in range(chance.randrange(4))]
    if depth < 3 and kind == 7:
        return {chance.choice(_TEXTS): value(chance, depth + 1) for _ in range(chance.randrange(4))}
    return simple[kind % len(simple)]


def message(chance: random.Random) -> Message:
    """A message of any kind."""
    id_ = chance.choice((chance.randrange(2**53), chance.choice(_TEXTS)[:64]))
    params = {chance.choice(_TEXTS): value(chance) for _ in range(chance.randrange(4))}
    return chance.choice(
        (
            Request(id_, chance.choice(_TEXTS), params),
            Notification(chance.choice(_TEXTS), params),
            Result(id_, value(chance)),
            Failure(chance.choice((None, id_)), chance.randrange(-(2**31), 2**31), "no", params),
        )
    )


def junk(chance: random.Random) -> bytes:
    """Bytes without a line's end: random ones, pieces of lines, a torn or spoilt message, sound checksums
    over nonsense."""
    kind = chance.randrange(6)
    if kind == 0:
        return chance.randbytes(chance.randrange(40)).replace(b"\n", b"")
    if kind == 1:
        return b"".join(chance.choices(_JUNK, k=chance.randrange(8)))
    if kind == 2:
        return b"\xff" * chance.choice((1, 64, LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 3, 20_000))
    line = encoded(message(chance)).rstrip(b"\n")
    if kind == 3:
        return line[: chance.randrange(len(line))]
    if kind == 4:
        at = chance.randrange(len(line))
        flipped = line[at] ^ 1 << chance.randrange(8)
        return (line[:at] + bytes([flipped]) + line[at + 1 :]).replace(b"\n", b"")
    text = b"".join(chance.choices(_JUNK, k=chance.randrange(6)))
    return b"%b %08x" % (text, crc32(text))


def stream(chance: random.Random, size: int) -> Iterator[tuple[bytes, Message | None]]:
    """Lines, of at least `size` bytes in all: each with its message, or with None for one that is junk. Junk
    may by chance be a message all the same; what it must not do is touch its neighbours."""
    made = 0
    while made < size:
        if chance.randrange(2):
            what = message(chance)
            line = encoded(what)
            if chance.randrange(4) == 0:
                line = line[:-1] + b"\r\n"
            yield line, what
        else:
            line = junk(chance) + b"\n"
            yield line, None
        made += len(line)


def read_whole(data: bytes) -> list[Message | Fault]:
    """What a reader makes of it at once."""
    return LineReader().feed(data)


def read_in_pieces(data: bytes, chance: random.Random | None = None) -> list[Message | Fault]:
    """What a reader makes of it byte by byte, or in random pieces."""
    reader, found, at = LineReader(), [], 0
    while at < len(data):
        size = 1 if chance is None else chance.choice((1, 2, 3, 7, 64, 500, 5000))
        found += reader.feed(data[at : at + size])
        assert reader.held <= LONGEST_LINE + 2
        at += size
    return found
