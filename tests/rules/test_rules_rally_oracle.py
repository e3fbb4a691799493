"""Rallies against a second umpire, written here from the rulebook and for nothing else: random strokes in
words, by every preset and option, and what each is called, earns and ends."""

import random
from itertools import product
from typing import NamedTuple

import msgspec
import pytest

from firmware.rules import Called, Landing, PlacementAwaited, Preset, Setup, State, start
from firmware.rules.setup import PRESETS
from tests.rules.builder import NET, NO, OFF_BOARD, OUT, YES, box, lay, play, stroke


class Words(NamedTuple):
    """A stroke as one would tell it."""

    where: str = "in"
    """in, out, net, gone; beside: in the court, and in no service box."""
    zone: int = 0
    net: bool = False
    ace: bool = False
    cross: bool = False
    drop: bool = False


class Told(NamedTuple):
    seat: str
    call: str
    points: int | None
    marker: int
    winner: str | None


def ball(words: Words) -> Landing:
    if words.where in ("out", "net", "gone"):
        return {"out": OUT, "net": NET, "gone": OFF_BOARD}[words.where]
    hit = box(words.zone, ace=YES if words.ace else NO, touched=NO if words.where == "beside" else YES)
    return stroke(
        words.zone,
        touches_net=YES if words.net else NO,
        crosscourt=YES if words.cross else NO,
        dropshot=YES if words.drop else NO,
        right=hit,
        left=hit,
    )


class Umpire:
    """One rally at a time; A's lead is positive."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.options = setup, setup.options
        self.seats = ["A1", "B1", "A2", "B2"] if setup.doubles else ["A1", "B1"]
        self.begin("A1")

    def begin(self, server: str) -> None:
        self.turn, self.attempt, self.lead = self.seats.index(server), 1, 0
        self.served = self.pressure = False

    def hear(self, words: Words) -> Told:
        seat = self.seats[self.turn]
        us, them = ("A", "B") if seat[0] == "A" else ("B", "A")
        told = (self.rally if self.served else self.serve)(words)
        call, points, wins = told
        winner = {"us": us, "them": them, "": None}[wins]
        return Told(seat, call, points, self.lead, winner)

    def push(self, points: int) -> bool:
        """Whether the pawn reaches the end."""
        forward = 1 if self.seats[self.turn][0] == "A" else -1
        self.lead = sorted((-3, self.lead + forward * points, 3))[1]
        return self.lead == 3 * forward

    def pass_on(self) -> None:
        self.turn = (self.turn + 1) % len(self.seats)

    def serve(self, words: Words) -> tuple[str, int | None, str]:
        boxes = self.options.service_boxes
        if words.where in ("out", "net", "gone") or (boxes and words.where == "beside"):
            self.attempt += 1
            if self.attempt == 2:
                return "fault", 0, ""
            if self.setup.preset == "discovery":
                self.served = True
                self.pass_on()
                return "fault", 0, ""
            return "double-fault", 0, "them"
        if words.net:
            return "let", 0, ""
        self.served = True
        if words.ace and boxes and self.options.aces:
            if self.attempt == 1 or not self.options.second_serve_ace_pressure:
                return "ace", None, "us"
            self.push(6)
            self.pressure = True
            self.pass_on()
            return "ace", None, ""
        points = words.zone
        if points and self.attempt == 1 and self.options.first_serve_bonus:
            points += 1
        self.pressure = self.push(points)
        self.pass_on()
        return "in", points, ""

    def rally(self, words: Words) -> tuple[str, int | None, str]:
        if words.where == "net":
            return "net", 0, "them"
        if words.where in ("out", "gone"):
            return "out", 0, "them"
        if self.pressure and not words.zone:
            return "in", 0, "them"
        self.pressure = False
        points = words.zone
        if self.options.bonuses:
            points += words.cross + words.drop + (words.drop and words.net)
        if self.push(points):
            return "winner", points, "us"
        self.pass_on()
        return "in", points, ""


SERVES = [
    *[
        Words(zone=zone, ace=ace, net=net)
        for zone in range(4)
        for ace in (False, True)
        for net in (False, True)
    ],
    *[Words(where) for where in ("out", "net", "gone", "beside")] * 2,
    Words("beside", zone=2),
    Words("beside", net=True),
]
RETURNS = [
    *[
        Words(zone=zone, net=net, cross=cross, drop=drop)
        for zone in range(4)
        for net, cross, drop in product((False, True), repeat=3)
    ],
    *[Words(zone=0)] * 20,
    *[Words(where) for where in ("out", "net", "gone", "beside")],
]
CHOICES = ("first_serve_bonus", "second_serve_ace_pressure", "bonuses", "service_boxes", "aces")


def setups(preset: Preset, dice: random.Random) -> Setup:
    chosen = msgspec.structs.replace(
        PRESETS[preset].options, **{name: dice.random() < 0.5 for name in CHOICES}
    )
    return Setup(preset=preset, chosen=chosen, doubles=dice.random() < 0.5, sets_to_win=3)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(8))
def test_every_stroke_is_called_as_a_second_umpire_calls_it(preset: Preset, seed: int) -> None:
    dice = random.Random(f"{preset} {seed}")
    setup = setups(preset, dice) if seed else Setup(preset=preset, sets_to_win=3)
    umpire, state, rallies = Umpire(setup), start(setup), 0
    while rallies < 60:
        words = dice.choice(RETURNS if umpire.served else SERVES)
        state, called = struck(state, words)
        told = umpire.hear(words)
        assert Told(called.seat, called.call, called.points, called.marker, called.rally_winner) == told
        assert state.marker == (0 if told.winner else told.marker)
        if told.winner:
            rallies += 1
            state = start(setup) if state.waiting is None else state
            umpire.begin(state.standing.to_play)


def struck(state: State, words: Words) -> tuple[State, Called]:
    after = play(state, ball(words))
    called = after.events[0]
    assert isinstance(called, Called)
    waiting = after.state.waiting
    laid = isinstance(waiting, PlacementAwaited)
    return (play(after.state, lay()).state if laid else after.state), called


def test_the_second_umpire_is_asked_with_each_option_on_and_off() -> None:
    """So that the comparison means something."""
    for preset in PRESETS:
        drawn = [setups(preset, random.Random(f"{preset} {seed}")).options for seed in range(1, 8)]
        for name in CHOICES:
            assert {getattr(options, name) for options in drawn} == {True, False}
