"""The link in `setmatch run`: what a match tells puts the result of a game away; a board without a camera has
the buttons of its configuration."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from calibration.edition import load_edition
from firmware.chair.chair import Chair
from firmware.commands import hosting, run
from firmware.commands.hosting import LinkBeside
from firmware.config import Config, load_config
from firmware.daemon import linking
from firmware.daemon.daemon import Daemon
from firmware.daemon.linking import RESULT_S, Linked, Wanted
from firmware.daemon.stopping import StoppedError
from firmware.match import Match
from firmware.report import Line
from firmware.rules import Setup
from firmware.texts import load
from hardware import gpio_buttons
from hardware.button import Button, Buttons
from hardware.errors import ButtonError
from hardware.simulated.buttons import SimulatedButtons
from tests.firmware.commands.test_run import asked
from tests.firmware.daemon.test_asking import Served
from tests.firmware.daemon.test_linking import LINK, MATCH, Panels, board, shown
from tests.firmware.link.rig import Rig


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
    edition = load_edition("classic")
    daemon = cast(Daemon, SimpleNamespace(chair=Chair(Match(edition, Setup()), load("en"))))
    for role in ("in-rally", "game"):
        beside.panels.show(role, board(role))
    beside.look(daemon)
    link.shown = shown("over")
    beside.look(daemon)
    assert panels.kinds() == [*MATCH, *LINK, *LINK]
    beside.heard(line)
    beside.look(daemon)
    assert panels.kinds() == (MATCH if ends else [])
    now = RESULT_S
    beside.look(daemon)
    assert panels.kinds() == ([] if ends else MATCH)


def test_the_link_hears_what_the_match_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def hear(beside: LinkBeside, line: Line) -> None:
        heard.append(line["kind"])
        if line["kind"] == "stroke":
            raise StoppedError  # that is enough of the match

    monkeypatch.setattr(LinkBeside, "heard", hear)
    args = asked("--rig", "simulated", "--autoplay", "--speed", "0", "--games", "1", "--json")
    args.link, args.state = ["tcp:0"], tmp_path
    run.run(args)
    assert heard.count("stroke") == 1


def configured(tmp_path: Path, text: str) -> Config:
    file = tmp_path / "board.toml"
    file.write_text(text, encoding="utf-8")
    return load_config(file)


def test_a_board_without_buttons_has_no_menu() -> None:
    assert hosting._menu(Config(), cast(Linked, Served(Rig())), lambda: None, lambda text: None) is None


def test_the_buttons_of_the_configuration_walk_the_menu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured(tmp_path, "[buttons.A]\nconfirm = 5\nconfirm_led = 6\n")
    given: list[Any] = []
    buttons = SimulatedButtons(lambda: 1.0)

    def opened(pins: Any, lamps: Any, *, pull_up: bool) -> Buttons:
        given.extend((dict(pins), dict(lamps), pull_up))
        return buttons

    monkeypatch.setattr(gpio_buttons, "GpioButtons", opened)
    menu = hosting._menu(config, cast(Linked, Served(Rig())), lambda: None, lambda text: None)
    confirm = Button("A", "confirm")
    assert given == [{confirm: 5}, {confirm: 6}, config.buttons.pull_up]
    assert menu is not None
    assert menu.turn(1.0) is None
    assert confirm in buttons.lit


def test_buttons_that_cannot_be_had_are_said_and_end_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured(tmp_path, "[buttons.A]\nconfirm = 5\n")

    def opened(pins: Any, lamps: Any, *, pull_up: bool) -> Buttons:
        raise ButtonError("pin 5 is busy; end what uses it")

    monkeypatch.setattr(gpio_buttons, "GpioButtons", opened)
    said: list[str] = []
    menu = hosting._menu(config, cast(Linked, Served(Rig())), lambda: None, said.append)
    assert menu is not None
    for now in (1.0, 2.0, 3.0):
        assert menu.turn(now) is None
    assert said == ["buttons: pin 5 is busy; end what uses it"]
    assert menu.close() is None
