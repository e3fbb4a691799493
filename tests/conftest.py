"""Settings of the whole test run."""

import os

# As in firmware.cli.main, and before numpy is imported: BLAS threads of parallel tests stall each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
