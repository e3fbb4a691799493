"""Presets and options: what each has on, what can be chosen, what is not possible (rulebook, the
levels; the presets of the rulings)."""

import msgspec
import pytest

from firmware.rules import (
    OPTION_NAMES,
    PRESETS,
    OptionName,
    Options,
    Preset,
    Setup,
    SetupError,
    choose,
    idle_options,
    start,
)
from tests.rules.builder import NET, play

ON: dict[Preset, set[OptionName]] = {
    "discovery": {"bonuses", "service_boxes", "aces"},
    "confirmed": {"bonuses", "service_boxes", "aces"},
    "advanced": {
        "bonuses",
        "service_boxes",
        "aces",
        "first_serve_bonus",
        "second_serve_ace_pressure",
        "advantage",
        "tie_break",
    },
    "simplified": {"service_boxes", "aces"},
    "children": set(),
}
"""What the rulings say is on."""


@pytest.mark.parametrize("preset", ON)
def test_the_presets_have_what_the_rulings_say(preset: Preset) -> None:
    options = Setup(preset=preset).options
    assert {name for name in OPTION_NAMES if getattr(options, name)} == ON[preset]
    assert Setup(preset=preset).simplified == (preset in ("simplified", "children"))


def test_there_are_five_presets_and_every_option_has_a_name() -> None:
    assert list(PRESETS) == list(ON)
    assert Options.__struct_fields__ == OPTION_NAMES


@pytest.mark.parametrize("preset", ON)
def test_only_beginners_lay_the_ball_on_the_0(preset: Preset) -> None:
    state = play(start(Setup(preset=preset)), NET, NET).state
    last = state.strokes[-1].called.call
    assert last == ("fault" if preset == "discovery" else "double-fault")


def test_a_match_is_two_sets_of_three_games_served_first_by_a_unless_agreed() -> None:
    setup = Setup()
    assert (setup.preset, setup.sets_to_win, setup.games_to_set) == ("confirmed", 2, 3)
    assert (setup.first_server, setup.first_seat, setup.doubles) == ("A", "A1", False)


@pytest.mark.parametrize("name", OPTION_NAMES)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_can_be_chosen_beside_every_preset(preset: Preset, name: OptionName) -> None:
    own = Setup(preset=preset).options
    for on in (True, False):
        chosen = choose(preset, {name: on})
        options = Setup(preset=preset, chosen=chosen).options
        assert getattr(options, name) is on
        assert options == msgspec.structs.replace(own, **{str(name): on})
        assert (chosen is None) == (getattr(own, name) is on)


def test_choosing_nothing_leaves_the_preset() -> None:
    assert choose("advanced", {}) is None
    assert choose("advanced", {"tie_break": True}) is None


@pytest.mark.parametrize(
    ("fields", "idle"),
    [
        ({}, ()),
        ({"preset": "advanced"}, ()),
        ({"chosen": Options(service_boxes=False)}, ("aces",)),
        (
            {"chosen": Options(service_boxes=False, second_serve_ace_pressure=True)},
            ("aces", "second_serve_ace_pressure"),
        ),
        ({"chosen": Options(aces=False, second_serve_ace_pressure=True)}, ("second_serve_ace_pressure",)),
        ({"chosen": Options(advantage=True, tie_break=True, change_ends=True)}, ()),
        (
            {
                "preset": "simplified",
                "chosen": Options(advantage=True, tie_break=True, change_ends=True),
            },
            ("advantage", "tie_break", "change_ends"),
        ),
        ({"preset": "simplified", "chosen": Options(first_serve_bonus=True, free_serve_position=True)}, ()),
    ],
)
def test_options_that_change_nothing_are_named(fields: dict[str, object], idle: tuple[str, ...]) -> None:
    assert idle_options(Setup(**fields)) == idle  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"preset": "expert"}, "no preset 'expert'; choose one of: discovery, confirmed"),
        ({"sets_to_win": 0}, "0 sets to win; choose 1 to 3"),
        ({"sets_to_win": 4}, "4 sets to win; choose 1 to 3"),
        ({"games_to_set": 4}, "4 games to win a set; choose 3 or 6"),
        ({"first_server": "C"}, "no side 'C' to serve first; choose A or B"),
    ],
)
def test_a_setup_that_is_not_possible_says_what_is(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(SetupError, match=says):
        Setup(**wrong)  # type: ignore[arg-type]


def test_a_choice_that_is_not_possible_says_what_is() -> None:
    with pytest.raises(SetupError, match="no option 'lets'; choose from: first_serve_bonus, "):
        choose("confirmed", {"lets": True})  # type: ignore[dict-item]
    with pytest.raises(SetupError, match="no preset 'expert'; choose one of: discovery, "):
        choose("expert", {})  # type: ignore[arg-type]
