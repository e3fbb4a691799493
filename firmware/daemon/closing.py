"""A rig's parts given back, however the others end.

When that is done is for whoever drives them to say.
"""

import logging
from collections.abc import Callable

from firmware.daemon.parts import Rig
from firmware.daemon.troubles import Tell
from firmware.errors import FirmwareError
from firmware.journal import Journal
from hardware.errors import HardwareError

logger = logging.getLogger(__name__)


def give_back(rig: Rig, journal: Journal | None, tell: Tell) -> None:
    """Close every part, and the journal if it is open; waits a bounded time for each. Raises nothing: what
    cannot be closed is told."""
    parts: list[tuple[str, Callable[[], object]]] = [
        ("speaker", rig.speaker.close),
        ("panels", rig.panels.stop),
        ("buttons", rig.buttons.close),
        ("camera", rig.frames.close),
    ]
    if journal is not None:
        parts.append(("journal", journal.close))
    for name, close in parts:
        try:
            close()
        except (FirmwareError, HardwareError) as error:
            tell({"kind": "trouble", "part": name, "text": str(error)})
        except Exception:  # the other parts are to be given back all the same
            logger.exception("closing the %s", name)
