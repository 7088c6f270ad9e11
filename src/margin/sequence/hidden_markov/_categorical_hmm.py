"""Hidden Markov models with symbols."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, check
from margin.core.types import Floats
from margin.distributions import Categorical
from margin.sequence.hidden_markov._base import HiddenMarkovBase
from margin.sequence.hidden_markov._starts import given_probabilities
from margin.sequence.hidden_markov.emissions._emission import SymbolEmission


class CategoricalHMM(HiddenMarkovBase):
    r"""Hidden Markov model whose states show symbols (sequence.06, sequence.16).

    .. math:: p(v_{1:T}, h_{1:T}) = a_{h_1} B_{h_1 v_1} \prod_{t=2}^T A_{h_{t-1} h_t} B_{h_t v_t}

    Parameters
    ----------
    n_states : int
        Number of hidden states.
    n_symbols : int, optional
        Number of symbols 0, 1, …; as many as are seen by default.
    emission_init : array-like of shape (K, n_symbols), optional
        Where to start; zeros are structural and stay.
    emission_prior : float
        Dirichlet concentration of the rows, at least 1; 1 is maximum likelihood.
    start_init, transition_init, groups, start_prior, transition_prior, fixed
        As in :class:`GaussianHMM`.
    init, n_init, algorithm, low_memory, decoding, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_ : ndarray of shape (K,), (K, K)
    emission_probabilities_ : ndarray of shape (K, n_symbols)
    emission_ : Categorical
    fit_report_ : FitReport

    Notes
    -----
    :math:`O(T K^2)` for an iteration.

    Examples
    --------
    A known model: nothing is learned, everything can be asked.

    >>> import numpy as np
    >>> model = CategoricalHMM(
    ...     2, start_init=[0.6, 0.4], transition_init=[[0.7, 0.3], [0.4, 0.6]],
    ...     emission_init=[[0.9, 0.1], [0.2, 0.8]], fixed=("start", "transition", "emission"),
    ... ).fit([[0, 0, 1]])
    >>> np.exp(model.log_prob([[0, 0, 1]])).round(6)
    array([0.13623])
    >>> model.predict([[0, 0, 1]])[0]
    array([0, 0, 1], dtype=int32)
    >>> model.forecast(2).probabilities.round(6)
    array([[0.522407, 0.477593],
           [0.576722, 0.423278]])
    """

    card = Card(
        tasks=("density",), input="sequences", search_space={"n_states": [1, 2, 3, 4, 5, 6]}
    )

    def __init__(
        self,
        n_states: int = 2,
        *,
        n_symbols: int | None = None,
        emission_init: ArrayLike | None = None,
        emission_prior: float = 1.0,
        start_init: ArrayLike | None = None,
        transition_init: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        start_prior: float = 1.0,
        transition_prior: float = 1.0,
        fixed: tuple[str, ...] = (),
        init: str = "random",
        n_init: int = 1,
        algorithm: str = "em",
        low_memory: bool = False,
        decoding: str = "viterbi",
        max_iter: int = 200,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.n_symbols = n_symbols
        self.emission_init = emission_init
        self.emission_prior = emission_prior
        self.start_init = start_init
        self.transition_init = transition_init
        self.groups = groups
        self.start_prior = start_prior
        self.transition_prior = transition_prior
        self.fixed = fixed
        self.init = init
        self.n_init = n_init
        self.algorithm = algorithm
        self.low_memory = low_memory
        self.decoding = decoding
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _emission(self, n_features: int) -> SymbolEmission:
        if self.n_symbols is not None:
            check.params(self, count="n_symbols")
        check.params(self, positive="emission_prior")
        if self.emission_prior < 1:
            raise check.fail(self, "emission_prior", "at least 1", self.emission_prior)
        known = self.n_symbols
        if self.emission_init is not None:
            known = known or np.shape(self.emission_init)[-1]
        return SymbolEmission(n_symbols=known, prior=float(self.emission_prior))

    def _given_laws(self, emission: SymbolEmission, n_groups: int, n_features: int) -> Any:
        if n_features != 1:
            raise check.fail(self, "X", "one symbol for each step", f"{n_features} columns")
        assert emission.n_symbols is not None
        shape = (n_groups, emission.n_symbols)
        table = given_probabilities(self, "emission_init", self.emission_init, shape)
        return None if table is None else Categorical(table)

    @property
    def emission_probabilities_(self) -> Floats:
        """Probability of every symbol in every state."""
        return np.asarray(self.emission_.probabilities)
