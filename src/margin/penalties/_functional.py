"""Any smooth functional of the function that the coefficients make."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import minimize

from margin.core import check
from margin.core.types import Floats
from margin.penalties._base import Penalty

_STEP = float(np.finfo(np.float64).eps) ** (1 / 3)  # balances truncation and rounding


@dataclass(frozen=True, eq=False)
class Functional(Penalty):
    r"""A functional of :math:`f = \sum_j w_j \varphi_j`, :math:`J(w) = \alpha\, j(\Phi w)`.

    The general form :math:`\min_f \sum_i \ell(f(x_i), y_i) + J(f)` of regularisation
    (penalties.06): :math:`\Phi` holds whatever the functional looks at, such as the values,
    derivatives or differences of the basis functions at some points. :class:`RKHS`,
    :class:`Quadratic` and :class:`L2` are special cases with closed forms; this one asks only for a
    value and a gradient. For a matrix of coefficients the functionals of its columns are added.

    Parameters
    ----------
    functional : callable
        ``u -> (value, gradient)`` with :math:`j(u)`, convex and differentiable, zero at zero.
    basis : array-like of shape (m, p), optional
        :math:`\Phi`; the identity by default, where the functional looks at the coefficients.
    alpha : float
        Strength, at least 0.

    Notes
    -----
    Second derivatives are central differences of the gradient, one pair of calls per direction;
    the proximal operator is found by L-BFGS.

    Examples
    --------
    A smoothed total variation of neighbouring coefficients:

    >>> import numpy as np
    >>> def smoothed_sum(u):
    ...     size = np.sqrt(u * u + 1e-2)
    ...     return float(np.sum(size - 0.1)), u / size
    >>> variation = Functional(smoothed_sum, np.diff(np.eye(4), axis=0))
    >>> round(variation.value(np.array([0.0, 0.0, 5.0, 5.0])), 3)
    4.901
    >>> variation.gradient(np.ones(4))
    array([0., 0., 0., 0.])
    """

    functional: Callable[[Floats], tuple[float, Floats]]
    basis: Any = None
    alpha: float = 1.0
    smooth: ClassVar[bool] = True
    separable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, nonnegative="alpha")
        if not callable(self.functional):
            raise check.fail(
                self, "functional", "a function u -> (value, gradient)", self.functional
            )
        if self.basis is None:
            return
        basis = np.array(self.basis, dtype=np.float64)
        if basis.ndim != 2 or not np.isfinite(basis).all():
            raise check.fail(self, "basis", "a matrix of finite numbers", basis.shape)
        basis.setflags(write=False)
        object.__setattr__(self, "basis", basis)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Functional)
            and (self.functional, self.alpha) == (other.functional, other.alpha)
            and np.array_equal(_entries(self.basis), _entries(other.basis))
        )

    def __hash__(self) -> int:
        return hash((Functional, self.functional, self.alpha))

    def value(self, w: Floats) -> float:
        return float(sum(self._column(column)[0] for column in _columns(w)))

    def gradient(self, w: Floats) -> Floats:
        slopes = [self._column(column)[1] for column in _columns(w)]
        return np.stack(slopes, axis=1).reshape(w.shape)

    def curvature(self, w: Floats) -> Floats:
        columns = _columns(w)
        bend = np.empty((len(w), len(columns)))
        for k, column in enumerate(columns):
            for j, axis in enumerate(np.eye(len(column))):
                bend[j, k] = self._bend(column, axis)[j]
        return bend.reshape(w.shape)

    def hessian_product(self, w: Floats, direction: Floats) -> Floats:
        pairs = zip(_columns(w), _columns(direction), strict=True)
        return np.stack([self._bend(*pair) for pair in pairs], axis=1).reshape(w.shape)

    def prox(self, w: Floats, step: float) -> Floats:
        return np.stack([self._nearest(c, step) for c in _columns(w)], axis=1).reshape(w.shape)

    def _column(self, w: Floats) -> tuple[float, Floats]:
        """Value and gradient for one function."""
        if self.basis is None:
            value, slope = self.functional(w)
            return self.alpha * float(value), self.alpha * np.asarray(slope, dtype=np.float64)
        value, slope = self.functional(self.basis @ w)
        return self.alpha * float(value), self.alpha * (self.basis.T @ slope)

    def _bend(self, w: Floats, direction: Floats) -> Floats:
        """Hessian times a direction, by differences of the gradient."""
        size = float(np.abs(direction).max(initial=0.0))
        if size == 0.0:
            return np.zeros_like(w)
        h = _STEP * (1.0 + float(np.abs(w).max(initial=0.0))) / size
        ahead, behind = self._column(w + h * direction)[1], self._column(w - h * direction)[1]
        return np.asarray((ahead - behind) / (2.0 * h))

    def _nearest(self, w: Floats, step: float) -> Floats:
        def envelope(v: Floats) -> tuple[float, Floats]:
            value, slope = self._column(v)
            return 0.5 * float((v - w) @ (v - w)) + step * value, v - w + step * slope

        limits = {"maxiter": 5000, "maxfun": 20_000, "gtol": 1e-12, "ftol": 0.0}
        return np.asarray(minimize(envelope, w, jac=True, method="L-BFGS-B", options=limits).x)


def _columns(w: Floats) -> list[Floats]:
    """The functions, one vector of coefficients each."""
    return list(w.reshape(len(w), -1).T)


def _entries(basis: Any) -> Any:
    return np.empty(0) if basis is None else basis
