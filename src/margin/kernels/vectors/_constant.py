"""The constant kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.kernels._base import Floats, Kernel


@dataclass(frozen=True)
class Constant(Kernel):
    r"""The same similarity for all: :math:`k(x, z) = c` (kernels.19).

    As a factor it is the variance of a Gaussian process, as a summand the variance of an unknown
    constant offset.

    Parameters
    ----------
    value : float
        The constant, above 0.

    Examples
    --------
    >>> Constant(2.0)([[0.0], [1.0]])
    array([[2., 2.],
           [2., 2.]])
    """

    value: float = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("value",)
    input: ClassVar[str] = "any"

    @property
    def stationary(self) -> bool:
        """True."""
        return True

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of the constant."""
        shape = (count(X), count(X if Z is None else Z))
        return np.full(shape, self.value, dtype=dtype_of(X))

    def diag(self, X: Any) -> Floats:
        """Vector of the constant."""
        return np.full(count(X), self.value, dtype=dtype_of(X))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """The derivative in the logarithm is the constant itself."""
        yield self(X)


def count(X: Any) -> int:
    """Number of objects: rows of a table, or items of a list."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def dtype_of(X: Any) -> type[np.floating[Any]]:
    """float32 for float32 tables, else float64."""
    return np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64
