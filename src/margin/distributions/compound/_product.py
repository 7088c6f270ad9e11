"""Independent groups of columns, each with a distribution of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Places
from margin.distributions._base import Distribution, Univariate
from margin.distributions._parameters import coordinates
from margin.distributions._requirements import Seed, numbers, source
from margin.distributions.compound._joint_statistics import JointStatistics


@dataclass(frozen=True, eq=False, repr=False)
class Product(Distribution):
    r"""Rows of unlike columns: groups of them independent of each other.

    .. math:: p(x) = \prod_g p_g(x_{C_g})

    Parameters
    ----------
    parts : sequence of Distribution
        One for each group. Parts of single numbers have an axis for the columns of their group;
        further axes, the same for all, make an array of products, as the members of a mixture are.
    columns : sequence of sequences of int
        The columns :math:`C_g` of each part; together 0, …, D - 1.

    Examples
    --------
    >>> from margin.distributions import Categorical, Normal
    >>> row = Product([Normal([0.0, 5.0], 1.0), Categorical([[0.3, 0.7]])], [[0, 2], [1]])
    >>> row.mean
    array([0. , 0.7, 5. ])
    >>> row.log_prob([0.0, 1.0, np.nan]).round(6)
    np.float64(-1.275613)
    """

    parts: tuple[Any, ...]
    columns: tuple[Places, ...]

    def __init__(self, parts: Sequence[Any], columns: Sequence[Any]) -> None:
        places = tuple(np.atleast_1d(np.asarray(c, dtype=np.intp)) for c in columns)
        every = np.concatenate([np.empty(0, np.intp), *places])
        if len(parts) != len(places) or not np.array_equal(np.sort(every), np.arange(len(every))):
            raise check.fail(self, "columns", f"0, …, D - 1 in {len(parts)} groups", columns)
        leads = set()
        for part, place in zip(parts, places, strict=True):
            width = np.shape(part.mean)[-1:]
            if width != place.shape:
                raise check.fail(self, "parts", f"of {len(place)} columns", part)
            leads.add(_lead(part))
        if len(leads) > 1:
            raise check.fail(self, "parts", "arrays of one shape", sorted(leads))
        object.__setattr__(self, "parts", tuple(parts))
        object.__setattr__(self, "columns", places)

    @property
    def dim(self) -> int:
        """Number of columns ``D``."""
        return sum(len(c) for c in self.columns)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of products; ``()`` for a single one."""
        return _lead(self.parts[0]) if self.parts else ()

    @property
    def mean(self) -> Floats:
        return self._joined([p.mean for p in self.parts])

    @property
    def var(self) -> Floats:
        return self._joined([p.var for p in self.parts])

    @property
    def mode(self) -> Floats:
        """The most probable row."""
        return self._joined([p.mode for p in self.parts])

    @property
    def entropy(self) -> Floats:
        """Sum of those of the parts."""
        return np.asarray(sum(_row_sum(p, np.asarray(p.entropy)) for p in self.parts))

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log density at rows of shape (..., D); NaN is marginalised exactly."""
        at = self._rows(x)
        return np.asarray(sum(_row_sum(p, p.log_prob(at[..., c])) for p, c in self._groups()))

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """Log density of every row under every member, a column for each member."""
        rows = self._rows(X)
        return np.asarray(sum(p.log_prob_rows(rows[:, c]) for p, c in self._groups()))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``, separately for every column."""
        at = np.asarray(x, dtype=np.float64)
        at = np.broadcast_to(at, np.broadcast_shapes(at.shape, (self.dim,)))
        return self._joined([p.cdf(at[..., c]) for p, c in self._groups()])

    def quantile(self, q: ArrayLike) -> Floats:
        """Quantiles of every column by itself; the axes of ``q`` come first."""
        return self._joined([p.quantile(q) for p in self.parts])

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` rows from each product, along a new first axis."""
        generator = source(self, n, rng)
        return self._joined([p.sample(n, generator) for p in self.parts])

    def marginal(self, idx: Any) -> Self:
        """The chosen columns alone, in the order given."""
        kept = coordinates(self, idx, self.dim)
        parts, columns = [], []
        for part, own in self._groups():
            at = [int(np.flatnonzero(own == k)[0]) for k in kept if k in own]
            if at:
                parts.append(_selected(part, at))
                columns.append(np.flatnonzero(np.isin(kept, own)))
        return type(self)(parts, columns)

    def condition(self, idx: Any, values: ArrayLike) -> Self:
        """The other columns given the chosen: only parts that hold some of these change."""
        seen = coordinates(self, idx, self.dim)
        given = np.atleast_1d(np.asarray(values, dtype=np.float64))
        if given.shape[-1:] != seen.shape:
            raise check.fail(self, "values", f"of shape (..., {len(seen)})", given.shape)
        left = np.setdiff1d(np.arange(self.dim), seen)
        parts, columns = [], []
        for part, own in self._groups():
            stay = np.flatnonzero(~np.isin(own, seen))
            if not len(stay):
                continue
            gone = np.flatnonzero(np.isin(own, seen))
            if len(gone) and not isinstance(part, Univariate):
                where = [int(np.flatnonzero(seen == own[g])[0]) for g in gone]
                part = part.condition(gone, given[..., where])
            elif len(gone):
                part = _selected(part, stay)
            parts.append(part)
            columns.append(np.searchsorted(left, own[stay]))
        return type(self)(parts, columns)

    def kl(self, other: "Product") -> Floats:
        """Sum of the divergences of the parts, which must have the same columns."""
        same = len(self.columns) == len(other.columns) and all(
            np.array_equal(a, b) for a, b in zip(self.columns, other.columns, strict=True)
        )
        if not same:
            raise check.fail(self, "columns", f"{self.columns}", other.columns)
        pairs = zip(self.parts, other.parts, strict=True)
        return np.asarray(sum(_row_sum(p, np.asarray(p.kl(q))) for p, q in pairs))

    def expected_statistics(self, X: ArrayLike, weight: ArrayLike | None = None) -> JointStatistics:
        """Expected statistics of rows with NaN, for each part by itself."""
        rows = self._rows(X)
        return JointStatistics(
            tuple(p.expected_statistics(rows[:, c], weight) for p, c in self._groups())
        )

    def __getitem__(self, key: Any) -> Self:
        if not self.shape:
            raise TypeError(f"{type(self).__name__}: a single distribution has no members")
        return type(self)([p[key] for p in self.parts], self.columns)

    def __repr__(self) -> str:
        kinds = ", ".join(type(p).__name__ for p in self.parts)
        batch = f", shape={self.shape}" if self.shape else ""
        return f"Product({kinds}{batch})"

    def _groups(self) -> list[tuple[Any, Places]]:
        return list(zip(self.parts, self.columns, strict=True))

    def _joined(self, values: list[Any]) -> Floats:
        lead = np.broadcast_shapes(*(np.shape(v)[:-1] for v in values))
        joined = np.empty((*lead, self.dim))
        for value, own in zip(values, self.columns, strict=True):
            joined[..., own] = value
        return joined

    def _rows(self, x: ArrayLike) -> Floats:
        at = numbers(self, "x", x)
        if at.shape[-1:] != (self.dim,):
            raise check.fail(self, "x", f"of shape (..., {self.dim})", f"shape {at.shape}")
        return at


def _lead(part: Any) -> tuple[int, ...]:
    """Shape of the array of rows that a part stands for."""
    return tuple(part.shape[:-1]) if isinstance(part, Univariate) else tuple(part.shape)


def _row_sum(part: Any, values: Floats) -> Floats:
    return np.asarray(values.sum(axis=-1)) if isinstance(part, Univariate) else values


def _selected(part: Any, at: Any) -> Any:
    """Some columns of a part."""
    if isinstance(part, Univariate):
        return part[(*(slice(None),) * (len(part.shape) - 1), np.asarray(at, dtype=np.intp))]
    return part.marginal(at)
