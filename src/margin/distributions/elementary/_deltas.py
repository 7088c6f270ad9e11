"""Indicator functions, and deltas of both kinds."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats
from margin.distributions.discrete._empirical import Empirical


def indicator(condition: ArrayLike) -> Floats:
    """1 where a condition holds, 0 elsewhere; its mean is a probability (distributions.02).

    Examples
    --------
    >>> import numpy as np
    >>> indicator(np.array([1.0, 5.0]) > 2.0)
    array([0., 1.])
    """
    return np.asarray(condition, dtype=bool).astype(np.float64)


def kronecker_delta(i: ArrayLike, j: ArrayLike) -> Floats:
    """1 where two indices are equal, 0 elsewhere (distributions.02).

    Examples
    --------
    >>> import numpy as np
    >>> kronecker_delta(np.arange(3)[:, None], np.arange(3))
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    return indicator(np.asarray(i) == np.asarray(j))


def dirac(at: ArrayLike) -> Empirical:
    r"""All probability at a point, or at a point for each of an array (distributions.02).

    The limit of normal distributions that get narrower; expectations under it pick a value,
    :math:`\int f(x)\,\delta(x - a)\,dx = f(a)`.

    Examples
    --------
    >>> point = dirac(2.0)
    >>> float(point.mean), float(point.var), float(point.cdf(1.9)), float(point.cdf(2.0))
    (2.0, 0.0, 0.0, 1.0)
    """
    return Empirical(np.asarray(at, dtype=np.float64)[..., None])


def expectation(law: Empirical, function: Callable[[Floats], Any]) -> Floats:
    r"""Expectation :math:`\sum_k w_k f(a_k)` of a function under weighted values.

    (distributions.15, distributions.17.)

    Examples
    --------
    >>> import numpy as np
    >>> float(expectation(Empirical([1.0, 2.0, 3.0]), np.square).round(6))
    4.666667
    """
    values = np.asarray(function(law.atoms), dtype=np.float64)
    return np.asarray((law.weight * values).sum(axis=-1))
