"""Which parts make a rig: the simulated table, a recording, or what is wired to this computer.

The one place that chooses between a part and its twin. Nothing is driven here; that is the daemon's.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.edition import Edition, load_edition
from calibration.errors import ProfileError
from calibration.profile import Calibration
from firmware.config import Config
from firmware.daemon.finding import BoardFinder, View, load_for
from firmware.daemon.frames import Frames, FramesInTurn, ThreadedFrames
from firmware.daemon.late_buttons import LateButtons
from firmware.daemon.menuing import Settings
from firmware.daemon.parts import KeepPictures, Rig, Sight, Terms
from firmware.daemon.review_pictures import FOLDER, ReviewPictures
from firmware.journal import TableKind
from firmware.menus import Ability
from firmware.panel_bus import Placed
from firmware.panel_driver import PanelDriver
from firmware.rules import Seat, Side, side_of
from firmware.setting_up import ball_look, calibration_for
from firmware.texts import Trouble
from firmware.umpire.field import Calibrated
from firmware.umpire.kept_frames import Cutout
from firmware.umpire.rest import Position, Rest
from firmware.umpire.second_look import Unclear, second_look
from firmware.voice import Voice
from hardware.button import Buttons
from hardware.camera import Camera, FocalLength, focal_length_of
from hardware.cameras import is_live, open_camera, require_named
from hardware.panel import I2cBus, PanelSpec
from hardware.speaker import Speaker

if TYPE_CHECKING:
    from firmware.daemon.parts import Measure
    from firmware.umpire.ball import BallLook
    from hardware.simulated.buttons import SimulatedButtons
    from hardware.simulated.panel import SimulatedPanel
    from hardware.simulated.speaker import SimulatedSpeaker
    from hardware.simulated.table import SimulatedTable

SIMULATED: Final = "simulated"
_SIMULATED_SIZE: Final = (728, 544)
"""Half the global shutter camera's picture: a small computer draws and referees it in real time."""
VOICE_FOLDER: Final = "voice"
"""In the folder for state: the voice's clips, unless told otherwise."""
CALIBRATION: Final = "calibration.json"
"""In the folder for state: where the board was found last."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SimulatedParts:
    """The twins of a simulated rig: who plays on it has the table, and the fingers at its buttons."""

    table: "SimulatedTable"
    buttons: "SimulatedButtons"
    panels: "tuple[tuple[str, SimulatedPanel], ...]"
    """With their roles."""
    speaker: "SimulatedSpeaker"


@dataclass(frozen=True, slots=True)
class Opened:
    """A rig that is ready to be driven. `settings`: what its menu changes. `simulated`: its twins, None of a
    real one."""

    rig: Rig
    terms: Terms
    settings: Settings
    simulated: SimulatedParts | None = None


def table_of(source: str) -> TableKind:
    """What is played on where a camera is named so, as `[camera]` has it."""
    if source == SIMULATED:
        return "simulated"
    return "live" if is_live(source) else "recording"


def terms_of(config: Config, edition: Edition) -> Terms:
    """What a match is begun with by a configuration."""
    setup, names = config.setup(), config.names()
    places: tuple[Side | Seat, ...] = setup.order if setup.doubles else tuple(map(side_of, setup.order))
    return Terms(
        edition=edition,
        board=config.board.edition,
        ball=config.board.ball,
        setup=setup,
        texts=config.texts(),
        language=config.match.language,
        names=_called(places, names),
        side_names=_called(("A", "B"), names) if setup.doubles else (),
        review_limit=config.review.limit,
        table=table_of(config.camera.source),
    )


def _called(places: Sequence[Side | Seat], names: Mapping[Side | Seat, str]) -> tuple[str, ...]:
    """The names at these places, in order; empty if there are none."""
    in_order = tuple(names.get(place, "") for place in places)
    return in_order if any(in_order) else ()


def open_rig(
    config: Config,
    state: Path,
    *,
    file: Path | None = None,
    seed: int = 0,
    size: tuple[int, int] = _SIMULATED_SIZE,
) -> Opened:
    """The rig that a configuration describes, its panels started. `state`: the folder for state, in which
    the voice's clips lie unless told otherwise. `file`: the configuration's, where the menu keeps what is
    changed; None for nowhere. `seed`: of the simulated table; `size`: of its camera's picture, width and
    height in pixels.

    A camera may be missing, and a board before it; panels, buttons and speaker too. What a person has to
    mend first is an error: CameraError for a recording that cannot be read and for what names no camera;
    errors as of `setting_up.calibration_for` for a recording; ProfileError for a calibration of another
    board; EditionError for the board; errors as of `setting_up.ball_look`.
    """
    edition = load_edition(config.board.edition, require_zones=True)
    base = _Base(config, state, edition, file)
    return _simulated(base, seed, size) if config.camera.source == SIMULATED else _real(base)


def pictures_in(folder: Path, keep_mb: float) -> KeepPictures:
    """How a review's pictures are kept."""
    pictures = ReviewPictures(folder, keep_mb)
    return lambda wanted, frames: pictures.keep(wanted, frames, datetime.now(UTC))


def measure_with(edition: Edition, look: "BallLook") -> "Measure":
    """How a review measures a rest again."""

    def measure(frames: Sequence[Cutout], by: Calibrated, rest: Rest) -> Position | Trouble:
        assert isinstance(by, Calibration)
        again = second_look(frames, by, edition, look, rest)
        return again.trouble if isinstance(again, Unclear) else again.position

    return measure


@dataclass(frozen=True, slots=True)
class _Base:
    """What every rig is made from; `state`, `file`: as `open_rig` has them."""

    config: Config
    state: Path
    edition: Edition
    file: Path | None

    def voice(self, config: Config) -> Voice:
        """What speaks by these settings."""
        clips = config.speaker.clips
        folder = Path(clips) if clips is not None else self.state / VOICE_FOLDER
        return Voice.open(folder, config.spoken_language(), config.names())

    def opened(self, rig: Rig, simulated: SimulatedParts | None = None) -> Opened:
        """The rig, with what its menu changes. A recording cannot be calibrated anew."""

        table = table_of(self.config.camera.source)

        def terms(config: Config) -> Terms:
            # What the file names may be another camera than the one that is played with.
            return replace(terms_of(config, self.edition), table=table)

        can: frozenset[Ability] = frozenset() if table == "recording" else frozenset({"calibrate"})
        settings = Settings(self.config, self.file, can, terms, self.voice)
        return Opened(rig, terms(self.config), settings, simulated)

    def look(self) -> "BallLook":
        """How the ball looks."""
        return ball_look(self.config.board.ball, self.edition, self.config.camera.focal_px)

    def view(self, focal_px: float | None = None) -> View:
        """The board before the camera. `focal_px`: the lens's, where the rig knows it."""
        camera, swap_ends = self.config.camera, self.config.board.swap_ends
        return View(self.edition, camera.focal_px or focal_px, camera.rotation, swap_ends)

    def sight(self, camera: Camera, finder: BoardFinder, view: View) -> Sight:
        """What sees, by the first pictures of a camera that waits, or with the calibration that is named."""
        saved = self.config.camera.calibration
        calibration, _ = calibration_for(
            camera,
            self.edition,
            None if saved is None else Path(saved),
            focal_px=view.focal_px,
            rotation=view.rotation,
            swap_ends=view.swap_ends,
        )
        return finder.sight(calibration)

    def saved(self, view: View) -> Calibration | None:
        """Where the board lay when it was found last: in the file that is named, else as it was kept here."""
        named, kept = self.config.camera.calibration, self.state / CALIBRATION
        if named is not None:
            return load_for(Path(named), view)
        if not kept.exists():
            return None
        try:
            return load_for(kept, view)
        except ProfileError as error:  # nobody wrote it by hand: the board is sought anew
            logger.warning("the board is sought anew: %s", error)
            return None


def _real(base: _Base) -> Opened:
    from hardware.aplay_speaker import AplaySpeaker
    from hardware.gpio_buttons import GpioButtons
    from hardware.luma_panel import LumaPanel

    config = base.config
    source, look, view = config.camera.source, base.look(), base.view()
    live = is_live(source)
    lens: list[FocalLength | None] = [None]
    finder = BoardFinder(
        view,
        look,
        saved=base.saved(view) if live else None,
        keep=base.state / CALIBRATION if live else None,
        lens=lambda: lens[0],
    )

    def opener() -> Camera:
        camera = open_camera(
            source,
            view.rotation,
            config.board.edition,
            lens_mm=config.camera.lens_mm,
            mains_hz=config.camera.mains_hz,
            size=config.camera.size,
        )
        lens[0] = focal_length_of(camera)  # another one may have been plugged in
        return camera

    require_named(source)
    camera = None if live else opener()
    try:
        sight = None if camera is None else base.sight(camera, finder, view)
        if camera is not None:
            # The first pictures were used up: a recording is watched from its first frame.
            camera.close()
            camera = opener()
        pins, lamps, pull_up = config.pins(), config.lamps(), config.buttons.pull_up
        buttons = LateButtons(lambda: GpioButtons(pins, lamps, pull_up=pull_up))
    except BaseException:
        if camera is not None:
            camera.close()
        raise
    frames = ThreadedFrames(opener, time.monotonic) if camera is None else FramesInTurn(camera)
    panels = PanelDriver([Placed(role, LumaPanel(spec)) for role, spec in config.panels()], config.care())
    panels.start()
    speaker = AplaySpeaker(config.speaker.device, volume=config.speaker.volume, muted=config.speaker.mute)
    rig = _rig(base, look, frames, sight, finder, panels, buttons, speaker, time.monotonic)
    return base.opened(rig)


def _simulated(base: _Base, seed: int, size: tuple[int, int]) -> Opened:
    from hardware.simulated.buttons import SimulatedButtons
    from hardware.simulated.camera import SimulatedCamera, simulated_scene
    from hardware.simulated.panel import SimulatedPanel
    from hardware.simulated.scene import default_scene
    from hardware.simulated.speaker import SimulatedSpeaker
    from hardware.simulated.table import SimulatedTable

    config, look = base.config, base.look()
    scene = simulated_scene(default_scene(base.edition, size))
    table = SimulatedTable(scene, seed)
    camera = SimulatedCamera(table, seed=seed)
    view = base.view(scene.camera.focal_px)
    finder = BoardFinder(view, look)

    def clock() -> float:
        return table.now

    buttons = SimulatedButtons(clock)
    speaker = SimulatedSpeaker(clock, volume=config.speaker.volume, muted=config.speaker.mute)
    specs = config.panels() or (
        ("in-rally", PanelSpec("ssd1306", I2cBus(1, 0x3C))),
        ("game", PanelSpec("ssd1306", I2cBus(1, 0x3D))),
    )
    twins = tuple((role, SimulatedPanel(spec)) for role, spec in specs)
    sight = base.sight(camera, finder, view)
    panels = PanelDriver([Placed(role, panel) for role, panel in twins], config.care())
    panels.start()
    rig = _rig(base, look, FramesInTurn(camera), sight, finder, panels, buttons, speaker, clock)
    return base.opened(rig, SimulatedParts(table, buttons, twins, speaker))


def _rig(
    base: _Base,
    look: "BallLook",
    frames: Frames,
    sight: Sight | None,
    finder: BoardFinder,
    panels: PanelDriver,
    buttons: Buttons,
    speaker: Speaker,
    clock: Callable[[], float],
) -> Rig:
    return Rig(
        frames=frames,
        sight=sight,
        finder=finder,
        measure=measure_with(base.edition, look),
        picture=pictures_in(base.state / FOLDER, base.config.review.keep_mb),
        panels=panels,
        buttons=buttons,
        speaker=speaker,
        voice=base.voice(base.config),
        clock=clock,
        wall_clock=lambda: datetime.now(UTC),
    )
