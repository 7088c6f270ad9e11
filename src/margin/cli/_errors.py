"""What can go wrong at the command line, and the exit code of each."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

OK, INTERNAL, USAGE, ONLY_BASELINES, INTERRUPTED = 0, 1, 2, 3, 130


class CommandError(Exception):
    """A request that cannot be met, said in one line; exits with 2."""

    code = USAGE


class StoppedError(CommandError):
    """Stopped by the user before anything was finished; exits with 130."""

    code = INTERRUPTED


def one_line(error: BaseException) -> str:
    """The message of an error on one line; its class where it has no message.

    Examples
    --------
    >>> one_line(ValueError("first   second"))
    'first second'
    >>> one_line(MemoryError())
    'MemoryError'
    """
    return " ".join(str(error).split()) or type(error).__name__


def near(name: str, known: Iterable[str], cutoff: float = 0.55) -> str:
    """Hint with the known names closest to a misspelt one; empty when none is close.

    Examples
    --------
    >>> near("breast_cancr", ["iris", "breast_cancer"])
    "; did you mean 'breast_cancer'?"
    """
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=cutoff)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


def quoted(names: Iterable[str], most: int = 5) -> str:
    """Names in quotes, separated by commas, cut after ``most``.

    Examples
    --------
    >>> quoted(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    names = list(names)
    shown = ", ".join(map(repr, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
