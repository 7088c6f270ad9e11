"""White noise."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core.objects import count, precision
from margin.kernels._base import Floats, Kernel


@dataclass(frozen=True)
class White(Kernel):
    r"""Independent noise: every object is like nothing but itself.

    .. math:: K(X) = \sigma^2 I, \qquad K(X, Z) = 0.

    Two sets are never taken as the same objects, even if they have equal rows: the noise of a
    prediction is not the noise of an observation.

    Parameters
    ----------
    noise_level : float
        Variance :math:`\sigma^2`, above 0.

    Examples
    --------
    >>> White(0.5)([[0.0], [0.0]])
    array([[0.5, 0. ],
           [0. , 0.5]])
    """

    noise_level: float = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("noise_level",)
    input: ClassVar[str] = "any"

    @property
    def stationary(self) -> bool:
        """True."""
        return True

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """``noise_level`` times the identity; zeros between two sets."""
        if Z is None:
            return np.diag(self.diag(X))
        return np.zeros((count(X), count(Z)), dtype=precision(X))

    def diag(self, X: Any) -> Floats:
        """Vector of ``noise_level``."""
        return np.full(count(X), self.noise_level, dtype=precision(X))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """The derivative in the logarithm is the matrix itself."""
        yield self(X)

    def gradient_product(self, X: Any, weight: Floats) -> Floats:
        """``noise_level`` times the trace of the weights."""
        return np.array([self.noise_level * float(np.trace(weight))])
