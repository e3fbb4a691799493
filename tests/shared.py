"""What tests of pictures share: where footage lies, its truth, and commands run in this process.

Nothing here judges; every test says itself what it expects.
"""

import io
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.parameters import HalfShift, Layout
from firmware import cli

Image = NDArray[np.uint8]
Truth = dict[str, Any]

FOOTAGE = Path(__file__).parent / "footage"
"""The repository's own few pictures and its clip."""
NOBODY = 65534
"""A user with no rights of its own (Debian's `nobody`)."""
BESIDE = Path(__file__).parents[2] / "shared" / "footage"
"""Where all of the footage is, if it is there."""


def shared_footage(*parts: str) -> Path:
    """A folder or file of the footage kept beside the repository; skips the test where it is not.

    Where CI=true a test that was skipped would look like one that passed, so there it fails.
    """
    path = BESIDE.joinpath(*parts)
    if not path.exists():
        text = f"{path} is not here: most footage is kept beside the repository"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{text}; put it there, or run without CI=true")
        pytest.skip(text)
    return path


def needs(program: str, package: str) -> pytest.MarkDecorator:
    """A test that runs a program, from a Debian package: skipped where it is not; not so where CI=true."""
    absent = shutil.which(program) is None
    return unless(f"{program} is not installed (Debian's {package})" if absent else None)


def unless(why_not: str | None) -> pytest.MarkDecorator:
    """A test of what cannot be done here, if there is a reason: skipped with it. Where CI=true it is run, and
    has to fail: a test that was skipped would look like one that passed."""
    skips = why_not is not None and os.environ.get("CI") != "true"
    return pytest.mark.skipif(skips, reason=why_not or "")


@contextmanager
def as_another() -> Iterator[int]:
    """Within it this process is a user whom a file's rights bind, not root; the number of that user."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield os.geteuid()
    finally:
        if root:
            os.seteuid(0)


def truth_of(path: Path) -> Truth:
    """The truth file of a picture or clip."""
    truth: Truth = json.loads(path.with_suffix(".truth.json").read_text())
    return truth


def camera_of(truth: Truth) -> Truth:
    """The camera's entry, which clips keep in a list."""
    camera: Truth = truth["cameras"][0] if "cameras" in truth else truth["setup"]["camera"]
    return camera


def focal_px(path: Path, off_by: float = 0.0) -> float:
    """The focal length of a picture's truth, off by a share of it."""
    return float(camera_of(truth_of(path))["K"][0][0]) * (1.0 + off_by)


def true_layout(truth: Truth) -> Layout:
    """The camera and the places of both halves, as rendered."""
    camera = camera_of(truth)
    K = camera["K"]
    turn = cv2.Rodrigues(np.array(camera["R_world_to_camera"]))[0].ravel()
    k1, k2, p1, p2, k3 = camera["dist_k1_k2_p1_p2_k3"]
    assert k3 == 0
    halves = {
        name: HalfShift(half["dx_mm"], half["dy_mm"], float(np.deg2rad(half["rot_deg"])))
        for name, half in truth["setup"]["halves"].items()
    }
    model = CameraModel(
        K[0][0],
        (K[0][2], K[1][2]),
        (k1, k2, p1, p2),
        (float(turn[0]), float(turn[1]), float(turn[2])),
        tuple(camera["t_mm"]),
    )
    return Layout(model, halves["A"], halves["B"])


def picture(path: Path) -> Image:
    """A picture's pixels."""
    image = cv2.imread(str(path))
    assert image is not None, path
    return np.asarray(image, dtype=np.uint8)


def write_video(path: Path, frames: list[Image], fps: float = 30.0) -> Path:
    """A video of these pictures, all of one size."""
    size = (frames[0].shape[1], frames[0].shape[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    for frame in frames:
        writer.write(frame)
    writer.release()
    return path


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The JSON objects on stdout."""
        return [json.loads(line) for line in self.out.splitlines()]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """Those of one kind."""
        return [line for line in self.lines if line["kind"] == kind]

    def refuses(self, *words: str) -> None:
        """Check that the command ended as an error does: 2, nothing told, one line that says `words`."""
        assert self.code == 2, self
        assert self.out == "", self
        assert self.err.startswith("setmatch: "), self
        assert self.err.endswith("\n"), self
        assert self.err.count("\n") == 1, self
        for word in words:
            assert word in self.err, self


def setmatch(*args: object) -> Ended:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = cli.main([str(arg) for arg in args])
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Ended(code, out.getvalue(), err.getvalue())
