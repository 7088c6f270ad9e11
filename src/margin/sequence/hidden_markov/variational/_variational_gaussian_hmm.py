"""Hidden Markov models of normal vectors with a belief about their parameters."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, check
from margin.core.types import Floats
from margin.distributions import NormalInverseGamma, NormalInverseWishart
from margin.sequence.hidden_markov._learning import Learning
from margin.sequence.hidden_markov._starts import each_row
from margin.sequence.hidden_markov.emissions._emission import column_spread
from margin.sequence.hidden_markov.emissions._normal_emission import (
    NormalEmission,
    NormalLaws,
    given_covariances,
)
from margin.sequence.hidden_markov.variational._variational_base import VariationalBase


class VariationalGaussianHMM(VariationalBase):
    r"""Hidden Markov model of normal vectors by variational Bayes (sequence.16, sequence.21).

    .. math:: \Sigma_k \sim W^{-1}(\Psi, \nu), \qquad
              \mu_k \mid \Sigma_k \sim N(m, \Sigma_k / \kappa), \qquad
              v_t \mid h_t = k \sim N(\mu_k, \Sigma_k)

    What is maximised is a bound of the log evidence: the parameters are integrated out, so that a
    state that explains nothing falls back on the prior and its mass is gone. The number of states
    may be chosen generously. Rows with NaN are
    completed under the law of each state.

    Parameters
    ----------
    n_states : int
        Most states.
    covariance_type : {"full", "diag"}
        One covariance for each state, or variances.
    mean_prior : array-like of shape (d,), optional
        :math:`m`; the means of the columns by default.
    mean_strength : float
        :math:`\kappa`, how many rows that guess is worth.
    covariance_prior : array-like of shape (d, d), optional
        The expected covariance; the variances of the columns by default.
    df_prior : float, optional
        :math:`\nu`, above :math:`d + 1`, how many rows that guess is worth; :math:`d + 2` by
        default.
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
    means_, covariances_ : ndarray of shape (K, d), (K, d, d)
        Expected means, and inverses of the expected precisions.
    start_posterior_, transition_posterior_ : Dirichlet
    emission_posterior_ : NormalInverseWishart or NormalInverseGamma
    visits_ : ndarray of shape (K,)
        Expected number of steps in each state; 0 of one that is not needed.
    lower_bound_ : float
        Of the log evidence.
    fit_report_ : FitReport

    References
    ----------
    MacKay (1997), Ensemble learning for hidden Markov models.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = np.repeat([0.0, 6.0, 0.0, 6.0], 50) + rng.normal(size=200)
    >>> model = VariationalGaussianHMM(6, random_state=0).fit(x)
    >>> int((model.visits_ > 1).sum())
    2
    """

    card = Card(tasks=("density",), input="sequences", search_space={"n_states": [2, 4, 8]})

    def __init__(
        self,
        n_states: int = 2,
        covariance_type: str = "full",
        *,
        mean_prior: ArrayLike | None = None,
        mean_strength: float = 0.1,
        covariance_prior: ArrayLike | None = None,
        df_prior: float | None = None,
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
        self.covariance_type = covariance_type
        self.mean_prior = mean_prior
        self.mean_strength = mean_strength
        self.covariance_prior = covariance_prior
        self.df_prior = df_prior
        self.start_prior = start_prior
        self.transition_prior = transition_prior
        self.init = init
        self.decoding = decoding
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _emission(self, n_features: int) -> NormalEmission:
        check.params(self, positive="mean_strength", one_of={"covariance_type": ("full", "diag")})
        return NormalEmission(self.covariance_type, 0.0)

    def _prior(self, problem: Learning) -> NormalInverseWishart | NormalInverseGamma:
        d, kappa = problem.rows.shape[1], float(self.mean_strength)
        mean, variance = column_spread(problem.rows, each_row(problem))
        variance = np.where(variance > 1e-24 * np.maximum(mean**2, 1e-270), variance, 1.0)
        if self.mean_prior is not None:
            mean = np.array(self.mean_prior, dtype=np.float64)
            if mean.shape != (d,) or not np.isfinite(mean).all():
                wanted = f"finite, of shape ({d},)"
                raise check.fail(self, "mean_prior", wanted, f"shape {mean.shape}")
        expected = np.diag(variance)
        if self.covariance_prior is not None:
            expected = given_covariances(self, "covariance_prior", self.covariance_prior, (d, d))
        # A column by itself is a vector of one: the least is above 2 there.
        least = 2 if self.covariance_type == "diag" else d + 1
        nu = least + 1.0 if self.df_prior is None else float(self.df_prior)
        if not least < nu < np.inf:
            raise check.fail(self, "df_prior", f"a number above {least}", self.df_prior)
        if self.covariance_type == "diag":
            scale = 0.5 * np.diagonal(expected) * (nu - 2)
            return NormalInverseGamma(mean, kappa, 0.5 * nu, scale)
        return NormalInverseWishart(mean, kappa, expected * (nu - d - 1), nu)

    def _plug_in(self, belief: Any) -> NormalLaws:
        law = belief.plug_in()
        if self.covariance_type == "diag":
            return NormalLaws(law.mean, law.var[:, :, None] * np.eye(law.mean.shape[1]))
        return NormalLaws(law.mean, np.asarray(law.covariance))

    @property
    def means_(self) -> Floats:
        """Expected mean of every state."""
        return np.asarray(self.emission_.mean)

    @property
    def covariances_(self) -> Floats:
        """Inverse of the expected precision of every state."""
        return np.asarray(self._parameters.laws.covariance)
