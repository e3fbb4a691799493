"""How a piece of work is measured: its processor time, best of several, and the memory that it leaves.

The same for ours and for peers. Nothing is printed.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")

_TRIES = 5


def least_ms(work: Callable[[], object], tries: int = _TRIES) -> float:
    """The processor time of this thread that `work` takes, the least of several times, in ms: what
    other work on the machine adds is in the others."""
    taken = []
    for _ in range(tries):
        start = time.thread_time()
        work()
        taken.append(time.thread_time() - start)
    return 1e3 * min(taken)


def bytes_kept(stages: Iterable[T]) -> list[int]:
    """The memory in bytes that is taken after each stage, as `tracemalloc` counts it, by what the
    stages keep; what they throw away is not in it. The first stage only marks the beginning."""
    sizes = []
    gc.collect()
    tracemalloc.start()
    try:
        for _ in stages:
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    return [size - sizes[0] for size in sizes]
