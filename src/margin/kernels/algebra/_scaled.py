"""Positive multiples of a kernel."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.core.types import Places
from margin.kernels._base import Floats, Kernel, parameter_vector
from margin.kernels._hyper import moved
from margin.kernels._prepared import Prepared
from margin.kernels._wrapper import Wrapper
from margin.kernels.products._weighted_rows import WeightedRows


@dataclass(frozen=True)
class Scaled(Wrapper):
    r"""A positive multiple :math:`c\,k` of a kernel (kernels.19).

    Parameters
    ----------
    kernel : Kernel
        What is multiplied.
    factor : float
        The multiple ``c``, above 0; a free hyper-parameter, the first of ``theta``.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> (2.0 * RBF(1.0)).theta_names
    ('factor', 'length_scale')
    """

    factor: float = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("factor",)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.params(self, positive="factor")

    def __str__(self) -> str:
        inner = f"({self.kernel})" if " + " in str(self.kernel) else str(self.kernel)
        return f"{self.factor:.3g} * {inner}"

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """The multiple of the matrix."""
        values = self.kernel(X, Z, n_threads=n_threads)
        values *= values.dtype.type(self.factor)
        return values

    def diag(self, X: Any) -> Floats:
        """The multiple of the diagonal."""
        d = self.kernel.diag(X)
        return np.asarray(d * d.dtype.type(self.factor))

    @property
    def theta(self) -> NDArray[np.float64]:
        """Logarithm of the factor, then what the kernel has."""
        return np.concatenate([[np.log(self.factor)], self.kernel.theta])

    @property
    def n_theta(self) -> int:
        """One more than the kernel has."""
        return 1 + self.kernel.n_theta

    @property
    def theta_names(self) -> tuple[str, ...]:
        """``"factor"``, then what the kernel has."""
        return ("factor", *self.kernel.theta_names)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Of the factor, then what the kernel has."""
        return np.concatenate([np.log([[1e-5, 1e5]]), self.kernel.bounds])

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same kernel at other hyper-parameters."""
        values = parameter_vector(self, theta)
        factor = moved(np.array([self.factor]), values[:1])[0]
        return replace(self, kernel=self.kernel.with_theta(values[1:]), factor=factor)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """The matrix itself, then multiples of the kernel's derivatives."""
        yield self(X)
        for matrix in self.kernel.derivatives(X):
            yield matrix * matrix.dtype.type(self.factor)

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        """Weighted sums of the derivatives."""
        inner, own = self.kernel.weighted_sums(X, weight)
        return self.factor * np.concatenate([[own], inner])

    def cross_gradient(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Multiples of the sums of the kernel and of its derivatives."""
        inner, move, own = self.kernel.cross_gradient_product(X, Z, weight, points=points)
        theta = self.factor * np.concatenate([[own], inner])
        return theta, None if move is None else self.factor * move

    @property
    def by_pairs(self) -> bool:
        """Whether the kernel within is."""
        return self.kernel.by_pairs

    @property
    def supports(self) -> tuple[Kernel, ...]:
        """Those of the kernel within."""
        return self.kernel.supports

    def at_pairs(self, X: Any, Z: Any, i: Places, j: Places) -> Floats:
        """Multiples of the kernel within."""
        return np.asarray(self.factor * self.kernel.at_pairs(X, Z, i, j))

    def pair_derivatives(self, X: Any, i: Places, j: Places) -> Iterator[Floats]:
        """The values themselves, then multiples of the kernel's derivatives."""
        yield self.at_pairs(X, X, i, j)
        yield from (self.factor * d for d in self.kernel.pair_derivatives(X, i, j))

    def prepare(self, Z: Any) -> Prepared:
        """The kernel within, times the factor."""
        return WeightedRows((self.factor,), (self.kernel.prepare(Z),))
