"""A linear dynamical system with a posterior in the place of one estimate."""

from typing import Any, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Certificate, Sequences, Solution, Status, atomic, check
from margin.core.random import generator
from margin.core.types import Floats
from margin.distributions import MixtureDistribution, Normal
from margin.inference import (
    forecast,
    kalman_filter,
    kalman_log_likelihood,
    kalman_smoother,
    r_hat,
    sample_gibbs,
)
from margin.sequence._real_sequences import last_sequence, real_sequences
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked, with_room
from margin.sequence.state_space._expectation import SequenceData
from margin.sequence.state_space._parameters import SystemParameters
from margin.sequence.state_space._start import starting_parameters
from margin.sequence.state_space._system_draws import SystemPosterior

_MIXED = 200
_AGREE = 1.1


class BayesianLinearDynamicalSystem(BaseEstimator):
    r"""Linear dynamical system whose parameters are drawn from their posterior (sequence.38).

    .. math:: x_t = A x_{t-1} + b + N(0, Q), \qquad y_t = C x_t + d + N(0, R)

    Conjugate priors: :math:`Q \sim \mathrm{IW}(n + 2, I)`, maps
    :math:`N(0, \text{noise} / \lambda)`, inverse gamma variances of the outputs. Gibbs sampling
    alternates between whole paths of the states (a simulation smoother) and the parameters.
    Forecasts and densities average over the draws, so that short series give wide intervals.

    Parameters
    ----------
    n_states : int
    prior_strength : float
        :math:`\lambda`.
    n_draws, n_warmup, n_chains : int
        Draws kept of every chain, sweeps before them, and chains.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    draws_ : ndarray of shape (n_chains * n_draws, n_parameters)
        Vectors of parameters; :meth:`parameters` unpacks one.
    fit_report_ : FitReport
        Its certificate compares the chains by their log-likelihood: coordinates of the state are
        not identified, and single entries need not agree.

    Notes
    -----
    :math:`O(T (n + m)^2)` a sweep.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.sequence import BayesianLinearDynamicalSystem
    >>> v = np.sin(np.arange(40) / 4.0) + 0.1 * np.cos(9.0 * np.arange(40))
    >>> model = BayesianLinearDynamicalSystem(1, n_draws=40, n_chains=1, random_state=0)
    >>> model = model.fit([v])
    >>> low, high = model.forecast(3).interval(0.9)
    >>> bool((low < high).all())
    True
    """

    card = Card(tasks=("density",), search_space={"n_states": [1, 2, 4]}, input="sequences")

    nan_attributes = ("last_",)

    def __init__(
        self,
        n_states: int = 1,
        *,
        prior_strength: float = 1.0,
        n_draws: int = 200,
        n_warmup: int = 200,
        n_chains: int = 2,
        random_state: Any = None,
    ) -> None:
        self.n_states = n_states
        self.prior_strength = prior_strength
        self.n_draws = n_draws
        self.n_warmup = n_warmup
        self.n_chains = n_chains
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Draw from the posterior.

        Parameters
        ----------
        X : list of arrays of shape (T,) or (T, m), Sequences, or one array
            NaN means unobserved, exactly.
        y : Any
            Not used.
        lengths : array-like of int, optional
        """
        check.params(self, count="n_states n_draws n_warmup n_chains", positive="prior_strength")
        given = real_sequences(self, X, lengths)
        if np.isnan(given.buffer).all():
            raise check.fail(self, "X", "observed somewhere", "NaN everywhere")
        U = np.zeros((len(given.buffer), 0))
        data = SequenceData.of(given.buffer, U, given.offsets, 1)
        source = SystemPosterior(data, self.n_states, self.prior_strength)
        start = source.pack(starting_parameters(data, self.n_states, {}))

        def log_density(x: Floats) -> float:
            return float(kalman_log_likelihood(source.unpack(x).system(), given).sum())

        chains = sample_gibbs(
            [(range(len(start)), source.draw)],
            start,
            log_density=log_density,
            n_draws=self.n_draws,
            n_warmup=self.n_warmup,
            n_chains=self.n_chains,
            random_state=generator(self.random_state),
        )
        self.posterior_, self.draws_ = source, chains.pooled
        self.n_features_in_ = given.buffer.shape[1]
        self.last_ = last_sequence(given)
        self.fit_report_ = check.report(self, _judged(chains.log_density, self.n_draws))
        return self

    def parameters(self, draw: int) -> SystemParameters:
        """Parameters of one draw, by letter."""
        check_is_fitted(self)
        parameters: SystemParameters = self.posterior_.unpack(self.draws_[draw])
        return parameters

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log of the mean density of every sequence over the draws."""
        given = self._given(X, lengths)
        values = [kalman_log_likelihood(p.system(), given) for p in self._some()]
        return np.asarray(logsumexp(values, axis=0) - np.log(len(values)))

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log-likelihood per step, of all sequences together."""
        given = self._given(X, lengths)
        return float(self.log_prob(given).sum()) / len(given.buffer)

    def forecast(self, h: int = 1, X: Any = None) -> MixtureDistribution:
        """Laws of the next ``h`` rows: a mixture over the draws.

        Parameters
        ----------
        h : int
        X : array of shape (T,) or (T, m), optional
            What came before; the last sequence of the training data by default.
        """
        check_is_fitted(self)
        h = horizon(self, h)
        rows = self.last_ if X is None else self._given(X, None).buffer
        laws = []
        for p in self._some():
            known = kalman_filter(p.system(), rows)
            ahead = forecast(p.system(), known.mean[-1], known.cov[-1], int(h))
            laws.append((ahead.mean, np.einsum("hmm->hm", ahead.cov)))
        return self._mixed(laws)

    def query(self, X: Any, times: Any = None) -> MixtureDistribution:
        """Laws of the rows of one sequence at some times, given those observed.

        The states of two draws do not share coordinates; what they show does.

        Parameters
        ----------
        X : array of shape (T,) or (T, m)
            What was observed shows no noise of its own: answers are about a row seen again.
        times : array-like of int, optional
            Positions from 0, also beyond the end; all by default.

        Returns
        -------
        MixtureDistribution
            Over the draws, as from :meth:`forecast`.
        """
        given = self._given(X, None)
        at = asked(self, times, len(given.buffer), beyond=True)
        rows, laws = with_room(given.buffer, at), []
        for p in self._some():
            smoothed = kalman_smoother(p.system(), rows)
            var = np.einsum("mi,tij,mj->tm", p.C, smoothed.cov[at], p.C) + np.diagonal(p.R)
            laws.append((smoothed.mean[at] @ p.C.T + p.d, var))
        return self._mixed(laws)

    def _mixed(self, moments: list[tuple[Floats, Floats]]) -> MixtureDistribution:
        """Normal laws of equal weight, of numbers where there is one per row."""
        pick = (..., 0) if self.n_features_in_ == 1 else ...
        laws = [Normal(mean[pick], np.sqrt(var[pick])) for mean, var in moments]
        return MixtureDistribution(np.full(len(laws), 1.0 / len(laws)), laws)

    def _some(self) -> list[SystemParameters]:
        """Evenly spread draws, a few hundred at most."""
        which = np.linspace(0, len(self.draws_) - 1, min(_MIXED, len(self.draws_)))
        return [self.parameters(int(i)) for i in which]

    def _given(self, X: Any, lengths: Any) -> Sequences:
        check_is_fitted(self)
        return real_sequences(self, X, lengths, width=int(self.n_features_in_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _judged(log_density: Floats, n_draws: int) -> Solution:
    """Whether the chains agree on how likely the data are."""
    proof = None  # one chain has nothing to agree with
    if min(log_density.shape) > 1 and n_draws >= 4:
        value = float(np.max(r_hat(log_density[..., None])))
        proof = Certificate("r_hat of the log-likelihood", value, _AGREE)
    fine = proof is None or proof.holds
    return Solution(
        None,
        Status.CONVERGED if fine else Status.STALLED,
        n_draws,
        -float(log_density.max()),
        certificate=proof,
        solver="Gibbs sampling",
        message="" if fine else f"chains disagree ({proof}); raise n_warmup and n_draws",
    )
