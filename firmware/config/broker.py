"""What `[mqtt]` names and is to be there: the broker's name, the file of credentials, certificates.

Asked before anything is connected, by a check of the configuration as by what publishes; no network here.
"""

import logging
import ssl
import tomllib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from firmware.errors import InputError

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who the board is to the broker."""

    username: str
    password: str

    def __repr__(self) -> str:
        return f"Credentials({self.username!r})"  # a password is for no log


class _Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of credentials holds."""

    username: str
    password: str


def credentials_in(path: Path) -> Credentials:
    """User name and password in a TOML file with the keys `username` and `password`. InputError, which never
    tells what is in the file."""
    try:
        login = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Login)
        for_everybody = path.stat().st_mode & 0o007
    except OSError as error:
        raise InputError(
            f"{path}: the MQTT credentials cannot be read ({error.strerror}); for the service it is "
            f"`sudo chown root:setmatch {path}` and `sudo chmod 640 {path}`"
        ) from error
    except (ValueError, RecursionError):
        raise InputError(
            f'{path}: no MQTT credentials; write two lines: username = "..." and password = "..."'
        ) from None
    if for_everybody:
        logger.warning("%s can be read by everybody on this computer; chmod 640 mends that", path)
    return Credentials(login.username, login.password)


def check_host(host: str) -> None:
    """InputError for a name that no computer can have, such as one with two dots in a row: looking it up is
    an error of Python's, not of the network's (RFC 1035 2.3.4: labels of 1 to 63 letters)."""
    try:
        host.encode("idna")  # as the lookup does
    except UnicodeError:
        raise InputError(
            f"{host!r} is no name that a computer can have; correct mqtt.host: no two dots in a row, and at "
            "most 63 letters between them"
        ) from None


def check_certificates(path: Path) -> None:
    """InputError for a file that holds no certificates in PEM form, or cannot be read."""
    try:
        ssl.create_default_context(cafile=str(path))
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise InputError(
            f"{path} cannot be used for MQTT ({error}); name the file of your broker's CA, in PEM form, "
            "in mqtt.ca"
        ) from error
