"""Hidden Markov models with autoregressive emissions."""

from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, check
from margin.core.random import generator
from margin.core.types import Floats, Places
from margin.distributions import MixtureDistribution
from margin.inference import chain_walk, forecast_paths
from margin.sequence._laws import normal_law
from margin.sequence._step_laws import horizon
from margin.sequence.hidden_markov._base import HiddenMarkovBase
from margin.sequence.hidden_markov._data import Observed
from margin.sequence.hidden_markov._learning import Learning
from margin.sequence.hidden_markov.emissions._normal_emission import (
    NormalEmission,
    NormalLaws,
    given_covariances,
)
from margin.sequence.markov_regression._regression_emission import (
    RegressionEmission,
    RegressionLaws,
    windows,
)
from margin.sequence.switching._regime_paths import regime_paths


class ARHMM(HiddenMarkovBase):
    r"""Hidden Markov model whose states are autoregressions (sequence.06, sequence.31).

    .. math:: v_t \mid h_t = k, v_{t-1}, \ldots, v_{t-L} \sim
              N\Big(c_k + \sum_{l=1}^L A_{kl}\, v_{t-l},\; \Sigma_k\Big)

    The chain, its learning and its questions are those of :class:`GaussianHMM`, which it is with
    ``order=0``: known states (``y``), structural zeros, tied laws, priors, Viterbi training, online
    learning, decoding. Rows may be vectors. :class:`SwitchingAutoRegression` is the same model of
    one number at a time with the face of a time series.

    Parameters
    ----------
    n_states : int
    order : int
        ``L``, at least 0.
    covariance_type, min_covar
        As in :class:`GaussianHMM`, of the noise.
    fit_intercept : bool
        Whether states have levels :math:`c_k`.
    coef_init : array-like of shape (K, order, d, d), optional
    intercept_init, covariances_init : array-like of shape (K, d), (K, d, d), optional
        Where to start, besides ``coef_init``.
    start_init, transition_init, groups, start_prior, transition_prior, fixed
        As in :class:`GaussianHMM`.
    init, n_init, algorithm, low_memory, decoding, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_ : ndarray of shape (K,), (K, K)
    coef_ : ndarray of shape (K, order, d, d)
        Nearest lag first.
    intercept_, covariances_ : ndarray of shape (K, d), (K, d, d)
    emission_ : MultivariateNormal
        Levels and noise.
    fit_report_ : FitReport

    Notes
    -----
    The likelihood is conditional on the first ``order`` rows of a sequence. A gap (NaN) begins
    another stretch: a row counts where it and the ``order`` rows before it are observed, and the
    chain goes on through the gap. Summing over the gap would tie all states in it together;
    :class:`SwitchingLinearDynamicalSystem` does that, approximately.
    :math:`O(T K (K + d^2 L^2))` for an iteration.

    References
    ----------
    Hamilton (1989), A new approach to the economic analysis of nonstationary time series.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> v = np.zeros(600)
    >>> for t in range(1, 600):
    ...     v[t] = (0.95 if t // 100 % 2 else -0.8) * v[t - 1] + rng.normal()
    >>> model = ARHMM(2, 1, random_state=0).fit(v)
    >>> np.sort(model.coef_.ravel()).round(1)
    array([-0.8,  0.9])
    >>> v[250:260] = np.nan
    >>> len(set(model.predict(v)[220:290]))
    1
    """

    card = Card(
        tasks=("density",),
        input="sequences",
        search_space={"n_states": [1, 2, 3, 4], "order": [1, 2]},
    )

    def __init__(
        self,
        n_states: int = 2,
        order: int = 1,
        *,
        covariance_type: str = "full",
        min_covar: float = 1e-3,
        fit_intercept: bool = True,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
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
        self.order = order
        self.covariance_type = covariance_type
        self.min_covar = min_covar
        self.fit_intercept = fit_intercept
        self.coef_init = coef_init
        self.intercept_init = intercept_init
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

    def _check(self) -> None:
        super()._check()
        kinds = ("full", "tied", "diag", "spherical")
        check.params(
            self,
            nonnegative="min_covar",
            flag="fit_intercept",
            one_of={"covariance_type": kinds},
        )
        whole = isinstance(self.order, int | np.integer) and not isinstance(self.order, bool)
        if not whole or self.order < 0:
            raise check.fail(self, "order", "an integer of at least 0", self.order)

    def _rows(self, data: Observed) -> Floats:
        return windows(data.rows, data.offsets, int(self.order))

    def _emission(self, n_features: int) -> RegressionEmission:
        noise = NormalEmission(self.covariance_type, float(self.min_covar))
        return RegressionEmission(noise, n_features, bool(self.fit_intercept))

    def _given_laws(self, emission: RegressionEmission, n_groups: int, n_features: int) -> Any:
        if self.coef_init is None:
            for name in ("intercept_init", "covariances_init"):
                if getattr(self, name) is not None:
                    raise check.fail(self, name, "given with coef_init", "no coef_init")
            return None
        d, order = n_features, int(self.order)
        assert emission.noise.psi is not None
        size = emission.noise.psi / self.min_covar if self.min_covar else np.ones(d)
        spread = np.broadcast_to(np.diag(size), (n_groups, d, d))
        coef = self._shaped("coef_init", self.coef_init, (n_groups, order, d, d))
        level, covariance = np.zeros((n_groups, d)), np.ascontiguousarray(spread)
        if self.intercept_init is not None:
            level = self._shaped("intercept_init", self.intercept_init, (n_groups, d))
        if self.covariances_init is not None:
            covariance = given_covariances(
                self, "covariances_init", self.covariances_init, (n_groups, d, d)
            )
        weights = coef.transpose(0, 2, 1, 3).reshape(n_groups, d, order * d)
        return RegressionLaws(np.ascontiguousarray(weights), NormalLaws(level, covariance))

    def _shaped(self, name: str, given: ArrayLike, shape: tuple[int, ...]) -> Floats:
        table = np.array(given, dtype=np.float64)
        if table.shape != shape or not np.isfinite(table).all():
            raise check.fail(self, name, f"finite, of shape {shape}", f"shape {table.shape}")
        return table

    @property
    def coef_(self) -> Floats:
        """Coefficients of every law, nearest lag first."""
        check_is_fitted(self)
        weights: Floats = self._parameters.laws.weights
        k, d, p = weights.shape
        return weights.reshape(k, d, p // d, d).transpose(0, 2, 1, 3)

    @property
    def intercept_(self) -> Floats:
        """Level of every law."""
        check_is_fitted(self)
        return np.asarray(self._parameters.laws.level)

    @property
    def covariances_(self) -> Floats:
        """Covariance of the noise of every law."""
        check_is_fitted(self)
        return np.asarray(self._parameters.laws.noise.covariance)

    def forecast(self, h: int = 1, X: Any = None, *, lengths: Any = None) -> Any:
        """Laws of the next ``h`` rows.

        A mixture over the paths that the states may take: all of them where they are at most 256,
        else 400 drawn ones. Where a sequence ends in a gap, it starts from the last ``order`` rows
        in a row that are observed.

        Parameters
        ----------
        h : int
        X : as in :meth:`fit`, optional
            What came before; the last sequence of the training data by default.
        lengths : array-like of int, optional

        Returns
        -------
        MixtureDistribution over (h,) numbers or (h, d) rows, or a list of them
            A list where a list of sequences was given.
        """
        check_is_fitted(self)
        steps, rng = horizon(self, h), generator(self.random_state)
        if X is None:
            if self._before is None:
                self._refuse_short()
            return self._after(*self._before, steps, rng)
        data, states = self._filtered(X, lengths)
        answers = []
        for first, last in pairwise(data.offsets):
            begun = self._past(data.rows[first:last], states[first:last])
            if begun is None:
                self._refuse_short()
            answers.append(self._after(*begun, steps, rng))
        return answers[0] if data.given == "one" else answers

    def _refuse_short(self) -> NoReturn:
        wanted = f"sequences with at least {max(int(self.order), 1)} observed steps in a row"
        raise check.fail(self, "X", wanted, "one without")

    def _store(self, problem: Learning, at: Any, data: Observed) -> None:
        super()._store(problem, at, data)
        last = data.last()
        self._before = self._past(last.rows, self._filtered(last.rows, None)[1])

    def _past(self, rows: Floats, states: Floats) -> tuple[Floats, Floats, int] | None:
        """The last rows that were seen in a row, the state then, and the steps since; or None."""
        d, order = self.n_features_in_, int(self.order)
        # The last step by which enough rows in a row were seen.
        gaps, last = np.cumsum(np.r_[0.0, np.isnan(rows).any(axis=1)]), len(rows)
        while last > 0 and order and (last < order or gaps[last] > gaps[last - order]):
            last -= 1
        if not last:
            return None
        past = np.zeros(d * max(order, 1))
        if order:
            past[:] = rows[last - order : last][::-1].ravel()
        return past, states[last - 1].copy(), len(rows) - last

    def _after(
        self, past: Floats, state: Floats, since: int, h: int, rng: np.random.Generator
    ) -> MixtureDistribution:
        d = self.n_features_in_
        paths, weights = regime_paths(state, self.transition_, h + since, rng)
        A, b, Q = self._companions()
        shown = self._groups()[paths]
        cov = np.zeros((len(past), len(past)))
        means, covs = forecast_paths(A[shown], b[shown], Q[shown], past, cov)
        means, covs = means[:, since:, :d], covs[:, since:, :d, :d]
        laws = normal_law(means.reshape(-1, d), covs.reshape(-1, d, d))
        return MixtureDistribution(weights, [laws[p * h : (p + 1) * h] for p in range(len(paths))])

    def _companions(self) -> tuple[Floats, Floats, Floats]:
        """Matrices, levels and noise of the last ``order`` rows as a state, for every law."""
        laws: RegressionLaws = self._parameters.laws
        k, d, p = laws.weights.shape
        size = max(p, d)
        A = np.zeros((k, size, size))
        A[:, :d, :p] = laws.weights
        A[:, d:, : size - d] = np.eye(size - d)
        b, Q = np.zeros((k, size)), np.zeros((k, size, size))
        b[:, :d], Q[:, :d, :d] = laws.level, laws.noise.covariance
        return A, b, Q

    def sample(
        self, n: int = 1, length: int | ArrayLike = 100, *, random_state: Any = None
    ) -> tuple[Sequences, Sequences]:
        """``n`` sequences drawn from the model, and the states behind them.

        The first ``order`` rows are drawn from a normal law of such rows in the training data.

        Parameters
        ----------
        n : int
        length : int or array-like of shape (n,)
        random_state : None, int or Generator
            That of the model by default.
        """
        check_is_fitted(self)
        rng = generator(self.random_state if random_state is None else random_state)
        lengths = np.broadcast_to(np.asarray(length, dtype=np.intp), (n,))
        path = chain_walk(self.start_, self.transition_, lengths, rng)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.empty((len(path), self.n_features_in_))
        for first, last in pairwise(offsets):
            rows[first:last] = self._walk(self._groups()[path[first:last]], rng)
        return Sequences(rows, lengths=lengths), Sequences(path, lengths=lengths)

    def _walk(self, shown: Places, rng: np.random.Generator) -> Floats:
        laws: RegressionLaws = self._parameters.laws
        emission: Any = self._learned
        d, order = self.n_features_in_, int(self.order)
        roots = np.linalg.cholesky(laws.noise.covariance)
        noise = np.einsum("tij,tj->ti", roots[shown], rng.normal(size=(len(shown), d)))
        mean, spread = emission.before
        values, vectors = np.linalg.eigh(spread)
        draw = vectors @ (np.sqrt(np.maximum(values, 0.0)) * rng.normal(size=len(mean)))
        before = (mean + draw).reshape(order, d)
        rows = np.empty((len(shown), d))
        for t, k in enumerate(shown):
            if t < order:
                rows[t] = before[order - 1 - t]
                continue
            past = rows[t - order : t][::-1].ravel()
            rows[t] = laws.level[k] + laws.weights[k] @ past + noise[t]
        return rows
