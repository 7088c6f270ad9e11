"""The one contract of methods: an estimate, and what every row adds to its error."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._overlap import NoOverlapError
from margin.core.types import Floats, Indices


@dataclass(frozen=True, eq=False)
class Scores:
    r"""Estimates with their influence functions.

    .. math:: \hat\theta - \theta \approx \frac1n \sum_i w_i \varphi(z_i),\qquad
        \widehat{\mathrm{var}}(\hat\theta) = \frac1{n^2} \sum_i w_i^2 \varphi(z_i)^2

    Standard errors, multiplier bootstrap and clustered errors are all read off
    :math:`\varphi`, whatever the method.

    Parameters
    ----------
    names : tuple of str
        What is estimated.
    values : ndarray of shape (m,)
        Estimates.
    influence : ndarray of shape (n, m) or None
        Influence functions; None where only a bootstrap that fits again knows the error.
    means : mapping of level to float
        Mean outcomes under each level, where the method knows them.
    propensity : ndarray of shape (n, k) or None
        Probability of each level.
    balancing : ndarray of shape (n,) or None
        Weights under which the groups are comparable.
    variance : ndarray of shape (m,) or None
        Variances, where they are known better than by the influence functions.
    notes : tuple of str
        What a reader should know.
    residuals : ndarray of shape (n, 1 + m) or None
        What the covariates leave of outcome and treatments, where the method is a regression of
        one on the others.
    pairs : ndarray of shape (n_pairs, 2) or None
        Rows of disjoint pairs, the treated first.
    """

    names: tuple[str, ...]
    values: Floats
    influence: Floats | None
    means: Mapping[Any, float] = field(default_factory=dict)
    propensity: Floats | None = None
    balancing: Floats | None = None
    variance: Floats | None = None
    notes: tuple[str, ...] = ()
    residuals: Floats | None = None
    pairs: Indices | None = None


class Method(ABC):
    """A way of estimation: a frozen value that turns data into scores.

    ``door`` says what it needs of the graph: covariates, a front door, a formula, or nothing.
    """

    title: ClassVar[str]
    door: ClassVar[str] = "backdoor"

    @property
    def reaches_out(self) -> bool:
        """Whether rows without a chance of some level get an estimate all the same."""
        return False

    @abstractmethod
    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Estimates and influence functions."""

    def estimate(self, data: EffectData, nuisance: Nuisance) -> Floats:
        """Estimates alone, where nobody asks for their error."""
        return self.scores(data, nuisance).values

    def placebos(
        self, data: EffectData, nuisance: Nuisance, scores: Scores, orders: Indices
    ) -> Floats:
        """The first estimate under treatments shuffled by each of the orders."""
        return self.estimates((data.shuffled(order) for order in orders), nuisance)

    def with_columns(
        self, data: EffectData, nuisance: Nuisance, scores: Scores, columns: Floats
    ) -> Floats:
        """The first estimate with each of further covariates, one at a time."""
        return self.estimates((data.with_column(values) for values in columns.T), nuisance)

    def estimates(self, studies: Iterable[EffectData], nuisance: Nuisance) -> Floats:
        """The first estimate of each of several studies, made by chance from one.

        Those in which chance left a level without rows say nothing and are left out; refused where
        they are most.
        """
        estimates, failed = [], []
        for study in studies:
            try:
                estimates.append(float(self.estimate(study, nuisance)[0]))
            except NoOverlapError as error:
                failed.append(error)
        if len(failed) > len(estimates):
            raise failed[0]
        return np.array(estimates)


def compared(data: EffectData, means: Floats, influence: Floats | None, **more: Any) -> Scores:
    """Differences from the baseline of the mean outcomes under every level."""
    by_level = {level: float(m) for level, m in zip(data.levels, means, strict=True)}
    differences = None if influence is None else influence[:, 1:] - influence[:, :1]
    return Scores(data.names, means[1:] - means[0], differences, by_level, **more)


def mean_of(values: Floats, weight: Floats) -> Floats:
    """Weighted mean of the rows."""
    return np.asarray(weight @ values / weight.sum())
