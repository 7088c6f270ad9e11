"""The contract of a kernel."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.core.types import Places
from margin.kernels._cross import joint_gradient
from margin.kernels._hyper import moved, positive, written
from margin.kernels._params import changed, nested
from margin.kernels._prepared import Blockwise, Prepared

Floats = NDArray[Any]
"""A float32 or float64 array: what comes in decides what comes out."""

Definite = Literal["positive", "conditional", "grid", "unknown", "no"]
NO_LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType({})
DEFAULT_LIMITS = (1e-5, 1e5)

Maker = TypeVar("Maker", bound=Callable[..., Any])
_MAKERS: dict[str, Callable[..., "Kernel"]] = {}


def makes(sign: str) -> Callable[[Maker], Maker]:
    """Name what an operator (``"+"``, ``"*"``, ``"**"``, ``"fix"``) makes of kernels: a decorator.

    Kernels made of kernels are kernels themselves: they are defined after :class:`Kernel`, and say
    so here.
    """

    def register(maker: Maker) -> Maker:
        _MAKERS[sign] = maker
        return maker

    return register


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
    definite : {"positive", "conditional", "grid", "unknown", "no"}
        Where its matrices are positive semi-definite: always, on the complement of the affine
        functions, for points on the grid of its length scale, nobody knows, or not in general.
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
    def n_theta(self) -> int:
        """Number of free hyper-parameters, the length of ``theta``."""
        if type(self).theta is not Kernel.theta:
            return len(self.theta)
        values = [getattr(self, name) for name in self._free()]
        return sum(len(value) if isinstance(value, tuple) else 1 for value in values)

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
        matrices = list(self.derivatives(X))
        if matrices:
            return np.stack(matrices)
        n = len(self.diag(X))
        return np.empty((0, n, n))

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        r""":math:`\sum_{ij} W_{ij}\, \partial K_{ij} / \partial \theta`, one matrix at a time.

        This is all that a marginal likelihood needs, and never holds ``(p, n, n)`` numbers.
        """
        sums = [float(np.vdot(weight, matrix)) for matrix in self.derivatives(X)]
        return np.array(sums, dtype=np.float64)

    def weighted_sums(self, X: Any, weight: Floats) -> tuple[NDArray[np.float64], float]:
        """Weighted sums of the derivatives and of the kernel itself, in one pass where it can."""
        total = float(np.vdot(weight, self(X)))
        return self.gradient_product(X, weight), total

    def cross_gradient(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        r"""Weighted sums :math:`\sum_{ij} W_{ij}\, \partial k(x_i, z_j)` over two sets.

        Parameters
        ----------
        X, Z : objects
            Different sets: no noise of an object with itself.
        weight : ndarray of shape (n, m)
        points : bool
            Whether the derivatives in ``X`` are wanted.

        Returns
        -------
        theta : ndarray of shape (p,)
            Derivatives in ``theta``.
        points : ndarray of shape (n, d), or None
            Derivatives in the rows of ``X``; None where the kernel does not say or nobody asked.
        """
        return joint_gradient(self, X, Z, weight), None

    def cross_gradient_product(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, float]:
        r""":meth:`cross_gradient`, and the sum :math:`\sum_{ij} W_{ij} k(x_i, z_j)`."""
        total = float(np.vdot(weight, self(X, Z)))
        return (*self.cross_gradient(X, Z, weight, points=points), total)

    @property
    def by_pairs(self) -> bool:
        """Whether :meth:`at_pairs` and :meth:`pair_derivatives` answer for rows of a table."""
        return False

    @property
    def supports(self) -> "tuple[Kernel, ...]":
        """Kernels of compact support, known by pairs, beyond whose supports this one is zero.

        None where it is zero nowhere, or nobody knows where.
        """
        return ()

    def at_pairs(self, X: Any, Z: Any, i: Places, j: Places) -> Floats:
        """``k(x_i, z_j)`` for pairs of rows."""
        raise TypeError(f"{type(self).__name__}: kernel must be known by pairs, got {self}")

    def pair_derivatives(self, X: Any, i: Places, j: Places) -> Iterator[Floats]:
        r""":math:`\partial k(x_i, x_j) / \partial\theta` for pairs, one entry after the other."""
        raise TypeError(f"{type(self).__name__}: kernel must be known by pairs, got {self}")

    def prepare(self, Z: Any) -> Prepared:
        """The kernel against a fixed set, ready for many comparisons the quickest way it knows."""
        return Blockwise(self, Z)

    def primal(self, Z: Any, coef: Floats) -> Floats | None:
        r"""Weights :math:`w_k` with :math:`\sum_j c_{jk} k(x, z_j) = x^\top w_k` for any ``x``.

        Of shape ``(p, n_functions)``; None where the kernel is not a product of the columns.
        """
        return None

    def __str__(self) -> str:
        """The formula a person would write, hyper-parameters to three digits."""
        values: list[str] = []
        for at, field in enumerate(fields(self)):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value is not None and (at == 0 or value != field.default):
                values.append(("" if at == 0 else f"{field.name}=") + written(value))
        return f"{type(self).__name__}({', '.join(values)})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Fields by name and, if ``deep``, those of kernels within as ``k1__length_scale``."""
        values = nested(self)
        return values if deep else {key: v for key, v in values.items() if "__" not in key}

    def with_params(self, **changes: Any) -> Self:
        """The same kernel with other parameters, named as in :meth:`get_params`."""
        changed_kernel: Self = changed(self, changes)
        return changed_kernel

    def __sklearn_clone__(self) -> Self:
        """Itself: a kernel never changes."""
        return self

    def fix(self, *names: str) -> "Kernel":
        """The same kernel with hyper-parameters held at their value; all if none is named."""
        return _MAKERS["fix"](self, dict.fromkeys(names or self.theta_names))

    def bound(self, **limits: tuple[float, float]) -> "Kernel":
        """The same kernel with hyper-parameters kept between two values."""
        return _MAKERS["fix"](self, limits)

    def __add__(self, other: object) -> "Kernel":
        return _MAKERS["+"](self, other)

    def __radd__(self, other: object) -> "Kernel":
        return _MAKERS["+"](other, self)

    def __mul__(self, other: object) -> "Kernel":
        return _MAKERS["*"](self, other)

    def __rmul__(self, other: object) -> "Kernel":
        return _MAKERS["*"](other, self)

    def __pow__(self, exponent: int) -> "Kernel":
        return _MAKERS["**"](self, exponent)

    def __sub__(self, other: object) -> "Kernel":
        raise TypeError(
            f"{type(self).__name__}: the difference of two kernels is not a kernel: its matrices "
            "may have negative eigenvalues. Sums, products and positive multiples are kernels"
        )

    __rsub__ = __sub__


def parameter_vector(kernel: Kernel, theta: ArrayLike) -> NDArray[np.float64]:
    """``theta`` as a vector of the right length."""
    values = np.asarray(theta, dtype=np.float64)
    size = kernel.n_theta
    if values.shape != (size,):
        raise check.fail(kernel, "theta", f"of shape {(size,)}", values.shape)
    return values
