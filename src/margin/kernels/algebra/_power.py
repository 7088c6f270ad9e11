"""Integer powers of a kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.kernels._base import Floats, makes
from margin.kernels._wrapper import Wrapper
from margin.kernels.vectors._polynomial import integer_power


@makes("**")
@dataclass(frozen=True)
class Power(Wrapper):
    r"""An integer power :math:`k^d` of a kernel, itself a kernel (kernels.19).

    Parameters
    ----------
    kernel : Kernel
        What is raised.
    exponent : int
        ``d``, at least 1. A fractional power of a kernel need not be one.

    Examples
    --------
    >>> from margin.kernels import Linear
    >>> (Linear() ** 2)([[1.0, 2.0]], [[3.0, 4.0]]), ((Linear() + 1) ** 2)([[1, 2]], [[3, 4]])
    (array([[121.]]), array([[144.]]))
    """

    exponent: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        check.params(self, count="exponent")

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Power of the matrix, entry by entry."""
        return integer_power(self.kernel(X, Z, n_threads=n_threads), self.exponent)

    def diag(self, X: Any) -> Floats:
        """Power of the diagonal."""
        return integer_power(self.kernel.diag(X), self.exponent)

    def _slope(self, X: Any) -> Floats:
        return self.exponent * integer_power(self.kernel(X), self.exponent - 1)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r""":math:`d\, k^{d-1}` times those of the kernel."""
        slope = self._slope(X)
        return (slope * matrix for matrix in self.kernel.derivatives(X))

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        """Those of the kernel, with the slope taken into the weights."""
        return self.kernel.gradient_product(X, weight * self._slope(X))
