"""The menu beside a match: settings are kept in the file, those that apply at once reach the match that is
on, and a file that cannot be written loses nothing."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from calibration.edition import load_edition
from firmware.config import Config, load_config
from firmware.config.sections import MatchSection
from firmware.daemon.beside import Beside
from firmware.daemon.menuing import Menuing, Settings
from firmware.daemon.rigs import terms_of
from firmware.daemon.troubles import Troubles
from firmware.gestures import Gesture, Meaning
from firmware.menus import MENU_S, Ability, Effect, NewMatch, SettingChanged, ShutDown
from firmware.report import Line
from firmware.screens.menu_page import MenuPage
from firmware.voice import Voice

CLASSIC = load_edition("classic", require_zones=True)
EVERYTHING: frozenset[Ability] = frozenset(get_args(Ability))


class Table:
    def __init__(self, file: Path | None = None, config: Config | None = None) -> None:
        self.lines: list[Line] = []
        self.told: list[Line] = []
        self.now = 10.0
        self.beside = Beside(match_on=True, kept=True, scores=True, asks=False)
        config = config or (load_config(file) if file else Config())
        settings = Settings(
            config,
            file,
            EVERYTHING,
            terms=lambda config: terms_of(config, CLASSIC),
            voice=lambda config: Voice.open(Path("none"), config.spoken_language(), {}),
        )
        self.menuing = Menuing(settings, self.told.append, Troubles(self.lines.append))

    def press(self, meaning: Meaning, began: float | None = None) -> tuple[Effect, ...]:
        """A gesture that counts half a second after the last; `began`: when it began, if not then."""
        self.now += 0.5
        gesture = Gesture(meaning, None if meaning == "menu" else "A", self.now if began is None else began)
        assert self.menuing.takes(gesture, self.beside)
        return self.menuing.press(gesture, self.now, self.beside)

    def page(self) -> MenuPage | None:
        return self.menuing.page(self.now, self.beside)

    def take(self, label: str) -> tuple[Effect, ...]:
        if not self.menuing.is_open:
            self.press("menu")
        for _ in range(20):
            page = self.page()
            assert page is not None
            if page.entries[page.at].label == label:
                return self.press("confirm")
            assert self.press("challenge") == ()
        raise AssertionError(label)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "board.toml"
    path.write_text("# ours\n[match]\npreset = 'advanced'\n", encoding="utf-8")
    return path


def test_the_menu_takes_nothing_of_a_match_until_it_is_opened() -> None:
    table = Table()
    for meaning in ("confirm", "challenge", "flick-fault", "undo", "overrule"):
        assert not table.menuing.takes(Gesture(meaning, "A", 1.0), table.beside)
    assert table.page() is None
    assert table.press("menu") == ()
    assert table.menuing.is_open
    for meaning in get_args(Meaning):
        assert table.menuing.takes(Gesture(meaning, "A", 1.0), table.beside)
    table.press("menu")
    assert not table.menuing.is_open


def test_what_is_set_is_in_the_file_and_for_the_next_match(file: Path) -> None:
    table = Table(file)
    assert table.take("Players") == ()
    assert load_config(file).match.doubles
    assert file.read_text(encoding="utf-8").startswith("# ours\n")
    assert table.told == [{"kind": "settings", "changes": {"match.doubles": True}}]
    assert table.menuing.coming == load_config(file)
    table.take("New match")
    assert table.take("New match") == (NewMatch(),)
    assert not table.menuing.is_open
    assert not table.menuing.playing.match.doubles
    terms = table.menuing.begin()
    assert table.menuing.playing == table.menuing.coming == load_config(file)
    assert terms == terms_of(load_config(file), CLASSIC)
    assert terms.setup.doubles


def test_language_and_sound_reach_the_match_that_is_on(file: Path) -> None:
    table = Table(file)
    table.take("Serves first")
    assert table.take("Language") == (SettingChanged({"match.language": "fr"}),)
    assert table.take("Son") == (SettingChanged({"speaker.mute": True}),)
    playing = table.menuing.playing
    assert (playing.match.language, playing.speaker.mute, playing.match.first_server) == ("fr", True, "A")
    page = table.page()
    assert page is not None
    assert page.entries[0].label == "Nouveau match"
    assert table.menuing.voice().texts.language == "fr"


def test_without_a_file_the_settings_hold_as_long_as_the_board_is_on() -> None:
    table = Table(config=Config(match=MatchSection(sets=3)))
    table.take("Players")
    assert table.menuing.coming.match == MatchSection(sets=3, doubles=True)
    assert table.lines == []


def test_what_could_not_be_saved_holds_and_is_saved_with_the_next_change(file: Path) -> None:
    table = Table(file)
    good = file.read_text(encoding="utf-8")
    file.write_text("not TOML", encoding="utf-8")
    table.take("Players")
    assert table.menuing.coming.match.doubles
    assert [line["kind"] for line in table.lines] == ["trouble"]
    table.take("Level")
    table.take("Children")
    assert len(table.lines) == 1
    file.write_text(good, encoding="utf-8")
    table.take("Level")
    table.take("Options")
    table.take("bonuses")
    assert [line["kind"] for line in table.lines] == ["trouble", "well"]
    assert load_config(file).match == MatchSection(preset="children", options={"bonuses": True}, doubles=True)
    assert load_config(file) == table.menuing.coming


def test_a_level_that_is_chosen_late_takes_options_out_that_could_not_be_saved(file: Path) -> None:
    table = Table(file)
    good = file.read_text(encoding="utf-8")
    file.write_text("not TOML", encoding="utf-8")
    table.take("Level")
    table.take("Options")
    table.take("bonuses")
    table.press("undo")
    file.write_text(good, encoding="utf-8")
    table.take("Beginner")
    assert load_config(file) == table.menuing.coming == Config(match=MatchSection(preset="discovery"))


def test_a_menu_that_nobody_touches_is_gone(file: Path) -> None:
    table = Table(file)
    table.press("menu")
    assert table.menuing.page(table.now + MENU_S - 0.1, table.beside) is not None
    assert table.menuing.page(table.now + MENU_S, table.beside) is None
    assert not table.menuing.is_open


def test_a_press_that_began_before_the_menu_opened_or_closed_is_of_neither() -> None:
    table = Table()
    table.press("menu")
    opened = table.now
    assert table.menuing.is_past(Gesture("confirm", "B", opened - 0.01))
    assert not table.menuing.is_past(Gesture("confirm", "B", opened))
    table.press("undo")
    assert not table.menuing.is_open
    assert table.menuing.is_past(Gesture("undo", "B", table.now - 0.01))
    assert not table.menuing.is_past(Gesture("undo", "B", table.now))
    table.press("menu")
    table.now += MENU_S
    assert table.page() is None
    assert table.menuing.is_past(Gesture("challenge", "B", table.now - 0.01))


def test_confirm_takes_the_entry_that_was_highlighted_when_it_was_pressed() -> None:
    """The other side may step on while the button is down."""
    table = Table()
    table.press("menu")
    before = table.now + 0.2
    table.press("challenge")
    page = table.page()
    assert table.press("confirm", began=before) == ()
    assert table.page() == page
    table.press("confirm")
    after = table.page()
    assert after is not None
    assert after.title == "Level"


def test_what_is_asked_closes_the_menu_and_keeps_it_closed() -> None:
    table = Table()
    table.press("menu")
    table.beside = replace(table.beside, asks=True)
    assert table.page() is None
    assert not table.menuing.is_open
    for meaning in get_args(Meaning):
        assert not table.menuing.takes(Gesture(meaning, "A", table.now), table.beside, stuck=True)
    table.beside = replace(table.beside, asks=False)
    assert table.page() is None


def test_that_scoring_waits_stands_above_every_page() -> None:
    table = Table()
    table.press("menu")
    page = table.page()
    assert page is not None
    assert page.title == "Menu"
    table.beside = replace(table.beside, scores=False)
    assert table.page() == msgspec.structs.replace(page, title="Scoring waits", waits=True)


def test_shutting_down_is_asked_for(file: Path) -> None:
    table = Table(file)
    table.take("Shut down")
    assert table.take("Shut down") == (ShutDown(),)
