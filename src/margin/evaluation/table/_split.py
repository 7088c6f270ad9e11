"""Rows to learn from, rows to choose with, rows to judge by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import train_test_split

from margin.core import check
from margin.core.types import Array, Places


class Split(NamedTuple):
    """Row numbers of the parts; disjoint, together all rows."""

    train: Places
    dev: Places
    test: Places

    def errors(
        self, model: Any, X: Any, y: ArrayLike, loss: Callable[[Any, Any], float]
    ) -> dict[str, float]:
        """Mean loss of a fitted model on each part that has rows (evaluation.01).

        Parameters
        ----------
        model : estimator
            Fitted on the training part.
        X, y : array-like
            All rows.
        loss : callable
            ``loss(y_true, y_pred)``, lower is better, such as
            :func:`sklearn.metrics.zero_one_loss`.
        """
        y = np.asarray(y)
        rows = X.iloc if hasattr(X, "iloc") else np.asarray(X)
        parts = {name: part for name, part in self._asdict().items() if len(part)}
        return {
            name: float(loss(y[part], model.predict(rows[part]))) for name, part in parts.items()
        }


def holdout(
    y: ArrayLike,
    *,
    test_size: float = 0.25,
    dev_size: float = 0.0,
    stratify: bool = False,
    seed: int = 0,
) -> Split:
    """Split the rows at random into train, dev and test (evaluation.01).

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Target, for its length and, when stratified, its classes.
    test_size, dev_size : float
        Shares of all rows.
    stratify : bool
        Keep the shares of the classes in every part, as nearly as whole rows allow.
    seed : int
        Same seed, same split.

    Examples
    --------
    >>> split = holdout([0] * 10 + [1] * 10, test_size=0.2, dev_size=0.2, stratify=True)
    >>> [len(part) for part in split]
    [12, 4, 4]
    """
    y = np.asarray(y)
    for name, share in (("test_size", test_size), ("dev_size", dev_size)):
        if not (0 <= share < 1) or (name == "test_size" and share == 0):
            raise check.fail("holdout", name, "a share between 0 and 1", share)
    if test_size + dev_size >= 1:
        raise check.fail("holdout", "test_size + dev_size", "below 1", test_size + dev_size)
    rows = np.arange(len(y))
    rest, test = _part(rows, y, test_size, stratify, seed)
    train, dev = rest, rows[:0]
    if dev_size:
        train, dev = _part(rest, y, dev_size / (1 - test_size), stratify, seed)
    return Split(np.sort(train), np.sort(dev), np.sort(test))


def _part(rows: Places, y: Array, share: float, stratify: bool, seed: int) -> tuple[Places, Places]:
    size = max(1, round(share * len(rows)))
    if stratify:
        counts = np.unique(y[rows], return_counts=True)[1]
        # Too few rows for one of each class in the smaller part: leave it to chance.
        stratify = counts.min() >= 2 and min(size, len(rows) - size) >= len(counts)
    kept, held = train_test_split(
        rows, test_size=size, random_state=seed, stratify=y[rows] if stratify else None
    )
    return kept, held
