"""Hidden Markov models with mixtures of normal vectors."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, check
from margin.core.types import Floats
from margin.sequence.hidden_markov._base import HiddenMarkovBase
from margin.sequence.hidden_markov._starts import given_probabilities
from margin.sequence.hidden_markov.emissions._mixture_emission import MixtureEmission, MixtureLaws
from margin.sequence.hidden_markov.emissions._normal_emission import (
    NormalEmission,
    NormalLaws,
    given_covariances,
)


class GMMHMM(HiddenMarkovBase):
    r"""Hidden Markov model whose states show mixtures of normal vectors (sequence.21).

    .. math:: p(v_t \mid h_t = k) = \sum_m c_{km}\, N(v_t \mid \mu_{km}, \Sigma_{km})

    Parameters
    ----------
    n_states : int
        Number of hidden states ``K``.
    n_mix : int
        Number of components ``M`` of each state.
    covariance_type : {"full", "tied", "diag", "spherical"}
        Of the components; "tied" is one covariance for all of all states.
    min_covar : float
        As in :class:`GaussianHMM`.
    weights_init : array-like of shape (K, M), optional
        Shares of the components to start from, even by default; only with ``means_init``.
    means_init, covariances_init : array-like of shape (K, M, d), (K, M, d, d), optional
        As in :class:`GaussianHMM`, for every component.
    start_init, transition_init, groups, start_prior, transition_prior, fixed
        As in :class:`GaussianHMM`.
    init, n_init, algorithm, low_memory, decoding, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_ : ndarray of shape (K,), (K, K)
    weights_ : ndarray of shape (K, M)
    means_, covariances_ : ndarray of shape (K, M, d), (K, M, d, d)
    emission_ : list of MixtureDistribution
    fit_report_ : FitReport

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> far = rng.choice([-8.0, 8.0], size=100) + rng.normal(size=100)
    >>> x = np.r_[rng.normal(size=100), far, rng.normal(size=100)]
    >>> model = GMMHMM(2, 2, random_state=0).fit(x)
    >>> state = model.predict(x)
    >>> bool(state[50] == state[250] != state[150])
    True
    """

    card = Card(
        tasks=("density",), input="sequences", search_space={"n_states": [1, 2, 3, 4, 5, 6]}
    )

    def __init__(
        self,
        n_states: int = 2,
        n_mix: int = 2,
        covariance_type: str = "full",
        *,
        min_covar: float = 1e-3,
        weights_init: ArrayLike | None = None,
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
        self.n_mix = n_mix
        self.covariance_type = covariance_type
        self.min_covar = min_covar
        self.weights_init = weights_init
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

    def _emission(self, n_features: int) -> MixtureEmission:
        kinds = ("full", "tied", "diag", "spherical")
        check.params(
            self, count="n_mix", nonnegative="min_covar", one_of={"covariance_type": kinds}
        )
        normal = NormalEmission(self.covariance_type, float(self.min_covar))
        return MixtureEmission(self.n_mix, normal)

    def _given_laws(
        self, emission: MixtureEmission, n_groups: int, n_features: int
    ) -> MixtureLaws | None:
        parts = (n_groups, int(self.n_mix))
        weights = given_probabilities(self, "weights_init", self.weights_init, parts)
        if self.means_init is None:
            for name in ("weights_init", "covariances_init"):
                if getattr(self, name) is not None:
                    raise check.fail(self, name, "given with means_init", "no means_init")
            return None
        means = np.array(self.means_init, dtype=np.float64)
        if means.shape != (*parts, n_features) or not np.isfinite(means).all():
            wanted = f"finite, of shape {(*parts, n_features)}"
            raise check.fail(self, "means_init", wanted, f"shape {np.shape(self.means_init)}")
        if self.covariances_init is None:
            spread = emission.normal.usual_spread(n_features)
            spread = np.broadcast_to(spread, (*parts, *spread.shape))
        else:
            shape = (*parts, n_features, n_features)
            spread = given_covariances(self, "covariances_init", self.covariances_init, shape)
        size = parts[0] * parts[1]
        normals = NormalLaws(
            means.reshape(size, n_features), spread.reshape(size, n_features, n_features).copy()
        )
        return MixtureLaws(np.full(parts, 1.0 / parts[1]) if weights is None else weights, normals)

    @property
    def weights_(self) -> Floats:
        """Share of every component of every law."""
        return np.asarray(self._parameters.laws.weights)

    @property
    def means_(self) -> Floats:
        """Mean of every component of every law."""
        return np.reshape(self._parameters.laws.normals.mean, (*self.weights_.shape, -1))

    @property
    def covariances_(self) -> Floats:
        """Covariance of every component of every law."""
        d = self.n_features_in_
        covariance = self._parameters.laws.normals.covariance
        return np.reshape(covariance, (*self.weights_.shape, d, d))
