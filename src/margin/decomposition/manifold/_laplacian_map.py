"""Smooth functions on a graph: eigenvectors of its Laplacian."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.linalg import graph_functions, n_parts


@dataclass(frozen=True)
class LaplacianMap:
    """Eigenvalues, rising, their functions in columns, the residual, and the parts of the graph."""

    values: Floats
    functions: Floats
    residual: float
    n_parts: int


def laplacian_map(affinity: Any, n_components: int, rng: np.random.Generator) -> LaplacianMap:
    r"""The ``n_components`` smoothest functions on a graph (decomposition.14).

    .. math:: L = I - D^{-1/2} A D^{-1/2}, \qquad L u = \lambda u, \qquad f = D^{-1/2} u,
              \qquad \tfrac12 \sum_{ij} A_{ij} (f_i - f_j)^2 = \lambda \; f^\top D f

    The first is constant.

    Parameters
    ----------
    affinity : ndarray or sparse matrix of shape (n, n)
        Symmetric, not negative; its diagonal does not count.
    n_components : int
    rng : numpy.random.Generator
        Makes the first vectors.

    Examples
    --------
    >>> path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> laplacian_map(path, 2, np.random.default_rng(0)).values.round(6)
    array([0., 1.])
    """
    smooth = graph_functions(affinity, n_components, rng=rng)
    values = np.maximum(1.0 - smooth.values, 0.0)
    return LaplacianMap(values, smooth.functions, smooth.residual, n_parts(affinity))
