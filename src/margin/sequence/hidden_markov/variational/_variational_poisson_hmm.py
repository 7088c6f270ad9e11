"""Hidden Markov models of counts with a belief about their parameters."""

from typing import Any

import numpy as np

from margin.core import Card, check
from margin.core.types import Floats
from margin.distributions import GammaPoisson, Poisson
from margin.sequence.hidden_markov._learning import Learning
from margin.sequence.hidden_markov._starts import each_row
from margin.sequence.hidden_markov.emissions._emission import FamilyEmission, column_spread
from margin.sequence.hidden_markov.variational._variational_base import VariationalBase


class VariationalPoissonHMM(VariationalBase):
    r"""Hidden Markov model of counts by variational Bayes (sequence.16, sequence.21).

    .. math:: \lambda_{kj} \sim \mathrm{Gamma}(a, a / m_j), \qquad
              v_{tj} \mid h_t = k \sim \mathrm{Poisson}(\lambda_{kj})

    The rates are integrated out; a state that explains nothing falls back on the prior and its
    mass is gone.

    Parameters
    ----------
    n_states : int
        Most states.
    concentration_prior : float
        Shape :math:`a` of the belief about every rate.
    rate_prior : float, optional
        The expected rate :math:`m`; the means of the columns by default.
    start_prior, transition_prior : float
        Dirichlet concentrations, above 0.
    init : {"kmeans", "random"}
        How a start is found.
    decoding : {"viterbi", "posterior"}
    n_init, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_ : ndarray of shape (K,), (K, K)
        Posterior means.
    rates_ : ndarray of shape (K, d)
        Expected rates.
    start_posterior_, transition_posterior_ : Dirichlet
    emission_posterior_ : GammaPoisson
    visits_ : ndarray of shape (K,)
        Expected number of steps in each state; 0 of one that is not needed.
    lower_bound_ : float
        Of the log evidence.
    fit_report_ : FitReport

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> calls = np.r_[rng.poisson(1.0, 100), rng.poisson(9.0, 100)]
    >>> bounds = [VariationalPoissonHMM(k, random_state=0).fit(calls).lower_bound_ for k in (1, 2)]
    >>> bounds[1] - bounds[0] > 300
    True
    """

    card = Card(tasks=("density",), input="sequences", search_space={"n_states": [2, 4, 8]})

    def __init__(
        self,
        n_states: int = 2,
        *,
        concentration_prior: float = 1.0,
        rate_prior: float | None = None,
        start_prior: float = 1.0,
        transition_prior: float = 1.0,
        init: str = "kmeans",
        decoding: str = "viterbi",
        n_init: int = 3,
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.concentration_prior = concentration_prior
        self.rate_prior = rate_prior
        self.start_prior = start_prior
        self.transition_prior = transition_prior
        self.init = init
        self.decoding = decoding
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _emission(self, n_features: int) -> FamilyEmission:
        check.params(self, positive="concentration_prior")
        if self.rate_prior is not None:
            check.params(self, positive="rate_prior")
        return FamilyEmission(Poisson)

    def _prior(self, problem: Learning) -> GammaPoisson:
        mean, _ = column_spread(problem.rows, each_row(problem))
        expected = np.where(mean > 0, mean, 1.0)
        if self.rate_prior is not None:
            expected = np.full(len(mean), float(self.rate_prior))
        shape = float(self.concentration_prior)
        rate = shape / expected
        return GammaPoisson(shape, rate[0]) if len(mean) == 1 else GammaPoisson(shape, rate)

    def _plug_in(self, belief: GammaPoisson) -> Poisson:
        return Poisson(belief.mean)

    @property
    def rates_(self) -> Floats:
        """Expected rate of every state and column."""
        return np.reshape(self.emission_.rate, (-1, self.n_features_in_))
