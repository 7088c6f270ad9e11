"""General quadratic penalty."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.penalties._base import Penalty

_NEGATIVE = 1e-10  # share of the largest eigenvalue that rounding may make negative


@dataclass(frozen=True, eq=False)
class Quadratic(Penalty):
    r"""A quadratic form, :math:`J(w) = \tfrac\alpha2\, w^\top \Omega w` (penalties.05).

    For a matrix of coefficients the forms of its columns are added. With the identity it is
    :class:`L2`; with the matrix of :func:`roughness_matrix` it is the roughness of a spline; with
    a prior precision it is the negative logarithm of a Gaussian prior.

    Parameters
    ----------
    omega : array-like of shape (p, p)
        Symmetric and positive semi-definite.
    alpha : float
        Strength, at least 0.

    Notes
    -----
    The proximal operator :math:`(I + \mathrm{step}\,\alpha\,\Omega)^{-1} w` uses one
    eigendecomposition, :math:`O(p^3)`, made on first use.

    Examples
    --------
    >>> import numpy as np
    >>> bend = Quadratic([[1.0, -1.0], [-1.0, 1.0]], alpha=2.0)
    >>> bend.value(np.array([3.0, 1.0])), bend.value(np.array([2.0, 2.0]))
    (4.0, 0.0)
    """

    omega: Any
    alpha: float = 1.0
    smooth: ClassVar[bool] = True
    separable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, nonnegative="alpha")
        matrix = np.array(self.omega, dtype=np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all():
            raise check.fail(self, "omega", "a square matrix of finite numbers", matrix.shape)
        if not np.allclose(matrix, matrix.T, rtol=1e-8, atol=1e-12 * np.abs(matrix).max(initial=0)):
            raise check.fail(self, "omega", "symmetric", "a matrix that is not")
        matrix = 0.5 * (matrix + matrix.T)
        matrix.setflags(write=False)
        object.__setattr__(self, "omega", matrix)
        least, most = self._spectrum[0].min(initial=0.0), self._spectrum[0].max(initial=0.0)
        if least < -_NEGATIVE * max(most, 1e-300):
            need = "positive semi-definite"
            raise check.fail(self, "omega", need, f"an eigenvalue of {least:.6g}")

    @cached_property
    def _spectrum(self) -> tuple[Floats, Floats]:
        values, vectors = np.linalg.eigh(self.omega)
        return np.asarray(values), np.asarray(vectors)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Quadratic) and self.alpha == other.alpha
        return same and np.array_equal(self.omega, other.omega)  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.alpha, self.omega.tobytes()))

    @property
    def quadratic_form(self) -> tuple[float, Floats]:
        """The matrix as given."""
        return float(self.alpha), self.omega

    def value(self, w: Floats) -> float:
        return 0.5 * self.alpha * max(float(np.vdot(w, self.omega @ w)), 0.0)

    def gradient(self, w: Floats) -> Floats:
        return np.asarray(self.alpha * (self.omega @ w))

    def curvature(self, w: Floats) -> Floats:
        diagonal = self.alpha * np.diagonal(self.omega)
        return np.array(np.broadcast_to(diagonal.reshape(-1, *(1,) * (w.ndim - 1)), w.shape))

    def hessian_product(self, w: Floats, direction: Floats) -> Floats:
        return np.asarray(self.alpha * (self.omega @ direction))

    def prox(self, w: Floats, step: float) -> Floats:
        values, vectors = self._spectrum
        shrink = 1.0 / (1.0 + step * self.alpha * np.maximum(values, 0.0))
        inner = vectors.T @ w
        return np.asarray(vectors @ (shrink.reshape(-1, *(1,) * (w.ndim - 1)) * inner))
