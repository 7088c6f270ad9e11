"""The test of independence by correlation of distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.distributions import distance_correlation_test
from margin.search.structure._independence import IndependenceTest, TestResult


@dataclass(frozen=True, eq=False)
class DistanceCorrelation(IndependenceTest):
    r"""Test of any dependence of two columns by distance correlation (distributions.19).

    Given other columns, what a regression on them (and their squares) leaves is tested, which is
    right where both follow such a regression with additive noise; :class:`KCI` asks for less.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        Columns of numbers; a test uses the rows that know all of its columns.
    names : tuple
        Names of the columns; their numbers by default.
    n_permutations : int
        Most permutations.
    enough : int
        Permutations at least as dependent as the data that end the test early.
    seed : int
        Seed of the permutations: the same for every pair, whatever the order of the tests.

    Notes
    -----
    O(n log n) time for each permutation.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 60)
    >>> DistanceCorrelation(np.column_stack([x, x**2]))(0, 1).p_value < 0.01
    True
    """

    values: Floats
    names: tuple[Any, ...] = field(default=())
    n_permutations: int = 500
    enough: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("n_permutations", "enough"):
            if getattr(self, name) < 1:
                need = "an integer of at least 1"
                raise check.fail("DistanceCorrelation", name, need, getattr(self, name))
        if not self.names:
            object.__setattr__(self, "names", tuple(range(self.values.shape[1])))

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        used = [i, j, *given]
        X = self.values[~np.isnan(self.values[:, used]).any(axis=1)][:, used]
        if len(X) < 8 + 2 * len(given):
            return TestResult(0.0, 0.0, 1.0, reliable=False)
        pair = X[:, :2] - _explained(X[:, :2], X[:, 2:])
        answer = distance_correlation_test(
            pair[:, 0], pair[:, 1], n_permutations=self.n_permutations, enough=self.enough,
            rng=self.seed,
        )  # fmt: skip
        return TestResult(answer.statistic, 0.0, answer.p_value)


def _explained(pair: Floats, Z: Floats) -> Floats:
    """Means of two columns by least squares on others and their squares."""
    if not Z.shape[1]:
        return np.asarray(pair.mean(axis=0))
    scale = Z.std(axis=0)
    Z = (Z - Z.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    D = np.column_stack([np.ones(len(Z)), Z, Z**2])
    return np.asarray(D @ np.linalg.lstsq(D, pair, rcond=None)[0])
