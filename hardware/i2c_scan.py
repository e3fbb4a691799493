"""Who answers on an I2C bus: each address is asked for one byte, and nothing is ever written to it.

What a panel says is luma_panel.py's; here it is only heard that somebody is there.
"""

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hardware.errors import PanelError

ADDRESSES: Final = range(0x08, 0x78)
"""Below and above are the bus's own (I2C specification UM10204, 3.1.12)."""
_SLAVE: Final = 0x0703
"""`I2C_SLAVE` of <linux/i2c-dev.h>: whom the next byte is asked of."""

Knock = Callable[[int, int], None]
"""Ask an address for a byte on an open bus; OSError if nobody answers."""


def _read_one(bus: int, address: int) -> None:
    # Not the empty message of `i2cdetect`: a Pi 5's bus sends none, and some chips take one for a command.
    fcntl.ioctl(bus, _SLAVE, address)
    os.read(bus, 1)


def answering(port: int, *, devices: Path = Path("/dev"), knock: Knock = _read_one) -> tuple[int, ...]:
    """The addresses at which somebody answers on /dev/i2c-`port`, or that a driver of the system has.

    PanelError, with what to do next, if the bus is not there, not this user's, or held down.
    """
    try:
        bus = os.open(devices / f"i2c-{port}", os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        raise PanelError(_unopened(port, error)) from error
    try:
        return tuple(address for address in ADDRESSES if _answers(bus, port, address, knock))
    finally:
        os.close(bus)


def _answers(bus: int, port: int, address: int, knock: Knock) -> bool:
    try:
        knock(bus, address)
    except OSError as error:
        if error.errno == errno.ETIMEDOUT:
            # Every other address would take a second, too, to say the same.
            raise PanelError(
                f"I2C bus {port} is held down; look for a loose wire or a short, then switch the power "
                "off and on"
            ) from error
        return error.errno == errno.EBUSY
    return True


def _unopened(port: int, error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"this user may not use I2C bus {port}; add the user to the group `i2c`"
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return (
            f"I2C bus {port} of this computer is missing or switched off; switch I2C on with "
            "`sudo raspi-config`, under Interface Options, and restart"
        )
    return f"I2C bus {port} does not open ({error.strerror or error}); restart the computer"
