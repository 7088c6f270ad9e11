"""Urns that grow with what is drawn from them."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.random import generator
from margin.core.types import Indices
from margin.mixture.processes._chinese_restaurant import ChineseRestaurantProcess


def polya_urn(balls: ArrayLike, n: int, rng: Any = None) -> Indices:
    r"""Colours drawn from an urn that gets another ball of every colour drawn (mixture.13).

    The share of a colour tends to a random limit: of ``balls`` :math:`(a, b)` that of the first
    has the law :math:`\mathrm{Beta}(a, b)`, and the colours are a mixture of independent draws.

    Parameters
    ----------
    balls : array-like of shape (n_colours,)
        What is in the urn at first; fractions are allowed.
    n : int
        How many draws.
    rng : None, int or Generator

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> polya_urn([1.0, 0.0], 5, rng=0)
    array([0, 0, 0, 0, 0])
    """
    start = np.asarray(balls, dtype=np.float64)
    fine = start.ndim == 1 and np.isfinite(start).all() and (start >= 0).all()
    if not fine or not start.sum() > 0:
        raise check.fail("polya_urn", "balls", "a vector of at least 0, not all 0", balls)
    rng = generator(rng)
    total, ends = start.sum(), np.cumsum(start)
    point = rng.random(n) * (total + np.arange(n))
    colours = np.minimum(np.searchsorted(ends, point, side="right"), len(start) - 1)
    for i in np.flatnonzero(point >= total):  # a ball that an earlier draw has brought
        colours[i] = colours[min(int(point[i] - total), i - 1)]
    return np.asarray(colours, dtype=np.int64)


def hoppe_urn(alpha: float, n: int, rng: Any = None) -> Indices:
    r"""Colours drawn from an urn with a black ball of weight alpha (mixture.14).

    The black ball goes back with a ball of a **new** colour, any other with one of its own. The
    law of the colours, numbered as they appear, is that of the tables of
    :class:`ChineseRestaurantProcess`: both are drawn alike.

    Parameters
    ----------
    alpha : float
        Weight of the black ball, above 0.
    n : int
        How many draws.
    rng : None, int or Generator

    Returns
    -------
    ndarray of shape (n,)
        The colour of the ball that was added, after every draw.

    Examples
    --------
    >>> int(hoppe_urn(1.0, 4, rng=0)[0])
    0
    """
    return ChineseRestaurantProcess(alpha).sample(n, rng)
