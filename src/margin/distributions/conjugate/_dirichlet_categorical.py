"""Beliefs about the probabilities of states."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from margin.core import check
from margin.core.types import Floats
from margin.distributions._parameters import parameter
from margin.distributions._requirements import as_statistics
from margin.distributions._rows import sums_over_columns
from margin.distributions.discrete._categorical import Categorical
from margin.distributions.multivariate._dirichlet import Dirichlet
from margin.distributions.multivariate._dirichlet_multinomial import DirichletMultinomial
from margin.distributions.statistics._state_counts import StateCounts
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class DirichletCategorical:
    r"""Dirichlet belief about the probabilities of states or of multinomial counts.

    .. math:: \theta \sim \mathrm{Dir}(\alpha), \qquad x \mid \theta \sim \mathrm{Cat}(\theta)

    (distributions.31, distributions.36.) The mean :math:`(N_j + \alpha_j)/\sum(N + \alpha)` is
    what predicts the next state; the mode, with :math:`\alpha_j - 1` in place of :math:`\alpha_j`,
    is another estimate.

    Parameters
    ----------
    concentration : array-like of shape (..., K)
        :math:`\alpha_j > 0`: how often each state is taken to have been seen.

    Examples
    --------
    >>> belief = DirichletCategorical([2.0, 2.0, 2.0]).posterior([0, 0, 1])
    >>> belief.mean.round(6), belief.mode.round(6)
    (array([0.444444, 0.333333, 0.222222]), array([0.5     , 0.333333, 0.166667]))
    """

    concentration: Floats

    def __init__(self, concentration: ArrayLike) -> None:
        alpha = parameter(self, "concentration", concentration, positive=True)
        if alpha.ndim == 0:
            raise check.fail(self, "concentration", "of shape (..., K)", f"shape {alpha.shape}")
        object.__setattr__(self, "concentration", alpha)

    @property
    def n_states(self) -> int:
        """Number of states ``K``."""
        return int(self.concentration.shape[-1])

    @property
    def distribution(self) -> Dirichlet:
        """Of the probabilities."""
        return Dirichlet(self.concentration)

    @property
    def mean(self) -> Floats:
        return self.distribution.mean

    @property
    def mode(self) -> Floats:
        r"""Most probable :math:`\theta` (distributions.36).

        States of a concentration below 1 get 0; where none is above 1, every corner or every point
        is as probable, and the mean is taken.
        """
        above = np.maximum(self.concentration - 1.0, 0.0)
        total = above.sum(axis=-1, keepdims=True)
        return np.where(total > 0, above / np.where(total > 0, total, 1.0), self.mean)

    @property
    def strength(self) -> Floats:
        """How many observations the belief is worth."""
        return np.asarray(self.concentration.sum(axis=-1))

    def posterior(self, stats: StateCounts | Totals | ArrayLike) -> Self:
        """Belief after counts of states: they are added."""
        return type(self)(self.concentration + self._counts(stats)[0])

    def predictive(self, n: int | None = None) -> Categorical | DirichletMultinomial:
        """Distribution of the next state, or of the counts in the next ``n``."""
        return Categorical(self.mean) if n is None else DirichletMultinomial(n, self.concentration)

    def log_evidence(self, stats: StateCounts | Totals | ArrayLike) -> Floats:
        r"""Log probability of the data: of the states in their order, or of multinomial counts.

        .. math:: \log\frac{\Gamma(A)}{\Gamma(A + N)} + \sum_j
                  \log\frac{\Gamma(\alpha_j + N_j)}{\Gamma(\alpha_j)}
        """
        counts, extra = self._counts(stats)
        before, after = self.concentration, self.concentration + counts
        value = gammaln(before.sum(axis=-1)) - gammaln(after.sum(axis=-1))
        return np.asarray(value + (gammaln(after) - gammaln(before)).sum(axis=-1) + extra)

    def expected_log_prob(self, X: ArrayLike) -> Floats:
        r"""Expectation :math:`\psi(\alpha_x) - \psi(A)` of the log probability of every row.

        Columns are independent and NaN adds nothing; of shape (n,) or (n, k).
        """
        table = self.distribution.expected_log

        def density(x: Floats) -> Floats:
            states = np.where(np.isnan(x), 0.0, x).astype(np.intp)
            if np.any((states < 0) | (states >= self.n_states)):
                raise check.fail(self, "X", f"states below {self.n_states} or NaN", states.max())
            shape = np.broadcast_shapes(x.shape, table.shape[:-1])
            wide = np.broadcast_to(table, (*shape, self.n_states))
            index = np.broadcast_to(states, shape)[..., None]
            value = np.take_along_axis(wide, index, axis=-1)[..., 0]
            return np.where(np.isnan(x), 0.0, value)

        return sums_over_columns(self, density, table.shape[:-1], X)

    def kl(self, other: "DirichletCategorical") -> Floats:
        """Divergence of this belief from another: its price in a variational bound."""
        return self.distribution.kl(other.distribution)

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.concentration[key])

    def __repr__(self) -> str:
        lead = self.concentration.shape[:-1]
        return f"DirichletCategorical({self.n_states} states{f', shape={lead}' if lead else ''})"

    def _counts(self, stats: Any) -> tuple[Floats, Any]:
        """Counts of all states, and the log coefficients of multinomial ones."""
        if isinstance(stats, Totals):
            counts, extra = stats.total[..., :-1], stats.total[..., -1]
        else:
            seen = as_statistics(self, StateCounts, stats)
            counts, extra = seen.padded(self.n_states), np.zeros(())
        if counts.shape[-1] != self.n_states:
            raise check.fail(self, "stats", f"of {self.n_states} states", counts.shape[-1])
        return counts, extra
