"""The panels compared with recorded pictures, pixel by pixel.

SETMATCH_RECORD=1 records them anew; look at every one of them then.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from PIL import Image

from firmware.screens.panels import game_panel, in_rally_panel
from firmware.screens.scoreboard import Called, Scoreboard, Seat, Serve, Side, Won
from firmware.texts import Language, load, umpire_notice
from tests.screens.recorded import ENLARGED, FOLDER, check, difference

STATES = {
    "start": Scoreboard(to_play="A1", serve=Serve()),
    "good-serve": Scoreboard(to_play="B1", marker=1, last=Called("A1", "in", 1)),
    "too-close": Scoreboard(
        server="B1",
        to_play="B1",
        marker=2,
        last=Called("A1", "in", 2, certain=False),
        points=("30", "15"),
        games=(1, 2),
        sets=(0, 1),
    ),
    "second-serve": Scoreboard(
        to_play="A1",
        serve=Serve(2, "left"),
        last=Called("A1", "fault", 0),
        points=("15", "0"),
    ),
    "double-fault-too-close": Scoreboard(
        to_play="A1",
        serve=Serve(1, "right"),
        last=Called("A1", "double-fault", 0, certain=False),
        rally_winner="B",
        points=("40", "40"),
    ),
    "let": Scoreboard(server="B1", to_play="B1", serve=Serve(1, "left"), last=Called("B1", "let", 0, False)),
    "ace": Scoreboard(
        server="B1", last=Called("B1", "ace"), rally_winner="B", points=("0", "15"), sets=(1, 0)
    ),
    "net": Scoreboard(
        to_play="A1",
        serve=Serve(1, "left"),
        marker=-2,
        last=Called("B1", "net", 0),
        rally_winner="A",
        points=("15", "0"),
    ),
    "out-too-close": Scoreboard(
        to_play="A1", serve=Serve(), last=Called("A1", "out", 0, False), rally_winner="B"
    ),
    "winner": Scoreboard(marker=3, last=Called("A1", "winner", 4), rally_winner="A", points=("AD", "40")),
    "winner-too-close": Scoreboard(
        marker=-3, last=Called("B1", "winner", 2, False), rally_winner="B", points=("0", "40")
    ),
    "doubles-tie-break": Scoreboard(
        server="B2",
        to_play="A2",
        marker=-1,
        last=Called("B2", "in", 0),
        tie_break=True,
        points=("11", "12"),
        games=(6, 6),
        sets=(2, 2),
        sets_to_win=3,
    ),
    "pressure": Scoreboard(
        to_play="B1", marker=3, pressure=True, last=Called("A1", "in", 2), points=("40", "40")
    ),
    "flick-fault-asked": Scoreboard(
        to_play="B2", deciding=True, marker=-1, last=Called("B2", "in", 1), points=("15", "30")
    ),
    "flick-fault": Scoreboard(
        server="B1",
        to_play="B1",
        serve=Serve(1, "left"),
        marker=1,
        last=Called("A1", "flick-fault", 0),
        rally_winner="B",
        points=("0", "15"),
    ),
    "ends-changed": Scoreboard(
        server="B1",
        to_play="A1",
        marker=-2,
        last=Called("B1", "in", 2),
        games=(0, 1),
        ends_changed=True,
    ),
    "race": Scoreboard(
        server="B1",
        to_play="B1",
        serve=Serve(2, "left"),
        last=Called("B1", "fault", 0),
        points=("7", "10"),
        points_to_win=12,
    ),
    "race-won": Scoreboard(
        marker=3,
        last=Called("A1", "winner", 2),
        rally_winner="A",
        outcome=Won("A"),
        points=("12", "10"),
        points_to_win=12,
    ),
    "placing": Scoreboard(to_play="A1", placing=True, last=Called("A1", "fault", 0)),
    "placement": Scoreboard(
        to_play="A1",
        placing=True,
        last=Called("A1", "fault", 0),
        notice="A, ball on the 0 of the right box.",
    ),
    "match": Scoreboard(
        marker=-3,
        last=Called("B1", "winner", 2),
        rally_winner="B",
        outcome=Won("B", "2 sets to 0"),
        games=(0, 3),
        sets=(0, 2),
    ),
    "deuce": Scoreboard(
        server="B1",
        to_play="B1",
        serve=Serve(1, "right"),
        last=Called("A1", "ace"),
        rally_winner="A",
        points=("40", "40"),
        games=(4, 3),
        sets=(1, 1),
        sets_to_win=3,
    ),
    "tie-break": Scoreboard(
        to_play="A1", serve=Serve(1, "left"), tie_break=True, points=("6", "5"), games=(6, 6), sets_to_win=1
    ),
    "doubles": Scoreboard(server="A2", to_play="B2", marker=2, last=Called("A2", "in", 2), games=(1, 0)),
    "placing-in-doubles": Scoreboard(server="B2", to_play="B2", placing=True, games=(11, 10)),
    "names": Scoreboard(
        server="B1",
        to_play="B1",
        serve=Serve(2, "right"),
        last=Called("B1", "fault", 0),
        points=("15", "40"),
        games=(2, 1),
    ),
    "names-under-pressure": Scoreboard(
        to_play="B1", marker=3, pressure=True, last=Called("A1", "in", 2), points=("40", "40")
    ),
    "names-placing": Scoreboard(to_play="A1", placing=True, last=Called("A1", "fault", 0)),
    "names-rally": Scoreboard(marker=3, last=Called("A1", "winner", 4, False), rally_winner="A"),
    "names-won": Scoreboard(
        server="B1",
        marker=-3,
        last=Called("B1", "winner", 2),
        rally_winner="B",
        outcome=Won("B"),
        games=(4, 6),
        sets=(1, 2),
    ),
    "names-race": Scoreboard(
        server="B1",
        to_play="A1",
        deciding=True,
        last=Called("A1", "in", 1),
        points=("11", "9"),
        points_to_win=12,
    ),
    "notice": Scoreboard(marker=-1, points=("30", "40"), notice="camera sees no board"),
    "board-moved": Scoreboard(marker=2, notice=umpire_notice("board-moved", load("en"))),
    "notice-long": Scoreboard(notice="The board has moved: hands off for a moment, it is being found again."),
    "notice-very-long": Scoreboard(
        notice="The pictures are blurred: turn the lens until the lines are sharp, then fix it "
        "with a drop of paint, so that it stays as it is."
    ),
}
# The longest names that a menu can spell, one that may be parted and one that may not.
NAMES: dict[Side | Seat, str] = {"A": "Jean-Christophe", "B": "Maximilianferdin"}
NOTICES_IN_FRENCH = {
    "placement": "A, balle sur le 0 du carré droit.",
    "board-moved": umpire_notice("board-moved", load("fr")),
    "notice": "la caméra ne voit pas de plateau",
    "notice-long": "Le plateau a bougé\u00a0: n’y touchez pas un instant, il est recherché.",
    "notice-very-long": "Les images sont floues\u00a0: tournez l’objectif jusqu’à ce que les lignes soient "
    "nettes, puis fixez-le d’une goutte de peinture, pour qu’il ne bouge plus.",
}


class Drawn(NamedTuple):
    """A panel in a state, as one kind of panel shows it in one language."""

    name: str
    state: Scoreboard
    draw: Callable[..., Image.Image]
    language: Language
    size: tuple[int, int]
    mode: str

    def image(self) -> Image.Image:
        texts = load(self.language)
        if self.name.startswith("names"):
            texts = texts.named(NAMES)
        return self.draw(self.state, texts, self.size, self.mode)


def in_language(name: str, language: Language) -> Scoreboard:
    """Notices and reasons are told in the players' language by who tells them."""
    board = STATES[name]
    if language == "fr" and name in NOTICES_IN_FRENCH:
        return msgspec.structs.replace(board, notice=NOTICES_IN_FRENCH[name])
    if language == "fr" and board.outcome is not None and board.outcome.reason:
        return msgspec.structs.replace(board, outcome=Won(board.outcome.winner, "2 sets à 0"))
    return board


KINDS: dict[str, tuple[Language, tuple[int, int], str]] = {
    "": ("en", (128, 64), "1"),
    "french/": ("fr", (128, 64), "1"),
    "wide/": ("en", (256, 64), "L"),
    "wide_french/": ("fr", (256, 64), "L"),
    "upright/": ("en", (64, 128), "1"),
    "upright_french/": ("fr", (64, 128), "1"),
    "tall/": ("en", (64, 256), "L"),
    "tall_french/": ("fr", (64, 256), "L"),
}
PICTURES = {
    f"{folder}{name}.{panel}.png": Drawn(name, in_language(name, language), draw, language, size, mode)
    for folder, (language, size, mode) in KINDS.items()
    for name in STATES
    for panel, draw in (("in-rally", in_rally_panel), ("game", game_panel))
}


@pytest.mark.parametrize("name", PICTURES)
def test_panel_is_as_recorded(name: str, tmp_path: Path) -> None:
    check(name, PICTURES[name].image(), tmp_path)


def test_every_recorded_picture_is_of_a_state_here() -> None:
    for folder in KINDS:
        there = {f"{folder}{path.name}" for path in (FOLDER / folder).glob("*.png")}
        here = {name for name in PICTURES if name.rpartition("/")[0] == folder.rstrip("/")}
        assert there == here, folder


def test_a_single_pixel_is_a_difference() -> None:
    one = in_rally_panel(STATES["start"])
    other = one.copy()
    other.putpixel((64, 32), 255 - int(one.getpixel((64, 32))))  # type: ignore[arg-type]
    assert difference(one, one.copy()) is None
    changed = difference(one, other)
    assert changed is not None
    at = changed.getpixel((64 * ENLARGED, 32 * ENLARGED))
    assert at in ((255, 0, 0), (0, 255, 0))
