"""Kernels seen through a map, a factor, some of the columns, or on pairs of objects."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.kernels._base import Floats, Kernel
from margin.kernels._wrapper import Wrapper
from margin.kernels.algebra._algebra import Product, Sum
from margin.kernels.algebra._composite import Composite
from margin.kernels.vectors._vectors import rows


@dataclass(frozen=True)
class Mapped(Wrapper):
    r"""The kernel :math:`k(\phi(x), \phi(z))`: see :func:`compose`."""

    map: Callable[[Any], Any] = np.asarray
    input = "any"

    @property
    def stationary(self) -> bool:
        """As the kernel within."""
        return self.kernel.stationary

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """The kernel of the images."""
        return self.kernel(self.map(X), None if Z is None else self.map(Z), n_threads=n_threads)

    def diag(self, X: Any) -> Floats:
        """The diagonal for the images."""
        return self.kernel.diag(self.map(X))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """Those of the kernel of the images."""
        return self.kernel.derivatives(self.map(X))

    def gradient_product(self, X: Any, weight: Floats) -> Floats:
        """That of the kernel of the images."""
        return self.kernel.gradient_product(self.map(X), weight)


@dataclass(frozen=True)
class ColumnChoice:
    """The map of a table to some of its columns."""

    columns: tuple[int, ...]

    def __call__(self, X: Any) -> Floats:
        """Those columns of a table."""
        table = rows("on_columns", X)
        if max(self.columns) >= table.shape[1] or min(self.columns) < -table.shape[1]:
            wanted = f"columns of a table of {table.shape[1]} columns"
            raise check.fail("on_columns", "columns", wanted, self.columns)
        return np.ascontiguousarray(table[:, list(self.columns)])


@dataclass(frozen=True)
class Weighted(Wrapper):
    r"""The kernel :math:`f(x)\, k(x, z)\, f(z)`: see :func:`scaled_by`."""

    function: Callable[[Any], Any] = np.ones_like

    @property
    def stationary(self) -> bool:
        """Not in general."""
        return False

    def _factors(self, X: Any) -> Floats:
        factors = np.asarray(self.function(X), dtype=np.float64)
        if factors.ndim != 1 or not np.isfinite(factors).all():
            need = "giving one finite number each"
            raise check.fail("scaled_by", "function", need, factors.shape)
        return factors

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """The matrix times the factors of its rows and columns."""
        left = self._factors(X)
        outer = np.multiply.outer(left, left if Z is None else self._factors(Z))
        values = self.kernel(X, Z, n_threads=n_threads)
        return np.asarray(values * outer.astype(values.dtype))

    def diag(self, X: Any) -> Floats:
        """The diagonal times the squared factors."""
        d = self.kernel.diag(X)
        return np.asarray(d * self._factors(X).astype(d.dtype) ** 2)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """Those of the kernel times the factors."""
        left = self._factors(X)
        outer = np.multiply.outer(left, left)
        return (matrix * outer for matrix in self.kernel.derivatives(X))


@dataclass(frozen=True)
class Member:
    """The map of tuples to their i-th members; vectors become the rows of a table."""

    index: int
    vectors: bool

    def __call__(self, X: Any) -> Any:
        """The members of a sequence of tuples."""
        members = [item[self.index] for item in X]
        return np.array(members, ndmin=2) if self.vectors else members


def compose(kernel: Kernel, map: Callable[[Any], Any]) -> Mapped:  # noqa: A002
    r"""The kernel :math:`k(\phi(x), \phi(z))` of the images of objects (kernels.19, kernels.21).

    Parameters
    ----------
    kernel : Kernel
        Compares the images.
    map : callable
        Takes a set of objects, gives the set of their images.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Linear
    >>> compose(Linear(), np.log2)(np.array([[4.0]]), np.array([[8.0]]))
    array([[6.]])
    """
    return Mapped(kernel, map)


def on_columns(kernel: Kernel, columns: Sequence[int]) -> Mapped:
    """The kernel of some columns of a table (kernels.18).

    Sums and products of such kernels are kernels on sub-vectors.

    Examples
    --------
    >>> from margin.kernels import RBF, Linear
    >>> kernel = on_columns(Linear(), [0]) * on_columns(RBF(1.0), [1, 2])
    >>> kernel([[2.0, 1.0, 1.0]], [[3.0, 1.0, 1.0]])
    array([[6.]])
    """
    chosen = tuple(int(c) for c in np.atleast_1d(columns))
    if not chosen:
        raise check.fail("on_columns", "columns", "at least one column", columns)
    return Mapped(kernel, ColumnChoice(chosen))


def scaled_by(kernel: Kernel, function: Callable[[Any], Any]) -> Weighted:
    r"""The kernel :math:`f(x)\, k(x, z)\, f(z)` (kernels.19).

    Parameters
    ----------
    kernel : Kernel
        What is scaled.
    function : callable
        Takes a set of objects, gives one number of any sign for each.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Constant
    >>> double = scaled_by(Constant(1.0), lambda X: 2.0 * np.asarray(X)[:, 0])
    >>> double([[1.0]], [[3.0]])
    array([[12.]])
    """
    return Weighted(kernel, function)


def tensor(*kernels: Kernel) -> Composite:
    r"""The kernel :math:`\prod_i k_i(x_i, z_i)` of tuples of objects (kernels.18, kernels.19).

    The members of a tuple may be of different kinds: a vector, a string, a graph.

    Examples
    --------
    >>> from margin.kernels import Linear, Polynomial
    >>> kernel = tensor(Linear(), Polynomial(2, coef0=0.0))
    >>> kernel([([1.0, 2.0], [3.0])], [([3.0, 4.0], [2.0])])
    array([[396.]])
    """
    return Product(_members(kernels))


def direct_sum(*kernels: Kernel) -> Composite:
    r"""The kernel :math:`\sum_i k_i(x_i, z_i)` of tuples of objects (kernels.19).

    Examples
    --------
    >>> from margin.kernels import Linear, Polynomial
    >>> kernel = direct_sum(Linear(), Polynomial(2, coef0=0.0))
    >>> kernel([([1.0, 2.0], [3.0])], [([3.0, 4.0], [2.0])])
    array([[47.]])
    """
    return Sum(_members(kernels))


def _members(kernels: tuple[Kernel, ...]) -> tuple[Kernel, ...]:
    return tuple(Mapped(k, Member(i, k.input == "vectors")) for i, k in enumerate(kernels))
