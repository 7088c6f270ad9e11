"""Draws from categorical distributions, one per row of a table."""

import numpy as np

from margin.core.types import Floats, Places


def draw(rows: Floats, rng: np.random.Generator) -> Places:
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
    drawn: Places = (rng.random(len(rows))[:, None] >= bounds).sum(axis=1)
    return drawn
