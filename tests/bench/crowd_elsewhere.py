"""Controllers in a process of their own: their work is not to be counted as the board's.

Each has a TCP connection on which it neither sends nor reads faster than a serial port would.
"""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Final

from tests.firmware.link.crowd import BAUD, Controller

_BYTES_PER_S: Final = BAUD / 10
_TURN_S: Final = 0.005
_PATIENCE_S: Final = 60.0


@dataclass
class Heard:
    """What all controllers heard. `lost`: requests without an answer, once all was quiet again;
    `out_of_order`: answers before an earlier request's. `after_s`: how long answers took."""

    claims: int = 0
    lost: int = 0
    out_of_order: int = 0
    claimed_s: float = 0.0
    after_s: list[float] = field(default_factory=list)


class _Line:
    """A connection that is as slow as a serial port; the controller's device."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setblocking(False)
        self._out = bytearray()
        self._at = time.monotonic()
        self._may_send = self._may_read = 0.0

    def send(self, data: bytes) -> None:
        self._out += data

    def received(self) -> bytes:
        """What has come, and as much is sent as may be by now."""
        now = time.monotonic()
        more = (now - self._at) * _BYTES_PER_S
        self._at = now
        # What was not used is not saved up: a line that was idle is no faster afterwards.
        self._may_send = min(self._may_send + more, max(more, 64.0))
        self._may_read = min(self._may_read + more, max(more, 64.0))
        if self._out and self._may_send >= 1:
            sent = self._socket.send(self._out[: int(self._may_send)])
            del self._out[:sent]
            self._may_send -= sent
        try:
            data = self._socket.recv(int(self._may_read)) if self._may_read >= 1 else b""
        except BlockingIOError:
            return b""
        self._may_read -= len(data)
        return data


class _Timed(Controller):
    """Notes how long its answers take."""

    def __init__(self, port: int) -> None:
        super().__init__(_Line(port))  # type: ignore[arg-type]  # a device as far as controllers go
        self.asked_at: dict[int, float] = {}
        self.heard_at: dict[int, float] = {}

    def ask(self, method: str, **params: object) -> None:
        super().ask(method, **params)
        self.asked_at[self.ids] = time.monotonic()

    def go_on(self) -> None:
        before = len(self.order)
        super().go_on()
        now = time.monotonic()
        self.heard_at |= dict.fromkeys(self.order[before:], now)


def claiming(commands: Connection, port: int, seats: int) -> None:
    """Sit down and begin; claim and rest as the other end of the pipe says; tell it what was heard."""
    heard = Heard()
    controllers = [_Timed(port) for _ in range(seats)]
    for controller in controllers:
        controller.ask("hello", protocol=1, name="Somebody")
        controller.ask("seat.take", name="Somebody")
        _go_on(controllers, controller.has_its_answers)
    controllers[0].ask("lobby.start")
    _go_on(controllers, lambda: all(each.table for each in controllers))
    while True:
        began_at = time.monotonic()
        _go_on(controllers, commands.poll, bounded=False)
        if controllers[0].storms:
            heard.claimed_s += time.monotonic() - began_at
        command = commands.recv()
        for controller in controllers:
            controller.storms = command == "claim"
        if command == "claim":
            _go_on(controllers, lambda: all(each.asked for each in controllers))
        else:
            _go_on(controllers, lambda: not any(each.asked for each in controllers), giving_up=True)
        if command == "end":
            break
        commands.send("so it is")
    for controller in controllers:
        heard.claims += len(controller.acted)
        heard.lost += len(controller.asked)
        heard.out_of_order += sum(a > b for a, b in zip(controller.order, controller.order[1:], strict=False))
        heard.after_s += [
            controller.heard_at[id_] - controller.asked_at[id_]
            for id_ in controller.acted
            if id_ in controller.heard_at
        ]
    commands.send(heard)


def _go_on(
    controllers: list[_Timed], done: Callable[[], bool], *, bounded: bool = True, giving_up: bool = False
) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not done():
        if bounded and time.monotonic() > end:
            if giving_up:
                return
            raise TimeoutError("the board does not answer")
        for controller in controllers:
            controller.go_on()
        time.sleep(_TURN_S)
