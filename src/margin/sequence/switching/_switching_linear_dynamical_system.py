"""A linear dynamical system whose dynamics switch with a hidden regime."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, atomic, check
from margin.core.random import generator
from margin.core.types import Floats
from margin.distributions import MixtureDistribution, MultivariateNormal, Normal
from margin.inference import expectation_maximisation, forecast_paths
from margin.sequence._laws import normal_law
from margin.sequence._real_sequences import real_sequences
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked
from margin.sequence.state_space._expectation import SequenceData
from margin.sequence.state_space._start import starting_parameters
from margin.sequence.switching._regime_paths import regime_paths
from margin.sequence.switching._switching_states import (
    SwitchingData,
    SwitchingMoments,
    SwitchingParameters,
)

_ROUNDS = 30


class SwitchingLinearDynamicalSystem(BaseEstimator):
    r"""Several linear dynamics of one hidden state, chosen by a Markov chain (sequence.38).

    .. math:: x_t = A(s_t)\, x_{t-1} + b(s_t) + N(0, Q(s_t)), \qquad y_t = C x_t + d + N(0, R),
              \qquad p(s_t = j \mid s_{t-1} = i) = T_{ij}

    The exact posterior is a mixture of :math:`k^T` normal laws; here it is approximated by
    :math:`q(x)\,q(s)`, both chains being exact in themselves, and learned by variational
    expectation maximisation, whose bound never falls. NaN is left out exactly.

    Parameters
    ----------
    n_regimes, n_states : int
    n_init : int
        Starts of the search.
    max_iter, tol : int, float
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    parameters_ : SwitchingParameters
        By letter; ``R`` are variances.
    log_bound_ : float
        Lower bound of the log-likelihood of the training data.
    fit_report_ : FitReport

    Notes
    -----
    :math:`O(T (n^3 + k n^2 + k^2))` an iteration. With one regime the bound is the likelihood.

    References
    ----------
    Ghahramani and Hinton (2000), Variational learning for switching state-space models.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.sequence import SwitchingLinearDynamicalSystem
    >>> rng = np.random.default_rng(0)
    >>> v = np.zeros(240)
    >>> for t in range(1, 240):
    ...     v[t] = (0.95 * v[t - 1] if t // 60 % 2 else 4.0 - 0.8 * v[t - 1]) + rng.normal() / 3
    >>> model = SwitchingLinearDynamicalSystem(2, 1, tol=1e-4, random_state=0).fit([v])
    >>> model.forecast(3).mean.shape
    (3,)
    """

    card = Card(
        tasks=("density",),
        search_space={"n_regimes": [1, 2, 3], "n_states": [1, 2, 4]},
        input="sequences",
    )

    def __init__(
        self,
        n_regimes: int = 2,
        n_states: int = 2,
        *,
        n_init: int = 4,
        max_iter: int = 300,
        tol: float = 1e-5,
        random_state: Any = None,
    ) -> None:
        self.n_regimes = n_regimes
        self.n_states = n_states
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Learn from sequences.

        Parameters
        ----------
        X : list of arrays of shape (T,) or (T, m), Sequences, or one array
            NaN means unobserved.
        y : Any
            Not used.
        lengths : array-like of int, optional
        """
        check.params(self, count="n_regimes n_states n_init max_iter", positive="tol")
        given = real_sequences(self, X, lengths)
        if np.isnan(given.buffer).all():
            raise check.fail(self, "X", "observed somewhere", "NaN everywhere")
        data = _rows(given)
        rng = generator(self.random_state)
        solution = expectation_maximisation(
            data.expect,
            data.maximise,
            self._starts(data, rng),
            tol=self.tol,
            max_iter=self.max_iter,
            monotone=1e-6,
        )
        self.parameters_ = replace(solution.x, share=np.empty((0, self.n_regimes)))
        self.log_bound_ = -float(solution.objective)
        self.n_features_in_, self.n_iter_ = given.buffer.shape[1], solution.n_iter
        moments: SwitchingMoments = solution.extras["statistics"]
        self.last_mean_, self.last_cov_ = moments.mean[-1], moments.cov[-1]
        self.last_share_ = moments.share[-1]
        self.fit_report_ = check.report(self, solution)
        return self

    def log_bound(self, X: Any, *, lengths: Any = None) -> Floats:
        """Lower bound of the log-likelihood of every sequence."""
        parts = self._given(X, lengths)
        return np.array([self._infer(Sequences([p]))[0] if len(p) else 0.0 for p in parts])

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Lower bound of the log-likelihood per step, of all sequences together."""
        given = self._given(X, lengths)
        return float(self.log_bound(given).sum()) / len(given.buffer)

    def predict_proba(self, X: Any, *, lengths: Any = None) -> Sequences:
        """Probabilities of the regimes at every step, given the whole sequence."""
        given = self._given(X, lengths)
        return Sequences(self._infer(given)[1].share, given.lengths)

    def predict(self, X: Any, *, lengths: Any = None) -> Sequences:
        """The most probable regime of every step."""
        share = self.predict_proba(X, lengths=lengths)
        return Sequences(np.argmax(share.buffer, axis=1), share.lengths)

    def transform(self, X: Any, *, lengths: Any = None) -> Sequences:
        """Means of the states given the whole sequence."""
        given = self._given(X, lengths)
        return Sequences(self._infer(given)[1].mean, given.lengths)

    def query(self, X: Any, times: Any = None) -> Normal | MultivariateNormal:
        """Law of the state of one sequence at some times, given all its rows.

        Parameters
        ----------
        X : array of shape (T,) or (T, m)
        times : array-like of int, optional
            Positions from 0; all by default.
        """
        given = self._given(X, None)
        at = asked(self, times, len(given.buffer))
        moments = self._infer(given)[1]
        return normal_law(moments.mean[at], moments.cov[at])

    def forecast(self, h: int = 1, X: Any = None) -> MixtureDistribution:
        """Laws of the next ``h`` rows: a mixture over the paths of the regimes.

        Parameters
        ----------
        h : int
        X : array of shape (T,) or (T, m), optional
            What came before; the last sequence of the training data by default.

        Returns
        -------
        MixtureDistribution
            Of shape (h,) where there is one number per row, else (h, m), columns independent
            within a path.
        """
        check_is_fitted(self)
        h = horizon(self, h)
        mean, cov, now = self.last_mean_, self.last_cov_, self.last_share_
        if X is not None:
            moments = self._infer(self._given(X, None))[1]
            mean, cov, now = moments.mean[-1], moments.cov[-1], moments.share[-1]
        p: SwitchingParameters = self.parameters_
        paths, weights = regime_paths(now, p.transition, int(h), generator(self.random_state))
        means, covs = forecast_paths(p.A[paths], p.b[paths], p.Q[paths], mean, cov)
        seen = means @ p.C.T + p.d
        std = np.sqrt(np.einsum("mi,phij,mj->phm", p.C, covs, p.C) + p.R)
        if self.n_features_in_ == 1:
            return MixtureDistribution(weights, Normal(seen[..., 0], std[..., 0]))
        return MixtureDistribution(weights, Normal(seen, std))

    def _infer(self, given: Sequences) -> tuple[float, SwitchingMoments]:
        data = _rows(given)
        even = np.full((len(given.buffer), self.n_regimes), 1.0 / self.n_regimes)
        return data.infer(replace(self.parameters_, share=even), _ROUNDS)

    def _starts(
        self, data: SwitchingData, rng: np.random.Generator
    ) -> Iterator[SwitchingParameters]:
        """One linear system for all, regimes dealt to stretches of rows."""
        rows, k, n = len(data.Y), self.n_regimes, self.n_states
        whole = SequenceData.of(data.Y, np.zeros((rows, 0)), data.offsets, 1)
        for i in range(self.n_init):
            at = starting_parameters(whole, n, {}, rng if i else None)
            width = max(rows // (5 * k), 2)
            block = np.arange(rows) // width
            which = np.arange(block[-1] + 1) % k if i == 0 else rng.permutation(block[-1] + 1) % k
            share = np.full((rows, k), 0.1 / k)
            share[np.arange(rows), which[block]] += 0.9
            move = np.full((k, k), 0.1 / k) + 0.9 * np.eye(k)
            shaken = at.A + 0.05 * rng.normal(size=(k, n, n)) * (k > 1)
            begun = SwitchingParameters(
                shaken, np.zeros((k, n)), np.tile(at.Q, (k, 1, 1)), at.C, at.d,
                np.diagonal(at.R).copy(), np.full(k, 1.0 / k), move, share,
            )  # fmt: skip
            seen = data.expect(begun).statistics
            yield replace(data.maximise(replace(seen, share=share), begun), transition=move)

    def _given(self, X: Any, lengths: Any) -> Sequences:
        check_is_fitted(self)
        return real_sequences(self, X, lengths, width=int(self.n_features_in_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _rows(given: Sequences) -> SwitchingData:
    kept = np.concatenate([[True], given.lengths > 0])
    return SwitchingData(given.buffer, given.offsets[kept].astype(np.int64))
