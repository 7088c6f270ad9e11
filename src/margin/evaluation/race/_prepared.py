"""A fold turned into matrices, once for all models."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from margin.core.types import Array, Places
from margin.evaluation.race._quiet_fit import one_line
from margin.evaluation.table._split import holdout
from margin.evaluation.table._training import Part, Training
from margin.evaluation.table.order._plan import Parts

INNER_FOLDS = 3
MAX_INNER_ROWS = 5000


@dataclass(frozen=True)
class PreparedFold:
    """The matrices of one fold, or why there are none.

    ``outer`` holds the training rows of the fold against its held-out rows, ``inner`` the
    training rows split again for the choice of hyper-parameters; ``error`` is empty unless the
    preprocessing failed.
    """

    number: int
    seed: int
    outer: Part | None = None
    inner: tuple[Part, ...] = ()
    error: str = ""


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
    return PreparedFold(number, seed, outer, inner)


def inner_parts(training: Training, rows: Places, seed: int) -> tuple[Part, ...]:
    """The given training rows, split again for the choice of hyper-parameters."""
    plan = training.plan.take(rows)
    splits = plan.inner(training.y[rows], INNER_FOLDS, stratify=training.stratify, seed=seed)
    if splits is None:
        splits = inner_folds(training.y[rows], stratify=training.stratify, seed=seed)
    return tuple(training.part(rows[a], rows[b]) for a, b in splits)


def inner_folds(y: Array, *, stratify: bool, seed: int) -> Parts:
    """Training and validation rows of an inner search, over a sample of at most 5000 rows."""
    rows = np.arange(len(y))
    if len(y) > MAX_INNER_ROWS:
        rows = holdout(y, test_size=MAX_INNER_ROWS / len(y), stratify=stratify, seed=seed).test
    n_splits = min(INNER_FOLDS, len(rows) - 1)
    splitter = KFold(n_splits, shuffle=True, random_state=seed)
    if stratify and np.unique(y[rows], return_counts=True)[1].max() >= n_splits:
        splitter = StratifiedKFold(n_splits, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")
        return tuple((rows[a], rows[b]) for a, b in splitter.split(rows, y[rows]))
