"""Which columns the fitted model leans on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from margin.evaluation._metric import Metric
from margin.evaluation._result import Importance

if TYPE_CHECKING:
    import pandas as pd

_REPEATS = 5
_MAX_ROWS = 2000


def permutation_importance(
    model: Any,
    X: pd.DataFrame,
    y: NDArray[Any],
    *,
    metric: Metric,
    seed: int,
    repeats: int = _REPEATS,
    deadline: float = np.inf,
) -> tuple[Importance, ...]:
    """Loss of score when one raw column is shuffled, largest first.

    Shuffles the columns of the table as it was read (not the encoded ones), so a date or a text
    counts as one. All repetitions of a column are predicted in one call.

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
    whole = metric(y, model.predict(X))
    stacked = pd.concat([X] * repeats, ignore_index=True)
    found = []
    for name in X.columns:
        if time.perf_counter() >= deadline:
            break
        orders = np.concatenate([rng.permutation(len(y)) for _ in range(repeats)])
        shuffled = stacked.copy(deep=False)
        shuffled[name] = X[name].iloc[orders].reset_index(drop=True)
        predicted = np.asarray(model.predict(shuffled)).reshape(repeats, len(y))
        losses = [whole - metric(y, row) for row in predicted]
        found.append(Importance(str(name), float(np.mean(losses)), float(np.std(losses))))
    return tuple(sorted(found, key=lambda item: -item.mean))
