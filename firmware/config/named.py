"""What a configuration names, and whether it is there and usable: camera, board, ball, folder, broker.

Looked at where a file is checked, not where it is loaded: what is played with may be another camera, and a
disk be mended meanwhile. No device is opened.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from firmware.config.sections import Config, MqttSection
from firmware.errors import InputError
from hardware.errors import CameraError

_NONE: Final = "none"
_RECORDED: Final = "recorded"
"""What people write who have not said yet which recording."""


def not_usable(config: Config) -> Iterator[str]:
    """A sentence for each that is not, with the path of its key."""
    yield from _camera(config)
    yield from _board(config)
    yield from _state(config.state.directory)
    yield from _mqtt(config.mqtt)


def _camera(config: Config) -> Iterator[str]:
    from calibration.errors import CalibrationError
    from calibration.profile import load
    from hardware.cameras import is_live, open_camera, require_named

    camera = config.camera
    if camera.source == _NONE:
        if not config.link.on:
            yield (
                'camera.source: "none" is for games on the link alone, and none is set; set link.ports or '
                "link.tcp, or name a camera"
            )
    elif camera.source == _RECORDED:
        yield "camera.source: which recording? Write the name of its file"
    else:
        try:
            require_named(camera.source)
            if not is_live(camera.source):
                open_camera(camera.source).close()
        except CameraError as error:
            yield f"camera.source: {error}"
    if camera.calibration is not None:
        try:
            load(Path(camera.calibration))
        except CalibrationError as error:
            yield f"camera.calibration: {error}"


def _board(config: Config) -> Iterator[str]:
    from calibration.edition import load_edition
    from calibration.errors import CalibrationError
    from firmware.umpire.ball import BallLook

    board = config.board
    try:
        load_edition(board.edition, require_zones=True)
    except CalibrationError as error:
        yield f"board.edition: {error}"
    try:
        BallLook.parse(board.ball)
    except InputError as error:
        if not os.path.isfile(board.ball):
            yield f"board.ball: {error}"


def _state(directory: str | None) -> Iterator[str]:
    """Whether this user could keep matches there; the folder need not be there yet."""
    if directory is None:
        return
    folder = Path(directory).absolute()
    there = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    if not os.path.isdir(there):
        yield f"state.directory: {there} is no folder; name one that is, or may be made"
    elif not os.access(there, os.W_OK | os.X_OK, effective_ids=True):
        yield (
            f"state.directory: this user may not write in {there}; give it the right to, check as the user "
            "that plays, or name another folder"
        )


def _mqtt(mqtt: MqttSection) -> Iterator[str]:
    from firmware.config.broker import check_certificates, check_host, credentials_in

    if mqtt.host is None:
        return
    try:
        check_host(mqtt.host)
    except InputError as error:
        yield f"mqtt.host: {error}"
    if mqtt.credentials is not None:
        try:
            credentials_in(Path(mqtt.credentials))
        except InputError as error:
            yield f"mqtt.credentials: {error}"
    if mqtt.tls and mqtt.ca is not None:
        try:
            check_certificates(Path(mqtt.ca))
        except InputError as error:
            yield f"mqtt.ca: {error}"
