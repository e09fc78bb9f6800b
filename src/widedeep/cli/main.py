"""Which exit status does a command line end with, and what is said when it cannot run?"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cyclopts.exceptions import (
    CycloptsError,
    MissingArgumentError,
    UnusedCliTokensError,
)

from widedeep.cli.app import DASH, MARK, app
from widedeep.cli.output import complain, remark
from widedeep.cli.streams import PipeClosedError, safe_streams
from widedeep.errors import UsageError, WidedeepError

USAGE = 2
FAILED = 1
INTERRUPTED = 130
PIPE_CLOSED = 141
"""What a shell reports for a program that SIGPIPE ended."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status.

    Args:
        argv: the arguments without the program's name; None = this process's.
    """
    safe_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except CycloptsError as error:
        complain(_explain(error, arguments))
        return USAGE
    except UsageError as error:
        complain(str(error))
        return USAGE
    except PipeClosedError:
        return PIPE_CLOSED
    except WidedeepError as error:
        complain(str(error))
        return FAILED
    except KeyboardInterrupt:
        remark("interrupted")
        return INTERRUPTED
    return status


def _run(arguments: list[str]) -> int:
    tokens = [MARK if argument == DASH else argument for argument in arguments]
    status = app(tokens, exit_on_error=False, print_error=False)
    return status if isinstance(status, int) else 0


def _explain(error: CycloptsError, arguments: Sequence[str]) -> str:
    """Return what is wrong with a command line, on one line, with where to look."""
    command = " ".join(("widedeep", *(error.command_chain or ())))
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        extra = error.unused_tokens[0].replace(MARK, DASH)
        fix = (
            "put the question in quotes" if arguments[:1] == ["ask"] else f"see `{command} --help`"
        )
        return f"unexpected argument {extra!r}; {fix}"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        name = error.argument.name
        missing = f"{name} needs a value" if name.startswith("-") else f"{name} is missing"
        return f"{missing}; see `{command} --help`"
    text = str(error).replace(repr(MARK)[1:-1], DASH).replace(MARK, DASH)
    text = " ".join(text.split()).rstrip(".")
    return f"{text[:1].lower()}{text[1:]}; see `{command} --help`"
