"""Hidden Markov models of symbols with a belief about their parameters."""

from typing import Any

import numpy as np

from margin.core import Card, check
from margin.core.types import Floats
from margin.distributions import Categorical, DirichletCategorical
from margin.sequence.hidden_markov._learning import Learning
from margin.sequence.hidden_markov.emissions._emission import SymbolEmission
from margin.sequence.hidden_markov.variational._variational_base import VariationalBase


class VariationalCategoricalHMM(VariationalBase):
    r"""Hidden Markov model of symbols by variational Bayes (sequence.16).

    .. math:: \log p(v) \ge \sum_n \log \tilde Z_n - \mathrm{KL}(q(\theta), p(\theta)), \qquad
              \tilde\theta = \exp E_q[\log \theta]

    Beliefs about start, transitions and emissions are Dirichlet; the messages run on their expected
    logarithms. With small priors, states that are not needed lose their mass: the number of
    states may be chosen generously.

    Parameters
    ----------
    n_states : int
    n_symbols : int, optional
        As many as are seen by default.
    start_prior, transition_prior, emission_prior : float
        Concentrations of the prior, above 0.
    init : {"kmeans", "random"}
        How a start is found: clusters of symbols, or a random share for every symbol.
    decoding : {"viterbi", "posterior"}
    n_init, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_, emission_probabilities_ : ndarray
        Posterior means.
    start_posterior_, transition_posterior_ : Dirichlet
    emission_posterior_ : DirichletCategorical
    visits_ : ndarray of shape (K,)
        Expected number of steps in each state; 0 of one that is not needed.
    lower_bound_ : float
        Of the log evidence.
    fit_report_ : FitReport

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = [np.repeat(rng.integers(0, 2, 10), 8) for _ in range(5)]
    >>> model = VariationalCategoricalHMM(4, transition_prior=0.1, random_state=0).fit(x)
    >>> model.lower_bound_ < model.log_prob(x).sum()
    np.True_
    """

    card = Card(tasks=("density",), input="sequences", search_space={"n_states": [2, 4, 8]})

    def __init__(
        self,
        n_states: int = 2,
        *,
        n_symbols: int | None = None,
        start_prior: float = 1.0,
        transition_prior: float = 1.0,
        emission_prior: float = 1.0,
        init: str = "random",
        decoding: str = "viterbi",
        n_init: int = 3,
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.n_symbols = n_symbols
        self.start_prior = start_prior
        self.transition_prior = transition_prior
        self.emission_prior = emission_prior
        self.init = init
        self.decoding = decoding
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _emission(self, n_features: int) -> SymbolEmission:
        check.params(self, positive="emission_prior")
        if n_features != 1:
            raise check.fail(self, "X", "one symbol for each step", f"{n_features} columns")
        if self.n_symbols is not None:
            check.params(self, count="n_symbols")
        return SymbolEmission(n_symbols=self.n_symbols)

    def _prior(self, problem: Learning) -> DirichletCategorical:
        emission: Any = problem.emission
        return DirichletCategorical(np.full(emission.n_symbols, float(self.emission_prior)))

    def _plug_in(self, belief: DirichletCategorical) -> Categorical:
        return Categorical(belief.mean)

    @property
    def emission_probabilities_(self) -> Floats:
        """Expected probability of every symbol in every state."""
        return np.asarray(self.emission_.probabilities)
