"""Folds turned into matrices, once for all models."""

from __future__ import annotations

import uuid
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import KFold, StratifiedKFold

from margin.evaluation.race._folds import Folds
from margin.evaluation.race._metric import Metric
from margin.evaluation.table._split import holdout

INNER_FOLDS = 3
MAX_INNER_ROWS = 5000


@dataclass(frozen=True)
class Arena:
    """Training rows and rules that all models share."""

    X: Any
    y: NDArray[Any]
    preprocessor: ColumnTransformer
    metric: Metric
    stratify: bool
    folds: Folds
    seed: int
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def fold_seed(self, fold: int) -> int:
        """Seed of everything random in a fold, the same for all models."""
        return int(np.random.SeedSequence([self.seed, fold]).generate_state(1)[0] >> 1)

    def part(self, train: NDArray[np.intp], test: NDArray[np.intp]) -> Part:
        """Matrices of the given rows, the preprocessing learned on the training rows only."""
        columns = clone(self.preprocessor)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Z_train = columns.fit_transform(self.X.iloc[train], self.y[train])
            Z_test = columns.transform(self.X.iloc[test])
        return Part(Z_train, self.y[train], Z_test, self.y[test])


class Part(NamedTuple):
    """Matrix and target to fit on, matrix and target to score on."""

    Z_train: NDArray[np.float64]
    y_train: NDArray[Any]
    Z_test: NDArray[np.float64]
    y_test: NDArray[Any]


class PreparedFold:
    """The matrices of one fold, made when first asked for.

    Parameters
    ----------
    arena : Arena
        Data and rules.
    train, test : ndarray of int
        Rows of the fold.
    seed : int
        Seed of the inner folds.
    """

    def __init__(
        self, arena: Arena, train: NDArray[np.intp], test: NDArray[np.intp], seed: int
    ) -> None:
        self._arena, self._train, self._test, self._seed = arena, train, test, seed

    @cached_property
    def outer(self) -> Part:
        """Training rows of the fold against its held-out rows."""
        return self._arena.part(self._train, self._test)

    @cached_property
    def inner(self) -> list[Part]:
        """The training rows, split again for the choice of hyper-parameters."""
        y = self._arena.y[self._train]
        splits = inner_folds(y, stratify=self._arena.stratify, seed=self._seed)
        return [self._arena.part(self._train[a], self._train[b]) for a, b in splits]


_latest: dict[tuple[str, int], PreparedFold] = {}


def prepared(arena: Arena, fold: int) -> PreparedFold:
    """The matrices of a fold; those of the latest fold are kept for the next model."""
    key = arena.token, fold
    found = _latest.get(key)
    if found is None:
        train, test = arena.folds[fold]
        found = PreparedFold(arena, train, test, arena.fold_seed(fold))
        forget()
        _latest[key] = found
    return found


def forget() -> None:
    """Let go of the matrices that are kept."""
    _latest.clear()


def inner_folds(
    y: NDArray[Any], *, stratify: bool, seed: int
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
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
        return [(rows[a], rows[b]) for a, b in splitter.split(rows, y[rows])]
