"""What the parts of a table tell: presses, made gestures of, and whether camera, panels and speaker are well.

Asked once a turn, and never waited for. What a gesture does is not known here.
"""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final, TypeVar

from firmware.chair.notices import Saying
from firmware.daemon.frames import CameraNews
from firmware.daemon.parts import Rig
from firmware.daemon.pressing import Presses
from firmware.daemon.troubles import Troubles, coded
from firmware.gestures import Gesture
from firmware.rules import Side
from firmware.texts import TroubleCode
from hardware.speaker import SpeakerNews

if TYPE_CHECKING:
    from firmware.panel_bus import PanelNews

_CAMERA: Final[dict[str, TroubleCode]] = {
    "gone": "camera-gone",
    "frozen": "camera-frozen",
    "lost": "camera-lost",
    "late": "old-pictures",
}
_News = TypeVar("_News")


class Hearing:
    """The ear of the loop, in its thread. What is wrong goes to `troubles`."""

    def __init__(self, rig: Rig, troubles: Troubles) -> None:
        self._rig = rig
        self._troubles = troubles
        self._presses = Presses(rig.buttons, troubles, rig.panels.wake)

    def gestures(self, now: float, *, immediate: Collection[Side]) -> tuple[Gesture, ...]:
        """What has been pressed since. `immediate`: as `Gestures.feed` has it."""
        return self._presses.gestures(now, immediate=immediate)

    def news(self, now: float) -> None:
        """Hear of the camera, the speaker and the panels."""
        rig = self._rig
        news: list[CameraNews | SpeakerNews | PanelNews] = [
            *self._heard("camera", rig.frames.news, now),
            *self._heard("speaker", rig.speaker.news, now),
            *self._heard("panels", rig.panels.news, now),
        ]
        for each in news:
            part = _part(each)
            if each.kind == "back":
                self._troubles.well(part)
            else:
                self._troubles.wrong(part, each.reason, _saying(each), now)
            if each.kind == "late":  # it is opened anew, and well before anyone could read that it was not
                self._troubles.note(_saying(each), now)

    def _heard(self, of: str, news: Callable[[], list[_News]], now: float) -> list[_News]:
        """The news of a part; none if a bug is in them, which is no trouble of the part itself."""
        try:
            heard = news()
        except Exception as error:
            self._troubles.failed(f"news of the {of}", error, coded("failed"), now)
            return []
        self._troubles.well(f"news of the {of}")
        return heard


def _part(news: "CameraNews | SpeakerNews | PanelNews") -> str:
    match news:
        case CameraNews():
            return "camera"
        case SpeakerNews():
            return "speaker"
        case _:
            return news.panel


def _saying(news: "CameraNews | SpeakerNews | PanelNews") -> Saying:
    """What people at the table read of a part that is not well."""
    match news:
        case CameraNews(kind=kind):
            return coded(_CAMERA[kind])
        case SpeakerNews(kind=kind):
            return coded("no-clips" if kind == "not-said" else "no-sound")
        case _:
            wrong = news.kind == "not-drawn"
            if news.role == "game":
                return coded("panel-wrong.game" if wrong else "panel-gone.game")
            return coded("panel-wrong.in-rally" if wrong else "panel-gone.in-rally")
