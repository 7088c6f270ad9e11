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


def _lines(M: Floats) -> Floats:
    return np.column_stack([np.ones(len(M)), M])
