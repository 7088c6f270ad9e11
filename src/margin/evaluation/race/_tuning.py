"""Choosing hyper-parameters from a card's search space, by a small grid and inner folds."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from margin.core import Card
from margin.evaluation.table._metric import Metric
from margin.evaluation.table._training import Part

LIMIT = 9
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
    if total > limit:
        points = np.sort(np.random.default_rng(seed).choice(total, limit, replace=False))
    else:
        points = np.arange(total)
    grid = zip(*np.unravel_index(points, shape), strict=True)
    return [{}] + [
        {name: choices[i] for (name, choices), i in zip(values.items(), index, strict=True)}
        for index in grid
    ]


def tune(
    estimator: BaseEstimator,
    parts: Sequence[Part],
    settings: list[dict[str, Any]],
    metric: Metric,
) -> dict[str, Any]:
    """Setting with the best mean score over the inner folds; of equals, the first.

    A setting that fails in a fold is out; if all fail, the error of the first is raised.

    Parameters
    ----------
    estimator : estimator
        Unfitted model.
    parts : sequence of Part
        The inner folds; not looked at when there is nothing to choose.
    settings : list of dict
        From :func:`candidates`.
    metric : Metric
        Higher is better.
    """
    if len(settings) == 1:
        return settings[0]
    totals = np.zeros(len(settings))
    first_error: Exception | None = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for part in parts:
            for i, setting in enumerate(settings):
                if totals[i] == -np.inf:
                    continue
                try:
                    model = clone(estimator).set_params(**setting)
                    model.fit(part.Z_train, part.y_train)
                    score = metric(part.y_test, metric.answers(model, part.Z_test))
                    totals[i] += score if np.isfinite(score) else -np.inf
                except Exception as error:
                    first_error = first_error or error
                    totals[i] = -np.inf
    if first_error is not None and np.isneginf(totals).all():
        raise first_error
    return settings[int(np.argmax(totals))]
