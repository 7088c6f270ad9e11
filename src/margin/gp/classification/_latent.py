"""Data of a classification, and the posterior of the latent function of two classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats, Places
from margin.kernels import apply
from margin.linalg import Cholesky


@dataclass(frozen=True, eq=False)
class Labels:
    """Objects and the code of the class of each.

    Parameters
    ----------
    X : array of shape (n, d), or a list of objects
    codes : ndarray of int of shape (n,)
    n_classes : int
    """

    X: Any
    codes: Places
    n_classes: int

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes)

    def signs(self, positive: int = 1) -> Floats:
        """Plus one for the rows of one class, minus one for the others."""
        return np.where(self.codes == positive, 1.0, -1.0)


@dataclass(frozen=True, eq=False)
class LatentPosterior:
    r"""Normal approximation :math:`f(x) \mid y` of the latent function of two classes (gp.13).

    .. math:: \mu = k(x)^\top a, \qquad
              v = k(x, x) - k(x)^\top (K + W^{-1})^{-1} k(x)

    Parameters
    ----------
    X : array of shape (n, d), or a list of objects
    dual : ndarray of shape (n,)
        :math:`a`.
    root : ndarray of shape (n,)
        :math:`W^{1/2}`.
    factor : Cholesky
        Of :math:`B = I + W^{1/2} K W^{1/2}`.
    """

    X: Any
    dual: Floats
    root: Floats
    factor: Cholesky

    def predict(self, kernel: Any, X: Any, diag: Floats) -> tuple[Floats, Floats]:
        """Mean and variance of the latent function at new objects, both of shape (m,)."""
        cross = np.asarray(kernel(X, self.X), dtype=np.float64)
        half = self.factor.half_solve(np.ascontiguousarray((cross * self.root).T))
        var = diag - np.einsum("ij,ij->j", half, half)
        return cross @ self.dual, np.maximum(var, 0.0)

    def mean(self, kernel: Any, X: Any) -> Floats:
        """Mean of the latent function alone, which is cheap."""
        return np.asarray(apply(kernel, X, self.X, self.dual), dtype=np.float64)
