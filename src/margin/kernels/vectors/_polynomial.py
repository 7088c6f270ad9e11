"""The polynomial kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels._hyper import positive
from margin.kernels.vectors._vectors import VectorKernel, dot, rows, squared_norms


@dataclass(frozen=True)
class Polynomial(VectorKernel):
    r"""Polynomial kernel :math:`(\gamma\, x^\top z + c)^d` (kernels.03).

    Its features are all monomials of degree ``d`` (:math:`c = 0`, homogeneous) or up to ``d``
    (:math:`c > 0`); :func:`polynomial_features` writes them out.

    Parameters
    ----------
    degree : int
        Degree ``d``, at least 1.
    gamma : float
        Factor of the scalar product, above 0.
    coef0 : float
        Constant ``c``, at least 0; a free hyper-parameter unless it is 0.

    Examples
    --------
    >>> x, z = [[1.0, 2.0]], [[3.0, 4.0]]
    >>> Polynomial(2, coef0=0.0)(x, z), Polynomial(2)(x, z)
    (array([[121.]]), array([[144.]]))
    """

    degree: int = 3
    gamma: float = 1.0
    coef0: float = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("gamma", "coef0")
    takes_sparse = True

    def __post_init__(self) -> None:
        check.params(self, count="degree", positive="gamma", nonnegative="coef0")
        object.__setattr__(self, "gamma", positive(self, "gamma", self.gamma))

    def _free(self) -> tuple[str, ...]:
        return self.hyper if self.coef0 > 0 else ("gamma",)

    def _base(self, product: Floats) -> Floats:
        kind = product.dtype.type
        return np.asarray(product * kind(self.gamma) + kind(self.coef0))

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        return integer_power(self._base(dot(X, Z)), self.degree)

    def _diagonal(self, X: Any) -> Floats:
        return integer_power(self._base(squared_norms(X)), self.degree)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r""":math:`d\,(\gamma x^\top z + c)^{d-1}` times :math:`\gamma x^\top z` and :math:`c`."""
        product = dot(rows(self, X, takes_sparse=True), None)
        slope = self.degree * integer_power(self._base(product), self.degree - 1)
        yield slope * (self.gamma * product)
        if self.coef0 > 0:
            yield np.asarray(slope * self.coef0)


def integer_power(base: Floats, exponent: int) -> Floats:
    """``base ** exponent`` by repeated squaring, many times faster than the general power."""
    power = np.ones_like(base)
    square = base
    while exponent:
        if exponent & 1:
            power = power * square
        exponent >>= 1
        if exponent:
            square = square * square
    return power
