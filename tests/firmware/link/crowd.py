"""Twenty controllers that all claim at once, as fast as their ports carry it: on the simulated clock, through
the twin's ports and the link's own thread's turns.

What each port brought, and when, is written down as it leaves the port; `expected` works out from that alone,
by the game's rules, what the answers have to be.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from firmware.gamebook import GameBegan
from firmware.games.catalogue import GAMES
from firmware.games.protocol import IllegalAction
from firmware.link.host import Host
from firmware.link.thread import LinkThread
from firmware.link.wire import Failure, LineReader, Message, Notification, Request, Result, encoded
from hardware.serial_port import Heard, SerialPort
from hardware.simulated.serial_port import SimulatedDevice
from tests.firmware.link.rig import NOON, MemoryBook

BAUD: Final = 115_200
SEATS: Final = 20
_IN_FLIGHT: Final = 4
"""Claims that a controller has made and not heard the answers of: enough to keep its port busy."""
_TURN_S: Final = 0.005
"""So much time goes by between the link's turns: several ports bring something meanwhile."""


@dataclass(frozen=True)
class Arrived:
    """A request that a port brought, and when, seconds. `seat`: the controller's."""

    at_s: float
    seat: int
    request: Request


@dataclass
class Controller:
    """Claims, and claims, and names the first three cards when it may."""

    device: SimulatedDevice
    reader: LineReader = field(default_factory=LineReader)
    seat: int = 0
    asked: dict[int, str] = field(default_factory=dict)
    """What waits for an answer, by its number."""
    answers: dict[int, Message] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    """The numbers of the answers, as they came."""
    acted: list[int] = field(default_factory=list)
    """The numbers of its acts."""
    told: int = 0
    """Changes of the game that it heard of."""
    table: tuple[str, ...] = ()
    ids: int = 0
    acts: int = 0
    storms: bool = False

    def ask(self, method: str, **params: Any) -> None:
        self.ids += 1
        self.asked[self.ids] = method
        self.device.send(encoded(Request(self.ids, method, params)))

    def act(self, kind: str, **more: Any) -> None:
        self.acts += 1
        self.acted.append(self.ids + 1)
        self.ask("game.act", action={"kind": kind, **more}, number=self.acts)

    def has_its_answers(self) -> bool:
        """Whether nothing that it asked waits for an answer."""
        return not self.asked

    def go_on(self) -> None:
        """Hear what has come, and claim again."""
        for message in self.reader.feed(self.device.received()):
            self._hear(message)
        while self.storms and len(self.asked) < _IN_FLIGHT:
            self.act("claim")

    def _hear(self, message: Any) -> None:
        match message:
            case Request(id_, "ping"):
                self.device.send(encoded(Result(id_, {})))
            case Notification("game.changed", params):
                self.told += 1
                self.table = tuple(params["view"]["table"])
                if self.storms and params["view"]["claimed"] == self.seat:
                    self.act("name", cards=list(self.table[:3]))
            case Result(id_) | Failure(id_):
                assert id_ in self.asked, "an answer to nothing, or a second one"
                if self.asked.pop(id_) == "seat.take":
                    self.seat = message.result["seat"]
                self.answers[id_] = message
                self.order.append(id_)
            case Notification():
                pass
            case _:
                raise AssertionError(message)


class Crowd:
    """A board with its controllers."""

    def __init__(self, seats: int = SEATS, baud: float = BAUD) -> None:
        self.now = 0.0
        self.book = MemoryBook()
        tokens = iter(range(1, 1_000_000))
        self.host = Host(
            self.book,
            tokens=lambda: f"{next(tokens):032x}",
            wall=lambda: NOON,
            board="Board",
            software="1",
        )
        self.said: list[str] = []
        self.link = LinkThread(self.host, self.said.append, lambda: self.now)
        self.arrived: list[Arrived] = []
        self.controllers: list[Controller] = []
        for number in range(seats):
            device = SimulatedDevice(f"port{number}", lambda: self.now, baud=baud)
            controller = Controller(device)
            self.controllers.append(controller)
            self.link.offer(device.name, self._opener(controller))
        self.link.turn(0.0)

    def _opener(self, controller: Controller) -> Callable[[Heard], SerialPort]:
        reader = LineReader()

        def opener(heard: Heard) -> SerialPort:
            def brought(data: bytes | None) -> None:
                for message in reader.feed(data or b""):
                    if isinstance(message, Request):
                        self.arrived.append(Arrived(self.now, controller.seat, message))
                heard(data)

            return controller.device.open(brought)

        return opener

    def run(self, seconds: float, done: Callable[[], bool] = lambda: False) -> None:
        """Let time go by, packet by packet."""
        end = self.now + seconds
        turn_at = self.now
        while self.now < end and not done():
            dues = [(controller.device.due(), controller) for controller in self.controllers]
            times = [due for due, _ in dues if due is not None]
            self.now = min([turn_at, *times])
            for due, controller in dues:
                if due is not None and due <= self.now:
                    controller.device.catch_up()
                    controller.go_on()
            if self.now >= turn_at:
                self.link.turn(0.0)
                turn_at = self.now + _TURN_S

    def seated(self) -> None:
        """Everybody sits, and the game has begun."""
        for controller in self.controllers:
            controller.ask("hello", protocol=1, name="Somebody")
            controller.ask("seat.take", name="Somebody")
            self.run(10.0, controller.has_its_answers)
        first = self.controllers[0]
        first.ask("lobby.start")
        self.run(30.0, lambda: all(each.table for each in self.controllers))

    def storm(self, seconds: float) -> None:
        """Everybody claims, from the same instant on; then what is under way comes to its end."""
        for controller in self.controllers:
            controller.storms = True
            controller.go_on()
        self.run(seconds)
        for controller in self.controllers:
            controller.storms = False
        self.run(60.0, lambda: all(each.has_its_answers() for each in self.controllers))


def expected(crowd: Crowd) -> dict[tuple[int, int], str]:
    """By seat and number of each act that arrived: what its answer has to be, "done" or the rules' reason."""
    game = GAMES["set"]
    began = crowd.book.records()[0]
    assert isinstance(began, GameBegan)
    state = game.start(msgspec.json.decode(began.setup, type=game.setup_type))
    answers: dict[tuple[int, int], str] = {}
    up_at: float | None = None
    for each in crowd.arrived:
        if each.request.method != "game.act":
            continue
        if up_at is not None and up_at <= each.at_s:
            state, up_at = game.step(state, game.time_up()).state, None
        action = msgspec.convert({**each.request.params["action"], "seat": each.seat}, game.action_type)
        key = each.seat, int(each.request.id)
        try:
            state = game.step(state, action).state
        except IllegalAction as refused:
            answers[key] = refused.reason
            continue
        answers[key] = "done"
        up_at = None if state.lasts_s is None else each.at_s + state.lasts_s
    return answers


def answered(crowd: Crowd) -> dict[tuple[int, int], str]:
    """The same as it was answered."""
    found = {}
    for controller in crowd.controllers:
        for id_ in controller.acted:
            match controller.answers.get(id_):
                case Result():
                    found[controller.seat, id_] = "done"
                case Failure(data=data):
                    found[controller.seat, id_] = str(data["reason"])
    return found
