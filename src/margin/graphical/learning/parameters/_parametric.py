"""Conditional distributions with few parameters, fitted to rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import expit, logsumexp

from margin.core import Solution, check
from margin.core.types import Floats
from margin.graphical.cpds._logistic_cpd import LogisticCPD, SoftmaxCPD
from margin.graphical.cpds._noisy_or import NoisyOr
from margin.optim import LBFGS, Function, minimise
from margin.search import Categories


def fit_noisy_or(
    frame: Any, node: Any, parents: Any, *, sample_weight: Any = None, tol: float = 1e-7
) -> NoisyOr:
    r"""Noisy-or of largest likelihood, by gradient in the exponents.

    With :math:`q = e^{-(t_0 + \sum_i t_i u_i)}` the probability that the effect is absent, the log
    likelihood :math:`\sum_n \log q_n` or :math:`\log(1 - q_n)` is concave in the exponents
    :math:`t \ge 0`, which stay positive as squares.

    Parameters
    ----------
    frame : frame or array
        All columns used must have two states; the second of the sorted ones is "present". Rows with
        unknown values among them are left out.
    node : column
        The effect.
    parents : list of columns
        The causes.

    Examples
    --------
    >>> rows = [[0, 0]] * 9 + [[0, 1]] * 1 + [[1, 0]] * 5 + [[1, 1]] * 5
    >>> cpd = fit_noisy_or(rows, 1, [0])
    >>> round(cpd.leak, 4), cpd.strengths.round(4)
    (0.1, array([0.4444]))
    """
    data, weight = _rows("fit_noisy_or", frame, node, parents, sample_weight)
    if any(len(s) != 2 for s in data.states):
        raise check.fail("fit_noisy_or", "columns", "of two states", data.states)
    y = data.codes[0] == 1
    U = np.column_stack([np.ones(len(y)), data.codes[1:].T]).astype(float)

    def objective(roots: Floats) -> tuple[float, Floats]:
        exponent = np.maximum(U @ roots**2, 1e-12)
        gone = -np.expm1(-exponent)
        value = float(weight @ np.where(y, -np.log(gone), exponent))
        slope = np.where(y, -np.exp(-exponent) / gone, 1.0) * weight
        return value, 2 * roots * (U.T @ slope)

    solution = minimise(Function(objective, U.shape[1]), LBFGS(tol, 2000), np.full(U.shape[1], 0.5))
    _trust("fit_noisy_or", solution)
    present = -np.expm1(-(solution.x**2))
    return NoisyOr(present[1:], leak=float(present[0]), parents=tuple(parents))


def fit_logistic(
    frame: Any,
    node: Any,
    parents: Any,
    *,
    alpha: float = 1e-6,
    sample_weight: Any = None,
    tol: float = 1e-7,
) -> LogisticCPD | SoftmaxCPD:
    r"""Logistic or softmax table of largest likelihood with a small quadratic penalty.

    A node of two states gets one weight per parent, whose states enter by their codes; a node of
    more states a softmax with one weight per state of each parent. ``alpha`` is the strength of
    :math:`\tfrac\alpha2 \|w\|^2` per row, which keeps separable data finite. Parameters as in
    :func:`fit_noisy_or`.

    Examples
    --------
    >>> rows = [[0, 0]] * 3 + [[0, 1]] * 1 + [[1, 0]] * 1 + [[1, 1]] * 3
    >>> cpd = fit_logistic(rows, 1, [0])
    >>> cpd.coef.round(3), round(cpd.intercept, 3)
    (array([2.197]), -1.099)
    """
    data, weight = _rows("fit_logistic", frame, node, parents, sample_weight)
    k = len(data.states[0])
    y = data.codes[0].astype(np.int64)
    if k == 2:
        U = np.column_stack([data.codes[1:].T, np.ones(len(y))]).astype(float)
        x = _minimise_logistic(U, y, weight, alpha, tol)
        return LogisticCPD(x[:-1], intercept=float(x[-1]), parents=tuple(parents))
    U = np.hstack(
        [
            np.eye(len(states))[code]
            for code, states in zip(data.codes[1:], data.states[1:], strict=True)
        ]
        + [np.ones((len(y), 1))]
    )
    width = U.shape[1]

    def objective(flat: Floats) -> tuple[float, Floats]:
        W = flat.reshape(k, width)
        score = U @ W.T
        log_p = score - logsumexp(score, axis=1, keepdims=True)
        rows = np.arange(len(y))
        value = -float(weight @ log_p[rows, y]) + 0.5 * alpha * float(flat @ flat)
        slope = np.exp(log_p)
        slope[rows, y] -= 1.0
        return value, ((slope * weight[:, None]).T @ U).ravel() + alpha * flat

    solution = minimise(Function(objective, k * width), LBFGS(tol, 2000))
    _trust("fit_logistic", solution)
    W = solution.x.reshape(k, width)
    return SoftmaxCPD(W[:, :-1], intercept=W[:, -1], parents=tuple(parents))


def _minimise_logistic(U: Floats, y: Any, weight: Floats, alpha: float, tol: float) -> Floats:
    sign = np.where(y == 1, 1.0, -1.0)

    def objective(w: Floats) -> tuple[float, Floats]:
        margin = sign * (U @ w)
        value = float(weight @ np.logaddexp(0.0, -margin)) + 0.5 * alpha * float(w @ w)
        return value, -U.T @ (weight * sign * expit(-margin)) + alpha * w

    solution = minimise(Function(objective, U.shape[1]), LBFGS(tol, 2000))
    _trust("fit_logistic", solution)
    weights: Floats = solution.x
    return weights


def _rows(
    owner: str, frame: Any, node: Any, parents: Any, sample_weight: Any
) -> tuple[Categories, Floats]:
    """The node's and its parents' columns of the rows that know them, weights summing to one."""
    table = Categories.of(owner, frame, sample_weight=sample_weight)
    wanted = [node, *parents]
    unknown = [name for name in wanted if name not in table.names]
    if unknown or len(set(wanted)) < len(wanted):
        raise check.fail(owner, "node and parents", "different columns", unknown or wanted)
    used = [table.names.index(name) for name in wanted]
    codes = table.codes[used]
    known = (codes < table.cards[used][:, None]).all(axis=0)
    if not known.any():
        raise check.fail(owner, "frame", "known somewhere in all columns used", "no row")
    weight = (np.ones(table.n_rows) if table.weight is None else table.weight)[known]
    data = replace(
        table,
        codes=np.ascontiguousarray(codes[:, known]),
        names=tuple(wanted),
        states=tuple(table.states[i] for i in used),
        weight=None,
    )
    return data, weight / weight.sum()


def _trust(owner: str, solution: Solution) -> None:
    """Refuse an answer that is not one."""
    if solution.certificate is None or not solution.certificate.value < 1e-3:
        raise check.fail(owner, "frame", "rows on which the search converges", solution.message)
