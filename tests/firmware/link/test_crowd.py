"""Twenty controllers at 115,200 baud that all claim at once: who came first has the table, and no request is
lost. `make bench` has a minute of it."""

from collections import Counter

from tests.firmware.link.crowd import SEATS, Crowd, answered, expected


def test_claims_count_in_the_order_in_which_they_arrived() -> None:
    crowd = Crowd()
    crowd.seated()
    crowd.storm(3.0)
    answers = answered(crowd)
    # What the ports brought, in that order, by the rules alone: each request has the answer that it should.
    assert answers == expected(crowd)
    counts = Counter(answers.values())
    assert counts["done"] > 20
    assert counts["table-held"] > 100
    for controller in crowd.controllers:
        assert len(controller.acted) > 20
        assert set(controller.answers) == set(range(1, controller.ids + 1))
        assert controller.order == sorted(controller.order)
        assert controller.told
    assert len({seat for (seat, _), how in answers.items() if how == "done"}) > SEATS // 2
    # Nobody was dropped, nothing was too fast, no line could not be read.
    assert [line for line in crowd.said if not line.endswith(": open")] == []
