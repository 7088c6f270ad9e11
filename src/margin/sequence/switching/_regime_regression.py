"""Learning regressions that a hidden chain switches between."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin.core import threads
from margin.core.types import Floats, Indices
from margin.inference import Expectation, SmoothedChain, chain_smooth
from margin.linalg import cholesky

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class RegimeParameters:
    """Regressions and chain.

    Parameters
    ----------
    weights : ndarray of shape (k, p)
        A regression for each regime.
    variances : ndarray of shape (k,)
    start : ndarray of shape (k,)
    transition : ndarray of shape (k, k)
        From row to column.
    """

    weights: Floats
    variances: Floats
    start: Floats
    transition: Floats

    def log_density(self, Z: Floats, y: Floats) -> Floats:
        """Of every row under each regime; 0 where ``y`` is unobserved."""
        rest = y[:, None] - Z @ self.weights.T
        table = -0.5 * (rest**2 / self.variances + np.log(self.variances) + _LOG_2PI)
        return np.where(np.isnan(table), 0.0, table)

    def sorted(self) -> "RegimeParameters":
        """Regimes by their variance, the calmest first; by their weights where that is shared."""
        order = np.lexsort((*self.weights.T[::-1], self.variances))
        return RegimeParameters(
            self.weights[order],
            self.variances[order],
            self.start[order],
            self.transition[np.ix_(order, order)],
        )


@dataclass(frozen=True, eq=False)
class RegressionRows:
    """Rows of all sequences.

    Parameters
    ----------
    Z : ndarray of shape (rows, p)
    y : ndarray of shape (rows,)
    offsets : ndarray of int
    shared_variance : bool
    floor : float
        Least variance.
    n_threads : int
    """

    Z: Floats
    y: Floats
    offsets: Indices
    shared_variance: bool
    floor: float
    n_threads: int

    @classmethod
    def of(
        cls, Z: Floats, y: Floats, offsets: Indices, shared: bool, n_jobs: int | None
    ) -> "RegressionRows":
        """Without sequences that have no row."""
        kept = np.concatenate([[True], np.diff(offsets) > 0])
        spread = float(np.nanvar(y)) if np.isfinite(y).any() else 1.0
        floor = 1e-6 * spread if spread > 0 else 1e-12
        return cls(Z, y, offsets[kept].astype(np.int64), shared, floor, threads.count(n_jobs))

    def smooth(self, at: RegimeParameters) -> SmoothedChain:
        """Probabilities of the regimes at these parameters (sequence.31)."""
        table = at.log_density(self.Z, self.y)
        return chain_smooth(table, self.offsets, at.start, at.transition, n_threads=self.n_threads)

    def expect(self, at: RegimeParameters) -> Expectation[tuple[Floats, Floats]]:
        """Step E: posterior of every row and expected transitions."""
        smoothed = self.smooth(at)
        return Expectation(
            float(smoothed.log_likelihood.sum()), (smoothed.posterior, smoothed.counts)
        )

    def maximise(self, statistics: tuple[Floats, Floats], at: RegimeParameters) -> RegimeParameters:
        """Step M: weighted least squares for each regime, and the chain by counting."""
        share, counts = statistics
        seen = np.isfinite(self.y)
        Z, y = self.Z[seen], self.y[seen]
        k, p = at.weights.shape
        weights, squares, mass = at.weights.copy(), np.zeros(k), share[seen].sum(axis=0)
        for j in range(k):
            if mass[j] <= p * 1e-3 + 1e-9:
                continue  # a regime that nothing belongs to stays as it is
            heavy = Z * share[seen, j][:, None]
            if p:
                weights[j] = cholesky(Z.T @ heavy, name="moments").solve(heavy.T @ y)
            squares[j] = share[seen, j] @ (y - Z @ weights[j]) ** 2
        full = mass > p * 1e-3 + 1e-9
        variances = np.where(full, squares / np.where(full, mass, 1.0), at.variances)
        if self.shared_variance:
            variances = np.full(k, squares[full].sum() / mass[full].sum())
        start = share[self.offsets[:-1]].mean(axis=0)
        total = counts.sum(axis=1, keepdims=True)
        transition = np.where(total > 0, counts / np.where(total > 0, total, 1.0), at.transition)
        transition = transition / transition.sum(axis=1, keepdims=True)
        return RegimeParameters(
            weights, np.maximum(variances, self.floor), start / start.sum(), transition
        )

    def starts(self, k: int, n_init: int, rng: np.random.Generator) -> Iterator[RegimeParameters]:
        """Regressions of stretches of rows, which are dealt to the regimes."""
        rows, p = len(self.y), self.Z.shape[1]
        flat = RegimeParameters(
            np.zeros((k, p)),
            np.full(k, max(self.floor, float(np.nanmean(self.y**2) or 1.0))),
            np.full(k, 1.0 / k),
            np.full((k, k), 0.1 / max(k - 1, 1)) + np.eye(k) * (0.9 - 0.1 / max(k - 1, 1)),
        )
        if k == 1:
            flat = RegimeParameters(flat.weights, flat.variances, flat.start, np.ones((1, 1)))
        for i in range(n_init):
            width = max(min(rows // (3 * k), 10 * (p + 1) * (i + 1)), p + 1)
            block = np.arange(rows) // width
            which = np.arange(block[-1] + 1) % k if i == 0 else rng.permutation(block[-1] + 1) % k
            share = np.full((rows, k), 0.1 / k)
            share[np.arange(rows), which[block]] += 0.9
            counts = flat.transition * rows / k
            yield self.maximise((share, counts), flat)
