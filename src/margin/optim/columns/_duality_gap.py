"""Duality gaps of penalised linear models."""

import numpy as np

from margin.core.types import Floats
from margin.losses import Loss
from margin.optim._linear_problem import LinearProblem
from margin.optim.columns._squares import Fitted, Shrinkage
from margin.penalties import Penalty


def shrinkage(penalty: Penalty, *, positive: bool = False) -> Shrinkage | None:
    """Strengths of absolute values and squares, or nothing for a penalty of another kind."""
    strengths = penalty.elastic
    return None if strengths is None else Shrinkage(*strengths, positive)


def squares_gap(fitted: Fitted, w: Floats, penalty: Shrinkage) -> tuple[float, float]:
    r"""Objective and duality gap of penalised least squares.

    With residual :math:`r` and products :math:`c = X^\top r`, the point :math:`t r` is dual
    feasible while :math:`t \|c - l_2 w\|_\infty \le l_1`; its dual value is
    :math:`t\, r^\top y - \tfrac{t^2}2 (\|r\|^2 + l_2 \|w\|^2)`, and the best :math:`t` is taken.
    With :math:`l_2 > 0` the conjugate of the penalty is finite everywhere and :math:`r` itself is
    tried as well.
    """
    ridge = penalty.l2 * float(w @ w)
    along, square, correlations = fitted.along, fitted.square, fitted.correlations
    objective = 0.5 * square + penalty.value(w)
    worst = float(penalty.pull(correlations - penalty.l2 * w).max(initial=0.0))
    limit = penalty.l1 / worst if worst > penalty.l1 else 1.0
    length = square + ridge
    t = min(max(along / length, 0.0), limit) if length > 0 else 0.0
    dual = t * along - 0.5 * t * t * length
    if penalty.l2 > 0:
        dual = max(dual, along - 0.5 * square - _conjugate(correlations, penalty))
    return objective, max(objective - dual, 0.0)


def conjugate_gap(
    loss: Loss,
    slope: Floats,
    y: Floats,
    weight: Floats,
    products: Floats,
    objective: float,
    penalty: Shrinkage,
) -> float:
    r"""Duality gap of a penalised loss with a conjugate, at dual point :math:`t\theta`.

    ``slope`` is :math:`\theta`, the weighted slopes of some scores (of sum zero where an intercept
    is free), ``products`` is :math:`X^\top \theta`. The dual value is
    :math:`-\sum_i s_i \ell^*(t \theta_i / s_i, y_i)` less the conjugate of the penalty, which
    :math:`t \le 1` makes finite. For the logistic loss the sum is an entropy.
    """
    share = np.divide(slope, weight, out=np.zeros_like(slope), where=weight > 0)
    worst = float(penalty.pull(-products).max(initial=0.0))
    limit = penalty.l1 / worst if worst > penalty.l1 else 1.0
    gaps = []
    for t in {limit, 1.0} if penalty.l2 > 0 else {limit}:
        dual = -float(weight @ loss.conjugate(t * share, y))
        if penalty.l2 > 0:
            dual -= _conjugate(-t * products, penalty)
        gaps.append(max(objective - dual, 0.0))
    return min(gaps)


def balanced(slope: Floats) -> Floats:
    """Slopes of sum zero: the heavier sign is scaled down, so no slope leaves its range."""
    up, down = float(slope[slope > 0].sum()), -float(slope[slope < 0].sum())
    factor = np.where(slope > 0, min(1.0, down / up), min(1.0, up / down)) if up and down else 0.0
    return np.asarray(slope * factor)


def duality_gap(problem: LinearProblem, x: Floats) -> float:
    r"""Duality gap :math:`P(x) - D(\theta)` at a dual feasible point made from ``x`` (optim.20).

    The objective at ``x`` exceeds its minimum by at most this number, whatever ``x`` is.

    Parameters
    ----------
    problem : LinearProblem
        Loss with a conjugate (squared, logistic), one output; penalty L1, elastic net or L2.
    x : ndarray
        Coefficients and, last, the intercept.

    Examples
    --------
    The lasso of one orthonormal column is a soft threshold, where the gap vanishes:

    >>> import numpy as np
    >>> from margin.losses import Squared
    >>> from margin.penalties import L1
    >>> X, y = np.array([[1.0], [0.0]]), np.array([3.0, 0.0])
    >>> problem = LinearProblem(X, y, None, Squared(), L1(1.0), intercept=False)
    >>> duality_gap(problem, np.array([2.0])), duality_gap(problem, np.array([3.0])) >= 0.5
    (0.0, True)
    """
    penalty = shrinkage(problem.penalty)
    known = problem.loss.has_conjugate and problem.n_outputs == 1
    if not known or penalty is None or penalty.l1 + penalty.l2 == 0:
        raise ValueError(
            "duality_gap: problem must have a loss with a conjugate (squared, logistic), one score "
            "and an L1, L2 or elastic-net penalty, "
            f"got {type(problem.loss).__name__} with {problem.penalty!r}"
        )
    coef = problem.unpack(x)[0][:, 0]
    z = problem.predictions(x)[:, 0]
    weight = np.ones(len(z)) if problem.weight is None else problem.weight
    value, slope, _ = problem.loss.sweep(z, problem.y, weight)
    objective = value + penalty.value(coef)
    if not problem.loss.quadratic:
        theta = balanced(slope) if problem.intercept else slope
        products = _products(problem, theta)
        return conjugate_gap(problem.loss, theta, problem.y, weight, products, objective, penalty)
    mean = float(weight @ problem.y / weight.sum()) if problem.intercept else 0.0
    residual = problem.y - z
    if problem.intercept:
        residual = residual - float(weight @ residual / weight.sum())
    left = Fitted(
        float(weight @ (residual * (problem.y - mean))),
        float(weight @ residual**2),
        _products(problem, weight * residual),
    )
    best, gap = squares_gap(left, coef, penalty)
    return gap + max(objective - best, 0.0)


def _products(problem: LinearProblem, theta: Floats) -> Floats:
    columns = problem._design.transposed
    if columns is not None:
        return np.asarray(columns @ theta)
    return np.asarray(theta @ problem.X.astype(np.float64, copy=False))


def _conjugate(products: Floats, penalty: Shrinkage) -> float:
    over = np.maximum(penalty.pull(products) - penalty.l1, 0.0)
    return float(over @ over) / (2 * penalty.l2)
