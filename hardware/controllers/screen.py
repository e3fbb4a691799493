"""An SSD1306 with 128 x 64 pixels on I2C. What is drawn is shown by `show`, and sent only if it is new.

Commands are those of the datasheet (SSD1306, rev 1.1, tables 9-1 and 8.5's charge pump).
"""

import framebuf

WIDTH = 128
HEIGHT = 64
# Off; clock, 64 rows, no offset, first row.
_SET_UP = b"\xae\xd5\x80\xa8\x3f\xd3\x00\x40"
# The charge pump makes the glass's voltage from 3.3 V; bytes go along a page, then to the next.
_SET_UP += b"\x8d\x14\x20\x00"
# How the rows are wired, contrast, pre-charge, level when off; what the memory says is lit, lit is light.
_SET_UP += b"\xda\x12\x81\xcf\xd9\xf1\xdb\x40\xa4\xa6"
_UPRIGHT = b"\xa1\xc8"
_TURNED = b"\xa0\xc0"
_ON = b"\xaf"
_WHOLE = bytes((0x21, 0, WIDTH - 1, 0x22, 0, HEIGHT // 8 - 1))
_COMMAND = 0x80  # one command follows
_DATA = 0x40  # data follow to the end


class Screen(framebuf.FrameBuffer):
    """A picture, and the glass that shows it. A glass that does not answer is tried again at each `show`."""

    def __init__(self, i2c, address, turned=False):
        self._i2c = i2c
        self._address = address
        self._set_up = _SET_UP + (_TURNED if turned else _UPRIGHT) + _ON
        # The picture lies behind the byte that says "data", so that it is sent as it lies there.
        self._sent = bytearray(1 + WIDTH * HEIGHT // 8)
        self._sent[0] = _DATA
        self._shown = None
        super().__init__(memoryview(self._sent)[1:], WIDTH, HEIGHT, framebuf.MONO_VLSB)

    def show(self):
        """Send the picture. False if the glass does not answer."""
        if self._shown == self._sent:
            return True
        try:
            if self._shown is None:
                self._command(self._set_up)
            self._command(_WHOLE)
            self._i2c.writeto(self._address, self._sent)
        except OSError:
            self._shown = None
            return False
        if self._shown is None:
            self._shown = bytearray(len(self._sent))
        self._shown[:] = self._sent
        return True

    def words(self, text, x, y, colour=1):
        """Write text, eight pixels a letter; the font has ASCII alone."""
        self.text("".join(c if " " <= c <= "~" else "?" for c in text), x, y, colour)

    def _command(self, commands):
        for command in commands:
            self._i2c.writeto(self._address, bytes((_COMMAND, command)))
