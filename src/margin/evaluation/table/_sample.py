"""How many rows a time budget can take."""

from __future__ import annotations

import math
import time
import warnings
from typing import Any

from sklearn.base import clone
from sklearn.compose import ColumnTransformer

from margin.core.types import Array, Places
from margin.evaluation.table._split import holdout

# Below these a table is never cut; the probe fits preprocessing on these many rows.
FEWEST_ROWS = 5000
_PROBES = (1000, 5000)
# Passes of the preprocessing over all rows: folds, refit, learning curve.
_PASSES = 25
_SHARE = 0.5


def affordable_rows(preprocessor: ColumnTransformer, X: Any, y: Array, *, seconds: float) -> int:
    """Rows whose preprocessing alone would take about half of ``seconds``.

    The cost of a row is measured on two small parts of the table. The answer is all rows, or a
    power of two, so that it does not change with every whim of the clock; never below 5000.

    Parameters
    ----------
    preprocessor : ColumnTransformer
        Unfitted.
    X, y : DataFrame, ndarray
        All training rows.
    seconds : float
        Time for everything.
    """
    if len(y) <= FEWEST_ROWS or not math.isfinite(seconds):
        return len(y)
    few, many = (_seconds(preprocessor, X.iloc[:n], y[:n]) for n in _PROBES)
    per_row = max(many - few, 0.1 * many) / (_PROBES[1] - _PROBES[0])
    most = max(_SHARE * seconds / (_PASSES * per_row), FEWEST_ROWS)
    return len(y) if most >= len(y) else max(FEWEST_ROWS, 2 ** int(math.log2(most)))


def _seconds(preprocessor: ColumnTransformer, X: Any, y: Array) -> float:
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clone(preprocessor).fit_transform(X, y)
    return time.perf_counter() - started


def sample(rows: Places, y: Array, size: int, *, stratify: bool, seed: int) -> Places:
    """At most ``size`` of the rows, at random, the classes in proportion.

    Examples
    --------
    >>> import numpy as np
    >>> len(sample(np.arange(100), np.zeros(100), 40, stratify=False, seed=0))
    40
    """
    if size >= len(rows):
        return rows
    part = holdout(y[rows], test_size=size / len(rows), stratify=stratify, seed=seed)
    return rows[part.test]
