"""Would more rows help?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from margin.evaluation import _fold
from margin.evaluation._fold import Arena
from margin.evaluation._paired import corrected_se
from margin.evaluation._result import LearningCurve

_SHARES = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
_FEWEST_ROWS = 10
_FEWEST_FOLDS = 2
# A gain smaller than this is not worth collecting rows for, however certain.
_WORTHWHILE = 0.005


def nested_order(
    y: NDArray[Any], *, stratify: bool, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Random order of the rows in which every beginning holds the classes in proportion.

    Examples
    --------
    >>> y = np.repeat([0, 1], [8, 4])
    >>> order = nested_order(y, stratify=True, rng=np.random.default_rng(0))
    >>> np.bincount(y[order[:6]]).tolist()
    [4, 2]
    """
    if not stratify:
        return rng.permutation(len(y))
    place = np.empty(len(y))
    for label in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == label))
        place[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
    return np.argsort(place, kind="stable")


def learning_curve(
    pipeline: Any,
    arena: Arena,
    *,
    shares: Sequence[float] = _SHARES,
    deadline: float = np.inf,
) -> LearningCurve | None:
    """Training and held-out score against the number of training rows (evaluation.08).

    On each fold the pipeline is fitted on growing, nested parts of the fold's training rows and
    scored on that part and on the fold's held-out rows.

    Parameters
    ----------
    pipeline : Pipeline
        Unfitted, hyper-parameters set.
    arena : Arena
        Training rows and folds; the folds of one repetition are enough.
    shares : sequence of float
        Parts of the training rows, growing, the last being 1.
    deadline : float
        Value of :func:`time.perf_counter` after which no further fold is started.

    Returns
    -------
    LearningCurve or None
        ``None`` when fewer than two folds could be finished.
    """
    n_train = min(len(train) for train, _ in arena.folds)
    sizes = sorted({max(min(_FEWEST_ROWS, n_train), round(share * n_train)) for share in shares})
    rows = []
    for number, (train, test) in enumerate(arena.folds):
        if rows and time.perf_counter() >= deadline:
            break
        rng = np.random.default_rng([arena.seed, number])
        order = train[nested_order(arena.y[train], stratify=arena.stratify, rng=rng)]
        rows.append([_scores(pipeline, arena, order[:size], test) for size in sizes])
    scores = np.array(rows)
    usable = np.isfinite(scores).all(axis=(0, 2))
    if len(rows) < _FEWEST_FOLDS or usable.sum() < 2:
        return None
    scores = scores[:, usable]
    kept = tuple(int(size) for size, good in zip(sizes, usable, strict=True) if good)
    n_test = len(arena.folds[0][1])
    mean = scores.mean(axis=0)
    se = np.array(
        [[corrected_se(s, n_train=n_train, n_test=n_test) for s in fold.T] for fold in
         np.moveaxis(scores, 1, 0)]
    )
    return LearningCurve(
        sizes=kept,
        train_mean=tuple(mean[:, 0].tolist()),
        train_se=tuple(se[:, 0].tolist()),
        test_mean=tuple(mean[:, 1].tolist()),
        test_se=tuple(se[:, 1].tolist()),
        verdict=curve_verdict(kept, scores[:, :, 1], n_test=n_test),
    )


def _scores(pipeline: Any, arena: Arena, train: Any, test: Any) -> tuple[float, float]:
    model = clone(pipeline)
    try:
        _fold.fit(model, arena.X.iloc[train], arena.y[train])
        return tuple(
            arena.metric(arena.y[rows], model.predict(arena.X.iloc[rows])) for rows in (train, test)
        )
    except Exception:  # a small part may lack a class or rows: that size is left out
        return float("nan"), float("nan")


def curve_verdict(sizes: Sequence[int], scores: NDArray[np.float64], *, n_test: int) -> str:
    """Whether the score still rises with the rows, in words.

    Compares, fold by fold, the full training size with the largest one of at most half of it; a
    rise of more than two corrected standard errors (and of more than 0.005) is taken as real.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of training rows, growing.
    scores : ndarray of shape (n_folds, n_sizes)
        Held-out scores.
    n_test : int
        Held-out rows of a fold.

    Examples
    --------
    >>> curve_verdict([50, 100], np.array([[0.8, 0.9], [0.81, 0.9], [0.79, 0.9]]), n_test=25)
    'more rows would probably help: from 50 to 100 rows the score rose by 0.100 ± 0.008'
    """
    half = max((i for i, size in enumerate(sizes) if size <= sizes[-1] / 2), default=0)
    gains = scores[:, -1] - scores[:, half]
    gain = float(gains.mean())
    se = corrected_se(gains, n_train=sizes[-1], n_test=n_test)
    change = (
        f"from {sizes[half]} to {sizes[-1]} rows the score "
        f"{'rose' if gain >= 0 else 'fell'} by {abs(gain):.3f} ± {se:.3f}"
    )
    if gain > max(2 * se, _WORTHWHILE):
        return f"more rows would probably help: {change}"
    if se > 4 * _WORTHWHILE:
        return f"too noisy to say whether more rows would help: {change}"
    return f"flattened, more rows would hardly help: {change}"
