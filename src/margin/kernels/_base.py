"""The contract of a kernel."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check

if TYPE_CHECKING:
    from margin.kernels.algebra._constrained import Constrained

Floats = NDArray[Any]
"""A float32 or float64 array: what comes in decides what comes out."""

Definite = Literal["positive", "conditional", "grid", "no"]
NO_LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType({})
DEFAULT_LIMITS = (1e-5, 1e5)


class Kernel(ABC):
    r"""A similarity :math:`k(x, z) = \langle \phi(x), \phi(z) \rangle` of objects (kernels.01).

    A subclass is a frozen dataclass in a file of its own; its positive hyper-parameters are fields
    named in ``hyper`` (a number, or one number per column). It gives the matrix, the diagonal and
    the derivatives in the logarithms of the hyper-parameters; algebra, parameter vectors, bounds
    and weighted gradients are written once, here. Every model that is linear in features has a
    dual form :math:`f(x) = \sum_i \alpha_i k(x_i, x)` that needs only the kernel: an object
    orthogonal to all :math:`x_i` in feature space is mapped to zero.

    Attributes
    ----------
    input : {"vectors", "strings", "sequences", "trees", "graphs", "any"}
        What it compares; ``"vectors"`` are the rows of a 2-D array.
    definite : {"positive", "conditional", "grid", "no"}
        Where its matrices are positive semi-definite: always, on the complement of the affine
        functions, for points on the grid of its length scale, or not in general.
    hyper : tuple of str
        Names of the fields that are hyper-parameters.
    limits : mapping of str to (float, float)
        Default bounds of a hyper-parameter where they are not ``(1e-5, 1e5)``.
    """

    input: ClassVar[str] = "vectors"
    definite: ClassVar[Definite] = "positive"
    hyper: ClassVar[tuple[str, ...]] = ()
    limits: ClassVar[Mapping[str, tuple[float, float]]] = NO_LIMITS
    __array_ufunc__ = None  # NumPy numbers leave the arithmetic to the kernel

    def __post_init__(self) -> None:
        for name in self.hyper:
            object.__setattr__(self, name, positive(self, name, getattr(self, name)))

    @abstractmethod
    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of ``k(x, z)``, of shape ``(n, m)``; with one argument exactly symmetric.

        A new array every time: the caller may write to it.
        """

    @abstractmethod
    def diag(self, X: Any) -> Floats:
        """``k(x, x)`` for every object, of shape ``(n,)``."""

    @property
    def stationary(self) -> bool:
        """Whether ``k(x, x)`` is the same for all objects."""
        return False

    def _free(self) -> tuple[str, ...]:
        """Names of the fields that are free hyper-parameters."""
        return self.hyper

    @property
    def theta(self) -> NDArray[np.float64]:
        """Logarithms of the free hyper-parameters, in the order of the fields."""
        values = [np.atleast_1d(getattr(self, name)) for name in self._free()]
        return np.log(np.concatenate(values, dtype=np.float64)) if values else np.empty(0)

    @property
    def theta_names(self) -> tuple[str, ...]:
        """What each entry of ``theta`` is, such as ``"length_scale[0]"``."""
        names: list[str] = []
        for name in self._free():
            value = getattr(self, name)
            many = isinstance(value, tuple)
            names += [f"{name}[{i}]" for i in range(len(value))] if many else [name]
        return tuple(names)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Lowest and highest sensible ``theta``, of shape ``(p, 2)``."""
        fields = [name.partition("[")[0] for name in self.theta_names]
        pairs = [self.limits.get(name, DEFAULT_LIMITS) for name in fields]
        return np.log(np.array(pairs, dtype=np.float64).reshape(-1, 2))

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same kernel at other hyper-parameters."""
        values = parameter_vector(self, theta)
        changes: dict[str, Any] = {}
        at = 0
        for name in self._free():
            old = getattr(self, name)
            size = len(old) if isinstance(old, tuple) else 1
            new = moved(np.atleast_1d(old), values[at : at + size])
            changes[name] = new if isinstance(old, tuple) else new[0]
            at += size
        return replace(self, **changes) if changes else self  # type: ignore[type-var]

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r"""The matrices :math:`\partial K / \partial \theta_j`, one after the other."""
        if len(self.theta):
            raise TypeError(f"{type(self).__name__}: derivatives must be given, got none")
        return iter(())

    def gradient(self, X: Any) -> Floats:
        r"""Derivatives :math:`\partial K / \partial \theta_j`, of shape ``(p, n, n)``."""
        made = list(self.derivatives(X))
        if made:
            return np.stack(made)
        n = len(self.diag(X))
        return np.empty((0, n, n))

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        r""":math:`\sum_{ij} W_{ij}\, \partial K_{ij} / \partial \theta`, one matrix at a time.

        This is all that a marginal likelihood needs, and never holds ``(p, n, n)`` numbers.
        """
        sums = [float(np.vdot(weight, matrix)) for matrix in self.derivatives(X)]
        return np.array(sums, dtype=np.float64)

    def __str__(self) -> str:
        """The formula a person would write, hyper-parameters to three digits."""
        values: list[str] = []
        for at, field in enumerate(fields(self)):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value is not None and (at == 0 or value != field.default):
                values.append(("" if at == 0 else f"{field.name}=") + _written(value))
        return f"{type(self).__name__}({', '.join(values)})"

    def fix(self, *names: str) -> "Constrained":
        """The same kernel with hyper-parameters held at their value; all if none is named."""
        from margin.kernels.algebra._constrained import constrained

        return constrained(self, dict.fromkeys(names or self.theta_names))

    def bound(self, **limits: tuple[float, float]) -> "Constrained":
        """The same kernel with hyper-parameters kept between two values."""
        from margin.kernels.algebra._constrained import constrained

        return constrained(self, limits)

    def __add__(self, other: object) -> "Kernel":
        from margin.kernels.algebra._algebra import add

        return add(self, other)

    def __radd__(self, other: object) -> "Kernel":
        from margin.kernels.algebra._algebra import add

        return add(other, self)

    def __mul__(self, other: object) -> "Kernel":
        from margin.kernels.algebra._algebra import multiply

        return multiply(self, other)

    def __rmul__(self, other: object) -> "Kernel":
        from margin.kernels.algebra._algebra import multiply

        return multiply(other, self)

    def __pow__(self, exponent: int) -> "Kernel":
        from margin.kernels.algebra._power import Power

        return Power(self, exponent)

    def __sub__(self, other: object) -> "Kernel":
        raise TypeError(
            f"{type(self).__name__}: the difference of two kernels is not a kernel: its matrices "
            "may have negative eigenvalues. Sums, products and positive multiples are kernels"
        )

    __rsub__ = __sub__


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))})"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def positive(owner: object, name: str, value: Any) -> float | tuple[float, ...]:
    """A positive number, or a tuple of them from any sequence; refuses everything else."""
    if isinstance(value, str) or np.ndim(value) > 1:
        raise check.fail(owner, name, "a number above 0, or one per column", value)
    try:
        numbers = np.atleast_1d(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError):
        raise check.fail(owner, name, "a number above 0, or one per column", value) from None
    if isinstance(value, bool) or not (numbers.size and (numbers > 0).all()):
        raise check.fail(owner, name, "a number above 0, or one per column", value)
    if not np.isfinite(numbers).all():
        raise check.fail(owner, name, "finite", value)
    return tuple(map(float, numbers)) if np.ndim(value) else float(numbers[0])


def parameter_vector(kernel: Kernel, theta: ArrayLike) -> NDArray[np.float64]:
    """``theta`` as a vector of the right length."""
    values = np.asarray(theta, dtype=np.float64)
    if values.shape != kernel.theta.shape:
        raise check.fail(kernel, "theta", f"of shape {kernel.theta.shape}", values.shape)
    return values


def moved(old: Floats, theta: Floats) -> tuple[float, ...]:
    """Exponentials of ``theta``; to the bit the old values where these have not moved."""
    return tuple(map(float, np.where(theta == np.log(old), old, np.exp(theta))))
