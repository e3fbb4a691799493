"""Settings of the whole test run."""

import os

# As in firmware.cli.main, and before numpy is imported: BLAS threads of parallel tests stall each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import settings

# A machine that does much else at the time is no fault of the code: no test asserts a time.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
