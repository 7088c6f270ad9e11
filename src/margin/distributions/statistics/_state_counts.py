"""Weighted counts of states."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check, memory
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.statistics._weights import is_shared, responsibilities, row_weights


@dataclass(frozen=True, eq=False)
class StateCounts:
    """How often each state was seen in every column; NaN is left out (distributions.37).

    A commutative monoid: counts of batches that saw different states add up all the same. There
    are as many states as the largest code with some weight needs.

    Parameters
    ----------
    counts : ndarray of shape (..., K)
        Leading axes as in :class:`Totals`: members, then columns.

    Examples
    --------
    >>> StateCounts.of([0, 2, 2]) + StateCounts.of([1, 3])
    StateCounts(counts=array([1., 1., 2., 1.]))
    """

    counts: Floats

    @classmethod
    def of(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Self:
        """Counts of the codes 0, 1, … in the columns of ``X`` of shape (n,) or (n, d)."""
        x = numbers(cls.__name__, "X", X)
        if x.ndim not in (1, 2):
            raise check.fail(cls.__name__, "X", "one- or two-dimensional", f"shape {x.shape}")
        seen = ~np.isnan(x)
        if not np.all((x[seen] >= 0) & (x[seen] == np.floor(x[seen])) & np.isfinite(x[seen])):
            raise check.fail(cls.__name__, "X", "codes 0, 1, … or NaN", float(x[seen].min()))
        if weight is not None and is_shared(weight):
            shares = responsibilities(cls.__name__, weight, len(x))
            lead: tuple[int, ...] = (shares.shape[1],)
        else:
            shares, lead = row_weights(cls.__name__, weight, len(x))[:, None], ()
        columns = x.reshape(len(x), int(np.prod(x.shape[1:])))
        k = int(columns[~np.isnan(columns)].max(initial=-1)) + 1
        _fits(cls.__name__, k, shares.shape[1] * columns.shape[1])
        counts = np.zeros((shares.shape[1], columns.shape[1], k))
        for j, column in enumerate(columns.T):
            here = ~np.isnan(column)
            codes = column[here].astype(np.intp)
            for m in range(shares.shape[1]):
                counts[m, j] = np.bincount(codes, shares[here, m], minlength=k)
        return cls._trimmed(counts.reshape(*lead, *x.shape[1:], k))

    @classmethod
    def _trimmed(cls, counts: Floats) -> Self:
        used = np.flatnonzero(counts.any(axis=tuple(range(counts.ndim - 1))))
        return cls(counts[..., : used[-1] + 1 if len(used) else 0])

    @property
    def weight(self) -> Floats:
        """Total weight of the observed entries."""
        return np.asarray(self.counts.sum(axis=-1))

    def padded(self, n_states: int) -> Floats:
        """The counts of at least ``n_states`` states."""
        more = max(n_states - self.counts.shape[-1], 0)
        return np.pad(self.counts, [(0, 0)] * (self.counts.ndim - 1) + [(0, more)])

    def __add__(self, other: "StateCounts") -> "StateCounts":
        if not isinstance(other, StateCounts):
            return NotImplemented
        if self.counts.shape[:-1] != other.counts.shape[:-1]:
            raise check.fail(self, "shape", f"{self.counts.shape[:-1]}", other.counts.shape[:-1])
        k = max(self.counts.shape[-1], other.counts.shape[-1])
        return StateCounts(self.padded(k) + other.padded(k))

    def __radd__(self, other: int) -> "StateCounts":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def __getitem__(self, key: Any) -> "StateCounts":
        return StateCounts._trimmed(np.asarray(self.counts[key]))


def _fits(name: str, k: int, tables: int) -> None:
    """Refuse codes that a table of all smaller ones has no room for."""
    free = memory.available()
    need = 3 * 8 * k * tables
    if k > 2**53 or (free is not None and need > free):
        raise MemoryError(
            f"{name}: X must be codes 0, 1, … that leave room for a count each, got {k - 1:.0f}, "
            f"which needs {need / 2**30:.1f} GiB; number the distinct values first, as "
            "np.unique(X, return_inverse=True) does"
        )
