"""Nothing of one seat's secrets is ever sent to another: every byte is held against a model of what its
receiver may know, over random evenings of people who come, go, read slowly, steal seats and lose power.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.games.catalogue import GAMES, Game
from firmware.games.setgame.cards import CARDS, code, sets_among
from firmware.link.lobby import hashed
from firmware.link.wire import LONGEST_LINE, Failure, Result
from tests.firmware.link import hidden_game
from tests.firmware.link.rig import Peer, Rig

Move = Callable[[Peer, random.Random], dict[str, Any]]


def visible_in_set(state: Any, seat: int | None) -> set[str]:
    """The table is open to all; the deck to nobody."""
    return {code(card) for card in (*state.table, *(card for three in state.taken for card in three))}


def visible_when_hidden(state: Any, seat: int | None) -> set[str]:
    """One's own hand, and what was played."""
    return {*state.played, *(() if seat is None else state.hands[seat - 1])}


def move_in_set(peer: Peer, chance: random.Random) -> dict[str, Any]:
    view = peer.game["view"]
    if view["claimed"] is None:
        kinds = ("claim", "agree-none", "agree-none", "withdraw", "deal")
        return {"kind": chance.choice(kinds)}
    found = sets_among(CARDS[card] for card in view["table"])
    named = [code(card) for card in chance.choice(found)] if found else view["table"][:3]
    return {"kind": "name", "cards": named if chance.randrange(5) else view["table"][:3]}


def move_when_hidden(peer: Peer, chance: random.Random) -> dict[str, Any]:
    if chance.randrange(4) == 0:
        return {"kind": "change"}
    return {"kind": "play", "place": chance.randrange(-1, 4)}


class Evening:
    """People at a board, and who may know what. A connection is known by the `Peer` that it is."""

    def __init__(
        self,
        games: Mapping[str, Game],
        words: re.Pattern[bytes],
        visible: Callable[[Any, int | None], set[str]],
        move: Move,
        chance: random.Random,
    ) -> None:
        self.rig = Rig(games=games)
        self.words = words
        self.visible = visible
        self.move = move
        self.chance = chance
        self.may_know: dict[Peer, set[str]] = defaultdict(set)
        self.its_tokens: dict[Peer, set[str]] = defaultdict(set)
        self.holds: dict[int, Peer] = {}
        """By seat: who has it, as the rules of the link say."""
        self.tokens: dict[int, str] = {}
        self.checked: dict[Peer, int] = defaultdict(int)
        self.words_seen = 0
        self.moves_done = 0
        for _ in range(3):
            self.come()
            self.take()
        self.start()

    # ------------------------------------------------------------ the model

    def learn(self) -> None:
        """What everybody may see at this moment, they may know from now on."""
        table = self.rig.host._house.table
        if table is None:
            return
        for peer in self.rig.peers.values():
            seat = next((seat for seat, holder in self.holds.items() if holder is peer), None)
            self.may_know[peer] |= self.visible(table.state, seat)

    def check(self) -> None:
        """Every word that was sent is one that its receiver may know."""
        boot = self.rig.host._told["boot"]
        for peer in self.rig.peers.values():
            new = peer.bytes[self.checked[peer] :]
            self.checked[peer] = len(peer.bytes)
            words = {word.decode() for word in self.words.findall(new)}
            assert words <= self.may_know[peer], f"{peer.port} was told {words - self.may_know[peer]}"
            self.words_seen += len(words)
            for secret in self.rig.given:
                if secret != boot and secret not in self.its_tokens[peer]:
                    assert secret.encode() not in new, f"{peer.port} was told a token or a seed"
                assert hashed(secret).encode() not in new

    def rise(self, peer: Peer) -> None:
        self.holds = {seat: holder for seat, holder in self.holds.items() if holder is not peer}

    # ------------------------------------------------------------ what happens

    def step(self) -> None:
        """Something happens; then those who read slowly may read, and all that was read is checked."""
        self.learn()
        happenings = (
            *(self.come, self.go, self.take, self.take, self.leave, self.resume, self.look, self.start),
            *(self.agree, self.greet, self.noise, self.wait, self.lobby, self.cut, *[self.act] * 6),
        )
        self.chance.choice(happenings)()
        self.learn()
        for peer in list(self.rig.peers.values()):
            if self.chance.randrange(3):
                peer.read(self.chance.choice((LONGEST_LINE + 1, 1 << 22)))
        for port in self.rig.host.to_close():
            self.rise(self.rig.peers[port])
            self.rig.unplug(port)
        self.check()

    def someone(self) -> Peer | None:
        return self.chance.choice(list(self.rig.peers.values())) if self.rig.peers else None

    def come(self) -> None:
        if len(self.rig.peers) < 6:
            self.rig.peer(f"port{self.chance.randrange(1000)}", looks_on=True)

    def go(self) -> None:
        peer = self.someone()
        if peer is not None and self.chance.randrange(3) == 0:
            self.rise(peer)
            self.rig.unplug(peer.port)

    def take(self) -> None:
        peer = self.someone()
        if peer is None:
            return
        answer = peer.answer("seat.take", name="N", seat=self.chance.randrange(1, 5))
        if isinstance(answer, Result):
            seat, token = answer.result["seat"], answer.result["token"]
            self.holds[seat], self.tokens[seat] = peer, token
            self.its_tokens[peer].add(token)

    def leave(self) -> None:
        peer = self.someone()
        if (
            peer is not None
            and self.chance.randrange(3) == 0
            and isinstance(peer.answer("seat.leave"), Result)
        ):
            self.rise(peer)

    def resume(self) -> None:
        """By a token that it had, or that somebody has passed to it."""
        peer = self.someone()
        if peer is None or not self.tokens:
            return
        token = self.chance.choice(list(self.tokens.values()))
        self.its_tokens[peer].add(token)
        answer = peer.answer("seat.resume", token=token)
        if isinstance(answer, Result):
            self.holds[answer.result["seat"]] = peer

    def act(self) -> None:
        """Mostly those who have a seat do something."""
        for _ in range(3):
            holders = list(self.holds.values())
            peer = self.chance.choice(holders) if holders and self.chance.randrange(8) else self.someone()
            if peer is not None and peer.told("game.changed"):
                peer.read()
                answer = peer.answer("game.act", action=self.move(peer, self.chance))
                self.moves_done += isinstance(answer, Result)
                self.learn()

    def look(self) -> None:
        peer = self.someone()
        if peer is not None:
            peer.tell(self.chance.choice(("game.view", "game.legal", "lobby.view")))

    def start(self) -> None:
        """With the computer at the seats that are free."""
        for peer in self.rig.peers.values():
            for seat in range(1, max(self.holds, default=1)):
                peer.tell("lobby.bot", seat=seat, strength="easy")
            peer.tell("lobby.start")

    def agree(self) -> None:
        methods = ("game.undo", "game.undo", "game.pause", *["game.resume"] * 4)
        method = self.chance.choice(methods)
        for peer in self.rig.peers.values():
            peer.tell(method)

    def greet(self) -> None:
        peer = self.someone()
        if peer is not None and self.chance.randrange(3) == 0:
            self.rise(peer)
            peer.answer("hello", protocol=1, name="N")

    def noise(self) -> None:
        peer = self.someone()
        if peer is not None:
            peer.send(self.chance.randbytes(30) + b"\n")

    def wait(self) -> None:
        self.rig.wait(self.chance.choice((0.5, 5, 30)), answering=self.chance.randrange(2) == 0)

    def lobby(self) -> None:
        peer = self.someone()
        if peer is not None:
            answer = peer.answer("lobby.bot", seat=self.chance.randrange(1, 5), strength="easy")
            assert isinstance(answer, Result | Failure)

    def cut(self) -> None:
        """And most who were there come back."""
        if self.chance.randrange(4):
            return
        self.holds.clear()
        self.rig.power_cut()
        for seat, token in self.tokens.items():
            peer = self.rig.peer(f"back{seat}", looks_on=True)
            self.its_tokens[peer].add(token)
            if isinstance(peer.answer("seat.resume", token=token), Result):
                self.holds[seat] = peer
        for peer in self.rig.peers.values():
            peer.tell("game.resume")


def evening(name: str, chance: random.Random) -> Evening:
    if name == "set":
        return Evening(GAMES, re.compile(rb"[123][ODW][SHE][RPG]"), visible_in_set, move_in_set, chance)
    return Evening(
        hidden_game.GAMES, re.compile(rb"K\d\d[a-h]"), visible_when_hidden, move_when_hidden, chance
    )


@pytest.mark.parametrize("name", ["set", "hidden"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_nobody_is_told_what_it_may_not_know(name: str, seed: int) -> None:
    people = evening(name, random.Random(seed))
    for _ in range(90):
        people.step()


@pytest.mark.parametrize("name", ["set", "hidden"])
def test_these_evenings_are_worth_the_name(name: str) -> None:
    """Games are played in them, cards are told, seats change hands."""
    people = [evening(name, random.Random(seed)) for seed in range(6)]
    for each in people:
        for _ in range(300):
            each.step()
    assert sum(each.words_seen for each in people) > 500
    assert sum(each.moves_done for each in people) > 150
    assert sum(len(each.tokens) for each in people) > 6


def test_the_model_would_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that sends each seat its neighbour's view is found out."""
    plain = hidden_game.HIDDEN.view

    def leaking(state: Any, seat: int | None) -> Any:
        return plain(state, None if seat is None else seat % state.setup.seats + 1)

    monkeypatch.setattr(hidden_game, "GAMES", {"hidden": replace(hidden_game.HIDDEN, view=leaking)})

    def evenings() -> None:
        for seed in range(20):
            people = evening("hidden", random.Random(seed))
            for _ in range(200):
                people.step()

    with pytest.raises(AssertionError, match="was told"):
        evenings()
