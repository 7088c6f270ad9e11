"""A fold turned into matrices, once for all models."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from margin.core.types import Array, Places
from margin.evaluation.race._quiet_fit import one_line
from margin.evaluation.race._tuning import INNER_FOLDS
from margin.evaluation.table._split import holdout
from margin.evaluation.table._training import Part, Training
from margin.evaluation.table.order._plan import Parts

MAX_INNER_ROWS = 5000


@dataclass(frozen=True)
class PreparedFold:
    """The matrices of one fold, or why there are none.

    ``outer`` holds the training rows of the fold against its held-out rows, ``inner`` the
    training rows split again for the choice of hyper-parameters; ``error`` is empty unless the
    preprocessing failed. ``order`` is an order of the training rows of which every beginning is a
    fair sample.
    """

    number: int
    seed: int
    outer: Part | None = None
    inner: tuple[Part, ...] = ()
    error: str = ""
    order: Places | None = None

    def sampled(
        self, rows: int, columns: int | None = None, *, tests: int, tuned: bool = False
    ) -> PreparedFold:
        """A smaller fold of so many training rows, columns and held-out rows, to tune on or not."""
        if self.outer is None or self.order is None:
            return self
        Z_train, y_train, Z_test, y_test = self.outer
        chosen = np.sort(self.order[:rows])
        some = np.linspace(0, len(y_test) - 1, min(tests, len(y_test))).astype(int)
        part = Part(
            np.ascontiguousarray(Z_train[chosen, :columns]),
            y_train[chosen],
            np.ascontiguousarray(Z_test[some, :columns]),
            y_test[some],
        )
        return PreparedFold(self.number, self.seed, part, self.inner if tuned else ())


def prepare(training: Training, number: int, *, tuned: bool = True) -> PreparedFold:
    """Make the matrices of a fold; a preprocessing that fails becomes the error of the fold.

    Parameters
    ----------
    training : Training
        Rows and folds.
    number : int
        Which fold.
    tuned : bool
        Whether some model will be tuned and needs the inner folds.
    """
    seed = training.fold_seed(number)
    train, test = training.folds[number]
    try:
        outer = training.part(train, test)
        inner = inner_parts(training, train, seed) if tuned else ()
    except Exception as error:
        return PreparedFold(number, seed, error=one_line(error))
    rng = np.random.default_rng(seed)
    order = nested_order(training.y[train], stratify=training.stratify, rng=rng)
    return PreparedFold(number, seed, outer, inner, order=order)


def inner_parts(training: Training, rows: Places, seed: int) -> tuple[Part, ...]:
    """The given training rows, split again for the choice of hyper-parameters."""
    plan = training.plan.take(rows)
    splits = plan.inner(training.y[rows], INNER_FOLDS, stratify=training.stratify, seed=seed)
    if splits is None:
        splits = inner_folds(training.y[rows], stratify=training.stratify, seed=seed)
    return tuple(training.part(rows[a], rows[b]) for a, b in splits)


def inner_folds(y: Array, *, stratify: bool, seed: int) -> Parts:
    """Training and validation rows of an inner search, over a sample of at most 5000 rows.

    Training rows come in an order of which every beginning is a fair sample.
    """
    rows = np.arange(len(y))
    if len(y) > MAX_INNER_ROWS:
        rows = holdout(y, test_size=MAX_INNER_ROWS / len(y), stratify=stratify, seed=seed).test
    n_splits = min(INNER_FOLDS, len(rows) - 1)
    splitter = KFold(n_splits, shuffle=True, random_state=seed)
    if stratify and np.unique(y[rows], return_counts=True)[1].max() >= n_splits:
        splitter = StratifiedKFold(n_splits, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")
        splits = list(splitter.split(rows, y[rows]))
    mixed = [np.random.default_rng([seed, number]) for number in range(len(splits))]
    return tuple(
        (rows[a[nested_order(y[rows[a]], stratify=stratify, rng=rng)]], rows[b])
        for (a, b), rng in zip(splits, mixed, strict=True)
    )


def nested_order(y: Array, *, stratify: bool, rng: np.random.Generator) -> Places:
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
