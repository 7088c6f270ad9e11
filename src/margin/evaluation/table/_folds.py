"""The folds of a repeated cross-validation, and what to call them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

from margin.core.types import Array, Places

Folds = Sequence[tuple[Places, Places]]

_SPLITS, _REPEATS = 5, 2
_MANY_ROWS, _VERY_MANY_ROWS = 5_000, 100_000


def make_folds(
    y: Array, *, stratify: bool, seed: int, repeats: int | None = None
) -> tuple[tuple[Places, Places], ...]:
    """Training and held-out rows of repeated (stratified) k-fold cross-validation.

    Twice five folds; once for more than 5000 rows, three folds for more than 100 000; fewer when
    there are hardly any rows.

    Parameters
    ----------
    y : ndarray
        Target, for its length and its classes.
    stratify : bool
        Keep the shares of the classes.
    seed : int
        Same seed, same folds.
    repeats : int, optional
        How often all rows are split anew, when not by the number of rows.

    Examples
    --------
    >>> folds = make_folds(np.repeat([0, 1], 50), stratify=True, seed=0)
    >>> len(folds), len(folds[0][0]), len(folds[0][1])
    (10, 80, 20)
    """
    n = len(y)
    n_splits = 3 if n > _VERY_MANY_ROWS else min(_SPLITS, n // 3)
    if stratify:
        n_splits = min(n_splits, int(np.unique(y, return_counts=True)[1].max()))
    n_splits = max(2, n_splits)
    kind = RepeatedStratifiedKFold if stratify else RepeatedKFold
    repeats = repeats or (1 if n > _MANY_ROWS else _REPEATS)
    splitter = kind(n_splits=n_splits, n_repeats=repeats, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")
        return tuple(splitter.split(np.zeros(n), y))


def one_repeat(folds: Folds) -> Folds:
    """The folds of the first repetition: no row is held out twice.

    Examples
    --------
    >>> len(one_repeat(make_folds(np.arange(50.0), stratify=False, seed=0)))
    5
    """
    seen: set[int] = set()
    for number, (_, test) in enumerate(folds):
        rows = set(test.tolist())
        if rows & seen:
            return folds[:number]
        seen |= rows
    return folds


def folds_in_words(folds: Folds, finished: int) -> str:
    """Name of the cross-validation, and how much of it was run.

    Examples
    --------
    >>> folds_in_words(make_folds(np.arange(50.0), stratify=False, seed=0), 7)
    '2 × 5-fold cross-validation (7 of 10 folds run)'
    """
    n_splits = len(one_repeat(folds))
    repeats = len(folds) // n_splits
    text = f"{f'{repeats} × ' if repeats > 1 else ''}{n_splits}-fold cross-validation"
    return text if finished == len(folds) else f"{text} ({finished} of {len(folds)} folds run)"


def rare_classes(y: Array, n_folds: int) -> tuple[str, ...]:
    """Warning about classes with fewer rows than there are folds."""
    labels, counts = np.unique(y, return_counts=True)
    rare = labels[counts < n_folds]
    if not len(rare):
        return ()
    shown = ", ".join(repr(label.item()) for label in rare[:3]) + (", …" if len(rare) > 3 else "")
    return (
        f"classes with fewer than {n_folds} training rows are missing from some folds: {shown}",
    )
