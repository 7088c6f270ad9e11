"""Autoregression of series with unobserved numbers, by expectation maximisation."""

from dataclasses import dataclass

import numpy as np

from margin.core import Sequences, Solution, threads
from margin.core.types import Floats
from margin.inference import Expectation, LinearSystem, expectation_maximisation
from margin.linalg import cholesky
from margin.native.filters import kalman
from margin.sequence.autoregressive._companion import companion
from margin.sequence.autoregressive._estimates import ArEstimate


@dataclass(frozen=True, eq=False)
class _Vague:
    """Law of the first numbers of a sequence: independent, as wide as the data."""

    mean: float
    variance: float


def incomplete_least_squares(
    given: Sequences,
    order: int,
    *,
    intercept: bool,
    tol: float,
    max_iter: int,
    skip: int = 0,
    n_jobs: int | None = None,
) -> Solution:
    """Maximum likelihood given a vague law of the first ``order`` numbers of each sequence.

    Or of the first ``skip``, if these are more: then likelihoods of several orders compare. Where
    nothing is missing the first step is least squares, and the last.
    """
    seen = given.buffer[np.isfinite(given.buffer)]
    vague = _Vague(float(seen.mean()), max(float(seen.var()), 1e-12))
    offsets = given.offsets.astype(np.int64)
    place = np.arange(len(given.buffer)) - np.repeat(offsets[:-1], given.lengths)
    free = place >= max(order, skip)
    n_threads = threads.count(n_jobs)

    def expect(at: ArEstimate) -> Expectation[tuple[Floats, Floats, float, float]]:
        system = _system(at, vague, free, order)
        smoothed = kalman.run_smoother(
            given.buffer, offsets, system.arrays(), cov=True, cross=True, n_threads=n_threads
        )
        assert smoothed.mean is not None
        assert smoothed.cov is not None
        assert smoothed.cross is not None
        now = np.flatnonzero(free)
        Z, y = smoothed.mean[now - 1, :order], smoothed.mean[now, 0]
        zz = Z.T @ Z + smoothed.cov[now - 1].sum(axis=0)[:order, :order]
        zy = Z.T @ y + smoothed.cross[now].sum(axis=0)[0, :order]
        yy = float(y @ y + smoothed.cov[now, 0, 0].sum())
        if intercept:
            zz = np.block([[zz, Z.sum(axis=0)[:, None]], [Z.sum(axis=0)[None], float(len(now))]])
            zy = np.append(zy, y.sum())
        return Expectation(float(smoothed.log_prob.sum()), (zz, zy, yy, float(len(now))))

    def maximise(moments: tuple[Floats, Floats, float, float], at: ArEstimate) -> ArEstimate:
        zz, zy, yy, count = moments
        w = cholesky(zz, name="moments").solve(zy)
        rest = (yy - 2 * float(w @ zy) + float(w @ zz @ w)) / count
        last = float(w[-1]) if intercept else 0.0
        return ArEstimate(w[:order], last, max(rest, 1e-12 * vague.variance))

    # Not at zero, where a coefficient and its negative may look the same.
    start = ArEstimate(0.5 * np.eye(order)[0], 0.5 * vague.mean * intercept, vague.variance)
    return expectation_maximisation(expect, maximise, [start], tol=tol, max_iter=max_iter)


def _system(at: ArEstimate, vague: _Vague, free: np.ndarray, order: int) -> LinearSystem:
    L = max(order, 1)
    shift = companion(np.zeros(order))
    A = np.where(free[:, None, None], companion(at.coef), shift)
    Q, b = np.zeros((len(free), L, L)), np.zeros((len(free), L))
    Q[:, 0, 0] = np.where(free, at.variance, vague.variance)
    b[:, 0] = np.where(free, at.intercept, vague.mean)
    mean, cov = np.full(L, vague.mean), vague.variance * np.eye(L)
    return LinearSystem(A, np.eye(L)[:1], Q, [[0.0]], mean, cov, b=b)
