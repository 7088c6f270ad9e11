"""The entry point: runs a command, turns every failure into one line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from margin.cli._errors import INTERNAL, INTERRUPTED, OK, USAGE, CommandError, one_line


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``margin`` with the given arguments (those of the process by default).

    Returns
    -------
    int
        0 when done, 1 for a failure of margin itself, 2 for bad input or usage, 3 when only
        baselines finished within the budget, 130 after Ctrl-C without a result. With ``--debug``
        errors are raised instead.

    Examples
    --------
    >>> main(["--version"])  # doctest: +ELLIPSIS
    margin 0...
    0
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments == ["--version"]:
        # answered before anything slow is imported
        from margin import __version__

        print(f"margin {__version__}")  # noqa: T201
        return OK
    from margin.cli._app import app

    try:
        code = app(
            arguments or ["--help"],
            prog_name="margin",
            standalone_mode=False,
            obj=tuple(arguments),
        )
        if code == INTERRUPTED:
            # typer answers Ctrl-C with this number and no word
            raise KeyboardInterrupt
        return code if isinstance(code, int) else OK
    except CommandError as error:
        if "--debug" in arguments:
            raise
        return _fail(error, error.code)
    except KeyboardInterrupt:
        return _fail(CommandError("interrupted"), INTERRUPTED)
    except BrokenPipeError:
        # the reader of a pipe (head, less) has gone: nothing to complain about
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        return _other(error, "--debug" in arguments)


def _other(error: Exception, debug: bool) -> int:
    """Usage errors of typer (by the names that all its versions share), and our own failures."""
    if type(error).__name__ == "Abort":
        return _fail(CommandError("interrupted"), INTERRUPTED)
    if hasattr(error, "format_message"):
        return _fail(CommandError(error.format_message()), USAGE)
    if debug:
        raise error
    kind = type(error).__name__
    words = f"internal failure, {kind}: {one_line(error)} (--debug shows where)"
    return _fail(CommandError(words), INTERNAL)


def _fail(error: BaseException, code: int) -> int:
    sys.stderr.write(f"margin: error: {one_line(error)}\n")
    return code
