"""The menus: walked as people walk them, by what the pages say; and whatever is pressed, nobody is trapped
and no setting becomes one that a file may not hold."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.config import Config, load_config, saved
from firmware.config.sections import MatchSection, Place, SpeakerSection
from firmware.games.catalogue import SET
from firmware.gestures import Meaning
from firmware.menus import (
    MENU_S,
    Ability,
    Calibrate,
    Effect,
    LinkAsked,
    LinkGame,
    Menu,
    NewMatch,
    Redo,
    SettingChanged,
    ShutDown,
    link_pages,
    opened,
    opened_at_link,
)
from firmware.menus.effects import changed
from firmware.menus.spelling import GROUPS, LONGEST
from firmware.rules import OPTION_NAMES, PRESETS, idle_options
from firmware.screens.letters import printable, undrawn
from firmware.screens.menu_page import MenuEntry, MenuPage
from firmware.texts import LANGUAGES, Language, load
from firmware.texts.schema import required

EVERYTHING: frozenset[Ability] = frozenset(get_args(Ability))
EN = load("en")
LINK = LinkGame("lobby", "set", None, {}, 2)
STATUSES: tuple[Any, ...] = ("lobby", "playing", "paused", "over")
TWO_GAMES = {"set": SET, "whist": replace(SET, name="whist", title="Whist")}


def config_with(*, mute: bool = False, **match: Any) -> Config:
    return Config(match=MatchSection(**match), speaker=SpeakerSection(mute=mute))


class Table:
    """Someone at the buttons, who reads the page and looks for words on it."""

    def __init__(
        self,
        config: Config | None = None,
        *,
        match_on: bool = True,
        can: frozenset[Ability] = EVERYTHING,
        language: Language = "en",
    ) -> None:
        self.menu: Menu | None = opened(config or Config(), match_on=match_on, can=can, now_s=0.0)
        self.effects: list[Effect] = []
        self.presses = 0
        self.language = language

    @property
    def open(self) -> Menu:
        assert self.menu is not None, "the menu is closed"
        return self.menu

    @property
    def page(self) -> MenuPage:
        return self.open.page(load(self.language))

    @property
    def here(self) -> MenuEntry:
        return self.page.entries[self.page.at]

    def press(self, meaning: Meaning) -> "Table":
        self.menu, effects = self.open.after(meaning, 0.0)
        self.effects += effects
        self.presses += 1
        return self

    def find(self, label: str) -> "Table":
        for _ in self.page.entries:
            if self.here.label == label:
                return self
            self.press("challenge")
        raise AssertionError(f"no {label!r} among {[entry.label for entry in self.page.entries]}")

    def take(self, *labels: str) -> "Table":
        for label in labels:
            self.find(label).press("confirm")
        return self

    def value(self, label: str) -> str:
        return next(entry.value for entry in self.page.entries if entry.label == label)

    def spell(self, name: str) -> "Table":
        for letter in name.upper():
            if letter == " ":
                self.take("Space")
            else:
                self.take(" ".join(next(group for group in GROUPS if letter in group)), letter)
        return self.take("Done")


def labels(page: MenuPage) -> list[str]:
    return [entry.label for entry in page.entries]


# ------------------------------------------------------------------ the first page


def test_it_opens_at_a_new_match_and_lists_what_there_is() -> None:
    table = Table()
    assert table.here.label == "New match"
    assert labels(table.page) == [
        "New match",
        "Level",
        "Sets and games",
        "Serves first",
        "Players",
        "Names",
        "Language",
        "Sound",
        "Calibrate",
        "Shut down",
        "Back",
    ]
    assert [table.value(label) for label in ("Level", "Serves first", "Players", "Language", "Sound")] == [
        "Confirmed",
        "A",
        "singles",
        "English",
        "on",
    ]


def test_what_a_rig_cannot_do_is_not_offered() -> None:
    offered = labels(Table(can=frozenset()).page)
    assert "Calibrate" not in offered
    assert labels(Table().page) == [*offered[:-2], "Calibrate", *offered[-2:]]


def test_a_new_match_asks_first_while_one_is_on_with_back_highlighted() -> None:
    table = Table().press("confirm")
    assert table.page.title == "New match?"
    assert table.here.label == "Back"
    assert table.page.note == "The match that is on will be left."
    assert table.press("confirm").page.title == "Menu"
    assert table.effects == []
    table.take("New match", "New match")
    assert table.menu is None
    assert table.effects == [NewMatch()]


def test_a_new_match_begins_at_once_when_none_is_on() -> None:
    table = Table(match_on=False).press("confirm")
    assert table.menu is None
    assert table.effects == [NewMatch()]


def test_whether_a_match_would_be_left_is_asked_when_the_entry_is_taken() -> None:
    """A stroke may be played, or the match be won, under the open menu."""
    menu = opened(Config(), match_on=False, can=EVERYTHING, now_s=0.0)
    asks, effects = menu.beside(match_on=True, kept=True).after("confirm", 0.0)
    assert asks is not None
    assert (asks.page(EN).title, effects) == ("New match?", ())
    over, _ = asks.after("challenge", 0.0)
    assert over is not None
    assert over.beside(match_on=False, kept=True).after("confirm", 0.0) == (None, (NewMatch(),))
    menu = opened(Config(), match_on=True, can=EVERYTHING, now_s=0.0)
    assert menu.beside(match_on=False, kept=True).after("confirm", 0.0) == (None, (NewMatch(),))


@pytest.mark.parametrize("asked", [False, True])
def test_a_match_that_could_not_be_kept_is_not_begun_and_the_entry_says_so(asked: bool) -> None:
    table = Table(match_on=asked)
    if asked:
        table.take("New match").find("New match")
    table.menu = table.open.beside(match_on=asked, kept=False)
    assert table.here.label == "New match"
    assert table.page.note == "Only once the score can be saved."
    page = table.page
    assert table.press("confirm").page == page
    assert table.effects == []
    table.menu = table.open.beside(match_on=asked, kept=True)
    assert table.page.note != page.note
    table.press("confirm")
    assert table.effects == [NewMatch()]


def test_shutting_down_asks_first_and_calibrating_does_not() -> None:
    table = Table().take("Shut down")
    assert table.here.label == "Back"
    assert table.take("Shut down").effects == [ShutDown()]
    assert table.menu is None
    table = Table().find("Calibrate")
    assert table.page.note == "Take hands and ball off the board."
    assert table.press("confirm").effects == [Calibrate()]
    assert table.menu is None


@pytest.mark.parametrize(
    ("label", "path", "values", "shown"),
    [
        ("Serves first", "match.first_server", ["B", "A"], ["B", "A"]),
        ("Players", "match.doubles", [True, False], ["doubles", "singles"]),
        ("Language", "match.language", ["fr", "en"], ["Français", "English"]),
        ("Sound", "speaker.mute", [True, False], ["off", "on"]),
    ],
)
def test_a_setting_of_two_values_turns_where_it_stands(
    label: str, path: str, values: Sequence[str | bool], shown: Sequence[str]
) -> None:
    table = Table().find(label)
    for value, words in zip(values, shown, strict=True):
        assert table.press("confirm").effects[-1] == SettingChanged({path: value})
        assert (table.here.label, table.here.value) == (label, words)
    assert table.open.config == Config()


def test_language_and_sound_say_that_they_apply_at_once_and_all_else_with_the_next_match() -> None:
    table, said = Table(), {}
    for label in labels(table.page):
        said[label] = table.find(label).page.note
    assert said["Language"] == said["Sound"] == "At once."
    later = ("Level", "Sets and games", "Serves first", "Players", "Names")
    assert {said[label] for label in later} == {"For the next match."}
    assert said["Back"] == ""


def test_who_serves_first_is_told_by_name() -> None:
    assert Table(config_with(names={"B": "Ben"})).take("Serves first").value("Serves first") == "Ben"


# ------------------------------------------------------------------ the other pages


def test_a_level_is_chosen_with_the_options_it_is_meant_to_have() -> None:
    table = Table(config_with(preset="advanced", options={"advantage": False})).take("Level")
    assert table.here == MenuEntry("Advanced", chosen=True)
    assert [entry.chosen for entry in table.page.entries].count(True) == 1
    table.take("Children")
    assert table.effects == [SettingChanged({"match.preset": "children", "match.options": {}})]
    assert (table.page.title, table.here.label, table.here.value) == ("Menu", "Level", "Children")
    assert table.open.config == config_with(preset="children")
    # The same level once more brings its own options back.
    table = Table(config_with(preset="advanced", options={"advantage": False})).take("Level", "Advanced")
    assert table.open.config == config_with(preset="advanced")


def test_the_level_that_holds_changes_nothing() -> None:
    assert Table().take("Level", "Confirmed").effects == []


def test_an_option_that_is_as_the_level_has_it_is_not_written_down() -> None:
    table = Table().take("Level", "Options").find("advantage")
    assert table.here.value == "off"
    assert table.press("confirm").effects == [SettingChanged({"match.options.advantage": True})]
    assert table.here == MenuEntry("advantage", "on")
    assert table.press("confirm").effects[1:] == [SettingChanged({"match.options.advantage": None})]
    assert table.open.config == Config()


def test_options_without_effect_are_shown_as_such_with_the_reason() -> None:
    table = Table(config_with(preset="advanced", options={"service_boxes": False})).take("Level", "Options")
    idle = [entry.label for entry in table.page.entries if entry.idle]
    assert idle == ["pressure by a second-serve ace", "aces"]
    assert table.find("aces").page.note == "No effect: an ace needs service boxes"
    table.take("service boxes")
    assert not any(entry.idle for entry in table.page.entries)
    assert table.find("aces").page.note == "For the next match."


def test_sets_and_games_go_round() -> None:
    table = Table().take("Sets and games").find("Sets to win")
    for value in (3, 1, 2):
        assert table.press("confirm").here.value == str(value)
    table.find("Games a set")
    for value in (6, 3):
        assert table.press("confirm").here.value == str(value)
    assert table.effects == [
        *(SettingChanged({"match.sets": value}) for value in (3, 1, 2)),
        *(SettingChanged({"match.games": value}) for value in (6, 3)),
    ]


def test_a_race_has_neither_sets_nor_games() -> None:
    table = Table(config_with(preset="simplified")).take("Sets and games")
    assert [entry.idle for entry in table.page.entries] == [True, True, False]
    assert table.page.note == "No effect: a race to 12 has none."


def test_names_are_of_sides_and_in_doubles_of_players_too() -> None:
    table = Table(config_with(names={"A": "Ada", "A2": "Amy"})).take("Names")
    assert [(entry.label, entry.value) for entry in table.page.entries] == [
        ("A", "Ada"),
        ("B", "-"),
        ("Back", ""),
    ]
    table = Table(config_with(names={"A2": "Amy"}, doubles=True)).take("Names")
    assert labels(table.page) == ["A", "B", "A1", "B1", "A2", "B2", "Back"]
    assert table.value("A2") == "Amy"


# ------------------------------------------------------------------ spelling


@pytest.mark.parametrize("name", ["Ada", "Jean-Luc", "O'Neil", "Léa Ménès", "J. Q. Zyx", "Françoise-Œdile"])
def test_a_name_is_spelt_with_two_buttons(name: str) -> None:
    table = Table().take("Names", "B")
    assert table.page.typed == ""
    table.spell(name)
    assert table.effects == [SettingChanged({"match.names.B": name})]
    assert (table.page.title, table.here.label, table.here.value) == ("Names", "B", name)


def test_spelling_is_bearable() -> None:
    """Eight presses a letter at most, all told, in names that people have; a row of fifty signs would take
    twenty."""
    names = ("Ada", "Ben", "Charlotte", "Maximilien", "Zoé", "Nathalie", "Tom", "Léa", "Jean-Luc")
    presses = 0
    for name in names:
        table = Table().take("Names", "A")
        presses += table.spell(name).presses
        presses -= Table().take("Names", "A").presses
    assert presses <= 8 * sum(map(len, names))


def test_what_was_spelt_is_seen_and_can_be_deleted() -> None:
    table = Table(config_with(names={"A": "Zo\u00eb 2"})).take("Names", "A")
    assert (table.page.title, table.page.typed) == ("Name of A", "Zo\u00eb 2")
    table.take("Delete")
    assert (table.here.label, table.page.typed) == ("Delete", "Zo\u00eb ")
    table.press("confirm").press("confirm")
    assert table.page.typed == "Zo"
    table.take("M N O P Q R")
    assert table.page.typed == "Zo"
    table.take("R")
    assert (table.here.label, table.page.typed) == ("A B C D E F", "Zor")
    assert table.take("Done").effects == [SettingChanged({"match.names.A": "Zor"})]


def test_a_name_without_letters_is_none_and_without_changes_no_change() -> None:
    table = Table(config_with(names={"A": "Al"})).take("Names", "A", "Delete", "Delete", "Delete", "Done")
    assert table.effects == [SettingChanged({"match.names.A": None})]
    assert table.value("A") == "-"
    assert Table().take("Names", "A", "Done").effects == []
    assert Table(config_with(names={"A": "Al"})).take("Names", "A", "Done").effects == []


def test_spaces_stand_between_letters_only() -> None:
    table = Table().take("Names", "A", "Space")
    assert table.page.typed == ""
    table.take("A B C D E F", "A", "Space", "Space")
    assert table.page.typed == "A "
    table.take("A B C D E F", "B")
    assert table.page.typed == "A B"
    assert table.take("Space", "Done").effects == [SettingChanged({"match.names.A": "A B"})]


def test_a_name_ends_at_its_longest_with_done_highlighted() -> None:
    table = Table().take("Names", "A")
    for n in range(1, LONGEST + 1):
        table.take("A B C D E F", "B")
        assert table.here.label == ("Done" if n == LONGEST else "A B C D E F")
    table.take("A B C D E F", "C")
    assert table.page.typed == "B" + "b" * (LONGEST - 1)
    assert table.take("Done").effects == [SettingChanged({"match.names.A": "B" + "b" * (LONGEST - 1)})]


def test_back_and_confirm_held_leave_a_name_as_it_was() -> None:
    for leave in (lambda t: t.take("Back"), lambda t: t.press("undo")):
        table = Table().take("Names", "A", "A B C D E F", "B")
        leave(table)
        assert table.page.title == "Names"
        assert table.value("A") == "-"
        assert table.effects == []


# ------------------------------------------------------------------ gestures and time


def test_challenge_goes_round_and_two_of_them_go_two_on() -> None:
    table = Table()
    order = [table.press("challenge").here.label for _ in table.page.entries]
    assert order == [*labels(table.page)[1:], "New match"]
    assert table.press("flick-fault").here.label == "Sets and games"
    table.find("Back")
    assert table.press("flick-fault").here.label == "Level"


def test_confirm_held_goes_back_a_page_to_the_entry_that_led_there_and_leaves_from_the_first() -> None:
    table = Table().take("Level", "Options").find("bonuses").press("undo")
    assert (table.page.title, table.here.label) == ("Level", "Options")
    assert table.press("undo").here.label == "Level"
    assert table.press("undo").menu is None
    assert table.effects == []


def test_both_sides_leave_from_anywhere_with_confirm_and_do_nothing_with_challenge() -> None:
    table = Table().take("Level", "Options")
    page = table.page
    assert table.press("overrule").page == page
    assert table.press("menu").menu is None
    assert table.effects == []


def test_a_menu_that_nobody_touches_closes() -> None:
    menu = opened(Config(), match_on=False, can=EVERYTHING, now_s=100.0)
    assert not menu.over(100.0 + MENU_S - 0.01)
    assert menu.over(100.0 + MENU_S)
    for meaning in ("challenge", "overrule"):
        touched, _ = menu.after(meaning, 150.0)
        assert touched is not None
        assert not touched.over(150.0 + MENU_S - 0.01)
        assert touched.over(150.0 + MENU_S)


def test_a_change_that_could_not_be_kept_is_not_shown() -> None:
    table = Table().take("Sound")
    assert table.here.value == "off"
    table.menu = table.open.knowing(Config())
    assert (table.here.label, table.here.value) == ("Sound", "on")


# ------------------------------------------------------------------ whatever is pressed

ENDS: tuple[Meaning, ...] = ("confirm", "confirm", "confirm", "confirm", "confirm", "undo", "overrule")
WALKS = st.lists(
    st.builds(
        lambda steps, twice, end: ["flick-fault"] * twice + ["challenge"] * steps + [end],
        st.integers(0, 11),
        st.integers(0, 1),
        st.sampled_from(ENDS),
    ),
    max_size=15,
).map(lambda walks: [meaning for walk in walks for meaning in walk])
"""An entry of any page, and then mostly taken: single presses at random would hardly leave the first page."""
STARTS = st.sampled_from([(), ("Level", "Options"), ("Names",), ("Names", "B"), ("Sets and games",)])
NAMES = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x17F, exclude_categories=("C", "Z")).filter(
        lambda char: bool(printable(char).strip()) and not undrawn(char)
    ),
    min_size=1,
    max_size=LONGEST,
)
CONFIGS = st.builds(
    config_with,
    mute=st.booleans(),
    preset=st.sampled_from(tuple(PRESETS)),
    options=st.dictionaries(st.sampled_from(OPTION_NAMES), st.booleans()),
    doubles=st.booleans(),
    games=st.sampled_from((3, 6)),
    sets=st.sampled_from((1, 2, 3)),
    first_server=st.sampled_from(("A", "B")),
    names=st.dictionaries(st.sampled_from(get_args(Place)), NAMES),
    language=st.sampled_from(LANGUAGES),
)


def written(path: Path, config: Config) -> None:
    """A file that holds the settings of a configuration, and a comment that nobody may lose."""
    lines = ["# ours", "[speaker]", f"mute = {str(config.speaker.mute).lower()}", "[match]"]
    match = msgspec.to_builtins(config.match)
    tables: Mapping[str, dict[str, Any]] = {key: match.pop(key) for key in ("options", "names")}
    lines += [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in match.items()]
    for name, table in tables.items():
        lines.append(f"[match.{name}]")
        lines += [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in table.items()]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


@settings(deadline=None)
@given(CONFIGS, st.booleans(), STARTS, WALKS)
def test_what_is_asked_for_gives_the_file_that_the_menu_shows(
    config: Config, match_on: bool, start: Sequence[str], meanings: list[Meaning]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        written(path, config)
        assert load_config(path) == config
        menu: Menu | None = Table(config, match_on=match_on).take(*start).menu
        for meaning in meanings:
            assert menu is not None
            before = menu
            menu, effects = before.after(meaning, 0.0)
            for effect in effects:
                if isinstance(effect, SettingChanged):
                    config = saved(path, effect.changes)
                    assert changed(before.config, effect.changes) == config != before.config
            if menu is None:
                break
            assert menu.config == config
        assert load_config(path) == config
        assert path.read_text(encoding="utf-8").startswith("# ours\n")


@given(CONFIGS, STARTS, WALKS, st.sampled_from(LANGUAGES))
def test_every_page_can_be_shown_and_left(
    config: Config, start: Sequence[str], meanings: list[Meaning], language: Language
) -> None:
    table = Table(config).take(*start)
    table.language = language
    for meaning in meanings:
        if table.press(meaning).menu is None:
            return
        page = table.page
        assert 0 <= page.at < len(page.entries)
        assert all(entry.label for entry in page.entries)
        assert page.entries[-1].label == load(language).say("menu.back")
        assert page.title
        assert all(entry.value for entry in page.entries if entry.idle)
    menu = table.open
    for _ in range(4):  # as deep as pages go
        if table.menu is not None:
            table.take(load(language).say("menu.back"))
    assert table.menu is None
    table.menu = menu
    for _ in range(4):
        if table.menu is not None:
            table.press("undo")
    assert table.menu is None


@given(CONFIGS)
def test_the_pages_show_the_settings(config: Config) -> None:
    match, setup = config.match, config.setup()
    table = Table(config)
    assert table.value("Level") == EN.say(f"preset.{match.preset}")
    assert table.value("Serves first") == match.names.get(match.first_server, match.first_server)
    assert table.value("Players") == ("doubles" if match.doubles else "singles")
    assert table.value("Language") == load(match.language).say("menu.own-language")
    assert table.value("Sound") == ("off" if config.speaker.mute else "on")
    table.take("Level", "Options")
    for name, entry in zip(OPTION_NAMES, table.page.entries, strict=False):
        assert entry.label == EN.say(f"option.{name}")
        assert entry.value == ("on" if getattr(setup.options, name) else "off")
        assert entry.idle == (name in idle_options(setup))


def test_every_entry_of_every_page_is_met_and_every_word_of_the_menu_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Breadth first, over settings too, from a match that is on, and where nothing can be kept."""
    asked: set[str] = set()
    monkeypatch.setattr(link_pages, "GAMES", TWO_GAMES)

    class Noticed(dict[str, str]):
        def __getitem__(self, key: str) -> str:
            asked.add(key)
            return super().__getitem__(key)

    texts = replace(EN, table=Noticed(EN.table))
    new = [
        opened(config, match_on=True, can=EVERYTHING, now_s=0.0, undone=True)
        for config in (Config(), config_with(preset="simplified", options={"tie_break": True}))
    ]
    new.append(new[0].beside(match_on=True, kept=False))
    new += [link_table(replace(LINK, status=status)).open for status in STATUSES]
    seen, effects, titles = set(), set[type[Effect]](), set()
    while new:
        menu = new.pop()
        page = menu.page(texts)
        titles.add(page.title)
        # A name is followed to its second letter, and settings are what they are at first.
        if (key := (page.title, page.at, page.typed, labels(page)[0], page.entries)) in seen:
            continue
        seen.add(key)
        if len(page.typed or "") < 2:
            for meaning in ("challenge", "confirm"):
                after, done = menu.after(meaning, 0.0)  # type: ignore[arg-type]
                effects.update(map(type, done))
                changes = [effect for effect in done if isinstance(effect, SettingChanged)]
                if after is not None:
                    new.append(after.knowing(menu.config) if changes else after)
    assert effects == {SettingChanged, NewMatch, Redo, Calibrate, ShutDown, LinkAsked}
    assert titles >= {"Menu", "Level", "Options", "Sets and games", "Names", "New match?", "Shut down?"}
    assert {f"Name of {place}" for place in ("A", "B")} <= titles
    wanted = {key for key in required() if key.startswith(("menu.", "preset.", "option."))}
    # A language's own name is asked of its own texts; that scoring waits, beside the match.
    assert wanted - asked == {"menu.doubles", "menu.own-language", "menu.waits"}


def test_what_was_undone_is_beside_a_new_match_and_asked_for_once_all_is_kept() -> None:
    assert "Redo" not in labels(Table().page)
    table = Table()
    table.menu = opened(Config(), match_on=True, can=EVERYTHING, now_s=0.0, undone=True)
    assert labels(table.page)[:2] == ["New match", "Redo"]
    unkept, _ = table.open.beside(match_on=True, kept=False).after("challenge", 0.0)
    assert unkept is not None
    assert unkept.page(EN).note == EN.say("menu.note.unkept")
    assert unkept.after("confirm", 0.0)[1] == ()
    assert unkept.beside(match_on=True, kept=True).after("confirm", 0.0) == (None, (Redo(),))


# ------------------------------------------------------------------ the games on the link


def link_table(link: LinkGame, page: str = "Other games") -> Table:
    table = Table()
    table.menu = table.open.beside(match_on=True, kept=True, link=link)
    return table.take(page)


def asks(table: Table) -> tuple[str, dict[str, Any]]:
    """What was asked of the link last."""
    asked = table.effects[-1]
    assert isinstance(asked, LinkAsked)
    return asked.method, dict(asked.params)


def test_without_a_link_the_menu_has_no_controllers() -> None:
    assert "Other games" not in labels(Table().page)


def test_a_game_is_set_up_and_started_by_the_buttons() -> None:
    table = link_table(LINK)
    assert table.page.title == "SET"
    assert labels(table.page) == [
        "Start",
        "Seats",
        "81 cards",
        "wrong: -1",
        "no tutor",
        "hands: 1",
        "5 s/set",
        "Back",
    ]
    assert table.page.note == "Seats taken: 2."
    assert asks(table.take("Seats")) == ("lobby.choose", {"game": "set", "seats": 1, "options": {}})
    assert asks(table.take("no tutor")) == (
        "lobby.choose",
        {"game": "set", "seats": None, "options": {"tutor": True}},
    )
    assert asks(table.take("81 cards"))[1]["options"] == {"deck": "beginner"}
    assert asks(table.take("hands: 1"))[1]["options"] == {"hands": 2}
    assert asks(table.take("5 s/set"))[1]["options"] == {"naming_s": 6.0}
    assert table.menu is not None
    assert asks(table.take("Start")) == ("lobby.start", {})
    assert table.menu is None


def test_what_was_chosen_is_shown_and_kept_with_the_next_choice() -> None:
    chosen = LinkGame(
        "lobby", "set", 20, {"tutor": True, "hands": 99, "naming_s": 60.0, "deck": "beginner"}, 0
    )
    table = link_table(chosen)
    assert table.find("Seats").here.value == "20"
    assert asks(table.take("Seats"))[1] == {"game": "set", "seats": None, "options": chosen.options}
    assert asks(table.take("tutor"))[1]["options"] == {**chosen.options, "tutor": False}
    assert asks(table.take("hands: 99"))[1]["options"]["hands"] == 0
    assert asks(table.take("60 s/set"))[1]["options"]["naming_s"] == 1.0
    assert asks(table.take("27 cards"))[1]["options"]["deck"] == "full"


@pytest.mark.parametrize("option", [option.name for option in SET.options])
def test_every_choice_goes_round_and_can_be_set_up(option: str) -> None:
    """Until it is what it was."""
    link, seen = LINK, []
    for _ in range(40):
        table = link_table(link)
        at = 2 + [each.name for each in SET.options].index(option)
        for _ in range(at):
            table.press("challenge")
        _, params = asks(table.press("confirm"))
        SET.setup(2, "seed", params["options"])
        if params["options"][option] in seen:
            break
        seen.append(params["options"][option])
        link = replace(link, options=params["options"])
    assert seen[-1] == next(each.default for each in SET.options if each.name == option) or len(seen) > 10


def test_a_game_that_is_on_is_paused_goes_on_and_is_ended() -> None:
    playing, paused = replace(LINK, status="playing"), replace(LINK, status="paused")
    assert asks(link_table(playing).take("Pause")) == ("game.pause", {})
    assert asks(link_table(paused).take("Go on")) == ("game.resume", {})
    table = link_table(playing).take("End the game")
    assert (table.page.title, table.here.label) == ("End the game?", "Back")
    assert asks(table.take("End the game")) == ("game.end", {})


def test_a_page_is_begun_anew_when_the_game_begins_or_is_over_meanwhile() -> None:
    """Else a press that was meant for a choice would pause the game."""
    table = link_table(LINK).find("hands: 1")
    table.menu = table.open.beside(match_on=True, kept=True, link=replace(LINK, taken=3))
    assert table.here.label == "hands: 1"
    table.menu = table.open.beside(match_on=True, kept=True, link=replace(LINK, status="playing"))
    assert labels(table.page) == ["Pause", "End the game", "Back"]
    assert table.here.label == "Pause"
    table.take("End the game")
    table.menu = table.open.beside(match_on=True, kept=True, link=replace(LINK, status="over"))
    assert table.here.label == "Start"
    table.menu = table.open.beside(match_on=True, kept=True, link=None)
    assert table.page.title == "Menu"


def test_a_game_that_is_not_known_can_be_started_and_nothing_else() -> None:
    table = link_table(replace(LINK, game="whist"))
    assert (table.page.title, labels(table.page)) == ("Other games", ["Start", "Back"])


def test_of_several_games_another_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_pages, "GAMES", TWO_GAMES)
    table = link_table(replace(LINK, options={"tutor": True}))
    assert table.find("Game").here.value == "SET"
    assert asks(table.take("Game")) == ("lobby.choose", {"game": "whist", "seats": None, "options": {}})


@given(st.lists(st.sampled_from(get_args(Meaning))), st.sampled_from(STATUSES))
def test_a_menu_of_the_links_game_alone_asks_the_link_alone(meanings: list[Meaning], status: Any) -> None:
    menu: Menu | None = opened_at_link(Config(), replace(LINK, status=status), now_s=0.0)
    for meaning in meanings:
        if menu is None:
            break
        page = menu.page(EN)
        assert page.title == "SET" or page.title == EN.say("menu.sure.link-end")
        menu, effects = menu.after(meaning, 1.0)
        assert all(isinstance(effect, LinkAsked) for effect in effects)


@pytest.mark.parametrize("meaning", ["undo", "menu"])
def test_from_the_links_game_alone_one_goes_back_to_nothing(meaning: Meaning) -> None:
    menu = opened_at_link(Config(), LINK, now_s=0.0)
    assert menu.page(EN).entries[-1].label == EN.say("menu.back")
    assert menu.after(meaning, 1.0) == (None, ())
