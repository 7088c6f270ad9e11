"""Hidden Markov models whose transitions follow inputs."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, check, threads
from margin.core.random import generator
from margin.core.types import Floats
from margin.inference import expectation_maximisation
from margin.sequence.hidden_markov._data import Observed, observed
from margin.sequence.hidden_markov._emission import clustered
from margin.sequence.hidden_markov._input_learning import Driven, InputLearning
from margin.sequence.hidden_markov._mass import hard_counts
from margin.sequence.hidden_markov._normal_emission import NormalEmission


class InputHMM(BaseEstimator):
    r"""Hidden Markov model with inputs: input-output HMM (sequence.24).

    .. math:: p(h_t = j \mid h_{t-1} = i, u_t) \propto \exp(b_{ij} + w_{ij}^\top u_t), \qquad
              v_t \mid h_t = k \sim N(\mu_k, \Sigma_k)

    Parameters
    ----------
    n_states : int
    n_inputs : int
        The first so many columns of every row are inputs :math:`u_t`, observed everywhere; the
        others are what is seen, NaN where it is not. So a sequence stays one array, and
        cross-validation never parts inputs from observations.
    covariance_type, min_covar
        As in :class:`GaussianHMM`.
    alpha : float
        Strength of the squared penalty of the coefficients.
    n_init, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_ : ndarray of shape (K,)
    coef_ : ndarray of shape (K, K, n_inputs + 1)
        Constant first; rows of states from, columns of states to.
    emission_ : MultivariateNormal
    fit_report_ : FitReport

    Notes
    -----
    :math:`O(T K^2)` time and memory for the E step; the M step is a convex softmax regression.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> u = rng.normal(size=400)
    >>> x = np.column_stack([u, 6.0 * (u > 0) + rng.normal(size=400)])
    >>> model = InputHMM(2, random_state=0).fit(x)
    >>> state = model.predict(x)
    >>> bool(np.mean(state == (u > 0)) > 0.95 or np.mean(state == (u < 0)) > 0.95)
    True
    """

    card = Card(tasks=("density",), input="sequences", on_request=True)

    def __init__(
        self,
        n_states: int = 2,
        n_inputs: int = 1,
        *,
        covariance_type: str = "full",
        min_covar: float = 1e-3,
        alpha: float = 1e-2,
        n_init: int = 1,
        max_iter: int = 100,
        tol: float = 1e-5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.n_inputs = n_inputs
        self.covariance_type = covariance_type
        self.min_covar = min_covar
        self.alpha = alpha
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Learn from sequences whose rows begin with inputs; ``y`` is not used."""
        kinds = ("full", "tied", "diag", "spherical")
        check.params(
            self,
            count="n_states n_inputs n_init max_iter",
            nonnegative="tol min_covar alpha",
            one_of={"covariance_type": kinds},
        )
        data = observed(self, X, lengths)
        if data.rows.shape[1] <= self.n_inputs:
            wanted = f"rows of more than n_inputs={self.n_inputs} columns"
            raise check.fail(self, "X", wanted, data.rows.shape[1])
        emission = NormalEmission(self.covariance_type, float(self.min_covar))
        problem = self._problem(data, emission.checked(self, data.rows[:, self.n_inputs :]))
        # The regressions of the M step stop at a tolerance, so the bound may fall by as much.
        solution = expectation_maximisation(
            problem.expect,
            problem.maximise,
            self._starts(problem, generator(self.random_state)),
            tol=self.tol,
            max_iter=self.max_iter,
            monotone=1e-5,
        )
        self.fit_report_ = check.report(self, solution)
        self._found: Driven = solution.x
        self._learned = emission.checked(self, data.rows[:, self.n_inputs :])
        self.start_, self.coef_ = self._found.start, self._found.coef
        self.n_features_in_, self.n_iter_ = data.rows.shape[1], solution.n_iter
        return self

    def _problem(self, data: Observed, emission: NormalEmission) -> InputLearning:
        inputs = np.ascontiguousarray(data.rows[:, : self.n_inputs])
        if np.isnan(inputs).any():
            raise check.fail(self, "X", "observed in its inputs", "NaN")
        return InputLearning(
            emission,
            np.ascontiguousarray(data.rows[:, self.n_inputs :]),
            inputs,
            data.offsets,
            float(self.alpha),
            threads.count(self.n_jobs),
        )

    def _starts(self, problem: InputLearning, rng: np.random.Generator) -> Iterator[Driven]:
        k = self.n_states
        for _ in range(self.n_init):
            share = clustered(problem.emission.features(problem.rows), k, rng)
            _, pairs = hard_counts(share.argmax(axis=1), problem.offsets, k)
            coef = np.zeros((k, k, self.n_inputs + 1))
            coef[:, :, 0] = np.log((pairs + 1.0) / (pairs + 1.0).sum(axis=1, keepdims=True))
            share = 0.9 * share + 0.1 * rng.dirichlet(np.ones(k), len(share))
            stats = problem.emission.statistics(None, problem.rows, share, problem.n_threads)
            yield Driven(np.full(k, 1.0 / k), coef, problem.emission.fit(stats))

    def _asked(self, X: Any, lengths: Any) -> tuple[Observed, InputLearning]:
        check_is_fitted(self)
        data = observed(self, X, lengths, n_features=self.n_features_in_)
        return data, self._problem(data, self._learned)

    @property
    def emission_(self) -> Any:
        """What each state shows."""
        check_is_fitted(self)
        return self._learned.members(self._found.laws)

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log likelihood of the observations of every sequence given its inputs."""
        return self._asked(X, lengths)[1].smooth(self._found)[1]

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log likelihood per step, all sequences together."""
        data, problem = self._asked(X, lengths)
        return float(problem.smooth(self._found)[1].sum() / len(data.rows))

    def posterior(self, X: Any, *, lengths: Any = None) -> Any:
        """Probability of every state at every step given the whole sequence."""
        data, problem = self._asked(X, lengths)
        return data.returned(problem.smooth(self._found)[0])

    def predict(self, X: Any, *, lengths: Any = None) -> Any:
        """The most probable state at every step by itself."""
        data, problem = self._asked(X, lengths)
        return data.returned(problem.smooth(self._found)[0].argmax(axis=1).astype(np.int32))

    def transition(self, inputs: Any) -> Floats:
        """Transition matrices for rows of inputs, of shape (n, K, K)."""
        check_is_fitted(self)
        rows = np.asarray(inputs, dtype=np.float64).reshape(-1, self.n_inputs)
        return np.exp(self._found.log_transition(np.roll(rows, 1, axis=0)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        return tags
