"""A camera module as picamera2 has it: found, opened, asked for frames, closed. The one adapter that knows
picamera2 and libcamera; what its settings are to be is picamera.py's.

Both are imported when a camera is opened, and not before: no wheel brings them, only the Pi's own system.
"""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from weakref import WeakValueDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import CameraError, CameraHangsError
from hardware.locking import Metadata
from hardware.sensor_modes import Mode

BUSY_S: Final = 10.0
"""So long another program may hold the camera until that is an error: one that ends gives it back by then."""
BUSY_PAUSE_S: Final = 0.5
NO_FRAME_S: Final = 1.5
"""A camera that completes no frame for so long is unplugged or hangs; libcamera itself gives up after one
second, and says so to nobody but its log."""
CLOSE_S: Final = 1.0
"""To stop takes a tenth of it, and for ever once the cable was touched; then it is left to a thread. With
`NO_FRAME_S` it is less than what counts as a frozen camera, so that the reason is told."""
UPDATE: Final = "update the system (sudo apt full-upgrade)"
"""What to do about libraries that do not do as they say."""
_ORDERS: Final = {"RGB888": False, "BGR888": True, "XRGB8888": False, "XBGR8888": True}
"""Whether red comes first in memory: the names tell the order from the high byte down."""
_HELD: Final[WeakValueDictionary[int, Any]] = WeakValueDictionary()
"""The vendor's cameras that this process holds, by number, until they are stopped: libcamera tells no thread
of it from another program."""

logger = logging.getLogger(__name__)
Image = NDArray[np.uint8]


class PicameraDevice:
    """Camera module number `index` of those on the ribbon cables, held for nobody else. `model`: as libcamera
    calls its sensor. Errors are `CameraError`: no such camera, in use for `BUSY_S`, still being stopped."""

    def __init__(self, index: int, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._index, self._name = index, f"pi:{index}"
        self._closed = False
        self.red_first = False
        """Whether pictures come in memory as red, green, blue, and have to be turned round."""
        camera, self._enums = _libraries()
        self.model = _model_of(camera, index)
        self._camera = _opened(camera, index, clock, sleep)

    @property
    def controls(self) -> Mapping[str, Any]:
        """What can be set: least, most and default."""
        with self._told("cannot be asked"):
            return dict(self._camera.camera_controls)

    def modes(self) -> tuple[list[Mapping[str, Any]], tuple[int, int] | None]:
        """Its modes as the vendor lists them, and the size of its pixel array."""
        with self._told("cannot be asked"):
            return list(self._camera.sensor_modes), self._camera.camera_properties.get("PixelArraySize")

    def start(self, mode: Mode, controls: Mapping[str, Any]) -> None:
        """Have it send pictures of a mode, set by `controls` from its first frame on. What it gives is
        compared with what was asked for."""
        with self._told("cannot be set up"):
            try:
                wanted = self._camera.create_video_configuration(
                    # What libcamera calls RGB888 lies in memory as blue, green, red.
                    main={"size": mode.size, "format": "RGB888"},
                    raw=None,
                    sensor={"output_size": mode.size, "bit_depth": mode.bit_depth},
                    controls=dict(controls),
                    display=None,
                    encode=None,
                )
            except TypeError as error:
                raise CameraError(f"picamera2 is too old ({error}); {UPDATE}") from error
            self._camera.configure(wanted)
            main = self._camera.camera_configuration()["main"]
            if tuple(main["size"]) != mode.size:
                raise CameraError(f"{self._name} {_other_size(main['size'], mode.size)}; {UPDATE}")
            if main["format"] not in _ORDERS:
                raise CameraError(f"{self._name} gives pictures as {main['format']}, not RGB888; {UPDATE}")
            self.red_first = _ORDERS[main["format"]]
            self._size = mode.size
            self._camera.start()

    def set(self, controls: Mapping[str, Any]) -> None:
        """Have frames taken so, from one of the next on."""
        with self._told("cannot be set"):
            self._camera.set_controls(dict(controls))

    def focus_by_hand(self) -> dict[str, Any]:
        """The setting that leaves the lens where it is put."""
        return {"AfMode": self._enums.AfModeEnum.Manual}

    def focus_once(self) -> dict[str, Any]:
        """The settings that begin a search for the focus."""
        return {"AfMode": self._enums.AfModeEnum.Auto, "AfTrigger": self._enums.AfTriggerEnum.Start}

    @contextlib.contextmanager
    def frame(self) -> Iterator["DeviceFrame"]:
        """The next frame; its buffers are given back in any case, for a camera whose buffers are kept stands
        still. `CameraError` if none comes for `NO_FRAME_S`."""
        if self._closed:
            raise CameraError(f"the camera {self._name} is closed; open it again")
        try:
            request = self._camera.capture_request(wait=NO_FRAME_S)
        except TimeoutError as error:
            raise CameraError(
                f"the camera {self._name} has sent no picture for {NO_FRAME_S:g} s; check its ribbon cable "
                "at both ends"
            ) from error
        except Exception as error:
            raise CameraError(f"the camera {self._name} fails: {error}; check its ribbon cable") from error
        try:
            with self._told("fails"):
                yield DeviceFrame(request.get_metadata(), lambda: self._picture(request))
        finally:
            with self._told("fails"):
                request.release()

    def close(self) -> None:
        """Give the device back; bounded, though its stopping may hang: then no one can open it again before
        that has ended, or the program has."""
        if self._closed:
            return
        self._closed = True
        # It also holds on to the vendor's object, whose end would wait for the same.
        thread = threading.Thread(target=self._stop, name=f"closing {self._name}", daemon=True)
        thread.start()
        thread.join(CLOSE_S)
        if thread.is_alive():
            logger.warning("the camera %s does not stop; it is left alone", self._name)

    def _stop(self) -> None:
        try:
            self._camera.close()
        except Exception as error:  # it is gone as far as we are concerned
            logger.warning("the camera %s: %s", self._name, error)
        _HELD.pop(self._index, None)

    def _picture(self, request: Any) -> Image:
        """Blue, green, red, and nobody else's."""
        image = request.make_array("main")
        height, width = image.shape[:2]
        if (width, height) != self._size:
            raise CameraError(f"{self._name} {_other_size((width, height), self._size)}; start it again")
        if image.shape[2] == 4:
            code = cv2.COLOR_RGBA2BGR if self.red_first else cv2.COLOR_BGRA2BGR
            return np.asarray(cv2.cvtColor(image, code), dtype=np.uint8)
        if self.red_first:
            return np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2BGR), dtype=np.uint8)
        return np.asarray(image, dtype=np.uint8)

    @contextlib.contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Errors of the libraries become ours."""
        try:
            yield
        except CameraError:
            raise
        except Exception as error:
            raise CameraError(f"the camera {self._name} {what}: {error}; {UPDATE}") from error


class DeviceFrame:
    """A frame whose buffers are held: what it says of itself, and its picture, which is copied when asked."""

    def __init__(self, metadata: Metadata, picture: Callable[[], Image]) -> None:
        self.metadata = metadata
        self.picture = picture

    @property
    def at(self) -> float:
        """When its first line was read, in seconds of CLOCK_MONOTONIC. libcamera's documentation speaks of
        CLOCK_BOOTTIME; V4L2 stamps with the former, picamera2's `flush` compares with it, and on a Pi, which
        is never suspended, they are the same."""
        return float(self.metadata["SensorTimestamp"]) / 1e9


def _other_size(seen: Any, wanted: tuple[int, int]) -> str:
    return f"gives pictures of {seen[0]}x{seen[1]} instead of {wanted[0]}x{wanted[1]}"


def _libraries() -> tuple[Any, Any]:
    """picamera2's camera, and libcamera's controls."""
    try:
        import libcamera
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraError(
            f"the Pi's camera needs picamera2, which usb:0 and recordings do without ({error}); install it "
            "with `sudo apt install python3-picamera2`, and make the virtual environment with "
            "--system-site-packages"
        ) from error
    except Exception as error:  # a numpy that is not the system's breaks simplejpeg with a ValueError
        raise CameraError(
            f"picamera2 does not start ({error}); take numpy out of the virtual environment: it has to be "
            "the system's"
        ) from error
    return Picamera2, libcamera.controls


def _model_of(vendor: Any, index: int) -> str:
    """What libcamera calls the sensor. `CameraError` if there is no such camera."""
    # USB cameras are listed, too, behind those on ribbon cables.
    listed = [info for info in vendor.global_camera_info() if "/usb" not in str(info.get("Id", ""))]
    if index >= len(listed):
        there = f"; name pi:0{'' if len(listed) == 1 else f' to pi:{len(listed) - 1}'}, there are no others"
        raise CameraError(
            f"there is no camera pi:{index}"
            + (there if listed else "; check the ribbon cable at both ends, then start the computer anew")
        )
    return str(listed[index].get("Model", "unknown"))


def _opened(vendor: Any, index: int, clock: Callable[[], float], sleep: Callable[[float], None]) -> Any:
    """The vendor's object that holds the camera, as soon as no one else does."""

    class Held(vendor):  # type: ignore[misc]  # its base is known on the Pi only
        """A camera that leaves no pipe open when it cannot be had, which is tried again and again."""

        def __init__(self) -> None:
            try:
                super().__init__(index)
            except BaseException:
                with contextlib.suppress(AttributeError, OSError):
                    os.close(self.notifyme_w)
                raise

    until = clock() + BUSY_S
    said = False
    while True:
        busy: Exception | None = None
        if index not in _HELD:
            try:
                camera = Held()
            except Exception as error:
                if not _is_busy(error):
                    why = _reason(error)
                    raise CameraError(f"the camera pi:{index} does not open: {why}; {UPDATE}") from error
                busy = error
            else:
                _HELD[index] = camera
                return camera
        if clock() >= until:
            raise _in_use(index) from busy
        if not said:
            said = True
            logger.warning("the camera pi:%d is in use; waiting for it", index)
        sleep(BUSY_PAUSE_S)


def _in_use(index: int) -> CameraError:
    """Why a camera cannot be had for so long."""
    if index in _HELD:
        return CameraHangsError(
            f"the camera pi:{index} hangs in its driver since it was to be stopped; check its cable, and "
            "start the program again"
        )
    return CameraError(
        f"the camera pi:{index} is in use by another program; end that (another setmatch, rpicam-hello, "
        "motion ...)"
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what it came from."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _is_busy(error: BaseException) -> bool:
    """Whether another program holds the camera: picamera2 tells it in the error behind its own only."""
    marks = ("busy", "in use", "failed to acquire", "-16")
    return any(mark in str(each).lower() for each in _causes(error) for mark in marks)


def _reason(error: BaseException) -> str:
    """The first cause, which says more than picamera2's own words."""
    return str(list(_causes(error))[-1]) or str(error)
