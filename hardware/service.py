"""What a service manager is told of the program, as sd_notify(3) has it: ready, well, ending, and how it is.

systemd's protocol only; when which of it is true is the daemon's to say. Outside a service nothing is told.
"""

import os
import socket
from collections.abc import Mapping
from typing import Final

_SOCKET: Final = "NOTIFY_SOCKET"


def is_service(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether systemd runs this program as a service of type notify: it alone gives a socket to tell it
    things; nothing that people start has one."""
    return bool(environment.get(_SOCKET))


def notify(*states: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell the service manager, at once, such as "READY=1" and "STATUS=plays"; whether it was told.

    A line break in a state becomes a space: it would begin another. No socket, or one that is gone, is no
    error, nor is one that is full, since the manager is busy with others: nothing here waits for it.
    """
    address = environment.get(_SOCKET, "")
    if not address or not states:
        return False
    if address.startswith("@"):  # a name without a file, unix(7)
        address = "\0" + address[1:]
    message = "\n".join(" ".join(state.splitlines()) for state in states)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.setblocking(False)
            sender.connect(address)
            sender.sendall(message.encode(errors="replace"))
    except OSError:
        return False
    return True


def watchdog_interval_s(environment: Mapping[str, str] = os.environ) -> float | None:
    """Within how many seconds the manager wants to hear "WATCHDOG=1" again and again; None if it does not
    watch this process (sd_watchdog_enabled(3): the number is in `WATCHDOG_USEC`, for `WATCHDOG_PID` only)."""
    microseconds, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not _is_number(microseconds) or int(microseconds) == 0:
        return None
    if process and not (_is_number(process) and int(process) == os.getpid()):
        return None
    return int(microseconds) / 1e6


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()
