"""One problem of kernel ridge regression, by the system that suits it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats, Places
from margin.gp._capacity import fits
from margin.gp.regression._linear_ridge import solve_by_columns, suits_columns
from margin.gp.regression._ridge_solve import RidgeSolve, solve_ridge
from margin.kernels import Linear

_ADVICE = "use fewer rows, or kernels.approximate with a linear model"


@dataclass(frozen=True, eq=False)
class RidgeTask:
    """Targets, weights and penalties, for rows and a kernel that are kept elsewhere.

    Parameters
    ----------
    owner : str
        Class that is fitted, for messages.
    Y : ndarray of shape (n, k)
    weight : ndarray of shape (n,) or None
    strengths : list of (float, ndarray)
        Penalties, and the targets that each one is for.
    intercept : bool

    Examples
    --------
    >>> task = RidgeTask("KernelRidge", np.ones((3, 1)), None, [(1.0, np.arange(1))], False)
    >>> task.held_out(Linear(), np.ones((3, 1))).ravel().round(6)
    array([0.666667, 0.666667, 0.666667])
    """

    owner: str
    Y: Floats
    weight: Floats | None
    strengths: list[tuple[float, Places]]
    intercept: bool

    def solved(self, kernel: Any, X: Any) -> list[RidgeSolve]:
        """Coefficients, one system for each penalty."""
        least = min(strength for strength, _ in self.strengths)
        if kernel == Linear() and suits_columns(X, least):
            return [
                solve_by_columns(
                    X, self.Y[:, places], self.weight, strength, intercept=self.intercept
                )
                for strength, places in self.strengths
            ]
        fits(self.owner, len(self.Y), _ADVICE)
        K = np.asarray(kernel(X), dtype=np.float64)
        return [
            solve_ridge(
                K, self.Y[:, places], self.weight, strength, kernel, intercept=self.intercept
            )
            for strength, places in self.strengths
        ]

    def held_out(self, kernel: Any, X: Any) -> Floats:
        """Prediction of every target by the fit to all other rows, of shape (n, k)."""
        held = np.empty_like(self.Y)
        for (_, places), system in zip(self.strengths, self.solved(kernel, X), strict=True):
            held[:, places] = system.held_out
        return held
