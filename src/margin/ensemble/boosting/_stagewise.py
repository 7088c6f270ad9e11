"""Forward stage-wise additive modelling: any loss, any base model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.types import Floats
from margin.ensemble.boosting._leaf_values import best_constants
from margin.losses import Loss


@dataclass(frozen=True)
class AdditiveModel:
    r"""A sum :math:`f(x) = c + \sum_m \beta_m h_m(x)` of models.

    Parameters
    ----------
    start : float
        The constant :math:`c`.
    coefficients : array of shape (n_stages,)
        The :math:`\beta_m`.
    models : tuple
        The :math:`h_m`, fitted; a classifier answers -1 and 1.
    solution : Solution
        How the loss fell.
    """

    start: float
    coefficients: Floats
    models: tuple[Any, ...]
    solution: Solution

    def decision_function(self, X: Any) -> Floats:
        """The sum for every row."""
        total = np.full(len(X), self.start)
        for beta, model in zip(self.coefficients, self.models, strict=True):
            total += beta * np.asarray(model.predict(X), dtype=np.float64)
        return total


def forward_stagewise(
    X: Any,
    y: Any,
    *,
    loss: Loss,
    base: Any,
    n_stages: int = 50,
    learning_rate: float = 1.0,
    start: float | None = None,
    sample_weight: Any = None,
) -> AdditiveModel:
    r"""Add one model at a time, each the best at hand, and never touch the earlier ones (tree.14).

    .. math:: (\beta_m, h_m) =
        \arg\min_{\beta, h} \sum_i w_i \, \ell(f_{m-1}(x_i) + \beta h(x_i), y_i)

    The model is fitted to the slopes :math:`g_i = \partial \ell / \partial f_i`: a regressor to
    :math:`-g`, a classifier to the signs of :math:`-g` with weights :math:`|g|`; then a line search
    finds :math:`\beta` (tree.15). With the exponential loss and a classifier this is AdaBoost.

    Parameters
    ----------
    X, y : array-like
        Rows and targets in the coding of the loss.
    loss : Loss
        Convex loss of one score.
    base : estimator
        Regressor, or classifier that takes weights.
    n_stages : int
        Models to add; fewer where none lowers the loss any more.
    learning_rate : float
        Factor on every coefficient.
    start : float, optional
        Constant to start from; the best one by default.
    sample_weight : array-like, optional
        Weights of the rows.

    Returns
    -------
    AdditiveModel

    Examples
    --------
    >>> import numpy as np
    >>> from margin.losses import Exponential
    >>> from margin.tree import DecisionTreeClassifier
    >>> X, y = np.arange(6.0).reshape(-1, 1), np.array([1, 1, -1, -1, 1, 1])
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> model = forward_stagewise(X, y, loss=Exponential(), base=stump, n_stages=3, start=0.0)
    >>> np.sign(model.decision_function(X)).astype(int)
    array([ 1,  1, -1, -1,  1,  1])
    """
    owner = "forward_stagewise"
    if not isinstance(n_stages, int | np.integer) or n_stages < 1:
        raise check.fail(owner, "n_stages", "an integer of at least 1", n_stages)
    if not learning_rate > 0:
        raise check.fail(owner, "learning_rate", "a number above 0", learning_rate)
    if not loss.convex or loss.form == "classes" or loss.piecewise_constant:
        raise check.fail(owner, "loss", "a convex loss of one score", loss)
    X = np.asarray(X)
    target = np.asarray(loss.targets(y), dtype=np.float64)
    weight = check.weights(owner, sample_weight, len(target))
    if start is None:
        rows, ends = np.arange(len(target)), np.array([0, len(target)])
        zero = np.zeros(len(target))
        start = float(best_constants(loss, target, zero, weight, rows, ends)[0])
    stop = Stop("stages to go", 0.0, int(n_stages), unit="stage", keep="last")
    states = _stages(X, target, weight, loss, base, int(n_stages), learning_rate, start)
    solution = iterate(states, stop, solver="forward stage-wise")
    coefficients, models = solution.x
    return AdditiveModel(start, np.array(coefficients), tuple(models), solution)


def _stages(
    X: Any,
    y: Floats,
    weight: Floats | None,
    loss: Loss,
    base: Any,
    n_stages: int,
    rate: float,
    start: float,
) -> Iterator[Iterate]:
    w = np.ones(len(y)) if weight is None else weight
    f = np.full(len(y), start)
    coefficients: tuple[float, ...] = ()
    models: tuple[Any, ...] = ()
    value = float(w @ loss.value(f, y)) / w.sum()
    yield Iterate((coefficients, models), value, float(n_stages), 0)
    for stage in range(1, n_stages + 1):
        g = loss.slope(f, y)
        if not (w * g).any():
            yield Iterate((coefficients, models), value, 0.0, stage)
            return
        model, answer = _fitted(clone(base), X, -g, w, weight is not None)
        beta = rate * _line_search(loss, y, f, answer, w)
        f = f + beta * answer
        value = float(w @ loss.value(f, y)) / w.sum()
        coefficients, models = (*coefficients, beta), (*models, model)
        done = beta == 0.0
        yield Iterate(
            (coefficients, models), value, 0.0 if done else float(n_stages - stage), stage
        )


def _fitted(model: Any, X: Any, down: Floats, w: Floats, weighted: bool) -> tuple[Any, Floats]:
    if is_classifier(model):
        side = np.where(down >= 0, 1, -1)
        if len(np.unique(side)) == 2:
            model.fit(X, side, sample_weight=w * np.abs(down))
            return model, np.asarray(model.predict(X), dtype=np.float64)
        raise ValueError("forward_stagewise: all slopes have one sign, so a classifier has no task")
    model.fit(X, down, **({"sample_weight": w} if weighted else {}))
    return model, np.asarray(model.predict(X), dtype=np.float64)


def _line_search(loss: Loss, y: Floats, f: Floats, answer: Floats, w: Floats) -> float:
    """The coefficient at which the slope along the answers vanishes; slopes rise with it."""

    def slope(beta: float) -> float:
        return float((w * answer) @ loss.slope(f + beta * answer, y))

    low, high = 0.0, 1.0
    if slope(0.0) >= 0.0:
        return 0.0
    while slope(high) < 0.0 and high < 1e6:
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if slope(middle) > 0.0 else (middle, high)
        if high - low <= 1e-15 * max(1.0, high):
            break
    return 0.5 * (low + high)
