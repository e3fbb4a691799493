"""Controllers of this project at the link's host, all in memory: what one sends is what the other gets."""

from collections.abc import Iterable
from itertools import combinations

from firmware.controller.client import Client
from firmware.controller.news import News
from firmware.controller.person import Person
from firmware.controller.players import Player
from firmware.games.setgame.cards import CARDS, sets_among
from firmware.games.setgame.state import View
from firmware.texts import Language, load
from tests.firmware.link.rig import Rig


class Seated:
    """A controller at a port of the rig. `lose`: the next lines that are lost on their way, by direction."""

    def __init__(
        self, rig: Rig, port: str, name: str = "", tokens: dict[str, str] | None = None, plugged: bool = True
    ) -> None:
        self.rig = rig
        self.port = port
        self.client = Client(name or port.title(), "test", tokens or {})
        self.player: Player | None = None
        self.news: list[News] = []
        self.sent = b""
        self.spoil_next_answer = self.spoil_next_request = False
        self.plugged = False
        if plugged:
            self.plug()

    def plug(self, pumped: bool = True) -> None:
        self.plugged = True
        self.rig.host.opened(self.port, self.rig.now)
        self.client.opened(self.rig.now)
        if pumped:
            pump(self.rig, [self])

    def unplug(self) -> None:
        self.plugged = False
        self.rig.host.closed(self.port, self.rig.now)
        self._heard(self.client.closed())

    def move_bytes(self) -> bool:
        """One exchange; whether there was anything."""
        now = self.rig.now
        self._heard(self.client.tick(now))
        if self.player is not None:
            self.player.tick(now)
        out = self.client.outgoing(now)
        if out and self.spoil_next_request:
            self.spoil_next_request, out = False, b"!" + out
        self.sent += out
        if not self.plugged:
            return False
        if out:
            self.rig.host.receive(self.port, out, now)
        data = self.rig.host.outgoing(self.port, 1 << 20)
        if data and self.spoil_next_answer:
            self.spoil_next_answer, data = False, b"!" + data
        if data:
            self._heard(self.client.receive(data, now))
        return bool(out or data)

    def _heard(self, news: Iterable[News]) -> None:
        news = tuple(news)
        self.news += news
        if self.player is not None:
            self.player.heard(news, self.rig.now)

    def of(self, kind: type) -> list[News]:
        """The news of a kind."""
        return [each for each in self.news if isinstance(each, kind)]


def pump(rig: Rig, seated: list[Seated]) -> None:
    """Have all bytes that there are go where they belong."""
    moved = True
    while moved:
        moved = bool([each for each in seated if each.move_bytes()])


def wait(rig: Rig, seated: list[Seated], seconds: float) -> None:
    """Let time go by, as in a loop that wakes when something is due."""
    end = rig.now + seconds
    while True:
        pump(rig, seated)
        times = [rig.host.tick(rig.now), *(each.client.due() for each in seated)]
        times += [each.player.due() for each in seated if each.player is not None]
        due = min((time for time in times if time is not None), default=end)
        pump(rig, seated)
        if due >= end:
            break
        # A due time that is not in the future was handled just now, or comes with the next microsecond.
        rig.now = max(rig.now + 1e-6, due)
    rig.now = end
    rig.host.tick(end)
    pump(rig, seated)


class AtKeys(Seated):
    """A person at a controller, of whose screen the text can be read."""

    def __init__(self, rig: Rig, port: str, language: Language = "en", **more: bool) -> None:
        super().__init__(rig, port, **more)
        self.person = Person(self.client, load(language))
        self.person.heard(self.news, rig.now)
        self._taken = len(self.news)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.person.pressed(key)
            pump(self.rig, [self])
            self.hear()

    def hear(self) -> None:
        """Have the person hear what the client was told."""
        self.person.heard(self.news[self._taken :], self.rig.now)
        self._taken = len(self.news)

    def screen(self, width: int = 80, height: int = 24, pictures: bool = True) -> str:
        self.hear()
        lines = self.person.drawn(width, height, self.rig.now, pictures)
        return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def a_set(view: View) -> tuple[int, int, int] | None:
    """The places of a set on the table; None if there is none."""
    sets = sets_among(CARDS[card] for card in view.table)
    if not sets:
        return None
    places = {CARDS[card]: place for place, card in enumerate(view.table)}
    a, b, c = (places[card] for card in sets[0])
    return a, b, c


def no_set(view: View) -> tuple[int, int, int]:
    """The places of three cards that are none."""
    sets = {frozenset(three) for three in sets_among(CARDS[card] for card in view.table)}
    for places in combinations(range(len(view.table)), 3):
        if frozenset(CARDS[view.table[place]] for place in places) not in sets:
            return places
    raise AssertionError("every three cards are a set")
