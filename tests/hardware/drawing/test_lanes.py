"""Lanes: few crossings, by trying all orders where that can be done."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drawing.lanes import Net, crossings, ordered

places = st.integers(0, 20).map(float)


@st.composite
def several_nets(draw: st.DrawFn) -> list[Net]:
    # Pins lie on whole numbers, terminals between them, as in a drawing.
    pins = draw(st.lists(places, min_size=1, max_size=5, unique=True))
    ends = draw(st.lists(places, min_size=len(pins), max_size=len(pins), unique=True))
    return [Net(pin, (end + 0.5,)) for pin, end in zip(pins, ends, strict=True)]


def test_nets_that_go_down_are_nested() -> None:
    # The lowest pin of those that go down has the nearest lane: then nothing crosses.
    nets = [Net(0.0, (10.5,)), Net(1.0, (11.5,)), Net(2.0, (12.5,))]
    assert crossings(nets, (2, 1, 0)) == 0
    assert crossings(nets, (0, 1, 2)) == 6
    assert ordered(nets) == (2, 1, 0)


def test_a_net_with_two_terminals_is_met_at_both() -> None:
    bus, other = Net(0.0, (3.5, 9.5)), Net(5.0, (1.5,))
    assert crossings([bus, other], (0, 1)) == 1 + 1
    assert crossings([bus, other], (1, 0)) == 0 + 1


@given(several_nets())
@settings(max_examples=60)
def test_the_order_is_hardly_worse_than_the_best(nets: list[Net]) -> None:
    order = ordered(nets)
    assert sorted(order) == list(range(len(nets)))
    best = min(crossings(nets, trial) for trial in permutations(range(len(nets))))
    assert crossings(nets, order) <= best + 2
