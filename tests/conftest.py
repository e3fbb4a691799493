"""Settings of the whole test run."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

# As in firmware.cli.main, and before numpy is imported: BLAS threads of parallel tests stall each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A run under nohup ignores this signal, and so would the programs that tests start, which are to end by it. A
# handler, unlike that, is not inherited.
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda number, frame: None)

import pytest
from hypothesis import settings

from tests.shared import NOBODY

# A machine that does much else at the time is no fault of the code: no test asserts a time.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that is reached by every user, and belongs to the one of `as_another`."""
    with TemporaryDirectory(prefix="setmatch-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, -1)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)
