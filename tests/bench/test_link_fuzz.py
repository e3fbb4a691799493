"""The benchmark's fuzz of the link's parser notices a parser that is wrong."""

import pytest

from firmware.link.wire import Fault, LineReader, Message
from tests.bench import link_fuzz


def test_ours_gives_what_it_should() -> None:
    fuzzed = link_fuzz.measure_fuzz(100_000)
    assert (fuzzed.wrong, fuzzed.unlike) == (0, 0)
    assert fuzzed.messages > 50
    assert {"crc", "json", "too-long"} <= fuzzed.faults.keys()


class Forgetful(LineReader):
    """Drops what it holds when a piece ends with a brace."""

    def feed(self, data: bytes) -> list[Message | Fault]:
        found = super().feed(data)
        if data.endswith(b"}"):
            self.forget()
        return found


class Deaf(LineReader):
    """Passes over faults."""

    def feed(self, data: bytes) -> list[Message | Fault]:
        return [each for each in super().feed(data) if not isinstance(each, Fault)]


@pytest.mark.parametrize("reader", [Forgetful, Deaf])
def test_a_wrong_one_is_noticed(reader: type[LineReader], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_fuzz, "LineReader", reader)
    fuzzed = link_fuzz.measure_fuzz(100_000)
    assert fuzzed.wrong + fuzzed.unlike > 0
