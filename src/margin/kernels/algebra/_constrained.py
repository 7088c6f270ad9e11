"""Hyper-parameters that are fixed, or kept between bounds of their own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.core.types import Places
from margin.kernels._base import Floats, Kernel, makes, parameter_vector
from margin.kernels._prepared import Prepared
from margin.kernels._wrapper import Wrapper

Limits = tuple[float, float] | None


@dataclass(frozen=True)
class Constrained(Wrapper):
    """A kernel with some hyper-parameters fixed and others between bounds of their own.

    Made by :meth:`Kernel.fix` and :meth:`Kernel.bound`; its values are those of ``kernel``.

    Parameters
    ----------
    kernel : Kernel
        What is evaluated.
    entries : tuple of (int, limits)
        For each constrained entry of ``kernel.theta`` the smallest and largest value of the
        hyper-parameter, or None if it is fixed.

    Examples
    --------
    >>> from margin.kernels import RBF, White
    >>> kernel = (RBF(2.0) + White(0.1)).fix("k2.noise_level")
    >>> kernel.theta_names
    ('k1.length_scale',)
    >>> RBF(2.0).bound(length_scale=(1.0, 10.0)).bounds.round(3)
    array([[0.   , 2.303]])
    """

    entries: tuple[tuple[int, Limits], ...] = ()

    def __str__(self) -> str:
        return str(self.kernel)

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of the kernel."""
        return self.kernel(X, Z, n_threads=n_threads)

    def diag(self, X: Any) -> Floats:
        """Diagonal of the kernel."""
        return self.kernel.diag(X)

    @property
    def _open(self) -> NDArray[np.bool_]:
        """Which entries of ``kernel.theta`` are free."""
        free = np.ones(self.kernel.n_theta, dtype=bool)
        free[[entry for entry, limits in self.entries if limits is None]] = False
        return free

    @property
    def theta(self) -> NDArray[np.float64]:
        """Logarithms of the free hyper-parameters."""
        return self.kernel.theta[self._open]

    @property
    def n_theta(self) -> int:
        """What the kernel has, but for what is fixed."""
        return self.kernel.n_theta - sum(limits is None for _, limits in self.entries)

    @property
    def theta_names(self) -> tuple[str, ...]:
        """What each entry of ``theta`` is."""
        pairs = zip(self.kernel.theta_names, self._open, strict=True)
        return tuple(name for name, free in pairs if free)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Lowest and highest ``theta``."""
        pairs = self.kernel.bounds
        for entry, limits in self.entries:
            if limits is not None:
                pairs[entry] = np.log(limits)
        return pairs[self._open]

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same kernel at other free hyper-parameters."""
        values = parameter_vector(self, theta)
        if len(values) == self.kernel.n_theta:  # nothing is fixed
            return replace(self, kernel=self.kernel.with_theta(values))
        full = self.kernel.theta
        full[self._open] = values
        return replace(self, kernel=self.kernel.with_theta(full))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """Derivatives in the free hyper-parameters."""
        pairs = zip(self.kernel.derivatives(X), self._open, strict=True)
        return (matrix for matrix, free in pairs if free)

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        """Weighted sums of the derivatives in the free hyper-parameters."""
        free = self._open
        return self.kernel.gradient_product(X, weight)[free] if free.any() else np.empty(0)

    def cross_gradient(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Those of the kernel in the free hyper-parameters."""
        theta, move = self.kernel.cross_gradient(X, Z, weight, points=points)
        return theta[self._open], move

    @property
    def by_pairs(self) -> bool:
        """As the kernel within."""
        return self.kernel.by_pairs

    @property
    def supports(self) -> tuple[Kernel, ...]:
        """As the kernel within."""
        return self.kernel.supports

    def at_pairs(self, X: Any, Z: Any, i: Places, j: Places) -> Floats:
        """As the kernel within."""
        return self.kernel.at_pairs(X, Z, i, j)

    def pair_derivatives(self, X: Any, i: Places, j: Places) -> Iterator[Floats]:
        """Those in the free hyper-parameters."""
        every = zip(self.kernel.pair_derivatives(X, i, j), self._open, strict=True)
        return (values for values, free in every if free)

    def prepare(self, Z: Any) -> Prepared:
        """As the kernel within."""
        return self.kernel.prepare(Z)

    def primal(self, Z: Any, coef: Floats) -> Floats | None:
        """As the kernel within."""
        return self.kernel.primal(Z, coef)


@makes("fix")
def constrained(kernel: Kernel, limits: Mapping[str, Limits]) -> Constrained:
    """Constrain entries by name; ``"length_scale"`` names all of ``"length_scale[0]"``, …"""
    base, entries = kernel, {}
    if isinstance(kernel, Constrained):
        base, entries = kernel.kernel, dict(kernel.entries)
    names = base.theta_names
    for name, pair in limits.items():
        meant = [i for i, known in enumerate(names) if name in (known, known.rpartition("[")[0])]
        if not meant:
            raise check.fail(kernel, "name", f"one of {', '.join(names) or 'none'}", name)
        if pair is not None and not (np.shape(pair) == (2,) and 0 < pair[0] <= pair[1] < np.inf):
            raise check.fail(kernel, name, "kept between two numbers above 0, in order", pair)
        entries |= {i: None if pair is None else (float(pair[0]), float(pair[1])) for i in meant}
    return Constrained(base, tuple(sorted(entries.items())))
