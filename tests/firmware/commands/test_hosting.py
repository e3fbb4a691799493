"""The link beside a match: what the match tells puts the result of a game away."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from firmware.commands.hosting import LinkBeside
from firmware.daemon import linking
from firmware.daemon.daemon import Daemon
from firmware.daemon.linking import RESULT_S, Wanted
from firmware.report import Line
from tests.firmware.daemon.test_linking import LINK, MATCH, Panels, board, shown


class Link:
    """A link that shows what it is told to."""

    def __init__(self) -> None:
        self.shown: Any = shown("playing")

    def look(self) -> tuple[str, ...]:
        return ()


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ({"kind": "press", "press": "confirm", "side": "A"}, True),
        ({"kind": "stroke"}, True),
        ({"kind": "trouble", "part": "camera", "text": ""}, False),
    ],
)
def test_a_result_stays_until_somebody_goes_on_with_the_match(
    line: Line, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, link, panels = 0.0, Link(), Panels()
    monkeypatch.setattr(linking.Linked, "open", lambda *args, **named: link)
    beside = LinkBeside(panels, lambda text: None, lambda: now)
    beside.open(Wanted(tcp=0), cast(Any, None))
    told: list[Line] = []
    tell = beside.hearing(told.append)
    nothing_played = SimpleNamespace(match=SimpleNamespace(state=SimpleNamespace(strokes=())))
    daemon = cast(Daemon, SimpleNamespace(chair=nothing_played))
    for role in ("in-rally", "game"):
        beside.panels.show(role, board(role))
    beside.look(daemon)
    link.shown = shown("over")
    beside.look(daemon)
    assert panels.kinds() == [*MATCH, *LINK, *LINK]
    tell(line)
    assert told == [line]
    beside.look(daemon)
    assert panels.kinds() == (MATCH if ends else [])
    now = RESULT_S
    beside.look(daemon)
    assert panels.kinds() == ([] if ends else MATCH)
