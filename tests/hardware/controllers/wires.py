"""A port of a board for programs on this computer: one end of a pty; the other has a name."""

import os
import pty
import tty


class Wire:
    """As a Pico is to a board, but for whoever opens `path`."""

    def __init__(self) -> None:
        self.link, far_end = pty.openpty()
        tty.setraw(far_end)
        self.path = os.ttyname(far_end)
        # Held open: a pty whose far end nobody has is none.
        self._far_end = far_end
        os.set_blocking(self.link, False)

    def read(self) -> bytes:
        """What was said."""
        return os.read(self.link, 4096)

    def look(self) -> None:
        """There is no screen."""

    def unplug(self) -> None:
        """Pull it out."""
        os.close(self.link)
        os.close(self._far_end)
