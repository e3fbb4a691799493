"""Pictures compared with recorded ones, pixel by pixel.

SETMATCH_RECORD=1 records them anew; look at every one of them then.
"""

import os
from pathlib import Path

import pytest
from PIL import Image

FOLDER = Path(__file__).parents[1] / "golden"
RECORD = os.environ.get("SETMATCH_RECORD") == "1"
ENLARGED = 6


def check(name: str, got: Image.Image, folder: Path) -> None:
    """Fail unless `got` is the picture recorded as `name`; what differs is left in `folder`."""
    recorded = FOLDER / name
    if RECORD:
        recorded.parent.mkdir(parents=True, exist_ok=True)
        got.save(recorded)
        pytest.skip(f"recorded {name}; look at it")
    assert recorded.exists(), f"{name} has never been recorded; run with SETMATCH_RECORD=1"
    with Image.open(recorded) as expected:
        changed = difference(expected.convert(got.mode), got)
    if changed is not None:
        got.save(folder / f"got.{recorded.name}")
        changed.save(folder / f"difference.{recorded.name}")
        pytest.fail(f"{name} differs from the recorded picture; see {folder}")


def difference(expected: Image.Image, got: Image.Image) -> Image.Image | None:
    """None when equal; else a picture: white in both, red only expected, green only got."""
    if expected.size == got.size and expected.tobytes() == got.tobytes():
        return None
    size = (max(expected.width, got.width), max(expected.height, got.height))
    layers = []
    for image in (expected, got):
        layer = Image.new("L", size)
        layer.paste(image.convert("L"), (0, 0))
        layers.append(layer)
    both = Image.merge("RGB", (layers[0], layers[1], Image.new("L", size)))
    nearest = Image.Resampling.NEAREST
    return both.resize((size[0] * ENLARGED, size[1] * ENLARGED), nearest)
