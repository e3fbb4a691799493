"""Which parts make a rig: the simulated table, a recording, or what is wired to this computer.

The one place that chooses between a part and its twin. Nothing is driven here; that is the daemon's.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration.edition import Edition, load_edition
from calibration.profile import Calibration
from firmware.config import Config
from firmware.frames import Frames, FramesInTurn, ThreadedFrames
from firmware.panel_driver import PanelDriver, Placed
from firmware.parts import KeepPictures, Rig, Terms
from firmware.review_pictures import FOLDER, ReviewPictures
from firmware.rules import side_of
from firmware.setting_up import ball_look, calibration_for, umpire_for
from firmware.texts import Trouble
from firmware.umpire.field import Calibrated
from firmware.umpire.kept_frames import Cutout, KeptFrames
from firmware.umpire.rest import Position, Rest
from firmware.umpire.second_look import Unclear, second_look
from firmware.voice import Voice
from hardware.button import Buttons
from hardware.camera import Camera
from hardware.cameras import is_live, open_camera
from hardware.panel import I2cBus, PanelSpec
from hardware.speaker import Speaker

if TYPE_CHECKING:
    from firmware.parts import Measure
    from firmware.umpire.ball import BallLook
    from hardware.simulated.buttons import SimulatedButtons
    from hardware.simulated.panel import SimulatedPanel
    from hardware.simulated.speaker import SimulatedSpeaker
    from hardware.simulated.table import SimulatedTable

SIMULATED: Final = "simulated"
_SIMULATED_SIZE: Final = (728, 544)
"""Half the global shutter camera's picture: a small computer draws and referees it in real time."""
_VOICE_FOLDER: Final = "voice"


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
    """A rig that is ready to be driven. `simulated`: its twins, None of a real one."""

    rig: Rig
    terms: Terms
    simulated: SimulatedParts | None = None


def terms_of(config: Config, edition: Edition) -> Terms:
    """What a match is begun with by a configuration."""
    setup, names = config.setup(), config.names()
    in_order = [names.get(seat) or names.get(side_of(seat), "") for seat in setup.order]
    return Terms(
        edition=edition,
        board=config.board.edition,
        ball=config.board.ball,
        setup=setup,
        texts=config.texts(),
        language=config.match.language,
        names=tuple(in_order) if any(in_order) else (),
        review_limit=config.review.limit,
    )


def open_rig(
    config: Config, state: Path, *, seed: int = 0, size: tuple[int, int] = _SIMULATED_SIZE
) -> Opened:
    """The rig that a configuration describes, its panels started and its board found. `state`: the folder
    for state, in which the voice's clips lie unless told otherwise. `seed`: of the simulated table; `size`:
    of its camera's picture, width and height in pixels.

    CameraError if the camera cannot be opened; errors as of `setting_up.calibration_for`; ButtonError for
    pins that cannot be read; EditionError for the board. Panels and speaker may be missing.
    """
    edition = load_edition(config.board.edition, require_zones=True)
    voice = Voice.open(
        Path(config.speaker.clips) if config.speaker.clips is not None else state / _VOICE_FOLDER,
        config.spoken_language(),
        config.names(),
    )
    picture = pictures_in(state / FOLDER, config.review.keep_mb)
    if config.camera.source == SIMULATED:
        return _simulated(config, edition, voice, picture, seed, size)
    return Opened(_real(config, edition, voice, picture), terms_of(config, edition))


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


def _real(config: Config, edition: Edition, voice: Voice, picture: KeepPictures) -> Rig:
    from hardware.aplay_speaker import AplaySpeaker
    from hardware.gpio_buttons import GpioButtons
    from hardware.luma_panel import LumaPanel

    source, rotation = config.camera.source, config.camera.rotation

    def opener() -> Camera:
        return open_camera(source, rotation, config.board.edition)

    camera = opener()
    try:
        calibration, look = _calibrated(config, camera, edition)
        buttons = GpioButtons(config.pins(), config.lamps(), pull_up=config.buttons.pull_up)
    except BaseException:
        camera.close()
        raise
    frames: Frames = (
        ThreadedFrames(opener, time.monotonic, camera=camera) if is_live(source) else FramesInTurn(camera)
    )
    panels = PanelDriver([Placed(role, LumaPanel(spec)) for role, spec in config.panels()], config.care())
    panels.start()
    speaker = AplaySpeaker(config.speaker.device, volume=config.speaker.volume, muted=config.speaker.mute)
    parts = (frames, calibration, edition, look, panels, buttons, speaker, voice, picture)
    return _rig(*parts, clock=time.monotonic)


def _simulated(
    config: Config,
    edition: Edition,
    voice: Voice,
    picture: KeepPictures,
    seed: int,
    size: tuple[int, int],
) -> Opened:
    from hardware.simulated.buttons import SimulatedButtons
    from hardware.simulated.camera import SimulatedCamera, simulated_scene
    from hardware.simulated.panel import SimulatedPanel
    from hardware.simulated.scene import default_scene
    from hardware.simulated.speaker import SimulatedSpeaker
    from hardware.simulated.table import SimulatedTable

    scene = simulated_scene(default_scene(edition, size))
    table = SimulatedTable(scene, seed)
    camera = SimulatedCamera(table, seed=seed)
    calibration, look = _calibrated(config, camera, edition, scene.camera.focal_px)

    def clock() -> float:
        return table.now

    buttons = SimulatedButtons(clock)
    speaker = SimulatedSpeaker(clock, volume=config.speaker.volume, muted=config.speaker.mute)
    specs = config.panels() or (
        ("in-rally", PanelSpec("ssd1306", I2cBus(1, 0x3C))),
        ("game", PanelSpec("ssd1306", I2cBus(1, 0x3D))),
    )
    twins = tuple((role, SimulatedPanel(spec)) for role, spec in specs)
    panels = PanelDriver([Placed(role, panel) for role, panel in twins], config.care())
    panels.start()
    parts = (FramesInTurn(camera), calibration, edition, look, panels, buttons, speaker, voice, picture)
    simulated = SimulatedParts(table, buttons, twins, speaker)
    return Opened(_rig(*parts, clock=clock), terms_of(config, edition), simulated)


def _calibrated(
    config: Config, camera: Camera, edition: Edition, focal_px: float | None = None
) -> "tuple[Calibration, BallLook]":
    """Where the board lies, and how the ball looks. `focal_px`: the lens's, where the rig knows it."""
    focal_px = config.camera.focal_px or focal_px
    saved = config.camera.calibration
    calibration, _ = calibration_for(
        camera,
        edition,
        None if saved is None else Path(saved),
        focal_px=focal_px,
        rotation=config.camera.rotation,
        swap_ends=config.board.swap_ends,
    )
    return calibration, ball_look(config.board.ball, edition, focal_px)


def _rig(
    frames: Frames,
    calibration: Calibration,
    edition: Edition,
    look: "BallLook",
    panels: PanelDriver,
    buttons: Buttons,
    speaker: Speaker,
    voice: Voice,
    picture: KeepPictures,
    *,
    clock: Callable[[], float],
) -> Rig:
    return Rig(
        frames=frames,
        umpire=umpire_for(calibration, edition, look),
        kept=KeptFrames.of_camera(calibration.model, edition.ball),
        measure=measure_with(edition, look),
        picture=picture,
        panels=panels,
        buttons=buttons,
        speaker=speaker,
        voice=voice,
        clock=clock,
        wall_clock=lambda: datetime.now(UTC),
    )
