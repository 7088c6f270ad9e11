"""Autoregression of a series of numbers."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, Solution, Status, atomic, check
from margin.core.random import generator
from margin.core.types import Floats
from margin.distributions import MixtureDistribution, Normal
from margin.inference import (
    LinearSystem,
    forecast,
    kalman_filter,
    kalman_log_likelihood,
    kalman_smoother,
    simulate,
)
from margin.sequence._laws import normal_law
from margin.sequence._real_sequences import last_sequence, real_sequences
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked, with_room
from margin.sequence.autoregressive._companion import companion_system, spectral_radius
from margin.sequence.autoregressive._estimates import (
    ArEstimate,
    ArPosterior,
    bayesian,
    burg,
    least_squares,
    yule_walker,
)
from margin.sequence.autoregressive._incomplete import incomplete_least_squares
from margin.sequence.autoregressive._order import CRITERIA, choose_order

_METHODS = ("least_squares", "yule_walker", "burg", "bayesian")
_DRAWS = 200


class AutoRegression(BaseEstimator):
    r"""Every number a linear function of the last ones, and noise (sequence.28).

    .. math:: v_t = c + \sum_{l=1}^L a_l v_{t-l} + N(0, \sigma^2)

    Densities are exact: stationary from the first number on where the coefficients allow it, with
    a flat law of the numbers before it otherwise. NaN is marginalised everywhere.

    Parameters
    ----------
    order : int
        ``L``; with a criterion, the largest that is tried.
    method : {"least_squares", "yule_walker", "burg", "bayesian"}
        Least squares given the first numbers; the equations of Yule and Walker by the recursion of
        Levinson and Durbin, or Burg's, which are always stationary; or a conjugate posterior, whose
        forecasts know that the coefficients are uncertain. With NaN all but the first are refused,
        and the first becomes maximum likelihood by expectation maximisation.
    criterion : {"aic", "bic", "hqic", "evidence"}, optional
        Chooses the order from 1 to ``order``.
    fit_intercept : bool
    prior_strength : float
        Of the Bayesian prior :math:`N(0, \sigma^2 / \text{strength})` of the coefficients.
    require_stationary : bool
        Whether coefficients that let the series explode are refused.
    tol, max_iter : float, int
        Of expectation maximisation, where numbers are missing.
    random_state : int, Generator, RandomState or None
        Draws of coefficients for Bayesian forecasts.
    n_jobs : int, optional

    Attributes
    ----------
    coef_ : ndarray of shape (p,)
        Nearest lag first; the posterior mean of the Bayesian method.
    intercept_, noise_variance_ : float
    order_ : int
        The ``p`` of ``coef_``.
    spectral_radius_ : float
        Stationary iff below 1.
    criteria_ : dict of int to float or None
        Value of the criterion for every order.
    log_likelihood_ : float
    fit_report_ : FitReport

    Notes
    -----
    Least squares :math:`O(T L^2)`; Levinson–Durbin :math:`O(T L + L^2)`.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.sequence import AutoRegression
    >>> v = 2.0 ** -np.arange(8.0)
    >>> model = AutoRegression(1, fit_intercept=False).fit([v + 1e-9 * np.cos(np.arange(8))])
    >>> model.coef_.round(3), float(model.forecast(1).mean[0].round(5))
    (array([0.5]), 0.00391)
    """

    card = Card(
        tasks=("density",),
        search_space={"order": [1, 2, 4, 8]},
        input="sequences",
        seeded=False,
    )

    def __init__(
        self,
        order: int = 1,
        *,
        method: str = "least_squares",
        criterion: str | None = None,
        fit_intercept: bool = True,
        prior_strength: float = 1.0,
        require_stationary: bool = False,
        tol: float = 1e-8,
        max_iter: int = 1000,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.order = order
        self.method = method
        self.criterion = criterion
        self.fit_intercept = fit_intercept
        self.prior_strength = prior_strength
        self.require_stationary = require_stationary
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Find the coefficients.

        Parameters
        ----------
        X : list of arrays of shape (T,), Sequences, or one array
            NaN means unobserved.
        y : Any
            Not used.
        lengths : array-like of int, optional
            Of the sequences in one array ``X``.
        """
        check.params(
            self,
            count="order max_iter",
            positive="tol prior_strength",
            flag="fit_intercept require_stationary",
            one_of={"method": _METHODS, "criterion": (None, *CRITERIA)},
        )
        given = real_sequences(self, X, lengths, width=1)
        holes = bool(np.isnan(given.buffer).any())
        self._check_rows(given, holes)
        order, self.criteria_ = self.order, None
        if self.criterion is not None:
            order, self.criteria_ = choose_order(
                given,
                self.order,
                self.criterion,
                self.fit_intercept,
                self.prior_strength,
                tol=self.tol,
                max_iter=self.max_iter,
            )
        solution = self._estimate(given, order, holes)
        estimate = solution.x
        self.posterior_ = solution.extras.get("posterior")
        self.order_, self.coef_, self.intercept_ = order, estimate.coef, estimate.intercept
        self.noise_variance_ = estimate.variance
        self.spectral_radius_ = spectral_radius(estimate.coef)
        if self.require_stationary and not self.spectral_radius_ < 1.0:
            need = "such that the series is stationary (or require_stationary=False)"
            raise check.fail(self, "X", need, f"a spectral radius of {self.spectral_radius_:.6g}")
        self.n_features_in_ = 1
        self.log_likelihood_ = float(self._log_prob(given).sum())
        known = kalman_filter(self.system(), last_sequence(given))
        self.last_mean_, self.last_cov_ = known.mean[-1], known.cov[-1]
        self.fit_report_ = check.report(self, solution)
        return self

    def system(self) -> LinearSystem:
        """The model as a linear system in companion form (sequence.29)."""
        check_is_fitted(self)
        return companion_system(self.coef_, self.intercept_, self.noise_variance_)

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Exact log-likelihood of every sequence."""
        return self._log_prob(self._given(X, lengths))

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log-likelihood per step, of all sequences together."""
        given = self._given(X, lengths)
        return float(self._log_prob(given).sum()) / len(given.buffer)

    def predict(self, X: Any, *, lengths: Any = None) -> Sequences:
        """Mean of every number given those before it in its sequence."""
        given = self._given(X, lengths)
        known = kalman_filter(self.system(), given, n_jobs=self.n_jobs)
        return Sequences(known.predicted_mean[:, 0], given.lengths)

    def query(self, X: Any, times: Any = None) -> Normal:
        """Law of the numbers of one sequence at some times, given those observed.

        Parameters
        ----------
        X : array of shape (T,)
        times : array-like of int, optional
            Positions from 0, also beyond the end; all by default.
        """
        given = self._given(X, None)
        at = asked(self, times, len(given.buffer), beyond=True)
        smoothed = kalman_smoother(self.system(), with_room(given.buffer, at))
        return _single(smoothed.mean[at, :1], smoothed.cov[at, :1, :1])

    def forecast(self, h: int = 1, X: Any = None) -> Normal | MixtureDistribution:
        """Laws of the next ``h`` numbers; Bayesian ones are mixtures over coefficients.

        Parameters
        ----------
        h : int
        X : array of shape (T,), optional
            What came before; the last sequence of the training data by default.
        """
        check_is_fitted(self)
        h = horizon(self, h)
        mean, cov = self.last_mean_, self.last_cov_
        if X is not None:
            known = kalman_filter(self.system(), self._given(X, None).buffer)
            mean, cov = known.mean[-1], known.cov[-1]
        if self.posterior_ is None:
            ahead = forecast(self.system(), mean, cov, int(h))
            return _single(ahead.mean, ahead.cov)
        weights, variances = self.posterior_.draws(_DRAWS, generator(self.random_state))
        laws = []
        for w, variance in zip(weights, variances, strict=True):
            level = float(w[-1]) if self.fit_intercept else 0.0
            system = companion_system(w[: self.order_], level, float(variance))
            ahead = forecast(system, mean, cov, int(h))
            laws.append(_single(ahead.mean, ahead.cov))
        return MixtureDistribution(np.full(_DRAWS, 1.0 / _DRAWS), laws)

    def spectrum(self, frequencies: Any) -> Floats:
        r"""Power per frequency, in cycles per step: :math:`\sigma^2 / |1 - \sum a_l e^{-i w l}|^2`.

        Parameters
        ----------
        frequencies : array-like
            Between 0 and 1/2; the integral over -1/2 to 1/2 is the stationary variance.
        """
        check_is_fitted(self)
        if not self.spectral_radius_ < 1.0:
            raise check.fail(self, "spectrum", "of a stationary model", self.spectral_radius_)
        w = 2j * np.pi * np.asarray(frequencies, dtype=np.float64)
        gain = 1.0 - sum(a * np.exp(-w * (i + 1)) for i, a in enumerate(self.coef_))
        return np.asarray(self.noise_variance_ / np.abs(gain) ** 2)

    def sample(self, n_steps: int = 1, *, random_state: Any = None) -> Floats:
        """One series drawn from the model, from zero on where it is not stationary."""
        return simulate(self.system(), n_steps, generator(random_state))[1][:, 0]

    def _check_rows(self, given: Sequences, holes: bool) -> None:
        if holes and self.method != "least_squares":
            need = "observed everywhere, or method='least_squares'"
            raise check.fail(self, "X", need, "NaN")
        if holes and self.criterion == "evidence":
            raise check.fail(self, "X", "observed everywhere for criterion='evidence'", "NaN")
        ready = int(np.maximum(given.lengths - self.order, 0).sum())
        free = self.order + self.fit_intercept
        seen = int(np.isfinite(given.buffer).sum())
        if self.method != "bayesian" and (ready < free or seen <= free):
            need = f"of at least {self.order + free} numbers for order {self.order}"
            raise check.fail(self, "X", need, f"{seen} numbers, {ready} after the first")

    def _estimate(self, given: Sequences, order: int, holes: bool) -> Solution:
        if holes:
            return incomplete_least_squares(
                given,
                order,
                intercept=self.fit_intercept,
                tol=self.tol,
                max_iter=self.max_iter,
                n_jobs=self.n_jobs,
            )
        extras: dict[str, Any] = {}
        if self.method == "bayesian":
            belief = bayesian(
                given, order, intercept=self.fit_intercept, strength=self.prior_strength
            )
            extras["posterior"] = belief
            estimate = _expected(belief, order, self.fit_intercept)
        else:
            make = {"least_squares": least_squares, "yule_walker": yule_walker, "burg": burg}
            estimate = make[self.method](given, order, intercept=self.fit_intercept)
        floor = 1e-14 * max(float(given.buffer.var()), 1e-280)
        estimate = ArEstimate(estimate.coef, estimate.intercept, max(estimate.variance, floor))
        objective = 0.5 * float(np.log(estimate.variance))
        return Solution(estimate, Status.CONVERGED, 1, objective, solver=self.method, extras=extras)

    def _log_prob(self, given: Sequences) -> Floats:
        return kalman_log_likelihood(self.system(), given, n_jobs=self.n_jobs)

    def _given(self, X: Any, lengths: Any) -> Sequences:
        check_is_fitted(self)
        return real_sequences(self, X, lengths, width=1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _single(mean: Floats, cov: Floats) -> Normal:
    law = normal_law(mean, cov)
    assert isinstance(law, Normal)
    return law


def _expected(belief: ArPosterior, order: int, intercept: bool) -> ArEstimate:
    """Posterior means; of the variance, rate over shape where the mean does not exist."""
    last = float(belief.mean[-1]) if intercept else 0.0
    variance = belief.rate / (belief.shape - 1.0 if belief.shape > 1 else belief.shape)
    return ArEstimate(belief.mean[:order], last, variance)
