"""The panel port: which panels there are, and what every panel adapter does with a picture.

No vendor library lives here, and no picture is drawn.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from hardware.errors import PanelError, PictureError

if TYPE_CHECKING:  # a Pi without panels need not load Pillow for this module's sake
    from PIL.Image import Image

Mode = Literal["1", "L"]
"""Pillow's names: "1" for panels that are lit or dark, "L" for panels of 16 greys."""
Driver = Literal["ssd1306", "ssd1309", "sh1106", "ssd1322"]
Rotation = Literal[0, 90, 180, 270]
Size = tuple[int, int]
"""Width and height in pixels."""

_CHIPS: dict[Driver, tuple[Size, Mode]] = {
    "ssd1306": ((128, 64), "1"),
    "ssd1309": ((128, 64), "1"),
    "sh1106": ((128, 64), "1"),
    "ssd1322": ((256, 64), "L"),
}
# Seven-bit addresses below and above are the bus's own (I2C specification UM10204, 3.1.12).
_ADDRESSES = range(0x08, 0x78)


@dataclass(frozen=True, slots=True)
class I2cBus:
    """Two wires that panels share. `port`: the N of /dev/i2c-N. `address`: the panel's, 0x3C or 0x3D
    for nearly all. `PanelError` for what cannot be one."""

    port: int = 1
    address: int = 0x3C

    def __post_init__(self) -> None:
        _not_negative("the port of an I2C bus", self.port)
        if self.address not in _ADDRESSES:
            raise PanelError(
                f"{self.address:#04x} is no address on an I2C bus; take one from 0x08 to 0x77 "
                "(`i2cdetect -y 1` shows which ones answer; panels have 0x3c or 0x3d)"
            )

    @property
    def key(self) -> str:
        """The same for all panels on the same wires."""
        return f"i2c:{self.port}"

    def __str__(self) -> str:
        return f"I2C bus {self.port} at {self.address:#04x}"


@dataclass(frozen=True, slots=True)
class SpiBus:
    """A panel on SPI. `port` and `device`: the N and M of /dev/spidevN.M. `dc_pin` and `reset_pin`: BCM
    numbers of the pins wired to D/C and RES; no `reset_pin` where RES is tied to a circuit of its own,
    or to another panel's: who resets one would darken both. `PanelError` for what cannot be one."""

    port: int = 0
    device: int = 0
    dc_pin: int = 24
    reset_pin: int | None = 25

    def __post_init__(self) -> None:
        for what, number in (("port", self.port), ("device", self.device)):
            _not_negative(f"the {what} of an SPI bus", number)
        for what, pin in (("D/C", self.dc_pin), ("RES", self.reset_pin)):
            # GPIO0 and GPIO1 are kept for the boards' own memory; luma takes pin 0 for "none".
            if pin is not None and pin not in range(2, 28):
                raise PanelError(f"{pin} is no pin for {what}; take a BCM number from 2 to 27")
        if self.dc_pin == self.reset_pin:
            raise PanelError(f"D/C and RES cannot share pin {self.dc_pin}; wire them to two pins")

    @property
    def key(self) -> str:
        """The same for all panels on the same wires."""
        return f"spi:{self.port}"

    def __str__(self) -> str:
        return f"SPI {self.port}.{self.device}"


Bus = I2cBus | SpiBus


@dataclass(frozen=True, slots=True)
class PanelSpec:
    """Which chip, where, and how it hangs. `rotation`: degrees clockwise by which pictures are turned,
    for a panel that is mounted turned the other way. `PanelError` for what no such panel can be."""

    driver: Driver
    bus: Bus
    rotation: Rotation = 0

    def __post_init__(self) -> None:
        if self.driver not in _CHIPS:
            raise PanelError(f"no panel chip {self.driver!r} is known; take one of {', '.join(_CHIPS)}")
        if self.rotation not in get_args(Rotation):
            raise PanelError(f"a panel cannot be turned by {self.rotation}; take 0, 90, 180 or 270")
        if self.driver == "ssd1322" and isinstance(self.bus, I2cBus):
            raise PanelError("an ssd1322 has no I2C; wire it to SPI")

    @property
    def name(self) -> str:
        """The chip and its place, for people."""
        return f"{self.driver} on {self.bus}"

    @property
    def size(self) -> Size:
        """Width and height of a picture for this panel, in pixels: turned with the panel."""
        width, height = self.chip_size
        return (width, height) if self.rotation % 180 == 0 else (height, width)

    @property
    def chip_size(self) -> Size:
        """Width and height of the glass, in pixels, as the chip counts them."""
        return _CHIPS[self.driver][0]

    @property
    def mode(self) -> Mode:
        """How the panel's pixels can be lit."""
        return _CHIPS[self.driver][1]


class Panel(Protocol):
    """A panel. It is used by one thread at a time, and panels whose `bus` is the same by the same one.
    Errors are `hardware.errors.PanelError`: they say which panel and what to do next. After one the
    panel has to be opened again."""

    @property
    def name(self) -> str:
        """The chip and its place, for people."""
        ...

    @property
    def bus(self) -> str:
        """The same for all panels on the same wires."""
        ...

    @property
    def size(self) -> Size:
        """Width and height of its pictures, in pixels."""
        ...

    @property
    def mode(self) -> Mode:
        """How its pixels can be lit."""
        ...

    def open(self) -> None:
        """Reach the panel and set it up. A panel that is lit already stays so, with what it shows; one
        that is dark stays dark until a picture comes, so that no garbage is seen. On an open panel this
        mends what a power cut or a disturbance on the wires did to its settings, without a flicker."""
        ...

    def show(self, image: "Image") -> None:
        """Show a whole picture: of `size`, in mode "1" or `mode`; `PictureError` for any other, and then
        the panel keeps what it shows."""
        ...

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255; even 0 is not dark. It holds until set again, also over `open`."""
        ...

    def hide(self) -> None:
        """Make it dark, until the next picture."""
        ...

    def close(self) -> None:
        """Give the bus back; what is shown stays. Safe to call twice, and on a panel that is gone."""
        ...


class Specified:
    """What a panel can tell of itself by its specification; part of every adapter of `Panel`."""

    def __init__(self, spec: PanelSpec) -> None:
        self._spec = spec

    @property
    def name(self) -> str:
        """The chip and its place, for people."""
        return self._spec.name

    @property
    def bus(self) -> str:
        """The same for all panels on the same wires."""
        return self._spec.bus.key

    @property
    def size(self) -> Size:
        """Width and height of its pictures, in pixels."""
        return self._spec.size

    @property
    def mode(self) -> Mode:
        """How its pixels can be lit."""
        return self._spec.mode


def fitting(image: "Image", panel: Panel | PanelSpec) -> "Image":
    """The picture in the panel's own mode; `PictureError` if it is not for such a panel."""
    if image.size != panel.size:
        (width, height), (wide, high) = image.size, panel.size
        raise PictureError(
            f"a picture of {width}x{height} does not fit the panel {panel.name}: draw it as {wide}x{high}"
        )
    if image.mode not in ("1", panel.mode):
        raise PictureError(
            f"a picture in mode {image.mode!r} does not suit the panel {panel.name}: draw it in mode "
            f"{panel.mode!r}"
        )
    return image if image.mode == panel.mode else image.convert(panel.mode)


def checked_level(level: int, spec: PanelSpec) -> int:
    """The brightness, if it is one; else `PanelError`."""
    if level not in range(256):
        raise PanelError(f"the panel {spec.name} has no brightness {level}; take one from 0 to 255")
    return level


def _not_negative(what: str, number: int) -> None:
    if number < 0:
        raise PanelError(f"{what} cannot be {number}; take the number in its name under /dev")
