"""Files as cameras: order, times, and every way in which a file can be bad."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras import open_camera
from hardware.errors import CameraError
from hardware.recorded import RecordedCamera

SIZE = (160, 120)


def write_clip(path: Path, frames: int, fourcc: str = "mp4v", fps: float = 25.0) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*fourcc), fps, SIZE)
    random = np.random.default_rng(1)
    for index in range(frames):
        image = random.integers(0, 60, (SIZE[1], SIZE[0], 3), dtype=np.uint8)
        image[:, :80] = 3 * index
        writer.write(image)
    writer.release()


def levels(camera: RecordedCamera) -> list[float]:
    """The level of each frame's left half, until the recording ends or fails."""
    seen = []
    while (frame := camera.read()) is not None:
        seen.append(float(frame.image[:, 10:70].mean()))
    return seen


@pytest.mark.parametrize(("name", "fourcc"), [("a.mp4", "mp4v"), ("a.avi", "MJPG"), ("a.mkv", "mp4v")])
def test_frames_come_in_order(tmp_path: Path, name: str, fourcc: str) -> None:
    write_clip(tmp_path / name, 60, fourcc)
    camera = RecordedCamera(tmp_path / name)
    assert camera.size == SIZE
    assert camera.fps == pytest.approx(25.0)
    assert camera.frame_count == 60
    assert levels(camera) == pytest.approx([3.0 * i for i in range(60)], abs=6.0)
    camera.close()


def test_stopping_half_way_ends_the_decoder(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.mp4", 60)
    camera = RecordedCamera(tmp_path / "a.mp4")
    assert camera.read() is not None
    camera.close()
    assert camera.read() is None


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp"])
def test_an_image_is_one_frame(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"still{suffix}"
    image = np.full((90, 130, 3), (40, 90, 160), np.uint8)
    cv2.imwrite(str(path), image)
    camera = RecordedCamera(path)
    frame = camera.read()
    assert frame is not None
    assert camera.frame_count == 1
    assert frame.captured_at == 0.0
    assert camera.size == (130, 90)
    assert np.abs(frame.image.astype(int) - image).max() <= 3
    assert camera.read() is None


def test_a_grey_image_comes_in_three_channels(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((50, 60), 77, np.uint8))
    frame = RecordedCamera(tmp_path / "grey.png").read()
    assert frame is not None
    assert frame.image.shape == (50, 60, 3)
    assert (frame.image == 77).all()


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="there is no file"):
        RecordedCamera(tmp_path / "none.mp4")


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="is not a file"):
        RecordedCamera(tmp_path)


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    with pytest.raises(CameraError, match="is empty"):
        RecordedCamera(tmp_path / "empty.mp4")


@pytest.mark.parametrize("name", ["notes.mp4", "notes.jpg", "notes"])
def test_text_is_no_video(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("the ball was in\n" * 50)
    with pytest.raises(CameraError, match="no video or image"):
        RecordedCamera(tmp_path / name)


def test_random_bytes_are_no_video(tmp_path: Path) -> None:
    noise = np.random.default_rng(3).integers(0, 256, 20000, dtype=np.uint8)
    (tmp_path / "noise.mp4").write_bytes(noise.tobytes())
    with pytest.raises(CameraError):
        RecordedCamera(tmp_path / "noise.mp4")


def test_an_mp4_that_lost_its_index(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.mp4", 60)
    whole = (tmp_path / "a.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CameraError, match="cut short"):
        RecordedCamera(tmp_path / "cut.mp4")


@pytest.mark.parametrize(("name", "fourcc"), [("a.avi", "MJPG"), ("a.mkv", "mp4v")])
@pytest.mark.parametrize("kept", [0.3, 0.8, 0.999])
def test_other_containers_that_were_cut(tmp_path: Path, name: str, fourcc: str, kept: float) -> None:
    write_clip(tmp_path / name, 60, fourcc)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / f"cut-{name}").write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(CameraError, match="cut short"):
        RecordedCamera(tmp_path / f"cut-{name}")


def test_an_mp4_that_lost_its_last_frames(tmp_path: Path) -> None:
    """It could be read up to there, and is refused before anything of it is told."""
    write_clip(tmp_path / "a.mp4", 60)
    (tmp_path / "cut.mp4").write_bytes(cut_behind_its_index(tmp_path / "a.mp4"))
    with pytest.raises(CameraError, match="cut short"):
        RecordedCamera(tmp_path / "cut.mp4")


def test_an_mp4_whose_last_frames_are_blank(tmp_path: Path) -> None:
    """A copy that stopped and was filled up with zeros has its full length."""
    write_clip(tmp_path / "a.mp4", 60)
    whole = (tmp_path / "a.mp4").stat().st_size
    (tmp_path / "blank.mp4").write_bytes(cut_behind_its_index(tmp_path / "a.mp4").ljust(whole, b"\0"))
    camera = RecordedCamera(tmp_path / "blank.mp4")
    with pytest.raises(CameraError, match=r"cut short or damaged: 3\d of 60 frames"):
        levels(camera)
    # Asked again, it says the same again.
    with pytest.raises(CameraError, match="cut short"):
        camera.read()


def cut_behind_its_index(path: Path) -> bytes:
    """An MP4 with its index moved to the front (as for streaming), and 60 % of its pictures."""
    data = path.read_bytes()
    boxes, at = {}, 0
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        boxes[data[at + 4 : at + 8]] = (at, data[at : at + length])
        at += length
    mdat_at, mdat = boxes[b"mdat"]
    moov = bytearray(boxes[b"moov"][1])
    ftyp = boxes[b"ftyp"][1]
    # stco (ISO 14496-12, 8.7.5) holds where each chunk lies in the file: they all move alike.
    table = moov.index(b"stco") + 4
    count = int.from_bytes(moov[table + 4 : table + 8], "big")
    moved = len(ftyp) + len(moov) - mdat_at
    for entry in range(table + 8, table + 8 + 4 * count, 4):
        place = int.from_bytes(moov[entry : entry + 4], "big") + moved
        moov[entry : entry + 4] = place.to_bytes(4, "big")
    return ftyp + bytes(moov) + mdat[: int(0.6 * len(mdat))]


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_an_image_that_is_cut_short(tmp_path: Path, suffix: str) -> None:
    image = np.random.default_rng(2).integers(0, 256, (200, 200, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / f"a{suffix}"), image)
    whole = (tmp_path / f"a{suffix}").read_bytes()
    (tmp_path / f"cut{suffix}").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CameraError, match="cut short"):
        RecordedCamera(tmp_path / f"cut{suffix}")


def test_nothing_is_spilt_on_stderr(tmp_path: Path) -> None:
    write_clip(tmp_path / "a.mp4", 60)
    (tmp_path / "cut.mp4").write_bytes(cut_behind_its_index(tmp_path / "a.mp4"))
    (tmp_path / "half.mp4").write_bytes((tmp_path / "a.mp4").read_bytes()[:4000])
    script = (
        "import sys\n"
        "from hardware.cameras import open_camera\n"
        "from hardware.errors import CameraError\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n"
        "        camera = open_camera(name)\n"
        "        while camera.read() is not None: pass\n"
        "        print('whole')\n"
        "    except CameraError: print('refused')\n"
    )
    names = [str(tmp_path / name) for name in ("a.mp4", "cut.mp4", "half.mp4", "none.mp4")]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENCV")}
    result = subprocess.run(
        [sys.executable, "-c", script, *names],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=Path(__file__).parents[2],
    )
    assert result.stdout.split() == ["whole", "refused", "refused", "refused"]
    assert result.stderr == ""


class TestOpenCamera:
    def test_a_file(self, tmp_path: Path) -> None:
        write_clip(tmp_path / "a.mp4", 5)
        assert open_camera(str(tmp_path / "a.mp4")).frame_count == 5

    def test_the_simulated_table(self) -> None:
        camera = open_camera("simulated")
        assert camera.frame_count is None
        assert camera.size == (1456, 1088)

    def test_the_pi_camera_without_its_libraries_is_refused_with_a_way_out(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "picamera2", None)
        with pytest.raises(CameraError, match=r"usb:0 .* do without .*; install.*python3-picamera2"):
            open_camera("pi")

    @pytest.mark.parametrize("source", ["pi:", "pi:x", "pi:-1"])
    def test_a_camera_module_without_a_number(self, source: str) -> None:
        with pytest.raises(CameraError, match="pi:0 for the first"):
            open_camera(source)

    @pytest.mark.parametrize("source", ["usb", "usb:", "usb:x", "usb:-1"])
    def test_a_usb_camera_without_a_number(self, source: str) -> None:
        with pytest.raises(CameraError, match="usb:0 for the first"):
            open_camera(source)

    def test_a_usb_camera_that_is_not_there(self) -> None:
        with pytest.raises(CameraError, match="usb:97"):
            open_camera("usb:97")
