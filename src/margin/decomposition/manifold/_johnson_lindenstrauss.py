"""How many random directions keep all distances."""

from typing import Any

import numpy as np
from scipy.optimize import brentq

from margin.core import check


def johnson_lindenstrauss_min_dim(n_samples: Any, *, eps: Any = 0.1) -> Any:
    r"""Directions that keep all distances between so many rows (decomposition.17).

    .. math:: m \ge \frac{4 \ln n}{\epsilon^2 / 2 - \epsilon^3 / 3}

    random directions keep every squared distance within :math:`1 \pm \epsilon`, with a positive
    probability. The answer depends neither on the columns nor on the numbers in them.

    Parameters
    ----------
    n_samples : int or array-like of int
        Rows.
    eps : float or array-like of float, default=0.1
        Largest relative error of a squared distance, above 0 and below 1.

    Returns
    -------
    int or ndarray of int
        The bound without its fraction, as scikit-learn gives it.

    References
    ----------
    S. Dasgupta and A. Gupta, An elementary proof of a theorem of Johnson and Lindenstrauss (2003).

    Examples
    --------
    >>> from margin.decomposition import johnson_lindenstrauss_min_dim
    >>> johnson_lindenstrauss_min_dim(1_000_000, eps=0.5)
    663
    """
    error, rows = np.asarray(eps, dtype=np.float64), np.asarray(n_samples)
    if not ((error > 0) & (error < 1)).all():
        raise check.fail("johnson_lindenstrauss_min_dim", "eps", "above 0 and below 1", eps)
    if not (rows > 0).all():
        raise check.fail("johnson_lindenstrauss_min_dim", "n_samples", "at least 1", n_samples)
    if rows.shape != error.shape and rows.ndim and error.ndim:
        wanted = f"one number, or of the shape {rows.shape} of n_samples"
        raise check.fail("johnson_lindenstrauss_min_dim", "eps", wanted, f"shape {error.shape}")
    least = (4.0 * np.log(rows) / _exponent(error)).astype(np.int64)
    return int(least) if not least.ndim else least


def distortion_bound(n_samples: int, n_components: int) -> float | None:
    """Smallest ``eps`` for which so many directions suffice; None where none below 1 does.

    Examples
    --------
    >>> round(distortion_bound(1_000_000, 664), 3)
    0.5
    >>> distortion_bound(1_000_000, 2) is None
    True
    """
    need = 4.0 * np.log(n_samples) / n_components
    if need >= _exponent(1.0):
        return None
    if need <= _exponent(1e-12):
        return 0.0
    return float(brentq(lambda eps: _exponent(eps) - need, 1e-12, 1.0))


def _exponent(eps: Any) -> Any:
    return eps**2 / 2 - eps**3 / 3
