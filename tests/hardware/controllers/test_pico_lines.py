"""The Pico's lines against the board's: what one writes the other reads, in any pieces, with junk around."""

import random
import subprocess
from pathlib import Path
from typing import Any

from firmware.link.wire import (
    LONGEST_LINE,
    Fault,
    LineReader,
    Message,
    Notification,
    Request,
    Result,
    encoded,
)
from tests.hardware.controllers.picos import HERE, PROGRAM
from tests.shared import needs

pytestmark = needs("micropython", "micropython")


def replies(pieces: list[bytes]) -> list[list[bytes | None]]:
    """What the Pico makes of pieces of bytes: for each the lines that it would write for what ends in it.
    None: a damaged one."""
    done = subprocess.run(
        ["micropython", str(HERE / "pico_lines.py")],
        input="".join(f"{piece.hex()}\n" for piece in pieces),
        capture_output=True,
        text=True,
        check=False,
        env={"MICROPYPATH": f"{PROGRAM}:.frozen", "PATH": str(Path("/usr/local/bin:/usr/bin:/bin"))},
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    assert len(told) == len(pieces)
    return [[None if word == "-" else bytes.fromhex(word) for word in line.split()] for line in told]


def messages(lines: list[bytes | None]) -> list[Message | Fault | None]:
    """The messages that the board reads in lines of the Pico's."""
    found: list[Message | Fault | None] = []
    for line in lines:
        found += [None] if line is None else LineReader().feed(line)
    return found


def some(chance: random.Random, depth: int = 3) -> Any:
    """Something that JSON has, whose numbers both sides keep as they are."""
    kinds = 5 if depth == 0 else 7
    match chance.randrange(kinds):
        case 0:
            return chance.choice([None, True, False])
        case 1:
            return chance.choice([0, 1, -1, 2**29, -(2**29), 2**31, 2**53 - 1])
        case 2:
            return chance.choice([0.5, -2.25, 1e10])
        case 3 | 4:
            letters = ['a"b\\c', "é", "Zoë", "卡", "\x01\x1f\t\n", "\u2028", "😀", " ", ""]
            return "".join(chance.choice(letters) for _ in range(chance.randrange(4)))
        case 5:
            return [some(chance, depth - 1) for _ in range(chance.randrange(4))]
        case _:
            return {f"k{n}é": some(chance, depth - 1) for n in range(chance.randrange(4))}


def many(seed: int, count: int) -> list[Message]:
    chance = random.Random(seed)
    made: list[Message] = []
    for number in range(count):
        params = {"a": some(chance), "b": some(chance)}
        kinds = (Request(number, "m", params), Notification("n", params), Result(f"r{number}", params))
        made.append(kinds[number % 3])
    return made


def test_what_the_board_writes_a_pico_reads_and_writes_again() -> None:
    said = many(1, 150)
    told = replies([encoded(message) for message in said])
    assert [messages(lines) for lines in told] == [[message] for message in said]


def test_byte_by_byte_it_is_the_same() -> None:
    said = many(2, 12)
    stream = b"".join(encoded(message) for message in said)
    told = replies([stream[at : at + 1] for at in range(len(stream))])
    assert messages([line for lines in told for line in lines]) == said


def test_junk_spoils_its_own_line_only() -> None:
    chance = random.Random(3)
    said = many(3, 40)
    stream = b""
    for message in said:
        junk = bytes(chance.choices(range(256), k=chance.randrange(60))).replace(b"\n", b"")
        stream += chance.choice([b"", b"\r\n", b"\n\n", junk + b"!\n", encoded(message)[:-3] + b"\n"])
        stream += encoded(message)
    pieces, at = [], 0
    while at < len(stream):
        step = chance.randrange(1, 90)
        pieces.append(stream[at : at + step])
        at += step
    found = messages([line for lines in replies(pieces) for line in lines])
    assert [each for each in found if each is not None] == said


def test_a_line_that_is_too_long_is_passed_over_and_the_next_is_read() -> None:
    padded = Notification("n", {"a": "x" * (LONGEST_LINE - 100)})
    longest = encoded(padded)
    assert LONGEST_LINE - 60 < len(longest) <= LONGEST_LINE + 1
    huge = [b"{" * 1000 for _ in range(1000)]
    told = replies([longest, *huge, b"\n", longest])
    assert messages(told[0]) == [padded]
    assert told[-2] == [None]
    assert messages(told[-1]) == [padded]


def test_a_bit_that_was_flipped_is_noticed() -> None:
    line = encoded(Request(7, "game.act", {"action": {"kind": "name", "cards": ["1OSR", "2OSR", "3OSR"]}}))
    spoiled = []
    for bit in range(8 * (len(line) - 1)):
        changed = bytearray(line)
        changed[bit // 8] ^= 1 << bit % 8
        if b"\n" not in changed[:-1] and not changed[:-1].endswith(b"\r"):
            spoiled.append(bytes(changed))
    assert all(lines == [None] for lines in replies(spoiled))
