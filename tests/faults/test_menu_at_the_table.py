"""The menu on the whole daemon: opened, walked and left by the buttons alone, while a match is on, while
nothing can be kept, and over a power cut."""

from pathlib import Path

import pytest

from firmware.config import Config, load_config
from firmware.config.sections import MatchSection
from firmware.daemon.beside import is_on, would_be_lost
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.menuing import Settings
from firmware.daemon.parts import BoardDrawing, Found, MenuDrawing
from firmware.daemon.rigs import terms_of
from firmware.daemon.showing import WINNER_S
from firmware.daemon.stopping import Stop
from firmware.journal import JournalReader, MatchBegan, MatchLeft
from firmware.menus import MENU_S
from firmware.rules import Outcome, Setup, Side
from firmware.screens.menu_page import MenuPage
from firmware.screens.scoreboard import Won
from firmware.texts import explain_reason, next_match, review_unclear
from hardware.button import BUTTONS, Button, Kind
from tests.faults.bench import ANYWHERE, CLASSIC, ENGLISH, RETURNED, SERVED, Bench, Voiced
from tests.firmware.daemon.test_asking import Served
from tests.firmware.link.rig import Rig

NOT_TOML = "not TOML"
FRAMES_A_TRY = 8


class Table(Bench):
    """A bench with a configuration's file, and people who walk its menu by what they read."""

    def __init__(self, folder: Path, *, full: int = 0, setup: Setup = ANYWHERE) -> None:
        self.file = folder / "board.toml"
        if not self.file.exists():
            self.file.write_text("# ours\n[match]\noptions.free_serve_position = true\n", encoding="utf-8")

        def voice(config: Config) -> Voiced:
            self.voice = Voiced(folder / "clip.wav")
            self.voice.texts = config.texts()
            return self.voice

        settings = Settings(
            load_config(self.file),
            self.file,
            frozenset({"calibrate"}),
            terms=lambda config: terms_of(config, CLASSIC),
            voice=voice,
        )
        super().__init__(folder, full=full, setup=setup, settings=settings)

    def hold(self, kind: Kind, for_s: float = 2.2) -> None:
        """Both sides hold a button."""
        for side, after_s in (("A", 0.01), ("B", 0.2)):
            self.buttons.press(Button(side, kind), self.clock.now + after_s, for_s, bounces=5)  # type: ignore[arg-type]
        self.turn(for_s + 0.5)

    @property
    def menu(self) -> MenuPage | None:
        """The page on the panels, the same on both."""
        in_rally, game = self.panels.pictures["in-rally"], self.panels.pictures["game"]
        assert isinstance(in_rally, MenuDrawing) == isinstance(game, MenuDrawing)
        if not isinstance(in_rally, MenuDrawing):
            return None
        assert in_rally == game
        return in_rally.page

    @property
    def here(self) -> str:
        page = self.menu
        assert page is not None
        return page.entries[page.at].label

    def take(self, *labels: str, by: Side = "A") -> None:
        """Step to each of these entries in turn, and take it."""
        for label in labels:
            for _ in range(20):
                if self.here == label:
                    break
                self.press(by, "challenge", then_s=0.1)
            assert self.here == label
            self.press(by, "confirm", then_s=0.1)

    def records(self, match: int) -> list[object]:
        with JournalReader.open(self.folder) as reader:
            return list(reader.records(match))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_both_sides_open_it_see_it_and_leave_it_and_the_match_knows_nothing_of_it(table: Table) -> None:
    table.play(SERVED)
    kept = table.records(1)
    board = table.board
    table.hold("confirm")
    assert table.here == "New match"
    assert table.buttons.lit == set(BUTTONS)
    table.turn(1.0)
    table.panels.check_glass()
    for label in ("Level", "Sets and games"):
        table.press("B", "challenge", then_s=0.1)
        assert table.here == label
    # Two quick presses are two steps here, and no flick fault of the server's.
    for _ in range(2):
        table.press("B", "challenge", then_s=0.15)
    assert table.here == "Players"
    table.press("A", "confirm", for_s=2.2, then_s=0.3)
    assert table.menu is None
    assert table.records(1) == kept
    assert table.board == board
    assert table.buttons.lit == set()


def test_play_goes_on_under_an_open_menu(table: Table) -> None:
    table.play(SERVED)
    table.hold("confirm")
    table.play(RETURNED)
    assert table.menu is not None
    assert table.strokes == 2
    table.hold("confirm")
    assert table.menu is None
    assert table.board.last is not None
    assert table.board.last.seat == "B1"


def test_what_was_kept_under_the_menu_is_shown_though_what_came_then_is_not(table: Table) -> None:
    table.hold("confirm")
    table.play(SERVED)
    table.journal.full = 1_000_000
    table.play(RETURNED)
    table.hold("confirm")
    assert table.menu is None
    assert table.board.last is not None
    assert table.board.last.seat == "A1"
    assert table.strokes == 1


def test_language_and_sound_change_at_once_and_are_in_the_file(table: Table) -> None:
    table.play(SERVED)
    in_english = table.glass().tobytes()
    table.hold("confirm")
    table.take("Language")
    assert table.here == "Langue"
    table.take("Son", "Retour")
    assert table.menu is None
    picture = table.panels.pictures["in-rally"]
    assert isinstance(picture, BoardDrawing)
    assert picture.texts.language == "fr"
    table.turn(1.0)
    assert table.glass().tobytes() != in_english
    assert table.speaker.muted
    table.play(RETURNED)
    assert table.voice.said == ["Bonne, 2 points."]
    config = load_config(table.file)
    assert (config.match.language, config.speaker.mute) == ("fr", True)
    assert table.file.read_text(encoding="utf-8").startswith("# ours\n")


def test_a_new_match_is_as_it_was_set_and_the_old_one_is_left_and_kept(table: Table) -> None:
    table.play(SERVED)
    table.hold("confirm")
    table.take("Players", "Serves first")
    assert not table.daemon.chair.match.state.setup.doubles
    table.take("New match")
    assert table.here == "Back"
    table.take("New match")
    assert table.menu is None
    setup = table.daemon.chair.match.state.setup
    assert (setup.doubles, setup.first_server) == (True, "B")
    assert setup.options.free_serve_position
    assert isinstance(table.records(1)[-1], MatchLeft)
    began = table.records(2)[0]
    assert isinstance(began, MatchBegan)
    assert began.setup == setup
    assert table.board.server == "B1"


def won(table: Table) -> Outcome:
    """Play until a match is over."""
    while not table.daemon.over:
        table.play(None)
    table.turn()
    outcome = table.daemon.chair.match.state.outcome
    assert outcome is not None
    return outcome


CONFIRMS = {Button("A", "confirm"), Button("B", "confirm")}


def test_a_match_that_is_over_can_be_disputed(table: Table) -> None:
    won(table)
    table.press("A", "challenge")
    assert table.board.notice == review_unclear("not-found", ENGLISH)
    table.press("B", "confirm", for_s=2.2)
    assert not table.daemon.over, "the last stroke was undone"
    assert table.buttons.lit == set()


def test_after_a_match_the_winner_is_seen_then_the_last_call_is_asked_for_and_then_the_next_match(
    table: Table,
) -> None:
    outcome = won(table)
    assert (table.board.notice, table.buttons.lit) == (None, set()), "people look"
    table.turn(WINNER_S)
    assert table.board.notice == next_match(outcome, ENGLISH, accepted=False)
    assert table.buttons.lit == CONFIRMS
    table.press("B", "confirm")
    assert table.buttons.lit == {Button("A", "confirm")}
    table.press("A", "confirm")
    table.turn(5.0)
    assert table.buttons.lit == set()
    assert table.board.notice == next_match(outcome, ENGLISH, accepted=True)
    assert table.board.outcome == Won(outcome.winner)
    table.hold("confirm")
    table.take("New match")
    assert table.menu is None
    assert table.board.outcome is None
    assert table.records(2)


def test_two_who_accept_match_point_however_often_begin_no_match(table: Table) -> None:
    outcome = won(table)
    for side in ("A", "B", "A", "B", "B", "A"):
        table.press(side, "confirm", then_s=0.4)  # type: ignore[arg-type]
        assert table.menu is None
    assert table.board.outcome == Won(outcome.winner)
    assert table.board.notice == explain_reason("match-over", ENGLISH), "what to do instead"
    assert len(table.journal.matches()) == 1
    table.press("A", "confirm", for_s=2.2)
    assert not table.daemon.over, "and the last stroke can still be undone"


def test_a_match_whose_last_call_nobody_accepted_is_not_left_without_a_question(table: Table) -> None:
    won(table)
    table.press("A", "confirm")
    assert would_be_lost(table.daemon.chair)
    assert not is_on(table.daemon.chair), "a game on the link may have the panels"
    table.hold("confirm")
    table.take("New match")
    assert table.here == "Back"
    assert len(table.journal.matches()) == 1


def test_what_one_side_undid_is_done_again_by_both_in_the_menu(table: Table) -> None:
    """Something lay on a button, or somebody did not like the score."""
    outcome = won(table)
    table.hold("confirm")
    labels = [entry.label for entry in table.menu.entries] if table.menu is not None else []
    assert "Redo" not in labels, "nothing was undone"
    table.hold("confirm")
    table.press("B", "confirm", for_s=2.2)
    assert "undone" in (table.board.notice or "")
    assert table.board.outcome is None
    table.hold("confirm")
    table.take("Redo")
    assert table.menu is None
    assert table.board.outcome == Won(outcome.winner)
    with JournalReader.open(table.folder) as reader:
        assert [match.ending for match in reader.matches(10)] == ["over"]
    table.drop()
    again = Table(table.folder, setup=table.daemon.chair.match.state.setup)
    assert again.daemon.chair.match.state.outcome == outcome


def test_a_redo_that_comes_too_late_is_none(table: Table) -> None:
    table.play(SERVED)
    table.press("B", "confirm", for_s=2.2)
    table.hold("confirm")
    table.play(SERVED)  # somebody plays under the open menu
    table.take("Redo")
    table.turn()
    assert table.strokes == 1
    assert table.board.notice == explain_reason("nothing-to-undo", ENGLISH)


def test_a_match_without_a_stroke_is_left_without_a_question(table: Table) -> None:
    table.hold("confirm")
    table.take("Level", "Children", "New match")
    assert table.menu is None
    assert table.daemon.chair.match.state.setup.preset == "children"


def test_settings_hold_over_a_power_cut_and_the_match_goes_on_by_its_own(table: Table) -> None:
    table.play(SERVED)
    table.hold("confirm")
    table.take("Players", "Language")
    table.drop()
    again = Table(table.folder)
    again.turn()
    assert again.strokes == 1
    assert again.daemon.chair.match.state.setup == ANYWHERE
    picture = again.panels.pictures["in-rally"]
    assert isinstance(picture, BoardDrawing)
    again.hold("confirm")
    page = again.menu
    assert page is not None
    assert page.title == "Menu"
    assert "Joueurs" in [entry.label for entry in page.entries]
    assert load_config(again.file).match == MatchSection(
        options={"free_serve_position": True}, doubles=True, language="fr"
    )


def test_the_board_is_calibrated_anew(table: Table) -> None:
    table.finder.results.append(Found("second"))  # type: ignore[arg-type]
    table.hold("confirm")
    table.take("Calibrate")
    assert table.menu is None
    for _ in range(FRAMES_A_TRY):
        table.see()
    table.work.pop()()
    table.turn()
    assert [anew for _, anew in table.finder.asked] == [True]
    assert table.finder.sighted == ["second"]


def test_shutting_down_ends_the_daemon_with_every_part_given_back(table: Table) -> None:
    table.play(SERVED)
    table.hold("confirm")
    table.take("Shut down")
    assert table.here == "Back"
    assert not table.daemon.shut_down
    table.take("Shut down")
    assert table.daemon.shut_down
    table.daemon.run(Stop())
    assert table.panels.stopped
    assert table.frames.closed
    assert table.lines[-1]["kind"] == "stopped"


def test_a_menu_that_nobody_touches_closes_by_itself(table: Table) -> None:
    table.hold("confirm")
    table.press("A", "challenge", then_s=0.1)
    table.turn(MENU_S - 1.0)
    assert table.menu is not None
    table.turn(1.5)
    assert table.menu is None
    # CHALLENGE is the match's again: nothing can be looked at yet.
    table.press("A", "challenge")
    assert table.board.notice is not None


def test_while_nothing_can_be_kept_the_menu_opens_and_begins_no_match(table: Table) -> None:
    table.play(SERVED)
    table.journal.full = 1_000_000
    table.play(RETURNED)
    assert table.daemon.paused
    table.hold("confirm")
    table.take("Sound", "New match")
    assert table.speaker.muted
    page = table.menu
    assert page is not None
    assert (page.title, page.note) == ("Scoring waits", "Only once the score can be saved.")
    table.journal.full = 0
    table.turn(RETRY_S + 1.0)
    assert not table.daemon.paused
    assert table.strokes == 2
    with JournalReader.open(table.folder) as reader:
        assert len(reader.matches(10)) == 1
    table.take("New match", "New match")
    with JournalReader.open(table.folder) as reader:
        assert len(reader.matches(10)) == 2


def test_settings_that_cannot_be_saved_hold_and_are_told(table: Table) -> None:
    table.file.write_text(NOT_TOML, encoding="utf-8")
    table.hold("confirm")
    table.take("Players", "New match")
    assert table.daemon.chair.match.state.setup.doubles
    assert len(table.troubles("settings")) == 1
    assert table.file.read_text(encoding="utf-8") == NOT_TOML


def test_without_settings_there_is_no_menu(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for button in BUTTONS:
        if button.kind == "confirm":
            bench.buttons.press(button, bench.clock.now + 0.01, 2.2)
    bench.turn(3.0)
    assert isinstance(bench.panels.pictures["in-rally"], BoardDrawing)


def test_a_game_on_the_link_is_started_paused_and_ended_by_the_buttons(table: Table) -> None:
    rig = Rig()
    controller = rig.peer("ada")
    table.daemon._link = Served(rig)
    table.play(SERVED)
    table.hold("confirm")
    table.take("Other games", "no tutor")
    assert table.here == "tutor"
    controller.read()
    assert controller.lobby["options"]["tutor"] is True
    table.take("Back", "Other games", "Start")
    assert table.menu is None
    assert rig.host.shown.lobby.status == "playing"
    table.hold("confirm")
    table.take("Other games", "Pause")
    assert rig.host.shown.lobby.status == "paused"
    table.hold("confirm")
    table.take("Other games", "End the game", "End the game")
    assert rig.host.shown.lobby.status == "lobby"
    assert len(table.records(1)) == 2  # its beginning and the serve: the match knows nothing of it


def test_a_game_that_cannot_start_says_so_at_the_table(table: Table) -> None:
    rig = Rig()
    table.daemon._link = Served(rig)
    table.hold("confirm")
    table.take("Other games", "Start")
    table.turn(0.1)
    assert table.board.notice == "Not now: take the seats of the game with controllers first."
