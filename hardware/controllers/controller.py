"""A controller: what comes from the board and the keys, and what the screen shows. Its parts: `main.py`."""

from time import ticks_diff

from link import Lines, written
from pages import STRENGTHS, Page, lobby_choices, menu_choices, pause_choices, seated
from session import Session
from setgame import SetGame

MOVING_MS = 200
"""A picture that moves by itself is drawn anew so often."""
GAMES = {"set": SetGame}


class Controller:
    """One player's. `keep(token)` keeps what the seat is resumed by; `token`: what was kept."""

    def __init__(self, name, screen, keep, token, now):
        self._session = Session(name, token, keep, now)
        self._name = name
        self._lines = Lines()
        self._screen = screen
        self._page = Page()
        self._pause = Page()
        self._menu = None
        self._game = None
        self._drawn = now

    def received(self, data, now):
        """Take bytes of the board's."""
        for message in self._lines.feed(data):
            self._session.received(message, now)

    def outgoing(self, now):
        """The bytes that the board is to get now."""
        return b"".join(map(written, self._session.outgoing(now)))

    # ------------------------------------------------------------ keys

    def pressed(self, key, now):
        """Take a key: up, down, left, right or ok."""
        session = self._session
        if session.board is None or session.lobby is None:
            return
        session.news = True
        status = session.lobby["status"]
        if session.said is not None and status != "playing":
            session.said = None
            return
        if self._menu is not None:
            self._in_menu(key)
        elif status == "paused":
            self._in_pause(key)
        elif status == "playing":
            self._in_game(key, now)
        else:
            self._in_lobby(key)

    def _in_lobby(self, key):
        session = self._session
        choices = lobby_choices(session.lobby, session.seat)
        if key in ("up", "down"):
            self._page.walk(key, len(choices))
            return
        choice = self._page.chosen(choices)
        if choice in ("bots", "strength"):
            self._change_bots(choice, -1 if key == "left" else 1)
        elif key == "ok" and choice == "start":
            session.ask("lobby.start")
        elif key == "ok" and choice == "take":
            session.take()
        elif key == "ok" and choice == "leave":
            session.ask("seat.leave")

    def _change_bots(self, choice, by):
        """One computer player more or less, or all of another strength."""
        table = self._session.lobby["table"]
        bots = [each for each in table if each["bot"]]
        if choice == "strength":
            at = (STRENGTHS.index(bots[-1]["bot"]) + by) % len(STRENGTHS)
            for bot in bots:
                self._session.ask("lobby.bot", seat=bot["seat"], strength=STRENGTHS[at])
        elif by > 0:
            taken = [each["seat"] for each in table]
            free = min(seat for seat in range(1, len(taken) + 2) if seat not in taken)
            strength = bots[-1]["bot"] if bots else "fair"
            self._session.ask("lobby.bot", seat=free, strength=strength)
        elif bots:
            self._session.ask("lobby.bot", seat=bots[-1]["seat"], strength=None)

    def _in_pause(self, key):
        session = self._session
        choices = pause_choices(session.seat)
        if key in ("up", "down"):
            self._pause.walk(key, len(choices))
        elif key == "ok" and self._pause.chosen(choices) == "take":
            session.take()
        elif key == "ok":
            session.ask("game.resume")

    def _in_menu(self, key):
        session = self._session
        choices = menu_choices(session.lobby, session.seat)
        if key in ("up", "down"):
            self._menu.walk(key, len(choices))
        elif key == "left":
            self._menu = None
        elif key == "ok":
            choice = self._menu.chosen(choices)
            self._menu = None
            if choice in ("undo", "end") and session.seat in session.lobby[choice]:
                session.ask("game." + choice, agree=False)
            elif choice in ("pause", "undo", "end"):
                session.ask("game." + choice)
            elif choice == "leave":
                session.ask("seat.leave")

    def _in_game(self, key, now):
        session = self._session
        if session.game is None or self._game is None or (key == "ok" and session.acting):
            return
        if session.seat is None:
            if key == "ok":
                session.take()
            return
        did = self._game.pressed(key, session.game, now)
        if did == "menu":
            self._menu = Page()
        elif did is not None:
            session.act(did)

    # ------------------------------------------------------------ screen

    def show(self, now):
        """Draw what is new, and show it."""
        session = self._session
        moving = session.game is not None and self._game is not None and self._game.moving
        if session.news or (moving and ticks_diff(now, self._drawn) >= MOVING_MS):
            session.news = False
            self._drawn = now
            self._draw(now)
        self._screen.show()

    def _draw(self, now):
        session, screen = self._session, self._screen
        lobby = session.lobby
        if session.board is None or lobby is None:
            words = "Waiting for the board ..." if session.said is None else session.said[1]
            Page().draw(screen, "Set & Match", (), [self._name, ""] + cut(words))
        elif session.said is not None and lobby["status"] != "playing":
            Page().draw(screen, "The board:", (), cut(session.said[1]))
        elif self._menu is not None and lobby["status"] == "playing":
            self._menu.draw(screen, lobby["game"].upper(), menu_choices(lobby, session.seat))
        elif lobby["status"] == "paused":
            self._menu = None
            self._pause.draw(screen, "Paused", pause_choices(session.seat), seated(lobby))
        elif lobby["status"] == "playing":
            self._draw_game(now)
        else:
            self._menu = None
            self._pause = Page()
            title = lobby["game"].upper() + (": over" if lobby["status"] == "over" else "")
            below = results(session) if lobby["status"] == "over" else seated(lobby)
            self._page.draw(screen, title, lobby_choices(lobby, session.seat), below)

    def _draw_game(self, now):
        session = self._session
        game = session.lobby["game"]
        if game not in GAMES:
            Page().draw(self._screen, game.upper(), (), cut("This controller is too old for this game."))
        elif session.game is not None:
            if not isinstance(self._game, GAMES[game]):
                self._game = GAMES[game]()
            names = {each["seat"]: each["name"] for each in session.lobby["table"]}
            events, session.events = session.events, []
            self._game.heard(events, names, session.game["view"], now)
            if session.said is not None:
                said, session.said = session.said, None
                self._game.told(said, names, now)
            self._game.draw(self._screen, session.game, names, now)


def results(session):
    """The final ranking, the best first."""
    outcome = session.game and session.game["view"].get("outcome")
    if not outcome:
        return []
    names = {each["seat"]: each["name"] for each in session.lobby["table"]}
    ranking = sorted(outcome["ranking"], key=lambda each: each["rank"])
    return [
        f"{each['rank']}. {names.get(each['seat'], str(each['seat']))[:8]} {each['score']}"
        for each in ranking
    ]


def cut(text):
    """Text in lines of 16 letters."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > 16:
            lines.append(word)
        else:
            lines[-1] = (lines[-1] + " " + word).strip()
    return lines
