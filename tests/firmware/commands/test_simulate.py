"""`setmatch simulate`: the same for a seed to the letter, rates that follow from the matches, clear errors."""

import json
import os
import subprocess
import sys
from statistics import mean, stdev
from typing import Any

import pytest

from firmware import cli
from firmware.commands.simulate import Rate, rate


def printed(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert cli.main(["simulate", "set", *args]) == 0
    return capsys.readouterr().out


def lines(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[list[Any], Any]:
    *matches, rates = [json.loads(line) for line in printed(capsys, *args, "--json").splitlines()]
    return matches, rates


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    try:
        code = cli.main(["simulate", *args])
    except SystemExit as ended:  # by argparse
        code = int(ended.code or 0)
    assert code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_seed_gives_the_same_to_the_letter_in_every_process(form: tuple[str, ...]) -> None:
    """Whatever order hashes have there."""
    command = (
        sys.executable,
        "-m",
        "firmware.cli",
        "simulate",
        "set",
        "--matches",
        "2",
        "--seed",
        "7",
        *form,
    )
    outs = {
        subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outs) == 1


def test_another_seed_gives_others(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (lines(capsys, "--matches", "1", "--seed", seed)[0] for seed in ("a", "b"))
    assert one != other


def test_every_match_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    matches, rates = lines(
        capsys, "--matches", "5", "--seats", "4", "--strength", "fair,strong", "--seed", "x"
    )
    assert [match["number"] for match in matches] == [1, 2, 3, 4, 5]
    assert [match["seed"] for match in matches] == [f"x/{number}" for number in range(1, 6)]
    assert matches[0]["strengths"] == ["strong", "fair"] * 2
    assert matches[1]["strengths"] == ["fair", "strong"] * 2
    for match in matches:
        assert match["winners"] == [
            seat for seat, score in enumerate(match["scores"], start=1) if score == max(match["scores"])
        ]
        assert sum(match["scores"]) == match["events"]["set-taken"] - match["events"].get("claim-failed", 0)
    assert (rates["kind"], rates["matches"]) == ("rates", 5)


def test_rates_follow_from_the_matches(capsys: pytest.CaptureFixture[str]) -> None:
    matches, rates = lines(capsys, "--matches", "6", "--strength", "easy,strong", "--seats", "3")
    sets = [match["events"]["set-taken"] for match in matches]
    assert rates["match"]["sets"]["mean"] == pytest.approx(mean(sets))
    assert rates["match"]["sets"]["error"] == pytest.approx(stdev(sets) / 6**0.5)
    assert rates["match"]["minutes"]["mean"] == pytest.approx(mean(m["length_s"] for m in matches) / 60)
    scores = [
        mean(s for s, strength in zip(m["scores"], m["strengths"], strict=True) if strength == "strong")
        for m in matches
    ]
    assert rates["seat"]["strong"]["score"]["mean"] == pytest.approx(mean(scores))
    assert list(rates["seat"]) == ["easy", "strong"]
    assert "more_cards" not in rates["seat"]["easy"]


def test_wins_of_all_seats_add_up_to_one(capsys: pytest.CaptureFixture[str]) -> None:
    _, rates = lines(capsys, "--matches", "6", "--seats", "2")
    assert rates["seat"]["fair"]["wins"]["mean"] == pytest.approx(0.5)


def test_the_stronger_win_more(capsys: pytest.CaptureFixture[str]) -> None:
    _, rates = lines(capsys, "--matches", "30", "--strength", "easy,fair,strong")
    easy, fair, strong = (rates["seat"][strength] for strength in ("easy", "fair", "strong"))
    assert strong["wins"]["mean"] > 0.9
    assert strong["score"]["mean"] > 2 * fair["score"]["mean"] > 2 * easy["score"]["mean"]
    assert strong["wrong_claims"]["mean"] == 0 < easy["wrong_claims"]["mean"]


def test_tables_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--matches", "3", "--strength", "easy,fair,strong").splitlines()
    assert [line.split()[0] for line in out[:3]] == ["1", "2", "3"]
    assert all("won by seat" in line for line in out[:3])
    assert out[4] == "3 matches of SET; +/- is half the width of the 95 % interval"
    assert out[5].split() == ["a", "match", "minutes", "sets", "wrong", "claims", "more", "cards"]
    assert [line.split()[0] for line in out[-3:]] == ["easy", "fair", "strong"]


def test_one_match_tells_no_error_and_nobody_may_win_alone(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--matches", "1", "--seats", "1", "--strength", "easy", "--seed", "2")
    assert "won by nobody (solo-lost)" in out
    assert "1 match of SET" in out
    assert "+/- " not in out.split("interval")[1]


def test_options_reach_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--option", "deck=beginner", "--option", "hands=2", "--matches", "1")
    (match,), _ = lines(capsys, *given)
    assert match["events"]["hand-over"] == 2
    assert match["events"]["set-taken"] <= 18


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("chess",), "choose from: set"),
        (("set", "--seats", "21"), "1 to 20 seats"),
        (("set", "--seats", "0"), "no whole number from 1 on"),
        (("set", "--seats", "two"), "no whole number from 1 on"),
        (("set", "--matches", "100001"), "at most 100000"),
        (("set", "--strength", "weak"), "choose from: easy, fair, strong"),
        (("set", "--seats", "2", "--strength", "easy,fair,easy"), "at most one for each seat"),
        (("set", "--option", "tutor"), "write NAME=VALUE"),
        (("set", "--option", "tutor=maybe"), "tutor is on or off"),
        (("set", "--option", "tutr=on"), "did you mean tutor"),
    ],
)
def test_what_cannot_be_is_one_line(
    args: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in refused(capsys, *args)


def test_a_rate_of_one_has_no_error() -> None:
    assert rate([3.0]) == Rate(3.0, None)
    assert str(rate([3.0])) == "3.00"
    assert rate([1.0, 3.0]) == Rate(2.0, 1.0)
    assert str(rate([1.0, 3.0])) == "2.00 +/- 1.96"
