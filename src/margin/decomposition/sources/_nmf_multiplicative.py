"""Non-negative factors by multiplicative updates, for every beta divergence."""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import issparse

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Floats
from margin.decomposition.sources._beta_divergence import TINY
from margin.decomposition.sources._nmf_problem import Factors, NMFProblem, advice


def multiplicative(problem: NMFProblem, start: Factors, *, tol: float, max_iter: int) -> Solution:
    r"""Minimise by factors that keep signs (decomposition.15).

    .. math:: W \leftarrow W \odot \left( \frac{(X \odot (W H)^{\beta - 2}) H^\top}
              {(W H)^{\beta - 1} H^\top + \lambda_W + \mu_W W} \right)^{\gamma}

    with :math:`\gamma = 1 / (2 - \beta)` below one, :math:`1 / (\beta - 1)` above two, else 1, for
    which the divergence never rises. Unobserved entries are left out of both sums. Ends when
    ten iterations lower the root of the objective by less than ``tol`` of its first value.

    Notes
    -----
    :math:`O(n p k)` an iteration. Zeros stay zeros.
    """
    stop = Stop("gain of ten iterations", tol, max_iter, monotone=1e-6, advice=advice(max_iter))
    return iterate(_states(problem, start), stop, solver="multiplicative updates")


def _states(problem: NMFProblem, start: Factors) -> Iterator[Iterate]:
    W, H = start.W.copy(), start.H.copy()
    loss = problem.divergence(W, H) + problem.penalty(W, H)
    checked = loss
    size = abs(loss) or 1.0
    count = 0
    yield Iterate(Factors(W, H), loss / size, None, 0)
    while True:
        W = W * _factor(problem, W, H, problem.lasso_weights, problem.ridge_weights)
        if not problem.fixed_parts:
            flipped = NMFProblem(
                problem.X.T, None if problem.seen is None else problem.seen.T, problem.beta
            )
            H = (H.T * _factor(flipped, H.T, W.T, problem.lasso_parts, problem.ridge_parts)).T
        if problem.beta < 1.0:  # powers of what is as good as zero would overflow
            W, H = (np.where(a < np.finfo(np.float64).eps, 0.0, a) for a in (W, H))
        count += 1
        gain = None
        if count % 10 == 0:
            loss = problem.divergence(W, H) + problem.penalty(W, H)
            fall = np.sqrt(max(checked, 0.0)) - np.sqrt(max(loss, 0.0))
            gain, checked = max(0.0, float(fall / np.sqrt(size))), loss
        yield Iterate(Factors(W, H), loss / size, gain, count)


def _factor(problem: NMFProblem, W: Floats, H: Floats, l1: float, l2: float) -> Floats:
    """What ``W`` is multiplied by."""
    beta, X, seen = problem.beta, problem.X, problem.seen
    if beta == 2.0 and seen is None:
        top, bottom = X @ H.T, W @ (H @ H.T)
    else:
        Y = np.maximum(W @ H, TINY)
        mask = 1.0 if seen is None else seen
        weights = np.ones_like(Y) if beta == 2.0 else Y ** (beta - 2.0)
        inside = X.multiply(weights) if issparse(X) else X * weights
        top = np.asarray(inside @ H.T)
        bottom = (mask * (Y ** (beta - 1.0))) @ H.T
    bottom = bottom + l1 + l2 * W
    ratio = top / np.where(bottom == 0, TINY, bottom)
    if beta < 1.0:
        ratio **= 1.0 / (2.0 - beta)
    elif beta > 2.0:
        ratio **= 1.0 / (beta - 1.0)
    return np.asarray(ratio)
