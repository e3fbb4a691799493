"""SET's cards in pixels that are lit or dark: number, shape and shading drawn, the colour as a letter.

Shapes are drawn once for each size and shading, and then copied.
"""

import framebuf

LETTERS = {
    5: {
        "R": (0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001),
        "P": (0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000),
        "G": (0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01110),
    },
    4: {
        "R": (0b1110, 0b1001, 0b1001, 0b1110, 0b1010, 0b1001),
        "P": (0b1110, 0b1001, 0b1001, 0b1110, 0b1000, 0b1000),
        "G": (0b0111, 0b1000, 0b1000, 0b1011, 0b1001, 0b0111),
    },
}
"""The colours' letters by their width, a number for each row of pixels."""


class Cards:
    """Draws cards into cells of one size. `shape`: width and height of one shape; `letter`: width of the
    colour's."""

    def __init__(self, shape, letter):
        self._w, self._h = shape
        self._letter = letter
        self._made = {}

    def draw(self, screen, code, x, y, width, height, picked):
        """A card, such as 2WHR, in the middle of a cell; `picked`: dark on lit."""
        number, colour = int(code[0]), code[3]
        if picked:
            screen.fill_rect(x + 1, y + 1, width - 2, height - 2, 1)
        whole = 3 * (self._w + 1) + self._letter
        left = x + (width - whole) // 2
        top = y + (height - self._h) // 2
        shape = self._shape(code[1], code[2], picked)
        # One or two stand in the middle of the room for three.
        at = left + (3 - number) * (self._w + 1) // 2
        for _ in range(number):
            screen.blit(shape, at, top)
            at += self._w + 1
        rows = LETTERS[self._letter][colour]
        below = y + (height - len(rows)) // 2
        for dy, bits in enumerate(rows):
            for dx in range(self._letter):
                if bits >> (self._letter - 1 - dx) & 1:
                    screen.pixel(left + whole - self._letter + dx, below + dy, 0 if picked else 1)

    def _shape(self, shape, shading, inverted):
        key = shape + shading + ("i" if inverted else "")
        if key not in self._made:
            w, h = self._w, self._h
            made = framebuf.FrameBuffer(bytearray(w * ((h + 7) // 8)), w, h, framebuf.MONO_VLSB)
            made.fill(1 if inverted else 0)
            for x, y in lit(shape, shading, w, h):
                made.pixel(x, y, 0 if inverted else 1)
            self._made[key] = made
        return self._made[key]


def lit(shape, shading, w, h):
    """The lit pixels of a shape that is `w` wide and `h` high."""
    spans = {"O": oval, "D": diamond, "W": wave}[shape](w, h)
    for y, (left, right) in enumerate(spans):
        for x in range(left, right + 1):
            if (
                shading == "S"
                or (shading == "H" and y % 2)
                or x in (left, right)
                or not _inside(spans, x, y - 1)
                or not _inside(spans, x, y + 1)
            ):
                yield x, y


def _inside(spans, x, y):
    return 0 <= y < len(spans) and spans[y][0] <= x <= spans[y][1]


def oval(w, h):
    """The first and the last pixel of each row: straight sides, round ends."""
    spans = []
    for y in range(h):
        end = min(y, h - 1 - y)
        cut = max(0, (w + 1) // 4 - end)
        spans.append((cut, w - 1 - cut))
    return spans


def diamond(w, h):
    """A rhomb that stands on its tip."""
    spans = []
    for y in range(h):
        half = min(y, h - 1 - y) * (w + 1) // h
        middle = (w - 1) // 2
        spans.append((max(0, middle - half), min(w - 1, w - 1 - middle + half)))
    return spans


def wave(w, h):
    """An S: a band that leans to the right above and to the left below."""
    lean = (w + 1) // 3
    spans = []
    for y in range(h):
        if y < h // 2:
            left = lean if 0 < y < h // 2 - 1 else lean // 2
        else:
            left = 0 if h // 2 < y < h - 1 else lean - lean // 2 - lean % 2
        spans.append((left, left + w - 1 - lean))
    return spans
