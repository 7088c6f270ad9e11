"""Times of one sequence that a query asks for."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats, Indices


def asked(owner: object, times: Any, length: int, *, beyond: bool = False) -> Indices:
    """Checked positions from 0; all of the sequence by default.

    Parameters
    ----------
    owner : object
        Who asks, for messages.
    times : array-like of int or None
    length : int
        Of the sequence.
    beyond : bool
        Whether times after its end are allowed.

    Examples
    --------
    >>> asked("Model", None, 3)
    array([0, 1, 2])
    >>> asked("Model", [3], 3)
    Traceback (most recent call last):
    ValueError: Model: times must be integers from 0 to 2, got [3]
    """
    at = np.arange(length) if times is None else np.asarray(times)
    at = at.astype(np.intp) if at.size == 0 and at.ndim == 1 else at
    good = at.dtype.kind in "iu" and at.ndim == 1
    if not good or (at.size and (at.min() < 0 or (at.max() >= length and not beyond))):
        wanted = "of at least 0" if beyond else f"from 0 to {length - 1}"
        raise check.fail(owner, "times", f"integers {wanted}", times)
    return at


def with_room(rows: Floats, at: Indices) -> Floats:
    """Rows of a sequence, and unobserved ones up to the last of some times.

    Examples
    --------
    >>> with_room(np.array([[1.0]]), np.array([2]))
    array([[ 1.],
           [nan],
           [nan]])
    """
    more = max(int(at.max(initial=-1)) + 1 - len(rows), 0)
    return np.concatenate([rows, np.full((more, rows.shape[1]), np.nan)])
