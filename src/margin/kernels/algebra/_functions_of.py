"""Functions of a kernel that are kernels again."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.kernels._base import Floats, Kernel, parameter_vector
from margin.kernels._hyper import moved
from margin.kernels._wrapper import Wrapper


class Elementwise(Wrapper):
    """A function with non-negative Taylor coefficients of the values of a kernel."""

    @abstractmethod
    def _value(self, K: Floats) -> Floats:
        """The function of the values."""

    @abstractmethod
    def _slope(self, K: Floats) -> Floats:
        """Its derivative."""

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """The function of the matrix, entry by entry."""
        return self._value(self.kernel(X, Z, n_threads=n_threads))

    def diag(self, X: Any) -> Floats:
        """The function of the diagonal."""
        return self._value(self.kernel.diag(X))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """The slope times those of the kernel."""
        slope = self._slope(self.kernel(X))
        return (slope * matrix for matrix in self.kernel.derivatives(X))

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        """Those of the kernel, with the slope taken into the weights."""
        return self.kernel.gradient_product(X, weight * self._slope(self.kernel(X)))


@dataclass(frozen=True)
class Exponentiated(Elementwise):
    r"""The exponential :math:`\exp k(x, z)` of a kernel: see :func:`exponential`."""

    def _value(self, K: Floats) -> Floats:
        return np.exp(K)

    def _slope(self, K: Floats) -> Floats:
        return np.exp(K)


@dataclass(frozen=True)
class PolynomialOf(Elementwise):
    r"""A polynomial :math:`\sum_i c_i\, k(x, z)^i` of a kernel: see :func:`polynomial`."""

    coefficients: tuple[float, ...] = (0.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        c = np.asarray(self.coefficients, dtype=np.float64)
        if c.ndim != 1 or not c.size or not np.isfinite(c).all():
            raise check.fail(self, "coefficients", "finite numbers", self.coefficients)
        if c.min() < 0:
            raise check.fail(self, "coefficients", "at least 0 everywhere", float(c.min()))
        if not c.any():
            raise check.fail(self, "coefficients", "above 0 somewhere", "all zeros")
        object.__setattr__(self, "coefficients", tuple(map(float, c)))

    def _value(self, K: Floats) -> Floats:
        coefficients = np.array(self.coefficients, dtype=K.dtype)
        return np.asarray(np.polynomial.polynomial.polyval(K, coefficients))

    def _slope(self, K: Floats) -> Floats:
        slopes = np.polynomial.polynomial.polyder(np.array(self.coefficients, dtype=K.dtype))
        return np.asarray(np.polynomial.polynomial.polyval(K, slopes))


@dataclass(frozen=True)
class GaussianOf(Wrapper):
    r"""The Gaussian kernel in the feature space of another: see :func:`gaussian`."""

    length_scale: float = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.params(self, positive="length_scale")

    @property
    def stationary(self) -> bool:
        """True: an object is at distance zero from itself."""
        return True

    def _squares(self, X: Any, Z: Any, n_threads: int | None = None) -> Floats:
        """Squared distances in feature space, in units of the length scale."""
        left = self.kernel.diag(X)
        right = left if Z is None else self.kernel.diag(Z)
        s = np.add.outer(left, right) - 2.0 * self.kernel(X, Z, n_threads=n_threads)
        np.maximum(s, 0.0, out=s)
        if Z is None:
            np.fill_diagonal(s, 0.0)
        s /= self.length_scale**2
        return s

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Gaussian of the distances in feature space."""
        return np.exp(-0.5 * self._squares(X, Z, n_threads))

    def diag(self, X: Any) -> Floats:
        """Ones."""
        return np.ones_like(self.kernel.diag(X))

    @property
    def theta(self) -> NDArray[np.float64]:
        """Logarithm of the length scale, then what the kernel within has."""
        return np.concatenate([[np.log(self.length_scale)], self.kernel.theta])

    @property
    def theta_names(self) -> tuple[str, ...]:
        """``"length_scale"``, then what the kernel within has, called ``k1``."""
        return ("length_scale", *(f"k1.{name}" for name in self.kernel.theta_names))

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Of the length scale, then what the kernel within has."""
        return np.concatenate([np.log([[1e-5, 1e5]]), self.kernel.bounds])

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same construction at other hyper-parameters."""
        values = parameter_vector(self, theta)
        inner = self.kernel.with_theta(values[1:])
        length = moved(np.array([self.length_scale]), values[:1])[0]
        return replace(self, kernel=inner, length_scale=length)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """First in the length scale, then those of the kernel through the distances."""
        s = self._squares(X, None)
        K = np.exp(-0.5 * s)
        yield K * s
        for matrix in self.kernel.derivatives(X):
            ends = np.diagonal(matrix)
            change = np.add.outer(ends, ends) - 2.0 * matrix
            yield K * change * (-0.5 / self.length_scale**2)


def exponential(kernel: Kernel) -> Exponentiated:
    r"""The kernel :math:`\exp k(x, z)` (kernels.19).

    Examples
    --------
    >>> from margin.kernels import Linear
    >>> exponential(Linear())([[1.0]], [[2.0]]).round(6)
    array([[7.389056]])
    """
    return Exponentiated(kernel)


def polynomial(kernel: Kernel, coefficients: Sequence[float]) -> PolynomialOf:
    r"""The kernel :math:`\sum_i c_i\, k(x, z)^i`, lowest power first, all :math:`c_i \ge 0`.

    Negative coefficients are refused: the result need not be a kernel (kernels.19).

    Examples
    --------
    >>> from margin.kernels import Linear
    >>> polynomial(Linear(), [1.0, 0.0, 3.0])([[1.0]], [[2.0]])
    array([[13.]])
    >>> polynomial(Linear(), [1.0, -1.0])
    Traceback (most recent call last):
    ValueError: PolynomialOf: coefficients must be at least 0 everywhere, got -1.0
    """
    return PolynomialOf(kernel, tuple(coefficients))


def gaussian(kernel: Kernel, length_scale: float = 1.0) -> GaussianOf:
    r"""The Gaussian kernel in the feature space of any kernel (kernels.21).

    .. math:: \exp\Bigl(-\frac{k(x,x) - 2 k(x,z) + k(z,z)}{2 \ell^2}\Bigr).

    Examples
    --------
    >>> from margin.kernels import RBF, Linear
    >>> gaussian(Linear(), 2.0)([[0.0]], [[2.0]]).round(6), RBF(2.0)([[0.0]], [[2.0]]).round(6)
    (array([[0.606531]]), array([[0.606531]]))
    """
    return GaussianOf(kernel, length_scale)
