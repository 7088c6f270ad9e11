"""Hidden Markov models with counts."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, check
from margin.core.types import Floats
from margin.distributions import Poisson
from margin.sequence.hidden_markov._base import HiddenMarkovBase
from margin.sequence.hidden_markov.emissions._emission import FamilyEmission


class PoissonHMM(HiddenMarkovBase):
    r"""Hidden Markov model whose states show counts (sequence.21).

    .. math:: v_{tj} \mid h_t = k \sim \mathrm{Poisson}(\lambda_{kj})

    Parameters
    ----------
    n_states : int
        Number of hidden states.
    rates_init : array-like of shape (K, d), optional
        Where to start.
    start_init, transition_init, groups, start_prior, transition_prior, fixed
        As in :class:`GaussianHMM`.
    init, n_init, algorithm, low_memory, decoding, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_ : ndarray of shape (K,), (K, K)
    rates_ : ndarray of shape (K, d)
    emission_ : Poisson
    fit_report_ : FitReport

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> calls = np.r_[rng.poisson(1.0, 100), rng.poisson(9.0, 100)]
    >>> model = PoissonHMM(2, random_state=0).fit(calls)
    >>> np.sort(model.rates_[:, 0]).round(1)
    array([1.2, 9. ])
    """

    card = Card(
        tasks=("density",), input="sequences", search_space={"n_states": [1, 2, 3, 4, 5, 6]}
    )

    def __init__(
        self,
        n_states: int = 2,
        *,
        rates_init: ArrayLike | None = None,
        start_init: ArrayLike | None = None,
        transition_init: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        start_prior: float = 1.0,
        transition_prior: float = 1.0,
        fixed: tuple[str, ...] = (),
        init: str = "kmeans",
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
        self.rates_init = rates_init
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

    def _emission(self, n_features: int) -> FamilyEmission:
        return FamilyEmission(Poisson)

    def _given_laws(self, emission: FamilyEmission, n_groups: int, n_features: int) -> Any:
        if self.rates_init is None:
            return None
        rates = np.asarray(self.rates_init, dtype=np.float64)
        rates = rates[:, None] if rates.ndim == 1 and n_features == 1 else rates
        if rates.shape != (n_groups, n_features) or not (np.isfinite(rates) & (rates > 0)).all():
            wanted = f"numbers above 0 of shape ({n_groups}, {n_features})"
            raise check.fail(self, "rates_init", wanted, f"shape {np.shape(self.rates_init)}")
        return Poisson(rates[:, 0] if n_features == 1 else rates)

    @property
    def rates_(self) -> Floats:
        """Rate of every state and column."""
        return np.reshape(self.emission_.rate, (-1, self.n_features_in_))
