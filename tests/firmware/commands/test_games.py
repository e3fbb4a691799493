"""`setmatch games`: every game with its seats and options, for people and for programs, in both languages."""

import io
import json
import sys

import pytest

from firmware import cli
from firmware.games.catalogue import GAMES
from firmware.texts import LANGUAGES, load


def printed(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert cli.main(["games", *args]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_and_value_is_told(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(printed(capsys, "--language", language).split())
    table = load("fr" if language == "fr" else "en").table
    for game in GAMES.values():
        assert game.title in out
        assert all(str(seats) in out for seats in game.seats)
        for option in game.options:
            assert " ".join(table[f"games.{game.name}.option.{option.name}"].split()) in out
            for value in getattr(option, "values", ()):
                assert table[f"games.{game.name}.value.{value}"] in out


def test_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys).splitlines()
    assert lines[:3] == [
        "set         SET, 1 to 20 seats",
        "  deck            cards that are played with (full unless chosen)",
        "    full          all 81 cards",
    ]
    assert max(map(len, lines)) <= 96


def test_json_is_one_object_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    told = [json.loads(line) for line in printed(capsys, "--json").splitlines()]
    assert [(each["kind"], each["name"], each["seats"]) for each in told] == [("game", "set", [1, 20])]
    options = {option["name"]: option for option in told[0]["options"]}
    assert options["deck"]["values"] == ["full", "beginner"]
    assert options["tutor"]["kind"] == "switch"
    assert (options["naming_s"]["least"], options["naming_s"]["most"], options["naming_s"]["default"]) == (
        1,
        60,
        5,
    )
    assert all(option["about"] for option in options.values())


def test_letters_that_the_output_has_not_are_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert cli.main(["games", "--language", "fr"]) == 2
    assert "set PYTHONIOENCODING=utf-8" in capsys.readouterr().err
