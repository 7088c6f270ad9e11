"""Weights of several kernels, learnt from a target."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.types import Floats
from margin.kernels._base import Kernel
from margin.kernels.algebra._algebra import Sum
from margin.kernels.algebra._scaled import Scaled
from margin.kernels.theory._alignment import alignment, ideal_matrix
from margin.linalg import cholesky

_DROPPED = 1e-6


@dataclass(frozen=True, eq=False)
class Combination:
    r"""A weighted sum :math:`\sum_k \beta_k k_k` of kernels learnt from a target.

    Parameters
    ----------
    weights : ndarray of shape (k,)
        Weight :math:`\beta_k \ge 0` of every kernel; they sum to one.
    kernel : Kernel
        The sum, without the kernels of weight zero.
    alignment : float
        Centred alignment of the combined matrix with the target.
    trace : ndarray
        Objective after every step of an iterative method, never rising.
    solution : Solution or None
        How the search of an iterative method ended.
    """

    weights: Floats
    kernel: Kernel
    alignment: float
    trace: Floats
    solution: Solution | None = None


def combine(
    kernels: Sequence[Kernel],
    X: Any,
    y: Any,
    *,
    method: Literal["alignment", "ridge"] = "alignment",
    alpha: float = 1.0,
    max_iter: int = 100,
    tol: float = 1e-8,
) -> Combination:
    r"""Learn the weights of several kernels (kernels.32, multiple-kernel learning).

    ``"alignment"`` maximises the centred alignment of :math:`\sum_k \beta_k K_k` with the ideal
    matrix of the target, a non-negative least-squares problem in ``k`` unknowns. ``"ridge"`` learns
    weights and coefficients of kernel ridge regression together,

    .. math:: \min_{\beta \ge 0,\, \sum_k \beta_k = 1}\; \min_f\;
        \sum_i (y_i - f(x_i))^2 + \alpha \|f\|^2_{\sum_k \beta_k k_k}
        = \alpha\, y^\top \Bigl(\sum_k \beta_k K_k + \alpha I\Bigr)^{-1} y,

    by alternating :math:`a = (K_\beta + \alpha I)^{-1} y` with
    :math:`\beta_k \propto \beta_k \sqrt{a^\top K_k a}`. The objective is convex and never rises.

    Parameters
    ----------
    kernels : sequence of Kernel
        Candidates. Scale them alike first, as by :func:`normalise`.
    X : objects
        What they compare.
    y : array-like of shape (n,)
        Numbers, or for ``"alignment"`` also labels.
    method : {"alignment", "ridge"}
        What is optimised.
    alpha : float
        Strength of the penalty of ``"ridge"``, above 0.
    max_iter, tol : int, float
        Most steps of ``"ridge"``, and relative fall of the objective at which it stops.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Linear, RBF
    >>> X = np.linspace(-2, 2, 21)[:, None]
    >>> combination = combine([Linear(), RBF(0.3)], X, X[:, 0])
    >>> combination.weights.round(6)
    array([1., 0.])
    """
    if not len(kernels) or not all(isinstance(kernel, Kernel) for kernel in kernels):
        raise check.fail("combine", "kernels", "at least one kernel", kernels)
    matrices = [np.asarray(kernel(X), dtype=np.float64) for kernel in kernels]
    if method == "alignment":
        weights, solution = alignment_weights(matrices, y), None
    elif method == "ridge":
        if not 0 < alpha < np.inf:
            raise check.fail("combine", "alpha", "a number above 0", alpha)
        check.count("combine", "max_iter", max_iter)
        if not tol >= 0:
            raise check.fail("combine", "tol", "a number of at least 0", tol)
        weights, solution = _by_ridge(matrices, np.asarray(y, np.float64), alpha, max_iter, tol)
    else:
        raise check.fail("combine", "method", "one of 'alignment', 'ridge'", method)
    combined = np.einsum("k,kij->ij", weights, np.array(matrices))
    parts = tuple(Scaled(k, float(w)) for k, w in zip(kernels, weights, strict=True) if w > 0)
    reached = alignment(combined, ideal_matrix(y), centred=True)
    trace = np.empty(0) if solution is None else solution.trace["objective"]
    kernel = parts[0] if len(parts) == 1 else Sum(parts)
    return Combination(weights, kernel, reached, trace, solution)


def alignment_weights(
    matrices: Sequence[NDArray[Any]], y: Any, sample_weight: Floats | None = None
) -> Floats:
    r"""Weights of kernel matrices whose sum is best aligned with a target (kernels.32).

    The direction of largest centred alignment solves :math:`\min_{v \ge 0} v^\top M v - 2 v^\top a`
    with :math:`M_{kl} = \langle K_k, K_l \rangle` and :math:`a_k = \langle K_k, L \rangle`.

    Parameters
    ----------
    matrices : sequence of ndarray of shape (n, n)
        Symmetric kernel matrices of the same objects.
    y : array-like of shape (n,)
        Numbers or labels.
    sample_weight : ndarray of shape (n,), optional
        A weight of two is the same as the object twice.

    Returns
    -------
    ndarray of shape (k,)
        At least zero, of sum one.

    References
    ----------
    Cortes, Mohri and Rostamizadeh, Algorithms for learning kernels based on centered alignment,
    JMLR 2012.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([-1.0, -0.5, 0.5, 1.0])
    >>> alignment_weights([np.outer(x, x), np.eye(4)], ["a", "a", "b", "b"]).round(6)
    array([0.871795, 0.128205])
    """
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    ideal = ideal_matrix(y)
    sizes = np.array([np.sqrt(_inner(K, K, weight)) for K in matrices])
    products, towards = np.empty((len(matrices), len(matrices))), np.empty(len(matrices))
    lengths = np.empty(len(matrices))
    for k, K in enumerate(matrices):
        # Centring is a projection: it is enough to centre one side of a product.
        centred = _centred(np.asarray(K, dtype=np.float64), weight)
        products[k] = [_inner(centred, L, weight) for L in matrices]
        towards[k] = _inner(centred, ideal, weight)
        # The root of a product with one side centred would keep half the digits only.
        lengths[k] = np.sqrt(_inner(centred, centred, weight))
    varies = lengths > 1e-12 * sizes
    if not varies.any():
        raise check.fail("combine", "kernels", "not all constant on X", "constant matrices")
    safe = np.where(varies, lengths, np.inf)
    towards /= safe
    values, vectors = np.linalg.eigh(0.5 * (products + products.T) / np.outer(safe, safe))
    root = np.sqrt(np.maximum(values, 1e-15))
    direction, _ = nnls(root[:, None] * vectors.T, (vectors.T @ towards) / root)
    if not direction.any():  # none points towards the target: the least bad one alone
        direction[int(np.argmax(np.where(varies, towards, -np.inf)))] = 1.0
    weights = direction / safe
    return np.asarray(weights / weights.sum())


def _inner(K: NDArray[Any], L: NDArray[Any], weight: Floats) -> float:
    return float(np.einsum("i,ij,ij,j->", weight, K, L, weight, optimize=False))


def _centred(K: Floats, weight: Floats) -> Floats:
    """The matrix of the features minus their mean."""
    share = weight / weight.sum()
    means = K @ share
    return np.asarray(K - means - means[:, None] + float(share @ means))


def _by_ridge(
    matrices: list[Floats], y: Floats, alpha: float, max_iter: int, tol: float
) -> tuple[Floats, Solution]:
    stop = Stop("relative fall of the objective", tol, max_iter, unit="step", advice=("raise tol",))
    states = _alternated(np.array(matrices), y, alpha)
    solution = iterate(states, stop, solver="alternating ridge regression and weights")
    weights = np.where(solution.x > _DROPPED, solution.x, 0.0)
    return weights / weights.sum(), solution


def _alternated(matrices: Floats, y: Floats, alpha: float) -> Iterator[Iterate]:
    """The weights, and the least objective for them."""
    weights, before = np.full(len(matrices), 1.0 / len(matrices)), None
    for n_steps in count():
        K = np.einsum("k,kij->ij", weights, matrices)
        K[np.diag_indices_from(K)] += alpha
        a = cholesky(K, name="combined kernel matrix").solve(y)
        value = alpha * float(y @ a)
        fall = None if before is None else (before - value) / (abs(value) or 1.0)
        norms = weights * np.sqrt(np.maximum(np.einsum("i,kij,j->k", a, matrices, a), 0.0))
        done = "" if norms.any() else "no kernel has a share in the fit"
        yield Iterate(weights, value, fall, n_steps, done=done)
        weights, before = norms / norms.sum(), value
