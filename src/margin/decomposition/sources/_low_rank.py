"""Low-rank matrices that agree with the entries that are known."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin import linalg
from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Bools, Floats


@dataclass(frozen=True)
class LowRank:
    """Left vectors, singular values and right vectors of a matrix."""

    left: Floats
    values: Floats
    right: Floats

    @property
    def matrix(self) -> Floats:
        """The matrix itself."""
        return (self.left * self.values) @ self.right


def soft_impute(
    X: Floats, seen: Bools, alpha: float, most: int, *, tol: float, max_iter: int
) -> Solution:
    r"""Minimise the squares of known entries and a nuclear norm, with a duality gap.

    .. math:: \min_M \tfrac12 \sum_{(i, j) \in \Omega} (X_{ij} - M_{ij})^2 + \alpha \|M\|_*

    Proximal steps with momentum: entries that are unknown are filled by the last matrix, singular
    values shrunk by :math:`\alpha`. The residual :math:`R`, scaled into the ball
    :math:`\|R\|_2 \le \alpha`, bounds the optimum from below: the gap over the squares of the known
    entries is the certificate. A rank below that of ``X`` is no convex constraint, and leaves only
    the gain of an iteration to be measured.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Zero where unknown.
    seen : ndarray of bool
    alpha : float
        Above zero.
    most : int
        Most singular values kept.
    tol, max_iter

    Notes
    -----
    One singular value decomposition an iteration, :math:`O(n p \min(n, p))`.
    """
    convex = most >= min(X.shape)
    kind = "relative duality gap" if convex else "relative gain"
    stop = Stop(kind, tol, max_iter, advice=("raise tol",))
    states = _shrinking(X, seen, alpha, most)
    return iterate(states, stop, solver="soft-impute with momentum")


def _shrinking(X: Floats, seen: Bools, alpha: float, most: int) -> Iterator[Iterate]:
    at = LowRank(np.zeros((len(X), 0)), np.zeros(0), np.zeros((0, X.shape[1])))
    M = np.zeros_like(X)
    there, t = M, 1.0
    energy = 0.5 * float(np.vdot(X, X)) or 1.0
    value, before, count = energy, np.inf, 0
    convex = most >= min(X.shape)
    while True:
        gap = _gap(X, seen, M, value, alpha) if convex else min(before - value, energy)
        yield Iterate(at, value, gap / energy, count)
        before = value
        count += 1
        new, matrix, cost = _proximal(X, seen, there, alpha, most)
        if cost > value:  # momentum went too far
            new, matrix, cost = _proximal(X, seen, M, alpha, most)
            t = 1.0
        after = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t))
        there = matrix + (t - 1.0) / after * (matrix - M)
        at, M, value, t = new, matrix, cost, after


def _proximal(
    X: Floats, seen: Bools, M: Floats, alpha: float, most: int
) -> tuple[LowRank, Floats, float]:
    left, values, right = linalg.svd(np.where(seen, X, M))
    values = np.maximum(values - alpha, 0.0)
    k = min(most, int(np.count_nonzero(values)))
    new = LowRank(left[:, :k], values[:k], right[:k])
    matrix = new.matrix
    gap = (X - matrix)[seen]
    return new, matrix, 0.5 * float(gap @ gap) + alpha * float(values[:k].sum())


def _gap(X: Floats, seen: Bools, M: Floats, value: float, alpha: float) -> float:
    """Objective less a lower bound."""
    R = np.where(seen, X - M, 0.0)
    size = float(np.linalg.norm(R, 2)) if R.size else 0.0
    R = R * min(1.0, alpha / size) if size else R
    bound = float(np.vdot(R, X)) - 0.5 * float(np.vdot(R, R))
    return max(0.0, value - bound)


def alternating_ridge(
    X: Floats,
    seen: Bools,
    alpha: float,
    start: tuple[Floats, Floats],
    *,
    tol: float,
    max_iter: int,
) -> Solution:
    r"""Factors of a chosen rank by ridge regressions in turn.

    .. math:: \min_{A, B} \tfrac12 \sum_{(i, j) \in \Omega} (X_{ij} - a_i^\top b_j)^2 +
              \tfrac{\alpha}2 (\|A\|_F^2 + \|B\|_F^2)

    At a minimum the penalty is :math:`\alpha` times the nuclear norm of :math:`A B^\top`. Ends when
    a pass over both factors lowers the objective by less than ``tol`` of it.

    Notes
    -----
    :math:`O(|\Omega| k^2 + (n + p) k^3)` an iteration.
    """
    stop = Stop("relative gain", tol, max_iter, monotone=1e-9, advice=("raise tol",))
    states = _alternating(X, seen, alpha, *start)
    return iterate(states, stop, solver="alternating least squares")


def _alternating(X: Floats, seen: Bools, alpha: float, A: Floats, B: Floats) -> Iterator[Iterate]:
    value, count = _ridge_value(X, seen, alpha, A, B), 0
    yield Iterate((A, B), value, None, 0)
    while True:
        count += 1
        A = _ridge_rows(X, seen, B, alpha)
        B = _ridge_rows(X.T, seen.T, A, alpha)
        before, value = value, _ridge_value(X, seen, alpha, A, B)
        yield Iterate((A, B), value, abs(before - value) / max(value, 1e-300), count)


def _ridge_value(X: Floats, seen: Bools, alpha: float, A: Floats, B: Floats) -> float:
    gap = (X - A @ B.T)[seen]
    penalty = 0.5 * alpha * (float(np.vdot(A, A)) + float(np.vdot(B, B)))
    return 0.5 * float(gap @ gap) + penalty


def _ridge_rows(X: Floats, seen: Bools, B: Floats, alpha: float) -> Floats:
    """One ridge regression per row of ``X`` on the rows of ``B`` that are known there."""
    outer = (B[:, :, None] * B[:, None, :]).reshape(len(B), -1)
    k = B.shape[1]
    grams = (seen.astype(np.float64) @ outer).reshape(-1, k, k)
    least = 1e-12 * max(float(np.trace(B.T @ B)) / k, 1e-300)
    grams += (alpha + least) * np.eye(k)
    return np.asarray(np.linalg.solve(grams, (X @ B)[:, :, None])[:, :, 0])
