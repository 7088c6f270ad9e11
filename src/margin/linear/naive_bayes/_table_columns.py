"""Columns described by a table of frequencies: categories, or bins of a histogram."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from margin.core.types import Array, Floats
from margin.linear._log_domain import finite, log_share, weighted_sum
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood, ColumnModel, Parts
from margin.native.rows import tables


class Coder(ABC):
    """Which cell of a column's table a value falls into."""

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """Cells of each column."""

    @abstractmethod
    def cells(self, X: Array) -> Array:
        """Number of the cell of each value; anything else where it is unobserved or unknown."""

    @abstractmethod
    def log_width(self, j: int) -> Any:
        """Log width of each cell of column ``j``, by which frequencies become densities."""

    @abstractmethod
    def log_widths(self) -> Any:
        """The same of all columns, one after the other."""

    @abstractmethod
    def draw(self, cells: Array, j: int, rng: np.random.Generator) -> Floats:
        """A value in each of the given cells of column ``j``."""


@dataclass(frozen=True)
class Categories(Coder):
    """Values 0, 1, … are the cells; any other says nothing about the class."""

    n_categories: tuple[int, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Categories of each column."""
        return self.n_categories

    def cells(self, X: Array) -> Array:
        """The values themselves."""
        return X

    def log_width(self, j: int) -> Any:
        """Probabilities stay probabilities."""
        return 0.0

    def log_widths(self) -> Any:
        """Nothing for all of them."""
        return 0.0

    def draw(self, cells: Array, j: int, rng: np.random.Generator) -> Floats:
        """The cells themselves."""
        return cells.astype(np.float64)


@dataclass(frozen=True)
class Bins(Coder):
    """Intervals between edges; values beyond the ends fall into the outer ones.

    Examples
    --------
    >>> bins = Bins((np.array([0.0, 1.0, 3.0]),))
    >>> bins.cells(np.array([[0.5], [2.0], [9.0], [np.nan]])).ravel()
    array([ 0.,  1.,  1., nan])
    """

    edges: tuple[Floats, ...]

    @classmethod
    def of(cls, X: Array, n_bins: int | str) -> Bins:
        """Equal bins over the range of each column.

        Of those, ``"auto"`` makes twice the cube root of the number of distinct values.
        """
        all_edges = []
        for values in np.asarray(X, dtype=np.float64).T:
            seen = values[~np.isnan(values)]
            low, high = (seen.min(), seen.max()) if len(seen) else (0.0, 0.0)
            distinct = len(np.unique(seen))
            number = np.ceil(2 * distinct ** (1 / 3)) if n_bins == "auto" else n_bins
            edges = np.linspace(low, high, max(1, int(number)) + 1)
            if not np.all(np.diff(edges) > 0):
                edges = np.array([low - 0.5 * max(1.0, abs(low)), low + 0.5 * max(1.0, abs(low))])
            all_edges.append(edges)
        return cls(tuple(all_edges))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bins of each column."""
        return tuple(len(edges) - 1 for edges in self.edges)

    def cells(self, X: Array) -> Array:
        """Bin of each value, NaN kept."""
        bins = np.empty(X.shape)
        for j, edges in enumerate(self.edges):
            bins[:, j] = np.searchsorted(edges[1:-1], X[:, j], side="right")
        return np.where(np.isnan(X), np.nan, bins)

    def log_width(self, j: int) -> Any:
        """Log width of the bins."""
        return np.log(np.diff(self.edges[j]))

    def log_widths(self) -> Any:
        """Log width of the bins of all columns."""
        return np.concatenate([self.log_width(j) for j in range(len(self.edges))])

    def draw(self, cells: Array, j: int, rng: np.random.Generator) -> Floats:
        """Evenly over the bin."""
        low, high = self.edges[j][:-1][cells], self.edges[j][1:][cells]
        return low + (high - low) * rng.random(len(cells))


@dataclass(frozen=True)
class TableColumns(ColumnModel):
    r"""Frequencies of the cells of each column: :math:`\theta_c = (n_c + \alpha) / (n + m\alpha)`.

    The posterior mean, and the full Bayesian prediction, under a Dirichlet(α) prior on the ``m``
    cells; the posterior mode under Dirichlet(α + 1).

    Parameters
    ----------
    alpha : float
        Observations of every cell that are added.
    coder : Coder
        Cells of the columns.
    n_threads : int
        Threads of the compiled passes.
    """

    alpha: float
    coder: Coder
    n_threads: int = 1

    def statistics(self, X: Array, members: Membership) -> Parts:
        """Weight of each cell in each class, a table for each column."""
        return Parts(tuple(members.tables(self.coder.cells(X), self.coder.sizes)))

    def fit(self, stats: Parts) -> TableLikelihood:
        """Smoothed frequencies; equal ones where nothing was observed."""
        sizes = [table.shape[1] for table in stats.parts]
        if not sizes:
            return TableLikelihood((), self.coder, self.alpha, self.n_threads)
        grown = np.concatenate(stats.parts, axis=1) + self.alpha
        offset = list(accumulate(sizes, initial=0))
        whole = np.repeat(np.add.reduceat(grown, offset[:-1], axis=1), sizes, axis=1)
        logs = log_share(grown, whole, np.repeat(1 / np.array(sizes), sizes))
        parts = tuple(logs[:, start:end] for start, end in pairwise(offset))
        return TableLikelihood(parts, self.coder, self.alpha, self.n_threads)


@dataclass(frozen=True)
class TableLikelihood(ColumnLikelihood):
    """Log probabilities of the cells, of shape (n_classes, cells) for each column."""

    log_theta: tuple[Floats, ...]
    coder: Coder
    alpha: float = 0.0
    n_threads: int = 1

    @property
    def log_penalty(self) -> float:
        """Log density of the Dirichlet(α + 1) prior."""
        return sum(weighted_sum(self.alpha, table) for table in self.log_theta)

    def log_prob(self, X: Array) -> Floats:
        """Log probability, or density, of the rows."""
        pairs = enumerate(self.log_theta)
        lines = [(finite(table) - self.coder.log_width(j)).T for j, table in pairs]
        offset = np.concatenate([[0], np.cumsum(self.coder.sizes)]).astype(np.int64)
        cells = np.ascontiguousarray(self.coder.cells(X))
        table = np.ascontiguousarray(np.concatenate(lines))
        return tables.table_scores(cells, offset, table, self.n_threads)

    def total_log_prob(self, stats: Parts) -> float:
        """Log probability, or density, of the rows behind the counts."""
        if not stats.parts:
            return 0.0
        counts = np.concatenate(stats.parts, axis=1)
        total = weighted_sum(counts, np.concatenate(self.log_theta, axis=1))
        return total - float(np.sum(counts * self.coder.log_widths()))

    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """Values of every column."""
        out = np.empty((len(code), len(self.log_theta)))
        for j, table in enumerate(self.log_theta):
            below = np.cumsum(np.exp(table), axis=1)[code]
            cells = (rng.random((len(code), 1)) * below[:, -1:] > below[:, :-1]).sum(axis=1)
            out[:, j] = self.coder.draw(cells, j, rng)
        return out
