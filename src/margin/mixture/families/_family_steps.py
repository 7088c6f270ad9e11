"""Mixtures of any distributions as a problem for expectation maximisation."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import FitError
from margin.core.types import Floats
from margin.distributions import MixtureDistribution
from margin.inference import Assignment, Expectation, Repaired, Tempered
from margin.mixture.families._component_priors import is_bounded, log_prior
from margin.mixture.finite._row_groups import Stream, Table

_DEAD = 1e-12


class ImpossibleRowError(FitError):
    """A row has density 0 under all components: the log-likelihood is minus infinity."""


@dataclass(frozen=True, eq=False)
class FamilyStatistics:
    """Bound, weight and shares of rows, and the statistics of every component; they add up."""

    bound: float
    weight: float
    total: Floats
    members: tuple[Any, ...]

    def __add__(self, other: "FamilyStatistics") -> "FamilyStatistics":
        if not isinstance(other, FamilyStatistics):
            return NotImplemented
        pairs = zip(self.members, other.members, strict=True)
        return FamilyStatistics(
            self.bound + other.bound,
            self.weight + other.weight,
            self.total + other.total,
            tuple(a + b for a, b in pairs),
        )

    def __radd__(self, other: int) -> "FamilyStatistics":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented


@dataclass(frozen=True, eq=False)
class FamilySteps:
    r"""The two steps for :math:`\sum_k \pi_k p_k(x)`, the families of components being known.

    .. math:: \frac{1}{\sum_i w_i} \Big[\sum_i w_i \log \sum_k \pi_k\, p(x_i; \theta_k)
              + \sum_k \log p(\theta_k) + (c - 1) \sum_k \log \pi_k\Big]

    Both steps climb the bound of this, priors included; without priors and with :math:`c = 1` it
    is the mean log-likelihood.

    Parameters
    ----------
    rows : Table or Stream
    families : tuple
        What fits each component: classes with ``fit``, or product families.
    priors : tuple
        A prior for each component, or None for it.
    fixed : tuple of bool
        Components that keep their parameters.
    concentration : float
        Dirichlet parameter of the weights; 1 leaves them free.
    assignment : Assignment
    """

    rows: Table | Stream
    families: tuple[Any, ...]
    priors: tuple[Any, ...]
    fixed: tuple[bool, ...]
    concentration: float
    assignment: Assignment

    def expect(self, at: MixtureDistribution) -> Expectation[FamilyStatistics]:
        """Mean bound of the rows, and their statistics."""
        stats: Any = sum(self.block(at, g.X, g.weight) for g in self.rows.passes())
        return Expectation((stats.bound + self.log_prior(at)) / stats.weight, stats)

    def at_beta(self, at: MixtureDistribution, beta: float) -> Expectation[FamilyStatistics]:
        """The E step at an inverse temperature."""
        return replace(self, assignment=Tempered(beta)).expect(at)

    @property
    def monotone(self) -> bool:
        """Whether the bound never falls: the E step maximises it, and no prior has a pole."""
        return self.assignment.monotone and all(map(is_bounded, self.priors))

    def log_prior(self, at: MixtureDistribution) -> float:
        """Log density of all priors; one that is unbounded has no say."""
        value = 0.0
        if self.concentration > 1:
            with np.errstate(divide="ignore"):
                value = (self.concentration - 1) * float(np.log(at.weights).sum())
        for component, prior, fixed in zip(at.components, self.priors, self.fixed, strict=True):
            if not fixed and is_bounded(prior):
                value += log_prior(component, prior)
        return value

    def block(self, at: MixtureDistribution, X: Any, weight: Floats | None) -> FamilyStatistics:
        """Statistics of one block of rows."""
        rows = events(at, X)
        with np.errstate(divide="ignore"):
            level = np.log(at.weights)
        joint = np.stack([c.log_prob_rows(rows) for c in at.components], axis=1) + level
        share, bounds = self.assignment(joint)
        w = np.ones(len(rows)) if weight is None else weight
        share = share * w[:, None]
        members = tuple(
            () if fixed else _expected(c, family, rows, np.ascontiguousarray(share[:, j]))
            for j, (c, family, fixed) in enumerate(
                zip(at.components, self.families, self.fixed, strict=True)
            )
        )
        counted = w > 0
        nowhere = np.flatnonzero(counted & np.isneginf(bounds))
        if len(nowhere):
            raise ImpossibleRowError(
                f"no component can have made the row {np.asarray(X)[nowhere[0]].tolist()}, whose "
                "density is 0 under all of them: add one that can, or start elsewhere"
            )
        bound = float(w[counted] @ bounds[counted])
        return FamilyStatistics(bound, float(w.sum()), share.sum(axis=0), members)

    def maximise(
        self, stats: FamilyStatistics, at: MixtureDistribution
    ) -> MixtureDistribution | Repaired[MixtureDistribution]:
        """Weights and components; one that cannot be fitted to its share stays as it was."""
        alive = stats.total > _DEAD * stats.weight
        weights = np.where(alive, stats.total, 0.0) + (self.concentration - 1)
        new, told = [], []
        for j, old in enumerate(at.components):
            if self.fixed[j]:
                new.append(old)
                continue
            if not alive[j]:
                new.append(old)
                if at.weights[j] > 0 and self.concentration == 1:
                    told.append(f"component {j} has no rows left: it rests")
                continue
            try:
                new.append(self.families[j].fit(stats.members[j], self.priors[j]))
            except (FitError, ValueError) as error:
                new.append(old)
                told.append(f"component {j} stays as it was: {error}")
        mixture = MixtureDistribution(weights / weights.sum(), new)
        return Repaired(mixture, tuple(told)) if told else mixture


def events(at: MixtureDistribution, X: Any) -> Floats:
    """Rows as the components take them: one number, or as many as there are columns."""
    rows = np.asarray(X, dtype=np.float64)
    return rows[:, 0] if at.event == () else rows


def _expected(component: Any, family: Any, rows: Floats, share: Floats) -> Any:
    """Statistics of a component; gaps are completed by it where columns depend on each other."""
    if hasattr(component, "expected_statistics"):
        return component.expected_statistics(rows, share)
    return family.statistics(rows, share)
