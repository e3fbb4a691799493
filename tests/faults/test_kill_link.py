"""kill -9 in the middle of a game on the link: hands, table, scores and tokens come back, nothing that a
controller was told is lost, nothing that it did is done twice, and the game ends as it would have.

The board is a child of the test, with a game book on disk, and with its controllers; it tells the test what
these say and hear. After a kill they come back with their tokens, and say again what was not answered.
"""

import itertools
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware.gamebook import GameBook, GameBookReader, Kept
from firmware.gamebook.book import NAME
from firmware.games.catalogue import GAMES, Game
from firmware.games.setgame.cards import code, sets_among
from firmware.keeping.pages import CUT_OFF
from firmware.link.lobby import hashed
from tests.faults.killing import told_until, told_until_killed
from tests.firmware.link.hidden_game import HIDDEN
from tests.firmware.link.rig import Peer, Rig

KILLS = int(os.environ.get("SETMATCH_LINK_KILLS", "8"))
"""Of each game at the least; `make soak` has more."""
SEATS = 3
_LINES, _WRITES, _CALLS = range(1, 120), 120, 4_000
"""Until which a kill comes: lines told, calls of the kernel that change files, calls of any kind."""
Policy = Callable[[Any], tuple[int, dict[str, Any]] | None]


def next_in_set(state: Any) -> tuple[int, dict[str, Any]] | None:
    """What is done at a state of SET, and by whom, that is the same every time; None when all is done."""
    if state.outcome is not None:
        return None
    found = sets_among(state.table)
    if state.claimed is not None:
        wrong = len(state.taken) - sum(state.scores)
        three = list(state.table[:3]) if wrong < len(state.taken) // 5 else list(found[0])
        return state.claimed, {"kind": "name", "cards": [code(card) for card in three]}
    if found:
        seat = len(state.deck) % SEATS + 1
        return (seat % SEATS + 1 if seat == state.locked else seat), {"kind": "claim"}
    waiting = [seat for seat in range(1, SEATS + 1) if seat not in state.agreed]
    return waiting[0], {"kind": "agree-none"}


def next_when_hidden(state: Any) -> tuple[int, dict[str, Any]] | None:
    """The same of the game with hands."""
    if len(state.deck) < 3:
        return None
    done = len(state.played)
    action = (
        {"kind": "change"}
        if done % 7 == 3 and state.deck[-1] < "K30"
        else {"kind": "play", "place": done % 3}
    )
    return done % SEATS + 1, action


SETTINGS: dict[str, tuple[Game, Policy]] = {
    "set": (GAMES["set"], next_in_set),
    "hidden": (HIDDEN, next_when_hidden),
}


class Players:
    """The controllers: what they know outlives the board."""

    def __init__(self) -> None:
        self.tokens: dict[int, str] = {}
        self.answered = 0
        """Acts of all seats that were answered."""
        self.unanswered: list[Any] | None = None
        """Seat, number and action of the last that was not."""


def sit_down(rig: Rig, tokens: dict[int, str]) -> dict[int, Peer]:
    """Controllers at all seats: new ones, or those that have tokens."""
    peers = {}
    for seat in range(1, SEATS + 1):
        peers[seat] = rig.peer(f"port{seat}", seat, token=tokens.get(seat))
        assert peers[seat].seat == seat
    return peers


def live(folder: Path, name: str, players: Players, tell: Callable[[str], None]) -> None:
    """A board's life, until the game is over. Of each act it is told that it is said, and the answer."""
    game, policy = SETTINGS[name]
    games = {name: game}
    with GameBook.open(folder, games) as book:
        kept = book.going_on()
        rig = Rig(book, games, tokens=f"life-{os.getpid()}", kept=kept)
        peers = sit_down(rig, players.tokens)
        for seat, peer in peers.items():
            tell_line(tell, "token", seat, peer.token)
        if kept is None:
            peers[1].ask("lobby.choose", game=name)
            peers[1].ask("lobby.start")
        elif rig.host.shown.lobby.status == "paused":
            peers[1].ask("game.resume")

        def act(seat: int, number: int, action: dict[str, Any]) -> None:
            rig.now += 0.1
            tell_line(tell, "act", seat, number, action)
            answer = peers[seat].ask("game.act", action=action, number=number)
            tell_line(tell, "answer", seat, number, answer["position"])
            for each, peer in peers.items():
                peer.read()
                tell_line(tell, "view", each, peer.game["position"], peer.game["view"])

        if players.unanswered is not None:
            act(*players.unanswered)
        while (todo := policy(rig.host._house.on.state)) is not None:
            seat, action = todo
            number = peers[seat].ask("seat.resume", token=peers[seat].token)["acts"] + 1
            act(seat, number, action)


def kept_in(folder: Path, name: str) -> Kept | None:
    """The game, as one reads it who changes no file."""
    path = folder / NAME
    if not path.exists() or path.stat().st_size == 0:
        return None
    with GameBookReader.open(folder, {name: SETTINGS[name][0]}) as book:
        games = book.games()
        assert all(CUT_OFF in warning for warning in book.warnings), book.warnings
    assert len(games) <= 1, "a game that was not over was begun anew"
    return games[0] if games else None


def tell_line(tell: Callable[[str], None], *what: Any) -> None:
    tell(msgspec.json.encode(what).decode() + "\n")


def life(folder: Path, name: str, players: Players, chance: random.Random) -> list[Any]:
    """What was told in a life that is cut off, or that ends with the game."""

    def run(tell: Callable[[str], None]) -> None:
        live(folder, name, players, tell)

    told = told_until_killed(run, folder, chance, lines=_LINES, writes=_WRITES, calls=_CALLS)
    return [msgspec.json.decode(line) for line in told]


def check(kept: Kept, game: Game, told: list[Any], players: Players) -> None:
    """Hold the book after a kill against what was told before it."""
    for what, seat, *rest in told:
        if what == "token":
            assert players.tokens.setdefault(seat, rest[0]) == rest[0]
        elif what == "act":
            players.unanswered = [seat, *rest]
        elif what == "answer":
            number, position = rest
            assert len(kept.actions) >= position, "an answer was told, and what it answered is lost"
            assert kept.actions[position - 1].seat == seat
            assert kept.answered[seat].get(number, position) == position
            players.answered, players.unanswered = players.answered + 1, None
        else:
            position, view = rest
            assert len(kept.actions) >= position, "a view was told, and is lost"
            now = msgspec.json.decode(msgspec.json.encode(game.view(kept.states[position], seat)))
            assert now == view
    # What was said and not answered may be done; nothing else, and nothing twice.
    assert len(kept.actions) - players.answered in ((0, 1) if players.unanswered else (0,))
    assert kept.fault is None
    assert {seat: seated.token for seat, seated in kept.seats.items()} == {
        seat: hashed(token) for seat, token in players.tokens.items()
    }


def uncut(name: str, setup: Any) -> Any:
    """The game as it is played when nobody is killed: the state at its end."""
    game, policy = SETTINGS[name]
    state = game.start(setup)
    while (todo := policy(state)) is not None:
        seat, action = todo
        state = game.step(state, msgspec.convert({**action, "seat": seat}, game.move_type)).state
    return state


@pytest.mark.timeout(3600)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, which this system has not")
@pytest.mark.parametrize("name", ["set", "hidden"])
def test_hands_table_scores_and_tokens_come_back(tmp_path: Path, name: str) -> None:
    chance = random.Random(9)
    game, policy = SETTINGS[name]
    kills = 0
    for evening in itertools.count():
        folder = tmp_path / str(evening)
        folder.mkdir()
        players = Players()
        kept: Kept | None = None
        while kept is None or policy(kept.states[-1]) is not None:
            told = life(folder, name, players, chance)
            kills += 1
            kept = kept_in(folder, name)
            if kept is None:
                # Killed before the game had begun: seats of a lobby are not kept.
                assert all(line[0] == "token" for line in told)
            else:
                check(kept, game, told, players)
        assert kept.states[-1] == uncut(name, kept.setup)
        if kills >= KILLS:
            break


def test_a_book_of_a_game_that_was_killed_is_read_by_anybody(tmp_path: Path) -> None:
    """While nobody has mended it: the reader changes no file."""

    def run(tell: Callable[[str], None]) -> None:
        live(tmp_path, "set", Players(), tell)

    told_until(run, 60)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with GameBookReader.open(tmp_path) as book:
        (game,) = book.games()
    assert len(game.actions) > 5
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {name: after[name] for name in before if "shm" not in name} == {
        name: data for name, data in before.items() if "shm" not in name
    }
