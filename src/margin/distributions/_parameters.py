"""Parameters of distributions: checked, broadcast, shown."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Places


def coordinates(owner: object, idx: Any, size: int) -> Places:
    """Distinct coordinate numbers from an integer, a sequence, a slice or a mask.

    Examples
    --------
    >>> coordinates("MultivariateNormal", [0, -1], 3)
    array([0, 2])
    """
    empty = isinstance(idx, list | tuple) and not idx
    try:
        chosen = np.atleast_1d(np.arange(size)[np.empty(0, np.intp) if empty else idx])
    except IndexError as error:
        raise check.fail(owner, "idx", f"coordinates below {size}", idx) from error
    if chosen.ndim != 1 or len(np.unique(chosen)) < len(chosen):
        raise check.fail(owner, "idx", "distinct coordinates", idx)
    return chosen.astype(np.intp, copy=False)


def parameter(owner: object, name: str, value: ArrayLike, *, positive: bool = False) -> Floats:
    """A parameter as a finite, read-only float64 array of its own."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, name, "numbers", value) from error
    if not np.isfinite(array).all():
        raise check.fail(owner, name, "finite", "NaN" if np.isnan(array).any() else "infinity")
    if positive and array.size and not array.min() > 0:
        raise check.fail(owner, name, "above 0", float(array.min()))
    array.flags.writeable = False
    return array


def together(owner: object, **values: Floats) -> list[Floats]:
    """Parameters broadcast to one shape, read-only."""
    try:
        shape = np.broadcast_shapes(*(v.shape for v in values.values()))
    except ValueError as error:
        shapes = " and ".join(str(v.shape) for v in values.values())
        raise check.fail(owner, " and ".join(values), "of matching shapes", shapes) from error
    return [np.broadcast_to(v, shape) for v in values.values()]


def points(owner: Any, x: ArrayLike) -> Floats:
    """Places where something is asked, of a shape that goes with that of the parameters.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> points(Normal([0.0, 1.0], 1.0), [[3, 4]])
    array([[3., 4.]])
    """
    try:
        at = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, "x", "numbers", x) from error
    try:
        np.broadcast_shapes(at.shape, owner.shape)
    except ValueError as error:
        raise check.fail(owner, "x", f"of a shape ending in {owner.shape}", at.shape) from error
    return at


def probabilities(owner: object, q: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Levels between 0 and 1, with an axis of length one for each axis of ``shape``."""
    levels = np.asarray(q, dtype=np.float64)
    if not np.all((levels >= 0) & (levels <= 1)):
        raise check.fail(owner, "q", "between 0 and 1", q)
    return levels.reshape(levels.shape + (1,) * len(shape))


def shown(values: Floats) -> str:
    """A parameter in a repr: short arrays in full, long ones by their range."""
    if values.size <= 4:
        return np.array2string(values, precision=4, separator=", ", floatmode="maxprec")
    return f"{values.min():.4g} … {values.max():.4g}"
