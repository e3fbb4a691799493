"""What the daemon's benchmarks stand on keeps working as the daemon changes: the table in another process,
its players, and a look at the memory."""

from tests.bench.directing import SETTLED_S
from tests.bench.elsewhere import FPS, TableElsewhere
from tests.bench.endurance import looks
from tests.bench.rig import SEED

SIZE = (728, 544)
FIRST_STROKE = 150
"""Frames until the first stroke has been seen, and somebody challenges it."""


def test_a_daemon_is_played_on_and_looked_at() -> None:
    (look,) = looks(FIRST_STROKE)
    assert look.frames == FIRST_STROKE
    assert (look.played, look.called, look.reviews) == (1, 1, 1)
    assert look.resident_mb > 50.0
    assert 0.0 < look.history_mb < 0.1


def test_the_table_elsewhere_gives_every_frame_once_and_in_order() -> None:
    table = TableElsewhere(SIZE, SEED)
    try:
        frames = []
        for _ in range(3):
            table.ask()  # ahead, or not: `read` gives the same
            frames += [table.read(), table.read()]
    finally:
        table.close()
    assert [frame.number for frame in frames] == list(range(6))
    assert [round(frame.captured_at * FPS) for frame in frames] == list(range(6))
    assert all(frame.image.shape == (SIZE[1], SIZE[0], 3) for frame in frames)
    assert (frames[0].image != frames[1].image).any()  # its noise differs
    assert frames[0].image.mean() > 20.0


def test_a_stroke_that_is_asked_for_is_seen_in_later_frames() -> None:
    table = TableElsewhere(SIZE, SEED)
    try:
        before = table.read().image.astype(int)
        placed = table.carry("A", (-235.0, 60.0))
        while table.now < placed.placed_at + SETTLED_S:
            after = table.read().image.astype(int)
    finally:
        table.close()
    assert (abs(after - before) > 60).sum() > 100  # a ball has gone from one place and lies in another
