"""A radial kernel cut off at some distance."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.kernels._base import Definite, Floats, Kernel
from margin.kernels._wrapper import Wrapper
from margin.kernels.radial._radial import Radial
from margin.kernels.vectors._compact import CompactSupport
from margin.kernels.vectors._distances import squared_distances
from margin.kernels.vectors._vectors import rows


@dataclass(frozen=True)
class Truncated(Wrapper, CompactSupport):
    """A radial kernel set to zero beyond a radius (kernels.14).

    An approximation that makes matrices sparse, and may lose positive definiteness (``definite``
    is ``"no"``): :class:`Wendland` kernels keep it.

    Parameters
    ----------
    kernel : Radial
        What is cut off.
    radius : float
        Largest distance kept, in units of the length scale.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> Truncated(RBF(2.0), 3.0)([[0.0]], [[5.9], [6.1]]).round(4)
    array([[0.0129, 0.    ]])
    """

    radius: float = 3.0

    def __post_init__(self) -> None:
        if not isinstance(self.kernel, Radial):
            raise check.fail(self, "kernel", "a radial kernel", self.kernel)
        check.params(self, positive="radius")

    @property
    def definite(self) -> Definite:  # type: ignore[override]
        """Not in general."""
        return "no"

    @property
    def by_pairs(self) -> bool:
        """False: nobody may count on a matrix that has lost its definiteness."""
        return False

    @property
    def supports(self) -> tuple[Kernel, ...]:
        """None, for the same reason."""
        return ()

    @property
    def _radial(self) -> Radial:
        assert isinstance(self.kernel, Radial)
        return self.kernel

    def scaled(self, X: Any) -> Any:
        """The table in units of the length scales."""
        return self._radial.scaled(X)

    def _cut(self, s: Floats) -> Floats:
        return np.where(s <= self.radius**2, self._radial.profile(s), 0.0).astype(s.dtype)

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        values = self._radial(X, Z, n_threads=n_threads)
        values[~self._near(X, Z)] = 0.0
        return values

    def _near(self, X: Any, Z: Any) -> Any:
        other = None if Z is None else self.scaled(Z)
        return squared_distances(self.scaled(X), other) <= self.radius**2

    def _diagonal(self, X: Any) -> Floats:
        return self._radial.diag(X)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """Those of the kernel within the radius."""
        near = self._near(rows(self, X), None)
        return (np.where(near, matrix, 0.0) for matrix in self._radial.derivatives(X))

    def _reach(self) -> tuple[float, float]:
        return 2.0, self.radius

    def _at(self, differences: Floats) -> Floats:
        return self._cut(np.einsum("ij,ij->i", differences, differences))
