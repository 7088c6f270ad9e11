"""The Gaussian kernel as similarities of rows."""

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics.pairwise import rbf_kernel

from margin.core.types import Array
from margin.kernels._resolve import resolve


def gaussian_affinity(X: Any, gamma: float) -> Array:
    r"""Similarities :math:`\exp(-\gamma \|x - y\|^2)` of all pairs of rows, in their precision.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, p)
    gamma : float
        At least 0.

    Examples
    --------
    >>> import numpy as np
    >>> gaussian_affinity(np.array([[0.0], [1.0]]), 1.0).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """
    kernel = resolve("rbf", gamma=gamma) if gamma > 0 else None
    if kernel is None or issparse(X) or X.dtype != np.float64:
        return np.asarray(rbf_kernel(X, gamma=gamma))
    return np.asarray(kernel(X))
