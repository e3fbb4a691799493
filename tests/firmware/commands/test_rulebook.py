"""`setmatch rules`: what is printed follows from the setup, in both languages and both forms."""

import io
import json
from typing import Any, get_args

import pytest

from firmware import cli
from firmware.rules import OPTION_NAMES, PRESETS, OptionName, Preset, Setup, choose
from firmware.rules.diagram import diagram
from firmware.texts import LANGUAGES, load, statements
from firmware.texts.schema import TOPICS


def printed(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert cli.main(["rules", *args]) == 0
    return capsys.readouterr().out


def keys(setup: Setup) -> set[str]:
    return {statement.key for statement in statements(setup, load("en"))}


def with_option(preset: Preset, option: OptionName, on: bool) -> Setup:
    return Setup(preset=preset, chosen=choose(preset, {option: on}))


FOLLOWS: list[tuple[Preset, OptionName, set[str], set[str]]] = [
    ("confirmed", "first_serve_bonus", {"serve.first-bonus"}, set()),
    ("confirmed", "second_serve_ace_pressure", {"ace.pressure"}, set()),
    ("confirmed", "advantage", {"game.advantage"}, {"game.no-advantage"}),
    ("confirmed", "tie_break", {"set.tie-break", "order.tie-break"}, {"set.decider"}),
    (
        "simplified",
        "bonuses",
        {"bonus.crosscourt", "bonus.dropshot", "bonus.net", "bonus.sum"},
        {"bonus.none"},
    ),
    ("confirmed", "service_boxes", {"serve.box", "ace.wins"}, {"serve.court", "ace.none"}),
    ("confirmed", "aces", {"ace.wins"}, {"ace.none"}),
    ("confirmed", "free_serve_position", {"place.free"}, {"place.serve", "place.tolerance"}),
    ("confirmed", "change_ends", {"place.change-ends"}, {"place.same-ends"}),
]


@pytest.mark.parametrize(("preset", "option", "only_on", "only_off"), FOLLOWS)
def test_an_option_changes_what_it_is_about_and_nothing_else(
    preset: Preset, option: OptionName, only_on: set[str], only_off: set[str]
) -> None:
    on, off = keys(with_option(preset, option, True)), keys(with_option(preset, option, False))
    assert (on - off, off - on) == (only_on, only_off)


def test_every_option_is_among_them() -> None:
    assert {option for _, option, _, _ in FOLLOWS} == set(get_args(OptionName)) == set(OPTION_NAMES)


@pytest.mark.parametrize("option", ["advantage", "tie_break", "change_ends"])
def test_an_idle_option_changes_no_rule(option: OptionName) -> None:
    assert keys(with_option("simplified", option, True)) == keys(Setup(preset="simplified"))


def test_each_preset_has_its_own_rules() -> None:
    assert len({frozenset(keys(Setup(preset=preset))) for preset in PRESETS}) == len(PRESETS)
    assert "fault.zero" in keys(Setup(preset="discovery"))
    assert "fault.double-fault" in keys(Setup(preset="confirmed"))
    assert {"order.simplified", "game.simplified"} <= keys(Setup(preset="children"))


@pytest.mark.parametrize(("option", "words"), [("off", "the next game decides"), ("on", "first to 5")])
def test_three_games_are_level_at_two(option: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--option", f"tie_break={option}")
    assert "At 2 games all" in out
    assert words in out


def test_six_games_want_two_clear() -> None:
    assert "set.clear" in keys(Setup(games_to_set=6))
    assert "set.decider" not in keys(Setup(games_to_set=6))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_printed_whole(
    preset: Preset, language: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    out = printed(capsys, "--preset", preset, "--language", language)
    texts = load(language)
    running = " ".join(out.split())
    for statement in statements(Setup(preset=preset), texts):
        assert " ".join(statement.text.split()) in running
        assert texts.say(f"topic.{statement.topic}") in out.splitlines()
    assert texts.say(f"preset.{preset}") in out.splitlines()[0]
    assert max(map(len, out.splitlines())) <= 96


def test_the_numbers_are_those_that_were_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--preset", "advanced", "--games", "6", "--sets", "3", "--doubles", "--first-server", "B")
    out = printed(capsys, *args)
    for words in (
        "doubles",
        "B1, A2, B2, A1",
        "B1 serves first.",
        "3 sets win",
        "6 games win",
        "At 6 games all",
    ):
        assert words in out
    assert "1 set wins the match." in printed(capsys, "--sets", "1")
    assert "1 set gagne le match." in printed(capsys, "--sets", "1", "--language", "fr")


def test_options_are_listed_and_idle_ones_apart(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--preset", "children", "--option", "advantage=on")
    assert "No option is on." in out
    assert "Without effect: advantage (a race to 12 has no games)" in out
    assert "Options on: bonuses, service boxes, aces\n" in printed(capsys)


def test_json_has_the_setup_and_every_statement(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--preset", "simplified", "--option", "advantage=on", "--json", "--language", "fr")
    found = json.loads(printed(capsys, *args))
    assert (found["kind"], found["language"], found["preset"]) == ("rules", "fr", "simplified")
    assert found["options"] == {name: name in ("advantage", "service_boxes", "aces") for name in OPTION_NAMES}
    assert [idle["option"] for idle in found["idle"]] == ["advantage"]
    topics = [rule["topic"] for rule in found["rules"]]
    assert topics == sorted(topics, key=TOPICS.index)
    assert all(set(rule) == {"topic", "key", "text"} and rule["text"] for rule in found["rules"])


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_output_that_takes_no_accents_is_told_in_one_line(
    form: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert cli.main(["rules", "--language", "fr", *form]) == 2
    err = capsys.readouterr().err
    assert "PYTHONIOENCODING=utf-8" in err
    assert err.count("\n") == 1


def test_the_diagram_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--diagram") == diagram()


def test_diagram_and_json_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["rules", "--diagram", "--json"])
    assert caught.value.code == 2
    assert "not allowed with" in capsys.readouterr().err
