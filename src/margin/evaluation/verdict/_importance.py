"""Which columns the fitted model leans on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core.types import Array
from margin.evaluation.table._metric import Metric
from margin.evaluation.verdict._result import Importance

if TYPE_CHECKING:
    import pandas as pd

_REPEATS = 5
_MAX_ROWS = 2000
_MOST_COLUMNS = 100


def permutation_importance(
    model: Any,
    X: pd.DataFrame,
    y: Array,
    *,
    metric: Metric,
    seed: int,
    repeats: int = _REPEATS,
    deadline: float = np.inf,
) -> tuple[Importance, ...]:
    """Loss of score when one raw column is shuffled, largest first.

    Shuffles the columns of the table as it was read (not the encoded ones), so a date or a text
    counts as one. All repetitions of a column are predicted in one call. Of more than 100 columns
    those most correlated with the prediction are tried.

    Parameters
    ----------
    model : fitted pipeline
        Takes the raw table.
    X, y : DataFrame, ndarray
        Rows the model has not seen; more than 2000 are sampled.
    metric : Metric
        Higher is better.
    seed : int
        Seed of the shuffles.
    repeats : int
        Shuffles per column.
    deadline : float
        Value of :func:`time.perf_counter` after which no further column is tried.
    """
    import pandas as pd

    rng = np.random.default_rng(seed)
    if len(y) > _MAX_ROWS:
        rows = np.sort(rng.choice(len(y), _MAX_ROWS, replace=False))
        X, y = X.iloc[rows], y[rows]
    X = X.reset_index(drop=True)
    predicted = np.asarray(model.predict(X))
    whole = metric(y, metric.answers(model, X))
    stacked = pd.concat([X] * repeats, ignore_index=True)
    importances = []
    for name in _leading(X, predicted, _MOST_COLUMNS):
        if time.perf_counter() >= deadline:
            break
        orders = np.concatenate([rng.permutation(len(y)) for _ in range(repeats)])
        shuffled = stacked.copy(deep=False)
        shuffled[name] = X[name].iloc[orders].reset_index(drop=True)
        guesses = metric.answers(model, shuffled)
        guesses = guesses.reshape(repeats, len(y), *guesses.shape[1:])
        losses = [whole - metric(y, guess) for guess in guesses]
        importances.append(Importance(str(name), float(np.mean(losses)), float(np.std(losses))))
    return tuple(sorted(importances, key=lambda item: -item.mean))


def _leading(X: pd.DataFrame, predicted: Array, most: int) -> list[str]:
    """All columns if few, else the numeric ones that go along most with the prediction."""
    if X.shape[1] <= most:
        return list(X.columns)
    values = X.select_dtypes("number").fillna(0.0)
    centred = values.to_numpy(dtype=float) - values.to_numpy(dtype=float).mean(axis=0)
    target = predicted[:, None] == np.unique(predicted)
    if predicted.dtype.kind == "f":
        target = predicted[:, None] - predicted.mean()
    length = np.linalg.norm(centred, axis=0)
    strength = np.linalg.norm(target.T @ centred, axis=0) / np.where(length > 0, length, 1.0)
    numeric = set(values.columns)
    rest = [name for name in X.columns if name not in numeric]
    ranked = values.columns[np.argsort(-strength, kind="stable")]
    return [*rest, *ranked][:most]
