"""Beliefs about the weights of a mixture: a Dirichlet distribution, or broken sticks."""

from dataclasses import dataclass

import numpy as np
from scipy.special import digamma

from margin.core.types import Floats
from margin.distributions import Beta, Dirichlet


@dataclass(frozen=True, eq=False)
class WeightBelief:
    r"""What is believed of the weights.

    With sticks, weight ``k`` is a share :math:`v_k \sim \mathrm{Beta}(a_k, b_k)` of what the ones
    before left; otherwise all are :math:`\mathrm{Dirichlet}(a)`.

    Parameters
    ----------
    first : ndarray of shape (k,)
        :math:`a`.
    second : ndarray of shape (k,) or None
        :math:`b`, of sticks.

    Examples
    --------
    >>> import numpy as np
    >>> WeightBelief(np.array([2.0, 2.0]), None).mean
    array([0.5, 0.5])
    """

    first: Floats
    second: Floats | None

    @classmethod
    def posterior(cls, total: Floats, concentration: float, *, sticks: bool) -> "WeightBelief":
        """Belief given how much belongs to each component."""
        if not sticks:
            return cls(concentration + total, None)
        later = np.concatenate([np.cumsum(total[::-1])[-2::-1], [0.0]])
        return cls(1.0 + total, concentration + later)

    @property
    def concentration(self) -> Floats | tuple[Floats, Floats]:
        """As scikit-learn keeps it."""
        return self.first if self.second is None else (self.first, self.second)

    @property
    def mean(self) -> Floats:
        """Expected weights, of sum one."""
        if self.second is None:
            return np.asarray(self.first / self.first.sum())
        total = self.first + self.second
        left = np.cumprod((self.second / total)[:-1])
        weights = self.first / total * np.concatenate([[1.0], left])
        return np.asarray(weights / weights.sum())

    @property
    def expected_log(self) -> Floats:
        """Expected logarithms of the weights."""
        if self.second is None:
            return np.asarray(digamma(self.first) - digamma(self.first.sum()))
        total = digamma(self.first + self.second)
        left = np.cumsum(digamma(self.second) - total)[:-1]
        return np.asarray(digamma(self.first) - total + np.concatenate([[0.0], left]))

    def price(self, concentration: float) -> float:
        """Divergence from the prior."""
        k = len(self.first)
        if self.second is None:
            prior = Dirichlet(np.full(k, concentration))
            return float(Dirichlet(self.first).kl(prior)) if k > 1 else 0.0
        before = Beta(np.ones(k), np.full(k, concentration))
        return float(Beta(self.first, self.second).kl(before).sum())
