"""Gestures: what people do with the buttons - presses, presses twice, holds - out of clean edges.

Pure: time comes in with the edges and with `now`. What a gesture leads to is not known here, nor is any
device; contacts that bounce are `hardware.debounce`'s.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from firmware.rules import Side
from hardware.button import Button, Edge
from hardware.steady import JUMP_S, SLACK_S, SteadyClock

HOLD_S: Final = 2.0
"""A button down for so long, in seconds, is held (design, Buttons)."""
TWICE_S: Final = 0.5
"""A second press that begins sooner than this after the first makes two; what desktops take for a
double click, too. A single CHALLENGE waits so long before it counts."""
STUCK_S: Final = 30.0
"""A button down for so long is stuck, or something lies on it; nobody presses it."""

Meaning = Literal["confirm", "challenge", "flick-fault", "undo", "overrule", "menu"]
"""CONFIRM, CHALLENGE, CHALLENGE twice, CONFIRM held, CHALLENGE held by both sides, CONFIRM held by both.
The first four are the rules' buttons (`firmware.rules.Press`)."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """Something that a side did; `overrule` and `menu` are done by both, and their `side` is None.

    `pressed_at_s`: when it began: the press, the first of two, the later of two that are held together. What
    it is about is what stood then. It is on the edges' clock (`hardware.button.Edge`), which in every rig is
    the one that the chair's times are of (`daemon.parts.Rig.clock`): the Pi's monotonic one, which its pins
    stamp with, too, or the simulated table's.
    """

    meaning: Meaning
    side: Side | None
    pressed_at_s: float


@dataclass(frozen=True, slots=True)
class _Down:
    """A press: when it began, on the edges' clock and on the steady one."""

    at_s: float
    steady_s: float


@dataclass(frozen=True, slots=True)
class _Due:
    """What comes of these presses at a steady second if nothing happens before; None is nothing."""

    steady_s: float
    meaning: Meaning | None
    buttons: tuple[Button, ...]


_TOGETHER: Final[tuple[tuple[Meaning, tuple[Button, ...]], ...]] = (
    ("overrule", (Button("A", "challenge"), Button("B", "challenge"))),
    ("menu", (Button("A", "confirm"), Button("B", "confirm"))),
)
"""What both sides mean that hold these."""


class Gestures:
    """Makes gestures of clean edges; every press becomes part of exactly one, or of none if stuck.

    - CONFIRM counts when it is let go before `HOLD_S`, and is an undo at `HOLD_S` while it is down.
    - Both CONFIRMs down together are the menu once the later has been for `HOLD_S`. Neither is an undo
      until then; if one is let go before, each is again what it is by itself, at once if it is due.
    - CHALLENGE counts `TWICE_S` after it was pressed, or when it is let go if that is later; a second
      press before that makes a flick fault at once, with no heed to how long it lasts.
    - Both CHALLENGEs down together are an overrule once the later has been for `HOLD_S`.
    - What was held has counted: letting go does nothing, and it is no part of what both hold. One side's
      presses change nothing of the other's but for that, and for an undo that waits.
    - A button down for `STUCK_S` without having counted never will.

    The result does not depend on how often one looks, if not more seldom than `next_due_s` says: a
    step of more than `hardware.steady.JUMP_S` is a clock that jumped, and counts as no time.
    """

    def __init__(self) -> None:
        self._clock = SteadyClock()
        self._down: dict[Button, _Down] = {}  # all that are down
        self._open: dict[Button, _Down] = {}  # those of them that have not counted yet
        self._once: dict[Button, _Down] = {}  # challenges let go that may become two

    def feed(
        self, edges: Iterable[Edge], now_s: float, *, immediate: Collection[Side] = ()
    ) -> tuple[Gesture, ...]:
        """The gestures that became certain, in that order.

        `edges`: clean, oldest first; `now_s`: the present on their clock. `immediate`: the sides of which
        there are no two presses now, and a CHALLENGE counts when it is let go, as menus and questions want
        it; one that waits for a second counts at once. Holds stay what they are.
        """
        gestures: list[Gesture] = []
        for edge in edges:
            at = self._clock.at(edge.at_s)
            self._pass(at, immediate, gestures)
            if edge.pressed:
                self._press(edge, at, gestures)
            else:
                self._release(edge.button, at, gestures)
        self._pass(self._clock.at(now_s), immediate, gestures)
        return tuple(gestures)

    def next_due_s(self) -> float | None:
        """When, on the edges' clock, to feed again even if no edge comes; None if that can wait for
        one."""
        due = min((due.steady_s for due in self._dues(())), default=None)
        # Nobody may look so late that the wait passes for a leap of the clock.
        return None if due is None else self._clock.told(min(due, self._clock.steady_s + JUMP_S / 2))

    def stuck(self) -> tuple[Button, ...]:
        """The buttons that had been down for `STUCK_S` when last looked at: people have to be told."""
        since = self._clock.steady_s - STUCK_S + SLACK_S
        return tuple(sorted(button for button, down in self._down.items() if down.steady_s <= since))

    def _press(self, edge: Edge, at: float, gestures: list[Gesture]) -> None:
        button = edge.button
        if button in self._down:
            return  # told twice
        down = self._down[button] = _Down(edge.at_s, at)
        first = self._once.pop(button, None)
        if first is None:
            self._open[button] = down
        else:
            gestures.append(Gesture("flick-fault", button.side, first.at_s))

    def _release(self, button: Button, at: float, gestures: list[Gesture]) -> None:
        self._down.pop(button, None)
        down = self._open.pop(button, None)
        if down is None:
            return  # it has counted, or it was down before anyone looked
        if button.kind == "confirm":
            # Held, and yet open: the other side's CONFIRM is down, too.
            held = at - down.steady_s >= HOLD_S - SLACK_S
            gestures.append(Gesture("undo" if held else "confirm", button.side, down.at_s))
        else:
            self._once[button] = down

    def _pass(self, until_s: float, immediate: Collection[Side], gestures: list[Gesture]) -> None:
        """Let time pass: what is due by then, in order."""
        while self._open or self._once:
            due = min(self._dues(immediate), key=lambda due: due.steady_s)
            if due.steady_s > until_s + SLACK_S:
                return
            began = [(self._once.pop(button, None) or self._open.pop(button)).at_s for button in due.buttons]
            if due.meaning is not None:
                side = due.buttons[0].side if len(due.buttons) == 1 else None
                gestures.append(Gesture(due.meaning, side, max(began)))

    def _dues(self, immediate: Collection[Side]) -> list[_Due]:
        """What will become of the presses, if no edge comes."""
        dues = [
            _Due(down.steady_s + (0.0 if b.side in immediate else TWICE_S), "challenge", (b,))
            for b, down in self._once.items()
        ]
        dues += [_Due(down.steady_s + STUCK_S, None, (b,)) for b, down in self._open.items()]
        together = set[Button]()
        for meaning, buttons in _TOGETHER:
            held = [self._open[button] for button in buttons if button in self._open]
            if len(held) == len(buttons):
                later = max(down.steady_s for down in held)
                dues.append(_Due(later + HOLD_S, meaning, buttons))
                together.update(buttons)
        dues += [
            _Due(down.steady_s + HOLD_S, "undo", (b,))
            for b, down in self._open.items()
            if b.kind == "confirm" and b not in together
        ]
        return dues
