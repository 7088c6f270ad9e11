"""Sums and products of kernels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Places
from margin.kernels._base import Floats, Kernel, makes
from margin.kernels._prepared import Prepared
from margin.kernels.algebra._composite import Composite, joined
from margin.kernels.algebra._scaled import Scaled
from margin.kernels.products._weighted_rows import WeightedRows
from margin.kernels.vectors._constant import Constant


@dataclass(frozen=True)
class Sum(Composite):
    r"""The sum :math:`k_1 + k_2 + \dots`: features side by side (kernels.19).

    Parameters
    ----------
    parts : tuple of Kernel
        The summands; sums within are flattened.

    Examples
    --------
    >>> from margin.kernels import RBF, White
    >>> kernel = RBF(1.0) + White(0.5)
    >>> kernel.theta_names
    ('k1.length_scale', 'k2.noise_level')
    >>> kernel([[0.0], [0.0]])
    array([[1.5, 1. ],
           [1. , 1.5]])
    """

    def __str__(self) -> str:
        return " + ".join(map(str, self.parts))

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Sum of the matrices."""
        total = self.parts[0](X, Z, n_threads=n_threads)
        for part in self.parts[1:]:
            total = total + part(X, Z, n_threads=n_threads)
        return total

    def diag(self, X: Any) -> Floats:
        """Sum of the diagonals."""
        return np.asarray(np.sum([part.diag(X) for part in self.parts], axis=0))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """Those of the parts, one after the other."""
        for part in self.parts:
            yield from part.derivatives(X)

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        """Those of the parts, one after the other."""
        return np.concatenate([part.gradient_product(X, weight) for part in self.parts])

    def cross_gradient(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Those of the parts, one after the other."""
        return joined(part.cross_gradient(X, Z, weight, points=points) for part in self.parts)

    @property
    def supports(self) -> tuple[Kernel, ...]:
        """Those of all parts, if every part has some."""
        supports = [part.supports for part in self.parts]
        return tuple(bound for own in supports for bound in own) if all(supports) else ()

    def at_pairs(self, X: Any, Z: Any, i: Places, j: Places) -> Floats:
        """Sums of the parts."""
        return np.asarray(np.sum([part.at_pairs(X, Z, i, j) for part in self.parts], axis=0))

    def pair_derivatives(self, X: Any, i: Places, j: Places) -> Iterator[Floats]:
        """Those of the parts, one after the other."""
        for part in self.parts:
            yield from part.pair_derivatives(X, i, j)

    def prepare(self, Z: Any) -> Prepared:
        """Every part in its own way."""
        factors, kernels = zip(*map(split, self.parts), strict=True)
        return WeightedRows(factors, tuple(kernel.prepare(Z) for kernel in kernels))


@dataclass(frozen=True)
class Product(Composite):
    r"""The product :math:`k_1 k_2 \cdots`: the tensor product of the features (kernels.19).

    Parameters
    ----------
    parts : tuple of Kernel
        The factors; products within are flattened.

    Examples
    --------
    >>> from margin.kernels import Linear, RBF
    >>> kernel = Linear() * RBF(1.0)
    >>> kernel([[1.0]], [[2.0]]).round(6)
    array([[1.213061]])
    """

    def __str__(self) -> str:
        return " * ".join(f"({p})" if isinstance(p, Sum) else str(p) for p in self.parts)

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Product of the matrices, entry by entry."""
        total = self.parts[0](X, Z, n_threads=n_threads)
        for part in self.parts[1:]:
            total = total * part(X, Z, n_threads=n_threads)
        return total

    def diag(self, X: Any) -> Floats:
        """Product of the diagonals."""
        return np.asarray(np.prod([part.diag(X) for part in self.parts], axis=0))

    def _others(self, X: Any) -> Iterator[tuple[Kernel, Floats | None]]:
        """Every factor with hyper-parameters, and the product of the others."""
        matrices = [part(X) for part in self.parts]
        for i, part in enumerate(self.parts):
            if len(part.theta):
                rest = matrices[:i] + matrices[i + 1 :]
                others = rest[0].copy()
                for matrix in rest[1:]:
                    others *= matrix
                yield part, others

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """Each factor's derivatives times the other factors."""
        for part, others in self._others(X):
            for matrix in part.derivatives(X):
                yield matrix * others

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        """Each factor's, with the other factors taken into the weights."""
        sums = [part.gradient_product(X, weight * others) for part, others in self._others(X)]
        return np.concatenate(sums) if sums else np.empty(0)

    def cross_gradient(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Each factor's, with the other factors taken into the weights."""
        matrices = [part(X, Z) for part in self.parts]
        pieces = []
        for i, part in enumerate(self.parts):
            others = weight.copy()
            for matrix in matrices[:i] + matrices[i + 1 :]:
                others *= matrix
            pieces.append(part.cross_gradient(X, Z, others, points=points))
        return joined(pieces)

    @property
    def supports(self) -> tuple[Kernel, ...]:
        """Those of the first part that has some, if the others are known by pairs."""
        return next((part.supports for part in self.parts if part.supports and self.by_pairs), ())

    def at_pairs(self, X: Any, Z: Any, i: Places, j: Places) -> Floats:
        """Products of the parts."""
        return np.asarray(np.prod([part.at_pairs(X, Z, i, j) for part in self.parts], axis=0))

    def pair_derivatives(self, X: Any, i: Places, j: Places) -> Iterator[Floats]:
        """Each factor's derivatives times the other factors."""
        factors = [part.at_pairs(X, X, i, j) for part in self.parts]
        for at, part in enumerate(self.parts):
            others = np.prod(factors[:at] + factors[at + 1 :], axis=0)
            yield from (others * d for d in part.pair_derivatives(X, i, j))


@makes("+")
def add(left: object, right: object) -> Kernel:
    """Sum of two kernels, or of a kernel and a constant of at least 0."""
    parts: list[Kernel] = []
    for term in (left, right):
        if isinstance(term, int | float | np.number) and term == 0:
            continue
        part = term if isinstance(term, Kernel) else Constant(_number(term))
        parts += part.parts if isinstance(part, Sum) else [part]
    return parts[0] if len(parts) == 1 else Sum(tuple(parts))


@makes("*")
def multiply(left: object, right: object) -> Kernel:
    """Product of two kernels, or positive multiple of a kernel."""
    if not isinstance(left, Kernel):
        left = Constant(_number(left))
    if not isinstance(right, Kernel):
        right = Constant(_number(right))
    if isinstance(left, Constant):
        return Scaled(right, left.value)
    if isinstance(right, Constant):
        return Scaled(left, right.value)
    # Two factors of a product could not be told apart: there is one, in front.
    if isinstance(left, Scaled) or isinstance(right, Scaled):
        (a, left), (b, right) = split(left), split(right)
        return Scaled(multiply(left, right), a * b)
    parts: list[Kernel] = []
    for factor in (left, right):
        parts += factor.parts if isinstance(factor, Product) else [factor]
    return Product(tuple(parts))


def split(kernel: Kernel) -> tuple[float, Kernel]:
    """Factor and kernel of a multiple; any other kernel is once itself."""
    return (kernel.factor, kernel.kernel) if isinstance(kernel, Scaled) else (1.0, kernel)


def _number(value: object) -> float:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not 0 < value < np.inf:  # type: ignore[operator]
        raise check.fail("Kernel", "the other operand", "a kernel or a number above 0", value)
    return float(value)  # type: ignore[arg-type]
