"""Lines to messages and back: whole, byte by byte and with junk around; and never anything else."""

import random
from zlib import crc32

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.link.wire import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    LONGEST_LINE,
    PARSE_ERROR,
    Failure,
    Fault,
    LineReader,
    Message,
    Notification,
    Request,
    Result,
    WireError,
    encoded,
)
from tests.firmware.link.fuzz import message, read_in_pieces, read_whole, stream

PING = Request(1, "ping")


def signed(text: bytes) -> bytes:
    """A line with the right checksum, whatever it says."""
    return b"%b %08x\n" % (text, crc32(text))


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
ids = st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=64)
params = st.dictionaries(st.text(max_size=8), json_values, max_size=3)
messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(Request, ids, st.text(max_size=20), params),
    st.builds(Notification, st.text(max_size=20), params),
    st.builds(Result, ids, json_values),
    st.builds(Failure, st.none() | ids, st.integers(-(2**31), 2**31), st.text(max_size=20), params),
)
noise = st.one_of(
    st.binary(max_size=60),
    st.sampled_from([b"\xff" * 200, b"\x00", b"\r", b"{}", b"[]", b" 00000000", b"a" * (LONGEST_LINE + 9)]),
    messages.map(lambda sent: encoded(sent)[:-3]),
).map(lambda data: data.replace(b"\n", b""))


def test_a_line_is_json_a_space_and_its_checksum() -> None:
    line = encoded(Request(7, "seat.take", {"name": "Zoë"}))
    text, _, checksum = line.removesuffix(b"\n").rpartition(b" ")
    assert checksum == b"%08x" % crc32(text)
    wanted = {"jsonrpc": "2.0", "id": 7, "method": "seat.take", "params": {"name": "Zoë"}}
    assert msgspec.json.decode(text) == wanted


def test_a_checksum_that_anybody_can_verify() -> None:
    """The check value of CRC-32 (ISO-HDLC) is that of the nine digits."""
    assert crc32(b"123456789") == 0xCBF43926
    (fault,) = LineReader().feed(b"123456789 cbf43926\n")
    assert fault == Fault(INVALID_REQUEST, "not-an-object")


@given(st.lists(messages, max_size=6))
def test_what_was_written_is_read_in_pieces_of_any_size(sent: list[Message]) -> None:
    data = b"".join(map(encoded, sent))
    assert read_whole(data) == sent
    assert read_in_pieces(data) == sent
    assert read_whole(data.replace(b"\n", b"\r\n")) == sent


@given(st.lists(st.tuples(noise, messages), max_size=5), st.randoms(use_true_random=False))
def test_junk_around_spoils_its_own_line_alone(
    pairs: list[tuple[bytes, Message]], chance: random.Random
) -> None:
    data = b"".join(junk + b"\n" + encoded(sent) for junk, sent in pairs)
    found = read_whole(data)
    assert read_in_pieces(data) == found
    assert read_in_pieces(data, chance) == found
    expected = iter(found)
    for junk, sent in pairs:
        if junk.rstrip(b"\r"):
            next(expected)  # a fault, or what happens to be a message
        assert next(expected) == sent


@given(noise.filter(lambda junk: bool(junk.strip(b"\r\n"))), messages, messages)
def test_junk_before_a_message_on_its_line_spoils_that_message(
    junk: bytes, spoilt: Message, next_: Message
) -> None:
    found = read_whole(junk + encoded(spoilt) + encoded(next_))
    assert found[-1] == next_
    assert len(found) == 2
    assert isinstance(found[0], Fault)


@given(st.lists(st.binary(max_size=400), max_size=10))
@settings(max_examples=300)
def test_any_bytes_give_messages_or_faults(pieces: list[bytes]) -> None:
    reader = LineReader()
    for piece in pieces:
        for found in reader.feed(piece):
            assert isinstance(found, Request | Notification | Result | Failure | Fault)
            if isinstance(found, Fault):
                assert read_whole(encoded(found.answer)) == [found.answer]


@given(st.binary(max_size=300).map(lambda data: data.replace(b"\n", b"")))
def test_sound_checksums_over_anything_give_messages_or_faults(text: bytes) -> None:
    (found,) = read_whole(signed(text))
    assert isinstance(found, Request | Notification | Result | Failure | Fault)


def test_a_long_fuzz_reads_alike_in_all_pieces() -> None:
    """A part of what `make bench` does with ten million bytes."""
    chance = random.Random(6)
    lines = list(stream(chance, 300_000))
    data = b"".join(line for line, _ in lines)
    found = read_whole(data)
    assert read_in_pieces(data, chance) == found
    heard = iter(found)
    for line, sent in lines:
        if sent is not None:
            assert next(heard) == sent
        elif line.strip(b"\r\n"):
            next(heard)
    assert next(heard, None) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", Fault(PARSE_ERROR, "json")),
        (b"{", Fault(PARSE_ERROR, "json")),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":NaN}}', Fault(PARSE_ERROR, "json")),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', Fault(PARSE_ERROR, "json")),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', Fault(PARSE_ERROR, "json")),
        (b'{"jsonrpc":"2.0","id":1e999,"method":"x"}', Fault(PARSE_ERROR, "json")),
        (b"[" * 4000, Fault(PARSE_ERROR, "json")),
        (b'{"a":' * 800, Fault(PARSE_ERROR, "json")),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', Fault(INVALID_REQUEST, "batch")),
        (b"[]", Fault(INVALID_REQUEST, "batch")),
        (b"1", Fault(INVALID_REQUEST, "not-an-object")),
        (b"null", Fault(INVALID_REQUEST, "not-an-object")),
        (b"{}", Fault(INVALID_REQUEST, "version")),
        (b'{"id":3,"method":"x"}', Fault(INVALID_REQUEST, "version", 3)),
        (b'{"jsonrpc":"1.0","id":3,"method":"x"}', Fault(INVALID_REQUEST, "version", 3)),
        (b'{"jsonrpc":"2.0","id":3}', Fault(INVALID_REQUEST, "method")),
        (b'{"jsonrpc":"2.0","id":3,"method":7}', Fault(INVALID_REQUEST, "method", 3)),
        (b'{"jsonrpc":"2.0","id":null,"method":"x"}', Fault(INVALID_REQUEST, "id")),
        (b'{"jsonrpc":"2.0","id":true,"method":"x"}', Fault(INVALID_REQUEST, "id")),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"x"}', Fault(INVALID_REQUEST, "id")),
        (b'{"jsonrpc":"2.0","id":[],"method":"x"}', Fault(INVALID_REQUEST, "id")),
        (b'{"jsonrpc":"2.0","id":%d,"method":"x"}' % 2**53, Fault(INVALID_REQUEST, "id")),
        (b'{"jsonrpc":"2.0","id":"%b","method":"x"}' % (b"x" * 65), Fault(INVALID_REQUEST, "id")),
        (b'{"jsonrpc":"2.0","id":3,"method":"x","params":[1]}', Fault(INVALID_PARAMS, "params", 3)),
        (b'{"jsonrpc":"2.0","method":"x","params":1}', Fault(INVALID_PARAMS, "params")),
        (b'{"jsonrpc":"2.0","id":3,"result":1,"error":{}}', Fault(INVALID_REQUEST, "response")),
        (b'{"jsonrpc":"2.0","id":3,"error":{"code":"x"}}', Fault(INVALID_REQUEST, "response")),
        (b'{"jsonrpc":"2.0","result":1}', Fault(INVALID_REQUEST, "response")),
    ],
)  # fmt: skip
def test_what_is_no_message_says_why(text: bytes, fault: Fault) -> None:
    assert read_whole(signed(text) + encoded(PING)) == [fault, PING]


def test_an_answer_of_another_implementation_is_read() -> None:
    """`data` may be anything there; members that nobody knows are passed over."""
    text = b'{"x":1,"error":{"data":"why","message":"no","code":-32601},"id":null,"jsonrpc":"2.0"}'
    assert read_whole(signed(text)) == [Failure(None, -32601, "no")]


@pytest.mark.parametrize("ending", [b"", b" ", b" 0000000", b" 00000000", b" DEADBEEF", b" zzzzzzzz", b"\t"])
def test_a_wrong_or_missing_checksum_is_told(ending: bytes) -> None:
    (fault, _) = read_whole(b'{"jsonrpc":"2.0","id":1,"method":"ping"}' + ending + b"\n" + encoded(PING))
    assert fault == Fault(PARSE_ERROR, "crc")


def test_every_flipped_bit_of_a_line_is_noticed() -> None:
    line = encoded(Request(7, "game.act", {"action": {"kind": "claim"}, "number": 3}))[:-1]
    for at in range(len(line) * 8):
        flipped = bytearray(line)
        flipped[at // 8] ^= 1 << at % 8
        assert all(isinstance(found, Fault) for found in read_whole(bytes(flipped) + b"\n"))


def test_empty_lines_are_nothing() -> None:
    assert read_whole(b"\n\r\n\r\r\n\n") == []


def test_the_longest_line_is_read_and_a_longer_one_is_answered_once() -> None:
    bare = len(encoded(Request(1, "x", {"a": ""}))) - 1
    fits = Request(1, "x", {"a": "y" * (LONGEST_LINE - bare)})
    assert len(encoded(fits)) == LONGEST_LINE + 1
    assert read_whole(encoded(fits)[:-1] + b"\r\n") == [fits]
    with pytest.raises(WireError):
        encoded(Request(1, "x", {"a": "y" * (LONGEST_LINE - bare + 1)}))
    longer = signed(b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"%b"}}' % (b"y" * LONGEST_LINE))
    assert read_whole(longer + encoded(PING)) == [Fault(PARSE_ERROR, "too-long"), PING]


def test_a_line_of_a_megabyte_takes_no_more_room_than_a_line() -> None:
    reader = LineReader()
    for _ in range(1024):
        assert reader.feed(b"\xff" * 1024) == []
        assert reader.held <= LONGEST_LINE + 2
    assert reader.feed(b"\n" + encoded(PING)) == [Fault(PARSE_ERROR, "too-long"), PING]


def test_a_line_that_was_begun_is_forgotten_with_its_port() -> None:
    reader = LineReader()
    reader.feed(encoded(PING)[:10])
    reader.forget()
    assert reader.feed(encoded(PING)) == [PING]


def test_what_json_has_not_is_not_written() -> None:
    with pytest.raises(WireError):
        encoded(Request(1, "x", {"a": object()}))
    with pytest.raises(WireError):
        encoded(Result(1, "\ud800"))


def test_messages_of_the_fuzz_are_read_back() -> None:
    chance = random.Random(1)
    sent = [message(chance) for _ in range(500)]
    assert read_whole(b"".join(map(encoded, sent))) == sent
