"""A camera whose frames come from a file: a video, or an image as a recording of one frame.

Decoding runs ahead in a thread of its own, so that it overlaps with whatever looks at the
frames. This is the one adapter that opens files with OpenCV; devices are usb.py's.
"""

import atexit
import math
import os
import queue
import threading
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Frame
from hardware.errors import CameraError

_AHEAD = 4
"""Frames decoded ahead: enough to smooth a slow moment, 20 MB at 1456 x 1088."""

_STILL_FPS = 1.0
_SILENT = 0  # OpenCV's LOG_LEVEL_SILENT
_POLL_S = 0.1  # how often the decoder looks whether it was told to stop while it waits for room
_ESTIMATE_SLACK = 2
"""Containers without a frame table are counted by duration times rate, which rounds."""

_End = CameraError | None
_Decoded = NDArray[np.integer[Any] | np.floating[Any]]  # what OpenCV's stubs promise


def quieten_opencv() -> None:
    """Keep OpenCV's and FFmpeg's own messages off stderr; our errors say what they would.

    FFmpeg's level is read when the first file is opened, so this comes before that.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # OpenCV 5 moved the setter: cv2.setLogLevel in 4.x, cv2.utils.logging.setLogLevel since.
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    set_level(_SILENT)


class RecordedCamera:
    """The frames of a file at `path`, once. `captured_at` counts from 0.

    `CameraError` when the file is missing, empty, cut short or no video or image: here when that
    shows at once (a file that is shorter than its container says), else from `read` after the last
    frame that could be decoded.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        quieten_opencv()
        _check_file(self._path)
        self._frames: queue.Queue[Frame | _End] = queue.Queue(maxsize=_AHEAD)
        self._stop = threading.Event()
        self._end: _End = None
        self._ended = False
        self._decoder: threading.Thread | None = None
        if cv2.haveImageReader(str(self._path)):
            self._open_image()
        else:
            self._open_video()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._size

    @property
    def fps(self) -> float:
        """Frames a second as the file says; 1 for an image."""
        return self._fps

    @property
    def frame_count(self) -> int | None:
        """How many frames the file announces; None if it does not."""
        return self._announced

    def read(self) -> Frame | None:
        """The next frame; None after the last; `CameraError` if the file ends too early."""
        if not self._ended:
            item = self._frames.get()
            if isinstance(item, Frame):
                return item
            self._end, self._ended = item, True
        if self._end is not None:
            raise self._end
        return None

    def close(self) -> None:
        """Stop decoding. Reading on gives None."""
        self._stop.set()
        self._end, self._ended = None, True
        if self._decoder is not None:
            self._decoder.join()
            self._decoder = None
            atexit.unregister(self.close)

    def _open_image(self) -> None:
        data = np.fromfile(self._path, dtype=np.uint8)
        if _picture_cut_short(data.tobytes()):
            raise CameraError(f"{self._path} is cut short; copy the picture again")
        try:
            image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
        if image is None:
            raise CameraError(f"{self._path} cannot be decoded; save it again as JPEG or PNG")
        self._size, self._fps = (image.shape[1], image.shape[0]), _STILL_FPS
        self._announced: int | None = 1
        self._frames.put(Frame(_as_bgr(image), 0.0, 0))
        self._frames.put(None)

    def _open_video(self) -> None:
        # Looked at first: what could still be read of it would be told as if it were the whole.
        if _video_cut_short(self._path):
            raise CameraError(f"{self._path} is cut short; copy it again, or record it again")
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise _unreadable(self._path)
        width = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH))
        height = int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        first, image = capture.read()
        if not first or image is None or width <= 0 or height <= 0:
            capture.release()
            raise _unreadable(self._path)
        if not (math.isfinite(rate) and 0.1 <= rate <= 1000):
            capture.release()
            raise CameraError(f"{self._path} tells no frame rate; convert it to MP4 (H.264)")
        # A rotation noted in the container is applied to the frames, not to the announced size.
        self._size, self._fps = (image.shape[1], image.shape[0]), rate
        count = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._announced = count if count > 0 else None
        self._decoder = threading.Thread(
            target=self._decode, args=(capture, image), name="decoder", daemon=True
        )
        self._decoder.start()
        # A decoder that still runs when the interpreter ends would abort it.
        atexit.register(self.close)

    def _decode(self, capture: cv2.VideoCapture, image: _Decoded) -> None:
        """Put every frame into the queue, and at last None or the error. Runs in the thread."""
        number, last_at = 0, -math.inf
        start_ms = float(capture.get(cv2.CAP_PROP_POS_MSEC))
        # Whatever stops the thread, the reader must hear of it.
        end: _End = CameraError(f"{self._path}: decoding stopped; convert the file to MP4 (H.264)")
        try:
            while True:
                at = (float(capture.get(cv2.CAP_PROP_POS_MSEC)) - start_ms) / 1000.0
                if not at > last_at:
                    # Some containers carry no times, or repeat one: then the rate must do.
                    at = number / self._fps if number / self._fps > last_at else last_at + 1e-6
                if not self._put(Frame(_as_bgr(image), at, number)):
                    return
                number, last_at = number + 1, at
                more, image = capture.read()
                if not more:
                    break
            end = self._missing(number)
        except (cv2.error, MemoryError):
            end = CameraError(
                f"{self._path}: frame {number} cannot be decoded; convert the file to MP4 (H.264)"
            )
        finally:
            capture.release()
            self._put(end)

    def _missing(self, got: int) -> _End:
        """The error if fewer frames came than were announced."""
        if self._announced is None or got >= self._announced:
            return None
        # The end of a video whose container was whole: only a count from duration times rate may err.
        if got >= self._announced - _ESTIMATE_SLACK:
            return None
        return CameraError(
            f"{self._path} is cut short or damaged: {got} of {self._announced} frames can be "
            "read; copy it again, or record it again"
        )

    def _put(self, item: Frame | _End) -> bool:
        """Whether there was room before the camera was closed."""
        while not self._stop.is_set():
            try:
                self._frames.put(item, timeout=_POLL_S)
            except queue.Full:
                continue
            return True
        return False


def _unreadable(path: Path) -> CameraError:
    return CameraError(
        f"{path} is no video or image that can be read; it may be cut short or of another kind: "
        "copy it again, or convert it to MP4 (H.264), JPEG or PNG"
    )


def _check_file(path: Path) -> None:
    try:
        if not path.exists():
            raise CameraError(f"there is no file {path}; check the name, or give usb:0 or simulated")
        if not path.is_file():
            raise CameraError(f"{path} is not a file; give a video or an image")
        with path.open("rb") as file:
            empty = not file.read(1)
    except CameraError:
        raise
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise CameraError(f"{path} cannot be read: {reason}; check its name and permissions") from problem
    if empty:
        raise CameraError(f"{path} is empty; copy or record it again")


def _as_bgr(image: _Decoded) -> NDArray[np.uint8]:
    colours = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image
    return np.asarray(colours, dtype=np.uint8)


def _picture_cut_short(data: bytes) -> bool:
    """Whether a JPEG or PNG lacks its end: decoders fill the rest with grey and only mutter."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return b"IEND" not in data[-64 * 1024 :]
    if not data.startswith(b"\xff\xd8"):
        return False
    # ITU-T T.81 annex B: segments with lengths up to the scan, in which FF D9 can only be the end.
    # They are walked because a thumbnail in the header has an end of its own.
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        if data[at + 1] == 0xFF:
            at += 1
            continue
        if data[at + 1] == 0xDA:
            return data.find(b"\xff\xd9", at) < 0
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return True


def _video_cut_short(path: Path) -> bool:
    """Whether the file ends before its container's outermost parts do; False for other containers."""
    length = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        if head[4:8] == b"ftyp":
            return _boxes_cut_short(file, length)
        if head[:4] == b"RIFF" and head[8:12] == b"AVI ":
            # The chunk's length leaves out its own 8 bytes of header; recorders that were stopped
            # hard leave 0 there, and what they wrote can be read all the same.
            return 8 + int.from_bytes(head[4:8], "little") > length
        if head[:4] == b"\x1aE\xdf\xa3":
            return _segment_cut_short(file, length)
    return False


def _boxes_cut_short(file: BinaryIO, length: int) -> bool:
    """Whether an MP4's outermost boxes (ISO 14496-12) reach beyond the end of the file."""
    at = 0
    while at + 8 <= length:
        file.seek(at)
        header = file.read(16)
        box = int.from_bytes(header[:4], "big")
        if box == 0:
            return False
        if box == 1:
            box = int.from_bytes(header[8:16], "big")
        if box < 8:
            return True
        at += box
    return at != length


def _segment_cut_short(file: BinaryIO, length: int) -> bool:
    """Whether a Matroska file's segment (RFC 8794, RFC 9559) reaches beyond the end of the file."""
    at = 4
    for is_segment in (False, True):
        file.seek(at)
        size, width = _element_size(file.read(8))
        if size is None:
            return False
        at += width + size
        if is_segment:
            return at > length
        at += 4  # the segment's identifier
    return False


def _element_size(data: bytes) -> tuple[int | None, int]:
    """An EBML element's size (None: unknown, as of a live stream) and how many bytes tell it."""
    if not data or data[0] == 0:
        return None, 0
    width = 9 - data[0].bit_length()
    size = int.from_bytes(data[:width], "big") & ((1 << 7 * width) - 1)
    return (None if size == (1 << 7 * width) - 1 else size), width
