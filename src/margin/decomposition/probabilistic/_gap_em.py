"""Expectation maximisation of latent normal models on rows with gaps."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core import Solution
from margin.core.types import Floats
from margin.decomposition._blocks import RowBlocks
from margin.decomposition.probabilistic._latent_normal import LatentNormal, row_parts
from margin.inference import Expectation, Measure, Squarem, expectation_maximisation


class ColumnTotals(NamedTuple):
    """Weight, mean and variance of what is observed of every column, and the number of rows."""

    weight: Floats
    mean: Floats
    variance: Floats
    n_rows: int
    total: float


class _Sums(NamedTuple):
    """Per column: moments of the latent rows that see it, and with its values."""

    second: Floats
    cross: Floats
    squares: Floats


def column_totals(blocks: RowBlocks) -> ColumnTotals:
    """Totals of the observed values.

    Examples
    --------
    >>> rows = np.array([[1.0, np.nan], [3.0, 5.0]])
    >>> column_totals(RowBlocks([(rows, None)])).mean
    array([2., 5.])
    """
    parts = [_part_totals(rows, weight) for rows, weight in blocks]
    weight = np.sum([part.weight for part in parts], axis=0)
    safe = np.where(weight > 0, weight, 1.0)
    mean = np.sum([part.weight * part.mean for part in parts], axis=0) / safe
    spread = [part.weight * (part.variance + (part.mean - mean) ** 2) for part in parts]
    return ColumnTotals(
        weight,
        mean,
        np.sum(spread, axis=0) / safe,
        sum(part.n_rows for part in parts),
        sum(part.total for part in parts),
    )


def _part_totals(rows: Floats, weight: Floats | None) -> ColumnTotals:
    held = np.ones(len(rows)) if weight is None else weight
    seen = ~np.isnan(rows)
    count = held @ seen
    safe = np.where(count > 0, count, 1.0)
    centre = np.where(seen.any(axis=0), rows[np.argmax(seen, axis=0), np.arange(len(count))], 0.0)
    mean = centre + held @ np.where(seen, rows - centre, 0.0) / safe
    variance = held @ np.where(seen, rows - mean, 0.0) ** 2 / safe
    return ColumnTotals(count, mean, variance, len(rows), float(held.sum()))


def gap_em(
    blocks: RowBlocks,
    start: LatentNormal,
    centre: Floats,
    floor: Floats,
    *,
    isotropic: bool,
    tol: float,
    max_iter: int,
    measure: Measure | None = None,
) -> Solution:
    r"""Mean, loadings and noise that maximise the likelihood of the observed entries.

    Gaps are integrated out and never filled: the E step finds the posterior of every row's causes
    from what is observed of it, the M step regresses every column on the causes of the rows that
    show it. The mean is the constant of that regression (decomposition.06, decomposition.09).

    Parameters
    ----------
    blocks : RowBlocks
        Rows and weights, read once in every iteration.
    start : LatentNormal
        Where to begin.
    centre : ndarray of shape (p,)
        A rough mean, about which sums are taken.
    floor : ndarray of shape (p,)
        Least noise variances.
    isotropic : bool
        Whether all columns share one noise variance.
    tol, max_iter, measure
        As for :func:`margin.inference.expectation_maximisation`.

    Returns
    -------
    Solution
        ``x`` is a :class:`LatentNormal`, the objective minus the log-likelihood.

    Notes
    -----
    :math:`O(n p k^2)` operations per iteration as matrix products, whatever the pattern of gaps.
    """
    steps = _Steps(blocks, centre, floor, isotropic)
    shape = start.loadings.shape
    return expectation_maximisation(
        steps.expect,
        steps.maximise,
        [start],
        tol=tol,
        max_iter=max_iter,
        measure=measure,
        accelerate=Squarem(_to_vector, lambda v: _from_vector(v, shape, floor)),
        solver="expectation maximisation over the observed entries",
    )


@dataclass(frozen=True, eq=False)
class _Steps:
    blocks: RowBlocks
    centre: Floats
    floor: Floats
    isotropic: bool

    def expect(self, law: LatentNormal) -> Expectation[_Sums]:
        p, k = law.loadings.shape
        second, cross = np.zeros((p, (k + 1) ** 2)), np.zeros((p, k + 1))
        squares, bound = np.zeros(p), 0.0
        for X, weight in self.blocks:
            for part in row_parts(len(X), p, k):
                rows = np.asarray(X[part], dtype=np.float64)
                held = np.ones(len(rows)) if weight is None else weight[part]
                posterior = law.posterior(rows)
                latent = np.hstack([posterior.mean, np.ones((len(rows), 1))])
                products = latent[:, :, None] * latent[:, None, :]
                products[:, :k, :k] += posterior.covariance
                seen = ~np.isnan(rows)
                shown = seen * held[:, None]
                away = np.where(seen, rows - self.centre, 0.0)
                second += shown.T @ products.reshape(len(rows), -1)
                cross += (away * held[:, None]).T @ latent
                squares += held @ away**2
                bound += float(held @ posterior.log_prob)
        return Expectation(bound, _Sums(second.reshape(p, k + 1, k + 1), cross, squares))

    def maximise(self, sums: _Sums, law: LatentNormal) -> LatentNormal:
        k = law.loadings.shape[1]
        coef = np.linalg.solve(sums.second, sums.cross[:, :, None])[:, :, 0]
        rest = sums.squares - np.einsum("jk,jk->j", coef, sums.cross)
        count = sums.second[:, k, k]
        noise = np.full_like(rest, rest.sum() / count.sum()) if self.isotropic else rest / count
        return LatentNormal(
            self.centre + coef[:, k], np.asarray(coef[:, :k]), np.maximum(noise, self.floor)
        )


def _to_vector(law: LatentNormal) -> Floats:
    return np.concatenate([law.mean, law.loadings.ravel(), np.log(law.noise)])


def _from_vector(vector: Floats, shape: tuple[int, ...], floor: Floats) -> LatentNormal:
    p, k = shape
    loadings = vector[p : p + p * k].reshape(p, k)
    noise = np.exp(np.minimum(vector[p + p * k :], 700.0))
    return LatentNormal(vector[:p], loadings, np.maximum(noise, floor))
