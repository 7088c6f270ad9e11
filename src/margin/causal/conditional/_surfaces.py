"""Effects as functions of modifiers, with errors where they are known."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.causal.methods._lines import solve_normal
from margin.causal.methods._nuisance import fit_model
from margin.core.types import Floats


class Surface(ABC):
    """An effect at every place."""

    @abstractmethod
    def values(self, M: Floats) -> Floats:
        """Effects at the rows."""

    def errors(self, M: Floats) -> Floats | None:
        """Standard errors, or None where the surface does not know them."""
        return None

    def average_error(self, M: Floats, weight: Floats) -> float | None:
        """Standard error of the mean effect of the rows that it was learned from, if known."""
        return None


@dataclass(frozen=True, eq=False)
class Plane(Surface):
    """Effects that are linear in the modifiers.

    Parameters
    ----------
    coef : ndarray of shape (p + 1,)
        Intercept first.
    covariance : ndarray of shape (p + 1, p + 1)
        Robust against unequal variances.
    trusted : bool
        Whether the covariance accounts for everything that was estimated.
    """

    coef: Floats
    covariance: Floats
    trusted: bool

    def values(self, M: Floats) -> Floats:
        """The plane at the rows."""
        return np.asarray(_lines(M) @ self.coef)

    def errors(self, M: Floats) -> Floats | None:
        """Errors of the plane."""
        if not self.trusted:
            return None
        D = _lines(M)
        variance = np.einsum("ij,jk,ik->i", D, self.covariance, D)
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)))

    def average_error(self, M: Floats, weight: Floats) -> float | None:
        """Of the plane at the mean of the rows, and of the rows that happened to be drawn."""
        if not self.trusted:
            return None
        share = weight / weight.sum()
        centre, values = share @ _lines(M), self.values(M)
        drawn = share**2 @ (values - share @ values) ** 2
        return float(np.sqrt(max(centre @ self.covariance @ centre, 0.0) + drawn))


@dataclass(frozen=True, eq=False)
class Learned(Surface):
    """Effects by a fitted regressor."""

    model: Any

    def values(self, M: Floats) -> Floats:
        """Predictions."""
        return np.asarray(self.model.predict(M), dtype=np.float64)


def surface(
    owner: str, M: Floats, pseudo: Floats, weight: Floats, model: Any, trusted: bool
) -> Surface:
    """Regress scores of the rows on the modifiers: a plane, or any regressor.

    Examples
    --------
    >>> M = np.array([[0.0], [1.0], [2.0]])
    >>> found = surface("EffectModifier", M, np.array([1.0, 3.0, 5.0]), np.ones(3), None, True)
    >>> found.coef.round(6)
    array([1., 2.])
    """
    if model is not None:
        return Learned(fit_model(owner, model, M, pseudo, weight))
    D = _lines(M)
    wD = D * weight[:, None]
    gram = wD.T @ D
    coef = solve_normal(gram, wD.T @ pseudo)
    bread = solve_normal(gram, (wD * (pseudo - D @ coef)[:, None]).T)
    return Plane(coef, bread @ bread.T, trusted)


def planes(M: Floats, y: Floats, T: Floats, weight: Floats) -> tuple[Surface, ...]:
    r"""Planes that minimise :math:`\sum_i w_i (y_i - \sum_j \tau_j(x_i) t_{ij})^2`, one per column.

    Examples
    --------
    >>> M, T = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0], [1.0], [-1.0]])
    >>> planes(M, np.array([1.0, 3.0, -5.0]), T, np.ones(3))[0].coef.round(6)
    array([1., 2.])
    """
    D, k = _lines(M), T.shape[1]
    Z = np.hstack([D * t[:, None] for t in T.T])
    wZ = Z * weight[:, None]
    gram = wZ.T @ Z
    coef = solve_normal(gram, wZ.T @ y)
    bread = solve_normal(gram, (wZ * (y - Z @ coef)[:, None]).T)
    cuts = [slice(j * D.shape[1], (j + 1) * D.shape[1]) for j in range(k)]
    return tuple(Plane(coef[cut], bread[cut] @ bread[cut].T, True) for cut in cuts)


def _lines(M: Floats) -> Floats:
    return np.column_stack([np.ones(len(M)), M])
