"""A function of two rows as a kernel."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core.types import Floats


@dataclass(frozen=True)
class PairwiseFunction:
    """Matrix of a function of pairs of rows, as scikit-learn's kernels are given.

    Parameters
    ----------
    function : callable
        ``function(x, z, **arguments)`` gives a number.
    arguments : mapping

    Examples
    --------
    >>> PairwiseFunction(lambda x, z: x @ z, {})(np.eye(2), np.ones((1, 2)))
    array([[1.],
           [1.]])
    """

    function: Callable[..., Any]
    arguments: Mapping[str, Any]

    def __call__(self, X: Any, Z: Any) -> Floats:
        left = X.toarray() if issparse(X) else X
        right = Z.toarray() if issparse(Z) else Z
        rows = [[float(self.function(x, z, **self.arguments)) for z in right] for x in left]
        return np.array(rows, dtype=np.float64).reshape(len(left), len(right))
