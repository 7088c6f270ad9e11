"""Numeric columns as states: a few values stay, many are cut at quantiles."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class QuantileBins:
    """Cut points of every column; a value belongs to the bin between two of them.

    Parameters
    ----------
    cuts : tuple of ndarray
        Increasing cut points of each column; a value equal to one lies below it.

    Examples
    --------
    >>> bins = QuantileBins.learned(np.array([[0.0], [1.0], [2.0], [3.0]]), None, 2)
    >>> bins.cuts[0].tolist(), bins.codes(np.array([[1.4], [1.6], [np.nan]])).ravel().tolist()
    ([1.5], [0, 1, -1])
    """

    cuts: tuple[Floats, ...]

    @classmethod
    def learned(
        cls,
        X: NDArray[np.floating],
        weight: Floats | None,
        n_bins: int,
        codes: Collection[int] = (),
    ) -> QuantileBins:
        """Cuts at quantiles of the weighted rows; all values stay apart where they are few.

        They also stay apart in the columns of ``codes``, whose order says nothing.
        """
        mass = np.ones(len(X)) if weight is None else weight
        return cls(
            tuple(
                _cuts(column.astype(np.float64), mass, len(X) if at in codes else n_bins)
                for at, column in enumerate(X.T)
            )
        )

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of bins of each column."""
        return tuple(len(cuts) + 1 for cuts in self.cuts)

    def codes(self, X: NDArray[np.floating]) -> Ints:
        """Bin of every entry, -1 where it is NaN."""
        codes = np.empty(X.shape, dtype=np.int32)
        for j, cuts in enumerate(self.cuts):
            column = X[:, j].astype(np.float64)
            codes[:, j] = np.where(np.isnan(column), -1, np.searchsorted(cuts, column))
        return codes


def _cuts(column: Floats, mass: Floats, n_bins: int) -> Floats:
    seen = (mass > 0) & ~np.isnan(column)
    values, group = np.unique(column[seen], return_inverse=True)
    if len(values) < 2:
        return np.empty(0)
    last = np.arange(len(values) - 1)
    if len(values) > n_bins:
        cumulative = np.cumsum(np.bincount(group, weights=mass[seen]))
        levels = cumulative[-1] * np.arange(1, n_bins) / n_bins
        # The first value whose share reaches the level closes the bin.
        closing = np.searchsorted(cumulative, levels * (1 - 1e-12))
        last = np.unique(closing[closing < len(values) - 1])
    middle = values[last] / 2 + values[last + 1] / 2
    return np.minimum(middle, np.nextafter(values[last + 1], -np.inf))
