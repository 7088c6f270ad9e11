"""Autoregression whose coefficients switch with a hidden regime."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, atomic, check
from margin.core.random import generator
from margin.core.types import Floats, Indices
from margin.distributions import MixtureDistribution, Normal
from margin.inference import (
    chain_filter,
    chain_log_likelihood,
    expectation_maximisation,
    forecast_paths,
)
from margin.sequence._real_sequences import last_sequence, real_sequences
from margin.sequence._step_laws import horizon
from margin.sequence.autoregressive._companion import companion
from margin.sequence.autoregressive._estimates import lagged
from margin.sequence.switching._regime_paths import regime_paths
from margin.sequence.switching._regime_regression import RegimeParameters, RegressionRows

_SHORT, _LOOSE = 25, 1e-4


class SwitchingAutoRegression(BaseEstimator):
    r"""Several autoregressions, one at a time, chosen by a hidden Markov chain (sequence.31).

    .. math:: v_t = c(s_t) + \sum_{l=1}^L a_l(s_t)\, v_{t-l} + N(0, \sigma^2(s_t)), \qquad
              p(s_t = j \mid s_{t-1} = i) = T_{ij}

    Filter and smoother over the regimes are exact (Hamilton's), given the first ``L`` numbers of a
    sequence; parameters are learned by expectation maximisation. Forecasts are mixtures over the
    paths that the regimes may take, with quantiles and intervals.

    Parameters
    ----------
    n_regimes : int
    order : int
        ``L``, at least 0: with 0 only levels and variances switch.
    fit_intercept : bool
    switching_variance : bool
        Whether every regime has a variance of its own.
    n_init : int
        Starts of the search; the likelihood has many maxima.
    max_iter, tol : int, float
    random_state : int, Generator, RandomState or None
    n_jobs : int, optional

    Attributes
    ----------
    coef_ : ndarray of shape (n_regimes, order)
        Nearest lag first; regimes by their variance, the calmest first.
    intercept_, noise_variance_ : ndarray of shape (n_regimes,)
    start_ : ndarray of shape (n_regimes,)
    transition_ : ndarray of shape (n_regimes, n_regimes)
        From row to column.
    log_likelihood_ : float
    fit_report_ : FitReport

    Notes
    -----
    :math:`O(T k (k + L^2))` an iteration. NaN is exact with ``order=0``; with lags it would tie all
    regimes of the gap together, and is refused: :class:`SwitchingLinearDynamicalSystem` takes it.
    Variances stay above a millionth of that of the data.

    References
    ----------
    Hamilton (1989), A new approach to the economic analysis of nonstationary time series.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.sequence import SwitchingAutoRegression
    >>> rng = np.random.default_rng(0)
    >>> v = np.where(np.arange(200) // 50 % 2, 5.0, 0.0) + rng.normal(size=200)
    >>> model = SwitchingAutoRegression(2, 0, random_state=0).fit([v])
    >>> np.sort(model.intercept_).round()
    array([0., 5.])
    >>> model.forecast(3).interval(0.8)[0].shape
    (3,)
    """

    card = Card(
        tasks=("density",),
        search_space={"n_regimes": [1, 2, 3], "order": [0, 1, 2]},
        input="sequences",
    )

    nan_attributes = ("last_",)

    def __init__(
        self,
        n_regimes: int = 2,
        order: int = 1,
        *,
        fit_intercept: bool = True,
        switching_variance: bool = True,
        n_init: int = 4,
        max_iter: int = 500,
        tol: float = 1e-7,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_regimes = n_regimes
        self.order = order
        self.fit_intercept = fit_intercept
        self.switching_variance = switching_variance
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Learn regimes from sequences.

        Parameters
        ----------
        X : list of arrays of shape (T,), Sequences, or one array
        y : Any
            Not used.
        lengths : array-like of int, optional
            Of the sequences in one array ``X``.
        """
        check.params(
            self,
            count="n_regimes n_init max_iter",
            positive="tol",
            flag="fit_intercept switching_variance",
        )
        whole = isinstance(self.order, int | np.integer) and not isinstance(self.order, bool)
        if not whole or self.order < 0:
            raise check.fail(self, "order", "an integer of at least 0", self.order)
        given = self._real(X, lengths)
        Z, values, offsets = self._rows(given)
        least = self.n_regimes * (Z.shape[1] + 1)
        if int(np.isfinite(values).sum()) < least:
            need = f"of at least {least} numbers after the first {self.order} of every sequence"
            raise check.fail(self, "X", need, int(np.isfinite(values).sum()))
        rows = RegressionRows.of(Z, values, offsets, not self.switching_variance, self.n_jobs)
        rng = generator(self.random_state)
        starts = rows.starts(self.n_regimes, self.n_init, rng)
        if self.n_init > 1:
            # A few steps tell a good start from a bad one; only the best is followed to its end.
            short = expectation_maximisation(
                rows.expect, rows.maximise, starts, tol=_LOOSE, max_iter=_SHORT
            )
            starts = iter([short.x])
        solution = expectation_maximisation(
            rows.expect, rows.maximise, starts, tol=self.tol, max_iter=self.max_iter
        )
        regimes = solution.x.sorted()
        self.coef_ = regimes.weights[:, : self.order].copy()
        level = regimes.weights[:, -1] if self.fit_intercept else np.zeros(self.n_regimes)
        self.intercept_, self.noise_variance_ = level.copy(), regimes.variances
        self.start_, self.transition_ = regimes.start, regimes.transition
        self.log_likelihood_ = -float(solution.objective)
        self.n_features_in_, self.n_iter_ = 1, solution.n_iter
        self.last_ = last_sequence(given)[:, 0].copy()
        self.fit_report_ = check.report(self, solution)
        return self

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log-likelihood of every sequence given its first ``order`` numbers."""
        table, offsets = self._table(self._given(X, lengths))
        return chain_log_likelihood(table, offsets, self.start_, self.transition_)

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log-likelihood per step, of all sequences together."""
        table, offsets = self._table(self._given(X, lengths))
        total = chain_log_likelihood(table, offsets, self.start_, self.transition_).sum()
        return float(total) / max(len(table), 1)

    def predict_proba(self, X: Any, *, lengths: Any = None, kind: str = "smoothed") -> Sequences:
        """Probabilities of the regimes at every step; the first ``order`` steps have none.

        Parameters
        ----------
        X, lengths
            As in :meth:`fit`.
        kind : {"smoothed", "filtered"}
            Given the whole sequence, or the numbers so far.
        """
        if kind not in ("smoothed", "filtered"):
            raise check.fail(self, "kind", "one of 'smoothed', 'filtered'", kind)
        given = self._given(X, lengths)
        table, offsets = self._table(given)
        if kind == "filtered":
            share, _ = chain_filter(table, offsets, self.start_, self.transition_)
        else:
            Z, values, offsets = self._rows(given)
            rows = RegressionRows.of(Z, values, offsets, False, self.n_jobs)
            share = rows.smooth(self._parameters()).posterior
        return Sequences(share, np.diff(offsets))

    def predict(self, X: Any, *, lengths: Any = None) -> Sequences:
        """The most probable regime of every step, given the whole sequence."""
        share = self.predict_proba(X, lengths=lengths)
        return Sequences(np.argmax(share.buffer, axis=1), share.lengths)

    def query(self, X: Any, times: Any = None, *, kind: str = "smoothed") -> Floats:
        """Probabilities of the regimes of one sequence at some times, positions from 0."""
        share = self.predict_proba(self._given(X, None), kind=kind)[0]
        at = self.order + np.arange(len(share)) if times is None else np.asarray(times)
        inside = at.dtype.kind in "iu" and at.ndim == 1
        if not inside or (
            at.size and not self.order <= at.min() <= at.max() < self.order + len(share)
        ):
            need = f"positions from {self.order} to {self.order + len(share) - 1}"
            raise check.fail(self, "times", need, times)
        return np.asarray(share[at - self.order])

    def forecast(self, h: int = 1, X: Any = None) -> MixtureDistribution:
        """Laws of the next ``h`` numbers: a mixture over the paths of the regimes.

        Parameters
        ----------
        h : int
        X : array of shape (T,), optional
            What came before; the last sequence of the training data by default.

        Notes
        -----
        Exact where there are at most 256 paths, over 400 drawn ones otherwise.
        """
        check_is_fitted(self)
        h = horizon(self, h)
        v = self.last_ if X is None else self._given(X, None).buffer[:, 0]
        if len(v) < self.order:
            raise check.fail(self, "X", f"of at least {self.order} numbers", len(v))
        table, offsets = self._table(Sequences([v[:, None]]))
        now = self.start_ @ np.linalg.pinv(self.transition_)
        if len(table):
            now = chain_filter(table, offsets, self.start_, self.transition_)[0][-1]
        paths, weights = regime_paths(
            np.maximum(now, 0.0), self.transition_, int(h), generator(self.random_state)
        )
        means, stds = self._along(paths, v)
        return MixtureDistribution(weights, Normal(means, stds))

    def _along(self, paths: Any, v: Floats) -> tuple[Floats, Floats]:
        """Moments of the next numbers when the regimes are known, a row for each path."""
        A = np.array([companion(coef) for coef in self.coef_])
        size = A.shape[1]
        b, Q = np.zeros((len(A), size)), np.zeros(A.shape)
        b[:, 0], Q[:, 0, 0] = self.intercept_, self.noise_variance_
        state = np.zeros(size)
        state[: self.order] = v[: -self.order - 1 : -1] if self.order else 0.0
        means, covs = forecast_paths(A[paths], b[paths], Q[paths], state, np.zeros((size, size)))
        return means[..., 0], np.sqrt(covs[..., 0, 0])

    def _parameters(self) -> RegimeParameters:
        parts = [self.coef_, self.intercept_[:, None]] if self.fit_intercept else [self.coef_]
        return RegimeParameters(
            np.hstack(parts), self.noise_variance_, self.start_, self.transition_
        )

    def _rows(self, given: Sequences) -> tuple[Floats, Floats, Indices]:
        Z, values = lagged(given, int(self.order))
        if self.fit_intercept:
            Z = np.column_stack([Z, np.ones(len(Z))])
        left = np.maximum(given.lengths - self.order, 0)
        return Z, values, np.concatenate([[0], np.cumsum(left)]).astype(np.int64)

    def _table(self, given: Sequences) -> tuple[Floats, Indices]:
        Z, values, offsets = self._rows(given)
        return self._parameters().log_density(Z, values), offsets

    def _given(self, X: Any, lengths: Any) -> Sequences:
        check_is_fitted(self)
        return self._real(X, lengths)

    def _real(self, X: Any, lengths: Any) -> Sequences:
        return real_sequences(self, X, lengths, width=1, missing=self.order == 0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.order == 0
        return tags
