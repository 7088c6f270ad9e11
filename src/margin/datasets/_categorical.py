"""Draws from categorical distributions, one per row of a table."""

import numpy as np
from numpy.typing import NDArray


def draw(rows: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.intp]:
    r"""One state :math:`k` per row with probability ``rows[i, k]``, by inverting the sums.

    Parameters
    ----------
    rows : ndarray of shape (n, n_states)
        Distributions; rows sum to 1.
    rng : Generator
        Source of randomness; exactly ``n`` uniforms are used.

    Examples
    --------
    >>> draw(np.array([[1.0, 0.0], [0.0, 1.0]]), np.random.default_rng(0))
    array([0, 1])
    """
    # The last state takes what rounding leaves of the unit interval.
    bounds = np.cumsum(rows, axis=1)[:, :-1]
    drawn: NDArray[np.intp] = (rng.random(len(rows))[:, None] >= bounds).sum(axis=1)
    return drawn
