"""A mixture of distributions as a distribution."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Distribution, Univariate
from margin.distributions._requirements import Seed, numbers, source
from margin.distributions._simplex import simplex

_HALVINGS = 80


@dataclass(frozen=True, eq=False, repr=False)
class MixtureDistribution(Distribution):
    r"""One of several distributions, chosen at random.

    .. math:: p(x) = \sum_j \pi_j \, p_j(x)

    Parameters
    ----------
    weights : array-like of shape (k,)
        :math:`\pi_j`, of sum 1.
    components : distribution with ``k`` members, or sequence of ``k`` distributions
        Over the same space. Of one number each; of vectors; or of rows of independent columns,
        where the parameters have an axis for them.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> pair = MixtureDistribution([0.5, 0.5], Normal([-2.0, 2.0], 1.0))
    >>> float(pair.mean), float(pair.var), float(pair.cdf(0.0))
    (0.0, 5.0, 0.5)
    >>> pair.responsibilities([0.0, 1.0]).round(3)
    array([[0.5  , 0.5  ],
           [0.018, 0.982]])
    """

    weights: Floats
    components: tuple[Any, ...]

    def __init__(self, weights: ArrayLike, components: Any) -> None:
        share = simplex(self, "weights", weights)
        if isinstance(components, Sequence):
            members = tuple(components)
        else:
            members = tuple(components[j] for j in range(len(share)))
            if components.shape[:1] != share.shape:
                raise check.fail(self, "components", f"{len(share)} members", components.shape)
        if share.ndim != 1 or len(members) != len(share):
            raise check.fail(self, "components", f"one for each weight of {share.shape}", members)
        shapes = {(np.shape(m.mean), isinstance(m, Univariate)) for m in members}
        if len(shapes) > 1:
            raise check.fail(self, "components", "over the same space", shapes)
        object.__setattr__(self, "weights", share)
        object.__setattr__(self, "components", members)

    @property
    def shape(self) -> tuple[int, ...]:
        """``()``: a mixture is a single distribution."""
        return ()

    @property
    def event(self) -> tuple[int, ...]:
        """Shape of what is drawn."""
        return np.shape(self.components[0].mean)

    @property
    def mean(self) -> Floats:
        return self._average([c.mean for c in self.components])

    @property
    def var(self) -> Floats:
        """Variance within the components and between them."""
        apart = [(c.mean - self.mean) ** 2 for c in self.components]
        return self._average([c.var + gap for c, gap in zip(self.components, apart, strict=True)])

    @property
    def skewness(self) -> Floats:
        """Third central moment over the cube of the standard deviation, of one number."""
        gaps = [c.mean - self.mean for c in self.components]
        third = [
            c.skewness * c.var**1.5 + 3 * gap * c.var + gap**3
            for c, gap in zip(self.components, gaps, strict=True)
        ]
        return np.asarray(self._average(third) / self.var**1.5)

    @property
    def kurtosis(self) -> Floats:
        """Excess of the fourth central moment over that of a normal distribution."""
        gaps = [c.mean - self.mean for c in self.components]
        fourth = [
            (c.kurtosis + 3) * c.var**2
            + 4 * gap * c.skewness * c.var**1.5
            + 6 * gap**2 * c.var
            + gap**4
            for c, gap in zip(self.components, gaps, strict=True)
        ]
        return np.asarray(self._average(fourth) / self.var**2 - 3.0)

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log density at ``x``, events on its last axes; NaN is marginalised exactly."""
        at = numbers(self, "x", x)
        lead = at.shape[: at.ndim - len(self.event)]
        if at.shape[len(lead) :] != self.event:
            raise check.fail(self, "x", f"of shape (..., {self.event})", f"shape {at.shape}")
        joint = self._joint(at.reshape(int(np.prod(lead)), *self.event))
        return np.asarray(logsumexp(joint, axis=1)).reshape(lead)[()]

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """Log density of every row, of shape (n,)."""
        return np.asarray(self.log_prob(X))

    def responsibilities(self, X: ArrayLike) -> Floats:
        """Probability of every component given each row, of shape (n, k)."""
        joint = self._joint(numbers(self, "X", X))
        total = logsumexp(joint, axis=1, keepdims=True)
        # A row that no component can have made says nothing about them.
        nowhere = np.isneginf(total)
        return np.where(nowhere, self.weights, np.exp(joint - np.where(nowhere, 0.0, total)))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``, separately for every coordinate."""
        return self._average([c.cdf(x) for c in self.components])

    def quantile(self, q: ArrayLike) -> Floats:
        """Least value whose cumulative probability reaches ``q``, by bisection."""
        ends = np.array([c.quantile(q) for c in self.components])
        used = ends[self.weights > 0]
        low, high = used.min(axis=0), used.max(axis=0)
        levels = np.asarray(q, dtype=np.float64).reshape(np.shape(q) + (1,) * len(self.event))
        target = levels * (1.0 - 1e-14)
        start = self.cdf(low) >= target
        a, b = low, high
        for _ in range(_HALVINGS):
            with np.errstate(invalid="ignore"):
                middle = np.where(np.isfinite(a) & np.isfinite(b), a + (b - a) / 2, b)
            reached = self.cdf(middle) >= target
            a, b = np.where(reached, a, middle), np.where(reached, middle, b)
        # Counts and states are whole: the search ends within rounding of them.
        whole = np.round(b)
        near = (np.abs(b - whole) <= 1e-9 * (1 + np.abs(whole))) & (self.cdf(whole) >= target)
        return np.asarray(np.where(start, low, np.where(near, whole, b)))

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` draws, along a new first axis."""
        generator = source(self, n, rng)
        which = generator.choice(len(self.weights), size=n, p=self.weights)
        draws = np.empty((n, *self.event))
        for j, component in enumerate(self.components):
            here = np.flatnonzero(which == j)
            draws[here] = component.sample(len(here), generator)
        return draws

    def marginal(self, idx: Any) -> Self:
        """Mixture of the marginals of the components."""
        return type(self)(self.weights, [c.marginal(idx) for c in self.components])

    def condition(self, idx: Any, values: ArrayLike) -> Self:
        """Mixture of the conditionals, each weighted by how well it explains the values."""
        given = np.asarray(values, dtype=np.float64)
        with np.errstate(divide="ignore"):
            log_weight = np.log(self.weights)
        for j, component in enumerate(self.components):
            log_weight[j] += float(np.sum(component.marginal(idx).log_prob(given)))
        total = logsumexp(log_weight)
        if not np.isfinite(total):
            raise check.fail(self, "values", "possible under a component", values)
        rest = [c.condition(idx, given) for c in self.components]
        return type(self)(np.exp(log_weight - total), rest)

    def __repr__(self) -> str:
        kinds = sorted({type(c).__name__ for c in self.components})
        return f"MixtureDistribution({len(self.weights)} components: {', '.join(kinds)})"

    def _joint(self, rows: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            log_weight = np.log(self.weights)
        return np.stack([c.log_prob_rows(rows) for c in self.components], axis=1) + log_weight

    def _average(self, values: Sequence[Any]) -> Floats:
        return np.asarray(sum(w * v for w, v in zip(self.weights, values, strict=True) if w > 0))
