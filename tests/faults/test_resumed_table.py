"""A table that starts again: with the match that was won, with one that cannot go on, with one whose players
have been given other names since. By panels and buttons alone."""

from pathlib import Path

import pytest

from firmware.config import load_config
from firmware.config.writing import saved
from firmware.daemon.parts import BoardDrawing
from firmware.daemon.showing import WINNER_S
from firmware.journal import MatchBegan
from firmware.texts import match_unkept, next_match
from hardware.button import Button
from tests.faults.bench import ENGLISH, RETURNED, SERVED
from tests.faults.test_menu_at_the_table import Table
from tests.firmware.daemon.test_resuming import of_another_version

BOTH = {Button("A", "confirm"), Button("B", "confirm")}


def begun(folder: Path, match: str) -> Table:
    """A match by these settings."""
    (folder / "board.toml").write_text(f"[match]\noptions.free_serve_position = true\n{match}\n")
    table = Table(folder)
    table.hold("confirm")
    table.take("New match")
    return table


def spoken_by(table: Table) -> tuple[str, str]:
    """What A is called, on the panels and by the voice."""
    drawn = table.panels.pictures["in-rally"]
    assert isinstance(drawn, BoardDrawing)
    return drawn.texts.side("A"), table.voice.texts.side("A")


def test_after_a_match_and_a_power_cut_its_last_call_is_accepted_and_another_begun(tmp_path: Path) -> None:
    table = begun(tmp_path, "sets = 1")
    while not table.daemon.over:
        table.play(None)
    outcome = table.daemon.chair.match.state.outcome
    assert outcome is not None
    table.drop()
    again = Table(tmp_path)
    again.turn()
    assert again.board.outcome == table.board.outcome
    assert again.notice() is None
    again.turn(WINNER_S)
    assert again.buttons.lit == BOTH
    assert again.notice() == next_match(outcome, ENGLISH, accepted=False)
    again.press("B", "confirm")
    again.drop()
    again = Table(tmp_path)
    again.turn(WINNER_S)
    again.turn()
    assert again.buttons.lit == {Button("A", "confirm")}, "B's word stands"
    again.press("A", "confirm")
    again.turn(5.0)
    assert again.notice() == next_match(outcome, ENGLISH, accepted=True)
    again.hold("confirm")
    again.take("New match")
    assert again.board.outcome is None
    assert [match.ending for match in again.journal.matches()] == ["left", "over", "open"]


def test_what_cannot_go_on_is_told_and_confirm_leads_to_another_after_a_question(tmp_path: Path) -> None:
    before = of_another_version(tmp_path)
    table = Table(tmp_path)
    table.turn(5.0)
    assert table.notice() == match_unkept("other-version", ENGLISH)
    assert table.buttons.lit == BOTH
    table.press("A", "confirm")
    table.take("New match")
    assert table.here == "Back"
    table.press("A", "confirm")
    assert len(table.journal.matches()) == 1
    table.take("New match", "New match")
    table.turn()
    assert table.menu is None
    assert table.notice() is None
    table.play(SERVED)
    assert table.strokes == 1
    assert tuple(table.records(1)) == before


def test_names_for_the_next_match_are_not_those_of_the_one_that_goes_on(tmp_path: Path) -> None:
    table = begun(tmp_path, "names = { A = 'Ada', B = 'Bob' }")
    table.play(SERVED)
    saved(table.file, {"match.names.A": "Zoe"})
    table.drop()
    again = Table(tmp_path)
    assert spoken_by(again) == ("Ada", "Ada")
    again.play(RETURNED)
    again.hold("confirm")
    again.take("Language")
    again.press("A", "confirm", for_s=2.2)
    again.turn()
    drawn = again.panels.pictures["in-rally"]
    assert isinstance(drawn, BoardDrawing)
    assert drawn.texts.language == "fr"
    assert spoken_by(again) == ("Ada", "Ada"), "in another language, too"
    again.drop()
    last = Table(tmp_path)
    drawn = last.panels.pictures["in-rally"]
    assert isinstance(drawn, BoardDrawing)
    assert drawn.texts.language == "fr", "it was changed for this match"
    assert spoken_by(last) == ("Ada", "Ada")
    last.hold("confirm")
    last.take("Nouveau match", "Nouveau match")
    assert spoken_by(last) == ("Zoe", "Zoe")
    began = last.records(3)[0]
    assert isinstance(began, MatchBegan)
    assert began.names == ("Zoe", "Bob")
    assert load_config(last.file).match.names == {"A": "Zoe", "B": "Bob"}


@pytest.mark.parametrize("named", [{"A": "Reds"}, {"A1": "Ada", "B2": "Tim"}, {"A": "Reds", "A1": "Ada"}])
def test_pairs_and_their_players_are_called_as_before(tmp_path: Path, named: dict[str, str]) -> None:
    names = ", ".join(f"{place} = '{name}'" for place, name in named.items())
    table = begun(tmp_path, f"doubles = true\nnames = {{ {names} }}")
    before = table.daemon.chair.texts
    assert before == ENGLISH.named(named)  # type: ignore[arg-type]
    table.drop()
    saved(table.file, {"match.names.B": "Blues"})
    assert Table(tmp_path).daemon.chair.texts == before
