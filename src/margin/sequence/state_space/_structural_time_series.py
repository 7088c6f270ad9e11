"""Structural time series: level, trend, seasons and regression as states."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, Solution, atomic, check
from margin.core.types import Floats
from margin.distributions import Normal
from margin.inference import (
    LinearSystem,
    forecast,
    kalman_filter,
    kalman_log_likelihood,
    kalman_smoother,
    noise_slopes,
)
from margin.optim import BFGS, Function, minimise
from margin.sequence._laws import normal_law
from margin.sequence._real_sequences import input_rows, last_sequence, real_sequences
from margin.sequence._step_laws import horizon
from margin.sequence.state_space._components import StructuralDesign, level, seasonal, trend

_SHARES = (1e-2, 0.3)
_REACH = (-23.0, 16.0)


class StructuralTimeSeries(BaseEstimator):
    r"""Level, trend and seasons that change slowly, and what is irregular (sequence.38).

    .. math:: y_t = \mu_t + \gamma_t + u_t^\top \beta + N(0, \sigma^2), \qquad
              \mu_t = \mu_{t-1} + \nu_{t-1} + N(0, \sigma_\mu^2), \qquad
              \nu_t = \nu_{t-1} + N(0, \sigma_\nu^2), \qquad
              \gamma_t = -\sum_{j=1}^{s-1} \gamma_{t-j} + N(0, \sigma_\gamma^2)

    The variances are found by maximum likelihood; level, slope, seasons and coefficients start
    with a flat prior, taken exactly. All sequences share the variances.

    Parameters
    ----------
    level : bool
        Whether the level walks at random; it stays or follows the slope otherwise.
    trend : bool
        Whether there is a slope, which walks at random.
    seasonal : int, optional
        Number of seasons, at least 2.
    tol : float
        Largest slope of the log-likelihood per step, by logarithms of variances, that counts as
        zero.
    max_iter : int
    n_jobs : int, optional
        Threads, shared among sequences.

    Attributes
    ----------
    variances_ : dict of str to float
        By name: ``level``, ``trend``, ``seasonal``, ``irregular``.
    log_likelihood_ : float
        Of the training data, diffuse (the convention of Durbin and Koopman).
    fit_report_ : FitReport

    Notes
    -----
    :math:`O(T n^2)` a step of the search, n states; slopes come with the likelihood in one pass.

    References
    ----------
    Harvey (1989), Forecasting, Structural Time Series Models and the Kalman Filter.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.sequence import StructuralTimeSeries
    >>> y = np.array([3.0, 4.0, 3.5, 5.0, 4.5, 6.0, 5.5, 6.5])
    >>> model = StructuralTimeSeries(level=True).fit([y])
    >>> ahead = model.forecast(2)
    >>> bool(ahead.std[1] > ahead.std[0]), float(ahead.mean[0]) == float(ahead.mean[1])
    (True, True)
    """

    card = Card(
        tasks=("density",),
        search_space={"trend": [False, True]},
        input="sequences",
    )

    def __init__(
        self,
        level: bool = True,
        trend: bool = False,
        seasonal: int | None = None,
        *,
        tol: float = 1e-6,
        max_iter: int = 200,
        n_jobs: int | None = None,
    ) -> None:
        self.level = level
        self.trend = trend
        self.seasonal = seasonal
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None, inputs: Any = None) -> Self:
        """Find the variances.

        Parameters
        ----------
        X : list of arrays of shape (T,), Sequences, or one array
            NaN means unobserved, exactly.
        y : Any
            Not used.
        lengths : array-like of int, optional
            Of the sequences in one array ``X``.
        inputs : like X, optional
            Known regressors, with the lengths of ``X``.
        """
        check.params(self, flag="level trend", positive="tol", count="max_iter")
        period = self.seasonal
        whole = isinstance(period, int | np.integer) and not isinstance(period, bool)
        if period is not None and (not whole or period < 2):
            raise check.fail(self, "seasonal", "None or an integer of at least 2", period)
        given = real_sequences(self, X, lengths, width=1)
        U = input_rows(self, inputs, given, None)
        self.design_ = self._design(U.shape[1])
        n_states = self.design_.system(np.ones(len(self.design_.noises)), U).n_states
        seen = int(np.isfinite(given.buffer).sum())
        if seen <= n_states:
            need = f"observed more often than there are {n_states} states without a prior"
            raise check.fail(self, "X", need, f"{seen} times")
        scale = _typical_step(given)
        solution, logs = self._search(given, U, scale, seen)
        variances = np.exp(logs) * scale
        self.variances_ = dict(zip(self.design_.noises, variances.tolist(), strict=True))
        self.log_likelihood_ = float(self._log_prob(given, U).sum())
        self.n_features_in_, self.n_inputs_ = 1, U.shape[1]
        last = last_sequence(given)
        self.last_mean_, self.last_cov_ = self._last(last, U[len(U) - len(last) :])
        self.fit_report_ = check.report(self, solution)
        return self

    def log_prob(self, X: Any, *, lengths: Any = None, inputs: Any = None) -> Floats:
        """Diffuse log-likelihood of every sequence (sequence.36)."""
        given, U = self._given(X, lengths, inputs)
        return self._log_prob(given, U)

    def score(self, X: Any, y: Any = None, *, lengths: Any = None, inputs: Any = None) -> float:
        """Log-likelihood per step, of all sequences together."""
        given, U = self._given(X, lengths, inputs)
        return float(self._log_prob(given, U).sum()) / len(given.buffer)

    def query(self, X: Any, component: str = "level", *, inputs: Any = None) -> Normal:
        """Law of a component at every step of one sequence, given all of it.

        Parameters
        ----------
        X : array of shape (T,)
        component : {"level", "trend", "seasonal", "regression", "signal"}
            ``"trend"`` is the slope, ``"signal"`` all but the irregular part.
        inputs : array of shape (T, p), optional
        """
        given, U = self._given(X, None, inputs)
        system = self._system(U)
        pick = self._pick(component, system, len(given.buffer))
        smoothed = kalman_smoother(system, given.buffer)
        mean = np.einsum("ti,ti->t", pick, smoothed.mean)
        var = np.einsum("ti,tij,tj->t", pick, smoothed.cov, pick)
        return _single(mean[:, None], var[:, None, None])

    def forecast(
        self, h: int = 1, X: Any = None, *, inputs: Any = None, future_inputs: Any = None
    ) -> Normal:
        """Laws of the next ``h`` numbers, with quantiles and intervals.

        Parameters
        ----------
        h : int
        X : array of shape (T,), optional
            What came before; the last sequence of the training data by default.
        inputs, future_inputs : array of shape (T, p) and (h, p), optional
            Regressors of ``X`` and of what is to come.
        """
        check_is_fitted(self)
        h = horizon(self, h)
        mean, cov = self.last_mean_, self.last_cov_
        if X is not None:
            given, U = self._given(X, None, inputs)
            mean, cov = self._last(given.buffer, U)
        future = input_rows(self, future_inputs, Sequences([np.zeros((h, 1))]), self.n_inputs_)
        ahead = forecast(self._system(future), mean, cov, int(h))
        return _single(ahead.mean, ahead.cov)

    def _search(
        self, given: Sequences, U: Floats, scale: float, seen: int
    ) -> tuple[Solution, Floats]:
        """Logarithms of the variances in units of ``scale``; the best of a few starts."""
        design, moved = self.design_, self.design_.noise_states()

        def value(logs: Floats) -> tuple[float, Floats]:
            held = np.clip(logs, *_REACH)
            variances = np.exp(held) * scale
            slopes = noise_slopes(design.system(variances, U), given, n_jobs=self.n_jobs)
            by_variance = [sum(slopes.by_state_noise[i, i] for i in states) for states in moved]
            slope = np.array([*by_variance, slopes.by_output_noise[0]]) * variances
            # Out of reach nothing changes but a slight pull back.
            out = logs - held
            slope = np.where(out == 0.0, slope, 0.0)
            gain = slopes.log_prob / seen - 1e-3 * float(out @ out)
            return -gain, -(slope / seen - 2e-3 * out)

        count = len(design.noises)
        problem, solver = Function(value, count), BFGS(tol=self.tol, max_iter=self.max_iter)
        tried = []
        for share in _SHARES:
            start = np.log(np.full(count, share))
            start[-1] = np.log(1.0 - share)
            tried.append(minimise(problem, solver, start))
        best = min(tried, key=lambda s: s.objective)
        return best, np.clip(best.x, *_REACH)

    def _design(self, n_inputs: int) -> StructuralDesign:
        parts = [trend(self.level) if self.trend else level(self.level)]
        if self.seasonal is not None:
            parts.append(seasonal(int(self.seasonal)))
        return StructuralDesign(tuple(parts), n_inputs)

    def _system(self, U: Floats) -> LinearSystem:
        system: LinearSystem = self.design_.system(np.array(list(self.variances_.values())), U)
        return system

    def _log_prob(self, given: Sequences, U: Floats) -> Floats:
        return kalman_log_likelihood(self._system(U), given, n_jobs=self.n_jobs)

    def _last(self, rows: Floats, U: Floats) -> tuple[Floats, Floats]:
        """The last state; what the rows have not told must have a variance all the same."""
        if not len(rows) or np.isfinite(rows).sum() < len(self._system(U).A):
            need = "a sequence that tells of every state"
            raise check.fail(self, "X", need, f"{int(np.isfinite(rows).sum())} numbers")
        filtered = kalman_filter(self._system(U), rows)
        return filtered.mean[-1], filtered.cov[-1]

    def _pick(self, component: str, system: LinearSystem, T: int) -> Floats:
        places = self.design_.places
        C = np.broadcast_to(system.C[:, 0] if system.C.ndim == 3 else system.C, (T, len(system.A)))
        if component == "signal":
            return np.array(C)
        pick = np.zeros((T, len(system.A)))
        if component == "trend" and self.trend:
            pick[:, 1] = 1.0
        elif component == "level":
            pick[:, 0] = 1.0
        elif component in places and component != "trend" and C[:, places[component]].size:
            pick[:, places[component]] = C[:, places[component]]
        else:
            have = ", ".join([*(k for k, v in places.items() if v.stop > v.start), "signal"])
            raise check.fail(self, "component", f"one of {have}", component)
        return pick

    def _given(self, X: Any, lengths: Any, inputs: Any) -> tuple[Sequences, Floats]:
        check_is_fitted(self)
        given = real_sequences(self, X, lengths, width=1)
        return given, input_rows(self, inputs, given, self.n_inputs_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _single(mean: Floats, cov: Floats) -> Normal:
    law = normal_law(mean, cov)
    assert isinstance(law, Normal)
    return law


def _typical_step(given: Sequences) -> float:
    """Variance of changes from row to row, or of the numbers, for a start without units."""
    steps = np.concatenate([np.diff(part[:, 0]) for part in given])
    steps = steps[np.isfinite(steps)]
    for values in (steps, given.buffer[np.isfinite(given.buffer)]):
        if len(values) and float(np.mean(values**2)) > 0:
            return float(np.mean(values**2))
    return 1.0
