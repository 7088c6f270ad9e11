"""Autoregression whose coefficients wander."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, atomic, check
from margin.core.random import generator
from margin.core.types import Floats
from margin.distributions import MixtureDistribution, MultivariateNormal, Normal
from margin.inference import (
    LinearSystem,
    forecast_paths,
    kalman_filter,
    kalman_log_likelihood,
    kalman_smoother,
    noise_slopes,
)
from margin.optim import BFGS, Function, minimise
from margin.sequence._laws import normal_law
from margin.sequence._real_sequences import last_sequence, real_sequences
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked
from margin.sequence.autoregressive._companion import companion

_DRAWS = 200
_REACH = (-25.0, 12.0)


class TimeVaryingAutoRegression(BaseEstimator):
    r"""Autoregression with coefficients that walk at random, by Kalman smoothing (sequence.30).

    .. math:: v_t = \hat v_{t-1}^\top a_t + N(0, \sigma^2), \qquad
              a_t = a_{t-1} + N(0, \sigma_a^2 I)

    The coefficients are the state and the past values the matrix through which it is seen. They
    start with a flat prior, taken exactly; with :math:`\sigma_a = 0` the last of them are those of
    least squares.

    Parameters
    ----------
    order : int
    fit_intercept : bool
        Whether a level wanders with them.
    drift : float, optional
        :math:`\sigma_a^2 / \sigma^2`; learned by maximum likelihood where absent.
    tol, max_iter : float, int
        Of that search.
    random_state : int, Generator, RandomState or None
        Draws of coefficients for forecasts of more than one step.
    n_jobs : int, optional

    Attributes
    ----------
    noise_variance_, drift_variance_ : float
        :math:`\sigma^2` and :math:`\sigma_a^2`.
    log_likelihood_ : float
    fit_report_ : FitReport

    Notes
    -----
    :math:`O(T L^2)` a pass. A number that is NaN is not seen, nor are those that it would predict:
    their law is no longer linear in the coefficients.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.sequence import TimeVaryingAutoRegression
    >>> rng = np.random.default_rng(0)
    >>> v = np.zeros(400)
    >>> for t in range(1, 400):
    ...     v[t] = (0.9 if t < 200 else -0.9) * v[t - 1] + rng.normal()
    >>> model = TimeVaryingAutoRegression(1, fit_intercept=False).fit([v])
    >>> law = model.query(v)
    >>> law.mean[[100, 300], 0].round()
    array([ 1., -1.])
    """

    card = Card(
        tasks=("density",), search_space={"order": [1, 2, 4]}, input="sequences", seeded=False
    )

    nan_attributes = ("last_",)

    def __init__(
        self,
        order: int = 1,
        *,
        fit_intercept: bool = True,
        drift: float | None = None,
        tol: float = 1e-6,
        max_iter: int = 200,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.order = order
        self.fit_intercept = fit_intercept
        self.drift = drift
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Learn how fast the coefficients move.

        Parameters
        ----------
        X : list of arrays of shape (T,), Sequences, or one array
        y : Any
            Not used.
        lengths : array-like of int, optional
            Of the sequences in one array ``X``.
        """
        check.params(self, count="order max_iter", positive="tol", flag="fit_intercept")
        if self.drift is not None:
            check.params(self, nonnegative="drift")
        given = real_sequences(self, X, lengths, width=1)
        C, seen = self._seen(given)
        ready = int(np.isfinite(seen).sum())
        if ready < C.shape[1] + 1:
            need = f"of at least {C.shape[1] + 1} numbers with known predecessors"
            raise check.fail(self, "X", need, ready)
        data = Sequences(seen, given.lengths)
        scale = max(float(np.nanvar(seen)), 1e-200)
        size = max(float(np.mean(C**2)), 1e-200)

        def variances(logs: Floats) -> tuple[float, float]:
            noise = float(np.exp(logs[0])) * scale
            drift = (
                float(np.exp(logs[1])) * scale / size
                if self.drift is None
                else (self.drift * noise)
            )
            return noise, drift

        def value(logs: Floats) -> tuple[float, Floats]:
            held = np.clip(logs, *_REACH)
            noise, drift = variances(held)
            slopes = noise_slopes(self._system(C, noise, drift), data, n_jobs=self.n_jobs)
            by_drift = float(np.trace(slopes.by_state_noise)) * drift
            by_noise = float(slopes.by_output_noise[0]) * noise
            slope = np.array([by_noise, by_drift])
            if self.drift is not None:
                slope = np.array([by_noise + by_drift])
            out = logs - held
            slope = np.where(out == 0.0, slope, 0.0)
            gain = slopes.log_prob / ready - 1e-3 * float(out @ out)
            return -gain, -(slope / ready - 2e-3 * out)

        start = np.log([0.5, 1e-3]) if self.drift is None else np.log([0.5])
        solver = BFGS(tol=self.tol, max_iter=self.max_iter)
        solution = minimise(Function(value, len(start)), solver, start)
        self.noise_variance_, self.drift_variance_ = variances(np.clip(solution.x, *_REACH))
        self.n_features_in_ = 1
        self.last_ = last_sequence(given)[:, 0].copy()
        system = self._system(C, self.noise_variance_, self.drift_variance_)
        self.log_likelihood_ = float(kalman_log_likelihood(system, data).sum())
        self.fit_report_ = check.report(self, solution)
        return self

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log-likelihood of every sequence given its first ``order`` numbers."""
        system, data = self._given(X, lengths)
        return kalman_log_likelihood(system, data, n_jobs=self.n_jobs)

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log-likelihood per step, of all sequences together."""
        system, data = self._given(X, lengths)
        return float(kalman_log_likelihood(system, data).sum()) / len(data.buffer)

    def query(self, X: Any, times: Any = None) -> Normal | MultivariateNormal:
        """Law of the coefficients (the level last) of one sequence, given all of it.

        Parameters
        ----------
        X : array of shape (T,)
        times : array-like of int, optional
            Positions from 0; all by default.
        """
        system, data = self._given(X, None)
        smoothed = kalman_smoother(system, data)
        at = asked(self, times, len(smoothed.mean))
        law = normal_law(smoothed.mean[at], smoothed.cov[at])
        if isinstance(law, Normal):
            return MultivariateNormal(law.mean[:, None], law.var[:, None, None])
        return law

    def forecast(self, h: int = 1, X: Any = None) -> MixtureDistribution:
        """Laws of the next ``h`` numbers: a mixture over drawn coefficients.

        Parameters
        ----------
        h : int
        X : array of shape (T,), optional
            What came before; the last sequence of the training data by default.
        """
        check_is_fitted(self)
        h = horizon(self, h)
        v = self.last_ if X is None else real_sequences(self, X, width=1).buffer[:, 0]
        if len(v) <= self.order or np.isnan(v[-self.order :]).any():
            raise check.fail(self, "X", f"known in its last {self.order} numbers", "less")
        system, data = self._given(v, None)
        known, L = kalman_filter(system, data), self.order
        rng = generator(self.random_state)
        root = np.linalg.eigh(known.cov[-1])
        wide = root[1] * np.sqrt(np.maximum(root[0], 0.0))
        n = wide.shape[0]
        a = known.mean[-1] + rng.normal(size=(_DRAWS, n)) @ wide.T
        steps = np.sqrt(self.drift_variance_) * rng.normal(size=(_DRAWS, h, n))
        walks = a[:, None, :] + np.cumsum(steps, axis=1)
        A = np.tile(companion(np.zeros(L)), (_DRAWS, h, 1, 1))
        b, Q = np.zeros((_DRAWS, h, L)), np.zeros((_DRAWS, h, L, L))
        A[:, :, 0], Q[:, :, 0, 0] = walks[..., :L], self.noise_variance_
        b[:, :, 0] = walks[..., -1] if self.fit_intercept else 0.0
        means, covs = forecast_paths(A, b, Q, v[: -L - 1 : -1], np.zeros((L, L)))
        laws = Normal(means[..., 0], np.sqrt(covs[..., 0, 0]))
        return MixtureDistribution(np.full(_DRAWS, 1.0 / _DRAWS), laws)

    def _seen(self, given: Sequences) -> tuple[Floats, Floats]:
        """Past values of every row, and its number where these are known."""
        v = given.buffer[:, 0]
        place = np.arange(len(v)) - np.repeat(given.offsets[:-1], given.lengths)
        columns = [np.where(place >= k, np.roll(v, k), np.nan) for k in range(1, self.order + 1)]
        C = np.column_stack([*columns, *([np.ones(len(v))] if self.fit_intercept else [])])
        known = np.isfinite(C).all(axis=1)
        return np.where(known[:, None], C, 0.0), np.where(known, v, np.nan)[:, None]

    def _system(self, C: Floats, noise: float, drift: float) -> LinearSystem:
        eye = np.eye(C.shape[1])
        return LinearSystem(eye, C[:, None, :], drift * eye, [[noise]], diffuse=eye)

    def _given(self, X: Any, lengths: Any) -> tuple[LinearSystem, Sequences]:
        check_is_fitted(self)
        given = real_sequences(self, X, lengths, width=1)
        C, seen = self._seen(given)
        system = self._system(C, self.noise_variance_, self.drift_variance_)
        return system, Sequences(seen, given.lengths)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
