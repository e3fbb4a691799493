"""Sheets of small panels: everything that can stand on the in-rally panel, compared with recorded sheets.

SETMATCH_RECORD=1 records them anew; look at every one of them then.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image

from firmware.screens import font
from firmware.screens.font import draw_block, fitted
from firmware.screens.panels import Mode, in_rally_panel
from firmware.texts import LANGUAGES, Language, load
from tests.screens.recorded import FOLDER, check
from tests.screens.states import GROUPS, calls, with_notice
from tests.screens.test_font import letters_of
from tests.screens.test_panels import KINDS, texts_drawn, words

_GREY, _BETWEEN = 128, 60
_LABEL = 16
SHEETS = {
    f"{group}.{size[0]}x{size[1]}.{language}.png": (group, size, mode, language)
    for group in ("calls", *GROUPS)
    for size, mode in KINDS
    for language in LANGUAGES
}


def panels_of(group: str, size: tuple[int, int], mode: Mode, language: Language) -> dict[str, Image.Image]:
    texts = load(language)
    boards = (
        calls()
        if group == "calls"
        else {name: with_notice(said) for name, said in GROUPS[group](texts).items()}
    )
    return {name: in_rally_panel(board, texts, size, mode) for name, board in boards.items()}


def sheet(panels: Mapping[str, Image.Image]) -> Image.Image:
    """Panels beside each other, each under its name."""
    width, height = next(iter(panels.values())).size
    columns = 512 // width
    rows = -(-len(panels) // columns)
    whole = Image.new("L", (columns * (width + 2), rows * (height + _LABEL + 4)), _BETWEEN)
    for number, (name, panel) in enumerate(panels.items()):
        left, top = number % columns * (width + 2), number // columns * (height + _LABEL + 4)
        draw_block(whole, left, top, width, _LABEL, fitted(name, width, _LABEL, largest=1), _GREY)
        whole.paste(panel.convert("L"), (left, top + _LABEL + 2))
    return whole


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_as_recorded(name: str, tmp_path: Path) -> None:
    check(f"sheets/{name}", sheet(panels_of(*SHEETS[name])), tmp_path)


def test_every_recorded_sheet_is_one_of_these() -> None:
    assert {path.name for path in (FOLDER / "sheets").glob("*.png")} == set(SHEETS)


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("size", "mode"), KINDS)
def test_every_sentence_stands_whole_on_every_panel(
    group: str, language: Language, size: tuple[int, int], mode: Mode
) -> None:
    texts = load(language)
    for name, said in GROUPS[group](texts).items():
        with texts_drawn() as drawn:
            in_rally_panel(with_notice(said), texts, size, mode)
        shown = words(drawn).replace("POINT! ", "").replace("POINT!", "")
        assert letters_of([shown]) == letters_of([font.printable(said)]), name
