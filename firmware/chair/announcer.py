"""The words of a chair: what is said, in whose words, and for how long it stands on the panels.

What there is to be said is not known here.
"""

from firmware.chair.notices import NOTICE_S, Notices, Saying
from firmware.chair.outgoing import Outgoing
from firmware.texts import Texts


class Announcer(Notices):
    """Says everything twice: for those who read, and of the texts of a voice (`texts` if None)."""

    def __init__(self, texts: Texts, voice: Texts | None = None) -> None:
        super().__init__()
        self.speak(texts, voice)

    def speak(self, texts: Texts, voice: Texts | None = None) -> None:
        """Say everything with these texts from now on."""
        self.texts = texts
        self._voice = texts if voice is None else voice

    def say(self, saying: Saying) -> Outgoing:
        """Said, and not shown."""
        return Outgoing(said=(saying(self.texts),), spoken=(saying(self._voice),))

    def announce(self, saying: Saying, now_s: float, for_s: float = NOTICE_S) -> Outgoing:
        """Said, and shown for so many seconds."""
        self.tell(saying, now_s, for_s)
        return self.say(saying)
