"""What the parts of a table tell: presses, made gestures of, and whether camera, panels and speaker are well.

Asked once a turn, and never waited for. What a gesture does is not known here.
"""

from typing import TYPE_CHECKING

from firmware.frames import CameraNews
from firmware.gestures import Gesture, Gestures
from firmware.parts import Rig
from firmware.troubles import Troubles, as_it_is
from hardware.button import Button
from hardware.debounce import Debouncer
from hardware.errors import ButtonError
from hardware.speaker import SpeakerNews

if TYPE_CHECKING:
    from firmware.panel_driver import PanelNews


class Hearing:
    """The ear of the loop, in its thread. What is wrong goes to `troubles`."""

    def __init__(self, rig: Rig, troubles: Troubles) -> None:
        self._rig = rig
        self._troubles = troubles
        self._debouncer, self._gestures = Debouncer(), Gestures()
        self._stuck: tuple[Button, ...] = ()

    def gestures(self, now: float, *, immediate: bool) -> tuple[Gesture, ...]:
        """What has been pressed since. `immediate`: as `Gestures.feed` has it."""
        try:
            edges = self._rig.buttons.drain()
            self._troubles.well("buttons")
        except ButtonError as error:
            why = str(error)
            self._troubles.wrong("buttons", why, as_it_is(why), now)
            edges = ()
        done = self._gestures.feed(self._debouncer.feed(edges, now), now, immediate=immediate)
        self._tell_stuck(now)
        return done

    def news(self, now: float) -> None:
        """Hear of the camera, the speaker and the panels."""
        rig = self._rig
        news: list[CameraNews | SpeakerNews | PanelNews] = [
            *rig.frames.news(),
            *rig.speaker.news(),
            *rig.panels.news(),
        ]
        for each in news:
            match each:
                case CameraNews():
                    part, text = "camera", f"Camera: {each.reason}; scoring waits."
                case SpeakerNews():
                    part, text = "speaker", f"No voice: {each.reason}"
                case _:
                    part, text = each.panel, f"Panel ({each.role}): {each.reason}"
            if each.kind == "back":
                self._troubles.well(part)
            else:
                self._troubles.wrong(part, text, as_it_is(text), now)

    def _tell_stuck(self, now: float) -> None:
        stuck = self._gestures.stuck()
        for button in stuck:
            text = f"{button} is stuck or something lies on it; free it"
            self._troubles.wrong(str(button), text, as_it_is(text), now)
        for button in self._stuck:
            if button not in stuck:
                self._troubles.well(str(button))
        self._stuck = stuck
