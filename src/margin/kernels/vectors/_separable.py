"""Kernels that are a product over the columns of one function of the difference."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.vectors._vectors import VectorKernel, rows


class Separable(VectorKernel):
    r"""A tensor-product kernel with the same function in every column (kernels.18).

    .. math:: k(x, z) = \prod_j f\Bigl(\frac{x_j - z_j}{\ell_j}\Bigr).

    If :math:`f` is positive definite on the line the product is in any number of columns. A
    subclass gives :math:`f(u)`, even in ``u``, and its derivative.
    """

    length_scale: float | tuple[float, ...]

    @property
    def stationary(self) -> bool:
        """True: the value depends on the difference of the points."""
        return True

    @abstractmethod
    def profile(self, u: Floats) -> Floats:
        """Values :math:`f(u)` at differences in units of the length scale."""

    @abstractmethod
    def profile_slope(self, u: Floats) -> Floats:
        """Derivative :math:`f'(u)`; zero or one-sided at a kink."""

    def scaled(self, X: Floats) -> Floats:
        """The table in units of the length scales."""
        scales = self.length_scale
        if isinstance(scales, tuple) and len(scales) != X.shape[1]:
            wanted = f"one number or one per column ({X.shape[1]})"
            raise check.fail(self, "length_scale", wanted, f"{len(scales)} numbers")
        return np.asarray(X / np.asarray(scales, dtype=X.dtype))

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        left = self.scaled(X)
        right = left if Z is None else self.scaled(Z)
        product = np.ones((len(left), len(right)), dtype=X.dtype)
        for a, b in zip(left.T, right.T, strict=True):
            product *= self.profile(np.subtract.outer(a, b))
        # An even function of rounded differences is symmetric to the bit.
        return product

    def _diagonal(self, X: Any) -> Floats:
        value = self.profile(np.zeros(1, dtype=X.dtype))[0]
        return np.full(X.shape[0], value ** X.shape[1], dtype=X.dtype)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r"""In the length scales: :math:`-u_j f'(u_j) \prod_{i \ne j} f(u_i)`."""
        terms = self._length_terms(self.scaled(rows(self, X)))
        if isinstance(self.length_scale, tuple):
            yield from terms
        else:
            yield np.sum(list(terms), axis=0)

    def _length_terms(self, X: Floats) -> Iterator[Floats]:
        for j in range(X.shape[1]):
            u = np.subtract.outer(X[:, j], X[:, j])
            yield -u * self.profile_slope(u) * self._without(X, j)

    def _without(self, X: Floats, column: int) -> Floats:
        """Product over the other columns."""
        product = np.ones((len(X), len(X)), dtype=X.dtype)
        for i in range(X.shape[1]):
            if i != column:
                product *= self.profile(np.subtract.outer(X[:, i], X[:, i]))
        return product
