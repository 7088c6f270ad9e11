"""Hidden Markov models with normal vectors."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, check
from margin.core.types import Floats
from margin.sequence.hidden_markov._base import HiddenMarkovBase
from margin.sequence.hidden_markov.emissions._normal_emission import (
    NormalEmission,
    NormalLaws,
    given_covariances,
)


class GaussianHMM(HiddenMarkovBase):
    r"""Hidden Markov model whose states show normal vectors.

    .. math:: p(v_{1:T}, h_{1:T}) = p(h_1)\, p(v_1 \mid h_1) \prod_{t=2}^T
              p(h_t \mid h_{t-1})\, p(v_t \mid h_t), \qquad v_t \mid h_t = k \sim N(\mu_k, \Sigma_k)

    Fitted by the algorithm of Baum and Welch (sequence.16, sequence.21): the posterior of the
    states stands in for the states, and counts, means and covariances follow. Known states
    (``y``) make it counting (sequence.15), some known states are partial labels. What is maximised
    is the log likelihood less
    :math:`\tfrac12 \sum_k \operatorname{tr}(\Psi \Sigma_k^{-1})`, a trace of a prior that keeps
    every covariance positive definite, plus the Dirichlet priors.

    Parameters
    ----------
    n_states : int
        Number of hidden states ``K``.
    covariance_type : {"full", "tied", "diag", "spherical"}
        One covariance for each state, one for all, variances, or one variance.
    min_covar : float
        Size of :math:`\Psi`, in units of the variances of the columns; 0 for maximum likelihood.
    means_init, covariances_init : array-like of shape (K, d), (K, d, d), optional
        Where to start.
    start_init, transition_init : array-like of shape (K,), (K, K), optional
        Where to start; zeros are structural and stay (rows sum to one).
    groups : array-like of shape (K,), optional
        Ties laws: states with the same number show the same law.
    start_prior, transition_prior : float
        Dirichlet concentrations of at least 1; 1 is maximum likelihood.
    fixed : tuple of {"start", "transition", "emission"}
        What is not learned.
    init : {"kmeans", "random", "mixture", "viterbi"}
        How a start is found: clusters of the rows, noisy rows (sequence.17), a mixture that knows
        nothing of time (sequence.19), counts along best paths (sequence.18).
    n_init : int
        Number of starts, of which the best is kept.
    algorithm : {"em", "viterbi"}
        All paths, or the best one: Viterbi training (sequence.20).
    low_memory : bool
        Learn with :math:`O(\sqrt T K)` memory beside the data, at half as much work again.
    decoding : {"viterbi", "posterior"}
        What :meth:`predict` answers.
    max_iter, tol : int, float
        Most iterations, and the relative gain of the objective that ends them.
    random_state : None, int or Generator
    n_jobs : int or None
        Threads; the answer does not depend on it.

    Attributes
    ----------
    start_, transition_ : ndarray of shape (K,), (K, K)
    means_, covariances_ : ndarray of shape (K, d), (K, d, d)
    emission_ : MultivariateNormal
        With a member for each law.
    fit_report_ : FitReport
    n_iter_, n_parameters_, n_features_in_ : int

    Notes
    -----
    :math:`O(T K (K + d^2))` for an iteration, :math:`O(T K)` memory.

    References
    ----------
    Rabiner (1989), A tutorial on hidden Markov models.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> level = np.repeat([0.0, 5.0, 0.0, 5.0], 50)
    >>> x = level + rng.normal(size=200)
    >>> model = GaussianHMM(2, random_state=0).fit(x)
    >>> np.sort(model.means_[:, 0]).round(1)
    array([0.1, 5. ])
    >>> x[60:80] = np.nan  # unobserved: filled by what is around
    >>> len(set(model.predict(x)[50:100]))
    1
    >>> round(float(model.forecast().mean[0]), 1)
    4.9
    """

    card = Card(
        tasks=("density",), input="sequences", search_space={"n_states": [1, 2, 3, 4, 5, 6]}
    )

    def __init__(
        self,
        n_states: int = 2,
        covariance_type: str = "full",
        *,
        min_covar: float = 1e-3,
        means_init: ArrayLike | None = None,
        covariances_init: ArrayLike | None = None,
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
        self.covariance_type = covariance_type
        self.min_covar = min_covar
        self.means_init = means_init
        self.covariances_init = covariances_init
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

    def _emission(self, n_features: int) -> NormalEmission:
        kinds = ("full", "tied", "diag", "spherical")
        check.params(self, nonnegative="min_covar", one_of={"covariance_type": kinds})
        return NormalEmission(self.covariance_type, float(self.min_covar))

    def _given_laws(self, emission: NormalEmission, n_groups: int, n_features: int) -> Any:
        if self.means_init is None:
            if self.covariances_init is not None:
                raise check.fail(self, "covariances_init", "given with means_init", "no means_init")
            return None
        mean = np.array(self.means_init, dtype=np.float64)
        mean = mean[:, None] if mean.ndim == 1 and n_features == 1 else mean
        if mean.shape != (n_groups, n_features) or not np.isfinite(mean).all():
            wanted = f"finite, of shape ({n_groups}, {n_features})"
            raise check.fail(self, "means_init", wanted, f"shape {np.shape(self.means_init)}")
        if self.covariances_init is None:
            spread = emission.usual_spread(n_features)
            spread = np.broadcast_to(spread, (n_groups, n_features, n_features))
        else:
            shape = (n_groups, n_features, n_features)
            spread = given_covariances(self, "covariances_init", self.covariances_init, shape)
        return NormalLaws(mean, np.ascontiguousarray(spread))

    @property
    def means_(self) -> Floats:
        """Mean of every law."""
        return np.asarray(self.emission_.mean)

    @property
    def covariances_(self) -> Floats:
        """Covariance of every law."""
        return np.asarray(self._parameters.laws.covariance)
