"""Derivatives by differences, to hold written derivatives against."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from margin.core.types import Bools, Floats

STEP = 1e-6


class Differences(NamedTuple):
    """Central differences and where they can be believed.

    Parameters
    ----------
    value : ndarray
        Central differences.
    smooth : ndarray of bool
        Where the forward and the backward difference agree: false at a kink or a jump.
    """

    value: Floats
    smooth: Bools


def finite_differences(
    function: Callable[[Floats], Any], x: Any, *, step: float = STEP
) -> Differences:
    r"""Gradient of a scalar function by central differences (optim.24).

    .. math:: \frac{f(x + h e_j) - f(x - h e_j)}{2h}, \qquad
        h = \mathrm{step} \cdot \max(1, |x_j|).

    Parameters
    ----------
    function : callable
        Takes an array like ``x``, gives a number.
    x : array-like of any shape
        Where to differentiate.
    step : float
        Relative length of the step. 1e-6 leaves about nine right digits.

    Returns
    -------
    Differences
        Arrays of the shape of ``x``.

    Examples
    --------
    >>> import numpy as np
    >>> differences = finite_differences(lambda w: float(np.abs(w).sum()), [2.0, 0.0, -3.0])
    >>> differences.value.round(6), differences.smooth
    (array([ 1.,  0., -1.]), array([ True, False,  True]))
    """
    x = np.asarray(x, dtype=np.float64)
    central, agree = np.empty(x.shape), np.empty(x.shape, dtype=bool)
    here = float(function(x))
    for index in np.ndindex(x.shape):
        h = step * max(1.0, abs(float(x[index])))
        ahead, behind = x.copy(), x.copy()
        ahead[index] += h
        behind[index] -= h
        forward = (float(function(ahead)) - here) / h
        backward = (here - float(function(behind))) / h
        central[index] = 0.5 * (forward + backward)
        agree[index] = _agree(forward, backward)
    return Differences(central, agree)


def elementwise_differences(
    function: Callable[[Floats], Floats], x: Floats, *, step: float = STEP
) -> Differences:
    """Derivative of each entry (or row) of ``function(x)`` with respect to its own entries.

    ``function`` maps an array of shape ``(n,)`` entry by entry, or an array of shape ``(n, k)``
    row by row to shape ``(n,)``; the result has the shape of ``x``.

    Examples
    --------
    >>> import numpy as np
    >>> elementwise_differences(np.square, np.array([1.0, 3.0])).value.round(6)
    array([2., 6.])
    """
    if x.ndim == 1:
        return _shifted(function, x, step * np.maximum(1.0, np.abs(x)))
    columns = []
    for k in range(x.shape[1]):
        h = np.zeros_like(x)
        h[:, k] = step * np.maximum(1.0, np.abs(x[:, k]))
        columns.append(_shifted(function, x, h))
    return Differences(
        np.column_stack([c.value for c in columns]), np.column_stack([c.smooth for c in columns])
    )


def _shifted(function: Callable[[Floats], Floats], x: Floats, h: Floats) -> Differences:
    width = h if h.ndim == 1 else h.max(axis=1)
    here = function(x)
    forward = (function(x + h) - here) / width
    backward = (here - function(x - h)) / width
    return Differences(0.5 * (forward + backward), _agree(forward, backward))


def _agree(forward: Any, backward: Any) -> Any:
    """Whether two one-sided differences belong to one derivative, up to the curvature."""
    scale = 1.0 + np.minimum(np.abs(forward), np.abs(backward))
    return np.abs(forward - backward) <= 1e-3 * scale
