"""Numbers of rows or columns, given as such or as a share of all."""

from numbers import Integral, Real
from typing import Any

import numpy as np

from margin.core import check


def share_of(owner: Any, parameter: str, of: int, *, beyond: bool = False) -> int | None:
    """A number given as such or as a share; None stays None.

    Parameters
    ----------
    owner : object
        Has the parameter.
    parameter : str
    of : int
        How many there are.
    beyond : bool
        Whether there may be more, as of rows drawn with replacement.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> share_of(SimpleNamespace(max_samples=0.5), "max_samples", 9)
    4
    """
    asked = getattr(owner, parameter)
    if asked is None:
        return None
    whole = isinstance(asked, Integral) and not isinstance(asked, bool)
    if whole and 1 <= asked <= (asked if beyond else of):
        return int(asked)
    most = np.inf if beyond else 1.0
    share = isinstance(asked, Real) and not whole and not isinstance(asked, bool)
    if share and 0 < float(asked) <= most and np.isfinite(float(asked)):
        return max(1, round(float(asked) * of))
    need = "None, an integer of at least 1 or a share above 0"
    raise check.fail(owner, parameter, need, asked)
