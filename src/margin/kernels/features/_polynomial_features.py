"""The features of the polynomial kernel, written out."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.features._feature_map import FeatureMap
from margin.kernels.vectors._polynomial import Polynomial
from margin.kernels.vectors._vectors import rows


@dataclass(frozen=True)
class PolynomialFeatures(FeatureMap):
    r"""All weighted monomials of the kernel :math:`(\gamma x^\top z + c)^d` (kernels.04).

    .. math:: \phi_m(x) = \sqrt{\frac{d!}{m_0!\, m_1! \cdots m_p!}\; c^{m_0} \gamma^{d - m_0}}\;
        \prod_j x_j^{m_j}, \qquad \sum_{j=0}^p m_j = d,

    so that :math:`\phi(x)^\top \phi(z)` is the kernel exactly. With :math:`c = 0` (homogeneous)
    there are :math:`\binom{p+d-1}{d}` features of degree ``d``, else :math:`\binom{p+d}{d}` up to
    degree ``d``. The multinomial weights are the factors :math:`\sqrt2` of mixed terms.

    Parameters
    ----------
    n_columns : int
        Columns ``p`` of the tables.
    degree : int
        Degree ``d``, at least 1.
    gamma, coef0 : float
        Factor and constant of the kernel.

    Examples
    --------
    >>> PolynomialFeatures(2, 2, coef0=0.0)([[1.0, 2.0]]).round(6)
    array([[1.      , 2.828427, 4.      ]])
    >>> both = PolynomialFeatures(2, 2)([[1.0, 2.0], [3.0, 4.0]])
    >>> round(float(both[0] @ both[1]), 9)
    144.0
    """

    n_columns: int
    degree: int = 2
    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self) -> None:
        check.params(self, count="n_columns degree", positive="gamma", nonnegative="coef0")

    @classmethod
    def of(cls, kernel: Polynomial, n_columns: int) -> "PolynomialFeatures":
        """The map of a polynomial kernel."""
        return cls(n_columns, kernel.degree, kernel.gamma, kernel.coef0)

    @property
    def n_features(self) -> int:
        """Number of monomials."""
        free = self.n_columns - (self.coef0 == 0)
        return comb(free + self.degree, self.degree)

    @cached_property
    def powers(self) -> NDArray[np.int64]:
        """Power of every column in every monomial, of shape ``(n_features, n_columns)``."""
        first = 1 if self.coef0 == 0 else 0
        every = range(first, self.n_columns + 1)
        exponents = np.zeros((self.n_features, self.n_columns + 1), dtype=np.int64)
        for row, chosen in zip(
            exponents, combinations_with_replacement(every, self.degree), strict=True
        ):
            np.add.at(row, list(chosen), 1)
        return exponents[:, 1:]

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """Factor of every monomial."""
        squares = []
        for powers in self.powers.tolist():
            constant = self.degree - sum(powers)
            ways = factorial(self.degree) // factorial(constant)
            for power in powers:
                ways //= factorial(power)
            squares.append(ways * self.coef0**constant * self.gamma ** (self.degree - constant))
        return np.asarray(np.sqrt(squares), dtype=np.float64)

    def __call__(self, X: Any) -> Floats:
        """Weighted monomials of the rows."""
        table = rows(self, X)
        if table.shape[1] != self.n_columns:
            raise check.fail(self, "X", f"of {self.n_columns} columns", table.shape[1])
        monomials = np.tile(self.weights.astype(table.dtype), (len(table), 1))
        for column, powers in zip(table.T, self.powers.T, strict=True):
            ladder = column[:, None] ** np.arange(self.degree + 1)
            monomials *= ladder[:, powers].astype(table.dtype)
        return monomials
