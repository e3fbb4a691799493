"""What a Pico shows, as its chip has it: compared with recorded pictures, pixel by pixel."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from firmware.games.setgame.cards import DECK, code
from firmware.games.setgame.engine import step
from firmware.games.setgame.state import AgreeNone, Claim, ClaimFailed, Event, SetTaken, State
from tests.hardware.controllers.boards import BOUND_S, SayingBoard, dealt
from tests.hardware.controllers.picos import Pico, drawn
from tests.screens.recorded import FOLDER, RECORD, check, difference
from tests.shared import needs

pytestmark = needs("micropython", "micropython")

TWELVE = "1OSR 2OHP 3OEG 1DSG 2DHR 3DEP 1WSP 2WHG 3WER 3OHR 2WSP 1DEG"
FIFTEEN = f"{TWELVE} 3WSG 1OHP 2DSR"
EIGHTEEN = f"{FIFTEEN} 2OEP 3DHG 1WHR"
MANY = " ".join(code(card) for card in DECK[10:40])


@pytest.fixture
def board(tmp_path: Path) -> Iterator[SayingBoard]:
    pico = Pico(tmp_path)
    board = SayingBoard(pico)
    board.until_asked("game.view")
    yield board
    pico.check()
    pico.unplug()


def shows(board: SayingBoard, name: str, folder: Path, keys: str = "") -> None:
    """Compare the screen with a recorded one, once these keys were pressed."""
    board.settled()
    board.pico.press(keys)
    compare(board, name, folder, slice(0, 0))


def compare(board: SayingBoard, name: str, folder: Path, but: slice) -> None:
    """Compare the screen with a recorded one, but for a part of the bar; a slow Pico is waited for."""
    board.settled()
    recorded = FOLDER / f"pico/{name}.png"
    end = time.monotonic() + BOUND_S / 4

    def picture() -> Image.Image:
        screen = board.pico.screen().copy()
        screen[0:8, but] = 0
        return Image.fromarray(screen).convert("1")

    while not RECORD and time.monotonic() < end:
        with Image.open(recorded) as expected:
            if difference(expected.convert("1"), picture()) is None:
                break
        board.go_on()
    print(drawn(board.pico.screen()))
    check(f"pico/{name}.png", picture(), folder)


def test_the_lobby(board: SayingBoard, tmp_path: Path) -> None:
    board.names = ("Pico ab12", "Ben", "Bot 3")
    board.tell("lobby")
    shows(board, "lobby", tmp_path, "d")


@pytest.mark.parametrize(
    ("name", "cards", "keys"),
    [("12", TWELVE, "rd"), ("15", FIFTEEN, ""), ("18", EIGHTEEN, "l"), ("30", MANY, "rrrrrdd")],
)
def test_a_table(board: SayingBoard, tmp_path: Path, name: str, cards: str, keys: str) -> None:
    board.tell("playing", dealt(cards))
    shows(board, f"table-{name}", tmp_path, keys)


def test_every_card_is_another_one(board: SayingBoard) -> None:
    seen = set()
    for first in range(0, 81, 12):
        cards = [code(card) for card in DECK[first : first + 12]]
        board.tell("playing", dealt(" ".join(cards)))
        board.settled()
        if first == 0:
            # The cursor goes into the bar, and frames no card.
            board.pico.press("u")
            board.settled()
        screen = board.pico.screen()
        for place in range(len(cards)):
            column, row = divmod(place, 3)
            cell = screen[10 + 18 * row : 28 + 18 * row, 32 * column : 32 * column + 32]
            seen.add(cell.tobytes())
    assert len(seen) == 81


def test_naming_a_set(board: SayingBoard, tmp_path: Path) -> None:
    # The bar that tells the time is not compared: it is drawn ten times a second.
    slow = dealt(TWELVE)
    board.tell("playing", step(slow, Claim(1)).state)
    board.settled()
    board.pico.press("ordo")
    compare(board, "naming", tmp_path, slice(36, 102))
    # A fifth of a second or more of the five are left.
    assert board.pico.screen()[2:6, 38].all()


HAND = dealt(TWELVE)
SAID: dict[str, tuple[State, tuple[Event, ...]]] = {
    "claimed": (step(HAND, Claim(2)).state, ()),
    "none": (step(HAND, AgreeNone(2)).state, ()),
    "deals": (dealt(TWELVE, dealt=False, dealer=3, hand=1), ()),
    "locked": (dealt(TWELVE, locked=1, scores=(-1, 0, 0)), ()),
    "too-late": (dealt(TWELVE, locked=1, scores=(-1, 0, 0)), (ClaimFailed(1, None, -1, True),)),
    "taken": (HAND, (SetTaken(2, ("1OSR", "1OSP", "1OSG")),)),
}


@pytest.mark.parametrize("name", SAID)
def test_what_the_bar_says(board: SayingBoard, tmp_path: Path, name: str) -> None:
    state, events = SAID[name]
    board.tell("playing", state, events)
    shows(board, f"bar-{name}", tmp_path)


@pytest.mark.parametrize(("name", "keys"), [("bar", "u"), ("menu", "urod")])
def test_the_menu(board: SayingBoard, tmp_path: Path, name: str, keys: str) -> None:
    board.tell("playing", HAND)
    shows(board, name, tmp_path, keys)


def test_the_menu_pauses(board: SayingBoard) -> None:
    board.tell("playing", HAND)
    board.settled()
    board.pico.press("urodo")
    assert board.until_asked("game.pause").params == {}


def test_a_game_that_is_paused(board: SayingBoard, tmp_path: Path) -> None:
    board.tell("paused", HAND)
    shows(board, "paused", tmp_path)


def test_ok_goes_on_with_a_game_that_is_paused(board: SayingBoard) -> None:
    board.tell("paused", HAND)
    board.settled()
    board.pico.press("o")
    assert board.until_asked("game.resume").params == {}


@pytest.mark.parametrize(("what", "keys"), [("undo", "ddo"), ("end", "dddo")])
@pytest.mark.parametrize("asked", [False, True])
def test_what_was_asked_for_is_withdrawn_in_the_menu(
    board: SayingBoard, what: str, keys: str, asked: bool
) -> None:
    setattr(board, what, (1, 2) if asked else (2,))
    board.tell("playing", HAND)
    board.settled()
    board.pico.press("uro" + keys)
    assert board.until_asked(f"game.{what}").params == ({"agree": False} if asked else {})


def test_who_looks_on_takes_a_seat_or_goes_on_while_a_game_is_paused(board: SayingBoard) -> None:
    board.seat = None
    board.tell("paused", HAND)
    board.settled()
    board.pico.press("o")
    assert board.until_asked("seat.take").params == {"name": board.pico.name}
    board.settled()
    board.pico.press("do")
    assert board.until_asked("game.resume").params == {}


def test_a_game_that_is_over(board: SayingBoard, tmp_path: Path) -> None:
    left = "1OSR 1OSP 1OHR"
    hand = dealt(left, deck=(), scores=(3, 7, 5))
    for seat in (1, 2, 3):
        hand = step(hand, AgreeNone(seat)).state
    assert hand.outcome is not None
    board.names = ("Pico", "Ben", "Bot 3")
    board.tell("over", hand)
    shows(board, "over", tmp_path)


def test_a_board_that_is_not_there(tmp_path: Path) -> None:
    pico = Pico(tmp_path)
    board = SayingBoard(pico)
    board.until(lambda: pico.pictures > 0)
    check("pico/waiting.png", Image.fromarray(pico.screen()).convert("1"), tmp_path)
    pico.unplug()


def test_the_next_hand_is_dealt_by_ok(board: SayingBoard) -> None:
    board.tell("playing", dealt(TWELVE, dealt=False, dealer=3, hand=1))
    board.settled()
    board.pico.press("o")
    assert board.until_asked("game.act").params["action"] == {"kind": "deal"}


def test_a_glass_that_is_pulled_off_shows_all_again_when_it_is_back(board: SayingBoard) -> None:
    board.tell("playing", dealt(TWELVE))
    board.settled()
    before = board.pico.screen()
    board.pico.press("xrr")
    board.settled()
    board.pico.chip.power_up()
    board.pico.press("x")
    board.until(lambda: board.pico.chip.is_lit)
    board.pico.press("ll")
    board.settled()
    assert (board.pico.screen() == before).all()
