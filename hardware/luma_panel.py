"""OLED panels on I2C or SPI through luma.oled; the one adapter that imports luma.

luma makes the bytes, from one device object that a panel keeps for good; this module sends them.
"""

import contextlib
import errno
from typing import TYPE_CHECKING, Protocol

from hardware.errors import PanelError
from hardware.panel import I2cBus, PanelSpec, Specified, SpiBus, checked_level, fitting

if TYPE_CHECKING:
    from PIL.Image import Image

_RESET_S = 0.001  # RES low, and rest after it: the SSD1306 asks for 3 us, the SSD1322 for 100 us
_DISPLAY_OFF = 0xAE  # of the mono chips; what luma's set-up begins with
_ALL_OFF = 0xA4  # of the SSD1322, likewise ("entire display off", its datasheet's table of commands)
_BRIGHT = 0xCF  # what luma sets on a mono panel
# smbus2 comes with luma; spidev and the pins' library are the extra's, which the installer asks for where the
# system has spidev. This program is in no index that pip knows.
_I2C_MISSING = "install this program again, which brings it along"
_SPI_MISSING = (
    "`sudo apt install python3-spidev` and install this program again by its systemd/install.sh, or in a "
    "virtual environment of your own `pip install '.[spi]'` in its folder"
)

_Part = tuple[bool, bytes]
"""What goes out in one piece: whether it is a command, and its bytes."""


class _Wire(Protocol):
    """What luma calls a serial interface."""

    def command(self, *command: int) -> None: ...
    def data(self, data: list[int]) -> None: ...
    def cleanup(self) -> None: ...


class _Tape:
    """A wire on which nothing is sent: it keeps what a device of luma's wanted to send."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []

    def command(self, *command: int) -> None:
        self._parts.append((True, bytes(command)))

    def data(self, data: list[int]) -> None:
        self._parts.append((False, bytes(data)))

    def cleanup(self) -> None:
        """luma calls this at exit."""

    def taken(self) -> list[_Part]:
        """What was kept since the last time."""
        parts, self._parts = self._parts, []
        return parts


class _Chip:
    """What luma sends to a chip, as bytes.

    luma's device sends its set-up when it is made, and is never let go of: it enrols in `atexit`, to
    darken the panel then. Made anew at each attempt to reach a panel it would cost a third of a megabyte
    every time; so it is made once, on a tape, and what it sent is sent again.
    """

    def __init__(self, spec: PanelSpec) -> None:
        from luma.core.framebuffer import full_frame
        from luma.oled import device

        make = {
            "ssd1306": device.ssd1306,
            "ssd1309": device.ssd1309,
            "sh1106": device.sh1106,
            "ssd1322": device.ssd1322,
        }[spec.driver]
        width, height = spec.chip_size
        self._tape = _Tape()
        # Whole frames: after a failure nobody knows what the chip holds, so differences are of no use.
        self._device = make(
            self._tape, width=width, height=height, rotate=spec.rotation // 90, framebuffer=full_frame()
        )
        set_up = self._tape.taken()
        self._device.clear()
        blank = self._tape.taken()
        contrast = self.contrast(_BRIGHT)
        # The set-up ends in: brightness, an empty frame, on. All three are this module's to send.
        self.settings = _not_darkening(set_up[: -len(contrast) - len(blank) - 1], spec)

    def frame(self, image: "Image") -> list[_Part]:
        """A picture, that fits."""
        self._device.display(image if image.mode == self._device.mode else image.convert("RGB"))
        return self._tape.taken()

    def contrast(self, level: int) -> list[_Part]:
        self._device.contrast(level)
        return self._tape.taken()

    def on(self) -> list[_Part]:
        self._device.show()
        return self._tape.taken()

    def off(self) -> list[_Part]:
        self._device.hide()
        return self._tape.taken()


def _not_darkening(parts: list[_Part], spec: PanelSpec) -> list[_Part]:
    """The settings without the command that darkens: a lit panel is not to flicker, and a chip that has
    just got its power is dark by itself."""
    darkening = _ALL_OFF if spec.driver == "ssd1322" else _DISPLAY_OFF
    for number, (is_command, sent) in enumerate(parts):
        if is_command and sent[0] == darkening:
            rest = [(True, sent[1:])] if len(sent) > 1 else []
            return parts[:number] + rest + parts[number + 1 :]
    return parts


class LumaPanel(Specified):
    """The panel `spec` through luma.oled, on the wires of this computer. Made without touching them.

    On I2C a frame of a mono panel takes 25 ms at 400 kHz and 100 ms at the 100 kHz that a Pi starts
    with: set `dtparam=i2c_arm_baudrate=400000` in its config.txt. SPI has no answer: a panel that is
    missing there cannot be told from one that works.
    """

    def __init__(self, spec: PanelSpec) -> None:
        super().__init__(spec)
        self._chip: _Chip | None = None
        self._wire: _Wire | None = None
        self._level = _BRIGHT
        self._is_on = False  # known to be: after `open` it may be either

    def open(self) -> None:
        """Reach the panel and set it up, without a flicker if it is lit; `PanelError` if that fails."""
        self._is_on = False
        try:
            if self._chip is None:
                self._chip = _Chip(self._spec)
            if self._wire is None:
                self._wire = _connected(self._spec)
        # luma, smbus2, spidev and lgpio each raise what they like, some of it plain `Exception`.
        except Exception as error:
            raise _explained(self._spec, error) from error
        self._send(self._chip.settings + self._chip.contrast(self._level))

    def show(self, image: "Image") -> None:
        """Show a whole picture; `PictureError` if it does not fit, `PanelError` if it cannot be sent."""
        image = fitting(image, self._spec)
        chip = self._opened()
        self._send(chip.frame(image) + ([] if self._is_on else chip.on()))
        self._is_on = True

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""
        level = checked_level(level, self._spec)
        self._send(self._opened().contrast(level))
        self._level = level

    def hide(self) -> None:
        """Make it dark, until the next picture."""
        self._send(self._opened().off())
        self._is_on = False

    def close(self) -> None:
        """Give the bus back."""
        wire, self._wire = self._wire, None
        if wire is not None:
            with contextlib.suppress(Exception):  # it may be gone, and then there is nothing to give back
                wire.cleanup()

    def _opened(self) -> _Chip:
        if self._chip is None or self._wire is None:
            raise PanelError(f"the panel {self.name} is not open; open it first")
        return self._chip

    def _send(self, parts: list[_Part]) -> None:
        wire = self._wire
        assert wire is not None  # the bytes come from a chip that `open` or `_opened` gave
        try:
            for is_command, sent in parts:
                if is_command:
                    wire.command(*sent)
                else:
                    wire.data(list(sent))
        except Exception as error:  # see `open`
            self.close()
            raise _explained(self._spec, error) from error


def _connected(spec: PanelSpec) -> _Wire:
    """The wires to the panel. On I2C nothing is sent yet; on SPI the chip is reset."""
    from luma.core.interface.serial import i2c, spi

    wire: _Wire
    match spec.bus:
        case I2cBus(port=port, address=address):
            wire = i2c(port=port, address=address)
        case SpiBus(port=port, device=device, dc_pin=dc_pin, reset_pin=reset_pin):
            wire = spi(
                port=port,
                device=device,
                gpio_DC=dc_pin,
                gpio_RST=reset_pin,
                reset_hold_time=_RESET_S,
                reset_release_time=_RESET_S,
            )
    return wire


def _explained(spec: PanelSpec, error: Exception) -> PanelError:
    """What went wrong, for people, with what to do about it."""
    on_i2c = isinstance(spec.bus, I2cBus)
    kind, group = ("I2C", "i2c") if on_i2c else ("SPI", "spi")
    number = _error_number(error)
    if isinstance(error, ImportError):
        what, then = f"{error}", _I2C_MISSING if on_i2c else _SPI_MISSING
    elif number == errno.ENOENT and not _is_lumas(error):
        # Luma has words of its own for a bus that is missing. SPI's other pins are lgpio's, which makes a
        # pipe in the working directory when it is loaded, and fails where it may not write.
        what = f"the library of the Pi's pins does not start ({error})"
        then = "start this program from a folder that it may write to"
    elif number == errno.ENOENT:
        what = f"{kind} {spec.bus.port} of this computer is missing or switched off"
        then = f"switch {kind} on with `sudo raspi-config`, under Interface Options, and check its number"
    elif number in (errno.EACCES, errno.EPERM):
        what, then = f"this user may not use {kind}", f"add the user to the group `{group}`"
    elif number in (errno.EREMOTEIO, errno.ENXIO, errno.EIO) and on_i2c:
        what = "it does not answer"
        then = f"check its four wires, and its address with `i2cdetect -y {spec.bus.port}`"
    elif number == errno.ETIMEDOUT:
        what = "the bus is held down"
        then = "look for a loose wire or a short, then switch the power off and on"
    else:
        what, then = f"{error or type(error).__name__}", "check its wires and its place in the configuration"
    return PanelError(f"the panel {spec.name} is not to be reached: {what}; {then}")


def _is_lumas(error: Exception) -> bool:
    """Whether it is an error of luma's own."""
    from luma.core.error import Error

    return isinstance(error, Error)


def _error_number(error: BaseException) -> int | None:
    """The system's number for it: luma replaces some errors and leaves the number in what was before."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno is not None:
            return seen.errno
        seen = seen.__cause__ or seen.__context__
    return None
