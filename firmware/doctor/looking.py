"""A camera's first pictures, fetched in a thread that may hang in its driver. Nothing is judged here."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from firmware.doctor.sight import Shown
from firmware.setting_up import MeanPicture
from hardware.camera import Camera, focal_length_of
from hardware.camera_facts import facts_of
from hardware.errors import CameraError, HardwareError

PATIENCE_S: Final = 30.0
"""So long a camera may take: it settles for some seconds first."""
_LET_GO_S: Final = 5.0
_FRAMES: Final = 12
_THINNED: Final = 8  # every so-manieth pixel tells the brightness


def look(opener: Callable[[], Camera], *, live: bool, patience_s: float = PATIENCE_S) -> Shown:
    """What a camera shows. `live`: its pictures come at their own pace. CameraError if it cannot be opened,
    shows nothing, or does not answer in time; it is given back in any case but the last."""
    looker = _Looker(opener, live)
    looker.start()
    if not looker.seen.wait(patience_s):
        raise CameraError(
            f"the camera has not answered for {patience_s:.0f} s; unplug it and plug it in, or restart the "
            "computer"
        )
    looker.join(_LET_GO_S)
    if looker.error is not None:
        raise looker.error
    assert looker.shown is not None
    return looker.shown


class _Looker(threading.Thread):
    def __init__(self, opener: Callable[[], Camera], live: bool) -> None:
        # A daemon: a driver that never returns must not keep the program from ending.
        super().__init__(name="doctor's camera", daemon=True)
        self.seen = threading.Event()
        self.shown: Shown | None = None
        self.error: HardwareError | None = None
        self._opener = opener
        self._live = live

    def run(self) -> None:
        """The thread's life."""
        camera: Camera | None = None
        try:
            camera = self._opener()
            self.shown = _shown(camera, self._live)
        except HardwareError as error:
            self.error = error
        except Exception as error:  # a bug in an adapter
            self.error = CameraError(f"the camera failed: {error!r}; tell the makers")
        self.seen.set()
        if camera is not None:
            with suppress(Exception):  # it was looked at, and the process ends soon
                camera.close()


def _shown(camera: Camera, live: bool) -> Shown:
    mean = MeanPicture()
    brightness: list[float] = []
    times: list[float] = []
    while len(times) < _FRAMES and (frame := camera.read()) is not None:
        if not mean.full:
            mean.add(frame.image)
        brightness.append(float(frame.image[::_THINNED, ::_THINNED].mean()))
        times.append(frame.captured_at)
    picture = mean.picture()
    if picture is None:
        raise CameraError("the camera sends no picture; unplug it and plug it in, or name another source")
    passed = times[-1] - times[0]
    return Shown(
        facts=facts_of(camera),
        size=(picture.shape[1], picture.shape[0]),
        picture=picture,
        brightness=tuple(brightness),
        fps=camera.fps,
        rate=(len(times) - 1) / passed if live and passed > 0 else None,
        focal=focal_length_of(camera),
    )
