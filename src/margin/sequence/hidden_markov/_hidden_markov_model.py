"""Hidden Markov models with any family of distributions."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, check
from margin.distributions import Distribution, Normal
from margin.sequence.hidden_markov._base import HiddenMarkovBase
from margin.sequence.hidden_markov.emissions._emission import FamilyEmission


class HiddenMarkovModel(HiddenMarkovBase):
    r"""Hidden Markov model whose states show members of any family (sequence.06, sequence.21).

    .. math:: p(v_{1:T}, h_{1:T}) = p(h_1)\, p(v_1 \mid h_1) \prod_{t=2}^T
              p(h_t \mid h_{t-1})\, p(v_t \mid h_t)

    Parameters
    ----------
    emission : type or ProductFamily
        A family of :mod:`margin.distributions` with statistics and fit; its columns are
        independent given the state unless it is a family of vectors. ``ProductFamily`` mixes
        families for unlike columns.
    n_states : int
        Number of hidden states.
    emission_options : dict, optional
        Keywords of the family's ``fit``.
    emission_init : distribution, optional
        With a member for each law, to start from.
    start_init, transition_init, groups, start_prior, transition_prior, fixed
        As in :class:`GaussianHMM`.
    init, n_init, algorithm, low_memory, decoding, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_ : ndarray of shape (K,), (K, K)
    emission_ : distribution
        With a member for each law.
    fit_report_ : FitReport

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Exponential
    >>> rng = np.random.default_rng(0)
    >>> waits = [np.r_[rng.exponential(1.0, 40), rng.exponential(20.0, 40)] for _ in range(5)]
    >>> model = HiddenMarkovModel(Exponential, 2, random_state=0).fit(waits)
    >>> bool(model.emission_.mean.max() > 10 * model.emission_.mean.min())
    True
    """

    card = Card(
        tasks=("density",), input="sequences", search_space={"n_states": [1, 2, 3, 4, 5, 6]}
    )

    def __init__(
        self,
        emission: Any = Normal,
        n_states: int = 2,
        *,
        emission_options: dict[str, Any] | None = None,
        emission_init: Any = None,
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
        self.emission = emission
        self.n_states = n_states
        self.emission_options = emission_options
        self.emission_init = emission_init
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
        return FamilyEmission(self.emission, dict(self.emission_options or {}))

    def _given_laws(self, emission: FamilyEmission, n_groups: int, n_features: int) -> Any:
        laws = self.emission_init
        if laws is None:
            return None
        wanted = f"a distribution with {n_groups} members, one for each law"
        if not isinstance(laws, Distribution):
            raise check.fail(self, "emission_init", wanted, type(laws).__name__)
        if tuple(laws.shape[:1]) != (n_groups,):
            raise check.fail(self, "emission_init", wanted, f"shape {laws.shape}")
        try:
            shown = emission.log_prob(laws, np.full((1, n_features), np.nan), 1).shape
        except ValueError as error:
            raise check.fail(
                self, "emission_init", f"over rows of {n_features} columns", f"shape {laws.shape}"
            ) from error
        if shown != (1, n_groups):
            wanted = f"over rows of {n_features} columns"
            raise check.fail(self, "emission_init", wanted, f"shape {laws.shape}")
        return laws
