"""The generated parts of the rules' README: what stands between two markers, and how it is recorded anew."""

import os
from pathlib import Path

import firmware.rules

README = Path(firmware.rules.__file__).with_name("README.md")


def shown_between(start: str, end: str, wanted: str) -> str:
    """What the README shows between its markers; with SETMATCH_RECORD=1 `wanted` is written there."""
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(start)
    shown, after = rest.split(end)
    if os.environ.get("SETMATCH_RECORD") == "1":
        README.write_text(before + start + wanted + end + after, encoding="utf-8")
    return shown
