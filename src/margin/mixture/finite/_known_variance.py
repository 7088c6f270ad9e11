"""Means of normal distributions with a known variance."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Solution, check
from margin.core.types import Floats
from margin.inference import (
    Assignment,
    Expectation,
    LargestChange,
    Soft,
    expectation_maximisation,
)


def known_variance_means(
    x: ArrayLike,
    means: ArrayLike,
    *,
    variance: float = 1.0,
    weights: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    assignment: Assignment | None = None,
    tol: float = 1e-9,
    max_iter: int = 1000,
) -> Solution:
    r"""The means of normal distributions that share a known variance (mixture.04).

    .. math:: r_{ik} \propto \pi_k\, e^{-(x_i - \mu_k)^2 / 2\sigma^2}, \qquad
              \mu_k \leftarrow \frac{\sum_i r_{ik} x_i}{\sum_i r_{ik}}

    As :math:`\sigma^2` goes to zero, or with :class:`~margin.inference.Hard` assignment, it becomes
    k-means (mixture.05).

    Parameters
    ----------
    x : array-like of shape (n,)
        NaN is left out.
    means : array-like of shape (k,)
        Where the search starts.
    variance : float
    weights : array-like of shape (k,), optional
        Known :math:`\pi`, even by default.
    sample_weight : array-like of shape (n,), optional
    assignment : Assignment, optional
        The E step, soft by default.
    tol : float
        Largest change of a mean that counts as converged.
    max_iter : int

    Returns
    -------
    Solution
        ``x`` are the means, ``objective`` minus the log-likelihood.

    Examples
    --------
    >>> known_variance_means([0.0, 1.0, 4.0, 5.0], [1.0, 4.0], tol=0, max_iter=1).x.round(8)
    array([0.51786236, 4.48213764])
    """
    name = "known_variance_means"
    points = np.asarray(x, dtype=np.float64)
    start = np.array(means, dtype=np.float64)
    if points.ndim != 1 or start.ndim != 1 or not len(start):
        raise check.fail(name, "x and means", "one-dimensional", (points.shape, start.shape))
    if not 0 < variance < np.inf:
        raise check.fail(name, "variance", "a number above 0", variance)
    w = np.ones(len(points)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    seen = ~np.isnan(points)
    points, w = points[seen], w[seen]
    if not np.isfinite(points).all() or not w.any():
        raise check.fail(name, "x", "finite, with at least one observed number", x)
    share = np.full(len(start), 1 / len(start)) if weights is None else np.asarray(weights)
    with np.errstate(divide="ignore"):
        level = np.log(share) - 0.5 * np.log(2 * np.pi * variance)
    rule = assignment or Soft()

    def expect(at: Floats) -> Expectation[Floats]:
        shares, bounds = rule(level - 0.5 * (points[:, None] - at) ** 2 / variance)
        return Expectation(float(w @ bounds), shares * w[:, None])

    def maximise(shares: Floats, at: Floats) -> Floats:
        total = shares.sum(axis=0)
        return np.where(total > 0, points @ shares / np.where(total > 0, total, 1.0), at)

    return expectation_maximisation(
        expect,
        maximise,
        [start],
        tol=tol,
        max_iter=max_iter,
        measure=LargestChange(),
        monotone=1e-9 if rule.monotone else None,
    )
