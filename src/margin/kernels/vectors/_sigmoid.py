"""The sigmoid kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core import check
from margin.kernels._base import Definite, Floats
from margin.kernels.vectors._vectors import VectorKernel, dot, rows, squared_norms


@dataclass(frozen=True)
class Sigmoid(VectorKernel):
    r"""Sigmoid kernel :math:`\tanh(\gamma\, x^\top z + c)`, the offset within (kernels.07).

    The hidden unit of a network as a similarity. Not positive semi-definite in general
    (``definite`` is ``"no"``): :func:`find_violation` finds data that show it, and a machine that
    needs a convex problem must not be given it unchecked.

    Parameters
    ----------
    gamma : float
        Factor of the scalar product, above 0.
    coef0 : float
        Offset ``c``, of any sign; not optimised.

    Examples
    --------
    >>> Sigmoid(0.5, 1.0)([[1.0]], [[2.0]]).round(6)
    array([[0.964028]])
    """

    gamma: float = 1.0
    coef0: float = 0.0
    hyper: ClassVar[tuple[str, ...]] = ("gamma",)
    definite: ClassVar[Definite] = "no"
    takes_sparse = True

    def __post_init__(self) -> None:
        check.params(self, positive="gamma")
        if not np.isfinite(self.coef0):
            raise check.fail(self, "coef0", "a finite number", self.coef0)

    def _map(self, product: Floats) -> Floats:
        kind = product.dtype.type
        return np.asarray(np.tanh(product * kind(self.gamma) + kind(self.coef0)))

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        return self._map(dot(X, Z))

    def _diagonal(self, X: Any) -> Floats:
        return self._map(squared_norms(X))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r""":math:`(1 - k^2)\, \gamma x^\top z`."""
        product = dot(rows(self, X, takes_sparse=True), None)
        yield (1.0 - self._map(product) ** 2) * (self.gamma * product)
