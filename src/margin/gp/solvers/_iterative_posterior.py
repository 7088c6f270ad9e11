"""The process given the data, where only systems of equations can be solved."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from margin.core.types import Floats
from margin.gp.solvers._interface import Held, Observations, Posterior
from margin.gp.solvers._iterative import FINAL, PROBES, Preconditioned, Projection, System

# Half of what is explained is the square of an error: this leaves eight digits of the variance.
_SPREAD = 1e-5
_DIAGONAL_PROBES = 64
_COLUMNS = 256


@dataclass(frozen=True, eq=False)
class IterativePosterior(Posterior):
    """Posterior by one solve for the mean, and one per new object for its variance.

    Parameters
    ----------
    system : System
        Covariance of the targets.
    seen : Observations
    parts : Projection
        Solutions for targets and mean.
    notes : tuple of str
        How the solutions were found.
    failure : str
        What a reader must know where the tolerance was not reached.
    """

    system: System
    seen: Observations
    parts: Projection
    notes: tuple[str, ...] = ()
    failure: str = ""
    repairs: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, system: System, seen: Observations, repairs: tuple[str, ...] = ()
    ) -> IterativePosterior:
        """Solve for the targets and the basis of the mean."""
        inverse, solution = system.solve(np.hstack([seen.Y, seen.H]), FINAL)
        notes, failure = system.about, ""
        if solution is not None:
            worst, n = float(solution.residual.max(initial=0.0)), solution.n_iter
            text = f"conjugate gradients: {n} iterations, relative residual {worst:.2g}"
            notes = (*notes, text)
            if not solution.status.ok:
                failure = (
                    f"{solution.message}, for the kernel {system.kernel}; its matrix is nearly "
                    "singular: raise alpha or add a White kernel"
                )
        return cls(system, seen, Projection.of(seen, inverse), notes, failure, repairs)

    @property
    def coefficients(self) -> Floats:
        """Posterior mean of the coefficients of the mean function."""
        return self.parts.coefficients

    def predict(self, kernel: Any, X: Any, H: Floats, diag: Floats | None) -> tuple[Floats, Any]:
        cross = self.system.cross(kernel, X)
        mean = cross @ self.parts.alpha + H @ self.coefficients
        if diag is None:
            return mean, None
        columns, solved, extra = self._solved(cross, H, _SPREAD)
        var = diag - np.einsum("ij,ij->j", columns, solved) + np.einsum("ij,ij->j", extra, extra)
        return mean, np.maximum(var, 0.0)

    def covariance(self, kernel: Any, X: Any, H: Floats, prior: Floats) -> Floats:
        columns, solved, extra = self._solved(self.system.cross(kernel, X), H, FINAL)
        cov = prior - columns.T @ solved + extra.T @ extra
        cov = 0.5 * (cov + cov.T)
        np.fill_diagonal(cov, np.maximum(np.diagonal(cov), 0.0))
        return cov

    def _solved(self, cross: Any, H: Floats, tol: float) -> tuple[Floats, Floats, Floats]:
        columns = cross.T.toarray() if sparse.issparse(cross) else np.ascontiguousarray(cross.T)
        solved, solution = self.system.solve(columns, tol)
        if solution is not None and not solution.status.ok:
            text = f"variance of a prediction: {solution.message}; it is an upper bound"
            warnings.warn(text, ConvergenceWarning, stacklevel=2)
        if self.parts.basis is None:
            return columns, solved, np.empty((0, columns.shape[1]))
        rest = H.T - self.parts.solved.T @ columns
        return columns, solved, self.parts.basis.half_solve(rest)

    def leave_one_out(self) -> Held:
        r"""Mean :math:`y_i - (Py)_i / P_{ii}` and variance :math:`1 / P_{ii}`."""
        spread = self.parts.spread
        precision = self.system.inverse_diagonal() - np.einsum("ij,ij->i", spread, spread)
        return Held(self.seen.Y - self.parts.alpha / precision[:, None], 1.0 / precision)


def stochastic_diagonal(
    system: Preconditioned, rough: Floats, noise: Floats, variance: Floats
) -> Floats:
    r"""Diagonal of :math:`C^{-1}` by random signs; warns with the error it found.

    :math:`\operatorname{diag} C^{-1} = \operatorname{diag} M^{-1} + E\,[u \circ (C^{-1} - M^{-1})
    u]`, with the exact diagonal of the preconditioner's inverse.

    Parameters
    ----------
    system : Preconditioned
    rough : ndarray of shape (n,)
        Diagonal of :math:`M^{-1}`.
    noise, variance : ndarray of shape (n,)
        Noise in the diagonal of ``C``, and the diagonal: their inverses bound the answer.
    """
    rng = np.random.default_rng(PROBES)
    signs = rng.choice(np.array([-1.0, 1.0]), size=(system.n, _DIAGONAL_PROBES))
    solved, _ = system.solve(signs, _SPREAD)
    change = signs * (solved - system.precondition(signs))
    tiny = np.finfo(np.float64).tiny
    bounds = 1.0 / variance, 1.0 / np.maximum(noise, tiny)
    diagonal: Floats = np.clip(rough + change.mean(axis=1), *bounds)
    error = change.std(axis=1, ddof=1) / np.sqrt(_DIAGONAL_PROBES)
    share = float(np.median(error / diagonal))
    warnings.warn(
        f"leave-one-out variances of {system.n} rows are estimates by {_DIAGONAL_PROBES} random "
        f"probes, with a relative standard error of {share:.1%} (median)",
        UserWarning,
        stacklevel=2,
    )
    return diagonal


def diagonal_by_columns(system: System) -> Floats:
    """Diagonal of the inverse from the columns of the identity, a block at a time."""
    diagonal = np.empty(system.n)
    for start in range(0, system.n, _COLUMNS):
        stop = min(start + _COLUMNS, system.n)
        unit = np.zeros((system.n, stop - start))
        unit[np.arange(start, stop), np.arange(stop - start)] = 1.0
        solved, _ = system.solve(unit, FINAL)
        diagonal[start:stop] = solved[np.arange(start, stop), np.arange(stop - start)]
    return diagonal
