"""The wish to stop, as the system tells it: SIGTERM, or SIGINT from a keyboard. Only a flag is raised."""

import signal
from types import FrameType


class Stop:
    """Whether the program has been asked to end. `listen` in the main thread, once.

    No threading.Event: a second signal that comes while the first sets it would wait for itself.
    """

    def __init__(self) -> None:
        self._told = False

    def is_set(self) -> bool:
        """Whether to end."""
        return self._told

    def set(self) -> None:
        """Ask for the end."""
        self._told = True

    def listen(self) -> "Stop":
        """Have SIGTERM and SIGINT ask for the end, instead of ending at once; itself."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._asked)
        return self

    def _asked(self, number: int, frame: FrameType | None) -> None:
        self.set()
