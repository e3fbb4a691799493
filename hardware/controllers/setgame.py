"""SET on the small screen: the table, the bar above it, and what the five keys do.

The board's view and what is legal come in; what is to be done goes out. No rule of the game is known here.
"""

from time import ticks_diff

from cards import Cards

ROWS = 3
BAR = 10
HEIGHT = 18
COLUMNS = {4: (32, (7, 14), 5), 5: (25, (5, 14), 5), 6: (21, (4, 14), 4)}
"""By how many columns are shown: a cell's width, a shape's size, a letter's width."""
NEWS_MS = 2500
"""So long what has happened stands in the bar."""
BAR_WORDS = ("none", "menu")
REFUSALS = {
    "table-held": "Not the first",
    "locked-out": "Wait for a claim",
    "not-claimed": "Too late",
    "not-on-table": "Card is gone",
    "agreed-already": "You said so",
    "hand-is-over": "The hand is over",
    "paused": "Paused",
}
SAID = {"undo-asked": "{}: undo?", "end-asked": "{}: end?", "undone": "Taken back"}
"""What the board says of a game, in 16 letters; {} is who said it."""


class SetGame:
    """One seat's eyes and fingers. The cursor walks over the cards, and above them over the bar."""

    def __init__(self):
        self._at = 0
        self._bar = None
        self._picked = []
        self._claimed_at = None
        self._said = ""
        self._said_at = 0
        self._cards = {}

    # ------------------------------------------------------------ what the keys do

    def pressed(self, key, told, now):
        """What a key does: an action for the board, "menu", or None."""
        view, legal = told["view"], told["legal"]
        self._look(view, now)
        if key == "ok":
            return self._chosen(view, legal)
        if self._bar is None:
            self._walk(key, len(view["table"]), "name" in legal)
        elif key == "down":
            self._bar = None
        elif key in ("left", "right"):
            self._bar = 1 - self._bar
        return None

    def _chosen(self, view, legal):
        if self._bar is not None:
            at, self._bar = self._bar, None
            if BAR_WORDS[at] == "menu":
                return "menu"
            kind = "withdraw" if "withdraw" in legal else "agree-none"
            return {"kind": kind} if kind in legal else None
        if "deal" in legal:
            return {"kind": "deal"}
        if "name" in legal:
            return self._pick(view["table"])
        return {"kind": "claim"} if "claim" in legal else None

    def _pick(self, table):
        if self._at >= len(table):
            return None
        card = table[self._at]
        if card in self._picked:
            self._picked.remove(card)
        else:
            self._picked.append(card)
        if len(self._picked) < 3:
            return None
        picked, self._picked = self._picked, []
        return {"kind": "name", "cards": picked}

    def _walk(self, key, count, naming):
        """Cards lie in columns of three, so that more of them are a new column and the others stay. Who names
        cards walks round and round."""
        column, row = divmod(self._at, ROWS)
        columns = max(1, (count + ROWS - 1) // ROWS)
        if key == "up" and row == 0 and not naming:
            self._bar = 0
        elif key == "up":
            row = (row - 1) % ROWS
        elif key == "down":
            row = (row + 1) % ROWS
        else:
            column = (column + (1 if key == "right" else -1)) % columns
        self._at = min(column * ROWS + row, max(0, count - 1))

    # ------------------------------------------------------------ what has happened

    def _look(self, view, now):
        """Let go of what the last view had."""
        mine = view["seat"] is not None and view["claimed"] == view["seat"]
        if not mine:
            self._picked = []
            self._claimed_at = None
        elif self._claimed_at is None:
            self._claimed_at = now
            self._bar = None
        if view["table"]:  # else it is covered while the game waits
            self._picked = [card for card in self._picked if card in view["table"]]
        self._at = min(self._at, max(0, len(view["table"]) - 1))

    def heard(self, events, names, view, now):
        """Take what was announced; `names`: the seats' by their numbers."""
        for event in events:
            said = self._words(event, names, view["seat"])
            if said:
                self._said, self._said_at = said, now

    def told(self, said, names, now):
        """Take what was refused or said: a code, words, and who said it."""
        code, words, seat = said
        short = REFUSALS.get(code) or SAID.get(code, words).replace("{}", names.get(seat, "")[:8])
        self._said, self._said_at = short, now

    def _words(self, event, names, me):
        kind, seat = event["kind"], event.get("seat")
        who = "You" if seat == me and seat is not None else names.get(seat, str(seat))[:8]
        if kind == "set-taken":
            return who + ": set! +1"
        if kind == "claim-failed":
            slow = "too late" if event["cards"] is None else "no set"
            return f"{who}: {slow}" + (" -1" if event["points"] else "")
        if kind == "set-is-there":
            return "There is a set!"
        if kind == "cards-added":
            return "Three more cards"
        if kind == "hand-over":
            return f"Hand {event['hand']} over"
        return ""

    # ------------------------------------------------------------ the picture

    @property
    def moving(self):
        """Whether the picture moves by itself: time runs, or a word goes."""
        return self._claimed_at is not None or bool(self._said)

    def draw(self, screen, told, names, now):
        """The table and the bar."""
        view, legal = told["view"], told["legal"]
        self._look(view, now)
        screen.fill(0)
        self._draw_table(screen, view["table"], view["seat"] is not None)
        if self._bar is not None:
            self._draw_choices(screen, legal)
        elif "name" in legal:
            self._draw_time(screen, view["naming_s"] * 1000, now)
        else:
            screen.words(self._line(view, legal, names, now)[:16], 0, 0)

    def _draw_table(self, screen, table, seated):
        in_all = max(4, (len(table) + ROWS - 1) // ROWS)
        shown = min(in_all, max(COLUMNS))
        width, shape, letter = COLUMNS[shown]
        # More columns than fit pass by, as the cursor walks.
        first = min(max(0, self._at // ROWS - shown // 2), in_all - shown)
        if shown not in self._cards:
            self._cards[shown] = Cards(shape, letter)
        for place, card in enumerate(table):
            column, row = divmod(place, ROWS)
            if not first <= column < first + shown:
                continue
            x, y = (column - first) * width, BAR + row * HEIGHT
            self._cards[shown].draw(screen, card, x, y, width, HEIGHT, card in self._picked)
            if seated and self._bar is None and place == self._at:
                screen.rect(x, y, width, HEIGHT, 1)
        if first:
            screen.vline(0, BAR, HEIGHT * ROWS, 1)
        if first + shown < in_all:
            screen.vline(127, BAR, HEIGHT * ROWS, 1)

    def _draw_choices(self, screen, legal):
        for at, word in enumerate(BAR_WORDS):
            if word == "none":
                word = "there is" if "withdraw" in legal else "no set"
            x = 4 + 72 * at
            if at == self._bar:
                screen.fill_rect(x - 4, 0, 8 * len(word) + 8, 9, 1)
            screen.words(word, x, 1, 0 if at == self._bar else 1)

    def _draw_time(self, screen, lasts_ms, now):
        left = 1 - ticks_diff(now, self._claimed_at) / lasts_ms
        screen.words("SET!", 0, 0)
        screen.rect(36, 0, 66, 8, 1)
        screen.fill_rect(38, 2, int(62 * max(0, min(1, left))), 4, 1)
        screen.words(f"{len(self._picked)}/3", 104, 0)

    def _line(self, view, legal, names, now):
        if self._said and ticks_diff(now, self._said_at) < NEWS_MS:
            return self._said
        self._said = ""
        claimed, me = view["claimed"], view["seat"]
        if claimed is not None:
            return names.get(claimed, str(claimed))[:10] + " names"
        if not view["dealt"]:
            return f"OK deals hand {view['hand'] + 1}" if "deal" in legal else "Next hand soon"
        scores = view["scores"]
        deck = f"deck {view['in_deck']}"
        if me is None:
            return f"Top {max(scores)} {deck}"
        if view["agreed"]:
            return f"{len(view['agreed'])} of {view['seats'] - len(view['away'])} say none"
        if view["locked"] == me:
            return "Wait for a claim"
        others = [score for seat, score in enumerate(scores, 1) if seat != me]
        return f"{scores[me - 1]}:{max(others)} {deck}" if others else f"{scores[0]} {deck}"
