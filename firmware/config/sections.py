"""What there is to set: a struct a section, with what each key may hold in words that a person can follow.

Values and what the rest of the firmware makes of them; no file is read and no device opened here. What
contradicts another key is found in `checking.py`.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from msgspec import Meta

from firmware.config.link import LinkSection
from firmware.config.section import PLAIN, File, Folder, Section
from firmware.rules import OptionName, Preset, Seat, Setup, Side, choose, idle_options
from firmware.texts import Language, Texts, load
from hardware.button import Button, Kind
from hardware.exposure import MainsHz
from hardware.panel import Bus, Driver, I2cBus, PanelSpec, Rotation, SpiBus
from hardware.pins import I2C_PINS, SPI_PINS

if TYPE_CHECKING:  # it loads Pillow, which a check of the configuration does not need
    from firmware.panel_bus import PanelCare

Role = Literal["in-rally", "game"]
"""What a panel shows: the marker of the rally, or points, games and sets."""
Place = Literal["A", "B", "A1", "B1", "A2", "B2"]
"""Who can have a name: a side, or a player in doubles."""

# A name is read on a panel and said in one breath. No control characters: they would reach terminals.
Name = Annotated[
    str,
    Meta(
        pattern=r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]{0,14}[^\s\x00-\x1f\x7f-\x9f])?$",
        description="a name of 1 to 16 letters, without spaces around it",
    ),
]
Pin = Annotated[int, Meta(ge=2, le=27, description="a BCM pin number from 2 to 27")]
Level = Annotated[int, Meta(ge=0, le=255, description="a brightness from 0 to 255")]
Pixels = Annotated[int, Meta(ge=200, le=10_000)]
PictureSize = Annotated[
    tuple[Pixels, Pixels], Meta(description="width and height in pixels, each from 200, such as [1280, 720]")
]
Seconds = Annotated[float, Meta(ge=1, le=86_400, description="seconds, from 1 to 86400")]


class CameraSection(Section, frozen=True):
    """[camera]"""

    source: Annotated[
        str,
        Meta(
            pattern=PLAIN,
            max_length=4096,
            description='"pi", "pi:1", usb:0, usb:1, ..., "simulated", "none", or a recording',
        ),
    ] = "usb:0"
    rotation: Rotation = 0
    """Degrees clockwise by which its pictures are turned."""
    size: PictureSize | None = None
    """Wanted of a USB camera, before its pictures are turned; None is the best that it has."""
    focal_px: (
        Annotated[
            float, Meta(ge=100, le=100_000, description="the lens's focal length in pixels, such as 1700")
        ]
        | None
    ) = None
    lens_mm: (
        Annotated[float, Meta(ge=1, le=100, description="a lens in millimetres, from 1 to 100, such as 16")]
        | None
    ) = None
    """What is written on the lens of a camera module with a C/CS mount."""
    mains_hz: MainsHz = 50
    """Of the lamps' mains: exposures are multiples of their flicker."""
    calibration: File | None = None
    """A calibration that was saved; without one the board is found in the first pictures."""


class BoardSection(Section, frozen=True):
    """[board]"""

    edition: Annotated[
        str,
        Meta(
            pattern=PLAIN,
            max_length=4096,
            description="the name of a board, such as classic, or a .toml file",
        ),
    ] = "classic"
    ball: Annotated[
        str,
        Meta(
            pattern=PLAIN, max_length=4096, description="a colour's name, #rrggbb, or a picture of the ball"
        ),
    ] = "yellow"
    swap_ends: bool = False
    """Side A is at the other end than found."""


class MatchSection(Section, frozen=True):
    """[match]"""

    preset: Preset = "confirmed"
    options: Mapping[OptionName, bool] = {}
    """What is played otherwise than the preset has it."""
    doubles: bool = False
    games: Literal[3, 6] = 3
    sets: Literal[1, 2, 3] = 2
    first_server: Side = "A"
    names: Mapping[Place, Name] = {}
    language: Language = "en"


class PanelSection(Section, frozen=True):
    """[[panel]]: as many as there are."""

    role: Role
    driver: Driver = "ssd1306"
    interface: Literal["i2c", "spi"] = "i2c"
    port: Annotated[int, Meta(ge=0, le=99, description="the N of /dev/i2c-N or /dev/spidevN.M")] | None = None
    """Bus 1 of I2C, bus 0 of SPI unless told otherwise."""
    address: (
        Annotated[
            int, Meta(ge=0x08, le=0x77, description="an address from 0x08 to 0x77, mostly 0x3c or 0x3d")
        ]
        | None
    ) = None
    device: Annotated[int, Meta(ge=0, le=9, description="the M of /dev/spidevN.M")] | None = None
    dc_pin: Pin | None = None
    reset_pin: (
        Annotated[int, Meta(ge=2, le=27, description='a BCM pin number from 2 to 27, or "none"')]
        | Literal["none"]
        | None
    ) = None
    """`none`: RES is not wired to a pin of its own."""
    rotation: Rotation = 0

    @property
    def bus(self) -> Bus:
        """Its wires. `PanelError` for what cannot be."""
        if self.interface == "i2c":
            return I2cBus(**_given(port=self.port, address=self.address))
        return SpiBus(
            **_given(port=self.port, device=self.device, dc_pin=self.dc_pin), reset_pin=self._reset()
        )

    @property
    def spec(self) -> PanelSpec:
        """The panel. `PanelError` for what no such panel can be."""
        return PanelSpec(self.driver, self.bus, self.rotation)

    @property
    def misplaced(self) -> tuple[str, ...]:
        """Keys that say nothing on this interface."""
        names = ("device", "dc_pin", "reset_pin") if self.interface == "i2c" else ("address",)
        return tuple(name for name in names if getattr(self, name) is not None)

    def _reset(self) -> int | None:
        match self.reset_pin:
            case None:
                return SpiBus().reset_pin
            case "none":
                return None
            case int() as pin:
                return pin


class PanelCareSection(Section, frozen=True):
    """[panel_care]: against burn-in; the defaults are those of `firmware.panel_bus.PanelCare`."""

    bright: Level = 0xCF
    dim: Level = 0x10
    idle_after_s: Seconds = 300.0
    shift_every_s: Seconds = 60.0


class SideButtons(Section, frozen=True):
    """[buttons.A], [buttons.B]: pins; a button without one is not there."""

    confirm: Pin | None = None
    challenge: Pin | None = None
    confirm_led: Pin | None = None
    challenge_led: Pin | None = None


_WITHOUT: Final[Mapping[Kind, str]] = {
    "confirm": "side {side} can accept nothing and undo nothing, and what both have to confirm never is",
    "challenge": "side {side} can ask for no review and call no flick fault, and nobody can overrule a call",
}
"""What a side cannot do that has no such button."""


class ButtonsSection(Section, frozen=True):
    """[buttons]"""

    pull_up: bool = True
    """The buttons are between pin and ground; else between pin and 3.3 V."""
    A: SideButtons = SideButtons()
    B: SideButtons = SideButtons()

    def wired(self) -> Iterator[tuple[str, Button, int | None, int | None]]:
        """Each button: its path in the file, its pin and its lamp's."""
        sides: tuple[tuple[Side, SideButtons], ...] = (("A", self.A), ("B", self.B))
        kinds: tuple[Kind, ...] = ("confirm", "challenge")
        for side, keys in sides:
            for kind in kinds:
                pin, lamp = getattr(keys, kind), getattr(keys, f"{kind}_led")
                yield f"buttons.{side}.{kind}", Button(side, kind), pin, lamp

    def lacking(self) -> tuple[str, ...]:
        """What cannot be done at the table where some buttons are there and others are not, in sentences: a
        match is played all the same. None at all are enough for a board that calls, and is not answered."""
        absent = {path: button for path, button, pin, _ in self.wired() if pin is None}
        if len(absent) == len(tuple(self.wired())):
            return ()
        return tuple(
            f"{path} is not set: {_WITHOUT[button.kind].format(side=button.side)}"
            for path, button in absent.items()
        )


class SpeakerSection(Section, frozen=True):
    """[speaker]"""

    device: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            pattern=r"^[^\x00-\x20-][^\x00-\x1f]*$",
            description="a sound device as `aplay -L` lists them, such as default",
        ),
    ] = "default"
    volume: Annotated[int, Meta(ge=0, le=100, description="a whole number from 0 to 100")] = 100
    """Per cent of how loud the device can be."""
    mute: bool = False
    language: Language | None = None
    """The match's unless told otherwise."""
    clips: Folder | None = None
    """Where `setmatch voice` put the clips; None is the folder `voice` in the one for state."""


class ReviewSection(Section, frozen=True):
    """[review]"""

    limit: Annotated[int, Meta(ge=0, le=99, description="a whole number from 0 to 99")] | None = None
    """So many wrong reviews a side and set; 0 is no reviews at all, None as many as one likes."""
    keep_mb: Annotated[int, Meta(ge=1, le=100_000, description="megabytes, from 1 to 100000")] = 200
    """Room on disk for the pictures of reviews; the oldest go first."""


Topic = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$",
        max_length=128,
        description="a topic: letters, digits, - and _, with / between its levels",
    ),
]


class MqttSection(Section, frozen=True):
    """[mqtt]: where the match is published; nowhere without a host."""

    host: (
        Annotated[
            str,
            Meta(pattern=r"^[^\s\x00-\x1f/]+$", max_length=253, description="a broker's name or IP address"),
        ]
        | None
    ) = None
    port: Annotated[int, Meta(ge=1, le=65_535, description="a port from 1 to 65535")] | None = None
    """1883 unless told otherwise, 8883 with `tls`."""
    board: (
        Annotated[
            str,
            Meta(
                pattern="^[A-Za-z0-9_-]+$",
                max_length=64,
                description="a name of up to 64 letters, digits, - and _",
            ),
        ]
        | None
    ) = None
    """This board's name in topics; the computer's unless told otherwise."""
    topic: Topic = "setmatch"
    credentials: File | None = None
    """A TOML file with `username` and `password`."""
    tls: bool = False
    ca: File | None = None
    """The certificate of who signed the broker's; the system's unless told otherwise."""
    discovery: bool = True
    """Home Assistant is to find the board by itself."""
    discovery_topic: Topic = "homeassistant"


class StateSection(Section, frozen=True):
    """[state]"""

    directory: Folder | None = None
    """Where journal, calibration and reviews are kept; None is the user's own folder for state."""


class Config(Section, frozen=True):
    """All that can be set. A default of it is what an empty file means."""

    camera: CameraSection = CameraSection()
    board: BoardSection = BoardSection()
    match: MatchSection = MatchSection()
    panel: tuple[PanelSection, ...] = ()
    panel_care: PanelCareSection = PanelCareSection()
    buttons: ButtonsSection = ButtonsSection()
    speaker: SpeakerSection = SpeakerSection()
    review: ReviewSection = ReviewSection()
    mqtt: MqttSection = MqttSection()
    link: LinkSection = LinkSection()
    state: StateSection = StateSection()

    def setup(self) -> Setup:
        """What the match is played by."""
        match = self.match
        return Setup(
            preset=match.preset,
            chosen=choose(match.preset, match.options),
            doubles=match.doubles,
            games_to_set=match.games,
            sets_to_win=match.sets,
            first_server=match.first_server,
        )

    def texts(self) -> Texts:
        """The texts that people read, with the players' names in them."""
        return load(self.match.language).named(self.names())

    def names(self) -> Mapping[Side | Seat, str]:
        """The players' names, those that were given."""
        return dict(self.match.names)

    def spoken_language(self) -> Language:
        """The language of the voice."""
        return self.speaker.language or self.match.language

    def panels(self) -> tuple[tuple[Role, PanelSpec], ...]:
        """The panels and what each is for."""
        return tuple((panel.role, panel.spec) for panel in self.panel)

    def care(self) -> "PanelCare":
        """How panels are kept from burning in."""
        from firmware.panel_bus import PanelCare

        return PanelCare(**msgspec.structs.asdict(self.panel_care))

    def pins(self) -> Mapping[Button, int]:
        """The pins of the buttons that are there."""
        return {button: pin for _, button, pin, _ in self.buttons.wired() if pin is not None}

    def lamps(self) -> Mapping[Button, int]:
        """The pins of the buttons' lamps that are there."""
        return {button: lamp for _, button, _, lamp in self.buttons.wired() if lamp is not None}

    def warnings(self) -> tuple[str, ...]:
        """What is set and changes nothing, in sentences: no mistake, but somebody may have meant something
        else by it."""
        camera, match, setup = self.camera, self.match, self.setup()
        idle = [f"match.options.{name}" for name in idle_options(setup) if match.options.get(name)]
        if setup.simplified:
            default = MatchSection()
            idle += [
                f"match.{key}" for key in ("games", "sets") if getattr(match, key) != getattr(default, key)
            ]
        told = [f"{path} has no effect with the other rules of this match" for path in idle]
        if camera.lens_mm is not None and camera.source.partition(":")[0] != "pi":
            told.append(f"camera.lens_mm has no effect with {camera.source}; give camera.focal_px")
        if camera.size is not None and camera.source.partition(":")[0] != "usb":
            told.append(f"camera.size has no effect with {camera.source}, but with USB cameras only")
        told += [*self._pins_of_buses(), *self._idle_of_mqtt()]
        if not match.doubles:
            told += [
                f"match.names.{place} has no effect in singles; name A and B"
                for place in match.names
                if len(place) > 1
            ]  # a seat, not a side
        return tuple(told)

    def _pins_of_buses(self) -> Iterator[str]:
        """Pins of buttons and lamps that are a bus's: systemd/install.sh switches I2C 1 and SPI 0 on, and
        what the kernel holds is told as busy when it is opened."""
        for path, _, button, lamp in self.buttons.wired():
            for at, number in ((path, button), (f"{path}_led", lamp)):
                for name, lines in (("I2C", I2C_PINS[1]), ("SPI", SPI_PINS[0])):
                    if number in lines.values():
                        yield (
                            f"{at} = {number} is a pin of {name}'s, which the installer switches on, and it "
                            "may be busy; take another pin"
                        )

    def _idle_of_mqtt(self) -> list[str]:
        """What says nothing of how it is published."""
        default = MqttSection()
        idle = [key for key in default.__struct_fields__ if getattr(self.mqtt, key) != getattr(default, key)]
        if self.mqtt.host is None:
            return [f"mqtt.{key} has no effect without mqtt.host" for key in idle]
        told = ["mqtt.ca has no effect without mqtt.tls"] if "ca" in idle and not self.mqtt.tls else []
        if "discovery_topic" in idle and not self.mqtt.discovery:
            told.append("mqtt.discovery_topic has no effect without mqtt.discovery")
        return told


def _given(**values: int | None) -> dict[str, int]:
    """Those that were set: the others are left to the defaults of who takes them."""
    return {name: value for name, value in values.items() if value is not None}
