"""`setmatch run` from a match's first stroke to its last, on the simulated table."""

import pytest

from firmware.commands import run as command
from tests.firmware.commands.test_run import parsed


@pytest.mark.timeout(1200)
def test_a_match_agrees_stroke_by_stroke_with_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A whole match through the camera: everything the umpire knows is in the frames."""
    assert command.run(parsed("--autoplay", "--sets", "1", "--seed", "2", "--speed", "0")) == 0
    out = capsys.readouterr().out
    calls = [line for line in out.splitlines() if line.strip().startswith("#")]
    assert len(calls) >= 60
    assert "wins the match" in out
    assert f"{len(calls)} of {len(calls)} calls agree" in out
