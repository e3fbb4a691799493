"""[link]: where controllers are plugged in, for the games that are played on them."""

from typing import Annotated, Final

from msgspec import Meta

from firmware.config.section import PLAIN, Section

AUTO: Final = "auto"
"""In the place of a port: every serial port that USB has, as it is plugged in."""
MOST_PORTS: Final = 32


class LinkSection(Section, frozen=True):
    """[link]: no port, no link."""

    ports: Annotated[
        tuple[Annotated[str, Meta(pattern=PLAIN, max_length=4096)], ...],
        Meta(
            max_length=MOST_PORTS,
            description='a list of serial ports, such as ["auto"] or ["/dev/ttyACM0", "/dev/ttyACM1"]',
        ),
    ] = ()
    """Devices, or what pyserial opens like one; `auto` for all that are plugged into USB."""
    tcp: Annotated[int, Meta(ge=1, le=65_535, description="a port from 1 to 65535")] | None = None
    """Programs on this computer connect here; nobody else can."""

    @property
    def on(self) -> bool:
        """Whether there is a link at all."""
        return bool(self.ports) or self.tcp is not None
