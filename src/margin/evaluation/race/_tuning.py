"""Choosing hyper-parameters from a card's search space: a small grid, halved on growing rows."""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from margin.core import Card
from margin.evaluation.race._limit import OverTimeError, time_limit
from margin.evaluation.table._metric import Metric
from margin.evaluation.table._training import Part

INNER_FOLDS = 3
LIMIT = 9
_FEW_ROWS = 400
_FEW_SETTINGS = 4
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


def rungs(n_settings: int, n_rows: int) -> list[tuple[int, int]]:
    """Settings that are left and rows they are tried on, inner fold by inner fold.

    Each inner fold keeps the better half, and looks at twice the rows, the last at all of them;
    four settings are not halved, a few hundred rows not divided.

    Examples
    --------
    >>> rungs(10, 3000), rungs(7, 300)
    ([(10, 750), (5, 1500), (4, 3000)], [(7, 300), (4, 300), (4, 300)])
    """
    kept, climbed = n_settings, []
    for step in range(INNER_FOLDS):
        share = 0.5 ** (INNER_FOLDS - 1 - step)
        climbed.append((kept, min(n_rows, max(_FEW_ROWS, int(share * n_rows)))))
        kept = max(min(kept, _FEW_SETTINGS), math.ceil(kept / 2))
    return climbed


def fits_per_fold(n_settings: int, n_rows: int, inner_rows: int, power: float) -> float:
    """Cost of tuning and fitting on one fold, in fits on all ``n_rows`` rows of the fold.

    Examples
    --------
    >>> fits_per_fold(1, 1000, 667, 2), fits_per_fold(10, 1000, 600, 1)
    (1.0, 9.4)
    """
    if n_settings == 1:
        return 1.0
    climbed = rungs(n_settings, inner_rows)
    return 1.0 + float(sum(kept * (rows / n_rows) ** power for kept, rows in climbed))


def tune(
    estimator: BaseEstimator,
    parts: Sequence[Part],
    settings: list[dict[str, Any]],
    metric: Metric,
    *,
    seconds: float = math.inf,
) -> dict[str, Any]:
    """Setting with the best mean score over the inner folds; of equals, the first.

    The first inner fold tries all settings on few rows; the better half of them goes on to the
    next, on more rows (:func:`rungs`). A setting that fails in a fold is out; if all fail, the
    error of the first is raised.

    Parameters
    ----------
    estimator : estimator
        Unfitted model.
    parts : sequence of Part
        The inner folds, rows in an order of which every beginning is a fair sample; not looked at
        when there is nothing to choose.
    settings : list of dict
        From :func:`candidates`.
    metric : Metric
        Higher is better.
    seconds : float
        After these the best setting so far is taken.
    """
    if len(settings) == 1:
        return settings[0]
    search = _Search(len(settings))
    with contextlib.suppress(OverTimeError), time_limit(seconds), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        climbed = rungs(len(settings), len(parts[0].y_train)) if parts else []
        for part, (kept, rows) in zip(parts, climbed, strict=False):
            for i in search.leaders(kept):
                try:
                    model = clone(estimator).set_params(**settings[i])
                    model.fit(part.Z_train[:rows], part.y_train[:rows])
                    search.add(i, metric(part.y_test, metric.answers(model, part.Z_test)))
                except Exception as error:
                    search.drop(i, error)
    return settings[search.best()]


class _Search:
    """Total scores of the settings tried so far."""

    def __init__(self, n_settings: int) -> None:
        self._totals = np.zeros(n_settings)
        self._tried = np.zeros(n_settings, dtype=int)
        self._first_error: Exception | None = None

    def leaders(self, kept: int) -> list[int]:
        """The best settings that did not fail, in their order."""
        standing = np.flatnonzero(~np.isneginf(self._totals))
        best = standing[np.argsort(-self._totals[standing], kind="stable")][:kept]
        return [int(i) for i in np.sort(best)]

    def add(self, i: int, score: float) -> None:
        """Count a score; one that is no number ends the setting."""
        self._totals[i] += score if np.isfinite(score) else -np.inf
        self._tried[i] += 1

    def drop(self, i: int, error: Exception) -> None:
        """Count a failure."""
        self._first_error = self._first_error or error
        self._totals[i] = -np.inf

    def best(self) -> int:
        """The setting that leads those tried most; the first where none was tried to an end."""
        if self._first_error is not None and np.isneginf(self._totals).all():
            raise self._first_error
        alive = ~np.isneginf(self._totals)
        furthest = alive & (self._tried == self._tried[alive].max(initial=0))
        return int(np.argmax(np.where(furthest, self._totals, -np.inf)))
