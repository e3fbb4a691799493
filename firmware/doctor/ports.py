"""Looks at the ports that [link] names; what is made of them is in `computer.py`."""

from collections.abc import Iterator

from firmware.config.link import LinkSection
from firmware.doctor import computer
from firmware.doctor.findings import Finding
from firmware.doctor.surroundings import Surroundings
from hardware.errors import HardwareError


def named_ports(link: LinkSection, around: Surroundings) -> Iterator[Finding]:
    """What is wrong with serial ports that are named, and whether programs could be listened to. For a board
    that does not run: who runs has its ports, and says so itself."""
    for url in link.ports:
        if url.startswith("/"):  # else it is not one of this computer's
            yield from computer.check_named_port(url, around.system.device_is_usable(url))
    if link.tcp is not None:
        error = ""
        try:
            around.listen(link.tcp)
        except HardwareError as failure:
            error = str(failure)
        yield computer.check_tcp_port(link.tcp, error)
