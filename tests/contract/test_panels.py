"""The panel port's contract, run on the twin, and on the adapter with chips on fake buses."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from luma.core.device import dummy
from luma.core.interface.serial import i2c, noop
from luma.oled import device as luma_device
from PIL import Image, ImageDraw

from hardware.errors import PanelError, PictureError
from hardware.luma_panel import LumaPanel
from hardware.panel import I2cBus, Panel, PanelSpec, SpiBus
from hardware.simulated.panel import SimulatedPanel
from tests.contract.oled_chips import CHIPS, Wires, wire_up


@dataclass
class Rig:
    """A panel and what can be done to it from outside. `glass`: what is seen, as the picture was drawn."""

    panel: Panel
    glass: Callable[[], Image.Image]
    level: Callable[[], int]
    unplug: Callable[[], None]
    plug_in: Callable[[], None]
    fail_every: Callable[[int | None], None]
    answers: bool
    wires: Wires | None = None


Make = Callable[[PanelSpec, pytest.MonkeyPatch], Rig]


def twin(spec: PanelSpec, _: pytest.MonkeyPatch) -> Rig:
    panel = SimulatedPanel(spec)
    return Rig(
        panel,
        lambda: panel.glass,
        lambda: panel.level,
        panel.unplug,
        panel.plug_in,
        panel.fail_every,
        isinstance(spec.bus, I2cBus),
    )


def adapter(spec: PanelSpec, patch: pytest.MonkeyPatch) -> Rig:
    wires = Wires(CHIPS[spec.driver]())
    if isinstance(spec.bus, I2cBus):
        wires.address = spec.bus.address
        wire_up(wires, patch)
    else:
        wire_up(wires, patch, spec.bus.dc_pin)

    def glass() -> Image.Image:
        seen = Image.fromarray(wires.chip.glass()).rotate(spec.rotation, expand=True)
        return seen.convert(spec.mode, dither=Image.Dither.NONE) if wires.plugged else black(spec)

    def fail_every(writes: int | None) -> None:
        wires.fail_every, wires.writes = writes, 0

    return Rig(
        LumaPanel(spec),
        glass,
        lambda: wires.chip.level,
        wires.unplug,
        wires.plug_in,
        fail_every,
        isinstance(spec.bus, I2cBus),
        wires,
    )


SPECS = [
    PanelSpec("ssd1306", I2cBus()),
    PanelSpec("ssd1306", SpiBus(), 180),
    PanelSpec("ssd1309", I2cBus(), 90),
    PanelSpec("ssd1309", SpiBus()),
    PanelSpec("sh1106", I2cBus()),
    PanelSpec("sh1106", SpiBus(), 270),
    PanelSpec("ssd1322", SpiBus()),
    PanelSpec("ssd1322", SpiBus(), 90),
    PanelSpec("ssd1322", SpiBus(), 180),
]


def black(spec: PanelSpec) -> Image.Image:
    return Image.new(spec.mode, spec.size)


def a_picture(spec: PanelSpec, number: int = 0) -> Image.Image:
    """One that looks different from every side, in the panel's greys."""
    image = Image.new(spec.mode, spec.size)
    draw = ImageDraw.Draw(image)
    width, height = spec.size
    draw.rectangle((0, 0, width // 3, 5 + number), fill=255)
    draw.line((0, height - 1, width - 1, height // 2), fill=255)
    draw.point((width - 1, 3), fill=255)
    if spec.mode == "L":
        draw.rectangle((20, 20, 40, 40), fill=0x88)
    return image


@pytest.fixture(params=SPECS, ids=lambda spec: f"{spec.driver}-{spec.bus.key}-{spec.rotation}")
def spec(request: pytest.FixtureRequest) -> PanelSpec:
    made: PanelSpec = request.param
    return made


@pytest.fixture(params=[twin, adapter], ids=lambda make: make.__name__)
def rig(request: pytest.FixtureRequest, spec: PanelSpec, monkeypatch: pytest.MonkeyPatch) -> Rig:
    make: Make = request.param
    return make(spec, monkeypatch)


def same(seen: Image.Image, drawn: Image.Image) -> bool:
    assert (seen.size, seen.mode) == (drawn.size, drawn.mode)
    return seen.tobytes() == drawn.tobytes()


def test_it_says_what_it_is(rig: Rig, spec: PanelSpec) -> None:
    assert rig.panel.name == spec.name
    assert rig.panel.bus == spec.bus.key
    assert rig.panel.size == spec.size
    assert rig.panel.mode == spec.mode


def test_it_is_dark_until_the_first_picture(rig: Rig, spec: PanelSpec) -> None:
    assert same(rig.glass(), black(spec))
    rig.panel.open()
    assert same(rig.glass(), black(spec))


def test_a_picture_is_seen_as_it_was_drawn(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    for number in range(3):
        picture = a_picture(spec, number)
        kept = picture.copy()
        rig.panel.show(picture)
        assert same(rig.glass(), picture)
        assert same(picture, kept)


def test_a_black_and_white_picture_goes_to_every_panel(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    picture = Image.new("1", spec.size)
    ImageDraw.Draw(picture).ellipse((4, 4, 30, 30), fill=1)
    rig.panel.show(picture)
    assert same(rig.glass(), picture.convert(spec.mode))


def test_a_picture_that_does_not_fit_is_refused_and_changes_nothing(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    wrong = {
        "fit": Image.new(spec.mode, (spec.size[0], spec.size[1] + 1)),
        "mode": Image.new("RGB", spec.size),
    }
    for word, picture in wrong.items():
        with pytest.raises(PictureError, match=word) as caught:
            rig.panel.show(picture)
        assert spec.name in str(caught.value)
    assert same(rig.glass(), a_picture(spec))
    rig.panel.show(a_picture(spec, 1))
    assert same(rig.glass(), a_picture(spec, 1))


def test_opening_again_keeps_what_is_lit(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    rig.panel.contrast(9)
    rig.panel.show(a_picture(spec))
    rig.panel.open()
    assert same(rig.glass(), a_picture(spec))
    assert rig.level() == 9


def test_brightness_is_set_and_bounded(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    for level in (0, 77, 255):
        rig.panel.contrast(level)
        assert rig.level() == level
    for level in (-1, 256):
        with pytest.raises(PanelError, match="0 to 255"):
            rig.panel.contrast(level)
    assert rig.level() == 255
    assert same(rig.glass(), a_picture(spec))


def test_hidden_it_is_dark_until_the_next_picture(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    rig.panel.hide()
    assert same(rig.glass(), black(spec))
    rig.panel.show(a_picture(spec, 1))
    assert same(rig.glass(), a_picture(spec, 1))


def test_unopened_or_closed_it_shows_nothing_and_says_so(rig: Rig, spec: PanelSpec) -> None:
    asks: list[Callable[[], None]] = [
        lambda: rig.panel.show(a_picture(spec)),
        lambda: rig.panel.contrast(1),
        rig.panel.hide,
    ]
    for ask in asks:
        with pytest.raises(PanelError, match="open it first"):
            ask()
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    rig.panel.close()
    rig.panel.close()
    for ask in asks:
        with pytest.raises(PanelError, match="open it first"):
            ask()
    rig.panel.open()
    rig.panel.show(a_picture(spec, 1))
    assert same(rig.glass(), a_picture(spec, 1))


def test_one_that_is_missing_says_so_where_panels_answer_and_can_come_later(
    rig: Rig, spec: PanelSpec
) -> None:
    rig.unplug()
    for _ in range(3):
        if not rig.answers:
            rig.panel.open()  # on SPI nobody can tell
            continue
        with pytest.raises(PanelError, match="check its") as caught:
            rig.panel.open()
        assert spec.name in str(caught.value)
    assert same(rig.glass(), black(spec))
    rig.plug_in()
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    assert same(rig.glass(), a_picture(spec))


def test_one_that_vanishes_says_so_where_panels_answer_and_can_come_back(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    rig.unplug()
    if rig.answers:
        with pytest.raises(PanelError, match="check its"):
            rig.panel.show(a_picture(spec, 1))
        with pytest.raises(PanelError, match="open it first"):
            rig.panel.show(a_picture(spec, 1))
    else:
        rig.panel.show(a_picture(spec, 1))
    assert same(rig.glass(), black(spec))
    rig.panel.close()
    rig.plug_in()
    rig.panel.open()
    assert same(rig.glass(), black(spec))
    rig.panel.show(a_picture(spec, 1))
    assert same(rig.glass(), a_picture(spec, 1))


def test_power_lost_unnoticed_is_mended_by_opening_again(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    rig.panel.contrast(40)
    rig.panel.show(a_picture(spec))
    rig.unplug()
    rig.plug_in()
    rig.panel.show(a_picture(spec))
    assert same(rig.glass(), black(spec)), "a chip that lost its settings shows nothing"
    rig.panel.open()
    assert same(rig.glass(), black(spec)), "nor before a picture was asked for"
    rig.panel.show(a_picture(spec))
    assert same(rig.glass(), a_picture(spec))
    assert rig.level() == 40


def test_every_failed_write_is_one_error_and_the_next_picture_is_whole(rig: Rig, spec: PanelSpec) -> None:
    rig.panel.open()
    rig.fail_every(61)  # an ssd1322 needs 37 writes for its settings alone
    failures = 0
    for number in range(150):
        picture = a_picture(spec, number % 7)
        try:
            rig.panel.show(picture)
        except PanelError:
            failures += 1
            rig.panel.open()
            rig.panel.show(picture)
        assert same(rig.glass(), picture)
    assert failures >= 2


# What only the adapter can get wrong.


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("driver", sorted(CHIPS))
def test_the_adapter_turns_pictures_as_luma_does(
    driver: str, rotation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = PanelSpec(driver, SpiBus(), rotation)  # type: ignore[arg-type]
    rig = adapter(spec, monkeypatch)
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    width, height = spec.chip_size
    reference = dummy(width, height, rotation // 90, "1" if spec.mode == "1" else "RGB", noop())
    reference.display(a_picture(spec).convert(reference.mode))
    assert rig.wires is not None
    assert np.array_equal(rig.wires.chip.glass(), np.asarray(reference.image.convert("L")))


def luma_by_itself(spec: PanelSpec, monkeypatch: pytest.MonkeyPatch, picture: Image.Image) -> Wires:
    """What luma sends when it is left alone: set-up, then a picture."""
    wires = adapter(spec, monkeypatch).wires
    assert wires is not None
    if isinstance(spec.bus, I2cBus):
        serial = i2c(port=1, address=0x3C)
    else:
        from luma.core.interface.serial import spi

        serial = spi(port=0, device=0)
    device = getattr(luma_device, spec.driver)(serial, rotate=spec.rotation // 90)
    device.persist = True
    if spec.mode == "L":
        device.framebuffer.prev_image = None
    device.display(picture.convert(device.mode))
    return wires


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: f"{spec.driver}-{spec.bus.key}-{spec.rotation}")
def test_the_chip_ends_as_luma_leaves_it(spec: PanelSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = a_picture(spec)
    reference = luma_by_itself(spec, monkeypatch, picture)
    with pytest.MonkeyPatch.context() as patch:
        rig = adapter(spec, patch)
        rig.panel.open()
        rig.panel.contrast(reference.chip.level)
        rig.panel.show(picture)
    assert rig.wires is not None
    mine, luma = vars(rig.wires.chip), vars(reference.chip)
    assert mine.keys() == luma.keys()
    # What lies beside the glass is noise, and the last command is the picture's or the one for "on".
    apart = {"memory", "code"} if spec.driver in ("sh1106", "ssd1322") else set()
    for name, value in luma.items():
        if name in apart:
            continue
        assert np.array_equal(mine[name], value), name
    assert np.array_equal(rig.wires.chip.glass(), reference.chip.glass())


SSD1306_SETTINGS = bytes.fromhex("d580 a83f d300 40 8d14 2000 a1 c8 da12 d9f1 db40 a4 a6")


def test_the_bytes_of_an_ssd1306(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = PanelSpec("ssd1306", I2cBus())
    rig = adapter(spec, monkeypatch)
    picture = Image.new("1", spec.size)
    picture.putpixel((0, 0), 1)
    picture.putpixel((127, 63), 1)
    picture.putpixel((3, 9), 1)
    rig.panel.open()
    rig.panel.show(picture)
    frame = bytearray(1024)
    frame[0], frame[1023], frame[128 + 3] = 0x01, 0x80, 0x02
    assert rig.wires is not None
    assert rig.wires.sent == [
        (True, SSD1306_SETTINGS),
        (True, b"\x81\xcf"),
        (True, b"\x21\x00\x7f\x22\x00\x07"),
        (False, bytes(frame)),
        (True, b"\xaf"),
    ]
    rig.panel.show(picture)
    assert rig.wires.sent[5:] == rig.wires.sent[2:4], "switched on once"


def test_the_bytes_of_an_ssd1322(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = PanelSpec("ssd1322", SpiBus())
    picture = Image.new("L", spec.size)
    picture.putpixel((0, 0), 0xF7)
    picture.putpixel((1, 0), 0x3F)
    picture.putpixel((255, 63), 0x20)
    frame = bytearray(8192)
    frame[0], frame[8191] = 0xF3, 0x02
    rig = adapter(spec, monkeypatch)
    rig.panel.open()
    assert rig.wires is not None
    settings = rig.wires.sent
    rig.wires.sent = []
    rig.panel.show(picture)
    assert rig.wires.sent == [
        (True, b"\x15"),
        (False, b"\x1c\x5b"),
        (True, b"\x75"),
        (False, b"\x00\x3f"),
        (True, b"\x5c"),
        (False, bytes(frame[:4096])),
        (False, bytes(frame[4096:])),
        (True, b"\xaf"),
    ]
    reference = luma_by_itself(spec, monkeypatch, picture)
    count = len(settings) - 2  # all but the brightness
    assert reference.sent[0:2] == settings[0:2]
    assert reference.sent[2] == (True, b"\xa4"), "what darkens is left out, and nothing else"
    assert reference.sent[3 : count + 1] == settings[2:count]
    assert reference.sent[-7:] == rig.wires.sent[:-1]


def test_an_spi_panel_is_reset_when_it_is_reached_and_not_when_it_is_mended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = adapter(PanelSpec("ssd1322", SpiBus()), monkeypatch)
    assert rig.wires is not None
    rig.panel.open()
    rig.panel.open()
    assert rig.wires.reset_levels == [0, 1]
    rig.panel.close()
    rig.panel.open()
    assert rig.wires.reset_levels == [0, 1, 0, 1]
    assert (rig.wires.opened, rig.wires.closed) == ([(0, 0)] * 2, 1)


@pytest.mark.parametrize(
    ("bus", "opened"), [(I2cBus(3, 0x3D), (3,)), (SpiBus(1, 2, dc_pin=5, reset_pin=None), (1, 2))]
)
def test_the_wires_are_those_of_the_specification(
    bus: I2cBus | SpiBus, opened: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = PanelSpec("ssd1306", bus)
    rig = adapter(spec, monkeypatch)
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    assert rig.wires is not None
    assert rig.wires.opened == [opened]
    assert same(rig.glass(), a_picture(spec))


def test_without_a_reset_pin_nothing_is_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = PanelSpec("ssd1306", SpiBus(reset_pin=None))
    rig = adapter(spec, monkeypatch)
    rig.panel.open()
    rig.panel.show(a_picture(spec))
    assert rig.wires is not None
    assert rig.wires.reset_levels == []
    assert same(rig.glass(), a_picture(spec))


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EREMOTEIO, "does not answer.*i2cdetect -y 1"),
        (errno.ENXIO, "does not answer"),
        (errno.EIO, "does not answer"),
        (errno.ETIMEDOUT, "held down.*short"),
        (errno.ENODEV, "injected.*wires"),
    ],
)
def test_trouble_on_the_bus_is_told_in_words(
    number: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = PanelSpec("ssd1306", I2cBus())
    rig = adapter(spec, monkeypatch)
    assert rig.wires is not None
    rig.panel.open()
    rig.wires.trouble, rig.wires.fail_every, rig.wires.writes = number, 2, 0
    with pytest.raises(PanelError, match=words) as caught:
        rig.panel.show(a_picture(spec))
    assert spec.name in str(caught.value)
    assert rig.wires.closed == 1


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOENT, "missing or switched off.*raspi-config"),
        (errno.EACCES, "add the user to the group `{group}`"),
        (errno.EPERM, "add the user to the group `{group}`"),
    ],
)
@pytest.mark.parametrize("bus", [I2cBus(), SpiBus()], ids=["i2c", "spi"])
def test_a_bus_that_does_not_open_is_told_in_words(
    bus: I2cBus | SpiBus, number: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = adapter(PanelSpec("ssd1306", bus), monkeypatch)

    def refuse(*_: object) -> None:
        raise OSError(number, "refused", "/dev/some")

    monkeypatch.setattr("smbus2.SMBus", refuse)
    monkeypatch.setattr(rig.wires, "open", refuse)
    with pytest.raises(PanelError, match=words.format(group=bus.key[:3])):
        rig.panel.open()


def test_a_pins_library_that_does_not_start_is_no_bus_that_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio raises this where it may not make its pipe in the working directory (joan2937/lg, issue 22)."""
    rig = adapter(PanelSpec("ssd1322", SpiBus()), monkeypatch)

    def piped(*_: object, **__: object) -> None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), ".lgd-nfy-3")

    monkeypatch.setattr("luma.core.interface.serial.spi.__init__", piped)
    with pytest.raises(PanelError, match=r"pins does not start .*lgd-nfy-3.*; start this program"):
        rig.panel.open()


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = adapter(PanelSpec("ssd1322", SpiBus()), monkeypatch)
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(PanelError, match=r"spidev.*apt install python3-spidev.*install\.sh.*\.\[spi\]"):
        rig.panel.open()


def test_attempts_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """luma enrols each of its devices in `atexit`, for good: a panel makes one."""
    enrolled: list[object] = []
    monkeypatch.setattr("luma.core.device.atexit.register", enrolled.append)
    rig = adapter(PanelSpec("ssd1306", I2cBus()), monkeypatch)
    rig.unplug()
    for _ in range(20):
        with pytest.raises(PanelError):
            rig.panel.open()
    assert len(enrolled) == 1
    assert rig.wires is not None
    assert rig.wires.closed == 20


def test_luma_is_loaded_when_a_panel_is_opened_and_not_before() -> None:
    asked = (
        "import sys, hardware.luma_panel as m, hardware.panel as p\n"
        "m.LumaPanel(p.PanelSpec('ssd1306', p.I2cBus()))\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('luma', 'PIL', 'smbus2')))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# What no panel can be.


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: PanelSpec("ssd1322", I2cBus()), "no I2C"),
        (lambda: PanelSpec("ssd1351", SpiBus()), "ssd1306, ssd1309, sh1106, ssd1322"),  # type: ignore[arg-type]
        (lambda: PanelSpec("ssd1306", I2cBus(), 45), "0, 90, 180 or 270"),  # type: ignore[arg-type]
        (lambda: I2cBus(address=0x78), "0x08 to 0x77"),
        (lambda: I2cBus(port=-1), "/dev"),
        (lambda: SpiBus(device=-1), "/dev"),
        (lambda: SpiBus(dc_pin=28), "2 to 27"),
        (lambda: SpiBus(reset_pin=0), "2 to 27"),
        (lambda: SpiBus(dc_pin=7, reset_pin=7), "two pins"),
    ],
)
def test_impossible_panels_are_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(PanelError, match=words):
        make()


# What only the twin does.


def test_a_failed_write_tears_the_twins_picture() -> None:
    spec = PanelSpec("ssd1306", I2cBus())
    panel = SimulatedPanel(spec)
    panel.open()
    panel.show(Image.new("1", spec.size))
    panel.fail_every(1)
    with pytest.raises(PanelError):
        panel.show(Image.new("1", spec.size, 1))
    rows = np.asarray(panel.glass).any(axis=1)
    assert rows[:32].all()
    assert not rows[32:].any()


def test_the_twins_bus_takes_its_time() -> None:
    spec = PanelSpec("ssd1306", I2cBus())
    panel = SimulatedPanel(spec)
    panel.open()
    before = panel.busy_s
    panel.show(a_picture(spec))
    assert panel.busy_s - before == pytest.approx(1024 * 9 / 400_000)


def test_the_twin_wears_where_it_is_lit() -> None:
    spec = PanelSpec("ssd1306", I2cBus())
    panel = SimulatedPanel(spec)
    panel.pass_time(10)
    assert not panel.wear_s.any()
    panel.open()
    panel.contrast(51)
    panel.show(a_picture(spec))
    panel.pass_time(10)
    assert np.allclose(panel.wear_s, np.asarray(a_picture(spec)) * 2.0)
    panel.unplug()
    panel.pass_time(10)
    assert panel.wear_s.max() == pytest.approx(2.0)
