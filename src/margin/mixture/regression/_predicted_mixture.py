"""A mixture of normal distributions for every row of a table."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from margin.core import check
from margin.core.types import Floats
from margin.distributions import Normal, Univariate

_HALVINGS = 80


@dataclass(frozen=True, eq=False, repr=False)
class PredictedMixture(Univariate):
    r"""Predictions :math:`p(y_i) = \sum_k g_{ik} N(y_i; \mu_{ik}, \sigma_k^2)`, row by row.

    Parameters
    ----------
    weights : ndarray of shape (n, k)
        :math:`g`, rows of sum one.
    components : Normal of shape (n, k)

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Normal
    >>> two = PredictedMixture(np.array([[0.5, 0.5]]), Normal([[-2.0, 2.0]], 1.0))
    >>> two.mean, two.var, two.cdf(0.0)
    (array([0.]), array([5.]), array([0.5]))
    """

    weights: Floats
    components: Normal

    def __post_init__(self) -> None:
        if self.weights.shape != self.components.shape:
            need = f"of shape {self.components.shape}"
            raise check.fail(self, "weights", need, f"shape {self.weights.shape}")

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of rows."""
        return self.weights.shape[:-1]

    @property
    def mean(self) -> Floats:
        return np.asarray((self.weights * self.components.mean).sum(axis=-1))

    @property
    def var(self) -> Floats:
        """Variance within the components and between them."""
        apart = (self.components.mean - self.mean[..., None]) ** 2
        return np.asarray((self.weights * (self.components.var + apart)).sum(axis=-1))

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log density of every row at ``x``; NaN is marginalised."""
        with np.errstate(divide="ignore"):
            level = np.log(self.weights)
        at = np.asarray(x, dtype=np.float64)[..., None]
        return np.asarray(logsumexp(self.components.log_prob(at) + level, axis=-1))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``."""
        at = np.asarray(x, dtype=np.float64)[..., None]
        return np.asarray((self.weights * self.components.cdf(at)).sum(axis=-1))

    def quantile(self, q: ArrayLike) -> Floats:
        """Where the ``cdf`` reaches ``q``, by bisection; the axes of ``q`` come first."""
        level = np.asarray(q, dtype=np.float64)
        ends = self.components.quantile(level)
        low, high = ends.min(axis=-1), ends.max(axis=-1)
        target = level.reshape(level.shape + (1,) * len(self.shape))
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            below = self.cdf(middle) < target
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.asarray(high)

    def sample(self, n: int, rng: Any) -> Floats:
        """``n`` draws of every row, along a new first axis."""
        source = np.random.default_rng(rng)
        draws = self.components.sample(n, source)
        level = source.random((n, *self.shape, 1))
        which = (np.cumsum(self.weights, axis=-1) < level).sum(axis=-1, keepdims=True)
        which = np.minimum(which, self.weights.shape[-1] - 1)
        return np.asarray(np.take_along_axis(draws, which, axis=-1)[..., 0])

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.weights[key], self.components[key])

    def __repr__(self) -> str:
        return f"PredictedMixture({self.weights.shape[-1]} components, shape={self.shape})"
