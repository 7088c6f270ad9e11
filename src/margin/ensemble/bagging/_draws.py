"""Draws of rows and features."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats, Places


@dataclass(frozen=True)
class Plan:
    """How many rows and features each member sees, and how they are drawn.

    Parameters
    ----------
    n_rows, n_features : int
        Of the table.
    rows, features : int
        Drawn for each member.
    replace_rows, replace_features : bool
        Whether the same one may be drawn again.
    share : ndarray of shape (n_rows,) or None
        Probabilities of the rows; equal when absent.
    """

    n_rows: int
    n_features: int
    rows: int
    features: int
    replace_rows: bool = True
    replace_features: bool = False
    share: Floats | None = None

    @property
    def all_features(self) -> bool:
        """Whether every member sees the table's columns as they are."""
        return self.features == self.n_features and not self.replace_features

    def draw(self, seed: int) -> tuple[Places, Places]:
        """Rows and features of one member.

        Examples
        --------
        >>> rows, features = Plan(4, 3, 4, 3).draw(0)
        >>> rows, features
        (array([1, 2, 2, 3]), array([0, 1, 2]))
        """
        rng = np.random.default_rng(seed)
        rows = rng.choice(self.n_rows, self.rows, replace=self.replace_rows, p=self.share)
        if self.all_features:
            return np.sort(rows), np.arange(self.n_features)
        columns = rng.choice(self.n_features, self.features, replace=self.replace_features)
        return np.sort(rows), np.sort(columns)


def row_count(owner: str, asked: Any, n_rows: int, weight: Floats | None) -> int:
    """Rows of a draw: all, so many, or a share of the rows or of their weight.

    Examples
    --------
    >>> row_count("BaggingClassifier", 0.5, 100, None)
    50
    """
    if asked is None:
        return n_rows
    if _whole(asked) and asked >= 1:
        return int(asked)
    if not _share(asked):
        need = "None, an integer of at least 1 or a share above 0 and at most 1"
        raise check.fail(owner, "max_samples", need, asked)
    total = n_rows if weight is None else float(weight.sum())
    count = max(int(asked * total), 1)
    if count < max(10, n_rows ** (1 / 3)):
        name = "number of samples" if weight is None else "total sum of sample weights"
        warnings.warn(
            f"{owner}: Using the fractional value max_samples={asked} when the {name} is {total} "
            f"results in a low number ({count}) of bootstrap samples. We recommend passing "
            "`max_samples` as an integer instead.",
            UserWarning,
            stacklevel=4,
        )
    return count


def feature_count(owner: str, asked: Any, n_features: int) -> int:
    """Features of a draw: so many, or a share of them.

    Examples
    --------
    >>> feature_count("BaggingClassifier", 0.5, 7)
    3
    """
    if _whole(asked):
        if not 1 <= asked <= n_features:
            need = f"at least 1 and max_features must be <= n_features={n_features}"
            raise check.fail(owner, "max_features", need, asked)
        return int(asked)
    if _share(asked):
        return max(1, int(asked * n_features))
    need = "an integer of at least 1 or a share above 0 and at most 1"
    raise check.fail(owner, "max_features", need, asked)


def _whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _share(value: Any) -> bool:
    return isinstance(value, float | np.floating) and bool(0 < value <= 1)
