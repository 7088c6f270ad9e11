"""The training rows with their folds: what all models of a comparison share."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.compose import ColumnTransformer

from margin.core.types import Array, Floats, Places
from margin.evaluation.table._folds import Folds
from margin.evaluation.table._metric import Metric
from margin.evaluation.table.order._plan import Plan

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Training:
    """Rows to learn from, their folds and the rules that all models share.

    ``plan`` says which of these rows may judge which others, inside the folds too.
    """

    X: pd.DataFrame
    y: Array
    preprocessor: ColumnTransformer
    metric: Metric
    stratify: bool
    folds: Folds
    seed: int
    plan: Plan = field(default_factory=Plan)

    @property
    def test_share(self) -> float:
        """Held-out rows per training row of a fold."""
        train, test = self.folds[0]
        return len(test) / len(train)

    def fold_seed(self, fold: int) -> int:
        """Seed of everything random in a fold, the same for all models."""
        return int(np.random.SeedSequence([self.seed, fold]).generate_state(1)[0] >> 1)

    def part(self, train: Places, test: Places) -> Part:
        """Matrices of the given rows, the preprocessing learned on the training rows only."""
        columns = clone(self.preprocessor)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Z_train = columns.fit_transform(self.X.iloc[train], self.y[train])
            Z_test = columns.transform(self.X.iloc[test])
        return Part(Z_train, self.y[train], Z_test, self.y[test])


class Part(NamedTuple):
    """Matrix and target to fit on, matrix and target to score on."""

    Z_train: Floats
    y_train: Array
    Z_test: Floats
    y_test: Array
