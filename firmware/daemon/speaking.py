"""What the umpire says aloud: its sentences become clips, and these the speaker's.

What is said is the chair's to choose, and on the panels before it is heard.
"""

from collections.abc import Sequence

from firmware.daemon.parts import Voiced
from firmware.daemon.troubles import Troubles, coded
from hardware.speaker import Speaker


class Speaking:
    """The mouth of the loop, in its thread. `voice` may be another from one sentence to the next. What is
    wrong goes to `troubles`."""

    def __init__(self, voice: Voiced, speaker: Speaker, troubles: Troubles) -> None:
        self.voice = voice
        self._speaker = speaker
        self._troubles = troubles

    def say(self, spoken: Sequence[str], now: float) -> None:
        """Have these sentences be heard, one after the other; returns at once."""
        try:
            clips = [clip for said in spoken for clip in self.voice.clips(said)]
            if clips:
                self._speaker.say(clips)
        except Exception as error:  # what is not heard is to be read
            self._troubles.failed("voice", error, coded("no-sound"), now)
        else:
            self._troubles.well("voice")

    def mute(self, mute: bool) -> None:
        """Say nothing aloud any more, or again."""
        self._speaker.mute(mute)
