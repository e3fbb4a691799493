"""Lists to choose from: the lobby, the menu in a game, what stands when it is over or nobody is there."""

LINE = 9
STRENGTHS = ("easy", "fair", "strong")


class Page:
    """A list of choices with a cursor. `choices(...)` is made anew from what the board told."""

    def __init__(self):
        self._at = 0

    def walk(self, key, count):
        """Move the cursor among `count` choices."""
        if count:
            self._at = (self._at + {"up": -1, "down": 1}.get(key, 0)) % count

    def chosen(self, choices):
        """The key of the choice under the cursor; None if there is none."""
        return choices[min(self._at, len(choices) - 1)][0] if choices else None

    def draw(self, screen, title, choices, below=()):
        """The title, the choices and lines of text below them."""
        screen.fill(0)
        screen.fill_rect(0, 0, 128, 9, 1)
        screen.words(title[:16], 1, 1, 0)
        y = 11
        for number, (_, words) in enumerate(choices):
            if number == min(self._at, len(choices) - 1):
                screen.words(">", 0, y)
            screen.words(words[:14], 12, y)
            y += LINE
        for words in below:
            screen.words(words[:16], 0, y)
            y += LINE


def lobby_choices(lobby, seat):
    """What may be chosen before a game, and after one."""
    if seat is None:
        return [("take", "Take a seat")]
    bots = [each["bot"] for each in lobby["table"] if each["bot"]]
    again = "Play again" if lobby["status"] == "over" else "Start"
    choices = [("start", again), ("bots", f"Computers <{len(bots)}>")]
    if bots:
        choices.append(("strength", f"<{bots[-1]}>"))
    return choices + [("leave", "Leave seat")]


def menu_choices(lobby, seat):
    """What may be chosen in a game."""
    undo = "Undo: not now" if seat in lobby["undo"] else "Undo"
    end = "End: not now" if seat in lobby["end"] else "End the game"
    return [("back", "Back"), ("pause", "Pause"), ("undo", undo), ("end", end), ("leave", "Leave seat")]


def pause_choices(seat):
    """What may be chosen while a game waits. Who looks on may go on if no player is there."""
    resume = ("resume", "Go on: OK")
    return [("take", "Take a seat"), resume] if seat is None else [resume]


def seated(lobby):
    """Who sits there, two a line of 16 letters; * plays by itself, ? is away."""
    each = []
    for seat in lobby["table"]:
        mark = "*" if seat["bot"] else "" if seat["present"] else "?"
        each.append(f"{(str(seat['seat']) + mark + seat['name'])[:7]:7}")
    return [" ".join(each[i : i + 2]) for i in range(0, len(each), 2)]
