"""Cosine normalisation of a kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.kernels._base import Floats, Kernel
from margin.kernels._wrapper import Wrapper


@dataclass(frozen=True)
class Normalised(Wrapper):
    r"""Cosine of the angle between the features of two objects (kernels.20).

    .. math:: \tilde k(x, z) = \frac{k(x, z)}{\sqrt{k(x, x)\, k(z, z)}}.

    Takes away the effect of size, as of long strings or large graphs. An object whose features are
    all zero is like nothing, not even itself.

    Parameters
    ----------
    kernel : Kernel
        What is normalised.

    Examples
    --------
    >>> from margin.kernels import Linear
    >>> normalise(Linear())([[1.0, 0.0]], [[3.0, 4.0]])
    array([[0.6]])
    """

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of cosines."""
        left = _reciprocal(self.kernel.diag(X))
        right = left if Z is None else _reciprocal(self.kernel.diag(Z))
        cosines = self.kernel(X, Z, n_threads=n_threads)
        if Z is None:
            cosines *= np.multiply.outer(left, right)
            np.fill_diagonal(cosines, left > 0)
            return cosines
        return np.asarray(cosines * left[:, None] * right)

    def diag(self, X: Any) -> Floats:
        """One, or zero where the kernel has zero."""
        d = self.kernel.diag(X)
        return (d > 0).astype(d.dtype)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r""":math:`\partial_j k / \sqrt{..} - \tfrac12 \tilde k (\partial_j k_x / k_x + ..)`."""
        scale = _reciprocal(self.kernel.diag(X))
        outer = np.multiply.outer(scale, scale)
        cosines = self(X)
        for matrix in self.kernel.derivatives(X):
            share = 0.5 * np.diagonal(matrix) * scale**2
            yield matrix * outer - cosines * np.add.outer(share, share)


def normalise(kernel: Kernel) -> Normalised:
    r"""The cosine :math:`k(x, z) / \sqrt{k(x, x)\, k(z, z)}` in feature space (kernels.20).

    An object whose features are all zero is like nothing, not even itself.

    Examples
    --------
    >>> from margin.kernels import Polynomial
    >>> normalise(Polynomial(2))([[1.0]], [[1.0], [-1.0]])
    array([[1., 0.]])
    """
    return Normalised(kernel)


def _reciprocal(diagonal: Floats) -> Floats:
    """One over the square root, zero where the kernel is zero."""
    positive = diagonal > 0
    roots = np.zeros_like(diagonal)
    roots[positive] = 1.0 / np.sqrt(diagonal[positive])
    return roots
