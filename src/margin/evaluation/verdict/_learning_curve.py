"""Would more rows help?"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline

from margin.core.types import Array, Floats
from margin.evaluation.race._prepared import nested_order
from margin.evaluation.table._folds import Folds, make_folds
from margin.evaluation.table._metric import Metric, choose_metric
from margin.evaluation.table._shown import shown
from margin.evaluation.verdict._paired import PairedTest, corrected_paired_test, corrected_se
from margin.evaluation.verdict._result import LearningCurve

_SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)
_FEWEST_ROWS = 10
_FEWEST_FOLDS = 2
# A gain is worth collecting rows for if it removes this share of the error.
_WORTHWHILE = 0.1
_CLEAR = 0.05
# An error that rounds to nothing in three decimals.
_NOTHING = 0.0005


def learning_curve(
    model: Any,
    X: Any,
    y: Array,
    *,
    metric: Metric | None = None,
    folds: Folds | None = None,
    shares: Sequence[float] | None = None,
    seed: int = 0,
    deadline: float = np.inf,
) -> LearningCurve | None:
    """Training and held-out score against the number of training rows (evaluation.08).

    On each fold the model is fitted on growing, nested parts of the fold's training rows and
    scored on that part and on the fold's held-out rows.

    Parameters
    ----------
    model : estimator or pipeline
        Classifier or regressor, hyper-parameters set; copies of it are fitted.
    X, y : DataFrame or array, ndarray
        Rows to learn from.
    metric : Metric, optional
        Higher is better; chosen from ``y`` when absent.
    folds : sequence of (train, test), optional
        Row numbers; five folds when absent.
    shares : sequence of float, optional
        Parts of the training rows, growing, the last being 1.
    seed : int
        Seed of the folds and of the order in which rows are added.
    deadline : float
        Value of :func:`time.perf_counter` after which no further fold is started, nor one that
        would end after it.

    Returns
    -------
    LearningCurve or None
        ``None`` when fewer than two folds could be finished.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> curve = learning_curve(LinearRegression(), X, X.sum(axis=1))
    >>> curve.sizes, round(curve.test_mean[-1], 6)
    ((10, 20, 40, 60, 80), 1.0)
    """
    stratify = is_classifier(model)
    y = np.asarray(y)
    metric = metric or choose_metric("classification" if stratify else "regression", y)
    folds = folds or make_folds(y, stratify=stratify, seed=seed, repeats=1)
    n_train, n_test = len(folds[0][0]), len(folds[0][1])
    largest = min(len(train) for train, _ in folds)
    sizes = sorted({max(min(_FEWEST_ROWS, largest), round(s * largest)) for s in shares or _SHARES})
    table: list[list[tuple[float, float]]] = []
    lasted, began = 0.0, time.perf_counter()
    for number, (train, test) in enumerate(folds):
        if began + lasted >= deadline:
            break
        rng = np.random.default_rng([seed, number])
        order = train[nested_order(y[train], stratify=stratify, rng=rng)]
        table.append([_scores(model, X, y, metric, order[:size], test) for size in sizes])
        lasted, began = time.perf_counter() - began, time.perf_counter()
    if len(table) < _FEWEST_FOLDS:
        return None
    scores = np.array(table)
    usable = np.isfinite(scores).all(axis=(0, 2))
    if usable.sum() < 2:
        return None
    scores = scores[:, usable]
    kept = tuple(int(size) for size, good in zip(sizes, usable, strict=True) if good)
    mean = scores.mean(axis=0)
    se = np.apply_along_axis(corrected_se, 0, scores, n_train=n_train, n_test=n_test)
    return LearningCurve(
        sizes=kept,
        train_mean=tuple(mean[:, 0].tolist()),
        train_se=tuple(se[:, 0].tolist()),
        test_mean=tuple(mean[:, 1].tolist()),
        test_se=tuple(se[:, 1].tolist()),
        verdict=curve_verdict(kept, scores[:, :, 1], n_test=n_test, perfect=metric.perfect),
    )


def _scores(
    model: Any, X: Any, y: Array, metric: Metric, train: Any, test: Any
) -> tuple[float, float]:
    rows = X.iloc if hasattr(X, "iloc") else np.asarray(X)
    copy = clone(model)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Z_train, Z_test, last = _prepared(copy, rows[train], y[train], rows[test])
            last.fit(Z_train, y[train])
        seen = metric(y[train], metric.answers(last, Z_train))
        unseen = metric(y[test], metric.answers(last, Z_test))
    except Exception:  # a small part may lack a class: that size is left out
        return float("nan"), float("nan")
    return seen, unseen


def _prepared(model: Any, X_train: Any, y_train: Any, X_test: Any) -> tuple[Any, Any, Any]:
    """Both tables as the last step of a pipeline sees them, each transformed only once."""
    if not isinstance(model, Pipeline) or len(model) == 1:
        return X_train, X_test, model
    first = model[:-1]
    return first.fit_transform(X_train, y_train), first.transform(X_test), model[-1]


def curve_verdict(
    sizes: Sequence[int], scores: Floats, *, n_test: int, perfect: float = 1.0
) -> str:
    """Whether the score still rises with the rows, in words.

    Compares, fold by fold, the full training size with about half of it. What counts is the share
    of the error (the distance to a perfect score) that the further rows removed: a tenth or more
    is worth having, and is taken as real if it passes the corrected paired test. Nothing can help
    where no error is left.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of training rows, growing.
    scores : ndarray of shape (n_folds, n_sizes)
        Held-out scores.
    n_test : int
        Held-out rows of a fold.
    perfect : float
        The best possible score.

    Examples
    --------
    >>> curve_verdict([50, 100], np.array([[0.8, 0.9], [0.81, 0.9], [0.79, 0.9]]), n_test=25)
    'more rows would probably help: from 50 to 100 rows the score rose by 0.100 ± 0.008'
    >>> curve_verdict([50, 100], np.array([[0.999, 1.0], [0.998, 1.0]]), n_test=25)
    'more rows cannot help: with 100 rows the score is 1.000, as good as perfect'
    """
    half = max((i for i, size in enumerate(sizes) if size <= 0.6 * sizes[-1]), default=0)
    before, after = float(scores[:, half].mean()), float(scores[:, -1].mean())
    if perfect - after < _NOTHING:
        words = f"with {sizes[-1]} rows the score is {shown(after)}, as good as perfect"
        return f"more rows cannot help: {words}"
    test = corrected_paired_test(scores[:, -1], scores[:, half], n_train=sizes[-1], n_test=n_test)
    change = f"from {sizes[half]} to {sizes[-1]} rows the score {_moved(test)}"
    error = max(perfect - before, 1e-300)
    removed = test.difference / error
    if removed >= _WORTHWHILE and (test.p_value < _CLEAR or test.se == 0):
        return f"more rows would probably help: {change}"
    # What two standard errors more would make of it.
    possible = (test.difference + 2 * test.se) / error
    if removed >= _WORTHWHILE and test.difference > test.se:
        return f"more rows may help, the folds do not agree how much: {change}"
    if possible >= 2 * _WORTHWHILE:
        return f"too noisy to say whether more rows would help: {change}"
    return f"flattened, more rows would hardly help: {change}"


def _moved(test: PairedTest) -> str:
    if abs(test.difference) < _NOTHING:
        return f"stayed the same (± {shown(test.se)})"
    moved = "rose" if test.difference >= 0 else "fell"
    return f"{moved} by {shown(abs(test.difference))} ± {shown(test.se)}"
