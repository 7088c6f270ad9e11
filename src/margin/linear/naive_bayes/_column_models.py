"""The contract of what naive Bayes assumes of a group of columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from margin.core.types import Array, Floats, Places
from margin.linear._membership import Membership


class ColumnLikelihood(ABC):
    """Fitted densities of a group of columns, one product per class; a final frozen dataclass."""

    @abstractmethod
    def log_prob(self, X: Any) -> Floats:
        """Log density of every row under every class; NaN is marginalised."""

    @abstractmethod
    def total_log_prob(self, stats: Any) -> float:
        """Log density of the rows behind the statistics, each under its own class."""

    @property
    @abstractmethod
    def log_penalty(self) -> float:
        """Log prior density of the parameters, up to a constant; 0 without a prior."""

    @abstractmethod
    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """A row drawn from the class of each code."""


@dataclass(frozen=True)
class ColumnModel(ABC):
    """An assumption on a group of columns, with all that does not depend on the classes.

    A subclass is a frozen dataclass too; ``alpha`` is the number of observations its prior is
    worth. ``fit(statistics(A) + statistics(B))`` is the fit to the rows of both.
    """

    alpha: Any

    @abstractmethod
    def statistics(self, X: Any, members: Membership) -> Any:
        """Sums over the rows of each class; they add up over batches of rows."""

    @abstractmethod
    def fit(self, stats: Any) -> ColumnLikelihood:
        """Most probable parameters given the statistics."""

    def smoothed(self, alpha: float) -> Self:
        """The same assumption with a prior of at least this strength."""
        return replace(self, alpha=np.maximum(self.alpha, alpha))


@dataclass(frozen=True)
class Parts:
    """Statistics of several groups of columns, added group by group."""

    parts: tuple[Any, ...]

    def __add__(self, other: Parts) -> Parts:
        return Parts(tuple(a + b for a, b in zip(self.parts, other.parts, strict=True)))


@dataclass(frozen=True)
class MixedColumns(ColumnModel):
    """Groups of columns, each with an assumption of its own, independent given the class.

    Parameters
    ----------
    alpha : float
        Observations the priors of all groups are worth.
    columns : tuple of ndarray of int
        Columns of each group.
    models : tuple of ColumnModel
        The assumption on each group.
    """

    alpha: float
    columns: tuple[Places, ...]
    models: tuple[ColumnModel, ...]

    def statistics(self, X: Any, members: Membership) -> Parts:
        """Statistics of every group."""
        return Parts(
            tuple(
                model.statistics(group(X, columns), members)
                for columns, model in zip(self.columns, self.models, strict=True)
            )
        )

    def fit(self, stats: Parts) -> MixedLikelihood:
        """Densities of every group."""
        pairs = zip(self.models, stats.parts, strict=True)
        return MixedLikelihood(self.columns, tuple(model.fit(part) for model, part in pairs))

    def smoothed(self, alpha: float) -> Self:
        """Every group with a prior of at least this strength."""
        return replace(self, models=tuple(model.smoothed(alpha) for model in self.models))


@dataclass(frozen=True)
class MixedLikelihood(ColumnLikelihood):
    """Fitted densities of several groups of columns."""

    columns: tuple[Places, ...]
    parts: tuple[ColumnLikelihood, ...]

    def log_prob(self, X: Any) -> Floats:
        """Sum over the groups."""
        pairs = zip(self.columns, self.parts, strict=True)
        scores = [part.log_prob(group(X, columns)) for columns, part in pairs]
        return np.asarray(np.sum(scores, axis=0))

    def total_log_prob(self, stats: Parts) -> float:
        """Sum over the groups."""
        pairs = zip(self.parts, stats.parts, strict=True)
        return sum(part.total_log_prob(own) for part, own in pairs)

    @property
    def log_penalty(self) -> float:
        """Sum over the groups."""
        return sum(part.log_penalty for part in self.parts)

    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """Columns of every group, in their places."""
        out = np.empty((len(code), sum(map(len, self.columns))))
        for columns, part in zip(self.columns, self.parts, strict=True):
            out[:, columns] = part.sample(code, rng)
        return out


def group(X: Any, columns: Places) -> Any:
    """Columns of a table, which is passed on as it is when they are all of it."""
    return X if len(columns) == X.shape[1] else X[:, columns]
