"""The benchmark's crowd of controllers, for a moment."""

from calibration.edition import load_edition
from tests.bench.games_report import crowd_targets
from tests.bench.link_crowd import measure_beside, measure_storm


def test_a_moment_of_the_crowd_loses_nothing_but_is_no_minute() -> None:
    stormed = measure_storm(0.5)
    assert stormed.wrong == 0
    assert stormed.claims == stormed.done + stormed.refused > 100
    assert stormed.done
    beside = measure_beside(load_edition("classic", require_zones=True), round_s=0.0)
    assert (beside.heard.lost, beside.heard.out_of_order) == (0, 0)
    assert beside.heard.claims > 100
    assert len(beside.heard.after_s) == beside.heard.claims
    assert beside.fps_beside > 0
    whole, fast = crowd_targets(stormed, beside)
    assert not whole.met
    assert fast.met == (beside.fps_beside >= 60)
