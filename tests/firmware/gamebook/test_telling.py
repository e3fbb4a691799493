"""Games that were played, listed and told again, by the command."""

import json
from pathlib import Path

import pytest

from firmware import cli
from firmware.gamebook import CutBack, GameBook, GameLeft
from firmware.gamebook.book import NAME
from firmware.gamebook.reading import kept_of
from firmware.gamebook.telling import as_actions, retold
from firmware.texts import load
from tests.firmware.gamebook.made import NOON, began, played, states
from tests.firmware.gamebook.test_gamebook import kept
from tests.firmware.keeping.by_hand import lose


def printed(capsys: pytest.CaptureFixture[str], folder: Path, *args: str) -> list[str]:
    assert cli.main(["games", *args, "--state", str(folder)]) == 0
    return capsys.readouterr().out.splitlines()


def test_games_are_listed_with_players_scores_and_how_they_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with GameBook.open(tmp_path) as book:
        over, left, still = (book.begin(began()) for _ in range(3))
        for record in played():
            book.append(over, record)
        book.append(left, GameLeft("ended", NOON))
        book.append(still, played()[0])
    first, second, third = printed(capsys, tmp_path, "--played")
    scores = "-".join(map(str, states()[-1].scores))
    assert first.split() == (
        f"1 2026-05-01 12:00 set Ann, Bot 2 {len(played())} actions {scores} over".split()
    )
    assert second.endswith("ended")
    assert third.endswith("1 actions  0-0  open")
    told = [json.loads(line) for line in printed(capsys, tmp_path, "--played", "--json")]
    assert [game["left"] for game in told] == [None, "ended", None]
    assert ["seed" in game["setup"] for game in told] == [True, True, False]
    replayed = json.loads(printed(capsys, tmp_path, "--replay", "3", "--json")[0])
    assert "seed" not in replayed["setup"]
    assert told[0]["outcome"]["winners"] == list(states()[-1].outcome.winners)


def test_a_game_is_told_again_as_it_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was undone is not in it."""
    kept(tmp_path, *played()[:4], CutBack(2, "undo", NOON), *played()[2:])
    lines = printed(capsys, tmp_path, "--replay", "1")
    assert lines[0].split()[0] == "1"
    assert lines[-1].split()[0] == str(len(played()))
    assert "Ann" in lines[0]
    assert printed(capsys, tmp_path, "--replay", "1", "--language", "fr") != lines
    summary, *actions = (json.loads(line) for line in printed(capsys, tmp_path, "--replay", "1", "--json"))
    assert summary["players"] == ["Ann", "Bot 2"]
    assert [each["position"] for each in actions] == list(range(1, len(played()) + 1))
    assert actions[-1]["events"][-1]["kind"] == "game-over"


def test_what_is_not_there_is_one_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["games", "--played", "--state", str(tmp_path)]) == 2
    assert "no game has been kept" in capsys.readouterr().err
    kept(tmp_path)
    assert cli.main(["games", "--replay", "9", "--state", str(tmp_path)]) == 2
    assert "there is no game 9" in capsys.readouterr().err


def test_a_damaged_game_is_told_up_to_there_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept(tmp_path, *played()[:5])
    lose(tmp_path / NAME, 4)
    assert cli.main(["games", "--played", "--state", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert out.rstrip().endswith("(damaged)")
    assert "it is missing" in err


def test_a_game_whose_words_are_not_known_is_told_by_its_actions() -> None:
    from firmware.gamebook import Acted, GameBegan
    from firmware.gamebook.book import CODER
    from tests.firmware.gamebook.made import SEATS, raw
    from tests.firmware.link.hidden_game import GAMES, Play, Setup

    records = [GameBegan("hidden", raw(Setup(2, "x")), SEATS, NOON), Acted(raw(Play(1, 0)), NOON, 1)]
    rows = [CODER.encoded(1, number, each) for number, each in enumerate(records, start=1)]
    game = kept_of(1, CODER, rows, GAMES)
    assert game is not None
    (line,) = retold(game, load("en"))
    assert line.endswith('{"kind":"play","seat":1,"place":0}')
    (action,) = as_actions(game)
    assert action["events"][0]["kind"] == "played"
