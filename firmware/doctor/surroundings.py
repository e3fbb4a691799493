"""What a doctor looks with: the computer's own, or what a test lays in its place. Nothing is judged here."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hardware.programs import Ask, ask
from hardware.system import System, clock_is_synchronised

if TYPE_CHECKING:
    from firmware.config.sections import CameraSection
    from hardware.button import Button, Buttons
    from hardware.camera import Camera
    from hardware.panel import Panel, PanelSpec


@contextmanager
def away() -> Iterator[None]:
    """In a working directory that is nobody's: lgpio, which buttons and SPI panels are reached through, makes
    a pipe in it when it is loaded, and a person may be anywhere."""
    with TemporaryDirectory(prefix="setmatch-") as folder, chdir(folder):
        yield


def _camera(camera: "CameraSection", board: str) -> "Camera":
    from hardware.cameras import open_camera

    return open_camera(
        camera.source,
        camera.rotation,
        board,
        lens_mm=camera.lens_mm,
        mains_hz=camera.mains_hz,
        size=camera.size,
    )


def _panel(spec: "PanelSpec") -> "Panel":
    from hardware.luma_panel import LumaPanel

    return LumaPanel(spec)


def _buttons(pins: "Mapping[Button, int]", lamps: "Mapping[Button, int]", pull_up: bool) -> "Buttons":
    from hardware.gpio_buttons import GpioButtons

    with away():
        return GpioButtons(pins, lamps, pull_up=pull_up)


def _answering(port: int) -> tuple[int, ...]:
    from hardware.i2c_scan import answering

    return answering(port)


def _sound(device: str) -> None:
    from hardware.aplay_speaker import require_device

    require_device(device)


def _listen(port: int) -> None:
    from hardware.tcp_ports import require_free

    require_free(port)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Each field is one way of looking; errors are `HardwareError`, as the parts themselves raise them.

    `answering`: who answers on an I2C bus. `sound`: plays silence on a device.
    `listen`: listens on a port by TCP for a moment. `now` is UTC, `clock` are
    seconds that never go back, `sleep` waits for some.
    """

    system: System = field(default_factory=System)
    ask: Ask = ask
    synchronised: Callable[[], bool | None] = clock_is_synchronised
    camera: "Callable[[CameraSection, str], Camera]" = _camera
    panel: "Callable[[PanelSpec], Panel]" = _panel
    buttons: "Callable[[Mapping[Button, int], Mapping[Button, int], bool], Buttons]" = _buttons
    answering: Callable[[int], tuple[int, ...]] = _answering
    sound: Callable[[str], None] = _sound
    listen: Callable[[int], None] = _listen
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
