"""The command line: which commands there are, and how errors and interrupts end them.

What a command does is in its own module, which offers `add_parser(subparsers)` and `run(args)`; it
imports heavy libraries inside `run` only, so that help and errors of usage come at once.
"""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import NoReturn

from firmware.commands import (
    calibrate,
    camera_height,
    controller,
    doctor,
    focus,
    games,
    judge,
    locate,
    matches,
    panels,
    referee,
    rulebook,
    run,
    simulate,
    voicing,
    wiring,
)
from firmware.commands.outputs import complain
from firmware.errors import REPORTED

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells report it

_STREAM_FAILURES = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
_COMMANDS = (
    *(calibrate, focus, camera_height, locate, referee, judge, run),
    *(rulebook, panels, matches, voicing, doctor, wiring, games, simulate, controller),
)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that names the way to the help."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_ERROR, f"setmatch: {message}; see: {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `args.run` is the chosen command's function."""
    top = _Parser(
        prog="setmatch",
        description="The board that referees itself: a camera's pictures in, calls and score out.",
        epilog="setmatch COMMAND --help tells more of a command.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"setmatch {version('setmatch-board')}")
    subparsers = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for command in _COMMANDS:
        command.add_parser(subparsers)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (default: the process's arguments) names; the exit code.

    0 is success, 2 an error of usage, input or device (one line on stderr), 130 an interrupt.
    """
    # Our matrices are small: BLAS threads cost more than they give, and on a busy core they wait for
    # one another. Read when numpy is imported, which the commands do.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # `>&-`: Python then has no stream, and print() would drop every line without a word.
    if sys.stdout is None:
        return _failed("standard output is closed; send it to a terminal, a file or a program")
    try:
        # Flushed here, help included, so that a stream that fails is met by the handlers below.
        try:
            args = parser().parse_args(argv)
            code: int = args.run(args)
        finally:
            sys.stdout.flush()
    except REPORTED as error:
        return _failed(str(error))
    except BrokenPipeError:
        # The reader (head, less) has had enough.
        _drop_output()
        return 0
    except KeyboardInterrupt:
        complain("")
        return EXIT_INTERRUPTED
    except OSError as error:
        # Errors of files that a command opens name the file, and become its own errors. What is left
        # is a standard stream that fails.
        if error.filename is not None or error.errno not in _STREAM_FAILURES:
            raise
        _drop_output()
        return _failed(
            f"standard input or output fails ({error.strerror}); send the output where there is room for it"
        )
    return code


def _failed(message: str) -> int:
    complain(f"setmatch: {' '.join(message.split())}")
    return EXIT_ERROR


def _drop_output() -> None:
    """Send what is left of stdout nowhere: Python flushes it once more on its way out, and would
    complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
