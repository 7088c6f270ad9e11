"""The Dirichlet-multinomial distribution: counts whose probabilities are uncertain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from margin.core import check
from margin.core.types import Floats
from margin.distributions._parameters import parameter
from margin.distributions._parametric import is_count
from margin.distributions._requirements import Seed, numbers, source


@dataclass(frozen=True, eq=False)
class DirichletMultinomial:
    r"""Counts of ``n`` draws from Pólya's urn, or an array of them.

    .. math:: p(x) = \frac{n!\,\Gamma(A)}{\Gamma(n + A)} \prod_j
              \frac{\Gamma(x_j + \alpha_j)}{x_j!\,\Gamma(\alpha_j)}, \qquad A = \sum_j \alpha_j

    The prediction of :class:`DirichletCategorical` for several trials.

    Parameters
    ----------
    n : int
        Trials.
    concentration : array-like of shape (..., K)
        :math:`\alpha_j > 0`.

    Examples
    --------
    >>> urn = DirichletMultinomial(2, [1.0, 1.0])
    >>> np.exp(urn.log_prob([[2, 0], [1, 1], [0, 2]])).round(6)
    array([0.333333, 0.333333, 0.333333])
    """

    n: int
    concentration: Floats

    def __init__(self, n: int, concentration: ArrayLike) -> None:
        if not is_count(np.asarray(n, dtype=np.float64)).all() or np.ndim(n):
            raise check.fail(self, "n", "a count", n)
        alpha = parameter(self, "concentration", concentration, positive=True)
        if alpha.ndim == 0:
            raise check.fail(self, "concentration", "of shape (..., K)", f"shape {alpha.shape}")
        object.__setattr__(self, "n", int(n))
        object.__setattr__(self, "concentration", alpha)

    @property
    def mean(self) -> Floats:
        total = self.concentration.sum(axis=-1, keepdims=True)
        return np.asarray(self.n * self.concentration / total)

    @property
    def var(self) -> Floats:
        total = self.concentration.sum(axis=-1, keepdims=True)
        share = self.concentration / total
        return np.asarray(self.n * share * (1 - share) * (self.n + total) / (1 + total))

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log probability of vectors of counts; NaN is marginalised: its states become one."""
        at = numbers(self, "x", x)
        gap = np.isnan(at)
        counts = np.where(gap, 0.0, at)
        possible = is_count(counts).all(axis=-1)
        counts = np.where(is_count(counts), counts, 0.0)
        left = self.n - counts.sum(axis=-1)
        alpha = np.broadcast_to(
            self.concentration, np.broadcast_shapes(at.shape, self.concentration.shape)
        )
        others = np.where(gap, alpha, 0.0).sum(axis=-1)
        possible = possible & np.where(others > 0, left >= 0, left == 0)
        total = alpha.sum(axis=-1)
        value = gammaln(self.n + 1.0) + gammaln(total) - gammaln(self.n + total)
        each = gammaln(counts + alpha) - gammaln(alpha) - gammaln(counts + 1.0)
        value = value + np.where(gap, 0.0, each).sum(axis=-1)
        safe, spare = np.where(others > 0, others, 1.0), np.maximum(left, 0.0)
        more = gammaln(spare + safe) - gammaln(safe) - gammaln(spare + 1.0)
        return np.where(possible, value + np.where(others > 0, more, 0.0), -np.inf)

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` vectors of counts, along a new first axis."""
        generator = source(self, n, rng)
        weights = generator.standard_gamma(self.concentration, (n, *self.concentration.shape))
        chance = weights / weights.sum(axis=-1, keepdims=True)
        return generator.multinomial(self.n, chance).astype(np.float64)
