"""The link games' part of the benchmark's page. Layout only; every number comes measured."""

from collections.abc import Sequence

import numpy as np

from tests.bench.link_crowd import FPS, Beside, Stormed
from tests.bench.link_fuzz import BYTES, Fuzzed
from tests.bench.report import Target
from tests.bench.set_search import SearchCosts
from tests.firmware.link.crowd import BAUD, SEATS

_TIMES = 20
"""So many times as fast as testing all triples ours has to be on the whole deck."""


def print_searches(costs: Sequence[SearchCosts]) -> None:
    """All sets among so many cards, beside the peers."""
    print(
        "\nAll sets among     there  ours, us  triples, us  pairs, us  triples / ours  pairs / ours  any, us"
    )
    for each in costs:
        triples, pairs = each.triples_ms / each.ours_ms, each.pairs_ms / each.ours_ms
        print(
            f"  {each.cards:>3} cards        {each.sets:7.1f} {1e3 * each.ours_ms:9.1f} "
            f"{1e3 * each.triples_ms:12.1f} {1e3 * each.pairs_ms:10.1f} {triples:15.1f} {pairs:13.1f} "
            f"{1e3 * each.any_ms:8.1f}"
        )


def search_targets(costs: Sequence[SearchCosts]) -> list[Target]:
    """Whether ours is as much faster as it should be."""
    whole = costs[-1]
    ratio = whole.triples_ms / whole.ours_ms
    what = f"all sets of {whole.cards} cards: {_TIMES} times as fast as all triples"
    return [Target(what, f"{ratio:.0f} times", ratio >= _TIMES)]


def print_fuzz(fuzzed: Fuzzed) -> None:
    """The link's parser over random lines."""
    faults = ", ".join(f"{count} {reason}" for reason, count in sorted(fuzzed.faults.items()))
    ours, peer = fuzzed.ours_s / fuzzed.its_lines, fuzzed.peer_s / fuzzed.its_lines
    print(f"\nThe link's parser, {fuzzed.size:,} bytes in {fuzzed.lines:,} lines:")
    print(f"  {fuzzed.messages:,} messages, {fuzzed.faults.total():,} faults ({faults})")
    print(
        f"  whole {fuzzed.size / 1e6 / fuzzed.whole_s:.0f} MB/s, byte by byte "
        f"{fuzzed.size / 1e6 / fuzzed.bytewise_s:.1f} MB/s; {fuzzed.held:,} bytes held at the most"
    )
    print(
        f"  a message {1e6 * ours:.1f} us; checksum and json.loads alone {1e6 * peer:.1f} us, "
        f"{peer / ours:.2f} times ours"
    )


def fuzz_targets(fuzzed: Fuzzed) -> list[Target]:
    """Whether every line gave a message or a protocol error, the same however it was fed."""
    bad = fuzzed.wrong + fuzzed.unlike
    what = f"{BYTES:,} bytes to the parser: messages and faults alone"
    return [Target(what, f"{bad} wrong", fuzzed.size >= BYTES and not bad)]


def print_crowd(stormed: Stormed, beside: Beside) -> None:
    """Twenty controllers that claim at once."""
    heard = beside.heard
    half, most = (1e3 * float(np.quantile(heard.after_s, at)) for at in (0.5, 0.99))
    print(f"\n{SEATS} controllers at {BAUD:,} baud claim at once, as fast as their ports carry it:")
    print(
        f"  {stormed.seconds:.0f} s simulated: {stormed.claims:,} claims and namings, {stormed.done:,} done, "
        f"{stormed.refused:,} refused, {stormed.wrong} answered otherwise than by the order of arrival; "
        f"{stormed.spent_s:.1f} s of one core"
    )
    print(
        f"  {heard.claimed_s:.0f} s beside an umpire, by TCP: {heard.claims:,} claims, {heard.lost} without "
        f"an answer, {heard.out_of_order} out of order; answers after {half:.0f} ms, 99 % within "
        f"{most:.0f} ms"
    )
    print(
        f"  the umpire {beside.fps:.0f} frames a second alone, {beside.fps_beside:.0f} beside it "
        f"({100 * beside.fps_beside / beside.fps:.0f} %)"
    )


def crowd_targets(stormed: Stormed, beside: Beside) -> list[Target]:
    """Whether the order was kept and nothing lost, and the umpire keeps up with its camera."""
    bad = stormed.wrong + beside.heard.lost + beside.heard.out_of_order
    whole = stormed.seconds >= 60 and beside.heard.claimed_s >= 60
    return [
        Target(
            f"{SEATS} controllers claim for a minute: by the order of arrival, none lost",
            f"{bad} wrong",
            whole and not bad,
        ),
        Target(
            f"the umpire beside them: {FPS:.0f} frames a second",
            f"{beside.fps_beside:.0f}",
            beside.fps_beside >= FPS,
        ),
    ]
