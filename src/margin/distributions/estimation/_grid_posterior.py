"""Full Bayesian estimation on a grid of parameters."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers


@dataclass(frozen=True, eq=False)
class GridPosterior:
    r"""Belief about a parameter on a grid of values (distributions.27).

    .. math:: p(\theta \mid D) \propto p(\theta) \prod_i p(x_i \mid \theta)

    Begins as the prior; :meth:`update` takes data, all at once or batch by batch, with the same
    end. Exact up to the grid, for any likelihood and any prior of one or two parameters.

    Parameters
    ----------
    grid : ndarray of shape (m, ...)
        Values of the parameter.
    log_weight : ndarray of shape (m,)
        Logarithms of their probabilities, which sum to one.
    log_evidence : float
        Of all data so far.

    Examples
    --------
    >>> from margin.distributions import Bernoulli
    >>> belief = GridPosterior.of(np.linspace(0.0005, 0.9995, 1000))
    >>> belief = belief.update(Bernoulli, [1, 1, 0, 0, 0, 1, 1])
    >>> round(float(belief.mean), 4), round(float(np.exp(belief.log_evidence)), 6)
    (0.5556, 0.003571)
    """

    grid: Floats
    log_weight: Floats
    log_evidence: float = 0.0

    @classmethod
    def of(cls, grid: ArrayLike, log_prior: ArrayLike | None = None) -> "GridPosterior":
        """The prior: flat, or with the given logarithms of a density up to a constant."""
        points = numbers("GridPosterior", "grid", grid)
        given = np.zeros(len(points)) if log_prior is None else np.asarray(log_prior, dtype=float)
        if given.shape != points.shape[:1] or not len(points):
            need = f"of shape ({len(points)},), at least one"
            raise check.fail("GridPosterior", "log_prior", need, f"shape {given.shape}")
        return cls(points, given - logsumexp(given))

    def update(self, make: Callable[[Any], Any], X: ArrayLike) -> "GridPosterior":
        """Belief after rows, under the distribution that ``make`` gives for a value."""
        rows = numbers(self, "X", X)
        likelihood = np.array([float(make(t).log_prob_rows(rows).sum()) for t in self.grid])
        joint = self.log_weight + likelihood
        total = float(logsumexp(joint))
        if not np.isfinite(total):
            raise check.fail(self, "X", "possible for some value of the grid", X)
        return GridPosterior(self.grid, joint - total, self.log_evidence + total)

    @property
    def mean(self) -> Floats:
        """Posterior mean of the parameter."""
        return np.asarray(np.tensordot(np.exp(self.log_weight), self.grid, 1))

    @property
    def mode(self) -> Floats:
        """Most probable value of the grid."""
        return np.asarray(self.grid[int(np.argmax(self.log_weight))])

    def predictive_log_prob(self, make: Callable[[Any], Any], x: ArrayLike) -> Floats:
        """Log density of new rows, each by itself, the parameter summed out."""
        rows = numbers(self, "x", x)
        each = np.array([make(t).log_prob_rows(rows) for t in self.grid])
        return np.asarray(logsumexp(each + self.log_weight[:, None], axis=0))
