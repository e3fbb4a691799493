"""What is said with the board: hello, a seat and its token, what changes, who is silent.

No port and no pin is known here, and no game's rules. Times are of `time.ticks_ms`.
"""

from time import ticks_diff

PROTOCOL = 1
SOFTWARE = "setmatch-pico/1"
AGAIN_MS = 2000
"""A request that got no answer is made again after so long: its line, or the answer's, was lost."""
TRIES = 5
ASK_MS = 8000
GONE_MS = 20000
"""So long the board may say nothing before it is asked, and before it counts as gone."""
MOST_WAITING = 8

SAY_HELLO = -32001


class Session:
    """A controller's side of the link. `keep(token)` is called with a new token, or None, to be kept where a
    power cut does not reach it."""

    def __init__(self, name, token, keep, now):
        self._name = name
        self._token = token
        self._keep = keep
        self._out = []
        self._id = 0
        self._acts = 0
        self._heard = self._pinged = now
        self._hello()

    def _hello(self):
        self.board = None
        """What the board said of itself; None while it says nothing."""
        self.seat = None
        self.lobby = None
        self.game = None
        """What the board told last of the lobby and of the game; None before, and without a game."""
        self.said = None
        """What was refused, or said to all, last: a code, the board's words, and who said it; None if it was
        heard."""
        self.events = []
        """What was announced and not looked at yet."""
        self.news = True
        """Whether there is something to draw; who has drawn it sets it back."""
        self._flight = None
        self._waiting = []
        self._missed = False
        self.ask("hello", protocol=PROTOCOL, name=self._name, software=SOFTWARE)

    # ------------------------------------------------------------ what is wanted of the board

    def ask(self, method, **params):
        """Ask the board, when it has answered what was asked before."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append((method, params))

    def act(self, action):
        """Do something in the game. Acts are counted, so that one that is said twice is done once."""
        if len(self._waiting) < MOST_WAITING:
            self._acts += 1
            self.ask("game.act", action=action, number=self._acts)

    @property
    def busy(self):
        """Whether an answer is awaited."""
        return self._flight is not None or bool(self._waiting)

    @property
    def acting(self):
        """Whether an act in the game is not answered yet."""
        flying = [] if self._flight is None else [self._flight[1]]
        return "game.act" in flying + [method for method, _ in self._waiting]

    # ------------------------------------------------------------ what comes and goes

    def outgoing(self, now):
        """The messages to be sent now."""
        if self._missed and self.board is not None and not self.busy:
            # A line was damaged. It may have been news: have it told anew.
            self._missed = False
            self._look()
        if self._flight is None and self._waiting:
            method, params = self._waiting.pop(0)
            self._id += 1
            self._flight = [self._id, method, params, now, 0]
            self._send_flight(now)
        elif self._flight is not None and ticks_diff(now, self._flight[3]) >= AGAIN_MS:
            if self._flight[4] >= TRIES:
                self._hello()
                return self.outgoing(now)
            self._send_flight(now)
        if ticks_diff(now, self._heard) >= GONE_MS and self.board is not None:
            self._hello()
            return self.outgoing(now)
        if ticks_diff(now, self._heard) >= ASK_MS and ticks_diff(now, self._pinged) >= ASK_MS:
            self._pinged = now
            self.ask("ping")
        out, self._out = self._out, []
        return out

    def _send_flight(self, now):
        id_, method, params, _, tries = self._flight
        # For ever until the board is there: hello is no try.
        self._flight[3:] = [now, tries + (method != "hello")]
        self._out.append({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})

    def received(self, message, now):
        """Take a message; None is a damaged line."""
        if message is None:
            self._missed = True
            return
        self._heard = now
        if "method" in message:
            self._told(message)
        elif self._flight is not None and message.get("id") == self._flight[0]:
            _, method, params, _, _ = self._flight
            self._flight = None
            if "error" in message:
                self._refused(method, params, message["error"])
            else:
                self._answered(method, message.get("result"))

    def _told(self, message):
        method, params = message["method"], message.get("params", {})
        if "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"]}
            if method == "ping":
                answer["result"] = {}
            else:
                answer["error"] = {"code": -32601, "message": "Method not found"}
            self._out.append(answer)
        elif method == "lobby.changed":
            self._lobby(params)
        elif method == "game.changed":
            self._game(params)
        elif method == "seat.changed":
            if params["yours"]:
                self.seat = params["seat"]
            elif self.seat == params["seat"]:
                self.seat = None
            self.news = True
        elif method == "said" and params.get("seat") != self.seat:
            self.said = (params["code"], params["text"], params.get("seat"))
            self.news = True

    def _answered(self, method, result):
        if method == "hello":
            self.board = result
            if self._token is None:
                self.take()
            else:
                self.ask("seat.resume", token=self._token)
        elif method in ("seat.take", "seat.resume"):
            self.seat = result["seat"]
            self._acts = result["acts"]
            if "token" in result:
                self._remember(result["token"])
            self._look()
        elif method == "seat.leave":
            self.seat = None
            self._remember(None)
            self._look()
        elif method == "lobby.view":
            self._lobby(result)
        elif method == "game.view":
            self._game(result)
        self.news = self.news or method != "ping"

    def _refused(self, method, params, error):
        if method == "hello":
            # A board of another time. It may be changed for one that speaks with us: ask on.
            self._flight = [self._id, method, params, self._heard, 0]
            self.said = reason(error)
        elif error["code"] == SAY_HELLO:
            # The board was started anew. What was asked of the old one is void.
            self._hello()
        elif method == "seat.resume":
            self._remember(None)
            self.take()
        elif method == "seat.take":
            if reason(error)[0] == "seated":
                # The answer that had the token was lost.
                self.ask("seat.leave")
                self.take()
            self._look()  # else look on
        elif method == "game.view":
            self.game = None
        else:
            self.said = reason(error)
        self.news = True

    def take(self):
        """Take the first seat that is free."""
        self.ask("seat.take", name=self._name)

    def _look(self):
        self.ask("lobby.view")
        self.ask("game.view")

    def _lobby(self, told):
        self.lobby = told
        if told["status"] == "lobby":
            self.game = None
        self.news = True

    def _game(self, told):
        self.game = told
        self.seat = told["view"]["seat"]
        self.events += told["events"]
        del self.events[:-MOST_WAITING]
        self.news = True

    def _remember(self, token):
        if token != self._token:
            self._token = token
            self._keep(token)


def reason(error):
    """Why a request was refused: a code, the board's words, and nobody who said it."""
    return error.get("data", {}).get("reason", str(error["code"])), error["message"], None
