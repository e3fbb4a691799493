"""Which versions are at work. Read from what is installed; nothing is imported for it, and nothing judged."""

import platform
from collections.abc import Mapping
from importlib import metadata
from typing import Final

from hardware.system import System

_OURS: Final = "setmatch-board"
_PACKAGES: Final = (
    *("numpy", "opencv-python-headless", "msgspec", "pillow", "tomlkit", "rich"),
    *("luma.oled", "gpiozero", "lgpio", "picamera2", "paho-mqtt", "pyserial"),
)


def versions(system: System) -> Mapping[str, str | None]:
    """Versions by name, ours first; None of what is not there."""
    return {
        _OURS: _version(_OURS),
        "python": platform.python_version(),
        **{name: _version(name) for name in _PACKAGES},
        "kernel": platform.release(),
        "machine": platform.machine(),
        "system": system.release(),
        "computer": system.model(),
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
