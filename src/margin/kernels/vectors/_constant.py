"""The constant kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core.objects import count, precision
from margin.core.types import Places
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
        return np.full(shape, self.value, dtype=precision(X))

    def diag(self, X: Any) -> Floats:
        """Vector of the constant."""
        return np.full(count(X), self.value, dtype=precision(X))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """The derivative in the logarithm is the constant itself."""
        yield self(X)

    @property
    def by_pairs(self) -> bool:
        """True."""
        return True

    def at_pairs(self, X: Any, Z: Any, i: Places, j: Places) -> Floats:
        """The constant."""
        return np.full(len(i), float(self.value))

    def pair_derivatives(self, X: Any, i: Places, j: Places) -> Iterator[Floats]:
        """The constant."""
        yield self.at_pairs(X, X, i, j)

    def cross_gradient(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[Floats, Floats | None]:
        """The constant times the sum of the weights; it does not move with the objects."""
        still = np.zeros(X.shape) if isinstance(X, np.ndarray) else None
        return np.array([self.value * float(weight.sum())]), still
