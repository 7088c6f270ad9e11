"""Which kernel a machine was asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from margin.core.types import Floats
from margin.kernels import Kernel, resolve

NAMED = ("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "precomputed")


@dataclass(frozen=True, eq=False)
class KernelChoice:
    """A kernel by name, as an object or as a function, with what the named ones need.

    Parameters
    ----------
    kernel : str, Kernel or callable
    gamma : float, "scale" or "auto"
    degree : int
    coef0 : float

    Examples
    --------
    >>> KernelChoice("rbf", 0.5).resolve(np.zeros((2, 1)))
    RBF(length_scale=1.0)
    """

    kernel: Any
    gamma: Any = "scale"
    degree: int = 3
    coef0: float = 0.0

    def resolve(self, X: Any, weight: Floats | None = None) -> Kernel | None:
        """The kernel for this table as an object; ``None`` for a kernel matrix.

        With weights the scale of the table is that of the rows, each as often as it weighs.
        """
        gamma = self.gamma
        if gamma == "scale" and isinstance(self.kernel, str) and weight is not None:
            gamma = _weighted_scale(X, weight)
        return resolve(self.kernel, gamma=gamma, degree=self.degree, coef0=self.coef0, X=X)


def takes_objects(kernel: Any, X: Any) -> bool:
    """Whether ``X`` is a list of objects for this kernel rather than a table."""
    if not isinstance(kernel, Kernel) and not callable(kernel):
        return False
    if getattr(kernel, "input", "any") == "vectors":
        return False
    if isinstance(kernel, Kernel) and kernel.input != "any":
        return True
    if sparse.issparse(X) or getattr(X, "ndim", 1) == 2:
        return False
    try:
        return np.asarray(X, dtype=np.float64).ndim != 2
    except (TypeError, ValueError):
        return True


def _weighted_scale(X: Any, weight: Floats) -> float:
    """1 / (n_features * variance of ``X``), where a weight of two counts a row twice."""
    share = weight / weight.sum()
    columns = max(1, X.shape[1])
    first = float(share @ np.asarray(X.mean(axis=1)).ravel())
    squares = X.multiply(X) if sparse.issparse(X) else X * X
    spread = float(share @ np.asarray(squares.mean(axis=1)).ravel()) - first**2
    return 1.0 / (columns * spread) if spread > 0 else 1.0
