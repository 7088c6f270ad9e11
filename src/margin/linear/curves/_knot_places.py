"""Where the pieces of a basis meet."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats


def knot_places(owner: str, X: Floats, knots: Any, n_knots: int) -> list[Floats]:
    """Distinct rising knots of each feature.

    Parameters
    ----------
    owner : str
        Who asks, for messages.
    X : ndarray of shape (n, p)
    knots : {"quantile", "uniform"} or array-like of shape (k,) or (k, p)
        As many rows between any two knots, a regular lattice, or the knots themselves.
    n_knots : int
        How many, where they are not given.

    Examples
    --------
    >>> knot_places("BasisExpansion", np.array([[0.0], [1.0], [8.0]]), "uniform", 3)
    [array([0., 4., 8.])]
    """
    p = X.shape[1]
    if isinstance(knots, str):
        if knots not in ("quantile", "uniform"):
            raise check.fail(owner, "knots", "one of 'quantile', 'uniform'", knots)
        low, high = X.min(axis=0), X.max(axis=0)
        share = np.linspace(0, 1, n_knots)
        if knots == "uniform":
            lattice = low + share[:, None] * (high - low)
        else:
            lattice = np.quantile(X, share, axis=0)
        lattice[0], lattice[-1] = low, high
        return [np.unique(column) for column in lattice.T]
    try:
        given = np.asarray(knots, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, "knots", "'quantile', 'uniform' or numbers", knots) from error
    given = np.repeat(given[:, None], p, axis=1) if given.ndim == 1 else given
    if given.ndim != 2 or given.shape[1] != p or len(given) < 2:
        raise check.fail(owner, "knots", f"at least 2, of each of {p} features", knots)
    if not np.isfinite(given).all() or not (np.diff(given, axis=0) > 0).all():
        raise check.fail(owner, "knots", "finite and rising", knots)
    return list(given.T)
