"""Looks at every part in turn and has it checked. Nothing is written, and nobody on a network is asked.

What a running board holds is left to it: then its log is asked. How a part is looked at is in `hardware`,
what is made of it in the checks beside this module.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.doctor import computer, parts, served, sight
from firmware.doctor.findings import Finding, State, all_alike, broken, ok, told, unreadable, warning
from firmware.doctor.looking import look
from firmware.doctor.ports import named_ports
from firmware.doctor.pressing import watch
from firmware.doctor.surroundings import Surroundings, away
from firmware.errors import REPORTED
from firmware.journal import lock_of
from hardware import programs
from hardware.errors import HardwareError, PanelError
from hardware.panel import I2cBus

if TYPE_CHECKING:
    from calibration.edition import Edition
    from calibration.errors import RefusedError
    from calibration.profile import Calibration
    from firmware.config import Config
    from firmware.doctor.sight import Shown
    from hardware.button import Button, Buttons
    from hardware.panel import PanelSpec

_SIMULATED: Final = "simulated"
_VOICE: Final = "voice"
"""In the folder for state: the clips, unless told otherwise."""
_NONE: Final = "none"
"""No camera, and no table."""
Say = Callable[[str], None]
"""Told what is being looked at, and what people are asked to do."""


@dataclass(frozen=True, slots=True)
class Patient:
    """A board. `config`: None if it cannot be used, which `faults` say. `named`: its file, as it was given.
    `state`: its folder for state."""

    config: "Config | None"
    state: Path
    named: str = ""
    faults: tuple[str, ...] = ()


def examine(
    patient: Patient, *, seconds: float = 0.0, around: Surroundings | None = None, say: Say = lambda _: None
) -> Iterator[Finding]:
    """Every part of a board, one after the other. `seconds`: how long people are asked to press buttons.

    Never fails: what cannot be looked at is a finding, too.
    """
    return _Examination(patient, seconds, around or Surroundings(), say).findings()


class _Examination:
    def __init__(self, patient: Patient, seconds: float, around: Surroundings, say: Say) -> None:
        self._patient = patient
        self._seconds = seconds
        self._around = around
        self._say = say
        self._service: programs.Service | None = None
        self._log: tuple[str, ...] | None = None
        self._program: int | None = None

    def findings(self) -> Iterator[Finding]:
        """All of them."""
        patient = self._patient
        yield from self._guarded("configuration", self._configuration)
        yield from self._guarded("computer", self._computer)
        yield from self._guarded("service", self._run_by)
        if patient.config is not None:
            yield from self._of_config(patient.config)
        for part, check in (
            ("serial ports", self._serial_ports),
            ("disk", self._disk),
            ("memory", self._memory),
            ("temperature", self._temperature),
            ("voltage", self._power),
            ("clock", self._clock),
        ):
            yield from self._guarded(part, check)

    @property
    def _runs(self) -> bool:
        """Whether a board's program holds camera, panels and pins."""
        return self._program is not None or (self._service is not None and self._service.runs)

    def _guarded(self, part: str, check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
        """The findings of a check; one that fails is a finding and not the end of the others."""
        try:
            yield from check()
        except PermissionError as error:
            yield unreadable(part, error)
        except REPORTED as error:
            yield told(part, str(error))
        except Exception as error:  # one check's bug must not hide what the others find
            yield broken(part, f"the check itself failed: {error!r}", "tell the makers, with this line")

    # ------------------------------------------------------------ what needs no configuration

    def _configuration(self) -> Iterator[Finding]:
        patient = self._patient
        if patient.config is None:
            for fault in patient.faults:
                yield told("configuration", fault)
            yield warning(
                *("configuration", "camera, panels, buttons and speaker are not looked at"),
                "mend the configuration first: it says what there is",
            )
            return
        if not patient.named:
            then = "name one with --config FILE"
            yield warning("configuration", "none was given: looking for a USB camera, and nothing else", then)
            return
        idle = patient.config.warnings()
        for text in idle:
            then = f"take it out of {patient.named}, if nothing else was meant"
            yield told("configuration", text, "warning", then)
        lacking = patient.config.buttons.lacking()
        for text in lacking:
            yield warning("configuration", text, "wire it, and set its pin")
        if not (idle or lacking):
            yield ok("configuration", f"{patient.named}: nothing is wrong")

    def _computer(self) -> Iterator[Finding]:
        system = self._around.system
        yield computer.check_computer(system.model(), system.release())

    def _run_by(self) -> Iterator[Finding]:
        around = self._around
        self._service = service = programs.service(served.UNIT, around.ask)
        if service is not None and service.installed:
            self._log = programs.log_of(served.UNIT, service.run, around.ask)
        yield served.check_service(service, self._log)
        holder = around.system.lock_holder(lock_of(self._patient.state))
        if holder is not None and (service is None or holder != service.process):
            self._program = holder

    def _serial_ports(self) -> Iterator[Finding]:
        around, config = self._around, self._patient.config
        yield from computer.check_serial_ports(around.system.serial_ports())
        if config is not None and (config.camera.source == _SIMULATED or not self._runs):
            yield from named_ports(config.link, around)

    def _disk(self) -> Iterator[Finding]:
        patient = self._patient
        keep_mb = 0 if patient.config is None else patient.config.review.keep_mb
        system = self._around.system
        blocked = system.no_folder(patient.state)
        yield computer.check_disk(system.disk(patient.state), patient.state, keep_mb, blocked)
        # Clips are read by the board, and may have been made by anybody.
        strays = system.strays(patient.state, but=_VOICE)
        if strays is not None:
            yield computer.check_strays(strays, patient.state)

    def _memory(self) -> Iterator[Finding]:
        yield computer.check_memory(self._around.system.memory(), runs=self._runs)

    def _temperature(self) -> Iterator[Finding]:
        yield computer.check_temperature(self._around.system.temperature_c())

    def _power(self) -> Iterator[Finding]:
        around = self._around
        power = programs.throttled(around.ask)
        yield computer.check_power(around.system.power() if power is None else power)

    def _clock(self) -> Iterator[Finding]:
        around = self._around
        own = around.system.has_clock_of_its_own()
        yield computer.check_clock(around.now(), around.synchronised(), own=own)

    # ------------------------------------------------------------ what the configuration names

    def _of_config(self, config: "Config") -> Iterator[Finding]:
        if config.camera.source != _SIMULATED and self._runs:
            yield from self._guarded("program", lambda: self._held(config))
        else:
            yield from self._guarded("camera", lambda: self._seeing(config))
            if config.camera.source == _SIMULATED:
                yield ok("panels", "simulated, as are buttons and speaker")
                return
            yield from self._guarded("panels", lambda: self._touched(config))
            if config.camera.source == _NONE:
                return  # nothing is published or said without a match
            yield from self._guarded("mqtt", lambda: self._mqtt(config))
        yield from self._guarded("speaker", lambda: self._speaker(config))
        if not config.speaker.mute:
            yield from self._guarded("voice", lambda: self._voice(config))

    def _held(self, config: "Config") -> Iterator[Finding]:
        held: dict[str, tuple[str, ...]] = {}
        if config.camera.source != _NONE:
            held |= {"camera": ("camera", "pictures"), "board": ("board",)}
        for role, spec in config.panels():
            held[f"panel {role}"] = (*held.get(f"panel {role}", ()), spec.name)
        if config.pins():
            held["buttons"] = ("buttons", *map(str, config.pins()))
        if self._program is not None:
            yield from served.check_program(self._program, held)
            return
        troubles = None if self._log is None else served.troubles_in(self._log)
        yield from served.check_held(held, troubles)

    def _seeing(self, config: "Config") -> Iterator[Finding]:
        from hardware.cameras import is_live, require_named

        camera, around = config.camera, self._around
        if camera.source == _NONE:
            yield ok("camera", "none, by the configuration: only the link's games are played")
            return
        self._say(f"looking through the camera {camera.source}")
        require_named(camera.source)
        live = is_live(camera.source) and camera.source != _SIMULATED
        shown = look(lambda: around.camera(camera, config.board.edition), live=live)
        yield from sight.check_camera(camera.source, shown)
        yield sight.check_light(shown)
        yield from self._guarded("board", lambda: self._board(config, shown, live=live))

    def _board(self, config: "Config", shown: "Shown", *, live: bool) -> Iterator[Finding]:
        """Where the board lies now, and lay when that was saved."""
        from calibration.drift import refit
        from calibration.edition import load_edition
        from calibration.errors import CalibrationError

        self._say("looking for the board")
        edition = load_edition(config.board.edition, require_zones=True)
        yield from self._guarded("ball", lambda: self._ball(config, edition))
        saved: Calibration | None = None
        unusable: Finding | None = None
        try:
            saved = self._saved(config, edition, live=live)
            if saved is not None:
                saved.require(shown.size, config.camera.rotation, edition)
        except CalibrationError as error:
            # One that was kept is made anew at the next start; one that is named is asked for.
            state: State = "warning" if config.camera.calibration is None else "broken"
            saved, unusable = None, told("calibration", str(error), state)
        except PermissionError as error:
            unusable = unreadable("calibration", error)
        fitted = None if saved is None else refit(saved, edition, shown.picture)
        found = fitted or self._found_anew(config, edition, shown)
        yield sight.check_sharpness(found, saved, edition, shown.picture, config.camera.source)
        yield from sight.check_board(found)
        if unusable is not None:
            yield unusable
        elif saved is not None:
            yield sight.check_calibration(saved, fitted, edition, self._around.now())
        elif live:
            yield ok("calibration", "none is kept yet: the board is found at the first start")

    def _ball(self, config: "Config", edition: "Edition") -> Iterator[Finding]:
        from firmware.setting_up import ball_look

        ball_look(config.board.ball, edition, config.camera.focal_px)
        yield ok("ball", f"{config.board.ball!r} is looked for")

    def _saved(self, config: "Config", edition: "Edition", *, live: bool) -> "Calibration | None":
        """The calibration that the board would begin with; None if there is none."""
        from firmware.daemon.finding import View, load_for
        from firmware.daemon.rigs import CALIBRATION

        camera = config.camera
        path = self._patient.state / CALIBRATION
        if camera.calibration is not None:
            path = Path(camera.calibration)
        elif not live:
            return None
        else:
            try:
                path.stat()
            except (FileNotFoundError, NotADirectoryError):
                return None
        return load_for(path, View(edition, camera.focal_px, camera.rotation, config.board.swap_ends))

    def _found_anew(
        self, config: "Config", edition: "Edition", shown: "Shown"
    ) -> "Calibration | RefusedError":
        from calibration.errors import RefusedError
        from firmware.setting_up import calibrated, given_focal

        focal = given_focal(config.camera.focal_px) or shown.focal
        try:
            return calibrated(shown.picture, edition, focal, config.camera.rotation)
        except RefusedError as error:
            return error

    def _touched(self, config: "Config") -> Iterator[Finding]:
        """Panels and buttons; the panels are lit while people press."""
        with ExitStack() as stack:
            yield from self._guarded("panels", lambda: self._panels(config, stack))
            yield from self._guarded("buttons", lambda: self._buttons(config))

    def _panels(self, config: "Config", stack: ExitStack) -> Iterator[Finding]:
        self._say("looking for the panels")
        answers: dict[int, tuple[int, ...] | None] = {}
        for role, spec in config.panels():
            error = self._lit(config, role, spec, stack)
            port = spec.bus.port if isinstance(spec.bus, I2cBus) else None
            if error and port is not None:
                answers[port] = answers[port] if port in answers else self._answering(port)
            heard = None if port is None else answers.get(port)
            yield parts.check_panel(role, spec, error, heard)
        header = answers.get(parts.HEADER_BUS)
        if header is None and parts.HEADER_BUS in self._around.system.i2c_buses():
            header = self._answering(parts.HEADER_BUS)
        yield from parts.check_unnamed_panels([spec for _, spec in config.panels()], header or ())

    def _answering(self, port: int) -> tuple[int, ...] | None:
        try:
            return self._around.answering(port)
        except PanelError:
            return None

    def _lit(self, config: "Config", role: str, spec: "PanelSpec", stack: ExitStack) -> str:
        """Have a panel show itself, until `stack` closes; why that cannot be, or nothing."""
        from firmware.daemon.parts import BoardDrawing
        from firmware.rules import start
        from firmware.screens.from_rules import scoreboard_of

        panel = self._around.panel(spec)
        stack.callback(panel.close)
        board = scoreboard_of(start(config.setup()), f"{role}: {spec.name}")
        try:
            with away():  # it loads its libraries when it is opened
                panel.open()
            stack.callback(_dark, panel.hide)
            panel.show(BoardDrawing(role, board, config.texts())(spec.size, spec.mode))
        except HardwareError as error:
            return str(error)
        return ""

    def _buttons(self, config: "Config") -> Iterator[Finding]:
        pins, lamps, around = config.pins(), config.lamps(), self._around
        if not pins:
            yield ok("buttons", "none is configured")
            return
        if self._seconds > 0:
            names = ", ".join(map(str, pins))
            self._say(f"press each button once, within {self._seconds:.0f} seconds: {names}")

        def opener(button: "Button") -> "Buttons":
            lamp = {button: lamps[button]} if button in lamps else {}
            return around.buttons({button: pins[button]}, lamp, config.buttons.pull_up)

        seen = watch(
            {button: button in lamps for button in pins},
            opener,
            self._seconds,
            around.clock,
            around.sleep,
            lambda button: self._say(f"{button} was pressed"),
        )
        findings = [
            finding
            for button, press in seen.items()
            for finding in parts.check_button(button, pins[button], press, self._seconds)
        ]
        yield from all_alike("buttons", tuple(findings))

    def _mqtt(self, config: "Config") -> Iterator[Finding]:
        from firmware.mqtt.publishing import address_of

        if config.mqtt.host is not None:
            address = address_of(config.mqtt)
            yield ok("mqtt", f"published at {address}; nobody there was asked")

    def _speaker(self, config: "Config") -> Iterator[Finding]:
        speaker, around = config.speaker, self._around
        if speaker.mute:
            yield ok("speaker", "muted by the configuration")
            return
        self._say(f"trying the speaker {speaker.device}")
        error = ""
        try:
            around.sound(speaker.device)
        except HardwareError as failure:
            error = str(failure)
        names = programs.sound_devices(around.ask) if error else ()
        yield parts.check_speaker(speaker.device, error, programs.sound_cards(around.ask), names)

    def _voice(self, config: "Config") -> Iterator[Finding]:
        from firmware.voice import Voice
        from firmware.voice.pieces import every_clip

        clips = config.speaker.clips
        folder = self._patient.state / _VOICE if clips is None else Path(clips)
        with suppress(FileNotFoundError, NotADirectoryError):
            folder.stat()  # one that this user may not look into is not empty
        language = config.spoken_language()
        voice = Voice.open(folder, language, config.names())
        owner = self._around.system.other_owner(folder)
        yield parts.check_voice(folder, language, len(voice.missing), len(every_clip(language)), owner)


def _dark(hide: Callable[[], None]) -> None:
    """A panel that is to be dark again, if it can be."""
    with suppress(HardwareError):
        hide()
