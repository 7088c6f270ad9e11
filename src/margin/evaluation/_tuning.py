"""Choosing hyper-parameters from a card's search space, by a small grid and inner folds."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import KFold, StratifiedKFold

from margin.core import Card
from margin.evaluation._metric import Metric
from margin.evaluation._split import holdout

LIMIT = 9
INNER_FOLDS = 3
MAX_ROWS = 5000
_POINTS = {1: 6, 2: 3}


def candidates(card: Card | None, *, limit: int = LIMIT, seed: int = 0) -> list[dict[str, Any]]:
    """Settings worth trying, the default (nothing set) first.

    The full grid of ``card.search_space`` with few points per interval, or ``limit`` of its
    points drawn without replacement when there are more.

    Parameters
    ----------
    card : Card or None
        Metadata of the estimator; ``None`` or an empty search space leaves the default alone.
    limit : int
        Most settings besides the default; 0 switches the search off.
    seed : int
        Same seed, same draw.

    Examples
    --------
    >>> candidates(Card(tasks=("regression",), search_space={"alpha": [0.1, 1.0]}))
    [{}, {'alpha': 0.1}, {'alpha': 1.0}]
    """
    if card is None or not card.search_space or limit < 1:
        return [{}]
    values = card.grid(_POINTS.get(len(card.search_space), 2))
    for name, space in card.search_space.items():
        if not isinstance(space, list) and all(isinstance(end, int) for end in space[:2]):
            values[name] = sorted({round(v) for v in values[name]})
    shape = tuple(len(v) for v in values.values())
    total = math.prod(shape)
    points = np.arange(total)
    if total > limit:
        points = np.sort(np.random.default_rng(seed).choice(total, limit, replace=False))
    grid = zip(*np.unravel_index(points, shape), strict=True)
    return [{}] + [
        {name: choices[i] for (name, choices), i in zip(values.items(), index, strict=True)}
        for index in grid
    ]


def inner_folds(
    y: NDArray[Any], *, stratify: bool, seed: int
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Training and validation rows of the inner search, over at most ``MAX_ROWS`` rows."""
    rows = np.arange(len(y))
    if len(y) > MAX_ROWS:
        rows = holdout(y, test_size=MAX_ROWS / len(y), stratify=stratify, seed=seed).test
    n_splits = min(INNER_FOLDS, len(rows) - 1)
    splitter = KFold(n_splits, shuffle=True, random_state=seed)
    if stratify and np.unique(y[rows], return_counts=True)[1].max() >= n_splits:
        splitter = StratifiedKFold(n_splits, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")
        return [(rows[a], rows[b]) for a, b in splitter.split(rows, y[rows])]


def tune(
    estimator: BaseEstimator,
    preprocessor: ColumnTransformer,
    X: Any,
    y: NDArray[Any],
    settings: list[dict[str, Any]],
    *,
    metric: Metric,
    stratify: bool,
    seed: int,
) -> dict[str, Any]:
    """Setting with the best mean inner score; of equals, the first.

    The preprocessing is fitted once per inner fold, on its training rows only, and shared by all
    settings. A setting that fails in a fold is out; if all fail, the error of the first is raised.

    Parameters
    ----------
    estimator : estimator
        Unfitted model.
    preprocessor : ColumnTransformer
        Unfitted preprocessing of the raw table.
    X, y : DataFrame, ndarray
        Rows to choose on.
    settings : list of dict
        From :func:`candidates`.
    metric : Metric
        Higher is better.
    stratify : bool
        Whether ``y`` holds classes.
    seed : int
        Seed of the inner folds.
    """
    if len(settings) == 1:
        return settings[0]
    totals = np.zeros(len(settings))
    first_error: Exception | None = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for train, validate in inner_folds(y, stratify=stratify, seed=seed):
            columns = clone(preprocessor)
            Z_train = columns.fit_transform(X.iloc[train], y[train])
            Z_validate = columns.transform(X.iloc[validate])
            for i, setting in enumerate(settings):
                if totals[i] == -np.inf:
                    continue
                try:
                    model = clone(estimator).set_params(**setting).fit(Z_train, y[train])
                    score = metric(y[validate], model.predict(Z_validate))
                    totals[i] += score if np.isfinite(score) else -np.inf
                except Exception as error:
                    first_error = first_error or error
                    totals[i] = -np.inf
    if first_error is not None and np.isneginf(totals).all():
        raise first_error
    return settings[int(np.argmax(totals))]
