"""A child that lives until it is killed at a random instant, or is sent signals after what it told."""

import os
import random
import signal
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tests.faults.system_calls import WHY_NOT, watched

Life = Callable[[Callable[[str], None]], object]
"""It is given what tells the test a line."""


def told_until_killed(
    life: Life, folder: Path, chance: random.Random, *, lines: range, writes: int, calls: int
) -> list[str]:
    """The whole lines that a child told before it was killed, or before it ended.

    That is after some of `lines`; or, where calls of the kernel can be watched, before one of the first
    `writes` that change files in `folder`, or at one of the first `calls` of any kind.
    """
    code: int | None
    how = chance.choice(["told", "write", "call"] if WHY_NOT is None else ["told"])
    if how == "told":
        text, code = told_until(life, chance.choice(lines))
    else:
        at_write, at_call = chance.randrange(writes), chance.randrange(calls)
        done = (
            watched(life, folder, kill_before=at_write)
            if how == "write"
            else watched(life, folder, kill_at=at_call)
        )
        text, code = "".join(done.told), done.code
    assert code in (0, -signal.SIGKILL), "it failed by itself"
    return text[: text.rfind("\n") + 1].splitlines()


def told_until(
    life: Life, lines: int, signals: Sequence[signal.Signals] = (signal.SIGKILL,)
) -> tuple[str, int]:
    """What a child told that was sent signals as soon as it had told so many lines, and how it ended."""
    ours, its = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(ours)
            life(partial(_write, its))
            code = 0
        finally:
            os._exit(code)
    os.close(its)
    text = b""
    while text.count(b"\n") < lines and (more := os.read(ours, 4096)):
        text += more
    for each in signals:
        os.kill(child, each)
    while more := os.read(ours, 65536):
        text += more
    os.close(ours)
    _, status = os.waitpid(child, 0)
    return text.decode(errors="ignore"), os.waitstatus_to_exitcode(status)


def _write(pipe: int, text: str) -> None:
    os.write(pipe, text.encode())
