"""Forward stage-wise additive modelling: any loss, any base model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import check_array

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.types import Floats
from margin.ensemble.boosting._leaf_values import best_constants
from margin.losses import Loss

_DOUBLINGS = 100
_FLAT = 1e-9  # share of the slope at zero that counts as none


@dataclass(frozen=True)
class AdditiveModel:
    r"""A sum :math:`f(x) = c + \sum_m \beta_m h_m(x)` of models.

    Parameters
    ----------
    start : float or array of shape (n_classes,)
        The constant :math:`c`.
    coefficients : array of shape (n_stages,)
        The :math:`\beta_m`.
    models : tuple
        The :math:`h_m`, fitted; a classifier answers -1 and 1.
    solution : Solution
        How the loss fell.
    """

    start: float | Floats
    coefficients: Floats
    models: tuple[Any, ...]
    solution: Solution

    def decision_function(self, X: Any) -> Floats:
        """The sum for every row; a column per class where the loss has several scores."""
        rows = X if issparse(X) else np.asarray(X)
        total = np.repeat(np.asarray(self.start)[None], rows.shape[0], axis=0).astype(float)
        for beta, model in zip(self.coefficients, self.models, strict=True):
            total += beta * np.asarray(model.predict(rows), dtype=np.float64)
        return total


def forward_stagewise(
    X: Any,
    y: Any,
    *,
    loss: Loss,
    base: Any,
    n_stages: int = 50,
    learning_rate: float = 1.0,
    start: Any = None,
    sample_weight: Any = None,
) -> AdditiveModel:
    r"""Add one model at a time, each the best at hand, and never touch the earlier ones (tree.14).

    .. math:: (\beta_m, h_m) =
        \arg\min_{\beta, h} \sum_i w_i \, \ell(f_{m-1}(x_i) + \beta h(x_i), y_i)

    The model is fitted to the slopes :math:`g_i = \partial \ell / \partial f_i`: a regressor to
    :math:`-g`, a classifier to the signs of :math:`-g` with weights :math:`|g|`; then a line search
    finds :math:`\beta` (tree.15). With the exponential loss and a classifier this is AdaBoost. A
    loss of several scores, like the softmax, has a slope per class, which one regressor of several
    outputs is fitted to.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Rows, as the base takes them.
    y : array-like of shape (n_samples,)
        Targets in the coding of the loss; classes are 0, 1, …
    loss : Loss
        Of one score or several. One that is not convex is lowered to a stationary point, from a
        good constant.
    base : estimator
        Regressor, or classifier that takes weights.
    n_stages : int
        Models to add; fewer where none lowers the loss any more.
    learning_rate : float
        Factor on every coefficient.
    start : float or array, optional
        Constant to start from; the best one by default (for classes, the logarithms of their
        shares).
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
    if loss.piecewise_constant:
        raise check.fail(owner, "loss", "a loss that has slopes", loss)
    several = loss.form == "classes"
    if several and is_classifier(base):
        need = "a regressor where the loss has several scores"
        raise check.fail(owner, "base", need, type(base).__name__)
    rows = X if issparse(X) else np.asarray(X)
    target = _targets(owner, loss, y, rows.shape[0])
    weight = check.weights(owner, sample_weight, len(target))
    begin = _start(loss, target, weight) if start is None else np.asarray(start, dtype=np.float64)
    f = np.repeat(begin[None], len(target), axis=0)
    stop = Stop("stages to go", 0.0, int(n_stages), unit="stage", keep="last")
    states = _stages(rows, target, weight, loss, base, int(n_stages), learning_rate, f)
    solution = iterate(states, stop, solver="forward stage-wise")
    coefficients, models = solution.x
    constant = begin if several else float(begin)
    return AdditiveModel(constant, np.array(coefficients), tuple(models), solution)


def _targets(owner: str, loss: Loss, y: Any, n_rows: int) -> NDArray[Any]:
    """Finite targets, one per row, in the coding of the loss."""
    numbers = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y", estimator=owner)
    if numbers.shape != (n_rows,):
        raise check.fail(owner, "y", f"{n_rows} targets, one per row of X", numbers.shape)
    if loss.form != "classes":
        return np.asarray(loss.targets(numbers), dtype=np.float64)
    codes = loss.targets(numbers.astype(np.int64))
    if (codes != numbers).any() or codes.min() < 0 or codes.max() < 1:
        raise check.fail(owner, "y", "classes 0, 1, …, at least two", float(numbers.min()))
    return codes


def _start(loss: Loss, target: NDArray[Any], weight: Floats | None) -> Floats:
    if loss.form == "classes":
        share = np.bincount(target, weight)
        scores = np.log(np.maximum(share / share.sum(), 1e-12))
        return np.asarray(scores - scores.mean())
    rows, ends = np.arange(len(target)), np.array([0, len(target)])
    return np.asarray(best_constants(loss, target, np.zeros(len(target)), weight, rows, ends)[0])


def _stages(
    X: Any,
    y: NDArray[Any],
    weight: Floats | None,
    loss: Loss,
    base: Any,
    n_stages: int,
    rate: float,
    f: Floats,
) -> Iterator[Iterate]:
    w = np.ones(len(y)) if weight is None else weight
    column = w if f.ndim == 1 else w[:, None]
    coefficients: tuple[float, ...] = ()
    models: tuple[Any, ...] = ()
    value = float(w @ loss.value(f, y)) / w.sum()
    yield Iterate((coefficients, models), value, float(n_stages), 0)
    for stage in range(1, n_stages + 1):
        g = loss.slope(f, y)
        if not (column * g).any():
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


def _line_search(loss: Loss, y: NDArray[Any], f: Floats, answer: Floats, w: Floats) -> float:
    """The coefficient at which the slope along the answers vanishes; slopes rise with it.

    Of a loss that is not convex, the best of many, improved to the next stationary point.
    """
    column = w if f.ndim == 1 else w[:, None]

    def slope(beta: float) -> float:
        return float(np.sum(column * answer * loss.slope(f + beta * answer, y)))

    first = slope(0.0)
    if not first < 0.0:
        return 0.0
    if not loss.convex:
        return _best_of_many(lambda beta: float(w @ loss.value(f + beta * answer, y)))
    low, high = 0.0, 1.0
    for _ in range(_DOUBLINGS):
        if slope(high) >= _FLAT * first:
            break
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if slope(middle) > 0.0 else (middle, high)
        if high - low <= 1e-15 * high:
            break
    return 0.5 * (low + high)


def _best_of_many(total: Callable[[float], float]) -> float:
    tried = np.concatenate([[0.0], 2.0 ** np.arange(-12, 13)])
    totals = [total(beta) for beta in tried]
    best = int(np.argmin(totals))
    if best == 0:
        return 0.0
    edges = tried[best - 1], tried[min(best + 1, len(tried) - 1)]
    search = minimize_scalar(total, bounds=edges, method="bounded")
    return float(search.x if search.fun < totals[best] else tried[best])
